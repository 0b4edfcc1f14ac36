"""Rules that were made for a sense, as a decision list with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.learners.search.bits import Cases, unpack
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram

TIE = 2.0**-30  # what a rule's own sense is given where another is as probable


class Learned(NamedTuple):
    """A rule as a learner finds it: numbers of tests, of the sense, and what it is worth."""

    tests: tuple[int, ...]
    sense: int
    value: float


def question_of(matrix: QuestionMatrix, cases: Cases, tests: Sequence[int]) -> Question:
    """Return the conjunction of some tests."""
    singles = [matrix.questions[int(cases.questions[test])] for test in tests]
    return Question.of([condition for single in singles for condition in single.conditions])


def covers(matrix: QuestionMatrix, cases: Cases, rules: Sequence[Learned]) -> np.ndarray:
    """Return ``(n_rules, n_rows)``: which rows each rule is true of."""
    first = np.searchsorted(cases.row, np.arange(matrix.n_rows))
    made = [unpack(cases.cover(rule.tests))[first].astype(bool) for rule in rules]
    return np.array(made, dtype=bool).reshape(len(rules), matrix.n_rows)


def favour(probabilities: Floats, said: Ints) -> Floats:
    """Return distributions in which the senses ``said`` are the most probable.

    Where another one is more probable the two probabilities are exchanged; where it is as probable
    it gives up 2**-30.
    """
    made = probabilities.copy()
    rows = np.arange(len(made))
    best = made.argmax(axis=1)
    made[rows, best], made[rows, said] = made[rows, said], made[rows, best]
    rivals = made == made[rows, said][:, None]
    rivals[rows, said] = False
    made -= TIE * rivals
    made[rows, said] += TIE * rivals.sum(axis=1)
    return made


def assemble_rules(
    matrix: QuestionMatrix,
    cases: Cases,
    rules: Sequence[Learned],
    default: int,
    measure: str,
    note: str = "",
) -> DecisionList:
    """Make a list of rules, the first to be asked first, and a default sense.

    The learners have no probabilities. A rule's are the discounted counts (d = 0.5) of what it
    answers at its place in training; the sense that it is for is made the most probable one, see
    :func:`favour`.
    """
    true = covers(matrix, cases, rules)
    place = np.full(matrix.n_rows, len(rules))
    for number in range(len(rules) - 1, -1, -1):
        place[true[number]] = number
    K = len(matrix.senses)
    weighted = np.zeros((len(rules), K))
    for number in range(len(rules)):
        rows = true[number]
        weighted[number] = sums(matrix.outcome[rows], matrix.weight[rows], K)
    prior = matrix.prior_counts()
    cells = place * K + matrix.outcome
    residues = sums(cells, matrix.weight, (len(rules) + 1) * K).reshape(-1, K)
    said = np.array([*(rule.sense for rule in rules), default], dtype=np.int64)
    return DecisionList(
        matrix.senses,
        tuple(question_of(matrix, cases, rule.tests) for rule in rules),
        favour(discounted(residues, unigram(prior), ANSWER_DISCOUNT), said),
        np.vstack([weighted, prior]),
        residues.sum(axis=1),
        np.array([rule.value for rule in rules], dtype=np.float64),
        ANSWER_DISCOUNT,
        residues,
        answered=place,
        said=said,
        measure=measure,
        note=note,
    )
