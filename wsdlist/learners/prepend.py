"""Goodman's incremental learner: put in front, again and again, what saves most bits (2002)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csc_array

from wsdlist.data.arrays import Floats, Ints, ranges, sums
from wsdlist.data.checks import check_choice, check_number
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import Reached
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList, assemble, reestimated
from wsdlist.learners.smoothing import GAIN_UNIT, GRID, check_discount, cost, discounted, unigram

ON_PATH = ("discount", "epsilon", "reestimate")  # parameters whose values share a run


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

    def along(
        self, train: QuestionMatrix, held: QuestionMatrix, grid: Mapping[str, Sequence[Any]]
    ) -> Iterator[Reached] | None:
        """Yield what each choice of discount, epsilon and reestimate reaches on held-out rows.

        One greedy run for each discount serves every epsilon, see :func:`path`. None if the grid
        has other parameters, or the number of rules is bounded.
        """
        if self.max_rules is not None or not set(grid) <= {"discount", "epsilon", "reestimate"}:
            return None
        return self._along(train, held, grid)

    def _along(
        self, train: QuestionMatrix, held: QuestionMatrix, grid: Mapping[str, Sequence[Any]]
    ) -> Iterator[Reached]:
        choices = {name: grid.get(name) or [getattr(self, name)] for name in ON_PATH}
        counts = train.counts()
        order = train.tie_order(counts)
        ordered, counts = train.select(order), counts[order]
        columns = held.select(order).by_question
        prior = unigram(ordered.prior_counts())
        for discount in choices["discount"]:
            of_question = np.vstack([discounted(counts, prior, discount), prior])
            reached: dict[float, list[Reached]] = {}
            for epsilon, answering, trained, n_rules in _lists_on_path(
                ordered, counts, discount, choices["epsilon"], columns
            ):
                reached[epsilon] = []
                for reestimate in choices["reestimate"]:
                    values = zip(ON_PATH, (discount, epsilon, reestimate), strict=True)
                    tried = {name: value for name, value in values if name in grid}
                    P = _again(of_question, ordered, trained, reestimate)
                    reached[epsilon].append((tried, P[answering], n_rules))
            yield from chain.from_iterable(reached[epsilon] for epsilon in choices["epsilon"])


def _again(of_question: Floats, train: QuestionMatrix, trained: Ints, reestimate: str) -> Floats:
    """Return the probabilities of questions, estimated again from the rows that they answer."""
    if reestimate == "none":
        return of_question
    cells = trained * of_question.shape[1] + train.outcome
    support = sums(cells, train.weight, of_question.size).reshape(of_question.shape)
    return reestimated(of_question, support, reestimate)[0]


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

    The bits of the list fall by the gain of each step. They are never below 0, and no gain is below
    :func:`least_gain`, so the run ends whatever the weights are.
    """
    prior = unigram(matrix.prior_counts())
    costs = cost(discounted(counts, prior, discount))
    default = cost(prior)
    outcome, weight = matrix.outcome, matrix.weight
    current = default[outcome]  # -log2 P(y) of each row under the list so far
    least = max(epsilon, least_gain(weight, costs))
    # sums below are exact (costs and weights lie on grids), whatever their order, while they fit
    with np.errstate(invalid="ignore"):  # infinite costs where there is nothing to pay for
        gain = np.where(counts > 0, counts * (default - costs), 0.0).sum(axis=1)
    find = _Conditions(matrix) if save_space else _Postings(matrix)
    while len(gain):
        best = int(gain.argmax())
        if gain[best] < least:
            return
        rows = find.rows(best)
        new = costs[best, outcome[rows]]
        change = weight[rows] * (new - current[rows])
        saved = -float(change.sum())
        if saved < least:  # what was added up over many steps was off by rounding
            gain[best] = saved
            continue
        yield Step(best, saved)
        current[rows] = new
        find.add(gain, rows, change)  # the gain of ``best`` itself becomes 0


def least_gain(weight: Floats, costs: Floats) -> float:
    """Return the bits from which on a gain cannot come from rounding alone.

    Weights are multiples of 2**-10 and costs of 2**-20 bit. Sums of their products are exact below
    2**53 of these steps, and then any gain counts. Beyond, a sum of n terms in pairs is off by
    less than log2(n) 2**-53 of what they may be together.

    Parameters
    ----------
    weight
        ``(n_rows,)`` counts.
    costs
        Bits that rows may cost; infinite ones are not looked at.
    """
    most = float(weight.sum() * costs[np.isfinite(costs)].max(initial=0.0))
    step = GRID**-1 if (weight % 1 == 0).all() else GAIN_UNIT
    return GAIN_UNIT if most < 2**53 * step else most * 2.0**-40


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


def _lists_on_path(
    ordered: QuestionMatrix,
    counts: Floats,
    discount: float,
    epsilons: Sequence[float],
    held: csc_array,
) -> Iterator[tuple[float, Ints, Ints, int]]:
    """Yield for each epsilon which question of its list answers each row, and how many rules.

    One greedy run gives all of them: the list for epsilon has the steps before the first one whose
    gain is below epsilon.

    Parameters
    ----------
    ordered, counts
        What :meth:`QuestionMatrix.in_order` gives.
    held
        The answers of the held-out rows to the same questions, by columns.

    Yields
    ------
    tuple
        Epsilon, the questions that answer the held-out rows and the training rows (``n_questions``
        is the default), and the number of rules. The arrays change afterwards.
    """
    default = ordered.n_questions
    answering, trained = np.full(held.shape[0], default), np.full(ordered.n_rows, default)
    followed = ((held, answering), (ordered.by_question, trained))
    chosen: set[int] = set()
    left = sorted(epsilons, reverse=True)
    for step in path(ordered, counts, discount, min(epsilons)):
        while left and step.gain < left[0]:
            yield left.pop(0), answering, trained, len(chosen)
        chosen.add(step.question)
        for columns, answers in followed:
            start, end = columns.indptr[step.question : step.question + 2]
            answers[columns.indices[start:end]] = step.question
    for epsilon in left:
        yield epsilon, answering, trained, len(chosen)


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
