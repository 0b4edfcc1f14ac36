"""Rules that change an answer, tried one after another (transformation-based learning)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.records import (
    check_distributions,
    check_labels,
    check_shape,
    fields_from_record,
    fields_to_record,
    key,
)
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import MOST_EVIDENCE, Evidence, Fitted, RuleTable, Size


@dataclass(frozen=True, eq=False)
class Transformations(Fitted):
    """A sequence of rules, tried in order: if the question is true, ``old`` becomes ``new``.

    Parameters
    ----------
    senses
        The labels.
    questions
        The questions, each once.
    asked
        ``(n_rules,)`` the number of each rule's question.
    old, new
        ``(n_rules,)`` the numbers of the senses before and after.
    net
        ``(n_rules,)`` how many errors fewer (by weight) each rule left in training.
    initial
        The number of the sense with which all instances start, the most frequent one.
    probabilities
        ``(n_rules + 1, n_senses)`` the probabilities of instances by the last rule that changed
        them; the last row is for those that no rule changed. The learner itself has none: these are
        discounted training counts.
    """

    KIND: ClassVar[str] = "transformations"

    senses: tuple[str, ...]
    questions: Sequence[Question]
    asked: Ints
    old: Ints
    new: Ints
    net: Floats
    initial: int
    probabilities: Floats

    @property
    def n_rules(self) -> int:
        """The number of rules."""
        return len(self.asked)

    @property
    def size(self) -> Size:
        """The number of rules, and of conditions in them."""
        conditions = sum(len(self.questions[number].conditions) for number in self.asked.tolist())
        return Size(len(self.asked), conditions)

    def apply(self, matrix: QuestionMatrix) -> tuple[Ints, Ints]:
        """Return ``(n_rows,)`` senses, and the rule that changed each last (``n_rules``: none)."""
        columns = matrix.asked(self.questions).by_question
        sense = np.full(matrix.n_rows, self.initial)
        last = np.full(matrix.n_rows, len(self.asked))
        rules = zip(self.asked.tolist(), self.old, self.new, strict=True)
        for number, (question, old, new) in enumerate(rules):
            rows = columns.indices[columns.indptr[question] : columns.indptr[question + 1]]
            changed = rows[sense[rows] == old]
            sense[changed], last[changed] = new, number
        return sense, last

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities; the greatest is that of the answer."""
        sense, last = self.apply(matrix)
        probabilities: Floats = self.probabilities[last].copy()
        rows = np.arange(len(probabilities))
        best = probabilities.argmax(axis=1)
        probabilities[rows, best], probabilities[rows, sense] = (
            probabilities[rows, sense],
            probabilities[rows, best],
        )
        return probabilities

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return the rules that changed a row's answer, the last one first, and their net gain."""
        asked = matrix.take([row]).asked(self.questions)
        true = {int(question) for _, questions in asked.pairs() for question in questions}
        sense, changed = self.initial, []
        for question, old, new, net in self._steps():
            if question in true and sense == old:
                sense = new
                changed.append((self.questions[question], net))
        return Evidence(weights=tuple(changed[::-1][:MOST_EVIDENCE]))

    def _steps(self) -> Iterator[tuple[int, int, int, float]]:
        """Yield each rule: its question, the senses before and after, the net gain."""
        columns = (self.asked, self.old, self.new, self.net)
        yield from zip(*(column.tolist() for column in columns), strict=True)

    def table(self, top: int | None = None) -> RuleTable:
        """Return the rules in the order in which they are tried."""
        rows = tuple(
            (
                str(self.questions[question]),
                f"{self.senses[old]} -> {self.senses[new]}",
                f"{net:g} errors less",
            )
            for question, old, new, net in islice(self._steps(), top)
        )
        start = f"all start as {self.senses[self.initial]}; then, in this order:"
        return RuleTable(rows, left=2, before=(start,), left_out=self.n_rules - len(rows))

    def to_record(self) -> dict[str, Any]:
        """Return the rules as JSON data."""
        rules = [
            {
                **fields_to_record(
                    _StepRecord(self.questions[question], self.senses[old], self.senses[new], net)
                ),
                "text": str(self.questions[question]),
            }
            for question, old, new, net in self._steps()
        ]
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "initial": self.senses[self.initial],
            "rules": rules,
            "probabilities": self.probabilities.tolist(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Transformations:
        """Make rules of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(_TransformationsRecord, record)
        senses = read.senses
        check_labels("initial", [read.initial], senses)
        check_labels(
            "rules", [sense for rule in read.rules for sense in (rule.old, rule.new)], senses
        )
        check_shape("probabilities", read.probabilities, (len(read.rules) + 1, len(senses)))
        check_distributions("probabilities", read.probabilities)
        questions, asked = each_once([rule.question for rule in read.rules])
        return cls(
            senses,
            questions,
            asked,
            np.array([senses.index(rule.old) for rule in read.rules], np.int64),
            np.array([senses.index(rule.new) for rule in read.rules], np.int64),
            np.array([rule.net for rule in read.rules], float),
            senses.index(read.initial),
            read.probabilities,
        )


@dataclass(frozen=True)
class _StepRecord:
    question: Question = field(metadata=key("if"))
    old: str = field(metadata=key("from"))
    new: str = field(metadata=key("then"))
    net: float


@dataclass(frozen=True)
class _TransformationsRecord:
    senses: tuple[str, ...]
    initial: str
    rules: tuple[_StepRecord, ...]
    probabilities: Floats


def each_once(questions: Sequence[Question]) -> tuple[tuple[Question, ...], Ints]:
    """Return the distinct questions, and ``(n_questions,)`` the number of each among them."""
    number = {question: n for n, question in enumerate(dict.fromkeys(questions))}
    asked: Ints = np.array([number[question] for question in questions], dtype=np.int64)
    return tuple(number), asked
