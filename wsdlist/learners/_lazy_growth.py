"""The rule of one case: LazyRule's Table 1, the ways of Weka, and what is kept between cases.

K. M. Ting, Z. Zheng & G. I. Webb, "Learning lazy rules to improve the performance of classifiers",
1999, Table 1 and section 4 (caching). Its letters are given with the names here.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from wsdlist.data.arrays import Bools, Ints
from wsdlist.learners._local import Base, Local, Problem

LEVEL = 0.05  # of the sign test

Pair: TypeAlias = tuple[int, int]  # an attribute and its value
Antecedent: TypeAlias = tuple[Pair, ...]  # in the order in which the pairs were added


@dataclass(frozen=True, eq=False)
class LocalRule:
    """An antecedent and the local classifier that answers if it holds.

    Parameters
    ----------
    antecedent
        Cond.
    rows
        D: the training cases of which the antecedent is true.
    used
        Att: the columns of :attr:`Problem.shown` whose attributes are not in the antecedent.
    local
        Local, learned from ``rows`` and ``used``; its ``wrong`` is Err.
    left_behind
        How many errors of the cases outside D count for ``min_errors``.
    """

    antecedent: Antecedent
    rows: Ints
    used: Bools
    local: Local
    left_behind: int = 0

    @cached_property
    def errors(self) -> int:
        """The errors that count for ``min_errors``."""
        return self.left_behind + int(self.local.wrong.sum())


class Trial(NamedTuple):
    """A rule with one more condition, and T: the errors of all cases the rule had without it."""

    errors: int
    rule: LocalRule


class PaperWays:
    """What the paper leaves as it is and Weka's LBR has another way."""

    def may_add(self, inside: Bools) -> bool:
        """Say whether a condition may be added that is true of the local cases ``inside``."""
        return True

    def left_behind(self, rule: LocalRule, outside: int) -> int:
        """Return how many errors outside D count on, if ``outside`` more are left there."""
        return 0


class WekaWays(PaperWays):
    """The ways of Weka's LBR.

    A condition must make the set of local cases smaller, and the errors of the cases left behind
    count on for ``min_errors``.
    """

    def may_add(self, inside: Bools) -> bool:
        """Say whether the condition is false of some local case."""
        return not inside.all()

    def left_behind(self, rule: LocalRule, outside: int) -> int:
        """Return all errors outside D."""
        return rule.left_behind + outside


class Growth:
    """Growing a rule for a case, nothing kept between cases.

    Parameters
    ----------
    problem
        The training cases.
    base
        Alg, the base learner.
    min_cases, min_errors
        With fewer local cases, or fewer errors, a rule grows no further.
    ways
        The paper's or Weka's.
    """

    def __init__(
        self, problem: Problem, base: Base, min_cases: int, min_errors: int, ways: PaperWays
    ) -> None:
        self.problem, self.base, self.ways = problem, base, ways
        self.min_cases, self.min_errors = min_cases, min_errors

    @cached_property
    def start(self) -> LocalRule:
        """The rule whose antecedent is true: Alg learns from all cases and attributes."""
        rows = np.arange(len(self.problem.outcome))
        used = np.ones(self.problem.shown.shape[1], dtype=bool)
        return LocalRule((), rows, used, self.base.learn(self.problem, rows, used))

    def grow(self, codes: Ints) -> LocalRule:
        """Grow the rule for a case with the values ``codes`` (Table 1).

        Each round adds one of the attributes left, so there are no more rounds than attributes.
        """
        rule = self.start
        while len(rule.rows) >= self.min_cases and rule.errors >= self.min_errors:
            best: Trial | None = None
            for attribute, value in enumerate(codes.tolist()):
                if value < 0 or not rule.used[self.problem.starts[attribute]]:
                    continue  # the value is missing, or the attribute is not in Att
                trial = self.trial(rule, (attribute, value))
                if trial is not None and (best is None or trial.errors < best.errors):
                    best = trial
            if best is None:
                break
            rule = best.rule
        return rule

    def trial(self, rule: LocalRule, pair: Pair) -> Trial | None:
        """Add a condition; None unless T is significantly lower than Err.

        The cases outside the new rule are answered as before, so the sign test looks at the cases
        inside it alone.
        """
        problem, (attribute, value) = self.problem, pair
        inside = problem.codes[rule.rows, attribute] == value
        before, outside = rule.local.wrong[inside], int(rule.local.wrong[~inside].sum())
        # if no error at all would not be significantly fewer, none need be counted
        if sign_test(0, int(before.sum())) >= LEVEL or not self.ways.may_add(inside):
            return None
        rows, used = rule.rows[inside], rule.used & (problem.attribute != attribute)
        local = self.base.learn(problem, rows, used)
        after = local.wrong
        if sign_test(int((after & ~before).sum()), int((before & ~after).sum())) >= LEVEL:
            return None
        left_behind = self.ways.left_behind(rule, outside)
        longer = LocalRule((*rule.antecedent, pair), rows, used, local, left_behind)
        return Trial(int(after.sum()) + outside, longer)


class RememberingGrowth(Growth):
    """Growth that keeps its trials from one case for the next; every answer stays the same.

    A trial depends on the rule and the pair alone, not on the case. The trials of the antecedents
    used last are kept.

    Parameters
    ----------
    cache_size
        The trials of how many antecedents are kept; None for all.
    """

    def __init__(
        self,
        problem: Problem,
        base: Base,
        min_cases: int,
        min_errors: int,
        ways: PaperWays,
        cache_size: int | None,
    ) -> None:
        super().__init__(problem, base, min_cases, min_errors, ways)
        self.cache_size = cache_size
        self.cache: OrderedDict[Antecedent, dict[Pair, Trial | None]] = OrderedDict()

    def trial(self, rule: LocalRule, pair: Pair) -> Trial | None:
        """Return the trial that is kept, or make it."""
        trials = self.cache.get(rule.antecedent)
        if trials is None:
            trials = self.cache[rule.antecedent] = {}
            if self.cache_size is not None and len(self.cache) > self.cache_size:
                self.cache.popitem(last=False)
        else:
            self.cache.move_to_end(rule.antecedent)
        if pair not in trials:
            trials[pair] = super().trial(rule, pair)
        return trials[pair]


def sign_test(only_new: int, only_old: int) -> float:
    """Return P(Bin(b + c, 1/2) <= b): the one-tailed pairwise sign test that errors became fewer.

    >>> round(sign_test(0, 5), 4), sign_test(0, 0)
    (0.0312, 1.0)
    """
    from scipy.special import bdtr

    return float(bdtr(only_new, only_new + only_old, 0.5))
