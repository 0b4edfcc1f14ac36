"""The command tune: what parameters reach on held-out data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.training.trials import TuningTable


def tune(
    corpora: options.Corpora,
    *,
    learner: options.Learner = "prepend",
    learning: options.MeasuredLearningOptions,
    pipeline: options.Pipeline = None,
    map_: options.Map = None,
    plot: Annotated[
        str | None, typer.Option("--plot", help="Picture to draw, .svg or .png (extra plot).")
    ] = None,
    text: options.TextOptions,
    corpus: options.CorpusOptions,
    jobs: options.Jobs = 1,
    json: options.Json = False,
) -> None:
    """Print what discounts and thresholds reach on held-out parts of the training data.

    The table is over all words; with --no-share-tuning each word's own choice follows. Only the
    training part of a folder is used, and no model is made.
    """
    from wsdlist.cli import output
    from wsdlist.cli.corpora import read_to_learn
    from wsdlist.data.checks import check_whole
    from wsdlist.training.train import tune_words
    from wsdlist.training.trials import pooled

    if plot:
        from wsdlist.reporting.plots import check

        check(plot)
    check_whole("jobs", jobs)
    recipe = learning.recipe(learner)
    _, prepared = read_to_learn(corpora, recipe, corpus, text, pipeline, map_, jobs)
    with output.progress() as progress:
        tables = tune_words(prepared.corpus, prepared.recipe, jobs=jobs, progress=progress)
    all_words = pooled(tables.values())
    if plot:
        from wsdlist.reporting.plots import tuning as draw

        draw(all_words, plot)
        output.note(f"picture written to {plot}")
    for note in all_words.notes:
        output.note(note)
    if json:
        output.jsonl([{"lexelt": word, **table.to_record()} for word, table in tables.items()])
        output.jsonl([{"lexelt": "all", **all_words.to_record()}])
    elif all_words.trials:
        used = prepared.recipe.features.name
        output.lines(
            [f"{learner}, features {used}; {len(tables)} words, chosen by {learning.tune_for}"]
        )
        _print_table(all_words)
        if not learning.share_tuning:
            _print_choices(tables)


def _print_table(all_words: TuningTable) -> None:
    from wsdlist.cli import output
    from wsdlist.reporting import text as report

    output.lines(report.trials(all_words))
    output.lines(report.curve(all_words))


def _print_choices(tables: Mapping[str, TuningTable]) -> None:
    from wsdlist.cli import output
    from wsdlist.layout import table

    rows = [
        (word, ", ".join(f"{n} {v}" for n, v in trials.best.items()) or "nothing to choose")
        for word, trials in tables.items()
    ]
    output.lines(table(("lexelt", "best"), rows, left=2))
