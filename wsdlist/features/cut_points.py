"""Where to cut a numeric attribute so that its ranges tell classes apart (Fayyad & Irani 1993)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats, Ints


def cut_points(values: npt.ArrayLike, outcome: npt.ArrayLike, n_classes: int) -> tuple[float, ...]:
    """Return the cuts of least class entropy, as many as the minimum description length allows.

    A range is cut in two at the boundary that leaves least entropy, if the information gained
    exceeds (log2(N - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / N bits. Then each half is cut
    in the same way (section 3 of "Multi-interval discretization of continuous-valued attributes",
    IJCAI 1993). A cut is halfway between two neighbouring values. The smallest of equally good
    cuts is taken.

    Parameters
    ----------
    values
        ``(n,)`` numbers, none missing.
    outcome
        ``(n,)`` class numbers.
    n_classes
        How many classes there are.

    Returns
    -------
    tuple
        The cuts, ascending; none if no cut pays.

    >>> cut_points([1, 2, 3, 4, 11, 12, 13, 14], [0, 0, 0, 0, 1, 1, 1, 1], 2)
    (7.5,)
    """
    numbers = np.asarray(values, dtype=np.float64)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    member = np.zeros((len(ordered) + 1, n_classes))
    member[np.arange(1, len(ordered) + 1), np.asarray(outcome, dtype=np.int64)[order]] = 1
    return tuple(_cut(ordered, member.cumsum(axis=0), 0, len(ordered)))


def _cut(values: Floats, before: Floats, start: int, end: int) -> list[float]:
    """Cut sorted values from ``start`` to ``end``; ``before`` counts the classes before each."""
    places: Ints = start + 1 + np.flatnonzero(values[start + 1 : end] != values[start : end - 1])
    if not len(places):
        return []
    whole = before[end] - before[start]
    left, right = before[places] - before[start], before[end] - before[places]
    N = end - start
    n_left = places - start
    remaining = (n_left * _entropy(left) + (N - n_left) * _entropy(right)) / N
    best = int(np.round(remaining, 12).argmin())
    E, E1, E2 = (float(_entropy(counts)) for counts in (whole, left[best], right[best]))
    k, k1, k2 = (int((counts > 0).sum()) for counts in (whole, left[best], right[best]))
    gain = E - float(remaining[best])
    ways = k * np.log2(3) + np.log2(1 - 2 * 3.0**-k)  # log2(3^k - 2)
    if gain <= (np.log2(N - 1) + ways - (k * E - k1 * E1 - k2 * E2)) / N:
        return []
    place = int(places[best])
    middle = float((values[place - 1] + values[place]) / 2)
    return [
        *_cut(values, before, start, place),
        middle,
        *_cut(values, before, place, end),
    ]


def _entropy(counts: Floats) -> Floats:
    """Return the entropy of class counts (last axis) in bits."""
    share = counts / counts.sum(axis=-1, keepdims=True)
    entropy: Floats = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=-1)
    return entropy
