"""CN2: beam search for significant rules, as an ordered list or as a set that votes.

P. Clark & T. Niblett, "The CN2 induction algorithm", Machine Learning 3, 1989 (entropy, ordered);
P. Clark & R. Boswell, "Rule induction with CN2: some recent improvements", 1991 (Laplace,
unordered).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import check_bounds
from wsdlist.learners.covering import class_counts
from wsdlist.learners.fitted.rule_set import RuleSet, assemble_set
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.heuristics import significant
from wsdlist.learners.search.beam import Seen, beam
from wsdlist.learners.search.bits import Bits, Cases, cases_of, count
from wsdlist.learners.smoothing import entropy

MERIT = ("laplace", "entropy")


@dataclass(frozen=True)
class _CN2:
    """What both forms share: the search for the best complex.

    Parameters
    ----------
    merit
        ``laplace``: (n_c + 1) / (n + K); ``entropy`` of the covered classes, the less the better.
    width
        The star size: how many complexes are refined at each step.
    alpha
        The level of the likelihood-ratio test of the covered classes against those of the cases
        left (K - 1 degrees of freedom); 0 for no test.
    max_conditions, top
        How many tests a complex may have (None: any number), and how many are looked at.
    """

    merit: str = "laplace"
    width: int = 5
    alpha: float = 0.0
    max_conditions: int | None = None
    top: int = 1000
    asks: ClassVar[str] = "="

    def __post_init__(self) -> None:
        check_choice("merit", self.merit, MERIT)
        check_bounds(self.top, self.max_conditions)
        check_whole("width", self.width)
        check_number("alpha", self.alpha, least=0, most=1)

    def _best(self, cases: Cases, left: Bits, sense: int | None) -> tuple[Seen, int] | None:
        """Return the best complex for the cases left, and its sense; for one sense or for any."""
        K = len(cases.classes)
        everyone = class_counts(cases, left)
        wanted = left if sense is None else left & cases.classes[sense]

        def mixed(covers: Bits) -> Any:
            return (class_counts(cases, covers) > 0).sum(axis=-1) > 1

        def evaluate(covers: Bits) -> tuple[Any, Any]:
            found = class_counts(cases, covers)
            own = found.max(axis=-1) if sense is None else found[..., sense]
            if self.merit == "entropy":
                return -entropy(found / found.sum(axis=-1, keepdims=True)), own
            return (own + 1) / (found.sum(axis=-1) + K), own

        def accept(cover: Bits) -> bool:
            found = class_counts(cases, cover & left)
            if sense is not None and found[sense] * everyone.sum() <= everyone[sense] * found.sum():
                return False  # it says nothing for the sense
            return significant(found, everyone, self.alpha)

        best = beam(cases, mixed, wanted, left, evaluate, accept, self.width, self.max_conditions)
        if best is None:
            return None
        found = class_counts(cases, best.cover & left)
        return best, int(found.argmax()) if sense is None else sense


@dataclass(frozen=True)
class CN2(_CN2):
    """The ordered form: the best rule for any class, what it covers is taken out, and again.

    It ends when no complex is significant. The default, the most frequent class of all, stands at
    the end.
    """

    def fit(self, matrix: QuestionMatrix) -> SenseRules:
        """Learn a list from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        left = cases.everyone
        rules: list[Learned] = []
        while count(left):
            best = self._best(cases, left, None)
            if best is None:
                break
            seen, sense = best
            rules.append(Learned(seen.tests, sense, abs(seen.value)))
            left = left & ~cases.cover(seen.tests)
        default = int(matrix.prior_counts().argmax())
        return assemble_rules(matrix, cases, rules, default, self.merit)


@dataclass(frozen=True)
class UnorderedCN2(_CN2):
    """The unordered form: rules for each class, of which only the covered own cases are taken out.

    All rules that are true vote with the class counts of what they cover in training; if none
    is true the most frequent class answers. A rule must have a greater share of its class than the
    cases left have (ours: else the set would not end). The merit is Laplace's, for the entropy of
    all classes knows none.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.merit != "laplace":
            raise ParameterError(f"merit is {self.merit!r}", "say laplace, or take the learner cn2")

    def fit(self, matrix: QuestionMatrix) -> RuleSet:
        """Learn a set of rules from answers with outcomes."""
        cases = cases_of(matrix, self.top)
        rules: list[Learned] = []
        for sense, own in enumerate(cases.classes):
            left = cases.everyone
            while count(left & own):
                best = self._best(cases, left, sense)
                if best is None:
                    break
                rules.append(Learned(best[0].tests, sense, best[0].value))
                left = left & ~(cases.cover(best[0].tests) & own)
        default = int(matrix.prior_counts().argmax())
        return assemble_set(matrix, cases, rules, default, "counts", self.merit)
