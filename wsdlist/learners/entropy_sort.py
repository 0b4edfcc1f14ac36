"""Classic entropy sorting: the surest question first (Yarowsky 1994; Goodman 2002, section 2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.data.checks import check_choice
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList, assemble
from wsdlist.learners.smoothing import check_discount, cost, discounted, entropy, unigram


@dataclass(frozen=True)
class EntropySort:
    """Order all questions by the entropy of their distribution, lowest first.

    Questions less sure than TRUE can never be reached and are left out.

    Parameters
    ----------
    discount
        d of absolute discounting, 0 or more.
    reestimate
        See :func:`wsdlist.learners.fitted.decision_list.assemble`.
    """

    discount: float = 0.9
    reestimate: str = "none"

    def __post_init__(self) -> None:
        check_discount(self.discount)
        check_choice("reestimate", self.reestimate, REESTIMATE)

    def fit(self, matrix: QuestionMatrix) -> DecisionList:
        """Learn a list from answers with outcomes."""
        ordered, counts = matrix.in_order()
        order, probabilities = sorted_by_entropy(ordered, counts, self.discount)
        asked = ordered.select(order)
        return assemble(
            asked,
            counts[order],
            np.arange(len(order)).tolist(),
            gains_in_order(asked, probabilities).tolist(),
            self.discount,
            self.reestimate,
        )


def sorted_by_entropy(
    matrix: QuestionMatrix, counts: Floats, discount: float
) -> tuple[Ints, Floats]:
    """Return the questions at least as sure as TRUE, the surest first, and their distributions.

    ``counts`` are C(q, y). Of equally sure questions those with more conditions come first: where
    they are true of the same rows, the compromise, which looks from the end, then keeps the
    simpler one. Further ties keep the order of the questions. The ``(n, n_senses)`` distributions
    are in the order returned.
    """
    prior = unigram(matrix.prior_counts())
    P = discounted(counts, prior, discount)
    H = entropy(P)
    order = np.lexsort((-matrix.sizes, H))
    order = order[H[order] <= entropy(prior)]
    return order, P[order]


def gains_in_order(matrix: QuestionMatrix, probabilities: Floats) -> Floats:
    """Return the bits that each question saves in front of the later ones.

    A question takes a row over from the next later question that is true of the row, or from
    TRUE. So one pass over the true answers, sorted by row and place, gives all gains.
    """
    costs = cost(np.vstack([probabilities, unigram(matrix.prior_counts())]))
    n_questions = matrix.n_questions
    yes = matrix.by_row.copy()
    yes.sort_indices()
    rows = np.repeat(np.arange(matrix.n_rows), np.diff(yes.indptr))
    questions = yes.indices
    later = np.full(len(questions), n_questions)
    same_row = rows[1:] == rows[:-1]
    later[:-1][same_row] = questions[1:][same_row]
    outcome = matrix.outcome[rows]
    saved = matrix.weight[rows] * (costs[later, outcome] - costs[questions, outcome])
    return sums(questions, saved, n_questions)
