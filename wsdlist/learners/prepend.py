"""Goodman's incremental learner: put in front, again and again, what saves most bits (2002)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints, ranges
from wsdlist.data.checks import check_choice, check_number
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList, assemble
from wsdlist.learners.smoothing import GAIN_UNIT, check_discount, cost, discounted, unigram


@dataclass(frozen=True)
class Step:
    """A question put in front, and the bits that this saved."""

    question: int
    gain: float


@dataclass(frozen=True)
class Prepend:
    """Start from the default; prepend the question that saves most bits, while it saves epsilon.

    The list is made from its end to its front: general rules first, exceptions before them
    (Goodman 2002, Figures 1 and 2). A question chosen again moves to the front.

    Parameters
    ----------
    discount
        d of absolute discounting, 0 or more.
    epsilon
        Bits over the whole training data, 0 or more; a rule must save that much.
    reestimate
        See :func:`wsdlist.learners.fitted.decision_list.assemble`.
    max_rules
        Stop when the list has this many rules; None for no limit.
    save_space
        Never hold the answers to conjunctions, only those to conditions (Goodman, section 2.2.1):
        slower, for data whose conjunctions do not fit into memory. The list is the same.
    """

    discount: float = 0.9
    epsilon: float = 3.0
    reestimate: str = "none"
    max_rules: int | None = None
    save_space: bool = False
    from_the_end: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_discount(self.discount)
        check_choice("reestimate", self.reestimate, REESTIMATE)
        check_number("epsilon", self.epsilon, least=0, advice="say a number of bits of 0 or more")
        check_number("max_rules", self.max_rules, least=0, finite=False, optional=True)

    @staticmethod
    def may_ask(prior_counts: Floats, epsilon: float) -> bool:
        """Say whether a rule can save epsilon bits: no list saves more than its default costs.

        Parameters
        ----------
        prior_counts
            ``(n_senses,)`` the weight of training instances by sense.
        """
        bits = float((prior_counts * cost(unigram(prior_counts))).sum())
        return bits > 0 and bits >= epsilon

    def fit(self, matrix: QuestionMatrix) -> DecisionList:
        """Learn a list from answers with outcomes."""
        if not (self.save_space or matrix.are_single):
            matrix.by_row  # noqa: B018 - found once, for counting too
        ordered, counts = matrix.in_order()
        steps: list[Step] = []
        chosen: set[int] = set()
        for step in path(ordered, counts, self.discount, self.epsilon, save_space=self.save_space):
            chosen.add(step.question)
            if self.max_rules is not None and len(chosen) > self.max_rules:
                break
            steps.append(step)
        return list_of(ordered, counts, steps, self.discount, self.reestimate)


def path(
    matrix: QuestionMatrix,
    counts: Floats,
    discount: float,
    epsilon: float = 0.0,
    *,
    save_space: bool = False,
) -> Iterator[Step]:
    """Yield the steps of the greedy run, until none saves epsilon bits (or any at all).

    The steps for a larger epsilon are those before the first whose gain is below it, so one run
    serves every epsilon. ``matrix`` and ``counts`` are those of :meth:`QuestionMatrix.in_order`, so
    that the first of equal gains is the right one.

    The invariant: ``gain[q]`` is the sum of w (current - cost_q) over the rows of q. When
    ``current`` rises by x at a row, every question true of the row gains w x. So the rows of the
    chosen question are all that a step looks at.

    The bits of the list fall by the gain of each step. They are never below 0, and a gain is a
    multiple of ``GAIN_UNIT``, so the run ends.
    """
    prior = unigram(matrix.prior_counts())
    costs = cost(discounted(counts, prior, discount))
    default = cost(prior)
    outcome, weight = matrix.outcome, matrix.weight
    current = default[outcome]  # -log2 P(y) of each row under the list so far
    least = max(epsilon, GAIN_UNIT)
    # all sums below are exact (costs and weights lie on grids), whatever their order
    with np.errstate(invalid="ignore"):  # infinite costs where there is nothing to pay for
        gain = np.where(counts > 0, counts * (default - costs), 0.0).sum(axis=1)
    find = _Conditions(matrix) if save_space else _Postings(matrix)
    while len(gain):
        best = int(gain.argmax())
        saved = float(gain[best])
        if saved < least:
            return
        yield Step(best, saved)
        rows = find.rows(best)
        new = costs[best, outcome[rows]]
        change = weight[rows] * (new - current[rows])
        current[rows] = new
        find.add(gain, rows, change)  # the gain of ``best`` itself becomes 0


def list_of(
    matrix: QuestionMatrix,
    counts: Floats,
    steps: list[Step],
    discount: float,
    reestimate: str = "none",
) -> DecisionList:
    """Make the list that the steps lead to, without the dead deeper copies of moved rules.

    ``matrix`` and ``counts`` are those the steps were taken on, see :func:`path`.
    """
    gains: dict[int, float] = {}
    for step in steps:  # a question chosen again comes to stand last, which is in front
        gains[step.question] = gains.pop(step.question, 0.0) + step.gain
    chosen = list(gains)[::-1]
    return assemble(matrix, counts, chosen, [gains[q] for q in chosen], discount, reestimate)


class _Postings:
    """Goodman's efficient form (Figure 2): the rows of each question, the questions of each row."""

    def __init__(self, matrix: QuestionMatrix) -> None:
        self.rows = matrix.rows
        single = matrix.are_single
        held = matrix.conditions if single else matrix.by_row
        self.number = matrix.numbers if single else None
        self.all_asked = not single or matrix.n_questions == matrix.conditions.shape[1]
        self.row_starts = held.indptr.astype(np.int64)
        self.lengths, self.questions = np.diff(self.row_starts), held.indices

    def add(self, gain: Floats, rows: Ints, change: Floats) -> None:
        lengths = self.lengths[rows]
        questions = self.questions[ranges(self.row_starts[rows], lengths)]
        changes = change.repeat(lengths)
        if self.number is not None:
            questions = self.number[questions]
        if not self.all_asked:
            changes, questions = changes[questions >= 0], questions[questions >= 0]
        np.add.at(gain, questions, changes)


class _Conditions:
    """The space-saving form (section 2.2.1): only the rows of conditions are held."""

    def __init__(self, matrix: QuestionMatrix) -> None:
        self.answers = matrix
        columns = matrix.conditions.tocsc()
        self.starts, self.true = columns.indptr, columns.indices

    def rows(self, question: int) -> Ints:
        members = self.answers.members[question]
        postings = [self.true[self.starts[p] : self.starts[p + 1]] for p in members[members >= 0]]
        postings.sort(key=len)  # the rarest condition first
        if not postings:
            return np.arange(self.answers.n_rows)
        rows: Ints = postings[0]
        for others in postings[1:]:
            rows = rows[np.isin(rows, others, assume_unique=True)]
        return rows

    def add(self, gain: Floats, rows: Ints, change: Floats) -> None:
        moved = np.flatnonzero(change)
        some = self.answers.conditions[rows[moved]]
        for found, questions in self.answers.conjunctions.find(some):
            np.add.at(gain, questions, change[moved][found])
