"""Contexts as flat arrays of interned values: text becomes numbers once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from wsdlist.data.arrays import Ints, Pairs, distinct
from wsdlist.data.corpus import Instance
from wsdlist.errors import InputError
from wsdlist.features.annotations import ANNOTATIONS

EDGE_CODE = 0  # the code of a position beyond the sentence
UNASKED = -1  # the code of values that no question asks about


class _Numbers(dict[str, int]):
    """Numbers tokens in the order in which they are first asked about."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number


class Batch:
    """Contexts as flat arrays, in which a target of several tokens is one token.

    Parameters
    ----------
    instances
        The n instances.
    reach
        How many tokens to either side of the target are kept; None for all.

    Attributes
    ----------
    start, end, target
        ``(n,)`` positions in the flat sequence of tokens: where each context starts, where it ends
        (exclusive), and where its target is.
    """

    def __init__(self, instances: Sequence[Instance], reach: int | None) -> None:
        self.instances = instances
        n = len(instances)
        spans = chain.from_iterable([instance.target for instance in instances])
        first, last = np.fromiter(spans, np.int64, 2 * n).reshape(-1, 2).T
        size = np.fromiter(map(len, [i.forms for i in instances]), np.int64, n)
        low = np.zeros_like(first) if reach is None else np.maximum(first - reach, 0)
        high = size if reach is None else np.minimum(last + reach, size)
        self.low, self.high = low, high
        self.whole = bool(((low == 0) & (high == size) & (last - first == 1)).all())
        n_tokens = high - low - (last - first) + 1
        self.end: Ints = np.cumsum(n_tokens)
        self.start: Ints = self.end - n_tokens
        self.target: Ints = self.start + first - low

    @cached_property
    def windows(self) -> list[tuple[int, int]]:
        """The first token of each context that is kept, and the one after the last."""
        return list(zip(self.low.tolist(), self.high.tolist(), strict=True))

    @cached_property
    def sentence(self) -> Pairs:
        """``(n,)`` positions: where the target's sentence starts and ends, within the context."""
        bounds = []
        for instance, (low, high) in zip(self.instances, self.windows, strict=True):
            first, last = instance.target
            number = bisect_right(instance.sentences, first)
            starts = instance.sentences[number - 1] if number else 0
            ends = len(instance.forms)
            if number < len(instance.sentences):
                ends = instance.sentences[number]
            bounds.append(
                (max(starts - low, 0), max(min(ends, high) - low - (last - first) + 1, 0))
            )
        offsets = np.array(bounds, dtype=np.int64).reshape(-1, 2)
        return self.start + offsets[:, 0], np.minimum(self.start + offsets[:, 1], self.end)

    @cached_property
    def satellites(self) -> Pairs:
        """``(rows, positions)`` of the other tokens of a multiword target."""
        rows, positions = [], []
        for row, (instance, (low, _)) in enumerate(zip(self.instances, self.windows, strict=True)):
            first, last = instance.target
            for token in instance.satellites:
                if not first <= token < last:
                    rows.append(row)
                    shift = last - first - 1 if token >= last else 0
                    positions.append(self.start[row] + token - low - shift)
        return np.array(rows, dtype=np.int64), np.array(positions, dtype=np.int64)

    def layer(self, name: str) -> list[str]:
        """Return a layer (``forms``, ``tags``, ``lemmas``) as one flat list.

        Raises
        ------
        InputError
            When an instance lacks it.
        """
        if self.whole and name == "forms":
            return list(chain.from_iterable([instance.forms for instance in self.instances]))
        flat: list[str] = []
        for instance, (low, high) in zip(self.instances, self.windows, strict=True):
            tokens: tuple[str, ...] | None = getattr(instance, name)
            if tokens is None:
                raise InputError(
                    f"instance {instance.id!r} has no {name}",
                    "name a pipeline with --pipeline, or use the feature set light",
                    where=instance.place,
                )
            first, last = instance.target
            if last - first == 1:
                flat += tokens[low:high]
            else:
                flat += tokens[low:first]
                flat.append(" ".join(tokens[first:last]))
                flat += tokens[last:high]
        return flat

    def codes(self, annotation: str, values: Sequence[str] | None = None) -> tuple[Ints, list[str]]:
        """Give every token the number of its value.

        Parameters
        ----------
        annotation
            The name of an annotation.
        values
            The values of codes 1, 2, ...; all others get -1. None for those that occur, in
            alphabetical order.

        Returns
        -------
        tuple
            The ``(n_tokens,)`` codes, and the values. A token that is not asked about has code -1.
            No token has code 0, which stands for a position beyond the sentence.

        Raises
        ------
        InputError
            When an instance lacks the layer of the annotation.
        """
        asked = ANNOTATIONS[annotation]
        flat = self.layer(asked.layer)
        seen = _Numbers()
        tokens = np.fromiter(map(seen.__getitem__, flat), np.int64, len(flat))
        normalised = [asked.normal(token) for token in seen]
        if values is None:
            values = sorted({value for value in normalised if value is not None})
        number: dict[str | None, int] = {value: n for n, value in enumerate(values, start=1)}
        code = np.array([number.get(value, UNASKED) for value in normalised], dtype=np.int64)
        return code[tokens], list(values)


def relation(batch: Batch, position: Any, codes: Ints, n_values: int) -> Pairs:
    """Return ``(rows, codes)``: the values at a position, rows ascending and each pair once.

    ``codes`` are those of all tokens, as :meth:`Batch.codes` gives them for ``n_values`` values.
    """
    rows, positions = position.find(batch)
    codes = np.where(positions < 0, EDGE_CODE, codes[positions]) if len(codes) else positions * 0
    asked = codes != UNASKED
    rows, codes = rows[asked], codes[asked]
    if position.many:
        base = n_values + 1
        keys = distinct(rows * base + codes)
        rows, codes = keys // base, keys % base
    return rows, codes
