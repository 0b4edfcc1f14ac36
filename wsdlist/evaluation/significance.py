"""Paired comparison of two systems: McNemar's test, and the t-test and sign test over rounds.

A round is a fold of cross-validation, or a random split. The training sets of rounds overlap, so
that their results are not independent and their variance is too small: Student's paired t-test
finds differences that are none. The t-test here is the corrected resampled t-test of Nadeau and
Bengio ("Inference for the generalization error", Machine Learning 52, 2003, section 5.1), which
Bouckaert and Frank ("Evaluating the replicability of significance tests for comparing learning
algorithms", PAKDD 2004) extend to repeated cross-validation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def paired(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Return McNemar's p for two runs over the same instances, right or wrong each.

    With no instances it is nan.
    """
    if not len(first):
        return float("nan")
    pairs = list(zip(first, second, strict=True))
    return mcnemar(pairs.count((True, False)), pairs.count((False, True)))


def paired_rounds(
    first: Sequence[float], second: Sequence[float], test_to_train: float
) -> tuple[float, float]:
    """Return the two-sided p of the corrected paired t-test, and of the sign test, over rounds.

    With J differences d of variance s^2 (divided by J - 1), the t-test has J - 1 degrees of
    freedom and t = mean(d) / sqrt((1/J + test_to_train) s^2). Student's has 1/J alone. The sign
    test is not corrected, and too sure of itself. If there is no difference at all, both p are 1;
    with fewer than two rounds they are nan.

    Parameters
    ----------
    first, second
        The accuracy of two learners in each round.
    test_to_train
        How many instances a round tests for each one that it learns from: 1/(k - 1) for k folds,
        repeated or not; (1 - share)/share for random splits that learn from a ``share``.

    >>> [round(p, 4) for p in paired_rounds([0.9, 0.8, 0.9, 0.8], [0.8, 0.75, 0.85, 0.6], 1 / 3)]
    [0.1612, 0.125]
    """
    difference = np.round(np.subtract(first, second), 12)
    n_rounds = len(difference)
    if n_rounds < 2:
        return float("nan"), float("nan")
    if not difference.any():
        return 1.0, 1.0
    from scipy.stats import t as student

    sign_p = mcnemar(int((difference > 0).sum()), int((difference < 0).sum()))
    if np.ptp(difference) == 0:  # the same in every round
        return 0.0, sign_p
    variance = (1 / n_rounds + test_to_train) * difference.var(ddof=1)
    t = difference.mean() / np.sqrt(variance)
    return float(2 * student.sf(abs(t), n_rounds - 1)), sign_p


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test.

    Parameters
    ----------
    only_first, only_second
        How many instances only the first, only the second answered rightly.

    >>> round(mcnemar(9, 1), 4)
    0.0215
    """
    if only_first + only_second == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(only_first, only_first + only_second, 0.5).pvalue)
