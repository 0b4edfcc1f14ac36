"""The best conjunction of tests: exact search over cases as packed bits.

OPUS (Webb, "OPUS: An efficient admissible algorithm for unordered search", JAIR 3, 1995) looks at
each set of operators once. It prunes an operator for all siblings by an admissible optimistic
value, and orders operators so as to prune most. There are three departures, all of them exact. The
optimistic value also counts the negatives that the remaining tests cannot exclude at a given loss
of positives. Tests that exclude negatives and lose no positive are added at once. And a node is
split by the negative that fewest tests can exclude: the first of them excludes it, or the second
and not the first, and so on, or none does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.learners.search.bits import Bits, count, unpack


def two_class_laplace(pos: Any, neg: Any) -> Any:
    """Return (pos + 1) / (pos + neg + 2), Webb's preference; equal ratios are equal floats."""
    return (pos + 1) / (pos + neg + 2)


@dataclass
class Budget:
    """How many nodes a search may still look into; ``spent`` once it had to stop."""

    left: int
    spent: bool = False

    def take(self) -> bool:
        """Take one; say whether there was one."""
        self.spent = self.spent or self.left <= 0
        self.left -= 1
        return not self.spent


@dataclass(frozen=True)
class Candidate:
    """A conjunction: its value, how many positives and negatives it is true of, its tests."""

    value: float
    pos: int
    neg: int
    tests: tuple[int, ...] = field(default=())


@dataclass(frozen=True, eq=False)
class _Node:
    """The ``(2, n_words)`` positives and negatives still covered, and the tests left to add."""

    cover: Bits
    tests: Ints
    chosen: tuple[int, ...]
    n_pos: int
    n_neg: int


@dataclass(frozen=True, eq=False)
class _Grown:
    """A node and what each of its tests would leave, tests with the least loss first.

    ``after`` is ``(n_tests, 2, n_words)``, ``n_pos`` and ``n_neg`` are ``(n_tests,)``.
    """

    node: _Node
    tests: Ints
    after: Bits
    n_pos: Ints
    n_neg: Ints

    def optimistic(self) -> Floats:
        """Return ``(n_tests,)``: for each test a bound on the value of conjunctions that have it.

        The bound is admissible, that is, no conjunction exceeds it. Let u be the test of a
        conjunction that leaves fewest positives. The conjunction covers

        - at most the ``n_pos[u]`` positives that u leaves, because u is one of its tests;
        - at least the negatives that all tests which leave ``n_pos[u]`` or more leave together,
          because its tests are among those.

        The value rises with the positives and falls with the negatives, so these two counts bound
        it. A conjunction that has test t has a u that stands at t or after it: the bound of t is
        the greatest of those from t on.
        """
        together = count(np.bitwise_and.accumulate(self.after[:, 1], axis=0))
        last_alike = np.searchsorted(-self.n_pos, -self.n_pos, side="right") - 1
        values: Floats = two_class_laplace(self.n_pos, together[last_alike])
        bounds: Floats = np.maximum.accumulate(values[::-1])[::-1]
        return bounds

    def take(self, kept: Any) -> _Grown:
        return _Grown(
            self.node, self.tests[kept], self.after[kept], self.n_pos[kept], self.n_neg[kept]
        )

    def split(self) -> Iterator[tuple[int, _Node]]:
        """Yield ``(test, node)``: disjoint parts of all conjunctions below; test -1 adds none.

        Take the negative that fewest tests exclude. A conjunction excludes it by none of these
        tests, or there is a first one among those it has: each conjunction is in exactly one part.
        """
        node = self.node
        excluded = unpack(node.cover[1] & ~self.after[:, 1])
        by = excluded.sum(axis=0, dtype=np.int64)
        hardest = np.where(by > 0, by, len(by) + len(self.tests)).argmin()
        kept = np.ones(len(self.tests), dtype=bool)
        for number in np.flatnonzero(excluded[:, hardest]).tolist():
            kept[number] = False
            chosen = (*node.chosen, int(self.tests[number]))
            sizes = int(self.n_pos[number]), int(self.n_neg[number])
            # a copy, so that not all of them are kept
            yield number, _Node(self.after[number].copy(), self.tests[kept], chosen, *sizes)
        if kept.any():
            yield -1, replace(node, tests=self.tests[kept])


