"""A list of rules that were made for senses; it adds the probabilities that their learners lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.data.records import RecordError, check_labels
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import Coverage
from wsdlist.learners.fitted.ordered import ListRecord, OrderedRules
from wsdlist.learners.fitted.rules import Rule, exact
from wsdlist.learners.search.bits import Cases, unpack
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram

TIE = 2.0**-30  # the probability that a rule's own sense gains if another is as probable


@dataclass(frozen=True, eq=False, kw_only=True)
class SenseRules(OrderedRules):
    """Rules in order, each made for a sense.

    A rule's own sense is always the most probable one, see :func:`favour`. The probabilities are
    the discounted counts of what each rule answers at its place.

    Parameters
    ----------
    target_sense
        ``(n_rules + 1,)`` the number of the sense of each rule, and of the default.
    reached_counts
        ``(n_rules + 1, n_senses)`` the supports by sense.
    heuristic
        The measure of :attr:`gains`.
    note
        A line on how the list was learned, if there is something to say.
    """

    gains_depend_on_order: ClassVar[bool] = False

    target_sense: Ints
    reached_counts: Floats
    heuristic: str
    note: str = ""

    @property
    def measure(self) -> str:
        """What the gains are."""
        return self.heuristic

    @property
    def notes(self) -> tuple[str, ...]:
        """The note, if there is one."""
        return (self.note,) if self.note else ()

    def rule(self, place: int) -> Rule:
        """Return the rule at a place, counted from 0; the default is the last."""
        return replace(
            super().rule(place),
            reached_counts=self._by_sense(self.reached_counts[place]),
            target_sense=self.senses[int(self.target_sense[place])],
        )

    def _arithmetic(self, rule: Rule, sense: str, *, is_default: bool) -> str:
        default, reached = self.default, rule.reached_counts or {}
        priors = unigram([default.counts[y] for y in self.senses])
        row = discounted([reached[y] for y in self.senses], priors, self.discount)
        target, best = self.senses.index(rule.sense), int(row.argmax())
        shown = sense  # the sense whose discounted count is this probability
        if row[best] > row[target] and sense in (rule.sense, self.senses[best]):
            shown = rule.sense if sense != rule.sense else self.senses[best]
        P = f"{exact(default.counts[shown])} / {exact(default.count)}"
        if rule.support:
            P = self._discounting(reached, shown, P)
        exchanged = f", exchanged with that of {shown}" if shown != sense else ""
        return f"P({sense}){exchanged} = {P}"

    def coverage(self) -> Coverage:
        """Return what the rules of each sense answer in training."""
        targets, reached = self.target_sense[:-1], self.reached_counts[:-1]
        senses = range(len(self.senses))
        covered = np.array([reached[targets == sense].sum(axis=0) for sense in senses])
        return Coverage(targets, covered, self.counts[-1])

    def _numbers_from(
        self, counts: Floats, reached: Floats, gains: Callable[[Floats], Floats]
    ) -> tuple[Floats, dict[str, Any]]:
        P = discounted(reached, unigram(counts[-1]), self.discount)
        return favour(P, self.target_sense), {"reached_counts": reached}

    @classmethod
    def _fields_of(cls, senses: tuple[str, ...], rules: Sequence[Rule]) -> dict[str, Any]:
        for place, rule in enumerate(rules):
            path = f"rules[{place}]" if place < len(rules) - 1 else "default"
            check_labels(f"{path}.said", [str(rule.target_sense)], senses)
        unknown = dict.fromkeys(senses, np.nan)
        reached = [rule.reached_counts or unknown for rule in rules]
        return {
            **super()._fields_of(senses, rules),
            "target_sense": np.array([senses.index(str(rule.target_sense)) for rule in rules]),
            "reached_counts": np.array([[row[sense] for sense in senses] for row in reached]),
        }

    def to_record(self) -> dict[str, Any]:
        """Return the list as JSON data; it is all that is needed to predict."""
        return {**super().to_record(), "measure": self.heuristic, "note": self.note}

    @classmethod
    def _of(cls, record: ListRecord, fields: dict[str, Any]) -> OrderedRules:
        if record.default.reached_counts is None:
            raise RecordError("has no 'residue'", "default")
        for place, rule in enumerate(record.rules):
            if rule.reached_counts is None and not rule.set_by_hand:
                raise RecordError("has no 'residue'", f"rules[{place}]")
        return cls(
            record.senses,
            discount=record.discount,
            heuristic=record.measure,
            note=record.note,
            **fields,
        )


class Learned(NamedTuple):
    """A rule as a learner finds it: the numbers of its tests and its sense, and its value."""

    tests: tuple[int, ...]
    sense: int
    value: float


def question_of(matrix: QuestionMatrix, cases: Cases, tests: Sequence[int]) -> Question:
    """Return the conjunction of some tests."""
    singles = [matrix.questions[int(cases.questions[test])] for test in tests]
    return Question.of([condition for single in singles for condition in single.conditions])


def covers(matrix: QuestionMatrix, cases: Cases, rules: Sequence[Learned]) -> np.ndarray:
    """Return ``(n_rules, n_rows)``: whether each rule is true of each row."""
    first = np.searchsorted(cases.row, np.arange(matrix.n_rows))
    covered = [unpack(cases.cover(rule.tests))[first].astype(bool) for rule in rules]
    return np.array(covered, dtype=bool).reshape(len(rules), matrix.n_rows)


def favour(probabilities: Floats, target_sense: Ints) -> Floats:
    """Return distributions in which the target sense of each row is the most probable.

    If another sense is more probable, the two probabilities are exchanged. If another is as
    probable, it gives 2**-30 to the target sense.

    Parameters
    ----------
    probabilities
        ``(n, n_senses)``.
    target_sense
        ``(n,)`` the number of the target sense of each row.
    """
    P = probabilities.copy()
    rows = np.arange(len(P))
    best = P.argmax(axis=1)
    P[rows, best], P[rows, target_sense] = P[rows, target_sense], P[rows, best]
    rivals = P[rows, target_sense][:, None] == P
    rivals[rows, target_sense] = False
    P -= TIE * rivals
    P[rows, target_sense] += TIE * rivals.sum(axis=1)
    return P


def assemble_rules(
    matrix: QuestionMatrix,
    cases: Cases,
    rules: Sequence[Learned],
    default: int,
    measure: str,
    note: str = "",
) -> SenseRules:
    """Make a list of rules, the first to be asked first, and a default sense.

    The learners have no probabilities. Those of a rule are the discounted counts (d = 0.5) of what
    it answers at its place in training. Its target sense is made the most probable one, see
    :func:`favour`.

    Parameters
    ----------
    matrix, cases
        The training answers, as rows and as cases.
    rules, default
        The rules, and the number of the sense that answers if none is true.
    measure
        What the values of the rules are, as the header of a column.
    note
        A line on how the list was learned.
    """
    true = covers(matrix, cases, rules)
    place = np.full(matrix.n_rows, len(rules))
    for number in range(len(rules) - 1, -1, -1):
        place[true[number]] = number
    K = len(matrix.senses)
    counts = [sums(matrix.outcome[rows], matrix.weight[rows], K) for rows in true]
    prior = matrix.prior_counts()
    cells = place * K + matrix.outcome
    reached = sums(cells, matrix.weight, (len(rules) + 1) * K).reshape(-1, K)
    targets = np.array([*(rule.sense for rule in rules), default], dtype=np.int64)
    return SenseRules(
        matrix.senses,
        tuple(question_of(matrix, cases, rule.tests) for rule in rules),
        favour(discounted(reached, unigram(prior), ANSWER_DISCOUNT), targets),
        np.array([*counts, prior]),
        reached.sum(axis=1),
        np.array([rule.value for rule in rules], dtype=np.float64),
        ANSWER_DISCOUNT,
        answered=place,
        target_sense=targets,
        reached_counts=reached,
        heuristic=measure,
        note=note,
    )
