"""Beam search against the same search written down, and which of equally good rules it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.search.beam import beam
from wsdlist.learners.search.bits import Bits, Cases, cases_of, count
from wsdlist.learners.search.exact import two_class_laplace

Tests = tuple[int, ...]


def literal(
    cases: Cases,
    wanted: Bits,
    among: Bits,
    worth: Callable[[Bits], tuple[float, int]],
    width: int,
    most: int | None,
) -> Tests | None:
    """Clark & Niblett's star: of equal rules the one with more positives, then the first."""
    star: list[Tests] = [()]
    best: tuple[float, int, Tests] | None = None
    while star and (most is None or len(star[0]) < most):
        seen: list[tuple[float, int, Tests]] = []
        for tests in star:
            cover = cases.cover(tests) & among
            for test in range(len(cases.tests)):
                left = cover & cases.tests[test]
                if (left != cover).any() and (left & wanted).any():
                    seen.append((*worth(left), (*tests, test)))
        seen.sort(key=lambda rule: (-rule[0], -rule[1]))  # stable: the first comes first
        once: dict[Tests, tuple[float, int, Tests]] = {}
        for value, p, tests in seen:
            once.setdefault(tuple(sorted(tests)), (value, p, tuple(sorted(tests))))
        star = list(once)[:width]
        for tests in star:
            if best is None or once[tests][:2] > best[:2]:
                best = once[tests]
    return None if best is None else best[2]


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("most", [None, 1, 2])
def test_beam_search_is_that_of_the_paper(width: int, most: int | None) -> None:
    for seed in (*range(40), 186, 275, 305, 315):  # in the last a later rule has more positives
        rng = np.random.default_rng(seed)
        n, m = int(rng.integers(6, 30)), int(rng.integers(2, 8))
        true = rng.random((n, m)) < rng.choice([0.4, 0.6, 0.8])
        cases = cases_of(QuestionMatrix.from_matrix(true, rng.integers(0, 3, n), "abc"))
        pos = cases.classes[0]
        if not count(pos):
            continue

        def worth(left: Bits, pos: Bits = pos) -> tuple[Any, Any]:
            p = count(left & pos)
            return np.round(two_class_laplace(p, count(left & ~pos)), 1), p  # many are equal

        found = beam(
            cases,
            lambda covers: np.ones(len(covers), dtype=bool),
            pos,
            cases.everyone,
            worth,
            lambda cover: True,
            width,
            most,
        )
        expected = literal(cases, pos, cases.everyone, worth, width, most)
        assert (None if found is None else found.tests) == expected
