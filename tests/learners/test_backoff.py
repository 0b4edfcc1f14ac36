"""Prepending with back-off: rules smoothed towards the rest of the list."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.problems import problems, readable, truth
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import from_record
from wsdlist.learners.backoff import Backoff
from wsdlist.learners.fitted.backoff_list import BackoffList
from wsdlist.learners.smoothing import cost, discounted, unigram

discounts = st.sampled_from([0.3, 0.9, 2.0])
epsilons = st.sampled_from([0.0, 0.5, 2.0])


def bits(fitted: BackoffList, matrix: QuestionMatrix) -> float:
    P = fitted.predict_proba(matrix)
    return float(matrix.weight @ cost(P[np.arange(matrix.n_rows), matrix.outcome]))


@given(problems(), discounts)
def test_the_gains_are_the_bits_that_the_rules_save(matrix: QuestionMatrix, d: float) -> None:
    fitted = Backoff(d, epsilon=0.0).fit(matrix)
    prior = unigram(matrix.prior_counts())
    default = float(matrix.weight @ cost(prior[matrix.outcome]))
    assert abs(default - fitted.gains.sum() - bits(fitted, matrix)) < 1e-4
    assert len(set(fitted.questions)) == fitted.n_rules


@given(problems(), discounts, epsilons)
def test_the_first_rule_made_is_the_best_one_of_all(
    matrix: QuestionMatrix, d: float, epsilon: float
) -> None:
    fitted = Backoff(d, epsilon).fit(matrix)
    prior, default = unigram(matrix.prior_counts()), Backoff(d, epsilon, max_rules=0).fit(matrix)
    saved = []
    for rows in truth(matrix).T:
        counts = np.bincount(
            matrix.outcome[rows], matrix.weight[rows], minlength=len(matrix.senses)
        )
        costs = cost(discounted(counts, prior, d))[matrix.outcome]
        before = cost(prior)[matrix.outcome]
        saved.append(float((matrix.weight * (before - costs))[rows].sum()))
    assert default.n_rules == 0
    if fitted.n_rules:
        assert abs(fitted.gains[-1] - max(saved)) < 1e-9
    else:
        assert max(saved) < max(epsilon, 2.0**-30) or not truth(matrix).any()


@given(problems().map(readable), discounts)
def test_a_row_gets_its_probabilities_from_the_default_through_all_true_rules(
    matrix: QuestionMatrix, d: float
) -> None:
    fitted = Backoff(d, epsilon=0.0).fit(matrix)
    true = truth(matrix.asked(fitted.questions)).reshape(matrix.n_rows, fitted.n_rules)
    for row, P in enumerate(fitted.predict_proba(matrix)):
        expected = unigram(fitted.total)
        for rule in reversed(range(fitted.n_rules)):
            if true[row, rule]:
                expected = discounted(fitted.counts[rule], expected, d)
        assert np.allclose(P, expected)
    places = [answer.rule for answer in fitted.answer(matrix)]
    assert places == [int(row.argmax()) + 1 if row.any() else None for row in true]


@given(problems().map(readable), discounts)
def test_a_record_is_all_that_is_needed_to_predict(matrix: QuestionMatrix, d: float) -> None:
    fitted = Backoff(d, epsilon=0.0).fit(matrix)
    back = from_record(json.loads(json.dumps(fitted.to_record())))
    assert isinstance(back, BackoffList)
    assert back.predict_proba(matrix).tolist() == fitted.predict_proba(matrix).tolist()
    assert back.to_record() == fitted.to_record()


@given(problems().map(readable), st.lists(discounts, min_size=1, max_size=2, unique=True))
def test_one_run_reaches_what_each_choice_reaches_by_itself(
    matrix: QuestionMatrix, ds: list[float]
) -> None:
    held = matrix.take(np.arange(matrix.n_rows)[::2])
    served = Backoff().along(matrix, held, {"epsilon": [0.0, 2.0, 0.5], "discount": ds})
    assert served is not None
    reached = list(served)
    assert len(reached) == 3 * len(ds)
    for tried, P, n_rules in reached:
        alone = Backoff(**tried).fit(matrix)
        assert P.tolist() == alone.predict_proba(held).tolist()
        assert n_rules == alone.n_rules
    assert Backoff(max_rules=3).along(matrix, held, {"epsilon": [0.0]}) is None


def test_explained_from_the_default_to_the_rule_that_answered() -> None:
    near = [[1, 1]] * 3 + [[0, 1]] + [[0, 0]] * 4
    matrix = readable(QuestionMatrix.from_matrix(near, [1] * 4 + [0] * 4, ["money", "shore"]))
    fitted = Backoff(0.5, epsilon=0.1).fit(matrix)
    story = fitted.evidence(matrix, 0).story
    assert story[0] == "default: P(shore) = 4 / 8 = 0.500"
    assert story[1].endswith("q1=yes: P(shore) = (max(4 - 0.5, 0) + 0.5 * 0.500) / 4 = 0.938")
    (answer,) = fitted.answer(matrix.take([0]))
    assert answer.rule == 1
    assert story[-1].endswith(f" = {answer.probability:.3f}")
