"""Beam search: keep the best rules at each step (Clark & Niblett 1989)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.learners.search.bits import Bits, Cases


@dataclass(frozen=True, eq=False)
class Seen:
    """A rule that a beam search has seen: what it is worth, and what it covers."""

    value: float
    p: int
    tests: tuple[int, ...]
    cover: Bits


def beam(
    cases: Cases,
    mixed: Callable[[Bits], Any],
    wanted: Bits,
    among: Bits,
    evaluate: Callable[[Bits], tuple[Any, Any]],
    accept: Callable[[Bits], bool],
    width: int,
    max_conditions: int | None,
) -> Seen | None:
    """Keep the ``width`` best rules at each step; return the best acceptable one of all.

    Parameters
    ----------
    cases
        The training cases, with the tests.
    mixed
        Says which covers have cases of several kinds, so that a test can tell them apart.
    wanted
        Cases of which each rule must cover some.
    among
        The cases that count; each test must make a rule cover fewer of them.
    evaluate
        Gives ``(values, p)`` of covers: of equal values more positives, then the first tests win.
    accept
        Whether a rule with this cover may be the result (significance).
    width
        Clark & Niblett's star size.
    max_conditions
        How many tests there may be.
    """
    star = [Seen(-np.inf, 0, (), cases.everyone & among)]
    best: Seen | None = None
    while star and (max_conditions is None or len(star[0].tests) < max_conditions):
        covers = np.array([rule.cover for rule in star])
        after = covers[:, None] & cases.tests
        useful = (after != covers[:, None]).any(axis=-1) & (after & wanted).any(axis=-1)
        rules, tests = np.nonzero(useful & mixed(covers)[:, None])
        if not len(rules):
            break
        left = after[rules, tests]
        values, p = evaluate(left)
        values = np.round(np.asarray(values, dtype=float), 12)
        seen: dict[tuple[int, ...], Seen] = {}
        for number in np.lexsort((np.arange(len(rules)), -p, -values)).tolist():
            chosen = tuple(sorted((*star[rules[number]].tests, int(tests[number]))))
            if chosen not in seen:
                seen[chosen] = Seen(float(values[number]), int(p[number]), chosen, left[number])
            if len(seen) == width:
                break
        star = list(seen.values())
        for rule in star:
            better = best is None or (rule.value, rule.p) > (best.value, best.p)
            if better and accept(rule.cover):
                best = rule
    return best
