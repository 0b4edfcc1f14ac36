"""Rules that vote: the votes of all true rules are added to those of the default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.records import (
    Count,
    check_labels,
    check_shape,
    fields_from_record,
    fields_to_record,
    key,
)
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.layout import number, weight
from wsdlist.learners.fitted.base import Evidence, Fitted, RuleTable, Size
from wsdlist.learners.smoothing import cost


@dataclass(frozen=True, eq=False)
class VotingRules(Fitted):
    """Rules, each of which adds bits to one sense when its question is true, or takes them off.

    The probability of a sense is proportional to 2 to the power of its sum of bits. The rule whose
    loss would cost most bits in training comes first.

    Parameters
    ----------
    senses
        The labels.
    questions
        The distinct questions of the rules, in the order of the rules.
    asked
        ``(n_rules,)`` the number of the question of each rule.
    target_sense
        ``(n_rules,)`` the number of the sense that each rule votes on.
    votes
        ``(n_rules,)`` the bits that each adds, as a multiple of ``unit``.
    bias
        ``(n_senses,)`` the bits of the default for each sense, as multiples of ``unit``.
    unit
        In bits. The multiples are whole numbers if the votes were rounded, so sums are exact.
    counts
        ``(n_rules, 2)`` the weight of the training instances that each question is true of, and of
        those among them that have the sense.
    worth
        ``(n_rules,)`` the bits that the training data would cost more without the rule.
    total
        ``(n_senses,)`` the weight of all training instances of each sense.
    """

    KIND: ClassVar[str] = "voting-rules"

    senses: tuple[str, ...]
    questions: Sequence[Question]
    asked: Ints
    target_sense: Ints
    votes: Floats
    bias: Floats
    unit: float
    counts: Floats
    worth: Floats
    total: Floats

    @property
    def n_rules(self) -> int:
        """The number of rules, without the default."""
        return len(self.votes)

    @property
    def size(self) -> Size:
        """The number of rules without the default, and of conditions in them."""
        conditions = sum(len(self.questions[n].conditions) for n in self.asked.tolist())
        return Size(self.n_rules, conditions)

    def _table(self) -> Floats:
        """Return ``(n_questions, n_senses)`` votes, 0 where there is no rule."""
        table = np.zeros((len(self.questions), len(self.senses)))
        table[self.asked, self.target_sense] = self.votes
        return table

    def bits(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)``: the sum of the bits for each sense."""
        summed: Floats = matrix.asked(self.questions).by_row @ self._table() + self.bias
        return summed * self.unit

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities."""
        return softmax(self.bits(matrix) * np.log(2))

    def by_size(self, matrix: QuestionMatrix, *, from_the_end: bool) -> Iterator[Ints]:
        """Yield the answers of the default, and of 1, 2 ... of the rules."""
        columns = matrix.asked(self.questions).by_question
        summed = np.tile(self.bias, (matrix.n_rows, 1))
        yield summed.argmax(axis=1)
        for question, sense, vote in zip(self.asked, self.target_sense, self.votes, strict=True):
            rows = columns.indices[columns.indptr[question] : columns.indptr[question + 1]]
            summed[rows, sense] += vote
            yield summed.argmax(axis=1)

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return the votes of the true rules, as a tally that a person can add up."""
        one = matrix.take([row])
        true = set(one.asked(self.questions).by_row.indices.tolist())
        bits = self.bits(one)[0]
        lead, bias = np.argsort(-bits, kind="stable").tolist(), self.bias * self.unit
        ahead = np.argsort(-bias, kind="stable").tolist()
        story = [f"default: {self.senses[ahead[0]]}"]
        if len(ahead) > 1:
            lead_of_default = bias[ahead[0]] - bias[ahead[1]]
            story[0] += f" {number(lead_of_default, 2)} bits ahead of {self.senses[ahead[1]]}"
        voting = [n for n, asked in enumerate(self.asked.tolist()) if asked in true]
        voting.sort(key=lambda n: -abs(self.votes[n]))
        for n in voting:
            rule = f"{self.senses[self.target_sense[n]]} {self._vote(n)}"
            story.append(f"rule {n + 1}: {self.questions[self.asked[n]]}: {rule}")
        story.append(", ".join(f"{self.senses[s]} {number(bits[s], 2)} bits" for s in lead[:2]))
        return Evidence(story=tuple(story))

    def _vote(self, rule: int) -> str:
        return f"{self.votes[rule] * self.unit:+.3g}"

    def table(self, top: int | None = None) -> RuleTable:
        """Return the rules with their votes in bits, counts, and what they are worth."""
        rows = []
        for n, (count, right) in islice(enumerate(self.counts.tolist()), top):
            rows.append(
                (
                    "IF",
                    str(self.questions[self.asked[n]]),
                    self.senses[self.target_sense[n]],
                    self._vote(n),
                    weight(count),
                    weight(right),
                    number(float(self.worth[n]), 2),
                )
            )
        by_bias = np.argsort(-self.bias, kind="stable").tolist()
        default = ", ".join(f"{self.senses[s]} {self.bias[s] * self.unit:+.3g}" for s in by_bias)
        return RuleTable(
            tuple(rows),
            ("", "question", "sense", "bits", "count", "of the sense", "worth"),
            left=3,
            before=(f"{self.n_rules} rules vote: the bits of all that are true are added up",),
            after=(f"DEFAULT {default}",),
            left_out=self.n_rules - len(rows),
            long_column=1,
        )

    def sense_counts(self) -> dict[str, float]:
        """Return the weight of the training instances by sense."""
        return dict(zip(self.senses, self.total.tolist(), strict=True))

    def to_record(self) -> dict[str, Any]:
        """Return the rules as JSON data; votes are multiples of ``unit``."""
        names = zip(self.asked.tolist(), self.target_sense.tolist(), strict=True)
        rules = [
            _RuleRecord(self.questions[asked], self.senses[sense], vote, count, right, worth)
            for (asked, sense), vote, (count, right), worth in zip(
                names,
                self.votes.tolist(),
                self.counts.tolist(),
                self.worth.tolist(),
                strict=True,
            )
        ]
        records = [{**fields_to_record(rule), "text": str(rule.question)} for rule in rules]
        of_all = {name: getattr(self, name).tolist() for name in ("bias", "total")}
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "unit": self.unit,
            "rules": records,
            **of_all,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> VotingRules:
        """Make rules of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(_VotingRecord, record)
        check_labels("rules", [rule.sense for rule in read.rules], read.senses)
        for name in ("bias", "total"):
            check_shape(name, np.array(getattr(read, name)), (len(read.senses),))
        number_of = {
            question: n
            for n, question in enumerate(dict.fromkeys(rule.question for rule in read.rules))
        }
        return cls(
            read.senses,
            tuple(number_of),
            np.array([number_of[rule.question] for rule in read.rules], dtype=np.int64),
            np.array([read.senses.index(rule.sense) for rule in read.rules], dtype=np.int64),
            np.array([rule.vote for rule in read.rules], dtype=np.float64),
            np.array(read.bias, dtype=np.float64),
            read.unit,
            np.array([(rule.count, rule.right) for rule in read.rules], float).reshape(-1, 2),
            np.array([rule.worth for rule in read.rules], dtype=np.float64),
            np.array(read.total, dtype=np.float64),
        )


@dataclass(frozen=True)
class _RuleRecord:
    question: Question = field(metadata=key("if"))
    sense: str = field(metadata=key("for"))
    vote: float
    count: Count
    right: Count = field(metadata=key("of_sense"))
    worth: float


@dataclass(frozen=True)
class _VotingRecord:
    senses: tuple[str, ...]
    unit: Count
    rules: tuple[_RuleRecord, ...]
    bias: tuple[float, ...]
    total: tuple[Count, ...]


def softmax(scores: Floats) -> Floats:
    """Return ``(n_rows, n_senses)`` probabilities of scores in nats."""
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def assemble(
    matrix: QuestionMatrix,
    counts: Floats,
    pairs: Ints,
    votes: Floats,
    bias: Floats,
    round_to: float,
) -> VotingRules:
    """Make rules of fitted votes: round them, leave out those of no vote, measure their worth.

    Parameters
    ----------
    matrix
        The training rows.
    counts
        ``(n_questions, n_senses)`` C(q, y).
    pairs
        ``(n, 2)`` the question and the sense of each rule.
    votes, bias
        ``(n,)`` and ``(n_senses,)``, in nats.
    round_to
        The unit of votes in bits, or 0.
    """
    unit = round_to or 1.0
    multiples, biases = votes / np.log(2) / unit, bias / np.log(2) / unit
    if round_to:
        multiples, biases = np.rint(multiples) + 0.0, np.rint(biases) + 0.0
    kept = np.flatnonzero(multiples)
    pairs, multiples = pairs[kept], multiples[kept]
    numbers, asked = np.unique(pairs[:, 0], return_inverse=True)
    unsorted = VotingRules(
        matrix.senses,
        [matrix.questions[n] for n in numbers.tolist()],
        asked.reshape(-1),
        pairs[:, 1],
        multiples,
        biases,
        unit,
        np.stack([counts[pairs[:, 0]].sum(axis=1), counts[pairs[:, 0], pairs[:, 1]]], axis=1),
        np.zeros(len(pairs)),
        matrix.prior_counts(),
    )
    worth = _worth(unsorted, matrix.select(numbers), matrix)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -worth))
    first_seen = list(dict.fromkeys(asked[order].tolist()))
    number_of = np.empty(len(numbers), dtype=np.int64)
    number_of[first_seen] = np.arange(len(numbers))
    return VotingRules(
        matrix.senses,
        tuple(unsorted.questions[n] for n in first_seen),
        number_of[asked[order]],
        pairs[order, 1],
        multiples[order],
        biases,
        unit,
        unsorted.counts[order],
        worth[order],
        unsorted.total,
    )


def _worth(rules: VotingRules, asked: QuestionMatrix, matrix: QuestionMatrix) -> Floats:
    """Return ``(n_rules,)``: the bits that training rows cost more without each rule."""
    P = softmax((asked.by_row @ rules._table() + rules.bias) * rules.unit * np.log(2))
    columns = asked.by_question
    worth = np.zeros(len(rules.votes))
    for n, (question, sense) in enumerate(zip(rules.asked, rules.target_sense, strict=True)):
        rows = columns.indices[columns.indptr[question] : columns.indptr[question + 1]]
        vote = rules.votes[n] * rules.unit
        p = P[rows, sense]
        # without the rule the denominator of the softmax is 1 - p + p 2^-vote times what it is
        more = vote * (matrix.outcome[rows] == sense) - cost(1 - p + p * 2.0**-vote)
        worth[n] = matrix.weight[rows] @ more
    return np.rint(worth * 2.0**20) / 2.0**20 + 0.0
