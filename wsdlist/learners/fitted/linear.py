"""A weight of each question for each sense; the greatest sum answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.data.records import (
    check_distributions,
    check_shape,
    fields_from_record,
    fields_to_record,
)
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import MOST_EVIDENCE, Evidence, Fitted, RuleTable, Size

SHOWN = 20  # weights, unless somebody asks for more


@dataclass(frozen=True, eq=False)
class Linear(Fitted):
    """A weight of each question for each sense.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_questions`` questions.
    weights
        ``(n_questions, n_senses)``, in nats if they are log-probabilities.
    bias
        ``(n_senses,)``: the weights of TRUE.
    calibration
        ``(n_senses, n_senses)``: row y has the probabilities of the senses if y has the greatest
        score. None if the scores are log-probabilities but for a constant.
    n_weights
        How many weights there are, as the paper counts them.
    """

    KIND: ClassVar[str] = "linear"

    senses: tuple[str, ...]
    questions: Sequence[Question]
    weights: Floats
    bias: Floats
    calibration: Floats | None
    n_weights: int

    @property
    def n_rules(self) -> int:
        """The number of weights."""
        return self.n_weights

    @property
    def size(self) -> Size:
        """The number of weights, as rules, and of conditions in all questions."""
        return Size(self.n_weights, sum(len(q.conditions) for q in self.questions))

    def scores(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)``: the sum of the weights of the questions that are true."""
        scores: Floats = matrix.asked(self.questions).by_row @ self.weights + self.bias
        return scores

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities."""
        scores = self.scores(matrix)
        if self.calibration is not None:
            calibrated: Floats = self.calibration[scores.argmax(axis=1)]
            return calibrated
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
        return probabilities

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return the true questions that speak most for the best sense against the second."""
        if len(self.senses) < 2:
            return Evidence()
        asked = matrix.take([row]).asked(self.questions)
        second, best = np.argsort(self.scores(matrix.take([row]))[0], kind="stable")[-2:]
        numbers = asked.by_row.indices
        for_best = self.weights[numbers, best] - self.weights[numbers, second]
        order = np.argsort(-np.abs(for_best), kind="stable")[:MOST_EVIDENCE]
        return Evidence(
            weights=tuple((self.questions[int(numbers[n])], float(for_best[n])) for n in order)
        )

    def table(self, top: int | None = None) -> RuleTable:
        """Return the questions of the greatest weights; the mean over the senses is taken off."""
        shown = SHOWN if top is None else top
        spread = self.weights - self.weights.mean(axis=1, keepdims=True)
        order = np.argsort(-np.abs(spread).max(axis=1, initial=0), kind="stable")[:shown]
        rows = []
        for n in order.tolist():
            pairs = zip(self.senses, spread[n], strict=True)
            rows.append((str(self.questions[n]), *(f"{sense} {w:+.2f}" for sense, w in pairs)))
        return RuleTable(tuple(rows), before=(f"the {shown} greatest weights of {self.n_rules:,}",))

    def to_record(self) -> dict[str, Any]:
        """Return the model as JSON data."""
        return {"kind": self.KIND, **fields_to_record(self)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Linear:
        """Make a model of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(cls, record)
        K = len(read.senses)
        weights = read.weights if read.questions else read.weights.reshape(-1, K)
        check_shape("weights", weights, (len(read.questions), K))
        check_shape("bias", read.bias, (K,))
        if read.calibration is not None:
            check_shape("calibration", read.calibration, (K, K))
            check_distributions("calibration", read.calibration)
        return replace(read, weights=weights)
