"""Webb's decision lists: rules of greatest Laplace value, appended or prepended (1994).

G. I. Webb, "Recent progress in learning decision lists by prepending inferred rules", 1994.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from wsdlist.data.arrays import Bools, Ints
from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.search.bits import Bits, Cases, cases_of, pack, unpack
from wsdlist.learners.search.exact import Budget, Candidate, Search, two_class_laplace

MEASURE = "Laplace value"
EVEN = 0.5  # the value of a rule that covers as many positives as negatives
TIES = ("fewest", "cover", "most")
INSERT = ("front", "intern", "every")


class _Goal(NamedTuple):
    """What a rule may be made for: a sense at a place of the list.

    ``pos`` and ``neg`` are the cases that count for and against it there. ``place`` is counted from
    the end of the list; the default has 0.
    """

    place: int
    sense: int
    pos: Bits
    neg: Bits
    search: Search


def _any_spent(goals: Sequence[_Goal]) -> bool:
    """Say whether a search for one of them was cut short."""
    return any(goal.search.budget.spent for goal in goals)


@dataclass(frozen=True)
class _Family:
    """What appending and prepending share: the search for the rule that is best.

    Parameters
    ----------
    cut_off
        A rule must have a greater Laplace value than a rule that covers this many positives and no
        negatives. A number below 1 is the value itself; 0 means no cut-off.
    ties
        Which of several rules of equal value is taken. ``fewest``: the one with fewest tests, then
        with most positives. ``cover``: the one with most positives, then with fewest tests.
        ``most``: the one that ``fewest`` takes, with every test that is true of all positives it
        covers. What is left is settled by the order of the tests, then of the senses. Webb does
        not say.
    max_conditions
        How many tests a rule may have; None for any number.
    top
        How many tests are searched, those true of most cases first.
    max_nodes
        How many nodes the search for a rule of one sense may look into before it takes the best so
        far. The model then says for how many rules the search was cut short.
    """

    cut_off: float = 0
    ties: str = "fewest"
    max_conditions: int | None = None
    top: int = 1000
    max_nodes: int = 20_000
    asks: ClassVar[str] = "!="

    def __post_init__(self) -> None:
        advice = "say a number of positives, a value below 1, or auto"
        check_number("cut_off", self.cut_off, least=0, advice=advice)
        check_choice("ties", self.ties, TIES)
        check_bounds(self.top, self.max_conditions)
        check_whole("max_nodes", self.max_nodes)
        if self.ties == "most" and self.max_conditions is not None:
            raise ParameterError(
                "ties is 'most', and max_conditions a number", "say one of both: they contradict"
            )

    @property
    def floor(self) -> float:
        """The Laplace value that a rule must exceed."""
        return (
            float(two_class_laplace(self.cut_off, 0)) if self.cut_off >= 1 else float(self.cut_off)
        )

    def _goal(self, cases: Cases, place: int, sense: int, pos: Bits, neg: Bits) -> _Goal:
        search = Search(cases.tests, self.max_conditions, Budget(self.max_nodes))
        return _Goal(place, sense, pos, neg, search)

    def _best(
        self, cases: Cases, goals: Sequence[_Goal], floor: float
    ) -> tuple[_Goal, Candidate] | None:
        """Return the best rule and what it is for; None if none has a value above ``floor``.

        Phase one finds the greatest value over all goals, phase two the preferred rule of those
        that have it.
        """
        below = Candidate(
            floor, len(cases.row), 0
        )  # so that a rule of this very value is no better
        greatest = self._greatest(goals, below)
        if greatest is None:
            return None
        goal, rule = self._preferred(goals, *greatest)
        return goal, _with_all_tests(cases, rule, goal.pos) if self.ties == "most" else rule

    def _greatest(self, goals: Sequence[_Goal], below: Candidate) -> tuple[_Goal, Candidate] | None:
        """Phase one: a rule of the greatest value, and its goal.

        If ``ties`` is ``cover`` no rule of that value has more positives. Otherwise neither the
        goal nor the rule is settled yet.
        """
        best, best_goal = below, None
        for goal in goals:
            found = goal.search.best(goal.pos, goal.neg, best, larger=self.ties == "cover")
            if found is not best:
                best, best_goal = found, goal
        return None if best_goal is None else (best_goal, best)

    def _preferred(
        self, goals: Sequence[_Goal], known: _Goal, best: Candidate
    ) -> tuple[_Goal, Candidate]:
        """Phase two: of all rules as good as ``best`` the one with fewest tests.

        Of equally short ones that with most positives, then the one whose tests stand first, then
        the deeper place, then the first sense. ``best`` is a rule for ``known``.
        """
        larger = self.ties == "cover"
        just_below = Candidate(float(np.nextafter(best.value, 0)), 0, 0)
        rules: list[tuple[_Goal, Candidate]] = []
        fewest: int | None = None
        for goal in goals:
            found = best
            if goal is not known:
                found = goal.search.best(goal.pos, goal.neg, just_below, larger=larger)
            if found is just_below or (larger and found.pos < best.pos):
                continue  # it has no such rule
            rule = goal.search.shortest(goal.pos, goal.neg, found, fewest, larger=larger)
            fewest = len(rule.tests) if fewest is None else min(fewest, len(rule.tests))
            rules.append((goal, rule))

        def preference(
            entry: tuple[_Goal, Candidate],
        ) -> tuple[int, int, tuple[int, ...], int, int]:
            goal, rule = entry
            return len(rule.tests), -rule.pos, rule.tests, goal.place, goal.sense

        return min(rules, key=preference)

    def _note(self, cut_short: int) -> str:
        if not cut_short:
            return ""
        searches = "searches for a rule were" if cut_short > 1 else "search for a rule was"
        return f"{cut_short} {searches} cut short by max_nodes {self.max_nodes}"


def _with_all_tests(cases: Cases, found: Candidate, positives: Bits) -> Candidate:
    """Return the rule with every test that is true of all positives it covers."""
    covered = cases.cover(found.tests) & positives
    tests = np.flatnonzero(~((covered & ~cases.tests).any(axis=1)))
    return Candidate(found.value, found.pos, found.neg, tuple(tests.tolist()))


@dataclass(frozen=True)
class Append(_Family):
    """Append the best rule for what the rules so far leave: the top level of CN2.

    The default, the most common class, stands at the end; often no case reaches it.
    """

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        left = cases.everyone
        rules: list[Learned] = []
        cut_short = 0
        for (
            _
        ) in cases.row:  # each rule takes a case at least, so there are no more rules than cases
            goals = [
                self._goal(cases, 0, sense, own & left, left & ~own)
                for sense, own in enumerate(cases.classes)
            ]
            found = self._best(cases, goals, self.floor)
            cut_short += _any_spent(goals)
            if found is None:
                break
            goal, rule = found
            rules.append(Learned(rule.tests, goal.sense, rule.value))
            left = left & ~cases.cover(rule.tests)
        default = int(matrix.prior_counts().argmax())
        return assemble_rules(matrix, cases, rules, default, MEASURE, self._note(cut_short))


@dataclass(frozen=True)
class AppendP2(Append):
    """Append, but rules must be worth more than one with two positives and no negatives."""

    cut_off: float = 2


@dataclass(frozen=True)
class WebbPrepend(_Family):
    """Start from the default; put in front the rule that mends most for what it breaks.

    Positives are cases that the list gets wrong and the rule right. Negatives are cases that the
    list gets right and the rule wrong. All others do not count. Learning ends when the best rule
    covers no more positives than negatives (the printed loop never ends when they are equal).

    Parameters
    ----------
    insert
        ``front`` puts each rule in front; ``intern`` puts it as deep as it mends no less than in
        front; ``every`` looks for the best rule at every place of the list (Van Horn & Martinez
        1993, BBG) and takes the deepest of equally good places.
    """

    insert: str = "front"
    from_the_end: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("insert", self.insert, INSERT)

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        outcome = matrix.outcome[cases.row]
        default = int(matrix.prior_counts().argmax())
        rules: list[Learned] = []  # the last to be asked first
        place = np.zeros(
            len(outcome), dtype=np.int64
        )  # who answers: 0 the default, 1 rules[0], ...
        answers = np.array([default])  # by place
        cut_short = 0
        # the best rule covers more positives than negatives: each rule makes the errors fewer
        for _ in range(int((outcome != default).sum())):
            right = answers[place] == outcome
            goals = self._goals(cases, place, right, front=len(rules) + 1)
            found = self._best(cases, goals, max(self.floor, EVEN))
            cut_short += _any_spent(goals)
            if found is None:
                break
            goal, rule = found
            covered = unpack(cases.cover(rule.tests))[: len(place)].astype(bool)
            at = goal.place
            if self.insert == "intern":
                change = (outcome == goal.sense).astype(np.int64) - right
                at = _deepest(change[covered], place[covered], at)
            taken = covered & (place < at)
            place[place >= at] += 1
            place[taken] = at
            rules.insert(at - 1, Learned(rule.tests, goal.sense, rule.value))
            answers = np.insert(answers, at, goal.sense)
        return assemble_rules(matrix, cases, rules[::-1], default, MEASURE, self._note(cut_short))

    def _goals(self, cases: Cases, place: Ints, right: Bools, front: int) -> list[_Goal]:
        """Return the senses at each place where a rule may be put.

        A rule at a place takes the cases that are answered deeper in the list. Those that are
        wrong now and of its sense count for it, those that are right now and of another against it.
        """
        goals = []
        for at in range(1, front + 1) if self.insert == "every" else (front,):
            kept, mended = pack(right & (place < at)), pack(~right & (place < at))
            goals += [
                self._goal(cases, at, sense, own & mended, kept & ~own)
                for sense, own in enumerate(cases.classes)
            ]
        return goals


def _deepest(change: Ints, place: Ints, front: int) -> int:
    """Return the deepest place at which a rule mends no less than at the front.

    ``change`` is 1 for a covered case that the rule mends, -1 for one that it breaks; ``place`` is
    the place that answers the case now.
    """
    mends = np.cumsum(np.bincount(place, change, minlength=front))  # at the places 1, 2, ..., front
    return 1 + int(np.flatnonzero(mends >= mends[-1])[0])


@dataclass(frozen=True)
class WebbPrependP2(WebbPrepend):
    """Prepend, but rules must be worth more than one with two positives and no negatives."""

    cut_off: float = 2


@dataclass(frozen=True)
class WebbPrependI(WebbPrepend):
    """Prepend with each rule as deep in the list as it is as good (intern)."""

    insert: str = "intern"


@dataclass(frozen=True)
class WebbPrependIP2(WebbPrepend):
    """Webb's best: intern, and rules worth more than two positives and no negatives."""

    cut_off: float = 2
    insert: str = "intern"
