"""How good models are: on other data, and in cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.data.corpus import Corpus, Item
from wsdlist.errors import InputError
from wsdlist.evaluation.official_scorers import BACK_OFF, AnswerFile, Line
from wsdlist.evaluation.scores import Score, score_word, total
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.training.measures import macro_f1


@dataclass(frozen=True)
class Result:
    """How a word went: the score of the learner and of the most frequent sense, and the size."""

    lexelt: str
    senses: int
    trained_on: int
    score: Score
    mfs: Score
    rules: float
    conditions: float

    def to_record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "lexelt": self.lexelt,
            "senses": self.senses,
            "trained_on": self.trained_on,
            **self.score.to_record(),
            "mfs": self.mfs.to_record(),
            "rules": self.rules,
            "conditions": self.conditions,
        }


def summary(results: Sequence[Result]) -> Result:
    """Return all words together: scores are pooled, sizes are added up."""
    return Result(
        "all",
        sum(result.senses for result in results),
        sum(result.trained_on for result in results),
        total(result.score for result in results),
        total(result.mfs for result in results),
        sum(result.rules for result in results),
        sum(result.conditions for result in results),
    )


def evaluate(model: Model, corpus: Corpus, coarse_map: CoarseMap | None = None) -> list[Result]:
    """Score a model on the instances of a corpus that have a gold sense, word by word.

    A marker (``U``, ``P``) among the gold senses is a string like another, as the Senseval
    scorer has it. A word that was never trained is answered by the model's back-off, the same in
    the score of the most frequent sense, or not at all. Gold senses are mapped as those
    were that the model was trained on; with ``coarse_map`` they and the answers are groups of it,
    of which the probabilities add up.
    """
    results = []
    if model.coarse_map is not None:
        corpus = model.coarse_map.corpus(corpus)
    if coarse_map is not None:
        corpus = coarse_map.corpus(corpus)
    for lexelt, instances in corpus.by_lexelt().items():
        gold = [instance.senses for instance in instances if instance.senses]
        asked = [instance for instance in instances if instance.senses]
        if not gold:
            continue
        expert = model.expert(lexelt)
        if expert is None:
            score = score_word(gold, None, (), corpus.markers)
            sense = model.untrained(lexelt).sense
            if sense is not None:
                score = _backed_off(score, gold, coarse_map(sense) if coarse_map else sense)
            results.append(Result(lexelt, 0, 0, score, score, 0, 0))
            continue
        P = expert.predict_proba(asked)
        default = expert.most_frequent(len(asked))
        senses = expert.senses
        if coarse_map is not None:
            senses, groups = _groups(expert.senses, coarse_map)
            P, default = P @ groups, default @ groups
        results.append(
            Result(
                lexelt,
                len(senses),
                expert.instances,
                score_word(gold, P, senses, corpus.markers),
                score_word(gold, default, senses, corpus.markers),
                expert.size.rules,
                expert.size.conditions,
            )
        )
    return results


def _backed_off(score: Score, gold: Sequence[tuple[str, ...]], sense: str) -> Score:
    n = len(gold)
    right = sum(sense in one for one in gold)
    f1 = macro_f1(gold, [sense] * n)
    return replace(score, answered=n, right=right, macro_f1=f1, backed_off=n)


def answer_lines(
    corpus: Corpus, answers: Sequence[Answer], coarse_map: CoarseMap | None = None
) -> str:
    """Return answers to the instances of a corpus, as the official scorers read them.

    They have Senseval's columns where the corpus has Senseval's markers, else the unified ones; an
    answer of back-off is marked as such. An instance without an answer has no line.

    Raises
    ------
    InputError
        When an id, lexelt or sense is no word without a space.
    """
    lines = []
    for item, answer in zip(corpus, answers, strict=True):
        if answer.sense is None:
            continue
        sense = answer.sense if coarse_map is None else coarse_map(answer.sense)
        fields = [item.id, sense] if not corpus.markers else [item.lexelt, item.id, sense]
        for text in fields:
            if len(text.split()) != 1 or text.startswith("!!"):
                raise InputError(
                    f"{text!r} cannot stand in a file of answers", "rename it", where=item.place
                )
        lines.append(" ".join([*fields, *([f"!! {BACK_OFF}"] if answer.backed_off else [])]))
    return "".join(f"{line}\n" for line in lines)


def _groups(senses: Sequence[str], coarse_map: CoarseMap) -> tuple[tuple[str, ...], Floats]:
    """Return the groups of senses, and ``(n_senses, n_groups)`` which sense is in which."""
    names = sorted({coarse_map(sense) for sense in senses})
    made = np.zeros((len(senses), len(names)))
    made[np.arange(len(senses)), [names.index(coarse_map(sense)) for sense in senses]] = 1
    return tuple(names), made


def as_learned(model: Model, items: Sequence[Item]) -> list[Answer]:
    """Return the answers that the lists gave as they were learned, without edits."""
    answers = model.answer(items)
    rows: dict[str, list[int]] = {}
    for row, item in enumerate(items):
        rows.setdefault(item.lexelt, []).append(row)
    for lexelt, some in rows.items():
        expert = model.expert(lexelt)
        if expert is not None and expert.learned is not None:
            made = expert.learned.answer([items[row] for row in some])
            for row, answer in zip(some, made, strict=True):
                answers[row] = answer
    return answers


def file_of(items: Sequence[Item], answers: Sequence[Answer] | None = None) -> AnswerFile:
    """Return the gold senses of instances, or answers to them, for :func:`official.score`."""
    made = AnswerFile()
    for row, item in enumerate(items):
        senses, backed_off = item.senses, False
        if answers is not None:
            sense, backed_off = answers[row].sense, answers[row].backed_off
            senses = () if sense is None else (sense,)
        tags: list[tuple[str, float | None]] = [(sense, None) for sense in senses]
        made.lines[item.id] = Line(item.id, item.lexelt, tags, item.place, backed_off)
    return made
