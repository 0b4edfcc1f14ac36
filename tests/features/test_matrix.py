"""QuestionMatrix as arrays agree with looking at every row and every question."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from tests.problems import problems, truth
from wsdlist.features.matrix import QuestionMatrix


@given(problems())
@settings(max_examples=150, deadline=None)
def test_matrix_counts_and_columns(answers: QuestionMatrix) -> None:
    true = truth(answers)
    by_hand = [
        [
            answers.weight[true[:, q] & (answers.outcome == y)].sum()
            for y in range(len(answers.senses))
        ]
        for q in range(answers.n_questions)
    ]
    assert answers.counts().tolist() == by_hand  # from conditions
    assert (answers.by_row.toarray().astype(bool) == true).all()
    assert answers.counts().tolist() == by_hand  # from the matrix
    order = np.random.default_rng(0).permutation(answers.n_questions)[
        : answers.n_questions // 2 + 1
    ]
    assert (answers.select(order).by_row.toarray().astype(bool) == true[:, order]).all()
    some = answers.take([0, answers.n_rows - 1, 0])
    assert (some.by_row.toarray().astype(bool) == true[[0, -1, 0]]).all()


def test_true_is_always_true() -> None:
    answers = QuestionMatrix.from_matrix([[1], [0]], [0, 1], "ab", members=[[-1], [0]])
    assert answers.counts().tolist() == [[1, 1], [1, 0]]


def test_ties_are_settled_by_size_then_count_then_order() -> None:
    matrix = [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 1, 0]]
    members = [[0, 1], [0, -1], [1, -1], [2, -1], [3, -1]]
    ordered, counts = QuestionMatrix.from_matrix(
        matrix, [0, 0, 1], "ab", members=members
    ).in_order()
    assert list(ordered.questions) == [3, 1, 2, 0]  # nobody answers 4
    assert counts.sum(axis=1).tolist() == [3, 2, 2, 2]


def test_questions_can_be_asked_again_by_name() -> None:
    answers = QuestionMatrix.from_matrix(
        [[1, 0], [0, 1]], [0, 1], "ab", questions=["left", "right"]
    )
    assert answers.asked(["right"]).by_row.toarray().tolist() == [[0], [1]]


def test_a_single_condition_comes_before_a_conjunction_of_more_rows() -> None:
    matrix = [[1, 1, 1], [1, 1, 1], [1, 1, 0]]
    answers = QuestionMatrix.from_matrix(
        matrix, [0, 0, 0], ["a"], members=[[0, 1], [2, -1], [0, 2], [1, -1]]
    )
    assert answers.counts().ravel().tolist() == [3, 2, 2, 3]
    assert answers.tie_order(answers.counts()).tolist() == [3, 1, 0, 2]
    ordered, counts = answers.in_order()
    assert ordered.sizes.tolist() == [1, 1, 2, 2]
    assert counts.ravel().tolist() == [3, 2, 3, 2]
