"""Yarowsky's list: ordered by log-likelihood, pruned, global and residual estimates mixed."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.problems import problems, truth
from wsdlist.data.arrays import Floats
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.learners.smoothing import discounted, unigram
from wsdlist.learners.yarowsky import Yarowsky

discounts = st.sampled_from([0.1, 0.5, 0.9])


def surest(matrix: QuestionMatrix, d: float) -> Floats:
    """The probability of the best sense of each question; the log-likelihood grows with it."""
    P: Floats = discounted(matrix.counts(), unigram(matrix.prior_counts()), d).max(axis=1)
    return P


def asked(fitted: DecisionList) -> list[int]:
    """The numbers of the questions; in random problems a question is its number."""
    return cast("list[int]", list(fitted.questions))


@given(problems(), discounts)
def test_the_surest_question_comes_first_and_none_is_less_sure_than_not(
    matrix: QuestionMatrix, d: float
) -> None:
    fitted = Yarowsky(d, prune="none").fit(matrix)
    P = [float(surest(matrix, d)[question]) for question in asked(fitted)]
    assert all(before > after - 1e-5 for before, after in pairwise(P))
    assert all(p > 0.5 - 1e-5 for p in P)
    true = truth(matrix).any(axis=0)
    sure = {n for n, p in enumerate(surest(matrix, d)) if p > 0.5 + 1e-5 and true[n]}
    assert sure <= set(asked(fitted))


@given(problems(), discounts)
def test_no_rule_is_kept_that_is_unused_or_harmful(matrix: QuestionMatrix, d: float) -> None:
    fitted = Yarowsky(d, prune="harmful").fit(matrix)
    places = fitted.first_true(matrix)
    P = discounted(matrix.counts(), unigram(matrix.prior_counts()), d)
    for place, question in enumerate(asked(fitted)):
        rows = places == place
        right = matrix.outcome[rows] == P[question].argmax()
        weight = matrix.weight[rows]
        assert rows.any()
        assert weight[right].sum() >= weight[~right].sum()


@given(problems(), discounts)
def test_unused_rules_change_no_answer(matrix: QuestionMatrix, d: float) -> None:
    pruned, whole = (
        Yarowsky(d, reestimate="none", prune=prune).fit(matrix) for prune in ("unused", "none")
    )
    assert pruned.predict_proba(matrix).tolist() == whole.predict_proba(matrix).tolist()
    assert pruned.n_rules == len({*whole.first_true(matrix).tolist()} - {whole.n_rules})


def test_a_question_that_implies_an_earlier_one_goes() -> None:
    # WEEKDAY before domingo: whatever "domingo" is true of, "WEEKDAY" has answered
    weekday, domingo = [1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]
    matrix = QuestionMatrix.from_matrix(
        np.array([weekday, domingo]).T, [0, 0, 0, 0, 1, 1, 1], ["day", "year"]
    )
    assert asked(Yarowsky(0.5, prune="none").fit(matrix)) == [0, 1]
    assert asked(Yarowsky(0.5, prune="unused").fit(matrix)) == [0]


def test_the_residual_counts_for_more_where_it_is_larger() -> None:
    # two questions say "a" of the same 4 rows; the second also of 2 rows that are "b"
    first, second = [1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1, 0]
    matrix = QuestionMatrix.from_matrix(
        np.array([first, second]).T, [0, 0, 0, 0, 1, 1, 1], ["a", "b"]
    )
    fitted = Yarowsky(0.5, prune="none").fit(matrix)
    global_ = discounted([4, 2], [4 / 7, 3 / 7], 0.5)
    assert fitted.rules[1].reached_counts == {"a": 0.0, "b": 2.0}
    expected = (np.array([0, 2]) + 30 * global_) / 32
    assert np.allclose(list(fitted.rules[1].probabilities.values()), expected)
