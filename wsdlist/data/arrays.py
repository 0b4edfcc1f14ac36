"""Array aliases, and the sorting, counting and joining of integer keys that the rooms share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]


Floats: TypeAlias = npt.NDArray[np.float64]


Bools: TypeAlias = npt.NDArray[np.bool_]


Pairs: TypeAlias = tuple[Ints, Ints]


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return ``start, start + 1, ...`` of every range, one behind another.

    >>> ranges(np.array([10, 5]), np.array([3, 2]))
    array([10, 11, 12,  5,  6])
    """
    ends = lengths.cumsum()
    made: Ints = (starts - ends + lengths).repeat(lengths)
    made += np.arange(len(made))
    return made


def distinct(keys: Ints) -> Ints:
    """Return the distinct keys, sorted: by sorting, which is quicker than hashing them."""
    ordered = np.sort(keys)
    made: Ints = ordered[_new(ordered)]
    return made


def stable_order(keys: Ints) -> tuple[Ints, Ints]:
    """Return the stable order that sorts keys of 0 or more, and the sorted keys."""
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)) >> (63 - bits):
        order = np.argsort(keys, kind="stable")
        return order, keys[order]
    # key and place in one number: sorting these is much quicker than an argsort
    packed = np.sort((keys.astype(np.int64) << bits) | np.arange(len(keys)))
    return packed & ((1 << bits) - 1), packed >> bits


def numbered(keys: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys, sorted, and for each key its number among them."""
    order, ordered = stable_order(keys)
    new = _new(ordered)
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ordered[new], number


def _new(ordered: Ints) -> npt.NDArray[np.bool_]:
    """Say where a sorted array has a value for the first time."""
    made = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=made[1:])
    return made


def sums(index: Ints, weights: Floats | None, size: int) -> Floats:
    """Return ``(size,)`` the sum of the weights of each index; without any, each weighs 1."""
    made: npt.NDArray[Any] = np.bincount(index, weights, minlength=size)
    return made.astype(np.float64, copy=False)


def join(left: Pairs, right: Pairs, n_rows: int) -> tuple[Ints, Ints]:
    """Pair every entry of ``left`` with every entry of ``right`` that has the same row.

    Both are ``(rows, values)`` with rows ascending; returns the entry numbers of the pairs.
    """
    counts = np.bincount(right[0], minlength=n_rows)
    starts = np.cumsum(counts) - counts
    repeats = counts[left[0]]
    return np.repeat(np.arange(len(left[0])), repeats), ranges(starts[left[0]], repeats)
