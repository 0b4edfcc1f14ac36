"""What the rest of the house knows of a learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from wsdlist.answers import Answers, Floats
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

    def predict_proba(self, answers: Answers) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities; rows sum to 1."""

    def to_record(self) -> dict[str, Any]:
        """Return all of it as JSON data."""


class Learner(Protocol):
    """A learner: its parameters are the fields of a dataclass."""

    def fit(self, answers: Answers) -> Fitted:
        """Learn from answers with outcomes."""
