"""A list of which each rule is smoothed towards what the rules after it say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.records import (
    Count,
    RecordError,
    check_shape,
    fields_from_record,
    fields_to_record,
    key,
)
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.layout import number, weight
from wsdlist.learners.fitted.base import Answer, Evidence, Fitted, RuleTable, Size
from wsdlist.learners.fitted.rules import exact
from wsdlist.learners.smoothing import discounted, unigram


@dataclass(frozen=True, eq=False)
class BackoffList(Fitted):
    """Rules in order: the first true one answers, smoothed towards the answer of those after it.

    P(y|x) = A(y) + B P'(y|x), where A are the discounted counts of the first true question, B is
    the share of its weight that the discount frees, and P' what the rules after it say of x. The
    default's P' is P(y), the share of each sense in training.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_rules`` questions, the first to be asked first.
    counts
        ``(n_rules, n_senses)`` C(q, y), the weight of the training instances of each sense that the
        question is true of.
    total
        ``(n_senses,)`` C(y).
    gains
        ``(n_rules,)`` the bits that each rule saved when it was put in front.
    discount
        d of absolute discounting.
    """

    KIND: ClassVar[str] = "backoff-list"

    senses: tuple[str, ...]
    questions: Sequence[Question]
    counts: Floats
    total: Floats
    gains: Floats
    discount: float

    @property
    def n_rules(self) -> int:
        """The number of rules, without the default."""
        return len(self.questions)

    @property
    def size(self) -> Size:
        """The number of rules without the default, and of conditions in them."""
        return Size(self.n_rules, sum(len(q.conditions) for q in self.questions))

    def _by_size(self, matrix: QuestionMatrix) -> Iterator[Floats]:
        """Yield the probabilities by the default, and by the last 1, 2 ... of the rules."""
        A, B = estimates(self.counts, self.discount)
        columns = matrix.asked(self.questions).by_question
        P = np.tile(unigram(self.total), (matrix.n_rows, 1))
        yield P
        for rule in range(len(self.questions) - 1, -1, -1):
            rows = columns.indices[columns.indptr[rule] : columns.indptr[rule + 1]]
            P[rows] = A[rule] + B[rule] * P[rows]
            yield P

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities."""
        *_, P = self._by_size(matrix)
        return P

    def by_size(self, matrix: QuestionMatrix, *, from_the_end: bool) -> Iterator[Ints] | None:
        """Yield the answers of the default, and of 1, 2 ... of the rules, the last ones first."""
        return (P.argmax(axis=1) for P in self._by_size(matrix)) if from_the_end else None

    def true(self, matrix: QuestionMatrix, row: int) -> list[int]:
        """Return the places of all rules that are true of a row, the one that answers first."""
        true: list[int] = sorted(matrix.take([row]).asked(self.questions).by_row.indices.tolist())
        return true

    def answer(self, matrix: QuestionMatrix) -> list[Answer]:
        """Return the answer to each row, with the first true rule."""
        asked = matrix.asked(self.questions).by_row
        answers = []
        for row, P in enumerate(self.predict_proba(matrix).tolist()):
            distribution = dict(zip(self.senses, P, strict=True))
            best = max(distribution, key=lambda sense: distribution[sense])
            true = asked.indices[asked.indptr[row] : asked.indptr[row + 1]]
            first = int(true.min()) if len(true) else None
            question = None if first is None else self.questions[first]
            place = None if first is None else first + 1
            answers.append(Answer(best, distribution[best], distribution, place, question))
        return answers

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return how the probability follows, from the default through all true rules."""
        P = unigram(self.total)
        best = int(self.predict_proba(matrix.take([row]))[0].argmax())
        sense, d = self.senses[best], exact(self.discount)
        story = [
            f"default: P({sense}) = {exact(self.total[best])} / {exact(self.total.sum())} = "
            f"{number(P[best])}"
        ]
        for rule in reversed(self.true(matrix, row)):
            counts, before = self.counts[rule], number(P[best])
            freed = float(np.minimum(counts, self.discount).sum())
            P = discounted(counts, P, self.discount)
            story.append(
                f"rule {rule + 1} of {self.n_rules}: {self.questions[rule]}: P({sense}) = "
                f"(max({exact(counts[best])} - {d}, 0) + {exact(freed)} * {before}) / "
                f"{exact(counts.sum())} = {number(P[best])}"
            )
        return Evidence(story=tuple(story))

    def table(self, top: int | None = None) -> RuleTable:
        """Return the rules with their counts, and the share that they leave to those after them."""
        A, B = estimates(self.counts, self.discount)
        rows = []
        for rule, question in islice(enumerate(self.questions), top):
            best = int(A[rule].argmax())
            rows.append(
                (
                    "IF" if rule == 0 else "ELIF",
                    str(question),
                    self.senses[best],
                    number(A[rule, best]),
                    number(B[rule]),
                    weight(self.counts[rule].sum()),
                    number(self.gains[rule], 2),
                )
            )
        of_all = np.argsort(-self.total, kind="stable")
        shares = ", ".join(
            f"{self.senses[y]} {number(unigram(self.total)[y])}" for y in of_all.tolist()
        )
        return RuleTable(
            tuple(rows),
            ("", "question", "sense", "P", "+ rest x", "count", "gain (bits)"),
            left=3,
            before=(f"{self.n_rules} rules; each adds its share of what the rules after it say",),
            after=(f"ELSE {shares}",),
            left_out=self.n_rules - len(rows),
            long_column=1,
        )

    def sense_counts(self) -> dict[str, float]:
        """Return the weight of the training instances by sense."""
        return dict(zip(self.senses, self.total.tolist(), strict=True))

    def to_record(self) -> dict[str, Any]:
        """Return the list as JSON data."""
        rules = [
            _RuleRecord(question, tuple(counts), gain)
            for question, counts, gain in zip(
                self.questions, self.counts.tolist(), self.gains.tolist(), strict=True
            )
        ]
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "discount": self.discount,
            "rules": [{**fields_to_record(rule), "text": str(rule.question)} for rule in rules],
            "total": self.total.tolist(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> BackoffList:
        """Make a list of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(_BackoffRecord, record)
        K = len(read.senses)
        for place, rule in enumerate(read.rules):
            check_shape(f"rules[{place}].counts", np.array(rule.counts), (K,))
            if not sum(rule.counts) > 0:
                raise RecordError("counts nothing", f"rules[{place}]")
        check_shape("total", np.array(read.total), (K,))
        if not sum(read.total) > 0:
            raise RecordError("has no instance", "total")
        return cls(
            read.senses,
            tuple(rule.question for rule in read.rules),
            np.array([rule.counts for rule in read.rules], float).reshape(-1, K),
            np.array(read.total, float),
            np.array([rule.gain for rule in read.rules], float),
            read.discount,
        )


@dataclass(frozen=True)
class _RuleRecord:
    question: Question = field(metadata=key("if"))
    counts: tuple[Count, ...]
    gain: float


@dataclass(frozen=True)
class _BackoffRecord:
    senses: tuple[str, ...]
    discount: Count
    rules: tuple[_RuleRecord, ...]
    total: tuple[Count, ...]


def estimates(counts: npt.ArrayLike, discount: float) -> tuple[Floats, Floats]:
    """Return A and B of absolute discounting: P(y|q, x) = A(y) + B P'(y|x).

    Parameters
    ----------
    counts
        ``(n, n_senses)`` C(q, y), not all 0.
    discount
        d.

    Returns
    -------
    tuple
        ``(n, n_senses)`` max(C(q,y) - d, 0) / C(q) and ``(n,)`` the mass that was freed, over C(q).
    """
    C = np.asarray(counts, dtype=np.float64)
    total = C.sum(axis=1)
    A: Floats = np.maximum(C - discount, 0) / total[:, None]
    B: Floats = np.minimum(C, discount).sum(axis=1) / total
    return A, B
