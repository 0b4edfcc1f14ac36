"""What was learned, as models, reports, explanations and commands see it.

They call the methods of :class:`Fitted` and never ask for a class. A new family of learners is one
subclass, in a file of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar

from wsdlist.data.arrays import Floats, Ints
from wsdlist.errors import plain
from wsdlist.features import Ask, asker
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.layout import columns, number, weight
from wsdlist.learners.fitted.rules import Rule

MOST_EVIDENCE = 10  # questions, if no single rule answers


@dataclass(frozen=True)
class Size:
    """How large something learned is: its rules without the default, and their conditions."""

    rules: int
    conditions: int


@dataclass(frozen=True)
class Answer:
    """The answer to one instance.

    Parameters
    ----------
    sense, probability
        The most probable sense and its probability. An answer of back-off has no probability. An
        instance that is left alone has no sense.
    distribution
        The probability of each sense.
    rule
        The number of the rule that answered, from 1. None for the default, and for learners of
        which no single rule answers.
    question
        The question of that rule.
    reason
        Why there is no answer, or which back-off or default gave it.
    """

    sense: str | None
    probability: float | None
    distribution: dict[str, float] = field(default_factory=dict)
    rule: int | None = None
    question: Question | None = None
    reason: str = ""

    @property
    def backed_off(self) -> bool:
        """Whether the answer comes from back-off, see :class:`wsdlist.models.model.Model`."""
        return self.sense is not None and self.probability is None


@dataclass(frozen=True)
class Evidence:
    """What spoke for the answer to one instance.

    Parameters
    ----------
    rules
        ``(number, rule)`` of all rules of a list that are true. The first one answered. Without it
        the others would have answered, in this order. The last one is the default, whose number is
        None.
    n_rules
        The number of rules in the list.
    arithmetic
        How the probability of each sense follows from the counts of the rule that answered.
    weights
        If no single rule answers: ``(question, weight)`` of the true questions that speak most for
        the answer (above 0) or against it.
    story
        Lines on how a rule was grown for the instance.
    """

    rules: tuple[tuple[int | None, Rule], ...] = ()
    n_rules: int = 0
    arithmetic: tuple[str, ...] = ()
    weights: tuple[tuple[Question, float], ...] = ()
    story: tuple[str, ...] = ()

    def lines(self, distribution: dict[str, float]) -> list[str]:
        """Return the evidence as lines of text, beside the probabilities of the answer."""
        if not self.rules:
            weights = [(f"    {value:+.3f}", str(question)) for question, value in self.weights]
            return [*(f"  {plain(line)}" for line in self.story), *columns(weights, left=2)]
        place, rule = self.rules[0]
        lines = ["  no rule is true, the default answered"]
        if place is not None:
            lines = [f"  rule {place} of {self.n_rules}: {plain(str(rule.question))}"]
        lines.append(f"  {_counts(rule)}")
        if rule.target_sense is not None and rule.reached_counts is not None:
            shares = ", ".join(
                f"{plain(s)} {weight(R)}" for s, R in rule.reached_counts.items() if R
            )
            lines.append(f"  at its place it answers {weight(rule.support)}: {shares}")
        lines += [
            f"    {plain(text)} = {number(P)}"
            for text, P in zip(self.arithmetic, distribution.values(), strict=True)
        ]
        if self.rules[1:]:
            lines.append("  without it would have answered, in this order:")
            lines += columns([_runner_up(*other) for other in self.rules[1:]], left=3)
        return lines


def _counts(rule: Rule) -> str:
    if rule.count != rule.count:
        return "count unknown: the rule was added by hand"
    shares = ", ".join(f"{plain(s)} {weight(C)}" for s, C in rule.counts.items() if C)
    return f"count {weight(rule.count)}{': ' if shares else ''}{shares}"


def _runner_up(place: int | None, rule: Rule) -> tuple[str, ...]:
    question, sense, probability, count, *_ = rule.cells(is_default=place is None)
    return (
        "    ELSE" if place is None else f"    rule {place}",
        question,
        sense,
        probability.rstrip("*"),
        "stated by hand" if rule.set_by_hand else f"count {count}",
    )


@dataclass(frozen=True)
class RuleTable:
    """What was learned as rows of text, for a terminal, a page or a notebook.

    Parameters
    ----------
    rows
        The cells of each rule.
    header
        The name of each column; empty if the columns have none.
    left
        How many columns are aligned to the left; the others hold numbers.
    before, after
        Lines before and after the rows.
    left_out
        How many rules are not among the rows.
    ends_in_default
        Whether the last row is the default, and so stands after the rules that are left out.
    long_column
        The number of a column whose long cells get a line of their own; None for none.
    """

    rows: tuple[tuple[str, ...], ...] = ()
    header: tuple[str, ...] = ()
    left: int = 1
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    left_out: int = 0
    ends_in_default: bool = False
    long_column: int | None = None

    def _repr_html_(self) -> str:
        """Show the rows as a table, in notebooks."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.header)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows
        )
        before, after = (
            "".join(f"<p>{escape(line)}</p>" for line in lines)
            for lines in (self.before, self.after)
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"{before}{table}{after}"


@dataclass(frozen=True)
class Coverage:
    """How rules that were made for senses cover the training instances.

    Parameters
    ----------
    target_sense
        ``(n_rules,)`` the number of the sense that each rule was made for.
    covered
        ``(n_senses, n_senses)``: row y has the weight, by sense, of the training instances that at
        least one rule for y is true of (in a list: that they answer).
    prior
        ``(n_senses,)`` the weight of all training instances of each sense.
    """

    target_sense: Ints
    covered: Floats
    prior: Floats


class Fitted(ABC):
    """What a learner makes of a question matrix with outcomes.

    A subclass is a frozen dataclass of senses, questions and arrays. It must have the abstract
    methods. The other methods say that there is nothing of the kind, unless it has them too.

    Attributes
    ----------
    KIND
        The name of the class in model files.
    is_ordered
        Whether the first true question alone answers. Only subclasses of
        :class:`~wsdlist.learners.fitted.ordered.OrderedRules` say so: many of them are asked
        together, which is quicker, and people may edit them.
    senses
        The labels, in the order of the columns of :meth:`predict_proba`.
    questions
        The questions that must be asked of an instance to predict its sense.
    """

    KIND: ClassVar[str]
    is_ordered: ClassVar[bool] = False
    senses: tuple[str, ...]
    questions: Sequence[Question]

    @property
    @abstractmethod
    def size(self) -> Size:
        """The number of rules (or weights), and of conditions in them."""

    @property
    def n_rules(self) -> int:
        """The number of rules, or weights."""
        return self.size.rules

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of an ordered list, without the default."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines on how it was learned."""
        return ()

    @property
    def is_set_by_hand(self) -> bool:
        """Whether a person set some probability."""
        return False

    def asker(self) -> Ask:
        """Return the function that turns instances into the matrix that the other methods take.

        It answers :attr:`questions`. A family that needs more of an instance overrides it.
        """
        return asker(self.questions)

    @abstractmethod
    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities; rows sum to 1."""

    def answer(self, matrix: QuestionMatrix) -> list[Answer]:
        """Return the answer to each row: the most probable sense, the first of equal ones."""
        answers = []
        for row in self.predict_proba(matrix).tolist():
            distribution = dict(zip(self.senses, row, strict=True))
            best = max(distribution, key=lambda sense: distribution[sense])
            answers.append(Answer(best, distribution[best], distribution))
        return answers

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return what spoke for the answer to a row."""
        return Evidence()

    @abstractmethod
    def table(self, top: int | None = None) -> RuleTable:
        """Return what was learned as people read it, the first ``top`` rules or all."""

    def grown(self, matrix: QuestionMatrix, top: int | None = None) -> RuleTable | None:
        """Return the rules that were grown to answer rows; None if none ever is."""
        return None

    def coverage(self) -> Coverage | None:
        """Return how the rules cover training; None if they are not made for senses."""
        return None

    def sense_counts(self) -> dict[str, float] | None:
        """Return the weight of the training instances by sense; None if rules do not show it."""
        return None

    def by_size(self, matrix: QuestionMatrix, *, from_the_end: bool) -> Iterator[Ints] | None:
        """Yield ``(n_rows,)`` numbers of senses: the answers of 0, 1, 2 ... of the rules.

        Parameters
        ----------
        matrix
            What rows answer to the questions.
        from_the_end
            Whether the last rules are taken first, because they were learned first.

        Returns
        -------
        Iterator
            None if there are no rules to take one after another.
        """
        return None

    def senses_of_rules(self) -> list[str]:
        """Return the sense of each rule, and that of the default last; [] if no rule answers."""
        return []

    @property
    def answered(self) -> Ints | None:
        """``(n_rows,)`` the rule that answers each training row; None if it is not kept."""
        return None

    def without_training_rows(self) -> Fitted:
        """Return the same without what only training needs."""
        return self

    @abstractmethod
    def to_record(self) -> dict[str, Any]:
        """Return everything as JSON data, with :attr:`KIND` as ``kind``."""

    @classmethod
    @abstractmethod
    def from_record(cls, record: dict[str, Any]) -> Fitted:
        """Make it of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()
