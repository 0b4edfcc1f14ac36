"""Parts of training data, dealt out by content so that the order of lines does not matter."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from wsdlist.answers import Ints
from wsdlist.corpus import Item, Row
from wsdlist.tokens import normal


def folded(instance: Item) -> str:
    """Return what makes two contexts near copies: all but case, quotes, spaces and Unicode form.

    The place of the target belongs to it. A row of a table is a near copy of nothing but itself.
    """
    if isinstance(instance, Row):
        return instance.id
    first, last = instance.target
    return "\0".join(
        normal("".join(part))
        for part in (instance.forms[:first], instance.forms[first:last], instance.forms[last:])
    )


def deal(
    instances: Sequence[Item], labels: Sequence[Sequence[str]], n_parts: int, seed: int = 0
) -> Ints:
    """Return ``(n,)`` the part, 0 to ``n_parts`` - 1, of each instance.

    Within each sense, groups of near copies are dealt round in the order of a seeded hash of
    their content; near copies of one another are in one part.
    """
    groups: dict[str, list[int]] = {}
    for row, instance in enumerate(instances):
        groups.setdefault(folded(instance), []).append(row)

    def key(text: str) -> bytes:
        return hashlib.blake2b(
            text.encode("utf-8", "surrogatepass"), salt=seed.to_bytes(8, "big")
        ).digest()

    by_sense: dict[tuple[str, ...], list[str]] = {}
    for text, rows in groups.items():
        senses = min(tuple(labels[row]) for row in rows)
        by_sense.setdefault(senses[:1], []).append(text)
    parts = np.zeros(len(instances), dtype=np.int64)
    dealt = 0
    for sense in sorted(by_sense):
        for text in sorted(by_sense[sense], key=key):
            parts[groups[text]] = dealt % n_parts
            dealt += 1
    return parts
