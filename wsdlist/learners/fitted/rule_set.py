"""A set of rules that vote: none comes before another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Literal

import numpy as np

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.data.records import (
    Count,
    RecordError,
    check_labels,
    check_shape,
    fields_from_record,
    fields_to_record,
    key,
)
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.layout import number, weight
from wsdlist.learners.fitted.base import (
    MOST_EVIDENCE,
    Coverage,
    Evidence,
    Fitted,
    RuleTable,
    Size,
)
from wsdlist.learners.fitted.sense_rules import Learned, covers, favour, question_of
from wsdlist.learners.search.bits import Cases
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram

VOTES = {
    "counts": "the counts of all rules that are true are added up",
    "score": "the values of all rules that are true are added up",
    "best": "the true rule of greatest value answers",
}


@dataclass(frozen=True, eq=False)
class RuleSet(Fitted):
    """Rules, each for a sense, and how they come to one answer.

    Parameters
    ----------
    senses
        The labels.
    conjunctions
        ``n_rules`` questions, one per rule.
    target_sense
        ``(n_rules,)`` the number of the sense that each rule is for.
    counts
        ``(n_rules + 1, n_senses)`` C(q, y), the weight of training instances for which the question
        is true; the last row has the weight of all.
    values
        ``(n_rules,)`` what each rule is worth, by ``measure``.
    default
        The number of the sense that answers if nothing is true.
    resolve
        ``counts``: the counts of all rules that are true are added up, and the greatest sum answers
        (CN2). ``score``: the values of the true rules of each sense are added up; if no rule is
        true, each counts by the share of its conditions that are true (ELEM2). ``best``: the true
        rule of greatest value answers, the first of equal ones; if no rule is true, as ``score``.
    measure
        What the values are.
    covered
        ``(n_senses, n_senses)``: row y has the weight, by sense, of the training instances that at
        least one rule for y is true of.
    """

    KIND: ClassVar[str] = "rule-set"

    senses: tuple[str, ...]
    questions: Sequence[Question] = field(init=False)
    conjunctions: Sequence[Question]
    target_sense: Ints
    counts: Floats
    values: Floats
    default: int
    resolve: str
    measure: str
    covered: Floats

    def __post_init__(self) -> None:
        # the conditions of all rules are asked, each by itself and once
        conditions = {c: None for question in self.conjunctions for c in question.conditions}
        object.__setattr__(self, "questions", tuple(Question((c,)) for c in conditions))

    @property
    def n_rules(self) -> int:
        """The number of rules, without the default."""
        return len(self.target_sense)

    @property
    def size(self) -> Size:
        """The number of rules without the default, and of conditions in them."""
        return Size(self.n_rules, sum(len(question.conditions) for question in self.conjunctions))

    def matched(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_rules)`` shares, 0 to 1, of each rule's conditions that are true."""
        asked = matrix.asked(self.questions).by_row.toarray().astype(np.float64)
        number = {question.conditions[0]: n for n, question in enumerate(self.questions)}
        shares = np.ones((matrix.n_rows, self.n_rules))
        for rule, question in enumerate(self.conjunctions):
            if question.conditions:
                shares[:, rule] = asked[:, [number[c] for c in question.conditions]].mean(axis=1)
        return shares

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities, the greatest that of the set's answer.

        They are the discounted (d = 0.5) sums of the counts of the rules that are true.
        """
        matched = self.matched(matrix)
        true = (matched == 1).astype(np.float64)
        none = ~(true > 0).any(axis=1)
        summed = true @ self.counts[:-1]
        answer = summed.argmax(axis=1)
        if self.resolve != "counts":
            member = (self.target_sense[:, None] == np.arange(len(self.senses))).astype(np.float64)
            votes = np.where(none[:, None], matched, true) * self.values
            scores = votes @ member
            # a sense without a true rule has no score, which may be above a negative one
            scores[(np.where(none[:, None], matched > 0, true) @ member) == 0] = -np.inf
            answer = scores.argmax(axis=1)
            if self.resolve == "best" and self.n_rules:
                best = np.where(true > 0, self.values, -np.inf).argmax(axis=1)
                answer = np.where(none, answer, self.target_sense[best])
            none = np.isinf(scores).all(axis=1)
        answer[none] = self.default
        P = discounted(summed, unigram(self.counts[-1]), ANSWER_DISCOUNT)
        return favour(P, answer)

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return what the rules that answered add for the answer (above 0) or against it.

        If counts vote, a rule adds its count of the answer less its greatest count of another
        sense. Otherwise it adds its value, or takes it off if it is for another sense. If no rule
        is true, the share of its conditions that are true is a factor of the value.
        """
        asked = matrix.take([row])
        answer = int(self.predict_proba(asked)[0].argmax())
        matched = self.matched(asked)[0]
        true = np.flatnonzero(matched == 1)
        if self.resolve == "counts":
            others = np.delete(self.counts[true], answer, axis=1).max(axis=1, initial=0)
            added = self.counts[true, answer] - others
        else:
            true = true if len(true) else np.flatnonzero(matched > 0)
            sign = np.where(self.target_sense[true] == answer, 1, -1)
            added = matched[true] * self.values[true] * sign
        order = np.argsort(-np.abs(added), kind="stable")[:MOST_EVIDENCE].tolist()
        weights = ((self.conjunctions[int(true[n])], float(added[n])) for n in order)
        return Evidence(weights=tuple(weights))

    def coverage(self) -> Coverage:
        """Return what the rules of each sense are true of in training."""
        return Coverage(self.target_sense, self.covered, self.counts[-1])

    def table(self, top: int | None = None) -> RuleTable:
        """Return the rules, each with its sense, its value and its counts."""
        rows = []
        rules = zip(self.conjunctions, self.target_sense, self.counts, self.values, strict=False)
        for question, sense, counts, value in islice(rules, top):
            shares = zip(self.senses, counts, strict=True)
            counted = ", ".join(f"{name} {weight(C)}" for name, C in shares if C)
            rows.append(("IF", str(question), self.senses[sense], number(value, 2), counted))
        none = f"none is true: {self.senses[self.default]}"
        if self.resolve != "counts":
            none = "none is true: each counts by the share of its conditions that hold"
        return RuleTable(
            tuple(rows),
            ("", "question", "sense", self.measure, "counts"),
            left=3,
            before=(f"{self.n_rules} rules; {VOTES[self.resolve]}",),
            after=(none,),
            left_out=self.n_rules - len(rows),
        )

    def to_record(self) -> dict[str, Any]:
        """Return the set as JSON data."""
        rules = [
            {
                **fields_to_record(_RuleRecord(question, self.senses[sense], tuple(counts), value)),
                "text": str(question),
            }
            for question, sense, counts, value in zip(
                self.conjunctions,
                self.target_sense.tolist(),
                self.counts.tolist(),
                self.values.tolist(),
                strict=False,  # the last counts are the default's
            )
        ]
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "rules": rules,
            "total": self.counts[-1].tolist(),
            "default": self.senses[self.default],
            "resolve": self.resolve,
            "measure": self.measure,
            "covered": self.covered.tolist(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> RuleSet:
        """Make a set of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(_SetRecord, record)
        K = len(read.senses)
        rows = [*(rule.counts for rule in read.rules), read.total]
        for place, row in enumerate(rows):
            check_shape(f"rules[{place}].counts", np.array(row), (K,))
        if not sum(read.total) > 0:
            raise RecordError("has no instance", "total")
        check_shape("covered", read.covered, (K, K))
        check_labels("rules", [rule.sense for rule in read.rules], read.senses)
        check_labels("default", [read.default], read.senses)
        return cls(
            read.senses,
            tuple(rule.question for rule in read.rules),
            np.array([read.senses.index(rule.sense) for rule in read.rules], dtype=np.int64),
            np.array(rows, float).reshape(len(rows), K),
            np.array([rule.value for rule in read.rules], float),
            read.senses.index(read.default),
            read.resolve,
            read.measure,
            read.covered,
        )


@dataclass(frozen=True)
class _RuleRecord:
    question: Question = field(metadata=key("if"))
    sense: str = field(metadata=key("then"))
    counts: tuple[Count, ...]
    value: float


@dataclass(frozen=True)
class _SetRecord:
    senses: tuple[str, ...]
    rules: tuple[_RuleRecord, ...]
    total: tuple[Count, ...]
    default: str
    resolve: Literal["counts", "score", "best"]
    measure: str
    covered: Floats


def assemble_set(
    matrix: QuestionMatrix,
    cases: Cases,
    rules: Sequence[Learned],
    default: int,
    resolve: str,
    measure: str,
) -> RuleSet:
    """Make a set of rules that vote.

    Parameters
    ----------
    matrix, cases
        The training answers, as rows and as cases.
    rules, default
        The rules, and the number of the sense that answers if none is true.
    resolve, measure
        See :class:`RuleSet`.
    """
    true = covers(matrix, cases, rules)
    K = len(matrix.senses)

    def weights(rows: Any) -> Floats:
        return sums(matrix.outcome[rows], matrix.weight[rows], K)

    targets = np.array([rule.sense for rule in rules], dtype=np.int64)
    counts = [*(weights(rows) for rows in true), matrix.prior_counts()]
    return RuleSet(
        matrix.senses,
        tuple(question_of(matrix, cases, rule.tests) for rule in rules),
        targets,
        np.array(counts).reshape(-1, K),
        np.array([rule.value for rule in rules], dtype=np.float64),
        default,
        resolve,
        measure,
        np.array([weights(true[targets == sense].any(axis=0)) for sense in range(K)]),
    )
