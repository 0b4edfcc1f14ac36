"""How good answers are: accuracy, macro-F1, bits, and paired comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.training.measures import macro_f1


@dataclass(frozen=True)
class Score:
    """The score of the answers to some instances.

    Parameters
    ----------
    instances
        How many instances have a gold sense.
    answered
        How many of them were answered.
    right
        How many answers are in the gold set.
    total_bits
        Sum over instances of the mean over their gold senses of -log2 P(sense), in bits;
        senses that the model does not know are left out.
    coded
        How many instances had a gold sense that the model knows.
    unknown
        How many gold senses the model does not know.
    gold_senses
        How many gold senses there are in all, markers left out.
    macro_f1
        Mean of F1 over senses; for several words, the mean of that over words.
    backed_off
        How many answers are those of back-off, which have no bits.
    """

    instances: int
    answered: int
    right: int
    total_bits: float
    coded: int
    unknown: int
    gold_senses: int
    macro_f1: float
    backed_off: int = 0

    @property
    def accuracy(self) -> float:
        """Right answers divided by instances: what the Senseval scorer calls recall."""
        return self.right / self.instances if self.instances else float("nan")

    @property
    def bits(self) -> float:
        """Mean code length of an instance's gold senses, over those the model knows."""
        return self.total_bits / self.coded if self.coded else float("nan")

    def to_record(self) -> dict[str, Any]:
        """Return the score as JSON data; None for what is not finite."""

        def finite(value: float) -> float | None:
            return value if np.isfinite(value) else None

        return {
            "instances": self.instances,
            "answered": self.answered,
            "right": self.right,
            "accuracy": finite(self.accuracy),
            "macro_f1": finite(self.macro_f1),
            "bits": finite(self.bits),
            "bits_with_unknown": None if self.unknown else finite(self.bits),
            "unknown_gold_senses": self.unknown,
            "gold_senses": self.gold_senses,
            "backed_off": self.backed_off,
        }


def score_word(
    gold: Sequence[Collection[str]],
    probabilities: Floats | None,
    senses: Sequence[str],
    markers: Collection[str] = (),
) -> Score:
    """Score the answers to one lexelt.

    Parameters
    ----------
    gold
        The gold set of each instance.
    probabilities
        ``(n, n_senses)``; the most probable sense is the answer, the first if several are equal.
        None if the model does not know the lexelt.
    senses
        The labels of the columns.
    markers
        Gold labels that are no senses (``U``, ``P``): an answer may equal them, as in the Senseval
        scorer, but bits leave them out.

    >>> score_word([{"a"}, {"a", "b"}, {"b"}], np.array([[0.5, 0.5]] * 3), ["a", "b"]).right
    2
    """
    number = {sense: n for n, sense in enumerate(senses)}
    n_senses = sum(sense not in markers for answer in gold for sense in answer)
    if probabilities is None:
        return Score(len(gold), 0, 0, 0.0, 0, n_senses, n_senses, 0.0)
    answers = [senses[best] for best in probabilities.argmax(axis=1)] if len(gold) else []
    with np.errstate(divide="ignore"):
        costs = -np.log2(probabilities)
    total, coded, unknown = 0.0, 0, 0
    for row, right in enumerate(gold):
        labels = [sense for sense in sorted(right) if sense not in markers]
        known = [number[sense] for sense in labels if sense in number]
        unknown += len(labels) - len(known)
        if known:
            total += float(costs[row, known].mean())
            coded += 1
    right_answers = sum(answer in right for answer, right in zip(answers, gold, strict=True))
    f1 = macro_f1(gold, answers, markers)
    return Score(len(gold), len(gold), right_answers, total, coded, unknown, n_senses, f1)


def total(scores: Iterable[Score]) -> Score:
    """Return the score of several words together; macro-F1 is the mean over words."""
    scores = list(scores)
    f1 = [score.macro_f1 for score in scores if np.isfinite(score.macro_f1)]
    return Score(
        sum(score.instances for score in scores),
        sum(score.answered for score in scores),
        sum(score.right for score in scores),
        sum(score.total_bits for score in scores),
        sum(score.coded for score in scores),
        sum(score.unknown for score in scores),
        sum(score.gold_senses for score in scores),
        float(np.mean(f1)) if f1 else float("nan"),
        sum(score.backed_off for score in scores),
    )


def confusion(gold: Iterable[Sequence[str]], answers: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count ``(gold sense, answer)`` over instances; with several gold senses, one of them.

    It is the answer if the answer is right, so that right answers stand on the diagonal; else it
    is the first.

    >>> sorted(confusion([["a", "b"], ["a", "b"]], ["b", "c"]).items())
    [(('a', 'c'), 1), (('b', 'b'), 1)]
    """
    pairs = zip(gold, answers, strict=True)
    return Counter((answer if answer in senses else senses[0], answer) for senses, answer in pairs)
