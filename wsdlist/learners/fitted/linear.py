"""A weight of each question for each sense, and what answers with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.errors import ModelError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.base import Size

KIND = "linear"


@dataclass(frozen=True, eq=False)
class Linear:
    """A weight of each question for each sense.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_questions`` questions.
    weights
        ``(n_questions, n_senses)``.
    bias
        ``(n_senses,)``: the weights of TRUE.
    calibration
        ``(n_senses, n_senses)``: row y has the probabilities of the senses where y has the greatest
        score; None where the scores are log-probabilities but for a constant.
    n_weights
        How many weights the paper counts.
    """

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
        made: Floats = matrix.asked(self.questions).by_row @ self.weights + self.bias
        return made

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities."""
        scores = self.scores(matrix)
        if self.calibration is not None:
            made: Floats = self.calibration[scores.argmax(axis=1)]
            return made
        exponent = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Floats = exponent / exponent.sum(axis=1, keepdims=True)
        return shares

    def evidence(
        self, matrix: QuestionMatrix, row: int, most: int = 10
    ) -> list[tuple[Question, float]]:
        """Return the true questions that speak most for the best sense against the second."""
        if len(self.senses) < 2:
            return []
        one = matrix.take([row]).asked(self.questions)
        second, best = np.argsort(self.scores(matrix.take([row]))[0], kind="stable")[-2:]
        numbers = one.by_row.indices
        for_best = self.weights[numbers, best] - self.weights[numbers, second]
        order = np.argsort(-np.abs(for_best), kind="stable")[:most]
        return [(self.questions[int(numbers[n])], float(for_best[n])) for n in order]

    def to_record(self) -> dict[str, Any]:
        """Return the model as JSON data."""
        return {
            "kind": KIND,
            "senses": list(self.senses),
            "questions": [question.to_record() for question in self.questions],
            "weights": self.weights.tolist(),
            "bias": self.bias.tolist(),
            "calibration": None if self.calibration is None else self.calibration.tolist(),
            "n_weights": self.n_weights,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Linear:
        """Make a model of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        try:
            senses = tuple(record["senses"])
            calibration = record["calibration"]
            return cls(
                senses,
                tuple(map(Question.from_record, record["questions"])),
                np.array(record["weights"], float).reshape(-1, len(senses)),
                np.array(record["bias"], float),
                None if calibration is None else np.array(calibration, float),
                record["n_weights"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"weights cannot be read: {error!r}", "train it anew") from None
