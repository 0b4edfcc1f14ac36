"""Paired comparison of two systems: McNemar's test, the t-test and the sign test over rounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def paired(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Return McNemar's p for two runs over the same instances, right or wrong each.

    Of no instances it is nan.
    """
    if not len(first):
        return float("nan")
    pairs = list(zip(first, second, strict=True))
    return mcnemar(pairs.count((True, False)), pairs.count((False, True)))


def paired_rounds(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return the two-sided p of the paired t-test, and of the sign test, over rounds.

    Folds and random splits of one table overlap in what they learn from, so that both are too sure
    of themselves. Where there is no difference at all both are 1; of fewer than two rounds they are
    nan.

    >>> [round(p, 4) for p in paired_rounds([0.9, 0.8, 0.9, 0.8], [0.8, 0.75, 0.85, 0.6])]
    [0.0663, 0.125]
    """
    difference = np.round(np.subtract(first, second), 12)
    if len(difference) < 2:
        return float("nan"), float("nan")
    if not difference.any():
        return 1.0, 1.0
    from scipy.stats import ttest_rel

    both = mcnemar(int((difference > 0).sum()), int((difference < 0).sum()))
    if np.ptp(difference) == 0:  # the same in every round
        return 0.0, both
    return float(ttest_rel(first, second).pvalue), both


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test.

    Parameters
    ----------
    only_first, only_second
        How many instances only the one, only the other answered rightly.

    >>> round(mcnemar(9, 1), 4)
    0.0215
    """
    if only_first + only_second == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(only_first, only_first + only_second, 0.5).pvalue)
