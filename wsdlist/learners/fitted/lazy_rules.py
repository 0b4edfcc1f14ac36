"""Training cases, and the rules that are grown from them when something is asked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.errors import ModelError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import Evidence, Fitted, RuleTable, Size
from wsdlist.learners.local import (
    Bayes,
    Bools,
    ListBase,
    Listed,
    Local,
    MajorityBase,
    NaiveBayesBase,
    NeighboursBase,
    Problem,
    row_of,
)

LEVEL = 0.05  # of the sign test


Antecedent = tuple[tuple[int, int], ...]  # (attribute, value), in the order they were added


_NAMES: dict[Any, str] = {
    NaiveBayesBase: "naive-bayes",
    MajorityBase: "majority",
    NeighboursBase: "knn",
    ListBase: "prepend",
}


@dataclass(eq=False)
class _Node:
    """An antecedent: its cases, the attributes left, and what is known of adding to it."""

    antecedent: Antecedent
    rows: Ints
    used: Bools
    local: Local
    carried: int = 0  # errors of the cases that were left behind, which Weka counts on
    tried: dict[tuple[int, int], tuple[int, Local] | None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class LazyRules(Fitted):
    """Training cases, and the rules that are grown from them when something is asked.

    Parameters
    ----------
    senses
        The labels.
    questions
        The conditions, each a question; those of one attribute stand together.
    attribute
        ``(n_questions,)`` the attribute of each.
    binary
        ``(n_attributes,)`` whether an attribute is one question, answered yes or no.
    problem
        The training cases.
    base
        The local classifier.
    min_cases, min_errors, weka
        See :class:`LazyRule`.
    cache_size
        How many antecedents are kept; what is kept changes no answer.
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
    cache: OrderedDict[Antecedent, _Node] = field(default_factory=OrderedDict)
    uses: dict[Antecedent, int] = field(default_factory=dict)

    @property
    def n_rules(self) -> int:
        """How many different rules were grown so far."""
        return len(self.uses)

    @property
    def size(self) -> Size:
        """The rules grown so far, and the conditions in them."""
        return Size(len(self.uses), sum(map(len, self.uses)))

    def codes(self, matrix: QuestionMatrix) -> Ints:
        """Return ``(n_rows, n_attributes)`` the values of new cases, -1 where they are missing."""
        return codes_of(matrix.asked(self.questions).by_row, self.attribute, self.binary)

    def grow(self, codes: Ints) -> _Node:
        """Grow the rule for a case (the paper's Table 1)."""
        node = self._node(())
        while (
            len(node.rows) >= self.min_cases
            and node.carried + node.local.wrong.sum() >= self.min_errors
        ):
            best: tuple[int, int] | None = None
            fewest = len(self.problem.codes) + 1
            for attribute, value in enumerate(codes.tolist()):
                if value < 0 or not node.used[self.problem.starts[attribute]]:
                    continue
                found = self._try(node, attribute, value)
                if found is not None and found[0] < fewest:
                    best, fewest = (attribute, value), found[0]
            if best is None:
                break
            node = self._node((*node.antecedent, best))
        return node

    def _try(self, node: _Node, attribute: int, value: int) -> tuple[int, Local] | None:
        """Return the errors when a condition is added, where they are significantly fewer."""
        key = (attribute, value)
        if key in node.tried:
            return node.tried[key]
        problem = self.problem
        inside = problem.codes[node.rows, attribute] == value
        made: tuple[int, Local] | None = None
        before = node.local.wrong[inside]
        # where even no error at all would not be significantly fewer, none is counted
        if sign_test(0, int(before.sum())) < LEVEL and not (self.weka and inside.all()):
            used = node.used & (problem.attribute != attribute)
            local = self.base.learn(problem, node.rows[inside], used)
            wrong = local.wrong
            only_new, only_old = int((wrong & ~before).sum()), int((before & ~wrong).sum())
            if sign_test(only_new, only_old) < LEVEL:
                made = (int(wrong.sum() + node.local.wrong[~inside].sum()), local)
        node.tried[key] = made
        return made

    def _node(self, antecedent: Antecedent) -> _Node:
        """Return what is known of an antecedent, from the cache where it is there."""
        if antecedent in self.cache:
            self.cache.move_to_end(antecedent)
            return self.cache[antecedent]
        problem = self.problem
        if not antecedent:
            rows = np.arange(len(problem.outcome))
            used = np.ones(problem.shown.shape[1], dtype=bool)
            made = _Node((), rows, used, self.base.learn(problem, rows, used))
        else:
            parent = self._node(antecedent[:-1])
            attribute, value = antecedent[-1]
            found = self._try(parent, attribute, value)
            assert found is not None
            inside = problem.codes[parent.rows, attribute] == value
            left = parent.carried + int(parent.local.wrong[~inside].sum()) if self.weka else 0
            used = parent.used & (problem.attribute != attribute)
            made = _Node(antecedent, parent.rows[inside], used, found[1], left)
        self.cache[antecedent] = made
        while self.cache_size is not None and len(self.cache) > self.cache_size:
            self.cache.popitem(last=False)
        return made

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities: those of the local classifiers."""
        codes = self.codes(matrix)
        made = np.zeros((len(codes), len(self.senses)))
        if not len(codes):
            return made
        unique, inverse = np.unique(codes, axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        times = np.bincount(inverse, minlength=len(unique))
        for number, (case, n) in enumerate(zip(unique, times.tolist(), strict=True)):
            node = self.grow(case)
            self.uses[node.antecedent] = self.uses.get(node.antecedent, 0) + n
            made[inverse == number] = node.local.distribution(case)
        return made

    def evidence(self, matrix: QuestionMatrix, row: int) -> Evidence:
        """Return how the rule of a row was grown, and what its local classifier says."""
        return Evidence(story=tuple(self.story(matrix, row)))

    def table(self, top: int | None = None) -> RuleTable:
        """Return what is kept; rules are there only for cases that are asked, see :meth:`grown`."""
        return RuleTable(before=(self._about(), "none was grown yet"))

    def _about(self) -> str:
        cases, attributes = self.problem.codes.shape
        return f"{cases} cases of {attributes} attributes; a rule is grown for each case asked"

    def grown(self, matrix: QuestionMatrix, top: int | None = None) -> RuleTable:
        """Return the rules that are grown for some rows, those used most first."""
        self.uses.clear()
        self.predict_proba(matrix)
        uses = sorted(self.uses.items(), key=lambda use: (-use[1], use[0]))
        rows = tuple((self.text(antecedent), str(times)) for antecedent, times in uses[:top])
        about = f"{len(uses)} grown for {sum(self.uses.values())} cases"
        return RuleTable(
            rows,
            ("rule", "cases"),
            before=(self._about(), about),
            left_out=len(uses) - len(rows),
        )

    def story(self, matrix: QuestionMatrix, row: int, most: int = 10) -> list[str]:
        """Say how a row is answered: the rule grown and its errors, the local prior, the evidence.

        Evidence is log P(v|c) of the best class less that of the second, in nats, where naive Bayes
        answers.
        """
        codes = self.codes(matrix.take([row]))[0]
        node, every = self.grow(codes), len(self.problem.outcome)
        made = [f"rule grown: {self.text(node.antecedent)} ({len(node.rows)} of {every} cases)"]
        for length in range(len(node.antecedent)):
            parent, added = self._node(node.antecedent[:length]), node.antecedent[length]
            tried = self._try(parent, *added)
            assert tried is not None
            errors = f"errors {int(parent.local.wrong.sum())} -> {tried[0]}"
            made.append(f"  {self.text((added,))}: {errors} of {len(parent.rows)}")
        if isinstance(node.local, Listed):
            number, asked = node.local.rule(codes), node.local.asked
            found = f"its default, behind {len(asked)} rules"
            if number < len(asked):
                question = self.text((self._condition(int(asked[number])),))
                found = f"its rule {number + 1} of {len(asked)}, {question}"
            made.append(f"local list: {found}")
        n_c = self.problem.member[node.rows].sum(axis=0)
        shares = zip(self.senses, n_c / n_c.sum(), strict=True)
        made.append("local prior: " + ", ".join(f"{s} {share:.3f}" for s, share in shares if share))
        if isinstance(node.local, Bayes) and len(self.senses) > 1:
            second, best = np.argsort(node.local.distribution(codes), kind="stable")[-2:]
            weights = node.local.table[:, best] - node.local.table[:, second]
            shown = np.flatnonzero(row_of(self.problem, codes) * weights)
            order = shown[np.argsort(-np.abs(weights[shown]), kind="stable")][:most]
            made.append(f"for {self.senses[best]} against {self.senses[second]}:")
            made += [
                f"  {weights[column]:+.3f}  {self.text((self._condition(column),))}"
                for column in order.tolist()
            ]
        return made

    def _condition(self, column: int) -> tuple[int, int]:
        """Return the attribute and value behind a column of :attr:`Problem.shown`."""
        attribute = int(self.problem.attribute[column])
        return attribute, column - int(self.problem.starts[attribute])

    def text(self, antecedent: Antecedent) -> str:
        """Return an antecedent as text."""
        first = np.searchsorted(self.attribute, np.arange(len(self.binary)))
        parts = []
        for attribute, value in antecedent:
            if self.binary[attribute]:
                text = str(self.questions[int(first[attribute])])
                parts.append(text if value else f"not {text}")
            else:
                parts.append(str(self.questions[int(first[attribute]) + value]))
        return " & ".join(parts) or "TRUE"

    def to_record(self) -> dict[str, Any]:
        """Return the cases as JSON data; rules are grown again when something is asked."""
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
        ModelError
            When the record is something else.
        """
        bases = {name: base for base, name in _NAMES.items()}
        try:
            senses = tuple(record["senses"])
            attribute = np.array(record["attribute"], dtype=np.int64)
            binary = np.array(record["binary"], dtype=bool)
            codes = np.array(record["codes"], dtype=np.int64).reshape(-1, len(binary))
            outcome = np.array(record["outcome"], dtype=np.int64)
            name, given = record["base"]
            return cls(
                senses,
                tuple(map(Question.from_record, record["questions"])),
                attribute,
                binary,
                Problem(codes, values_of(attribute, binary), outcome, len(senses)),
                bases[name](**given),
                record["min_cases"],
                record["min_errors"],
                record["weka"],
                record["cache_size"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"cases cannot be read: {error!r}", "train it anew") from None


def sign_test(only_new: int, only_old: int) -> float:
    """Return P(Bin(b + c, 1/2) <= b): the one-tailed pairwise sign test that errors became fewer.

    >>> round(sign_test(0, 5), 4), sign_test(0, 0)
    (0.0312, 1.0)
    """
    from scipy.special import bdtr

    return float(bdtr(only_new, only_new + only_old, 0.5))


def values_of(attribute: Ints, binary: Bools) -> Ints:
    """Return how many values each attribute has."""
    counts = np.bincount(attribute, minlength=len(binary))
    return np.where(binary, 2, counts)


def codes_of(yes: Any, attribute: Ints, binary: Bools) -> Ints:
    """Return ``(n_rows, n_attributes)`` values; a yes/no attribute has 0 for no and 1 for yes."""
    first = np.searchsorted(attribute, np.arange(len(binary)))
    codes = np.where(binary, 0, -1)[None].repeat(yes.shape[0], axis=0)
    rows, columns = yes.tocoo().coords
    which = attribute[columns]
    codes[rows, which] = np.where(binary[which], 1, columns - first[which])
    return codes.astype(np.int64)
