"""Webb's decision lists: rules of greatest Laplace value, appended or prepended (1994).

G. I. Webb, "Recent progress in learning decision lists by prepending inferred rules", 1994.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds, check_whole
from wsdlist.learners.fitted.rule_list import Learned, SenseRules, assemble_rules
from wsdlist.learners.search.bits import Bits, Cases, cases_of, count, pack, unpack
from wsdlist.learners.search.exact import Budget, Candidate, Search, two_class_laplace
from wsdlist.learners.smoothing import is_number

MEASURE = "Laplace value"
EVEN = 0.5  # the value of a rule that covers as many positives as negatives
TIES = ("fewest", "cover", "most")
INSERT = ("front", "intern", "every")


@dataclass(frozen=True)
class _Family:
    """What appending and prepending share: the search for the rule that is best.

    Parameters
    ----------
    cut_off
        A rule must have a greater Laplace value than one that covers so many positives and no
        negatives; between 0 and 1 it is the value itself; 0 for no cut-off.
    ties
        Which of several rules of equal value is taken: that with ``fewest`` tests, then most
        positives; or that with most positives (``cover``), then fewest tests; or the first of
        these with as many tests as say the same of its positives (``most``). What is left is
        settled by the order of the tests, then of the senses. Webb does not say.
    max_conditions
        How many tests a rule may have; None for any number.
    top
        How many tests are searched, those true of most cases first.
    max_nodes
        How many nodes the search for a rule of one sense may look into before it takes the best so
        far; the model then says how many rules' searches were cut short.
    """

    cut_off: float = 0
    ties: str = "fewest"
    max_conditions: int | None = None
    top: int = 1000
    max_nodes: int = 20_000
    asks: ClassVar[str] = "!="

    def __post_init__(self) -> None:
        if not (is_number(self.cut_off) and np.isfinite(self.cut_off) and self.cut_off >= 0):
            raise ParameterError(
                f"cut_off is {self.cut_off!r}",
                "say a number of positives, a value below 1, or auto",
            )
        if self.ties not in TIES:
            raise ParameterError(f"ties is {self.ties!r}", f"say one of {', '.join(TIES)}")
        check_bounds(self)
        check_whole(self, "max_nodes")
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

    def _best(
        self, cases: Cases, wanted: Sequence[tuple[Bits, Bits]], floor: float
    ) -> tuple[int, Candidate | None, bool]:
        """Return the best rule of all: which pair of positives and negatives it is for.

        The last value says whether a search was cut short.
        """
        searches = [
            Search(cases.tests, self.max_conditions, Budget(self.max_nodes)) for _ in wanted
        ]
        larger = self.ties == "cover"
        best, of = Candidate(floor, len(cases.row), 0), -1  # no rule of that very value is better
        for number, (pos, neg) in enumerate(wanted):
            found = searches[number].best(pos, neg, best, larger=larger)
            if found is not best:
                best, of = found, number
        if of < 0:
            return of, None, any(search.budget.spent for search in searches)
        almost = Candidate(float(np.nextafter(best.value, 0)), 0, 0)
        hits: list[tuple[tuple[int, int, tuple[int, ...], int], Candidate]] = []
        for number, (pos, neg) in enumerate(wanted):
            search = searches[number]
            found = best if number == of else search.best(pos, neg, almost, larger=larger)
            if found is almost or (larger and found.pos < best.pos):
                continue  # it has no such rule
            most = min(key for key, _ in hits)[0] if hits else None
            hit = search.shortest(pos, neg, found, most, larger=larger)
            hits.append(((len(hit.tests), -hit.pos, hit.tests, number), hit))
        (*_, of), best = min(hits, key=lambda one: one[0])
        if self.ties == "most":
            best = _with_all_tests(cases, best, wanted[of][0])
        return of, best, any(search.budget.spent for search in searches)

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

    The default, the most common class, stands at the end, and is often out of reach.
    """

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        left = cases.everyone
        rules: list[Learned] = []
        cut_short = 0
        while count(left):
            wanted = [(members & left, left & ~members) for members in cases.classes]
            sense, found, spent = self._best(cases, wanted, self.floor)
            cut_short += spent
            if found is None:
                break
            rules.append(Learned(found.tests, sense, found.value))
            left = left & ~cases.cover(found.tests)
        default = int(matrix.prior_counts().argmax())
        return assemble_rules(matrix, cases, rules, default, MEASURE, self._note(cut_short))


@dataclass(frozen=True)
class AppendP2(Append):
    """Append, but rules must be worth more than one with two positives and no negatives."""

    cut_off: float = 2


@dataclass(frozen=True)
class WebbPrepend(_Family):
    """Start from the default; put in front the rule that mends most for what it breaks.

    Positives are cases that the list gets wrong and the rule right, negatives those that the list
    gets right and the rule wrong; all others do not count. It ends when the best rule covers no
    more positives than negatives (the printed loop would go on for ever where they are equal).

    Parameters
    ----------
    insert
        ``front``; ``intern`` puts each rule as deep as it mends no less than in front; ``every``
        looks for the best rule at every place of the list (Van Horn & Martinez 1993, BBG), of
        equally good places the deepest.
    """

    insert: str = "front"
    from_the_end: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.insert not in INSERT:
            raise ParameterError(f"insert is {self.insert!r}", f"say one of {', '.join(INSERT)}")

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        outcome = matrix.outcome[cases.row]
        default = int(matrix.prior_counts().argmax())
        rules: list[Learned] = []  # the last to be asked first
        place = np.zeros(len(outcome), dtype=np.int64)  # 0 the default, 1 for rules[0], ...
        said = np.array([default])  # by place
        n_senses = len(matrix.senses)
        cut_short = 0
        while True:
            right = said[place] == outcome
            front = len(rules) + 1
            places = range(1, front + 1) if self.insert == "every" else (front,)
            wanted = []
            for at in places:
                broken = pack(right & (place < at))
                mended = pack(~right & (place < at))
                wanted += [(own & mended, broken & ~own) for own in cases.classes]
            number, found, spent = self._best(cases, wanted, max(self.floor, EVEN))
            cut_short += spent
            if found is None:
                break
            at, sense = places[number // n_senses], number % n_senses
            covered = unpack(cases.cover(found.tests))[: len(place)].astype(bool)
            if self.insert == "intern":
                change = (outcome == sense).astype(np.int64) - right
                by_place = np.bincount(place[covered], change[covered], minlength=front)
                mends = np.cumsum(by_place)  # of the places 1, 2, ..., front
                at = 1 + int(np.flatnonzero(mends >= mends[-1])[0])
            taken = covered & (place < at)
            place[place >= at] += 1
            place[taken] = at
            rules.insert(at - 1, Learned(found.tests, sense, found.value))
            said = np.insert(said, at, sense)
        return assemble_rules(matrix, cases, rules[::-1], default, MEASURE, self._note(cut_short))


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
