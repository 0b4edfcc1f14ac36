"""Covering: rules for one class after another, each for what those before it leave.

LearnOneRule, LearnSetOfRules and LearnRuleBase of Fuernkranz, Gamberger & Lavrac, "Foundations of
Rule Learning" (2012), chapter 2, with the choices that the textbooks name as parameters. The
functions here are what the recipes (PRISM, CN2, RIPPER, ELEM2) are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.heuristics import HEURISTICS, Counts, significant
from wsdlist.learners.search.beam import beam
from wsdlist.learners.search.bits import Bits, Cases, cases_of, count, pack, unpack

SEARCH = ("hill-climbing", "beam", "bottom-up", "bidirectional")
POST_PRUNING = ("none", "held-out", "quality")
Heuristic = Callable[[Counts], Any]


@dataclass(frozen=True, eq=False)
class Target:
    """What a rule is to be learned for.

    ``pos`` and ``neg`` are the cases that count for and against it, of a problem with ``n_classes``
    classes and ``cases`` as they were before anything was covered.
    """

    cases: Cases
    pos: Bits
    neg: Bits
    m: float = 2.0

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return int(count(self.pos)), int(count(self.neg))

    def counts(self, cover: Bits, before: tuple[float, float] | None = None) -> Counts:
        """Return how many of them rules cover; ``cover`` is ``(..., n_words)``."""
        P, N = self.sizes
        p, n = count(cover & self.pos), count(cover & self.neg)
        return Counts(p, n, P, N, before, len(self.cases.classes), self.m)

    def without(self, cover: Bits) -> Target:
        """Return the same without what a rule covers."""
        return Target(self.cases, self.pos & ~cover, self.neg & ~cover, self.m)


def first_best(values: Any, p: Any) -> int:
    """Return the number of the greatest value, of equals that with most positives, then the first.

    Values are compared to 12 digits, so that ties do not hang on rounding.
    """
    rounded = np.round(np.asarray(values, dtype=float), 12)
    return int(np.lexsort((np.arange(len(rounded)), -np.asarray(p), -rounded))[0])


def refinements(target: Target, cover: Bits) -> tuple[Ints, Bits]:
    """Return the tests that make a rule cover less, but some positives, and what each leaves."""
    left = cover & target.cases.tests
    useful = (left != cover).any(axis=-1) & (left & target.pos).any(axis=-1)
    tests = np.flatnonzero(useful)
    return tests, left[tests]


def is_surprising(target: Target, cover: Bits, alpha: float) -> bool:
    """Say whether a rule covers other classes than all cases have, at the level ``alpha``."""
    classes = target.cases.classes
    return significant(count(cover & classes), count(classes), alpha)


def grow(
    target: Target,
    merit: Heuristic,
    *,
    start: Sequence[int] = (),
    min_purity: float = 1.0,
    alpha: float = 0.0,
    max_conditions: int | None = None,
    until_gain: bool = False,
) -> tuple[int, ...]:
    """Add the best test until only positives are covered: LearnOneRule, top-down hill-climbing.

    Parameters
    ----------
    target
        What it is for.
    merit
        What the best test is: see :mod:`wsdlist.learners.heuristics`.
    start
        Tests that it has already.
    min_purity
        The share of positives among what is covered that is enough (minimum purity).
    alpha
        A test must change the covered classes at this level of significance (difference test); 0
        for no test.
    max_conditions
        How many tests there may be.
    until_gain
        Whether to stop when the best test is worth nothing.
    """
    chosen, cover = list(start), target.cases.cover(start)
    while max_conditions is None or len(chosen) < max_conditions:
        now = target.counts(cover)
        if not now.n or now.p / max(now.p + now.n, 1) >= min_purity:
            break
        tests, left = refinements(target, cover)
        if not len(tests):
            break
        counts = target.counts(left, (float(now.p), float(now.n)))
        values = merit(counts)
        best = first_best(values, counts.p)
        if until_gain and not values[best] > 0:
            break
        if not is_surprising(target, left[best], alpha):
            break
        chosen.append(int(tests[best]))
        cover = left[best]
    return tuple(chosen)


def bottom_up(target: Target, merit: Heuristic, max_conditions: int | None) -> tuple[int, ...]:
    """Start from all that is true of a positive; drop tests while it gets no worse.

    The positive is the first by what is true of it. More than ``max_conditions`` are dropped in any
    case.
    """
    seed = int(_by_content(target.cases, target.pos)[0])
    seed_alone = pack(np.arange(len(target.cases.row)) == seed)
    chosen = np.flatnonzero((target.cases.tests & seed_alone).any(axis=-1)).tolist()
    while chosen:
        fewer = [[test for test in chosen if test != out] for out in chosen]
        counts = target.counts(np.array([target.cases.cover(rest) for rest in fewer]))
        values = merit(counts)
        best = first_best(values, counts.p)
        now = round(float(merit(target.counts(target.cases.cover(chosen)))), 12)
        fits = max_conditions is None or len(chosen) <= max_conditions
        if fits and round(float(values[best]), 12) < now:
            break
        chosen = fewer[best]
    return tuple(chosen)


def bidirectional(target: Target, merit: Heuristic, max_conditions: int | None) -> tuple[int, ...]:
    """Add or drop the test that makes the rule better, until none does.

    The merit depends on the positives and negatives covered alone, and rises each time. So there
    are no more rounds than there are such pairs of counts.
    """
    chosen: tuple[int, ...] = ()
    value = float(merit(target.counts(target.cases.everyone)))
    P, N = target.sizes
    for _ in range((P + 1) * (N + 1)):
        cover = target.cases.cover(chosen)
        tests, _ = refinements(target, cover)
        if max_conditions is not None and len(chosen) >= max_conditions:
            tests = tests[:0]
        rules = [(*chosen, test) for test in tests.tolist()]
        rules += [tuple(t for t in chosen if t != out) for out in chosen]
        if not rules:
            break
        counts = target.counts(np.array([target.cases.cover(rule) for rule in rules]))
        values = np.round(np.asarray(merit(counts), dtype=float), 12)
        best = first_best(values, counts.p)
        if not values[best] > round(value, 12):
            break
        chosen, value = rules[best], float(values[best])
    return chosen


def without_needless(target: Target, tests: Sequence[int], merit: Heuristic) -> tuple[int, ...]:
    """Drop tests, the last one first, whose loss does not lower the merit; again until none is.

    ELEM2's post-pruning (An & Cercone; the slides' method 2). The last test stays: a rule that is
    true of all is the default's business.
    """
    kept = list(tests)
    dropped = True
    while dropped:
        dropped = False
        for test in reversed(kept.copy()):
            if len(kept) == 1:
                break
            fewer = [other for other in kept if other != test]
            before, after = (
                round(float(merit(target.counts(target.cases.cover(rule)))), 12)
                for rule in (kept, fewer)
            )
            if after >= before:
                kept, dropped = fewer, True
    return tuple(kept)


def parts_of(cases: Cases, some: Bits, share: float, rng: np.random.Generator) -> tuple[Bits, Bits]:
    """Deal some cases at random into ``share`` of them and the rest.

    Cases are taken in the order of what is true of them, so that of rows does not matter.
    """
    drawn = rng.permutation(_by_content(cases, some))
    first = np.zeros(len(cases.row), dtype=bool)
    first[drawn[: round(share * len(drawn))]] = True
    bits = pack(first)
    return some & bits, some & ~bits


def _by_content(cases: Cases, some: Bits) -> Ints:
    """Return the numbers of some cases in the order of what is true of them."""
    numbers: Ints = cases.by_content[unpack(some)[cases.by_content].astype(bool)]
    return numbers


def by_frequency(matrix: QuestionMatrix) -> list[int]:
    """Return the numbers of the senses that occur, the rarest first; of equals the first."""
    prior = matrix.prior_counts()
    return [sense for sense in np.argsort(prior, kind="stable").tolist() if prior[sense]]


@dataclass(frozen=True)
class Covering:
    """Rules for each class against all others, the rarest class first, and a default.

    A rule that is no purer than the cases left, or as general as the default, ends the set of its
    class. What answers is the first rule that is true.

    Parameters
    ----------
    merit
        What is looked for: one of ``precision``, ``laplace`` (for the number of classes),
        ``laplace-2``, ``m-estimate``, ``coverage-difference``, ``rate-difference``, ``foil-gain``,
        ``likelihood-ratio``, ``quality``.
    search
        ``hill-climbing`` adds the best test until only positives are covered; ``beam`` keeps the
        best ``width`` rules at each step; ``bottom-up`` drops tests from all that is true of a
        positive; ``bidirectional`` adds and drops while the merit grows.
    width
        Of the beam.
    min_purity
        Pre-pruning: the share of positives that is enough (hill-climbing).
    alpha
        Pre-pruning: the level at which a rule must cover other classes than all cases have
        (likelihood ratio; hill-climbing and beam); 0 for no test.
    post_pruning
        ``none``; ``quality`` drops tests, the last first, while the merit does not fall;
        ``held-out`` learns on two thirds and drops final tests by p - n over p + n on the rest.
    m
        Of the m-estimate.
    max_conditions, top
        How many tests a rule may have (None: any number), and how many are looked at.
    seed
        Of the dealing for ``held-out``.
    """

    merit: str = "laplace-2"
    search: str = "hill-climbing"
    width: int = 5
    min_purity: float = 1.0
    alpha: float = 0.0
    post_pruning: str = "none"
    m: float = 2.0
    max_conditions: int | None = None
    top: int = 1000
    seed: int = 0
    asks: ClassVar[str] = "="

    def __post_init__(self) -> None:
        check_choice("merit", self.merit, HEURISTICS)
        check_choice("search", self.search, SEARCH)
        check_choice("post_pruning", self.post_pruning, POST_PRUNING)
        check_bounds(self.top, self.max_conditions)
        check_whole("width", self.width)
        check_whole("seed", self.seed, least=0)
        check_number("min_purity", self.min_purity, least=0, most=1)
        check_number("alpha", self.alpha, least=0, most=1)
        check_number("m", self.m, least=0)

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn rules from answers with outcomes: LearnRuleBase."""
        cases = cases_of(matrix, self.top)
        rng = np.random.default_rng(self.seed)
        rules: list[Learned] = []
        for sense in by_frequency(matrix):
            own = cases.classes[sense]
            rules += self._set(Target(cases, own, cases.everyone & ~own, self.m), sense, rng)
        default = int(matrix.prior_counts().argmax())
        return assemble_rules(matrix, cases, rules, default, self.merit)

    def _set(self, target: Target, sense: int, rng: np.random.Generator) -> list[Learned]:
        """LearnSetOfRules: while there are positives left."""
        rules = []
        while count(target.pos):
            tests = self._one(target, rng)
            cover = target.cases.cover(tests)
            found = target.counts(cover)
            P, N = target.sizes
            if not found.p or (N and found.p * (P + N) <= P * (found.p + found.n)):
                break
            rules.append(Learned(tests, sense, float(HEURISTICS[self.merit](found))))
            target = target.without(cover)
        return rules

    def _one(self, target: Target, rng: np.random.Generator) -> tuple[int, ...]:
        """LearnOneRule."""
        merit, whole = HEURISTICS[self.merit], target
        if self.post_pruning == "held-out":
            pos, pos_held = parts_of(target.cases, target.pos, 2 / 3, rng)
            neg, neg_held = parts_of(target.cases, target.neg, 2 / 3, rng)
            if count(pos):
                target = Target(target.cases, pos, neg, self.m)
        if self.search == "hill-climbing":
            tests = grow(
                target,
                merit,
                min_purity=self.min_purity,
                alpha=self.alpha,
                max_conditions=self.max_conditions,
            )
        elif self.search == "beam":
            tests = self._beam(target, merit)
        elif self.search == "bottom-up":
            tests = bottom_up(target, merit, self.max_conditions)
        else:
            tests = bidirectional(target, merit, self.max_conditions)
        if self.post_pruning == "quality":
            return without_needless(whole, tests, merit)
        if self.post_pruning == "held-out" and target is not whole:
            return prune_final(Target(whole.cases, pos_held, neg_held), tests)
        return tests

    def _beam(self, target: Target, merit: Heuristic) -> tuple[int, ...]:
        def evaluate(left: Bits) -> tuple[Any, Any]:
            counts = target.counts(left)
            return merit(counts), counts.p

        best = beam(
            target.cases,
            lambda covers: (covers & target.neg).any(axis=-1),
            target.pos,
            target.pos | target.neg,
            evaluate,
            lambda cover: is_surprising(target, cover, self.alpha),
            self.width,
            self.max_conditions,
        )
        whole = float(merit(target.counts(target.cases.everyone)))
        return best.tests if best and best.value > round(whole, 12) else ()


def prune_final(held: Target, tests: Sequence[int]) -> tuple[int, ...]:
    """Drop final tests so that (p - n) / (p + n) on held-out cases is greatest (Cohen 1995).

    Of equally good prefixes the shortest; one that covers nothing there is worth 0, as one that
    covers as many of both, so that a rare class is not lost for want of held-out cases.
    """
    rules = [tuple(tests[:length]) for length in range(len(tests) + 1)]
    found = held.counts(np.array([held.cases.cover(rule) for rule in rules]))
    return rules[int(((found.p - found.n) / np.maximum(found.p + found.n, 1)).argmax())]


def class_counts(cases: Cases, cover: Bits) -> Floats:
    """Return ``(..., n_senses)``: how many cases of each sense rules cover."""
    counts: Floats = count(cover[..., None, :] & cases.classes).astype(float)
    return counts
