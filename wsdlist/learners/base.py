"""What the rest of the house knows of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from wsdlist.data.arrays import Floats
from wsdlist.data.checks import check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question


@dataclass(frozen=True)
class Size:
    """How large a fitted thing is: ``rules`` without the default, ``conditions`` in them."""

    rules: int
    conditions: int


class Fitted(Protocol):
    """What a learner makes of answers."""

    @property
    def senses(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of :meth:`predict_proba`."""

    @property
    def questions(self) -> Sequence[Question]:
        """All that must be asked of an instance to predict its sense."""

    @property
    def n_rules(self) -> int:
        """How many rules, or weights, it has."""

    @property
    def size(self) -> Size:
        """How large it is."""

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities; rows sum to 1."""

    def to_record(self) -> dict[str, Any]:
        """Return all of it as JSON data."""


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
