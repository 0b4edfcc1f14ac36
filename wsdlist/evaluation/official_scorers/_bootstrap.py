"""The bootstrap: F1 over instances drawn anew, and its percentile interval (Efron 1979)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wsdlist.data.arrays import Floats

RESAMPLES = 10_000
DRAWN_AT_ONCE = 1 << 20  # instances, which bounds the memory


def f1_of_resamples(runs: Sequence[Floats], seed: int) -> Floats:
    """Return ``(n_runs, RESAMPLES)`` F1 over instances drawn with replacement, paired by draw.

    Parameters
    ----------
    runs
        ``(n, 2)`` for each run: what was attempted and what was right of each instance.
    seed
        Of the draws.
    """
    from scipy.sparse import csr_array

    n = len(runs[0])
    side_by_side = np.hstack(runs)
    rng = np.random.default_rng(seed)
    at_once = max(DRAWN_AT_ONCE // max(n, 1), 1)
    f1 = []
    for first in range(0, RESAMPLES, at_once):
        n_draws = min(at_once, RESAMPLES - first)
        # the generator fills rows in order, so that chunks hold what the whole table would
        chosen = rng.integers(0, n, (n_draws, n), dtype=np.int32)
        starts = np.arange(n_draws + 1, dtype=np.int32) * n
        ones = np.ones(chosen.size, dtype=np.float32)
        drawn = csr_array((ones, chosen.ravel(), starts), shape=(n_draws, n))
        attempted, right = (drawn @ side_by_side).reshape(n_draws, len(runs), 2).T
        f1.append(2 * right / np.maximum(attempted + n, 1))  # n may be 0
    return np.hstack(f1)


def interval(values: Floats) -> tuple[float, float]:
    """Return the 95% interval of values of resamples."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
