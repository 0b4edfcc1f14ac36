"""RIPPER: rules pruned on held-out cases, a description length that stops, two rounds of revision.

W. W. Cohen, "Fast effective rule induction", ICML 1995.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.checks import check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.covering import Target, by_frequency, grow, parts_of, prune_final
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.heuristics import HEURISTICS
from wsdlist.learners.search.bits import Bits, cases_of, count

Tests = tuple[int, ...]
GROWING = 2 / 3
SLACK = 64.0  # bits by which the description may be longer than the shortest so far
REDUNDANCY = 0.5  # of theory bits, because tests are not independent


@dataclass(frozen=True)
class Ripper:
    """IREP* for each class but the most frequent one, rarest first; then optimise and cover again.

    A rule is grown on two thirds of the cases by FOIL's gain and pruned on the rest: final tests
    are dropped so that (p - n) / (p + n) is greatest there. Rules are added until their error on
    the rest exceeds one half, or the description is 64 bits longer than the shortest so far; then
    those are deleted whose loss makes it shorter. Each optimisation puts, one rule after another, a
    replacement or a revision in its place if that makes the description of all rules shorter.
    Departures: the cases are dealt anew for each rule by a seeded generator; missing values answer
    no test.

    Parameters
    ----------
    optimizations
        How many rounds of revision.
    max_conditions, top
        How many tests a rule may have (None: any number), and how many are looked at.
    seed
        Of the dealing into two thirds and one.
    """

    optimizations: int = 2
    max_conditions: int | None = None
    top: int = 1000
    seed: int = 0
    asks: ClassVar[str] = "="

    def __post_init__(self) -> None:
        check_bounds(self.top, self.max_conditions)
        check_whole("optimizations", self.optimizations, least=0)
        check_whole("seed", self.seed, least=0)

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        left = cases.everyone
        rules: list[Learned] = []
        order = by_frequency(matrix)
        for sense in order[:-1]:
            own = cases.classes[sense] & left
            target = Target(cases, own, left & ~own)
            found = _OneClass(self, target, np.random.default_rng(self.seed)).learn()
            value = HEURISTICS["laplace-2"]
            rules += [
                Learned(tests, sense, float(value(target.counts(cases.cover(tests)))))
                for tests in found
            ]
            left = left & ~union(cases.cover(tests) for tests in found)
        return assemble_rules(matrix, cases, rules, order[-1], "laplace-2")


def union(covers: Iterable[Bits]) -> Bits:
    """Return the cases that are in at least one of the covers."""
    covered: Any = np.uint64(0)
    for cover in covers:
        covered = covered | cover
    return np.asarray(covered)


class _OneClass:
    """The rules of one class against the more frequent ones."""

    def __init__(self, how: Ripper, target: Target, rng: np.random.Generator) -> None:
        self.how, self.target, self.cases, self.rng = how, target, target.cases, rng
        P, N = target.sizes
        self.share = P / (P + N)  # of errors that are expected to be false positives
        self.covers: dict[Tests, Bits] = {}

    def learn(self) -> list[Tests]:
        """IREP*, then rounds of optimisation, each followed by covering what is left."""
        rules = self.shorten(self.add([]))
        for _ in range(self.how.optimizations):
            rules = self.shorten(self.add(self.optimize(rules)))
        return rules

    def union(self, rules: Sequence[Tests]) -> Bits:
        """Return the cases that at least one rule covers."""
        for tests in rules:
            if tests not in self.covers:
                self.covers[tests] = self.cases.cover(tests)
        return union(self.covers[tests] for tests in rules)

    def deal(self, target: Target) -> tuple[Target, Target]:
        """Deal the cases left into those to grow rules on and those to prune them on."""
        pos, pos_held = parts_of(self.cases, target.pos, GROWING, self.rng)
        neg, neg_held = parts_of(self.cases, target.neg, GROWING, self.rng)
        return Target(self.cases, pos, neg), Target(self.cases, pos_held, neg_held)

    def grown(self, target: Target, start: Tests = ()) -> Tests:
        """Grow a rule by FOIL's gain until it covers no negative, or nothing is gained."""
        limit = self.how.max_conditions
        merit = HEURISTICS["foil-gain"]
        return grow(target, merit, start=start, max_conditions=limit, until_gain=True)

    def add(self, rules: list[Tests]) -> list[Tests]:
        """Add rules for the positives that those given leave."""
        rules = list(rules)
        shortest = self.length(rules)
        left = self.target.without(self.union(rules))
        while count(left.pos):
            growing, held = self.deal(left)
            if not count(growing.pos):
                growing, held = left, left
            tests = prune_final(held, self.grown(growing))
            cover = self.cases.cover(tests)
            found = held.counts(cover)
            if not tests or not left.counts(cover).p:
                break
            if found.n > found.p:  # an error of more than one half on the cases held out
                break
            length = self.length([*rules, tests])
            if length > shortest + SLACK:
                break
            shortest = min(shortest, length)
            rules.append(tests)
            left = left.without(cover)
        return rules

    def optimize(self, rules: list[Tests]) -> list[Tests]:
        """Put a replacement or a revision in the place of each rule that makes all shorter."""
        rules = list(rules)
        for place, old in enumerate(rules):
            before, after = rules[:place], rules[place + 1 :]
            left = self.target.without(self.union(before))
            if not count(left.pos):
                continue
            growing, held = self.deal(left)
            if not count(growing.pos):
                continue
            rest = held.without(self.union(after))
            variants = [old]
            for start in ((), old):
                tests = self.grown(growing, start)
                variants.append(self.least_error(rest, tests))
            lengths = [
                self.length(self.shorten([*before, tests, *after], place)) for tests in variants
            ]
            rules[place] = variants[int(np.argmin(lengths))]
        return rules

    def least_error(self, held: Target, tests: Tests) -> Tests:
        """Drop final tests so that the whole set errs least on held-out cases; shortest of equals.

        ``held`` are those that no other rule covers: an error is a negative that the rule covers,
        or a positive that it does not.
        """
        prefixes = [tests[:length] for length in range(1, len(tests) + 1)] or [tests]
        found = held.counts(np.array([self.cases.cover(prefix) for prefix in prefixes]))
        return prefixes[int(np.argmax(found.p - found.n))]

    def shorten(self, rules: list[Tests], keep: int | None = None) -> list[Tests]:
        """Delete rules, the last first, whose loss makes the description shorter."""
        kept = list(rules)
        shortest = self.length(kept)
        for place in range(len(rules) - 1, -1, -1):
            fewer = [*kept[:place], *kept[place + 1 :]]
            if place != keep and (length := self.length(fewer)) < shortest:
                kept, shortest = fewer, length
        return kept

    def length(self, rules: Sequence[Tests]) -> float:
        """Return the bits that describe rules and their exceptions."""
        covered = self.target.counts(self.union(rules) & self.cases.everyone)
        P, N = self.target.sizes
        theory = sum(theory_bits(len(tests), len(self.cases.tests)) for tests in rules)
        return theory + exception_bits(
            int(covered.p + covered.n),
            int(P + N - covered.p - covered.n),
            int(covered.n),
            int(P - covered.p),
            self.share,
        )


