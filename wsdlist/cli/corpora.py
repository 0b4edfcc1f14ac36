"""What the commands that learn and measure share: reading corpora, and the settings to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus
    from wsdlist.evaluation.evaluate import Result
    from wsdlist.features.sets import FeatureSet
    from wsdlist.models.meta import Preparation
    from wsdlist.models.recipe import Recipe
    from wsdlist.readers import Parts
    from wsdlist.readers.confusion_sets import ConfusionSets
    from wsdlist.training.prepare import Prepared


def read(corpora: list[str], reading: options.Reading, *, learning: bool = True) -> Parts:
    """Read corpora, and say what was mended."""
    from wsdlist.cli import output

    parts = reading.parts(corpora)
    if not learning:
        parts = output.without_parts(parts)
    output.about(parts)
    return parts


def read_either(
    corpora: list[str],
    text: options.PlainText | None,
    reading: options.Reading,
    features: str,
    pipeline: str | None,
    jobs: int,
) -> tuple[Parts, FeatureSet, ConfusionSets | None]:
    """Read corpora or plain text; return the questions to ask, and the sets of plain text."""
    from wsdlist.features.sets import feature_set

    wanted = feature_set(features)
    if text is None:
        return read(corpora, reading), wanted, None
    reading.refuse()
    wanted = wanted.around()
    parts, sets = plain_texts(corpora, text.sets, wanted, pipeline, text.lines, jobs)
    return parts, wanted, sets


def plain_texts(
    paths: list[str],
    sets: ConfusionSets | None,
    features: FeatureSet,
    pipeline: str | None,
    lines: bool,
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
            by_line=lines,
            jobs=jobs,
            progress=progress,
        )
    output.about(parts)
    every = [*parts.train, *(parts.test or ())]
    missing = sorted({*found.lexelt} - {sense for one in every for sense in one.senses})
    if missing:
        output.note(f"not in the text: {', '.join(missing)}")
    return parts, found


def recipes_of(
    names: list[str],
    wanted: FeatureSet,
    given: dict[str, Any],
    min_count: int,
    multi: str,
    tuning: dict[str, Any],
) -> list[Recipe]:
    """Return the recipe of each learner, with the parameters and grids that it has."""
    from wsdlist.errors import ParameterError
    from wsdlist.learners import parameters
    from wsdlist.models.recipe import Recipe

    known = [parameters(name) for name in names]
    for name, value in {**given, **tuning["grid"]}.items():
        if value != "auto" and not any(name in has for has in known):
            raise ParameterError(
                f"no parameter of {' or '.join(names)} is {name!r}", f"leave {name} out"
            )
    return [
        Recipe(
            name,
            wanted,
            {parameter: value for parameter, value in given.items() if parameter in has},
            min_count,
            multi,
            **{**tuning, "grid": {p: v for p, v in tuning["grid"].items() if p in has}},
        )
        for name, has in zip(names, known, strict=True)
    ]


def say_folds(corpus: Corpus, rows: list[Result], folds: int) -> None:
    """Say which words had fewer folds, or none."""
    from wsdlist.cli import output

    fewer = [f"{row.lexelt} {row.score.instances}" for row in rows if row.score.instances < folds]
    left_out = sorted({*corpus.by_lexelt()} - {row.lexelt for row in rows})
    if fewer:
        output.note(f"fewer folds, one for each instance: {output.some(fewer)}")
    if left_out and rows:
        output.note(f"not cross-validated, no two different contexts: {output.some(left_out)}")


def prepared(recipe: Recipe, corpus: Corpus, preparation: Preparation) -> Prepared:
    """Make a corpus ready to be learned from, and say if other questions are asked of it."""
    from wsdlist.cli import output
    from wsdlist.data.corpus import Kind
    from wsdlist.training.prepare import lacking, prepare

    ready = prepare(corpus, recipe, preparation)
    wanted, used = ready.fell_back_from, ready.recipe.features
    if wanted is not None and used.kind is Kind.WORDS:
        output.note(
            f"the corpus has no {' and '.join(lacking(wanted, corpus))}: features {used.name} "
            f"instead of {wanted.name} (name a spaCy pipeline with --pipeline for {wanted.name})"
        )
    return ready
