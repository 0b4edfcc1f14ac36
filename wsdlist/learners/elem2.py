"""ELEM2: pure rules, generalised while their quality Q does not fall; a decision score for answers.

A. An & N. Cercone, "ELEM2: A learning system for more accurate classifications", 1998, as the
slides of EECS 4412 have it (28 to 32).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wsdlist.data.checks import check_choice
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.covering import Target, grow, without_needless
from wsdlist.learners.fitted.rule_set import RuleSet, assemble_set
from wsdlist.learners.fitted.sense_rules import Learned
from wsdlist.learners.heuristics import HEURISTICS
from wsdlist.learners.search.bits import cases_of, count

RESOLVE = ("score", "best")


@dataclass(frozen=True)
class Elem2:
    """For each class: grow a pure rule by p / t, post-prune it by Q, take out what it covers.

    Q is the log odds ratio over all cases of training; its zero counts are corrected by one half
    (ours, the source leaves them open). If rules of several classes are true, their Q are added up
    by class. If none is true, each counts by the share of its conditions that hold. Rules whose Q
    is not above 0 speak against their class and are left out (ours).

    Parameters
    ----------
    resolve
        ``score``: the decision score; ``best``: the true rule of greatest Q answers.
    max_conditions, top
        How many tests a rule may have (None: any number), and how many are looked at.
    """

    resolve: str = "score"
    max_conditions: int | None = None
    top: int = 1000
    asks: ClassVar[str] = "="

    def __post_init__(self) -> None:
        check_choice("resolve", self.resolve, RESOLVE)
        check_bounds(self.top, self.max_conditions)

    def fit(self, matrix: QuestionMatrix) -> RuleSet:
        """Learn a set of rules from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        quality, precision = HEURISTICS["quality"], HEURISTICS["precision"]
        rules: list[Learned] = []
        for sense, own in enumerate(cases.classes):
            whole = Target(cases, own, cases.everyone & ~own)
            left = whole
            while count(left.pos):
                tests = grow(left, precision, max_conditions=self.max_conditions)
                if not tests:  # what is left cannot be told apart
                    break
                tests = without_needless(whole, tests, quality)
                cover = cases.cover(tests)
                value = float(quality(whole.counts(cover)))
                if value > 0:
                    rules.append(Learned(tests, sense, value))
                left = left.without(cover)
        default = int(matrix.prior_counts().argmax())
        return assemble_set(matrix, cases, rules, default, self.resolve, "Q")
