"""The probabilistic decision list (Goodman 2002): discounted distributions, an explicit default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from wsdlist.data.arrays import Floats, sums
from wsdlist.data.records import RecordError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.ordered import ListRecord, OrderedRules, place_of_rows
from wsdlist.learners.fitted.rules import Rule, exact
from wsdlist.learners.smoothing import cost, discounted, unigram

REESTIMATE = ("none", "default", "rules")
# Reached counts of this weight are believed like the global estimate. Of 1, 3, 10, 30 it had the
# best bits, and accuracy like the others', in cross-validation in Senseval's training files.
REACHED_WEIGHT = 30.0


@dataclass(frozen=True, eq=False)
class DecisionList(OrderedRules):
    """Rules whose probabilities follow from their counts.

    The gains are bits. The code length of the training outcomes under the default alone is that
    under the list plus the sum of the gains (before any re-estimation).

    Parameters
    ----------
    reached_counts
        ``(n_rules + 1, n_senses)`` R(y), the supports by sense. They are nan in rules that were not
        estimated again from them. None if no rule was.
    """

    gains_depend_on_order: ClassVar[bool] = True

    reached_counts: Floats | None = None

    @property
    def measure(self) -> str:
        """What the gains are."""
        return "gain (bits)"

    def rule(self, place: int) -> Rule:
        """Return the rule at a place, counted from 0; the default is the last."""
        rule = super().rule(place)
        if self.reached_counts is None or np.isnan(self.reached_counts[place]).any():
            return rule
        return replace(rule, reached_counts=self._by_sense(self.reached_counts[place]))

    def _arithmetic(self, rule: Rule, sense: str, *, is_default: bool) -> str:
        default = self.default
        prior = f"{exact(default.counts[sense])} / {exact(default.count)}"
        P = prior if is_default else self._discounting(rule.counts, sense, prior)
        if rule.reached_counts is not None:
            R, m = exact(rule.reached_counts[sense]), exact(REACHED_WEIGHT)
            P = f"({R} + {m} * ({P})) / ({exact(sum(rule.reached_counts.values()))} + {m})"
        return f"P({sense}) = {P}"

    def _numbers_from(
        self, counts: Floats, reached: Floats, gains: Callable[[Floats], Floats]
    ) -> tuple[Floats, dict[str, Any]]:
        prior = unigram(counts[-1])
        probabilities = discounted(counts, prior, self.discount)
        probabilities[-1] = prior  # TRUE is not discounted
        by_hand = self.set_by_hand
        if by_hand is not None:
            probabilities[by_hand] = self.probabilities[by_hand]
        saved = gains(probabilities)  # before re-estimation, as in learning
        if self.reached_counts is None:
            return probabilities, {"gains": saved}
        all_rules = not np.isnan(self.reached_counts[:-1]).all()
        again, kept = reestimated(probabilities, reached, "rules" if all_rules else "default")
        return again, {"gains": saved, "reached_counts": kept}

    @classmethod
    def _fields_of(cls, senses: tuple[str, ...], rules: Sequence[Rule]) -> dict[str, Any]:
        fields = super()._fields_of(senses, rules)
        unknown = dict.fromkeys(senses, np.nan)
        rows = [unknown if r.reached_counts is None else r.reached_counts for r in rules]
        are_reestimated = any(rule.reached_counts is not None for rule in rules)
        reached = np.array([[row[sense] for sense in senses] for row in rows], float)
        return {**fields, "reached_counts": reached if are_reestimated else None}

    @classmethod
    def _of(cls, record: ListRecord, fields: dict[str, Any]) -> OrderedRules:
        if any(rule.target_sense is not None for rule in record.rules):
            raise RecordError("have a target sense, and the default has none", "rules")
        return cls(record.senses, discount=record.discount, **fields)


def reestimated(probabilities: Floats, reached: Floats, reestimate: str) -> tuple[Floats, Floats]:
    """Return distributions estimated again from what reaches each rule, and what reached them.

    They are (R(y) + m P(y|q)) / (R + m), so that reached counts weigh by their size. Goodman (2002,
    section 5) and Yarowsky (1994) propose to estimate from them.

    Parameters
    ----------
    probabilities
        ``(n_rules + 1, n_senses)`` P(y|q).
    reached
        ``(n_rules + 1, n_senses)`` R(y), the weight of the training instances that a rule answers.
    reestimate
        ``default`` if the default alone is estimated again, ``rules`` if every rule is.

    Returns
    -------
    tuple
        The distributions, and the reached counts with nan in rules that stay as they were.
    """
    m = REACHED_WEIGHT
    again: Floats = (reached + m * probabilities) / (reached.sum(axis=1, keepdims=True) + m)
    kept = reached.copy()
    if reestimate == "default":
        again[:-1], kept[:-1] = probabilities[:-1], np.nan
    return again, kept


def assemble(
    matrix: QuestionMatrix,
    counts: Floats,
    chosen: Sequence[int],
    gains: Sequence[float],
    discount: float,
    reestimate: str = "none",
) -> DecisionList:
    """Make the list of chosen questions with its probabilities, counts and supports.

    Parameters
    ----------
    matrix
        The training answers.
    counts
        ``(n_questions, n_senses)`` C(q, y) of all questions of the matrix.
    chosen
        Numbers of questions, the first to be asked first.
    gains
        The gain of each, in bits.
    discount
        d of absolute discounting.
    reestimate
        The distributions that are estimated again from the instances that reach them: ``none``,
        that of the ``default``, or those of all ``rules``; see :func:`reestimated`.
    """
    numbers = np.asarray(chosen, dtype=np.int64)
    prior = matrix.prior_counts()
    counts = np.vstack([counts[numbers], prior])
    probabilities = discounted(counts, unigram(prior), discount)
    probabilities[-1] = unigram(prior)  # TRUE is not discounted
    place = place_of_rows(matrix, numbers.tolist())
    reached_counts = None
    if reestimate != "none":
        cells = place * len(matrix.senses) + matrix.outcome
        reached = sums(cells, matrix.weight, counts.size).reshape(counts.shape)
        probabilities, reached_counts = reestimated(probabilities, reached, reestimate)
    return DecisionList(
        matrix.senses,
        tuple(matrix.questions[number] for number in numbers.tolist()),
        probabilities,
        counts,
        sums(place, matrix.weight, len(counts)),
        np.asarray(gains, dtype=np.float64),
        discount,
        answered=place,
        reached_counts=reached_counts,
    )


def bits(matrix: QuestionMatrix, probabilities: Floats) -> float:
    """Return the code length of the outcomes, in bits: the sum of weight times -log2 P."""
    return float(matrix.weight @ cost(probabilities[np.arange(matrix.n_rows), matrix.outcome]))
