"""Transformation-based learning: rules that change an answer, tried one after another.

Brill (1995); the index of what each row answers is in the manner of Ramshaw & Marcus (1994): when
a rule changes rows, only the counts of the questions that are true of these rows change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats, distinct, ranges
from wsdlist.data.checks import check_number
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.transformations import Transformations, each_once
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram


@dataclass(frozen=True)
class TransformationBased:
    """Start from the most frequent sense; add the rule that removes most errors, while it pays.

    For two senses the rules, read backwards, are a decision list without probabilities (Roth 1998);
    for more they are not, because a rule looks at the answer so far. Needs memory for two numbers a
    question and pair of senses.

    Parameters
    ----------
    min_gain
        By how much the weight of errors must become less (Goodman 2002: 2).
    """

    min_gain: float = 2.0

    def __post_init__(self) -> None:
        check_number("min_gain", self.min_gain, above=0)

    def fit(self, matrix: QuestionMatrix) -> Transformations:
        """Learn rules; of equal ones the first in the order of questions, then of senses."""
        ordered, counts = matrix.in_order()
        K, outcome, weight = len(matrix.senses), matrix.outcome, matrix.weight
        initial = int(matrix.prior_counts().argmax())
        sense = np.full(matrix.n_rows, initial)
        last = np.full(matrix.n_rows, -1)
        # of each question and answer so far: the weight of each right sense, and what changes gain
        now = np.zeros((ordered.n_questions, K, K))
        now[:, initial] = counts
        net = np.full((ordered.n_questions, K, K), -np.inf)
        for old in range(K):
            _refresh(net, now, slice(None), old)
        rows_of = ordered.by_question
        starts, lengths = ordered.by_row.indptr.astype(np.int64), np.diff(ordered.by_row.indptr)
        questions = ordered.by_row.indices.astype(np.int64)
        chosen: list[tuple[int, int, int, float]] = []
        while net.size:
            best = int(net.argmax())
            question, old, new = (int(n) for n in np.unravel_index(best, net.shape))
            gain = float(net[question, old, new])
            if gain < self.min_gain:
                break
            chosen.append((question, old, new, gain))
            rows = rows_of.indices[rows_of.indptr[question] : rows_of.indptr[question + 1]]
            rows = rows[sense[rows] == old]
            sense[rows], last[rows] = new, len(chosen) - 1
            true = questions[ranges(starts[rows], lengths[rows].astype(np.int64))]
            gold = outcome[rows].repeat(lengths[rows])
            moved = weight[rows].repeat(lengths[rows])
            np.add.at(now, (true, old, gold), -moved)
            np.add.at(now, (true, new, gold), moved)
            changed = distinct(true)
            _refresh(net, now, changed, old)
            _refresh(net, now, changed, new)
        counted = np.zeros((len(chosen) + 1, K))
        np.add.at(counted, (last, outcome), weight)  # -1, no rule, is the last row
        questions_asked, asked = each_once([ordered.questions[n] for n, *_ in chosen])
        return Transformations(
            matrix.senses,
            questions_asked,
            asked,
            np.array([old for _, old, _, _ in chosen], dtype=np.int64),
            np.array([new for _, _, new, _ in chosen], dtype=np.int64),
            np.array([gain for *_, gain in chosen]),
            initial,
            discounted(counted, unigram(matrix.prior_counts()), ANSWER_DISCOUNT),
        )


def _refresh(net: Floats, now: Floats, questions: Any, old: int) -> None:
    """Compute again what changing ``old`` into another sense gains."""
    net[questions, old] = now[questions, old] - now[questions, old, old][:, None]
    net[questions, old, old] = -np.inf
