"""What the rest of the house knows of a learner."""

from __future__ import annotations

from typing import Any, Protocol

from wsdlist.data.checks import check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.base import Fitted


class Learner(Protocol):
    """A learner: its parameters are the fields of a dataclass."""

    def fit(self, matrix: QuestionMatrix) -> Fitted:
        """Learn from answers with outcomes."""


def check_bounds(top: Any, max_conditions: Any) -> None:
    """Refuse a ``top`` or a ``max_conditions`` that is no whole number of 1 or more.

    They are how many tests a rule learner looks at, and how many a rule may have (None: any).

    Raises
    ------
    ParameterError
        When one of them is refused.
    """
    check_whole("top", top)
    check_whole("max_conditions", max_conditions, optional=True)
