"""Local classifiers: what answers if a lazy rule holds. Leave-one-out errors are array work.

A classifier that cannot take a case away and add it again is judged by folds: :class:`ListBase`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from wsdlist.data.arrays import Bools, Floats, Ints
from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.learners.prepend import Prepend
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram

ESTIMATE = ("m", "laplace")
MOST_M = 1e12  # beyond, all values are as probable as they are in the local cases
DIGITS = 9  # to which scores are compared, so that the order of sums does not matter


@dataclass(frozen=True, eq=False)
class Problem:
    """Cases of nominal attributes.

    Parameters
    ----------
    codes
        ``(n, n_attributes)`` the number of each value, -1 where it is missing.
    n_values
        ``(n_attributes,)`` how many values each attribute has.
    outcome
        ``(n,)`` class numbers.
    n_classes
        How many classes there are.
    """

    codes: Ints
    n_values: Ints
    outcome: Ints
    n_classes: int

    @cached_property
    def starts(self) -> Ints:
        """``(n_attributes,)`` the column of each attribute's first value in :attr:`shown`."""
        starts: Ints = np.cumsum(self.n_values) - self.n_values
        return starts

    @cached_property
    def shown(self) -> Floats:
        """``(n, sum of n_values)``: 1 where a case has a value."""
        shown = np.zeros((len(self.codes), int(self.n_values.sum())))
        rows, attributes = np.nonzero(self.codes >= 0)
        shown[rows, self.starts[attributes] + self.codes[rows, attributes]] = 1
        return shown

    @cached_property
    def member(self) -> Floats:
        """``(n, n_classes)``: 1 at the class of each case."""
        member: Floats = np.zeros((len(self.outcome), self.n_classes))
        member[np.arange(len(member)), self.outcome] = 1
        return member

    @cached_property
    def group(self) -> Ints:
        """``(n,)`` a number for each case, the same for equal ones, those of a class together."""
        known = np.column_stack([self.outcome, self.codes])
        group: Ints = np.unique(known, axis=0, return_inverse=True)[1].reshape(-1)
        return group

    @cached_property
    def attribute(self) -> Ints:
        """The attribute of each column of :attr:`shown`."""
        return np.repeat(np.arange(len(self.n_values)), self.n_values)


class Local(Protocol):
    """A local classifier: what it gets wrong of its own cases, and what it says of a new one."""

    @property
    def wrong(self) -> Bools:
        """``(n_rows,)`` which cases are answered wrongly when each is left out in turn."""

    def distribution(self, codes: Ints) -> Floats:
        """Return ``(n_classes,)`` probabilities of a new case."""


class Base(Protocol):
    """A base learner."""

    def learn(self, problem: Problem, rows: Ints, used: Bools) -> Local:
        """Learn from some cases and the columns of :attr:`Problem.shown` that may be used."""


@dataclass(frozen=True)
class NaiveBayesBase:
    """Naive Bayes with P(c) = (n_c + 1) / (n + K) and, for P(v|c), one of two estimates.

    ``m``: (n_vc + m p_v) / (n_c + m) with p_v = (n_v + 1) / (n + V); ``laplace``:
    (n_vc + 1) / (n_c + V). A case that is left out is taken out of n_c and n_vc, not of p_v.
    """

    estimate: str = "m"
    m: float = 2.0

    def __post_init__(self) -> None:
        check_choice("estimate", self.estimate, ESTIMATE)
        check_number("m", self.m, above=0, most=MOST_M)

    def learn(self, problem: Problem, rows: Ints, used: Bools) -> Local:
        """Learn with leave-one-out errors: two tables of logarithms and one matrix product."""
        shown, member = problem.shown[rows], problem.member[rows]
        of_class = shown.T @ member
        n_c = member.sum(axis=0)
        V = problem.n_values[problem.attribute].astype(float)[:, None]
        if self.estimate == "m":
            extra = self.m * (of_class.sum(axis=1, keepdims=True) + 1) / (len(rows) + V)
            total = np.full_like(V, self.m)
        else:
            extra, total = np.ones_like(V), V
        fewer = np.maximum(of_class - 1, 0) + extra
        tables = np.hstack(
            [
                np.log(of_class + extra) - np.log(n_c + total),
                np.log(fewer) - np.log(np.maximum(n_c - 1, 0) + total),
            ]
        )
        tables[~used] = 0
        K, own, at = problem.n_classes, problem.outcome[rows], np.arange(len(rows))
        scores = shown @ tables
        scores[:, :K] += np.log(n_c + 1)
        # the case's own class has one case less; the sum of all classes is the same for all
        scores[at, own] = scores[at, K + own] + np.log(n_c[own])
        wrong = np.round(scores[:, :K], DIGITS).argmax(axis=1) != own
        return Bayes(problem, wrong, tables[:, :K], np.log(n_c + 1))


@dataclass(frozen=True, eq=False)
class Bayes:
    """A local naive Bayes: ``table`` has log P(v|c), ``prior`` log (n_c + 1), in nats."""

    problem: Problem
    wrong: Bools
    table: Floats
    prior: Floats

    def distribution(self, codes: Ints) -> Floats:
        """Return the posterior of a new case."""
        scores = self.prior + row_of(self.problem, codes) @ self.table
        exponent = np.exp(scores - scores.max())
        posterior: Floats = exponent / exponent.sum()
        return posterior


