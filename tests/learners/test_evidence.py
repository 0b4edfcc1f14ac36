"""Rules that vote: chosen by damped Newton steps, fitted together, rounded, added up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.problems import problems, readable, truth
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import from_record
from wsdlist.learners.evidence import Chosen, Evidence, choose, fit_votes
from wsdlist.learners.fitted.voting_rules import VotingRules

ONE_BY_ONE = Evidence(max_rules=6, batch=0.0)


def chosen(matrix: QuestionMatrix, learner: Evidence) -> Chosen:
    return choose(*matrix.in_order(), learner)


def literally(matrix: QuestionMatrix, learner: Evidence) -> list[tuple[int, int]]:
    """One (question, sense) after another, with loops over rows, as the formulas are printed."""
    ordered, _ = matrix.in_order()
    true, K = truth(ordered), len(matrix.senses)
    weight, outcome = matrix.weight, matrix.outcome
    prior = np.array([weight[outcome == y].sum() for y in range(K)]) / weight.sum()
    scores = np.array([[np.log(p) if p else -700.0 for p in prior]] * matrix.n_rows)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < learner.max_rules:
        best, step = None, 0.0
        most = 2.0**-20
        for j in range(ordered.n_questions):
            for k in range(K):
                if (j, k) in pairs or (K == 2 and (j, 1 - k) in pairs):
                    continue
                observed = expected = n = 0.0
                for i in np.flatnonzero(true[:, j]):
                    P = np.exp(scores[i] - scores[i].max())
                    n += weight[i]
                    expected += weight[i] * round(P[k] / P.sum() * 2**20) / 2**20
                    observed += weight[i] * (outcome[i] == k)
                h = max(expected * (1 - expected / n), 0) + learner.damping
                if K == 2 and observed < expected:
                    continue  # it is a vote for the other sense
                gain = round((observed - expected) ** 2 / (2 * h) / np.log(2) * 2**20) / 2**20
                if gain > most or (gain == most and best is None):
                    best, most, step = (j, k), gain, (observed - expected) / h
        if best is None or most < learner.epsilon:
            break
        scores[true[:, best[0]], best[1]] += learner.learning_rate * min(max(step, -3), 3)
        pairs.append(best)
    return pairs


@given(problems(), st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from([0.0, 0.2]))
def test_rules_chosen_one_by_one_are_those_of_the_formulas(
    matrix: QuestionMatrix, rate: float, epsilon: float
) -> None:
    learner = replace(ONE_BY_ONE, learning_rate=rate, epsilon=epsilon)
    pairs = chosen(matrix, learner).pairs
    assert [tuple(pair) for pair in pairs.tolist()] == literally(matrix, learner)


@given(problems(), st.integers(0, 8), st.sampled_from([0.0, 0.05, 0.3]))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(
    matrix: QuestionMatrix, n: int, epsilon: float
) -> None:
    whole = chosen(matrix, Evidence(max_rules=20, batch=0.5))
    part = chosen(matrix, Evidence(max_rules=n, epsilon=epsilon, batch=0.5))
    length = whole.length(n, epsilon)
    assert part.pairs.tolist() == whole.pairs[:length].tolist()
    assert part.gains.tolist() == whole.gains[:length].tolist()


@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(matrix: QuestionMatrix, random: object) -> None:
    rows = np.arange(matrix.n_rows)
    random.shuffle(rows)  # type: ignore[attr-defined]
    learner = Evidence(max_rules=10)
    assert chosen(matrix.take(rows), learner).pairs.tolist() == (
        chosen(matrix, learner).pairs.tolist()
    )


def test_copies_of_a_question_are_never_taken_in_one_round() -> None:
    column = [1, 1, 1, 1, 0, 0, 0, 0]
    matrix = QuestionMatrix.from_matrix(np.array([column] * 10).T, column, ["a", "b"])
    at_once, one_by_one = (
        chosen(matrix, Evidence(max_rules=8, batch=batch, learning_rate=0.1)) for batch in (1, 0)
    )
    assert at_once.gains.tolist() == one_by_one.gains.tolist()
    assert at_once.pairs.tolist() == one_by_one.pairs.tolist()


@given(problems(max_senses=2))
def test_between_two_senses_a_question_votes_once_and_for_one(matrix: QuestionMatrix) -> None:
    pairs = chosen(matrix, Evidence(max_rules=20)).pairs
    assert len({*pairs[:, 0].tolist()}) == len(pairs)


@given(problems())
def test_the_fitted_votes_are_where_the_loss_is_least(matrix: QuestionMatrix) -> None:
    ordered, _ = matrix.in_order()
    pairs = chosen(matrix, Evidence(max_rules=5)).pairs
    ridge = 1.5
    votes, bias = fit_votes(ordered, pairs, ridge)
    true = truth(ordered)
    scores = np.tile(bias, (matrix.n_rows, 1))
    for vote, (question, sense) in zip(votes, pairs, strict=True):
        scores[true[:, question], sense] += vote
    P = np.exp(scores - scores.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    target = np.eye(len(matrix.senses))[matrix.outcome]
    surplus = (P - target) * matrix.weight[:, None]
    allowed = 1e-3 * matrix.weight.sum()
    assert np.abs(surplus.sum(axis=0)).max() < allowed  # the senses are as frequent as they were
    for vote, (question, sense) in zip(votes, pairs, strict=True):
        assert abs(surplus[true[:, question], sense].sum() + ridge * vote) < allowed


@given(problems().map(readable))
def test_what_is_printed_adds_up_to_the_probabilities(matrix: QuestionMatrix) -> None:
    fitted = Evidence(max_rules=8).fit(matrix)
    P = fitted.predict_proba(matrix)
    for row in range(matrix.n_rows):
        bits = dict(zip(fitted.senses, fitted.bias * fitted.unit, strict=True))
        for question, sense, vote in zip(
            fitted.asked, fitted.target_sense, fitted.votes, strict=True
        ):
            if truth(matrix.asked(fitted.questions))[row, question]:
                bits[fitted.senses[sense]] += vote * fitted.unit
        total = sum(2.0**value for value in bits.values())
        assert np.allclose(P[row], [2.0**value / total for value in bits.values()])
    assert all(vote == round(vote) and vote for vote in fitted.votes)


@given(problems().map(readable), st.sampled_from([0.0, 0.1, 1.0]))
def test_a_record_is_all_that_is_needed_to_predict(matrix: QuestionMatrix, unit: float) -> None:
    fitted = Evidence(max_rules=8, round_to=unit).fit(matrix)
    back = from_record(json.loads(json.dumps(fitted.to_record())))
    assert isinstance(back, VotingRules)
    assert back.to_record() == fitted.to_record()
    assert back.predict_proba(matrix).tolist() == fitted.predict_proba(matrix).tolist()


@given(problems().map(readable))
def test_the_worth_of_a_rule_is_what_the_data_cost_without_it(matrix: QuestionMatrix) -> None:
    fitted = Evidence(max_rules=6).fit(matrix)

    def bits(rules: VotingRules) -> float:
        P = rules.predict_proba(matrix)[np.arange(matrix.n_rows), matrix.outcome]
        return float(-(matrix.weight * np.log2(P)).sum())

    for n, worth in enumerate(fitted.worth):
        votes = fitted.votes.copy()
        votes[n] = 0.0
        assert abs(bits(replace(fitted, votes=votes)) - bits(fitted) - worth) < 1e-3
    assert list(fitted.worth) == sorted(fitted.worth, reverse=True)


@given(problems().map(readable))
def test_the_answers_by_size_end_with_those_of_all_rules(matrix: QuestionMatrix) -> None:
    fitted = Evidence(max_rules=6).fit(matrix)
    answers = [row.tolist() for row in fitted.by_size(matrix, from_the_end=False)]
    assert len(answers) == fitted.n_rules + 1
    assert answers[-1] == fitted.bits(matrix).argmax(axis=1).tolist()


def test_one_run_reaches_what_each_choice_reaches_by_itself() -> None:
    rng = np.random.default_rng(1)
    matrix = QuestionMatrix.from_matrix(
        rng.random((60, 12)) < 0.3, rng.integers(0, 3, 60), ["a", "b", "c"]
    )
    held = matrix.take(np.arange(20))
    grid: dict[str, list[Any]] = {
        "max_rules": [2, 9],
        "epsilon": [0.0, 0.4],
        "damping": [1.0, 3.0],
        "ridge": [0.5, 2.0],
    }
    reached = list(Evidence().along(matrix, held, grid))
    assert len(reached) == 16
    for tried, P, n_rules in reached:
        alone = Evidence(**tried).fit(matrix)
        assert P.tolist() == alone.predict_proba(held).tolist()
        assert n_rules == alone.n_rules


def test_explained_is_a_tally() -> None:
    near = [[0]] * 8 + [[1]] * 4
    outcome = [0] * 4 + [2] * 4 + [1] * 4
    matrix = readable(QuestionMatrix.from_matrix(near, outcome, ["money", "shore", "tilt"]))
    fitted = Evidence(max_rules=1).fit(matrix)
    evidence = fitted.evidence(matrix, 9)
    (vote,) = fitted.votes * fitted.unit
    bits = fitted.bits(matrix)[9]
    assert evidence.story == (
        "default: money 0.00 bits ahead of tilt",
        f"rule 1: q0=yes: shore {vote:+.3g}",
        f"shore {bits[1]:.2f} bits, money {bits[0]:.2f} bits",
    )


@pytest.mark.parametrize(
    "wrong",
    [{"damping": 0}, {"learning_rate": 1.5}, {"ridge": 0}, {"batch": 2}, {"max_rules": -1}],
)
def test_impossible_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Evidence(**wrong)  # type: ignore[arg-type]
