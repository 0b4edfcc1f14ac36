"""The command train: learn a model, and report how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus
    from wsdlist.evaluation.evaluate import Result
    from wsdlist.inventories.glosses import Inventory
    from wsdlist.models.model import Model
    from wsdlist.training.parallel import Progress
    from wsdlist.training.prepare import Prepared

NOTES = 3  # on tuning, at the most
LARGE = 50_000  # instances, of which one part is held out for the report, not each in turn
Folds: TypeAlias = Annotated[
    int,
    typer.Option(
        "--folds",
        help="Of the report, where there is no test part; of more than 50,000 instances only one "
        "is tested.",
    ),
]
Scheduler: TypeAlias = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Dask scheduler to work on (extra dask)."),
]


@dataclass(frozen=True)
class FileOptions:
    """The file that the model is written to, and what becomes of one that is there."""

    model: Annotated[
        str | None, typer.Option("--model", "-m", help="File to write the model to.")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where an interrupted run with --model stopped.")
    ] = False
    keep_edits: Annotated[
        bool,
        typer.Option(
            "--keep-edits", help="Edit the new lists as those of the model that --model names."
        ),
    ] = False

    def edits(self) -> Model | None:
        """Return the model whose edits are kept."""
        from wsdlist.errors import ParameterError
        from wsdlist.models.model import load

        if not self.keep_edits:
            return None
        if self.model is None:
            raise ParameterError("--keep-edits edits as a model was", "name it with --model")
        return load(self.model)


def train(
    context: typer.Context,
    corpora: options.Corpora,
    *,
    file: FileOptions,
    learner: options.Learner = "prepend",
    learning: options.LearningOptions,
    pipeline: options.Pipeline = None,
    map_: options.Map = None,
    inventory: options.InventoryName = None,
    folds: Folds = 10,
    text: options.TextOptions,
    corpus: options.CorpusOptions,
    jobs: options.Jobs = 1,
    scheduler: Scheduler = None,
    json: options.Json = False,
) -> None:
    """Learn a model; report accuracy and bits beside the most frequent sense.

    Discount and epsilon are chosen on held-out parts of the training data unless given. The
    report is on the test part of a folder; without one it is cross-validated.
    """
    from wsdlist.cli import output
    from wsdlist.cli.corpora import read_to_learn
    from wsdlist.data.checks import check_whole
    from wsdlist.evaluation.crossval import check_folds
    from wsdlist.training.parallel import cluster
    from wsdlist.training.prepare import prepare_for
    from wsdlist.training.train import learn

    context.with_resource(cluster(scheduler))
    edits = file.edits()
    check_folds(folds)
    check_whole("jobs", jobs)
    recipe = learning.recipe(learner)
    parts, prepared = read_to_learn(corpora, recipe, corpus, text, pipeline, map_, jobs)
    test = parts.test
    if test is not None:
        test = prepare_for(prepared.recipe.features, test, pipeline, "the test part")
    senses = _inventory(inventory, corpora, parts.train)
    with output.progress() as progress:
        model = learn(
            prepared,
            inventory=senses,
            jobs=jobs,
            progress=progress,
            path=file.model,
            resume=file.resume,
            edits=edits,
        )
        if test is None:
            rows, how = _crossvalidated(prepared, folds, jobs, progress)
        else:
            rows, how = _tested(model, test), "on the test part"
    _say_what_happened(model, edited=file.keep_edits and test is None)
    if not rows:
        _say_why_no_report(test)
    _print_report(rows, how, model, share_tuning=learning.share_tuning, json=json)
    kept = f"model written to {file.model}"
    output.note(kept if file.model else "model not kept: name a file with --model")


def _inventory(name: str | None, paths: Sequence[str], corpus: Corpus) -> Inventory | None:
    """Return what explains senses: an inventory by its name, or one beside the corpus."""
    from wsdlist.cli import output
    from wsdlist.inventories.glosses import beside, inventory_of

    if name is None:
        return beside([path for path in paths if path != "-"])
    inventory = inventory_of(name, corpus)
    output.note(f"{name} explains {len(inventory)} senses of the corpus")
    return inventory


def _tested(model: Model, test: Corpus) -> list[Result]:
    """Score a model on a test part, and say which of its words are not there."""
    from wsdlist.cli import output
    from wsdlist.evaluation.evaluate import evaluate
    from wsdlist.layout import some

    rows = evaluate(model, test)
    absent = sorted({*model} - {row.lexelt for row in rows})
    if absent and rows:
        output.note(f"not in the test part: {some(absent)}")
    return rows


def _crossvalidated(
    prepared: Prepared, folds: int, jobs: int, progress: Progress
) -> tuple[list[Result], str]:
    """Cross-validate what was learned; of a large corpus test one part only."""
    from wsdlist.cli.corpora import say_folds
    from wsdlist.evaluation.crossval import crossval

    corpus = prepared.corpus
    tested = 1 if len(corpus) > LARGE else None
    (crossed,) = crossval(
        corpus, [prepared.recipe], folds=folds, tested=tested, jobs=jobs, progress=progress
    )
    if tested:
        return crossed.results, f"one of {folds} parts held out"
    say_folds(corpus, crossed.results, folds)
    return crossed.results, f"cross-validated, {folds} folds"


def _say_what_happened(model: Model, *, edited: bool) -> None:
    """Say which edits were lost, and what is to be said of the tuning."""
    from wsdlist.cli import output

    for lost in model.meta.lost_edits:
        output.note(f"edit that no longer applies: {lost}")
    if edited:
        output.note("the report is of the lists as they are learned")
    tables = [model.meta.tuning or {}, *(expert.tuning or {} for expert in model.values())]
    notes = [note for table in tables for note in table.get("notes", ())]
    for note in notes[:NOTES]:
        output.note(note)
    if notes[NOTES:]:
        output.note(f"and {len(notes) - NOTES} more such words (see them with wsdlist tune)")


def _say_why_no_report(test: Corpus | None) -> None:
    from wsdlist.cli import output

    if test is None:
        output.note("no report: no word has two different contexts with a sense")
    else:
        output.note("no report: the test part has no gold senses (name a key with --key)")


def _print_report(
    rows: Sequence[Result], how: str, model: Model, *, share_tuning: bool, json: bool
) -> None:
    from wsdlist.cli import output
    from wsdlist.evaluation.evaluate import summary
    from wsdlist.reporting import text as report

    if rows and json:
        output.jsonl([{**row.to_record(), "how": how} for row in [*rows, summary(rows)]])
    elif rows:
        shared = next(iter(model.values())).parameters if share_tuning else None
        output.lines([f"{report.recipe(model.meta, shared)}; {how}"])
        output.lines(report.results(rows))
    if said := report.unknown(summary(rows)):
        output.note(said)
