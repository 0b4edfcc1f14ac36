"""How good a model is on a corpus: its score word by word, and its answers as a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.data.checks import A_CORPUS, check_kind
from wsdlist.data.corpus import Corpus, Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.official_scorers import BACK_OFF, AnswerFile, Line
from wsdlist.evaluation.scores import Score, score_word, total
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.training.measures import macro_f1


@dataclass(frozen=True)
class Result:
    """The scores of one word, of the learner and of the most frequent sense, and its size."""

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

    A marker (``U``, ``P``) among the gold senses is a string like any other, as in the Senseval
    scorer. The model's back-off answers for a word that was never trained, and this answer counts
    for the most frequent sense too; without back-off the word has no answer. Gold senses are
    mapped as the senses that the model learned were. With ``coarse_map`` gold senses and answers
    are its groups, and the probability of a group is the sum over its senses.

    Raises
    ------
    ParameterError
        When the corpus is none, or of the other kind than the model (words, table).
    """
    check_kind("corpus", corpus, Corpus, f"give {A_CORPUS}")
    if len(corpus) and corpus.kind is not model.meta.kind:
        raise ParameterError(
            f"the corpus has {corpus.kind.value}, the model is for {model.meta.kind.value}",
            "give others",
        )
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
            untrained = model.untrained(lexelt)
            sense = (to_groups(untrained, coarse_map) if coarse_map else untrained).sense
            if sense is not None:
                score = _backed_off(score, gold, sense)
            results.append(Result(lexelt, 0, 0, score, score, 0, 0))
            continue
        P = expert.predict_proba(asked)
        default = expert.most_frequent(len(asked))
        senses = expert.senses
        if coarse_map is not None:
            P, senses = _grouped(P, expert.senses, coarse_map)
            default, _ = _grouped(default, expert.senses, coarse_map)
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
    right = sum(sense in senses for senses in gold)
    f1 = macro_f1(gold, [sense] * n)
    return replace(score, answered=n, right=right, macro_f1=f1, backed_off=n)


def answer_lines(
    corpus: Corpus, answers: Sequence[Answer], coarse_map: CoarseMap | None = None
) -> str:
    """Return answers to the instances of a corpus, as the official scorers read them.

    With ``coarse_map`` they are its groups, the same that :func:`evaluate` scores.

    They have Senseval's columns if the corpus has Senseval's markers, else the unified ones. An
    answer of back-off is marked as one. An instance without an answer has no line.

    Raises
    ------
    InputError
        When an id, lexelt or sense is no word without a space.
    """
    if coarse_map is not None:
        answers = [to_groups(answer, coarse_map) for answer in answers]
    lines = []
    for item, answer in zip(corpus, answers, strict=True):
        if answer.sense is None:
            continue
        fields = [item.id, answer.sense]
        if corpus.markers:
            fields.insert(0, item.lexelt)
        for text in fields:
            if len(text.split()) != 1 or text.startswith("!!"):
                raise InputError(
                    f"{text!r} cannot stand in a file of answers", "rename it", where=item.place
                )
        lines.append(" ".join([*fields, *([f"!! {BACK_OFF}"] if answer.backed_off else [])]))
    return "".join(f"{line}\n" for line in lines)


def _grouped(
    probabilities: Floats, senses: Sequence[str], coarse_map: CoarseMap
) -> tuple[Floats, tuple[str, ...]]:
    """Return ``(n, n_groups)`` the sums of ``(n, n_senses)`` by group, and the groups by name."""
    names = sorted({coarse_map(sense) for sense in senses})
    sums = np.zeros((len(probabilities), len(names)))
    # in the order of names, so that sums come out the same whatever the order of the columns
    for column in sorted(range(len(senses)), key=lambda column: senses[column]):
        sums[:, names.index(coarse_map(senses[column]))] += probabilities[:, column]
    return sums, tuple(names)


def to_groups(answer: Answer, coarse_map: CoarseMap) -> Answer:
    """Return an answer by groups: that of the greatest probability, the sum over its senses.

    It need not be the group of the most probable sense. An answer of back-off has no
    probabilities, so its sense decides.
    """
    if answer.sense is None:
        return answer
    if not answer.distribution:
        return replace(answer, sense=coarse_map(answer.sense))
    sums, groups = _grouped(
        np.array([list(answer.distribution.values())]), list(answer.distribution), coarse_map
    )
    distribution = dict(zip(groups, sums[0].tolist(), strict=True))
    best = groups[sums[0].argmax()]
    return replace(answer, sense=best, probability=distribution[best], distribution=distribution)


def as_learned(model: Model, items: Sequence[Item]) -> list[Answer]:
    """Return the answers that the lists gave as they were learned, without edits."""
    answers = model.answer(items)
    rows: dict[str, list[int]] = {}
    for row, item in enumerate(items):
        rows.setdefault(item.lexelt, []).append(row)
    for lexelt, some in rows.items():
        expert = model.expert(lexelt)
        if expert is not None and expert.learned is not None:
            before_edits = expert.learned.answer([items[row] for row in some])
            for row, answer in zip(some, before_edits, strict=True):
                answers[row] = answer
    return answers


def file_of(items: Sequence[Item], answers: Sequence[Answer] | None = None) -> AnswerFile:
    """Return the gold senses of instances, or answers to them, for the official scorers."""
    file = AnswerFile()
    for row, item in enumerate(items):
        senses, backed_off = item.senses, False
        if answers is not None:
            sense, backed_off = answers[row].sense, answers[row].backed_off
            senses = () if sense is None else (sense,)
        tags: list[tuple[str, float | None]] = [(sense, None) for sense in senses]
        file.lines[item.id] = Line(item.id, item.lexelt, tags, item.place, backed_off)
    return file
