"""Array aliases, and the sorting, counting and joining of integer keys that the rooms share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Pairs: TypeAlias = tuple[Ints, Ints]  # rows, ascending, and a value for each


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return ``start, start + 1, ...`` of every range, one range after another.

    >>> ranges(np.array([10, 5]), np.array([3, 2]))
    array([10, 11, 12,  5,  6])
    """
    ends = lengths.cumsum()
    numbers: Ints = (starts - ends + lengths).repeat(lengths)
    numbers += np.arange(len(numbers))
    return numbers


def distinct(keys: Ints) -> Ints:
    """Return the distinct keys, in ascending order."""
    ordered = np.sort(keys)  # quicker than hashing, as np.unique may do
    first_of_each: Ints = ordered[_is_new(ordered)]
    return first_of_each


def stable_order(keys: Ints) -> tuple[Ints, Ints]:
    """Return the stable order that sorts keys, none of them negative, and the sorted keys."""
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)) >> (63 - bits):
        order = np.argsort(keys, kind="stable")
        return order, keys[order]
    # key and position in one number: sorting these is much quicker than an argsort
    packed = np.sort((keys.astype(np.int64) << bits) | np.arange(len(keys)))
    return packed & ((1 << bits) - 1), packed >> bits


def numbered(keys: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys in ascending order, and for each key its number among them."""
    order, ordered = stable_order(keys)
    new = _is_new(ordered)
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ordered[new], number


def _is_new(ordered: Ints) -> Bools:
    """Say of each value of a sorted array whether it differs from the one before it."""
    is_new = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return is_new


def sums(index: Ints, weights: Floats | None, size: int) -> Floats:
    """Return ``(size,)`` sums: of the weights of each index, or its count without weights."""
    totals: npt.NDArray[Any] = np.bincount(index, weights, minlength=size)
    return totals.astype(np.float64, copy=False)


def join(left: Pairs, right: Pairs, n_rows: int) -> tuple[Ints, Ints]:
    """Pair every entry of ``left`` with every entry of ``right`` that has the same row.

    Both are ``(rows, values)`` with rows ascending. Returns for each pair the number of its entry
    in ``left`` and of its entry in ``right``.
    """
    counts = np.bincount(right[0], minlength=n_rows)
    starts = np.cumsum(counts) - counts
    repeats = counts[left[0]]
    return np.repeat(np.arange(len(left[0])), repeats), ranges(starts[left[0]], repeats)
