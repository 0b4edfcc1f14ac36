"""Yarowsky's list (1994): by log-likelihood, pruned, with residual estimates mixed in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.data.checks import check_choice
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.entropy_sort import gains_in_order
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList, assemble
from wsdlist.learners.fitted.ordered import place_of_rows
from wsdlist.learners.smoothing import check_discount, cost, discounted, unigram

PRUNE = ("none", "unused", "harmful")


@dataclass(frozen=True)
class Yarowsky:
    """Order questions by log P(s|q) / P(not s|q), the surest first; mix in residual estimates.

    A question that is not surer of some sense than of all others together is left out (the n-way
    form of Agirre & Martinez 2000). Probabilities are (R(s) + 30 P(s|q)) / (R + 30), with R the
    weight of the instances that no earlier rule answers: the interpolation of global and residual
    estimates (Yarowsky 1994), in which the residual counts for more where it is larger.

    Parameters
    ----------
    discount
        d of the absolute discounting that smooths counts, 0 or more. Yarowsky adds a small constant
        to counts of zero instead.
    reestimate
        ``rules`` mixes residual estimates in, ``none`` leaves the global ones; see
        :func:`wsdlist.learners.fitted.decision_list.assemble`.
    prune
        ``unused`` leaves out rules that answer no training instance, as one does whose conditions
        imply those of an earlier one; ``harmful`` also those that answer more training instances
        wrongly than rightly.
    """

    discount: float = 0.9
    reestimate: str = "rules"
    prune: str = "harmful"

    def __post_init__(self) -> None:
        check_discount(self.discount)
        check_choice("reestimate", self.reestimate, REESTIMATE)
        check_choice("prune", self.prune, PRUNE)

    def fit(self, matrix: QuestionMatrix) -> DecisionList:
        """Learn a list from answers with outcomes."""
        ordered, counts = matrix.in_order()
        prior = unigram(matrix.prior_counts())
        P = discounted(counts, prior, self.discount)
        # log P / (1 - P) grows with P; on the grid of costs equal ones are equal everywhere
        bits = cost(P.max(axis=1))
        order = np.argsort(bits, kind="stable")
        order = order[bits[order] < 1]
        order = self._pruned(ordered, P, order)
        asked = ordered.select(order)
        return assemble(
            asked,
            counts[order],
            np.arange(len(order)).tolist(),
            gains_in_order(asked, P[order]).tolist(),
            self.discount,
            self.reestimate,
        )

    def _pruned(self, matrix: QuestionMatrix, P: Floats, order: Ints) -> Ints:
        """Return the questions that are kept.

        Without a rule its instances go on to later ones, so rules are pruned until none is left
        to prune.
        """
        while self.prune != "none" and len(order):
            place = place_of_rows(matrix, order.tolist())
            answered = place < len(order)
            said = P[order].argmax(axis=1)[place[answered]]
            weight = matrix.weight[answered]
            is_right = said == matrix.outcome[answered]
            n = len(order)
            right = sums(place[answered], weight * is_right, n)
            wrong = sums(place[answered], weight * ~is_right, n)
            kept = right + wrong > 0
            if self.prune == "harmful":
                kept &= right >= wrong
            if kept.all():
                break
            order = order[kept]
        return order