@dataclass(frozen=True)
class MajorityBase:
    """The most frequent class; of equally frequent ones the first."""

    def learn(self, problem: Problem, rows: Ints, used: Bools) -> Local:
        """Learn; a case is wrong that is not of the class most frequent without it."""
        n_c = problem.member[rows].sum(axis=0)
        alone = n_c - np.eye(problem.n_classes)  # a row for the class of the case left out
        wrong = alone.argmax(axis=1) != np.arange(problem.n_classes)
        P = discounted(n_c, unigram(problem.member.sum(axis=0)), ANSWER_DISCOUNT)
        return _Constant(wrong[problem.outcome[rows]], P)


@dataclass(frozen=True, eq=False)
class _Constant:
    wrong: Bools
    P: Floats

    def distribution(self, codes: Ints) -> Floats:
        return self.P


@dataclass(frozen=True)
class NeighboursBase:
    """The classes of the ``k`` nearest cases, by how many values they share; ties all count."""

    k: int = 5

    def __post_init__(self) -> None:
        check_whole("k", self.k)

    def learn(self, problem: Problem, rows: Ints, used: Bools) -> Local:
        """Learn; a case is wrong that is not of the class of the others nearest to it."""
        shown = problem.shown[np.ix_(rows, used)]
        alike = shown @ shown.T
        np.fill_diagonal(alike, -1)
        votes = _near(alike, self.k) @ problem.member[rows]
        return _Neighbours(
            problem, rows, used, self.k, votes.argmax(axis=1) != problem.outcome[rows]
        )


@dataclass(frozen=True, eq=False)
class _Neighbours:
    problem: Problem
    rows: Ints
    used: Bools
    k: int
    wrong: Bools

    def distribution(self, codes: Ints) -> Floats:
        shown = self.problem.shown[np.ix_(self.rows, self.used)]
        alike = shown @ row_of(self.problem, codes)[self.used]
        votes = _near(alike[None], self.k)[0] @ self.problem.member[self.rows]
        return discounted(votes, unigram(self.problem.member.sum(axis=0)), ANSWER_DISCOUNT)


@dataclass(frozen=True)
class ListBase:
    """A decision list over the values (:class:`~wsdlist.learners.prepend.Prepend`).

    Its errors are those of cross-validation: equal cases of a class stay in one fold, the folds of
    a class are dealt round.
    """

    discount: float = 0.9
    epsilon: float = 3.0
    folds: int = 5

    def __post_init__(self) -> None:
        Prepend(self.discount, self.epsilon)  # refuses what it cannot be
        check_whole("folds", self.folds, least=2)

    def learn(self, problem: Problem, rows: Ints, used: Bools) -> Local:
        """Learn; a case is wrong that the list of the other folds answers wrongly."""
        outcome, senses = problem.outcome[rows], tuple(map(str, range(problem.n_classes)))
        matrix = QuestionMatrix.from_matrix(problem.shown[np.ix_(rows, used)], outcome, senses)
        fold = np.unique(problem.group[rows], return_inverse=True)[1].reshape(-1) % self.folds
        wrong = np.ones(len(rows), dtype=bool)
        learner = Prepend(self.discount, self.epsilon)
        for number in range(self.folds):
            held = fold == number
            if held.any() and not held.all():
                P = learner.fit(matrix.take(~held)).predict_proba(matrix.take(held))
                wrong[held] = P.argmax(axis=1) != outcome[held]
        return Listed(problem, wrong, np.flatnonzero(used), matrix, learner)


@dataclass(frozen=True, eq=False)
class Listed:
    """A local decision list over some columns of :attr:`Problem.shown`."""

    problem: Problem
    wrong: Bools
    columns: Ints
    matrix: QuestionMatrix
    learner: Prepend

    @cached_property
    def fitted(self) -> DecisionList:
        """The list of all local cases."""
        return self.learner.fit(self.matrix)

    @cached_property
    def asked(self) -> Ints:
        """The column that each of its rules asks about."""
        asked: Ints = self.columns[np.array(self.fitted.questions, dtype=np.int64)]
        return asked

    def rule(self, codes: Ints) -> int:
        """Return the number of the rule that answers a new case, from 0; the default's is last."""
        true = np.flatnonzero(row_of(self.problem, codes)[self.asked])
        return int(true[0]) if len(true) else len(self.asked)

    def distribution(self, codes: Ints) -> Floats:
        """Return the probabilities of the rule that answers.

        If the local cases lack a class, all classes share what one more case would weigh.
        """
        probabilities: Floats = self.fitted.probabilities[self.rule(codes)]
        prior = unigram(self.problem.member.sum(axis=0))
        if (probabilities[prior > 0] == 0).any():
            n = self.matrix.n_rows
            probabilities = (n * probabilities + prior) / (n + 1)
        return probabilities


def _near(alike: Floats, k: int) -> Floats:
    """Return 1 for the ``k`` most alike of each row, and for those as alike as the last."""
    k = min(k, alike.shape[1])
    kth = np.partition(alike, alike.shape[1] - k, axis=1)[:, alike.shape[1] - k]
    near: Floats = ((alike >= kth[:, None]) & (alike >= 0)).astype(float)
    return near


def row_of(problem: Problem, codes: Ints) -> Floats:
    """Return a new case as a row of :attr:`Problem.shown`."""
    row = np.zeros(int(problem.n_values.sum()))
    known = np.flatnonzero(codes >= 0)
    row[problem.starts[known] + codes[known]] = 1
    return row
