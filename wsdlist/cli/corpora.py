"""Corpora read as commands read them, with what is to be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus
    from wsdlist.evaluation.evaluate import Result
    from wsdlist.features.sets import FeatureSet
    from wsdlist.inventories.coarse import CoarseMap
    from wsdlist.models.meta import Preparation
    from wsdlist.models.model import Model
    from wsdlist.models.recipe import Recipe
    from wsdlist.readers import Parts
    from wsdlist.readers.confusion_sets import ConfusionSets
    from wsdlist.training.prepare import Prepared


def read_to_learn(
    paths: Sequence[str],
    recipe: Recipe,
    corpus: options.CorpusOptions,
    text: options.TextOptions,
    pipeline: str | None,
    map_: str | None,
    jobs: int,
) -> tuple[Parts, Prepared]:
    """Read corpora or plain text; return what was read, and its training part made ready."""
    from wsdlist.cli import output
    from wsdlist.models.meta import Preparation

    sets = text.sets()
    groups = options.coarse_map_of(map_)
    if text.given:
        corpus.refuse_for_plain_text()
        features = recipe.features.around()
        parts, sets = read_plain_text(paths, sets, features, pipeline, text.lines, jobs)
    else:
        parts = corpus.read(paths)
        output.about(parts)
    say_ungrouped(groups, parts.train, parts.test)
    confusion = None if sets is None else sets.sets
    return parts, _prepared(
        recipe, parts.train, Preparation(pipeline, groups, confusion, text.lines)
    )


def _prepared(recipe: Recipe, corpus: Corpus, preparation: Preparation) -> Prepared:
    """Make a corpus ready to be learned from, and say if other questions are asked of it."""
    from wsdlist.cli import output
    from wsdlist.data.corpus import Kind
    from wsdlist.training.prepare import lacking, prepare

    prepared = prepare(corpus, recipe, preparation)
    wanted, used = prepared.fell_back_from, prepared.recipe.features
    if wanted is not None and used.kind is Kind.WORDS:
        output.note(
            f"the corpus has no {' and '.join(lacking(wanted, corpus))}: features {used.name} "
            f"instead of {wanted.name} (name a spaCy pipeline with --pipeline for {wanted.name})"
        )
    return prepared


def read_plain_text(
    paths: Sequence[str],
    sets: ConfusionSets | None,
    features: FeatureSet,
    pipeline: str | None,
    by_line: bool,
    jobs: int,
) -> tuple[Parts, ConfusionSets]:
    """Read plain text as instances of confusion sets, and say what was found."""
    from wsdlist.cli import output
    from wsdlist.training.texts import read_texts

    with output.progress() as progress:
        parts, found = read_texts(
            paths,
            sets,
            features,
            pipeline=pipeline,
            by_line=by_line,
            jobs=jobs,
            progress=progress,
        )
    output.about(parts)
    items = [*parts.train, *(parts.test or ())]
    missing = sorted({*found.lexelt} - {sense for item in items for sense in item.senses})
    if missing:
        output.note(f"not in the text: {', '.join(missing)}")
    return parts, found


def read_for(
    model: Model,
    paths: Sequence[str],
    corpus: options.CorpusOptions,
    pipeline: str | None = None,
) -> Parts:
    """Read corpora as a model was trained on them, and say what was found."""
    from wsdlist.cli import output
    from wsdlist.training import prepare

    return prepare.read_for(model, paths, pipeline=pipeline, about=output.about, **corpus.reading())


def read_to_score(
    model: Model, paths: Sequence[str], corpus: options.CorpusOptions, pipeline: str | None
) -> Corpus:
    """Return the test part of corpora, or all of those that have none, for a model to answer."""
    from wsdlist.cli import output
    from wsdlist.training.prepare import prepare_for

    named = pipeline or model.meta.pipeline
    if model.confusion is None:
        target = corpus.class_name or model.meta.class_name
        parts = output.without_parts(replace(corpus, class_name=target).read(paths))
        output.about(parts)
    else:
        corpus.refuse_for_plain_text()
        parts, _ = read_plain_text(
            paths, model.confusion, model.features, named, model.by_line, jobs=1
        )
    return prepare_for(model.features, parts.scored, named, " ".join(paths))


def say_ungrouped(groups: CoarseMap | None, *corpora: Corpus | None) -> None:
    """Say which senses of corpora are in no group of a coarse map."""
    from wsdlist.cli import output

    items = [item for corpus in corpora if corpus is not None for item in corpus]
    if groups is not None and (said := groups.check(items)):
        output.note(said)


def say_folds(corpus: Corpus, rows: Sequence[Result], folds: int) -> None:
    """Say which words had fewer folds, or none."""
    from wsdlist.cli import output
    from wsdlist.layout import some

    fewer = [f"{row.lexelt} {row.score.instances}" for row in rows if row.score.instances < folds]
    left_out = sorted({*corpus.by_lexelt()} - {row.lexelt for row in rows})
    if fewer:
        output.note(f"fewer folds, one for each instance: {some(fewer)}")
    if left_out and rows:
        output.note(f"not cross-validated, no two different contexts: {some(left_out)}")