def _grow(true: Bits, node: _Node, *, free: bool) -> _Grown:
    """Return what every test would leave; if ``free``, add those that lose no positive at once.

    Such a test makes no conjunction worse. It may make one longer, so it is not free where the
    number of tests is limited.
    """
    after = true[node.tests][:, None] & node.cover
    n_pos, n_neg = count(after).T
    if free:
        costless = (n_pos == node.n_pos) & (n_neg < node.n_neg)
        if costless.any():
            chosen = (*node.chosen, *node.tests[costless].tolist())
            cover: Bits = np.bitwise_and.reduce(after[costless], axis=0)
            node = _Node(cover, node.tests, chosen, node.n_pos, int(count(cover[1])))
            after &= cover
            n_neg = count(after[:, 1])
    # what excludes no negative never will; a rule without positives says nothing
    useful = np.flatnonzero((n_neg < node.n_neg) & (n_pos > 0))
    order = useful[np.argsort(-n_pos[useful], kind="stable")]
    return _Grown(node, node.tests[order], after[order], n_pos[order], n_neg[order])


class Search:
    """Searches among the conjunctions of tests for one that is best by :func:`two_class_laplace`.

    Parameters
    ----------
    true
        ``(m, n_words)`` of which cases each test is true.
    max_conditions
        How many tests a conjunction may have; None for any number.
    budget
        The nodes that may be looked into.
    """

    def __init__(self, true: Bits, max_conditions: int | None, budget: Budget) -> None:
        self.true, self.max_conditions, self.budget = true, max_conditions, budget
        self._limit = 0  # of the tests that a conjunction may have while it is shortened

    def _whole(self, pos: Bits, neg: Bits) -> _Node:
        cover = np.stack([pos, neg])
        return _Node(cover, np.arange(len(self.true)), (), *count(cover).tolist())

    def best(self, pos: Bits, neg: Bits, above: Candidate, *, larger: bool = False) -> Candidate:
        """Return a conjunction of the greatest value, or ``above`` if none has a greater one.

        With ``larger``, of those the one with most positives. Which tests it has is not settled:
        see :meth:`shortest`. Nodes are looked into in the order of their bounds, so the search
        ends at the first bound that promises nothing better.
        """
        best = above
        if not count(pos):
            return best
        serial = 0  # of equal bounds the older node comes first
        heap = [(-1.0, serial, self._whole(pos, neg))]
        while heap:
            bound, _, node = heapq.heappop(heap)
            if -bound < best.value or (-bound == best.value and not larger):
                break
            if not self.budget.take():
                break
            grown = _grow(self.true, node, free=self.max_conditions is None)
            best = self._better(grown, best, larger)
            for reachable, part in self._promising(grown, best, larger):
                serial += 1
                heapq.heappush(heap, (-reachable, serial, part))
        return best

    def _better(self, grown: _Grown, best: Candidate, larger: bool) -> Candidate:
        """Return the best of ``best``, of a node, and of that node with one more test."""
        node = grown.node
        candidates = [
            Candidate(
                two_class_laplace(node.n_pos, node.n_neg), node.n_pos, node.n_neg, node.chosen
            )
        ]
        if len(grown.tests) and len(node.chosen) != self.max_conditions:
            values = two_class_laplace(grown.n_pos, grown.n_neg)
            top = int(values.argmax())  # of equal values that with most positives
            chosen = (*node.chosen, int(grown.tests[top]))
            n_pos, n_neg = int(grown.n_pos[top]), int(grown.n_neg[top])
            candidates.append(Candidate(float(values[top]), n_pos, n_neg, chosen))
        for candidate in candidates:
            more = candidate.value == best.value and candidate.pos > best.pos
            if candidate.value > best.value or (larger and more):
                best = candidate
        return best

    def _promising(
        self, grown: _Grown, best: Candidate, larger: bool
    ) -> Iterator[tuple[float, _Node]]:
        """Yield the parts below a node that may hold something better, each with its bound.

        A test whose bound is no better than ``best`` is left out of every part: no conjunction
        that has it is better. The part without a new test may use all tests that are left, so its
        bound is the greatest of theirs.
        """
        limit = self.max_conditions
        if not len(grown.tests) or (limit is not None and len(grown.node.chosen) + 1 >= limit):
            return
        bounds = grown.optimistic()
        kept = bounds > best.value
        if larger:  # a conjunction that has a test covers at most the positives the test leaves
            kept |= (bounds == best.value) & (grown.n_pos > best.pos)
        if not kept.any():
            return
        bounds = bounds[kept]
        for number, part in grown.take(kept).split():
            yield float(bounds[number] if number >= 0 else bounds.max()), part

    def shortest(
        self,
        pos: Bits,
        neg: Bits,
        found: Candidate,
        most: int | None = None,
        *,
        larger: bool = False,
    ) -> Candidate:
        """Return the conjunction of exactly the value of ``found`` that has fewest tests.

        Of equally short ones the one with most positives is taken, then the one whose tests stand
        first. If the budget ends, it is the best so far.

        Parameters
        ----------
        pos, neg
            The cases that count for it, and against it.
        found
            What :meth:`best` made of them.
        most
            Longer ones than this are of no use.
        larger
            Whether it must have as many positives as ``found``.
        """
        best = self._without_needless(pos, neg, found)
        self._limit = len(best.tests) if most is None else min(most, len(best.tests))
        for hit in self._exactly(self._whole(pos, neg), found.value):
            if not larger or hit.pos == found.pos:
                self._limit = min(self._limit, len(hit.tests))
                best = min(best, hit, key=lambda rule: (len(rule.tests), -rule.pos, rule.tests))
        return best

    def _without_needless(self, pos: Bits, neg: Bits, found: Candidate) -> Candidate:
        """Leave out, one after another, the tests that change nothing that counts."""
        tests = sorted(found.tests)
        for test in sorted(found.tests, reverse=True):
            fewer = [other for other in tests if other != test]
            cover = np.bitwise_and.reduce(self.true[fewer], axis=0, initial=~np.uint64(0))
            if (int(count(pos & cover)), int(count(neg & cover))) == (found.pos, found.neg):
                tests = fewer
        return replace(found, tests=tuple(tests))

    def _exactly(self, whole: _Node, value: float) -> Iterator[Candidate]:
        """Yield conjunctions of this value, below a node, that are not longer than the limit."""
        stack = [whole]
        while stack:
            node = stack.pop()
            left = self._limit - len(node.chosen)
            if left < 0:
                continue
            if not self.budget.take():
                return
            grown = _grow(self.true, node, free=False)
            if two_class_laplace(node.n_pos, node.n_neg) == value:
                yield Candidate(value, node.n_pos, node.n_neg, tuple(sorted(node.chosen)))
                continue
            if not left or not len(grown.tests):
                continue
            hits = np.flatnonzero(two_class_laplace(grown.n_pos, grown.n_neg) == value)
            for hit in hits.tolist():
                tests = tuple(sorted((*node.chosen, int(grown.tests[hit]))))
                yield Candidate(value, int(grown.n_pos[hit]), int(grown.n_neg[hit]), tests)
            if left == 1:
                continue
            grown = grown.take(grown.optimistic() >= value)
            # the tests still allowed exclude at most as many negatives as the best of them together
            excluded = np.sort(node.n_neg - grown.n_neg)[::-1][:left].sum()
            fewest = max(node.n_neg - excluded, 0)
            if not len(grown.tests) or two_class_laplace(node.n_pos, fewest) < value:
                continue
            parts = list(grown.split())
            if left == 2:
                yield from _pairs(grown, [number for number, _ in parts if number >= 0], value)
                parts = [(number, part) for number, part in parts if number < 0]
            stack += [part for _, part in reversed(parts)]


def _pairs(grown: _Grown, firsts: list[int], value: float) -> Iterator[Candidate]:
    """Yield the conjunctions of this value with one of ``firsts`` and one other test."""
    both = count(grown.after[firsts][:, None] & grown.after)
    n_pos, n_neg = both[..., 0], both[..., 1]
    hits = two_class_laplace(n_pos, n_neg) == value
    for number, first in enumerate(firsts):
        hits[number, firsts[: number + 1]] = False  # itself, and pairs seen before
        for second in np.flatnonzero(hits[number]).tolist():
            tests = (*grown.node.chosen, int(grown.tests[first]), int(grown.tests[second]))
            found = int(n_pos[number, second]), int(n_neg[number, second])
            yield Candidate(value, *found, tuple(sorted(tests)))
