"""Answers scored against a key: each instance by the rules, and their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.data.pos import NAMES, split_lexelt
from wsdlist.data.sense_keys import lemma_of, part_of_speech_of
from wsdlist.evaluation.official_scorers._bootstrap import f1_of_resamples, interval
from wsdlist.evaluation.official_scorers.keys import AnswerFile, Line
from wsdlist.evaluation.official_scorers.rules import Weighted, attempted, check_rules, correct
from wsdlist.evaluation.official_scorers.sense_map import SenseMap
from wsdlist.evaluation.scores import confusion


@dataclass(frozen=True)
class Scored:
    """A score and the counts that it is made of.

    Parameters
    ----------
    instances
        Instances of the key.
    answered
        How many of them have an answer.
    attempted
        The weight of the answers, at most 1 for each instance.
    correct
        The weight of what was right.
    """

    instances: int
    answered: int
    attempted: float
    correct: float

    @property
    def precision(self) -> float:
        """Right by attempted; nan if nothing was attempted."""
        return self.correct / self.attempted if self.attempted else float("nan")

    @property
    def recall(self) -> float:
        """Right by the instances of the key."""
        return self.correct / self.instances if self.instances else float("nan")

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if nothing was right."""
        both = self.attempted + self.instances
        return 2 * self.correct / both if both else float("nan")

    def to_record(self) -> dict[str, Any]:
        """Return the score as JSON data; what there is no number for is None."""
        numbers = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {
            "instances": self.instances,
            "answered": self.answered,
            "attempted": self.attempted,
            "correct": self.correct,
            **{name: None if value != value else value for name, value in numbers.items()},
        }


@dataclass(frozen=True)
class ScoreReport:
    """The score of answers against a key, and what became of each.

    Parameters
    ----------
    rules, grain
        By what it was scored.
    total
        All instances.
    parts
        By ``pos``, ``document`` and ``word``, the score of each.
    credit
        ``(attempted, correct)`` of each instance of the key, in the key's order.
    confusion
        By word, how often a gold sense got an answer, the one of the greatest weight; see
        :func:`wsdlist.evaluation.scores.confusion`.
    ignored
        Ids of answers that the key does not have.
    repeated
        Lines about an id that had one already.
    empty
        Lines with an id and no sense.
    back_off
        Answers that are marked as back-off.
    """

    rules: str
    grain: str
    total: Scored
    parts: dict[str, dict[str, Scored]]
    credit: dict[str, tuple[float, float]]
    confusion: dict[str, Counter[tuple[str, str]]]
    ignored: tuple[str, ...]
    repeated: int
    empty: int
    back_off: int

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over words."""
        values = [score.f1 for score in self.parts["word"].values()]
        return float(np.mean(values)) if values else float("nan")

    def interval(self, seed: int = 0) -> tuple[float, float]:
        """Return the 95% interval of F1 over instances drawn anew 10,000 times (bootstrap)."""
        (f1,) = f1_of_resamples([self.credits()], seed)
        return interval(f1)

    def credits(self) -> Floats:
        """Return ``(n, 2)`` what was attempted and what was right of each instance."""
        return np.array(list(self.credit.values()), dtype=float).reshape(-1, 2)


@dataclass(frozen=True)
class _Instance:
    """An instance of the key, and what was answered."""

    line: Line
    gold: list[str]
    answers: list[Weighted]
    correct: float

    @property
    def attempted(self) -> float:
        return sum(weight for _, weight in self.answers)

    @property
    def answer(self) -> str:
        """The answer of the greatest weight, the first if several weigh the same."""
        return max(self.answers, key=lambda pair: pair[1])[0]


def score(
    key: AnswerFile,
    answers: AnswerFile,
    rules: str = "unified",
    *,
    grain: str = "fine",
    sense_map: SenseMap | None = None,
    minimal: bool = False,
) -> ScoreReport:
    """Score answers against a key.

    Parameters
    ----------
    key, answers
        What :func:`~wsdlist.evaluation.official_scorers.keys.read_file` returns.
    rules
        ``unified`` or ``senseval``.
    grain
        ``fine``; by Senseval's rules also ``mixed`` or ``coarse``, which need a sense map.
    sense_map
        Of Senseval's rules, see
        :func:`~wsdlist.evaluation.official_scorers.sense_map.read_sense_map`.
    minimal
        Whether instances with several gold senses are left out (scorer2's ``-m``).

    Raises
    ------
    ParameterError
        For unknown rules or grain, or a grain that needs a map.
    """
    check_rules(rules, grain, sense_map)
    groups = sense_map or SenseMap()
    regroup = groups.top if grain == "coarse" else str
    instances: dict[str, _Instance] = {}
    for name, line in key.lines.items():
        gold = list(dict.fromkeys(regroup(sense) for sense, _ in line.tags))
        if gold and not (minimal and len(gold) > 1):
            answered = attempted(answers.lines.get(name), rules, regroup)
            right = correct(answered, gold, groups, grain)
            instances[name] = _Instance(line, gold, answered, right)
    parts = _parts(instances.values())
    return ScoreReport(
        rules,
        grain,
        _summed(instances.values()),
        {
            kind: {value: _summed(some[value]) for value in sorted(some)}
            for kind, some in parts.items()
        },
        {name: (instance.attempted, instance.correct) for name, instance in instances.items()},
        _confusion_by_word(parts["word"]),
        tuple(sorted(set(answers.lines) - set(key.lines))),
        answers.repeated,
        sum(not line.tags for line in answers.lines.values()),
        sum(line.back_off and name in instances for name, line in answers.lines.items()),
    )


def _parts(instances: Collection[_Instance]) -> dict[str, dict[str, list[_Instance]]]:
    """Return the instances of each part of speech, document and word."""
    parts: dict[str, dict[str, list[_Instance]]] = {"pos": {}, "document": {}, "word": {}}
    for instance in instances:
        word, pos = _word_of(instance.line, instance.gold[0])
        name = instance.line.id
        # such as d000.s000.t000
        document = name.rsplit(".", 2)[0] if name.count(".") > 1 else "(none)"
        for kind, value in (("pos", pos), ("document", document), ("word", word)):
            parts[kind].setdefault(value, []).append(instance)
    return parts


def _word_of(line: Line, gold: str) -> tuple[str, str]:
    """Return the word of an instance and its part of speech: the line's, else the sense key's."""
    part = part_of_speech_of(gold)
    if line.word:
        known = split_lexelt(line.word)[1] or part
        return line.word, NAMES[known] if known else "(none)"
    word = f"{lemma_of(gold)}.{part}" if part else "(none)"
    return word, NAMES[part] if part else "(none)"


def _summed(instances: Collection[_Instance]) -> Scored:
    return Scored(
        len(instances),
        sum(bool(instance.answers) for instance in instances),
        sum(instance.attempted for instance in instances),
        sum(instance.correct for instance in instances),
    )


def _confusion_by_word(
    words: dict[str, list[_Instance]],
) -> dict[str, Counter[tuple[str, str]]]:
    """Return how often a gold sense got an answer, for words with an answer."""
    answered = {word: [i for i in some if i.answers] for word, some in words.items()}
    return {
        word: confusion([i.gold for i in some], [i.answer for i in some])
        for word, some in answered.items()
        if some
    }
