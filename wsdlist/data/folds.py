"""Instances dealt into folds by their content, so that near copies are in the same fold."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from wsdlist.data.arrays import Ints
from wsdlist.data.corpus import Item, Row
from wsdlist.data.tokens import normal


def folded(instance: Item) -> str:
    """Return the content of an instance, which is equal for near copies.

    Two contexts are near copies if they differ only in case, kinds of quotation marks, spaces and
    Unicode form, and their targets are in the same position. The content of a row is its values.
    """
    if isinstance(instance, Row):
        return "\0".join("?" if value is None else value for value in instance.values)
    first, last = instance.target
    forms = instance.forms
    parts = (forms[:first], forms[first:last], forms[last:])
    return "\0".join(normal("".join(part)) for part in parts)


def deal(
    instances: Sequence[Item], labels: Sequence[Sequence[str]], n_parts: int, seed: int = 0
) -> Ints:
    """Return ``(n,)`` the part of each instance, 0 to ``n_parts`` - 1.

    The instances of each sense are dealt to the parts in turn, in the order of a seeded hash of
    their content. Near copies go to the same part. Equal rows of a table are no copies of each
    other, so they are dealt like different ones.

    Parameters
    ----------
    instances
        Words in context or rows.
    labels
        The senses of each instance.
    n_parts
        The number of parts.
    seed
        Changes the order.
    """
    return deal_keys(_keys(instances, labels), labels, n_parts, seed)


def draw(
    instances: Sequence[Item], labels: Sequence[Sequence[str]], share: float, seed: int = 0
) -> Ints:
    """Return ``(n,)`` 1 for about a ``share`` of the instances, drawn at random, else 0.

    Like :func:`deal` it goes by content and keeps near copies together, but it takes no account of
    senses. Of two or more different contexts at least one is drawn, and at least one is not.
    """
    keys = _keys(instances, labels)
    counted = Counter(keys)
    ordered = sorted(counted, key=lambda text: _hashed(text, seed))
    before = np.cumsum([0, *(counted[text] for text in ordered[:-1])])
    n_drawn = int(np.clip((before < round(share * len(keys))).sum(), 1, max(len(ordered) - 1, 1)))
    drawn = set(ordered[:n_drawn])
    return np.array([int(text in drawn) for text in keys], dtype=np.int64)


def _keys(instances: Sequence[Item], labels: Sequence[Sequence[str]]) -> list[str]:
    """Return what is dealt: the same key for near copies, a key of its own for each row."""
    keys = [folded(instance) for instance in instances]
    equal: Counter[str] = Counter()
    for row, instance in enumerate(instances):
        if isinstance(instance, Row):
            text = "\0".join((keys[row], *labels[row]))
            equal[text] += 1
            keys[row] = f"{text}\0{equal[text]}"
    return keys


def _hashed(text: str, seed: int) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, salt=seed.to_bytes(8, "big")).digest()


def deal_keys(
    keys: Sequence[str], labels: Sequence[Sequence[str]], n_parts: int, seed: int = 0
) -> Ints:
    """Return ``(n,)`` the part of each row; rows of the same key go to the same part.

    See :func:`deal`.
    """
    groups: dict[str, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)

    by_sense: dict[tuple[str, ...], list[str]] = {}
    for text, rows in groups.items():
        senses = min(tuple(labels[row]) for row in rows)
        by_sense.setdefault(senses[:1], []).append(text)
    parts = np.zeros(len(keys), dtype=np.int64)
    dealt = 0
    for sense in sorted(by_sense):
        for text in sorted(by_sense[sense], key=lambda text: _hashed(text, seed)):
            parts[groups[text]] = dealt % n_parts
            dealt += 1
    return parts


def keep_every_sense(parts: Ints, labels: Sequence[Sequence[str]]) -> Ints:
    """Return the parts with -1 (never held out) for every sense that is in one part alone.

    If such a part were held out, the sense would be missing from training.
    """
    kept = parts.copy()
    for sense in sorted({sense for gold in labels for sense in gold}):
        rows = np.array([row for row, gold in enumerate(labels) if sense in gold])
        if len(np.unique(kept[rows])) == 1:
            kept[rows] = -1
    return kept
