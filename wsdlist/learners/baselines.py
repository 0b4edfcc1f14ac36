"""Baselines: what every result must be seen beside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import DecisionList, assemble


@dataclass(frozen=True)
class MostFrequentSense:
    """The most frequent sense of training, with the unigram as its probabilities.

    Of equally frequent senses the first in alphabetical order is taken.
    """

    def fit(self, matrix: QuestionMatrix) -> DecisionList:
        """Count the outcomes."""
        return assemble(matrix, np.zeros((0, len(matrix.senses))), [], [], 0.0)
