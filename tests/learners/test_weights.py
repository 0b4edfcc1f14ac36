"""Weights at their edges: every learner ends, and its probabilities are probabilities."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.problems import problems, readable, vars_of
from wsdlist.errors import ParameterError
from wsdlist.features.labels import relative
from wsdlist.features.matrix import MOST_WEIGHT, QuestionMatrix
from wsdlist.learners import LEARNERS, learner, learner_class
from wsdlist.learners.prepend import least_gain, path
from wsdlist.learners.smoothing import GAIN_UNIT

positive = st.floats(1e-6, 1e6, allow_nan=False)


@given(st.lists(positive, min_size=1, max_size=20), st.sampled_from([1000.0, 0.125, 1e-3, 1e9]))
def test_only_the_ratios_of_weights_matter(weights: list[float], factor: float) -> None:
    given_weights = np.array(weights)
    before, after = relative(given_weights), relative(given_weights * factor)
    # a product may round by one part in 2**53, and then to the other side of a step of 2**-10
    assert np.abs(before - after).max() <= 2.0**-10
    assert (before == after).mean() >= 1 - 1 / len(weights)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=20))
def test_whole_weights_without_a_common_divisor_are_counts(weights: list[int]) -> None:
    counts = relative([1, *weights])
    assert counts.tolist() == [1, *weights]
    for factor in (1000.0, 0.1, 1 / 3):
        assert relative(np.array([1, *weights]) * factor).tolist() == [1, *weights]


@given(st.lists(st.floats(-8, 8), min_size=2, max_size=50))
def test_other_weights_have_a_mean_of_one(logarithms: list[float]) -> None:
    weights = np.exp([*logarithms, np.pi])  # no whole multiples of one another, nearly always
    counts = relative(weights)
    is_whole = (counts == np.rint(counts)).all()
    assert is_whole or abs(counts.mean() - 1) <= 2.0**-10
    assert (np.argsort(weights, kind="stable") == np.argsort(weights, kind="stable")).all()
    assert all(np.diff(counts[np.argsort(weights)]) >= 0)


WEIGHTS = {
    "census": lambda rng, n: rng.lognormal(7, 2, n),
    "tiny": lambda rng, n: rng.random(n) * 1e-6,
    "wide": lambda rng, n: 10.0 ** rng.integers(-6, 9, n),
}


@pytest.mark.parametrize("kind", sorted(WEIGHTS))
@pytest.mark.parametrize("name", sorted(LEARNERS))
@settings(max_examples=5, deadline=None)
@given(matrix=problems(max_senses=3).map(readable), seed=st.integers(0, 2**32))
def test_every_learner_ends_and_gives_probabilities(
    name: str, kind: str, matrix: QuestionMatrix, seed: int
) -> None:
    weight = WEIGHTS[kind](np.random.default_rng(seed), matrix.n_rows)
    counts = relative(weight)
    counts = np.minimum(counts, 100.0)  # rule learners make a case of each unit
    kept = np.flatnonzero(counts)
    matrix = QuestionMatrix(**{**vars_of(matrix), "weight": counts}).take(kept)
    known = {field.name for field in fields(learner_class(name))}
    fitted = learner(name, **({"epsilon": 0.0} if "epsilon" in known else {})).fit(matrix)
    P = fitted.predict_proba(matrix)
    assert np.isfinite(P).all()
    assert ((P >= 0) & (P <= 1)).all()
    assert np.allclose(P.sum(axis=1), 1)


@given(problems(), st.integers(20, 41), st.sampled_from([0.0, 0.3, 0.9]))
def test_prepending_ends_beyond_the_range_of_exact_sums(
    matrix: QuestionMatrix, exponent: int, d: float
) -> None:
    heavy = matrix.weight * 2.0**exponent
    heavy *= min(1.0, MOST_WEIGHT / heavy.sum())
    matrix = QuestionMatrix(**{**vars_of(matrix), "weight": heavy})
    ordered, counts = matrix.in_order()
    steps = list(path(ordered, counts, d))
    assert len(steps) <= 50 * max(ordered.n_questions, 1)
    assert all(step.gain > 0 for step in steps)


def test_within_the_range_of_exact_sums_any_gain_counts() -> None:
    costs = np.array([1.0, 30.0, np.inf])
    assert least_gain(np.full(1000, 0.5), costs) == GAIN_UNIT
    assert least_gain(np.ones(10**6), costs) == GAIN_UNIT  # whole weights reach further
    assert least_gain(np.full(10**6, 1.5), costs) == 1.5e6 * 30 * 2.0**-40


@pytest.mark.parametrize("weight", [[1, -1], [1, np.nan], [1, np.inf], [2.0**42, 1]])
def test_weights_that_are_no_counts_are_refused(weight: list[float]) -> None:
    with pytest.raises(ParameterError, match="weights are no counts"):
        QuestionMatrix.from_matrix([[1], [0]], [0, 1], ["a", "b"], weight=weight)


def test_a_learner_that_makes_cases_of_weights_bounds_their_number() -> None:
    matrix = readable(
        QuestionMatrix.from_matrix([[1], [0]], [0, 1], ["a", "b"], weight=[2.0**30, 1])
    )
    with pytest.raises(ParameterError, match="each unit is a case"):
        learner("ripper").fit(matrix)
