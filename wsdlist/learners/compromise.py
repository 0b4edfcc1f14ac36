"""The compromise: sort by entropy, then delete the rules that save too little (Goodman 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wsdlist.data.checks import check_choice, check_number
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.entropy_sort import sorted_by_entropy
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList, assemble
from wsdlist.learners.smoothing import check_discount, cost, unigram


@dataclass(frozen=True)
class Compromise:
    """Keep a question of the sorted list if it saves at least epsilon bits (Goodman, Figure 3).

    Parameters
    ----------
    discount
        d of absolute discounting, 0 or more.
    epsilon
        Bits over the whole training data; any number or -inf, which keeps all.
    reestimate
        See :func:`wsdlist.learners.fitted.decision_list.assemble`.
    """

    discount: float = 0.9
    epsilon: float = 3.0
    reestimate: str = "none"
    from_the_end: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_discount(self.discount)
        check_choice("reestimate", self.reestimate, REESTIMATE)
        if self.epsilon != -np.inf:
            check_number("epsilon", self.epsilon, advice="say a number of bits, or -inf")

    def fit(self, matrix: QuestionMatrix) -> DecisionList:
        """Learn a list from answers with outcomes."""
        ordered, counts = matrix.in_order()
        order, probabilities = sorted_by_entropy(ordered, counts, self.discount)
        asked = ordered.select(order)
        weight, outcome = asked.weight, asked.outcome
        costs = cost(probabilities)
        current = weight * cost(unigram(asked.prior_counts()))[outcome]
        columns = asked.by_question
        starts, rows = columns.indptr, columns.indices
        owner = np.repeat(np.arange(len(order)), np.diff(starts))
        new = weight[rows] * costs[owner, outcome[rows]]

        kept: list[int] = []
        gains: list[float] = []
        for question in range(len(order) - 1, -1, -1):  # from next to TRUE to the front
            span = slice(starts[question], starts[question + 1])
            true = rows[span]
            gain = float((current[true] - new[span]).sum())
            if gain >= self.epsilon:
                kept.append(question)
                gains.append(gain)
                current[true] = new[span]
        return assemble(
            asked, counts[order], kept[::-1], gains[::-1], self.discount, self.reestimate
        )
