"""What a rule is worth: functions of counts (Fuernkranz, Gamberger & Lavrac 2012, chapter 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats
from wsdlist.learners.search.exact import two_class_laplace


@dataclass(frozen=True, eq=False)
class Counts:
    """How many cases rules cover, and how many there are; numbers or arrays of rules.

    Parameters
    ----------
    p, n
        Positives and negatives covered.
    P, N
        All positives and negatives.
    before
        Those that the rule covered before its last test was added; None for all.
    n_classes
        How many classes there are.
    m
        The weight of the prior in the m-estimate.
    """

    p: Any
    n: Any
    P: float
    N: float
    before: tuple[float, float] | None = None
    n_classes: int = 2
    m: float = 2.0


def precision(c: Counts) -> Any:
    """Return p / (p + n), which PRISM writes p / t; -inf where nothing is covered."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(c.p + c.n > 0, c.p / np.asarray(c.p + c.n, dtype=float), -np.inf)


def laplace(c: Counts) -> Any:
    """Return (p + 1) / (p + n + K) for K classes (Clark & Boswell 1991)."""
    return (c.p + 1) / (c.p + c.n + c.n_classes)


def laplace_of_two(c: Counts) -> Any:
    """Return (p + 1) / (p + n + 2), whatever the number of classes (Webb 1994; the book)."""
    return two_class_laplace(c.p, c.n)


def m_estimate(c: Counts) -> Any:
    """Return (p + m P / (P + N)) / (p + n + m)."""
    return (c.p + c.m * c.P / (c.P + c.N)) / (c.p + c.n + c.m)


def coverage_difference(c: Counts) -> Any:
    """Return p - n."""
    return c.p - c.n


def rate_difference(c: Counts) -> Any:
    """Return p / P - n / N."""
    return c.p / max(c.P, 1) - c.n / max(c.N, 1)


def foil_gain(c: Counts) -> Any:
    """Return p (log2 p/t - log2 P/T), P/T before the last test; 0 where p is 0 (Quinlan 1990)."""
    P, N = c.before if c.before is not None else (c.P, c.N)
    p = np.asarray(c.p, dtype=float)
    t = p + c.n
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = p * (np.log2(p / t) - np.log2(P / (P + N)))
    return np.where(p > 0, gain, 0.0)


def likelihood_ratio(c: Counts) -> Any:
    """Return 2 sum f ln(f / e), in nats: how far the covered classes are from those of all cases.

    f are the covered positives and negatives, e those expected of as many cases (CN2). It has no
    direction; here it is negative where the share of positives is below that of all cases.
    """
    p, n = np.asarray(c.p), np.asarray(c.n)
    sign = np.where(p * (c.P + c.N) < c.P * (p + n), -1, 1)
    return sign * surprise(np.stack([p, n], axis=-1), np.array([c.P, c.N]))


def quality(c: Counts) -> Any:
    """Return ELEM2's Q = ln [P(R|C) (1 - P(R|not C)) / (P(R|not C) (1 - P(R|C)))] (An & Cercone).

    The odds ratio is infinite where a count is 0: one half is added to each of the four (ours).
    """
    return np.log((c.p + 0.5) * (c.N - c.n + 0.5) / ((c.n + 0.5) * (c.P - c.p + 0.5)))


HEURISTICS: dict[str, Callable[[Counts], Any]] = {
    "precision": precision,
    "laplace": laplace,
    "laplace-2": laplace_of_two,
    "m-estimate": m_estimate,
    "coverage-difference": coverage_difference,
    "rate-difference": rate_difference,
    "foil-gain": foil_gain,
    "likelihood-ratio": likelihood_ratio,
    "quality": quality,
}


def surprise(found: npt.ArrayLike, all_of: npt.ArrayLike) -> Floats:
    """Return CN2's likelihood-ratio statistic 2 sum f ln(f / e) of class counts, last axis.

    ``e`` are the counts of all cases, scaled down to as many. It is chi-squared with one degree of
    freedom less than there are classes.
    """
    f = np.asarray(found, dtype=float)
    every = np.asarray(all_of, dtype=float)
    expected = f.sum(axis=-1, keepdims=True) * (every / every.sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic: Floats = 2 * np.where(f > 0, f * np.log(f / expected), 0.0).sum(axis=-1)
    return statistic


def significant(found: npt.ArrayLike, all_of: npt.ArrayLike, alpha: float) -> bool:
    """Say whether class counts are others than those of all cases, at the level ``alpha``.

    See :func:`surprise`; with a level of 0 nothing is tested and all are.
    """
    if not alpha:
        return True
    from scipy.special import chdtrc

    freedom = max(len(np.asarray(all_of)) - 1, 1)
    return bool(chdtrc(freedom, surprise(found, all_of)) <= alpha)
