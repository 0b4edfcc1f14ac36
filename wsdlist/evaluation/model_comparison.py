"""Two models on the instances of a corpus, or one as it was learned and as it was edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wsdlist.data.corpus import Corpus, Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.evaluate import as_learned, file_of
from wsdlist.evaluation.official_scorers import ScoreReport, score
from wsdlist.layout import some
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.training.prepare import prepare_for


@dataclass(frozen=True)
class Difference:
    """An instance and two answers to it that are other senses."""

    item: Item
    first: Answer
    second: Answer


@dataclass(frozen=True)
class ModelComparison:
    """The scores of two models, by the unified rules, and where their answers differ."""

    first: ScoreReport
    second: ScoreReport
    differences: list[Difference]


def check_comparable(first: Model, second: Model) -> None:
    """Refuse models whose answers are not of the same groups of senses.

    Raises
    ------
    ParameterError
        When their coarse maps are not the same.
    """
    if first.coarse_map != second.coarse_map:
        raise ParameterError("the models have other coarse maps", "compare those of one map")


def compare_models(
    first: Model, second: Model, corpus: Corpus, *, minimal: bool = False, where: str = ""
) -> ModelComparison:
    """Score two models on the instances of a corpus that have a gold sense.

    Parameters
    ----------
    first, second
        Models of the same senses, or of the same groups of them.
    corpus
        With what the first asks for, see :func:`wsdlist.training.prepare.read_for`; what only the
        second asks for is added by its pipeline.
    minimal
        Whether instances with several gold senses are left out.
    where
        What the corpus is called in messages.

    Raises
    ------
    InputError
        When no instance has a gold sense, or none is of a word that a model has.
    ParameterError
        When the models have other coarse maps.
    """
    check_comparable(first, second)
    corpus = _grouped(first, corpus)
    items = _with_senses(corpus, where)
    ready = prepare_for(second.features, corpus, second.meta.pipeline, where)
    answers = second.answer([item for item in ready if item.senses])
    return _compared(items, first.answer(items), answers, minimal, where)


def compare_edits(
    model: Model, corpus: Corpus, *, minimal: bool = False, where: str = ""
) -> ModelComparison:
    """Score a model as it was learned (first) and as it was edited by hand (second).

    The parameters and errors are those of :func:`compare_models`.
    """
    items = _with_senses(_grouped(model, corpus), where)
    return _compared(items, as_learned(model, items), model.answer(items), minimal, where)


def _grouped(model: Model, corpus: Corpus) -> Corpus:
    return corpus if model.coarse_map is None else model.coarse_map.corpus(corpus)


def _with_senses(corpus: Corpus, where: str) -> list[Item]:
    items = [item for item in corpus if item.senses]
    if not items:
        raise InputError("no instance has a gold sense", "name another corpus", where=where)
    return items


def _compared(
    items: Sequence[Item],
    first: Sequence[Answer],
    second: Sequence[Answer],
    minimal: bool,
    where: str,
) -> ModelComparison:
    if not any(answer.sense for answer in (*first, *second)):
        words = some(sorted({item.lexelt for item in items}), 3)
        raise InputError(f"has {words}, and none of the models' words", "name another", where=where)
    gold = file_of(items)
    scored = [
        score(gold, file_of(items, answers), "unified", minimal=minimal)
        for answers in (first, second)
    ]
    differences = [
        Difference(item, before, after)
        for item, before, after in zip(items, first, second, strict=True)
        if before.sense != after.sense
    ]
    return ModelComparison(scored[0], scored[1], differences)
