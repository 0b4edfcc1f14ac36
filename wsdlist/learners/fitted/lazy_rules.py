"""Training cases, from which rules are grown for the cases asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Bools, Floats, Ints
from wsdlist.data.records import RecordError, check_numbers, check_shape, fields_from_record
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners._lazy_growth import (
    Antecedent,
    LocalRule,
    Pair,
    PaperWays,
    RememberingGrowth,
    WekaWays,
)
from wsdlist.learners._local import (
    Bayes,
    ListBase,
    Listed,
    MajorityBase,
    NaiveBayesBase,
    NeighboursBase,
    Problem,
    row_of,
)
from wsdlist.learners.fitted.base import Evidence, Fitted, RuleTable, Size

_NAMES: dict[Any, str] = {
    NaiveBayesBase: "naive-bayes",
    MajorityBase: "majority",
    NeighboursBase: "knn",
    ListBase: "prepend",
}


@dataclass(frozen=True, eq=False)
class LazyRules(Fitted):
    """Training cases, from which rules are grown for the cases asked.

    There are no rules but these: :attr:`n_rules` and :attr:`size` are 0, whatever was asked.
    :meth:`grown` returns the rules of given cases.

    Parameters
    ----------
    senses
        The labels.
    questions
        The conditions, each a question; those of one attribute stand together.
    attribute
        ``(n_questions,)`` the number of each condition's attribute.
    binary
        ``(n_attributes,)`` whether an attribute is one question, answered yes or no.
    problem
        The training cases.
    base
        The local classifier.
    min_cases, min_errors, weka
        See :class:`wsdlist.learners.lazy._LazyRule`.
    cache_size
        For how many antecedents trials are kept; None for all. It changes no answer.
    """

    KIND: ClassVar[str] = "lazy-rule"

    senses: tuple[str, ...]
    questions: Sequence[Question]
    attribute: Ints
    binary: Bools
    problem: Problem
    base: Any
    min_cases: int
    min_errors: int
    weka: bool
    cache_size: int | None

    @cached_property
    def growth(self) -> RememberingGrowth:
        """The growth of rules, which keeps the trials of one case for the next."""
        ways = WekaWays() if self.weka else PaperWays()
        return RememberingGrowth(
            self.problem, self.base, self.min_cases, self.min_errors, ways, self.cache_size
        )

    @property
    def n_rules(self) -> int:
        """0: cases are kept, not rules."""
        return 0

    @property
    def size(self) -> Size:
        """No rules and no conditions: cases are kept, and rules are grown for those asked."""
        return Size(0, 0)

    def codes(self, matrix: QuestionMatrix) -> Ints:
        """Return ``(n_rows, n_attributes)`` values of new cases; -1 for a missing value."""
        return codes_of(matrix.asked(self.questions).by_row, self.attribute, self.binary)

    def grow(self, codes: Ints) -> LocalRule:
        """Grow the rule for a case, given its ``(n_attributes,)`` values (the paper's Table 1)."""
        return self.growth.grow(codes)

    def antecedents(self, matrix: QuestionMatrix) -> dict[Antecedent, int]:
        """Grow the rule of each row; return the antecedents and how many rows used each.

        The antecedents that most rows used come first, equal ones in the order of their conditions.
        """
        uses: dict[Antecedent, int] = {}
        cases, rows = _distinct_cases(self.codes(matrix))
        for case, same in zip(cases, rows, strict=True):
            antecedent = self.grow(case).antecedent
            uses[antecedent] = uses.get(antecedent, 0) + len(same)
        return dict(sorted(uses.items(), key=lambda use: (-use[1], use[0])))

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities: those of the local classifiers."""
        codes = self.codes(matrix)
        probabilities = np.zeros((len(codes), len(self.senses)))
        for case, same in zip(*_distinct_cases(codes), strict=True):
            probabilities[same] = self.grow(case).local.distribution(case)
        return probabilities

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return how the rule of a row was grown, and what its local classifier says."""
        return Evidence(story=tuple(self.story(matrix, row)))

    def table(self, top: int | None = None) -> RuleTable:
        """Return what is kept; only cases that are asked have rules, see :meth:`grown`."""
        return RuleTable(before=(self._about(), "none was grown yet"))

    def _about(self) -> str:
        cases, attributes = self.problem.codes.shape
        return f"{cases} cases of {attributes} attributes; a rule is grown for each case asked"

    def grown(self, matrix: QuestionMatrix, top: int | None = None) -> RuleTable:
        """Return the rules that are grown for some rows, those used most first."""
        uses = self.antecedents(matrix)
        rows = [(self.text(antecedent), str(times)) for antecedent, times in uses.items()]
        return RuleTable(
            tuple(rows[:top]),
            ("rule", "cases"),
            before=(self._about(), f"{len(uses)} grown for {sum(uses.values())} cases"),
            left_out=len(rows) - len(rows[:top]),
        )

    def story(self, matrix: QuestionMatrix, row: int, most: int = 10) -> list[str]:
        """Say how a row is answered: the rule grown and its errors, the local prior, the evidence.

        If naive Bayes answers, the evidence is log P(v|c) of the best class less that of the
        second, in nats. The ``most`` greatest weights are shown.
        """
        codes = self.codes(matrix.take([row]))[0]
        rule = self.grow(codes)
        n_cases = len(self.problem.outcome)
        lines = [f"rule grown: {self.text(rule.antecedent)} ({len(rule.rows)} of {n_cases} cases)"]
        shorter = self.growth.start
        for pair in rule.antecedent:
            trial = self.growth.trial(shorter, pair)
            assert trial is not None
            errors = f"errors {int(shorter.local.wrong.sum())} -> {trial.errors}"
            lines.append(f"  {self.text((pair,))}: {errors} of {len(shorter.rows)}")
            shorter = trial.rule
        if isinstance(rule.local, Listed):
            lines.append(self._listed_line(rule.local, codes))
        n_c = self.problem.member[rule.rows].sum(axis=0)
        shares = zip(self.senses, n_c / n_c.sum(), strict=True)
        prior = ", ".join(f"{sense} {share:.3f}" for sense, share in shares if share)
        lines.append(f"local prior: {prior}")
        if isinstance(rule.local, Bayes) and len(self.senses) > 1:
            lines += self._evidence_lines(rule.local, codes, most)
        return lines

    def _listed_line(self, local: Listed, codes: Ints) -> str:
        number, asked = local.rule(codes), local.asked
        if number == len(asked):
            return f"local list: its default, behind {len(asked)} rules"
        question = self.text((self._condition(int(asked[number])),))
        return f"local list: its rule {number + 1} of {len(asked)}, {question}"

    def _evidence_lines(self, local: Bayes, codes: Ints, most: int) -> list[str]:
        second, best = np.argsort(local.distribution(codes), kind="stable")[-2:]
        weights = local.table[:, best] - local.table[:, second]
        shown = np.flatnonzero(row_of(self.problem, codes) * weights)
        order = shown[np.argsort(-np.abs(weights[shown]), kind="stable")][:most]
        return [
            f"for {self.senses[best]} against {self.senses[second]}:",
            *(
                f"  {weights[column]:+.3f}  {self.text((self._condition(column),))}"
                for column in order.tolist()
            ),
        ]

    def _condition(self, column: int) -> Pair:
        """Return the attribute and the value of a column of :attr:`Problem.shown`."""
        attribute = int(self.problem.attribute[column])
        return attribute, column - int(self.problem.starts[attribute])

    def text(self, antecedent: Antecedent) -> str:
        """Return an antecedent as text."""
        first = np.searchsorted(self.attribute, np.arange(len(self.binary)))
        conditions = []
        for attribute, value in antecedent:
            if self.binary[attribute]:
                text = str(self.questions[int(first[attribute])])
                conditions.append(text if value else f"not {text}")
            else:
                conditions.append(str(self.questions[int(first[attribute]) + value]))
        return " & ".join(conditions) or "TRUE"

    def to_record(self) -> dict[str, Any]:
        """Return the cases as JSON data; rules are grown again for the cases asked."""
        return {
            "kind": self.KIND,
            "senses": list(self.senses),
            "questions": [question.to_record() for question in self.questions],
            "attribute": self.attribute.tolist(),
            "binary": self.binary.tolist(),
            "codes": self.problem.codes.tolist(),
            "outcome": self.problem.outcome.tolist(),
            "base": [_NAMES[type(self.base)], vars(self.base)],
            "min_cases": self.min_cases,
            "min_errors": self.min_errors,
            "weka": self.weka,
            "cache_size": self.cache_size,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> LazyRules:
        """Make it of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else.
        """
        read = fields_from_record(_CasesRecord, record)
        base = _base_from_record(*read.base)
        n_attributes, n_cases, K = len(read.binary), len(read.outcome), len(read.senses)
        if not n_cases:
            raise RecordError("has no case", "outcome")
        codes = read.codes if n_attributes else np.zeros((n_cases, 0), dtype=np.int64)
        check_shape("outcome", read.outcome, (n_cases,))
        check_shape("binary", read.binary, (n_attributes,))
        check_shape("codes", codes, (n_cases, n_attributes))
        check_shape("attribute", read.attribute, (len(read.questions),))
        check_numbers("attribute", read.attribute, n_attributes)
        check_numbers("outcome", read.outcome, K)
        asked = np.bincount(read.attribute, minlength=n_attributes)
        if (np.diff(read.attribute) < 0).any() or not asked.all() or (asked[read.binary] > 1).any():
            raise RecordError("does not give each attribute its questions, in order", "attribute")
        n_values = values_of(read.attribute, read.binary)
        check_numbers("codes", codes + 1, n_values + 1)  # -1 is a missing value
        return cls(
            read.senses,
            read.questions,
            read.attribute,
            read.binary,
            Problem(codes, n_values, read.outcome, K),
            base,
            read.min_cases,
            read.min_errors,
            read.weka,
            read.cache_size,
        )


def _base_from_record(name: str, given: dict[str, Any]) -> Any:
    bases = {name: base for base, name in _NAMES.items()}
    if name not in bases:
        raise RecordError(f"is {name!r}, no local classifier", "base[0]")
    try:
        return fields_from_record(bases[name], given)
    except RecordError as error:
        raise error.below("base[1]") from None
    except ParameterError as error:
        raise RecordError(f"is of no use: {error.what}", "base[1]") from None


@dataclass(frozen=True)
class _CasesRecord:
    senses: tuple[str, ...]
    questions: tuple[Question, ...]
    attribute: Ints
    binary: Bools
    codes: Ints
    outcome: Ints
    base: tuple[str, dict[str, Any]]
    min_cases: int
    min_errors: int
    weka: bool
    cache_size: int | None


def _distinct_cases(codes: Ints) -> tuple[Ints, list[Ints]]:
    """Return the distinct cases, and the rows that have each."""
    if not len(codes):
        return codes, []
    cases, inverse = np.unique(codes, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    order = np.argsort(inverse, kind="stable")
    return cases, np.split(order, np.cumsum(np.bincount(inverse))[:-1])


def values_of(attribute: Ints, binary: Bools) -> Ints:
    """Return ``(n_attributes,)``: how many values each attribute has."""
    counts = np.bincount(attribute, minlength=len(binary))
    return np.where(binary, 2, counts)


def codes_of(yes: Any, attribute: Ints, binary: Bools) -> Ints:
    """Return ``(n_rows, n_attributes)`` values, given ``(n_rows, n_questions)`` of what is true.

    A yes/no attribute has 0 for no and 1 for yes; a missing value of another one is -1.
    """
    first = np.searchsorted(attribute, np.arange(len(binary)))
    codes = np.where(binary, 0, -1)[None].repeat(yes.shape[0], axis=0)
    rows, columns = yes.tocoo().coords
    which = attribute[columns]
    codes[rows, which] = np.where(binary[which], 1, columns - first[which])
    return codes.astype(np.int64)
