"""PRISM: perfect rules, a class after another (J. Cendrowska, 1987)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.covering import Target, grow
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.heuristics import HEURISTICS
from wsdlist.learners.search.bits import cases_of, count


@dataclass(frozen=True)
class Prism:
    """Cendrowska's PRISM (1987): perfect rules by p / t, for each class in turn.

    The test with the greatest p / t is added, of equals that with larger p, then the first, until
    only positives are covered or no test is left; covered cases are taken out, until no positive is
    left; then the next class starts from all cases. Departures: the source leaves open what
    answers where rules of several classes are true (here the first, classes in the order of their
    names), and where none is (the most frequent class).

    Parameters
    ----------
    max_conditions, top
        How many tests a rule may have (None: any number), and how many are looked at.
    """

    max_conditions: int | None = None
    top: int = 1000
    asks: ClassVar[str] = "="

    def __post_init__(self) -> None:
        check_bounds(self.top, self.max_conditions)

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn rules from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        rules: list[Learned] = []
        precision = HEURISTICS["precision"]
        for sense, own in enumerate(cases.classes):
            target = Target(cases, own, cases.everyone & ~own)
            while count(target.pos):
                tests = grow(target, precision, max_conditions=self.max_conditions)
                if not tests:  # what is left cannot be told apart: the default's business
                    break
                cover = cases.cover(tests)
                rules.append(Learned(tests, sense, float(precision(target.counts(cover)))))
                target = target.without(cover)
        default = int(matrix.prior_counts().argmax())
        return assemble_rules(matrix, cases, rules, default, "precision")
