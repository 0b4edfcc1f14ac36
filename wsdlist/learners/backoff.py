"""Prepending with back-off: a rule is smoothed towards what the rest of the list says.

Goodman (2002) smooths the counts of a question towards the default, P(y). Here they are smoothed
towards P(y|x) by the rules that stand after it, as the orders of an n-gram model are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints, ranges, sums
from wsdlist.data.checks import check_number
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import Reached
from wsdlist.learners.fitted.backoff_list import BackoffList, estimates
from wsdlist.learners.prepend import Prepend, Step, least_gain
from wsdlist.learners.smoothing import check_discount, cost, unigram

MOST_BITS = 2000.0  # of an outcome that a rule without a discount calls impossible


@dataclass(frozen=True)
class Backoff:
    """Prepend the question that saves most bits; its counts back off to the rest of the list.

    Parameters
    ----------
    discount
        d of absolute discounting, 0 or more; here values of 1 and more serve well.
    epsilon
        Bits over the whole training data, 0 or more; a rule must save that much.
    max_rules
        Stop when the list has this many rules; None for no limit.
    """

    discount: float = 2.0
    epsilon: float = 3.0
    max_rules: int | None = None
    from_the_end: ClassVar[bool] = True
    may_ask = staticmethod(Prepend.may_ask)

    def __post_init__(self) -> None:
        check_discount(self.discount)
        check_number("epsilon", self.epsilon, least=0, advice="say a number of bits of 0 or more")
        check_number("max_rules", self.max_rules, least=0, finite=False, optional=True)

    def fit(self, matrix: QuestionMatrix) -> BackoffList:
        """Learn a list from answers with outcomes."""
        ordered, counts = matrix.in_order()
        steps: list[Step] = []
        for step in path(ordered, counts, self.discount, self.epsilon):
            if self.max_rules is not None and len(steps) >= self.max_rules:
                break
            steps.append(step)
        chosen = [step.question for step in reversed(steps)]
        return BackoffList(
            ordered.senses,
            tuple(ordered.questions[question] for question in chosen),
            counts[chosen],
            ordered.prior_counts(),
            np.array([step.gain for step in reversed(steps)]),
            self.discount,
        )

    def along(
        self, train: QuestionMatrix, held: QuestionMatrix, grid: Mapping[str, Sequence[Any]]
    ) -> Iterator[Reached] | None:
        """Yield what each choice of discount and epsilon reaches on held-out rows.

        One run for each discount serves every epsilon. None if the grid has other parameters, or
        the number of rules is bounded.
        """
        if self.max_rules is not None or not set(grid) <= {"discount", "epsilon"}:
            return None
        return self._along(train, held, grid)

    def _along(
        self, train: QuestionMatrix, held: QuestionMatrix, grid: Mapping[str, Sequence[Any]]
    ) -> Iterator[Reached]:
        discounts = grid.get("discount") or [self.discount]
        epsilons = grid.get("epsilon") or [self.epsilon]
        ordered, counts = train.in_order()
        columns = held.asked(ordered.questions).by_question
        prior = unigram(ordered.prior_counts())
        reached: dict[tuple[float, float], tuple[Floats, int]] = {}
        for discount in discounts:
            A, B = estimates(counts, discount)
            P, n_rules = np.tile(prior, (held.n_rows, 1)), 0
            left = sorted(set(epsilons), reverse=True)
            for step in path(ordered, counts, discount, min(epsilons)):
                while step.gain < left[0]:
                    reached[discount, left.pop(0)] = P.copy(), n_rules
                start, end = columns.indptr[step.question : step.question + 2]
                rows = columns.indices[start:end]
                P[rows] = A[step.question] + B[step.question] * P[rows]
                n_rules += 1
            reached |= {(discount, epsilon): (P, n_rules) for epsilon in left}
        for discount, epsilon in product(discounts, epsilons):
            values = {"discount": discount, "epsilon": epsilon}
            yield {name: values[name] for name in grid}, *reached[discount, epsilon]


def path(matrix: QuestionMatrix, counts: Floats, discount: float, epsilon: float) -> Iterator[Step]:
    """Yield the steps of the greedy run, until none saves epsilon bits (or any at all).

    What a question saves at a row depends on P(y|x) of the row under the list so far. So when a
    question is put in front, the gains of all questions that are true of its rows are counted
    again there. A question is put in front once, so the run ends.

    Parameters
    ----------
    matrix, counts
        What :meth:`QuestionMatrix.in_order` gives, so that the first of equal gains is the right
        one.
    discount, epsilon
        See :class:`Backoff`.
    """
    A, B = estimates(counts, discount)
    outcome, weight = matrix.outcome, matrix.weight
    current = unigram(matrix.prior_counts())[outcome]  # P(y|x) of each row under the list so far
    by_row, columns = matrix.by_row, matrix.by_question
    starts, lengths = by_row.indptr.astype(np.int64), np.diff(by_row.indptr)

    def saved(rows: Ints, questions: Ints) -> Floats:
        """Return the bits that each question would save at each row; multiples of GAIN_UNIT."""
        new = A[questions, outcome[rows]] + B[questions] * current[rows]
        bits: Floats = weight[rows] * (_bits(current[rows]) - _bits(new))
        return bits

    gain = np.zeros(matrix.n_questions)
    for rows, questions in matrix.pairs():
        gain += sums(questions, saved(rows, questions), len(gain))
    least = max(epsilon, least_gain(weight, _bits(A)))
    while len(gain):
        best = int(gain.argmax())
        if gain[best] < least:
            return
        yield Step(best, float(gain[best]))
        rows = columns.indices[columns.indptr[best] : columns.indptr[best + 1]]
        questions = by_row.indices[ranges(starts[rows], lengths[rows])]
        repeated = rows.repeat(lengths[rows])
        before = saved(repeated, questions)
        current[rows] = A[best, outcome[rows]] + B[best] * current[rows]
        np.add.at(gain, questions, saved(repeated, questions) - before)
        gain[best] = -np.inf


def _bits(P: Floats) -> Floats:
    return np.minimum(cost(P), MOST_BITS)
