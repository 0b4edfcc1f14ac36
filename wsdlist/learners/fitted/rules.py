"""A rule of a list with its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wsdlist.data.records import MaybeCount, MaybeNumber, Probability, fields_to_record, key
from wsdlist.features.questions import Question
from wsdlist.layout import number, weight


@dataclass(frozen=True)
class Rule:
    """A question with a distribution over senses.

    Counts, support and gain of a rule that was added by hand are nan until it is counted.

    Parameters
    ----------
    question
        What must be true of an instance; the default has TRUE.
    probabilities
        The probability of each sense.
    counts
        C(q, y) of each sense: the weight of training instances for which the question is true.
    support
        The weight of training instances that the rule answers at its place in the list.
    gain
        The bits that the rule saved when it was put in front of those after it; 0 for the default.
        Some learners measure rules otherwise, see
        :attr:`wsdlist.learners.fitted.ordered.OrderedRules.measure`.
    reached_counts
        R(y), the support of each sense, if the probabilities were estimated from it.
    target_sense
        The sense that the rule was made for, if its learner makes rules for senses.
    set_by_hand
        Whether a person set its probabilities.
    """

    question: Question = field(metadata=key("if"))
    probabilities: dict[str, Probability]
    counts: dict[str, MaybeCount]
    support: MaybeCount
    gain: MaybeNumber
    reached_counts: dict[str, MaybeCount] | None = field(
        default=None, metadata=key("residue", optional=True)
    )
    target_sense: str | None = field(default=None, metadata=key("said", optional=True))
    set_by_hand: bool = field(default=False, metadata=key("stated", optional=True))

    @property
    def sense(self) -> str:
        """The target sense, else the most probable sense; the first by name of equal ones."""
        if self.target_sense is not None:
            return self.target_sense
        return max(self.probabilities, key=lambda sense: self.probabilities[sense])

    @property
    def probability(self) -> float:
        """The probability of :attr:`sense`."""
        return self.probabilities[self.sense]

    @property
    def count(self) -> float:
        """C(q): the weight of training instances for which the question is true."""
        return sum(self.counts.values())

    def cells(self, *, is_default: bool = False) -> tuple[str, ...]:
        """Return question, sense, probability, count, support and gain as people read them.

        A star follows a probability that was set by hand. The cells of the question and the gain
        are empty in the default.
        """
        return (
            "" if is_default else str(self.question),
            self.sense,
            number(self.probability) + "*" * self.set_by_hand,
            weight(self.count),
            weight(self.support),
            "" if is_default else number(self.gain, 2),
        )

    def to_record(self) -> dict[str, Any]:
        """Return the rule as JSON data; a number that is not known is None."""
        return {
            **fields_to_record(self),
            "text": str(self.question),
            "then": self.sense,
            "count": known(self.count),
        }


def known(value: float) -> float | None:
    """Return a number, or None for nan, which JSON does not have."""
    return None if value != value else value


def exact(value: float) -> str:
    """Write a number so that reading it gives the same number; without decimals if it is whole."""
    return f"{value:.0f}" if value == int(value) else repr(float(value))
