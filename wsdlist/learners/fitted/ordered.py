"""Rules in order, the default last: what all decision lists share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from wsdlist.data.arrays import Bools, Floats, Ints
from wsdlist.data.records import Count, RecordError, check_distributions, fields_from_record
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import Answer, Evidence, Fitted, RuleTable, Size
from wsdlist.learners.fitted.rules import Rule, exact


@dataclass(frozen=True, eq=False)
class OrderedRules(Fitted):
    """Rules in order; the first one whose question is true answers, else the default.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_rules`` questions, the first to be asked first.
    probabilities, counts
        ``(n_rules + 1, n_senses)``; the last row is the default's.
    supports
        ``(n_rules + 1,)`` the weight of the training instances that each rule answers. They add up
        to the weight of all.
    gains
        ``(n_rules,)`` what each rule is worth, by :attr:`measure`.
    discount
        d of the absolute discounting that made the probabilities.
    set_by_hand
        ``(n_rules + 1,)`` whether a person set a rule's probabilities; None if nobody did. See
        :mod:`wsdlist.models.editing`.
    answered
        ``(n_rows,)`` which rule answers each row of the training data. Files do not keep it.
    """

    KIND: ClassVar[str] = "decision-list"
    is_ordered: ClassVar[bool] = True
    gains_depend_on_order: ClassVar[bool]  # on the rules after each, as bits saved do

    senses: tuple[str, ...]
    questions: Sequence[Question]
    probabilities: Floats
    counts: Floats
    supports: Floats
    gains: Floats
    discount: float
    set_by_hand: Bools | None = None
    answered: Ints | None = None

    @property
    @abstractmethod
    def measure(self) -> str:
        """What :attr:`gains` are, as the header of a column."""

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, without the default."""
        return tuple(self.rule(place) for place in range(len(self.questions)))

    @property
    def default(self) -> Rule:
        """The rule that answers if no question is true."""
        return self.rule(len(self.questions))

    def rule(self, place: int) -> Rule:
        """Return the rule at a place, counted from 0; the default is the last."""
        is_default = place == len(self.questions)
        return Rule(
            Question() if is_default else self.questions[place],
            self._by_sense(self.probabilities[place]),
            self._by_sense(self.counts[place]),
            float(self.supports[place]),
            0.0 if is_default else float(self.gains[place]),
            set_by_hand=self.set_by_hand is not None and bool(self.set_by_hand[place]),
        )

    def _by_sense(self, values: Floats) -> dict[str, float]:
        return dict(zip(self.senses, values.tolist(), strict=True))

    @property
    def is_set_by_hand(self) -> bool:
        """Whether a person set some probability."""
        return self.set_by_hand is not None

    @property
    def n_rules(self) -> int:
        """The number of rules, without the default."""
        return len(self.questions)

    @property
    def size(self) -> Size:
        """The number of rules without the default, and of conditions in them."""
        return Size(len(self.questions), sum(len(q.conditions) for q in self.questions))

    def first_true(self, matrix: QuestionMatrix) -> Ints:
        """Return ``(n_rows,)`` the place of the rule that answers; ``n_rules`` is the default."""
        return first_true(matrix.asked(self.questions))

    def true(self, matrix: QuestionMatrix, row: int) -> list[int]:
        """Return the places of all rules that are true of a row, ending in ``n_rules``.

        The first one answers. The others would, in this order, if those before them were not there.
        """
        pairs = matrix.take([row]).asked(self.questions).pairs()
        true = {place for _, places in pairs for place in places.tolist()}
        return [*sorted(true), len(self.questions)]

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities: those of the first rule that is true."""
        probabilities: Floats = self.probabilities[self.first_true(matrix)]
        return probabilities

    def answer(self, matrix: QuestionMatrix) -> list[Answer]:
        """Return the answer to each row: that of the first rule that is true."""
        return [self.answer_of(place) for place in self.first_true(matrix).tolist()]

    def answer_of(self, place: int) -> Answer:
        """Return the answer of the rule at a place, counted from 0; the default is the last."""
        if place not in self._answers:
            rule, is_default = self.rule(place), place == len(self.questions)
            self._answers[place] = Answer(
                rule.sense,
                rule.probability,
                rule.probabilities,
                None if is_default else place + 1,
                rule.question,
                "the default answered" if is_default else "",
            )
        return self._answers[place]

    @cached_property
    def _answers(self) -> dict[int, Answer]:
        return {}

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return the rules that are true of a row, and the arithmetic of the first."""
        places = self.true(matrix, row)
        n = len(self.questions)
        return Evidence(
            tuple((place + 1 if place < n else None, self.rule(place)) for place in places),
            n,
            tuple(self.arithmetic(places[0], sense) for sense in self.senses),
        )

    def arithmetic(self, place: int, sense: str) -> str:
        """Return how a rule's probability of a sense follows from its counts, as one line.

        The right-hand side is an expression whose value is the probability.
        """
        rule = self.rule(place)
        if rule.set_by_hand:
            return f"P({sense}) = {round(rule.probabilities[sense], 12)!r} by hand"
        return self._arithmetic(rule, sense, is_default=place == len(self.questions))

    @abstractmethod
    def _arithmetic(self, rule: Rule, sense: str, *, is_default: bool) -> str:
        """Return :meth:`arithmetic` for a rule whose probabilities were counted."""

    def _discounting(self, counts: dict[str, float], sense: str, prior: str) -> str:
        """Return the formula of :func:`wsdlist.learners.smoothing.discounted` with its numbers."""
        count, d, total = exact(counts[sense]), exact(self.discount), sum(counts.values())
        freed = exact(round(sum(min(C, self.discount) for C in counts.values()), 10))
        return f"(max({count} - {d}, 0) + {freed} * {prior}) / {exact(total)}"

    def table(self, top: int | None = None) -> RuleTable:
        """Return the list as IF, ELSE IF, ELSE."""
        shown = self.rules[:top]
        rows = [("ELSE IF" if place else "IF", *rule.cells()) for place, rule in enumerate(shown)]
        return RuleTable(
            (*rows, ("ELSE", *self.default.cells(is_default=True))),
            ("", "question", "sense", "probability", "count", "support", self.measure),
            left=3,
            left_out=self.n_rules - len(shown),
            ends_in_default=True,
            long_column=1,
        )

    def sense_counts(self) -> dict[str, float]:
        """Return the weight of training instances by sense."""
        return self.default.counts

    def by_size(self, matrix: QuestionMatrix, *, from_the_end: bool) -> Iterator[Ints]:
        """Yield ``(n_rows,)`` numbers of senses: the answers of the default and 0, 1, 2 ... rules.

        Parameters
        ----------
        matrix
            What rows answer to the questions.
        from_the_end
            Whether the last rules are taken first, because they were learned first.
        """
        number = {sense: n for n, sense in enumerate(self.senses)}
        senses = np.array([number[sense] for sense in self.senses_of_rules()])
        n = self.n_rules
        if not from_the_end:
            first = self.first_true(matrix)
            for size in range(n + 1):
                yield senses[np.where(first < size, first, n)]
            return
        true = np.zeros((matrix.n_rows, n), dtype=bool)
        for rows, places in matrix.asked(self.questions).pairs():
            true[rows, places] = True
        now = np.full(matrix.n_rows, senses[n])
        yield now
        for place in range(n - 1, -1, -1):
            now = np.where(true[:, place], senses[place], now)
            yield now

    def senses_of_rules(self) -> list[str]:
        """Return the sense of each rule, and that of the default last."""
        return [rule.sense for rule in (*self.rules, self.default)]

    def without_training_rows(self) -> Self:
        """Return the list without :attr:`answered`."""
        return replace(self, answered=None)

    def recounted(self, counts: Floats, reached: Floats, gains: Callable[[Floats], Floats]) -> Self:
        """Return the same rules with the numbers of other training instances.

        Probabilities that a person set stay.

        Parameters
        ----------
        counts, reached
            ``(n_rules + 1, n_senses)`` C(q, y), and R(y), the weight of the instances that each
            rule answers.
        gains
            Returns the ``(n_rules,)`` bits that rules save, given ``(n_rules + 1, n_senses)``
            probabilities.
        """
        probabilities, others = self._numbers_from(counts, reached, gains)
        if self.set_by_hand is not None:
            probabilities[self.set_by_hand] = self.probabilities[self.set_by_hand]
        return replace(
            self,
            probabilities=probabilities,
            counts=counts,
            supports=reached.sum(axis=1),
            **others,
        )

    @abstractmethod
    def _numbers_from(
        self, counts: Floats, reached: Floats, gains: Callable[[Floats], Floats]
    ) -> tuple[Floats, dict[str, Any]]:
        """Return the counted probabilities, and the other fields of the subclass that change."""

    def with_rules(self, rules: Sequence[Rule], default: Rule) -> Self:
        """Return a list of the same kind with other rules."""
        return replace(self, **self._fields_of(self.senses, [*rules, default]), answered=None)

    @classmethod
    def _fields_of(cls, senses: tuple[str, ...], rules: Sequence[Rule]) -> dict[str, Any]:
        """Return the fields that rules fill; the last rule is the default."""
        by_hand = np.array([rule.set_by_hand for rule in rules])
        return {
            "questions": tuple(rule.question for rule in rules[:-1]),
            "probabilities": np.array([[r.probabilities[s] for s in senses] for r in rules], float),
            "counts": np.array([[r.counts[s] for s in senses] for r in rules], float),
            "supports": np.array([rule.support for rule in rules], float),
            "gains": np.array([rule.gain for rule in rules[:-1]], float),
            "set_by_hand": by_hand if by_hand.any() else None,
        }

    def to_record(self) -> dict[str, Any]:
        """Return the list as JSON data; it is all that is needed to predict."""
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "discount": self.discount,
            "rules": [rule.to_record() for rule in self.rules],
            "default": self.default.to_record(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> OrderedRules:
        """Make a list of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(ListRecord, record)
        rules = (*read.rules, read.default)
        for place, rule in enumerate(rules):
            _check_rule(rule, read.senses, "default" if rule is read.default else f"rules[{place}]")
        fitted = cls._of(read, cls._fields_of(read.senses, rules))
        check_distributions("rules", fitted.probabilities)
        return fitted

    @classmethod
    @abstractmethod
    def _of(cls, record: ListRecord, fields: dict[str, Any]) -> OrderedRules:
        """Make a list of a record and of the fields that its rules fill."""


def _check_rule(rule: Rule, senses: Sequence[str], path: str) -> None:
    """Refuse a rule of other senses, or without counts that its probabilities follow from.

    Raises
    ------
    RecordError
        When it is one.
    """
    numbers = {"probabilities": rule.probabilities, "counts": rule.counts}
    if rule.reached_counts is not None:
        numbers["residue"] = rule.reached_counts
    for name, values in numbers.items():
        if set(values) != set(senses):
            raise RecordError("are not of the senses of the list", f"{path}.{name}")
        may_be_unknown = rule.set_by_hand and path != "default"
        if any(value != value for value in values.values()) and not may_be_unknown:
            raise RecordError("are not known, and no person set probabilities", f"{path}.{name}")


@dataclass(frozen=True)
class ListRecord:
    """A list of rules as model files have it; only sense rules have ``measure`` and ``note``."""

    senses: tuple[str, ...]
    discount: Count
    rules: tuple[Rule, ...]
    default: Rule
    measure: str = ""
    note: str = ""


def first_true(matrix: QuestionMatrix) -> Ints:
    """Return ``(n_rows,)`` the number of the first true question; ``n_questions`` if none is."""
    first = np.full(matrix.n_rows, matrix.n_questions)
    for rows, questions in matrix.pairs():
        np.minimum.at(first, rows, questions)
    return first


def place_of_rows(matrix: QuestionMatrix, chosen: Sequence[int]) -> Ints:
    """Return ``(n_rows,)`` the place of the first true question in a list of chosen ones.

    This is :func:`first_true` of these questions, computed from the rows of each question.
    """
    if "by_row" not in matrix.__dict__ and not matrix.are_single:
        return first_true(matrix.select(np.asarray(chosen, dtype=np.int64)))
    first = np.full(matrix.n_rows, len(chosen))
    for place in range(len(chosen) - 1, -1, -1):
        first[matrix.rows(chosen[place])] = place
    return first