@cache
def theory_bits(k: int, n: int) -> float:
    """Return the bits of a rule with ``k`` of ``n`` possible tests, half of them (redundancy).

    log2* k, and which k of n they are.
    """
    if not k:
        return 0.0
    size = np.log2(k)
    size += 2 * np.log2(size) if size > 1 else 0.0
    return float(REDUNDANCY * (size + subset_bits(n, k, k / n)))


def subset_bits(n: int, k: int, expected: float) -> float:
    """Return the bits that say which ``k`` of ``n``, of which a share is expected (Quinlan)."""
    bits = 0.0
    if k:
        bits -= k * (np.log2(expected) if expected > 0 else -np.inf)
    if n > k:
        bits -= (n - k) * (np.log2(1 - expected) if expected < 1 else -np.inf)
    return float(bits)


def exception_bits(covered: int, left: int, fp: int, fn: int, share: float) -> float:
    """Return the bits that say which cases the rules get wrong (Quinlan 1995).

    Among the ``covered`` there are ``fp`` wrong ones, among those ``left`` ``fn``; ``share`` of the
    errors are expected to be false positives.
    """
    bits = np.log2(covered + left + 1)
    if covered > left:
        expected = share * (fp + fn) / covered
        inside, outside = subset_bits(covered, fp, min(expected, 1.0)), 0.0
        if left:
            outside = subset_bits(left, fn, fn / left)
    else:
        inside = subset_bits(covered, fp, fp / covered) if covered else 0.0
        expected = (1 - share) * (fp + fn) / left if left else 0.0
        outside = subset_bits(left, fn, min(expected, 1.0)) if left else 0.0
    return float(bits + inside + outside)
