"""Interpolated absolute discounting, and costs in bits on a grid.

On the grid sums do not depend on the order of what is added.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats
from wsdlist.data.checks import check_number

GRID = 2.0**20  # costs are multiples of 2**-20 bit
GAIN_UNIT = 2.0**-30  # bits; gains are multiples of it, because weights are multiples of 2**-10


def discounted(counts: npt.ArrayLike, prior: npt.ArrayLike, discount: float) -> Floats:
    """Return P(y|q), interpolated absolute discounting (Goodman 2002, section 3).

    P(y|q) = (max(C(q,y) - d, 0) + F(q) P(y)) / C(q) with F(q) = sum over y of min(C(q,y), d),
    the mass that was freed. It sums to 1 for any d >= 0 and any weights.

    Parameters
    ----------
    counts
        ``(..., n_senses)`` C(q, y).
    prior
        ``(n_senses,)``, or as ``counts``: the distribution to fall back on, P(y) in the paper.
    discount
        d.

    Returns
    -------
    ndarray
        ``(..., n_senses)`` probabilities; those of the prior for a question that was never true.

    >>> discounted([3, 1, 0], [0.5, 0.3, 0.2], 0.7).round(3).tolist()
    [0.75, 0.18, 0.07]
    """
    C = np.asarray(counts, dtype=np.float64)
    total = C.sum(axis=-1, keepdims=True)
    freed = np.minimum(C, discount).sum(axis=-1, keepdims=True)
    P = np.broadcast_to(np.asarray(prior, dtype=np.float64), C.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        interpolated: Floats = (np.maximum(C - discount, 0) + freed * P) / total
    return np.where(total > 0, interpolated, P)


def unigram(counts: npt.ArrayLike) -> Floats:
    """Return ``(n_senses,)`` P(y) = C(y) / C, not discounted."""
    C = np.asarray(counts, dtype=np.float64)
    shares: Floats = C / C.sum()
    return shares


def on_grid(bits: Floats) -> Floats:
    """Round to multiples of 2**-20 bit."""
    rounded: Floats = np.rint(bits * GRID) / GRID
    return rounded


def cost(probabilities: Floats) -> Floats:
    """Return -log2 P in bits, on the grid; infinite if P is 0."""
    with np.errstate(divide="ignore"):
        return on_grid(-np.log2(probabilities)) + 0.0


def entropy(probabilities: Floats) -> Floats:
    """Return the entropy of each distribution (last axis) in bits, on the grid.

    >>> entropy(np.array([0.75, 0.18, 0.07])).round(6)
    np.float64(1.025141)
    """
    safe = np.where(probabilities > 0, probabilities, 1.0)
    return on_grid(-(probabilities * np.log2(safe)).sum(axis=-1)) + 0.0


def check_discount(discount: float) -> None:
    """Refuse a discount that is no finite number of at least 0.

    Raises
    ------
    ParameterError
        When it is none.
    """
    advice = "say a number of 0 or more, usually below 1"
    check_number("discount", discount, least=0, advice=advice)


ANSWER_DISCOUNT = 0.5  # d for learners without probabilities, which get discounted counts
