"""Two runs over the instances of one key, compared."""

from __future__ import annotations

from dataclasses import dataclass

from wsdlist.evaluation.official_scorers._bootstrap import f1_of_resamples, interval
from wsdlist.evaluation.official_scorers.scoring import ScoreReport
from wsdlist.evaluation.significance import mcnemar


@dataclass(frozen=True)
class Compared:
    """Two runs over the instances of a key.

    Parameters
    ----------
    first, second
        Their scores.
    only_first, only_second
        How many instances only the first, only the second got wholly right.
    p
        McNemar's exact two-sided p of these counts.
    difference
        F1 of the second less that of the first.
    low, high
        Its 95% interval over instances drawn anew (paired bootstrap).
    """

    first: ScoreReport
    second: ScoreReport
    only_first: int
    only_second: int
    p: float
    difference: float
    low: float
    high: float


def compare(first: ScoreReport, second: ScoreReport, seed: int = 0) -> Compared:
    """Compare two runs scored against one key."""
    runs = [first.credits(), second.credits()]
    right, right_too = (run[:, 1] > 1 - 1e-9 for run in runs)
    only_first, only_second = int((right & ~right_too).sum()), int((right_too & ~right).sum())
    f1, f1_too = f1_of_resamples(runs, seed)
    low, high = interval(f1_too - f1)
    return Compared(
        first,
        second,
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        second.total.f1 - first.total.f1,
        low,
        high,
    )
