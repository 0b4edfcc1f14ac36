"""Commands that learn: train, tune."""

from __future__ import annotations

from typing import Annotated

import typer

from wsdlist.cli import corpora as of_corpora
from wsdlist.cli import options

NOTES = 3  # on tuning, at the most
LARGE = 50_000  # instances, of which one part is held out for the report, not each in turn


def train(
    context: typer.Context,
    corpora: options.Corpora,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="File to write the model to.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where an interrupted run with --model stopped.")
    ] = False,
    keep_edits: Annotated[
        bool,
        typer.Option(
            "--keep-edits", help="Edit the new lists as those of the model that --model names."
        ),
    ] = False,
    learner: Annotated[str, typer.Option("--learner", help="See `wsdlist learners`.")] = "prepend",
    features: options.Features = "goodman",
    pipeline: options.Pipeline = None,
    discount: options.Discount = "auto",
    epsilon: options.Epsilon = "auto",
    reestimate: options.Reestimate = None,
    parameter: options.Set = [],  # noqa: B006
    grid: options.Grid = [],  # noqa: B006
    tune_for: options.TuneFor = "bits",
    share_tuning: options.ShareTuning = True,
    min_count: options.MinCount = 2,
    min_instances: Annotated[
        int,
        typer.Option(
            "--min-instances", help="A word with fewer gets its most frequent sense, no rules."
        ),
    ] = 1,
    multi: options.Multi = "split",
    missing: options.Missing = "none",
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    map_: options.Map = None,
    inventory: options.InventoryName = None,
    folds: Annotated[
        int,
        typer.Option(
            "--folds",
            help="Of the report, where there is no test part; of more than 50,000 instances only "
            "one is tested.",
        ),
    ] = 10,
    confusion: options.Confusion = [],  # noqa: B006
    confusion_file: options.ConfusionFile = None,
    accents: options.Accents = False,
    lines: options.Lines = False,
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    on_error: options.OnError = "stop",
    jobs: options.Jobs = 1,
    scheduler: options.Scheduler = None,
    json: options.Json = False,
) -> None:
    """Learn a model; report accuracy and bits beside the most frequent sense.

    Discount and epsilon are chosen on held-out parts of the training data unless given. The
    report is on the test part of a folder; without one it is cross-validated.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.evaluation.crossval import check_folds
    from wsdlist.evaluation.crossval import crossval as cross
    from wsdlist.evaluation.evaluate import evaluate, summary
    from wsdlist.inventories.glosses import beside, inventory_of
    from wsdlist.models.meta import Preparation
    from wsdlist.models.model import load
    from wsdlist.reporting import text as report
    from wsdlist.training.parallel import cluster
    from wsdlist.training.prepare import prepare_for
    from wsdlist.training.train import learn

    context.with_resource(cluster(scheduler))
    edits = None
    if keep_edits:
        if model is None:
            raise ParameterError("--keep-edits edits as a model was", "name it with --model")
        edits = load(model)
    check_folds(folds)
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, key, class_name, column, sense_key)
    parts, wanted, sets = of_corpora.read_either(corpora, text, reading, features, pipeline, jobs)
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    tuning["min_instances"] = min_instances
    groups = options.coarse_map(map_)
    (recipe,) = of_corpora.recipes_of([learner], wanted, given, min_count, multi, tuning)
    preparation = Preparation(pipeline, groups, None if sets is None else sets.sets, lines)
    prepared = of_corpora.prepared(recipe, parts.train, preparation)
    test = parts.test
    if test is not None:
        test = prepare_for(prepared.recipe.features, test, pipeline, "the test part")
    options.say_ungrouped(parts, groups)
    known_senses = beside([path for path in corpora if path != "-"])
    if inventory is not None:
        known_senses = inventory_of(inventory, parts.train)
        output.note(f"{inventory} explains {len(known_senses)} senses of the corpus")
    with output.progress() as progress:
        made = learn(
            prepared,
            inventory=known_senses,
            jobs=jobs,
            progress=progress,
            path=model,
            resume=resume,
            edits=edits,
        )
        if test is not None:
            rows = evaluate(made, test)
            how = "on the test part"
            absent = sorted({*made} - {row.lexelt for row in rows})
            if absent and rows:
                output.note(f"not in the test part: {output.some(absent)}")
        else:
            tested = 1 if len(parts.train) > LARGE else None
            (crossed,) = cross(
                prepared.corpus,
                [prepared.recipe],
                folds=folds,
                tested=tested,
                jobs=jobs,
                progress=progress,
            )
            rows = crossed.results
            how = f"one of {folds} parts held out" if tested else f"cross-validated, {folds} folds"
            if not tested:
                of_corpora.say_folds(parts.train, rows, folds)
    for lost in made.meta.lost_edits:
        output.note(f"edit that no longer applies: {lost}")
    if keep_edits and parts.test is None:
        output.note("the report is of the lists as they are learned")
    tables = [made.meta.tuning or {}, *(expert.tuning or {} for expert in made.values())]
    notes = [text for table in tables for text in table.get("notes", ())]
    for text in notes[:NOTES]:
        output.note(text)
    if notes[NOTES:]:
        output.note(f"and {len(notes) - NOTES} more such words (see them with wsdlist tune)")
    if not rows and parts.test is not None:
        output.note("no report: the test part has no gold senses (name a key with --key)")
    elif not rows:
        output.note("no report: no word has two different contexts with a sense")
    elif json:
        output.jsonl([{**row.to_record(), "how": how} for row in [*rows, summary(rows)]])
    else:
        shared = next(iter(made.values())).parameters if share_tuning else None
        print(f"{report.recipe(made.meta, shared)}; {how}")
        output.lines(report.results(rows))
    if said := report.unknown(summary(rows)):
        output.note(said)
    output.note(
        f"model written to {model}" if model else "model not kept: name a file with --model"
    )


def tune(
    corpora: options.Corpora,
    learner: Annotated[str, typer.Option("--learner", help="See `wsdlist learners`.")] = "prepend",
    features: options.Features = "goodman",
    pipeline: options.Pipeline = None,
    discount: options.Discount = "auto",
    epsilon: options.Epsilon = "auto",
    reestimate: options.Reestimate = None,
    parameter: options.Set = [],  # noqa: B006
    grid: options.Grid = [],  # noqa: B006
    tune_for: options.TuneFor = "bits",
    share_tuning: options.ShareTuning = True,
    min_count: options.MinCount = 2,
    multi: options.Multi = "split",
    missing: options.Missing = "none",
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    map_: options.Map = None,
    plot: Annotated[
        str | None, typer.Option("--plot", help="Picture to draw, .svg or .png (extra plot).")
    ] = None,
    confusion: options.Confusion = [],  # noqa: B006
    confusion_file: options.ConfusionFile = None,
    accents: options.Accents = False,
    lines: options.Lines = False,
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    on_error: options.OnError = "stop",
    jobs: options.Jobs = 1,
    json: options.Json = False,
) -> None:
    """Print what discounts and thresholds reach on held-out parts of the training data.

    The table is over all words; with --no-share-tuning each word's own choice follows. Only the
    training part of a folder is used, and no model is made.
    """
    from wsdlist import layout
    from wsdlist.cli import output
    from wsdlist.models.meta import Preparation
    from wsdlist.reporting import text as report
    from wsdlist.training.train import tune_words
    from wsdlist.training.trials import pooled

    if plot:
        from wsdlist.reporting.plots import check

        check(plot)
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, key, class_name, column, sense_key)
    parts, wanted, _ = of_corpora.read_either(corpora, text, reading, features, pipeline, jobs)
    groups = options.coarse_map(map_)
    options.say_ungrouped(parts, groups)
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    (recipe,) = of_corpora.recipes_of([learner], wanted, given, min_count, multi, tuning)
    prepared = of_corpora.prepared(recipe, parts.train, Preparation(pipeline, groups))
    with output.progress() as progress:
        tables = tune_words(prepared.corpus, prepared.recipe, jobs=jobs, progress=progress)
    all_words = pooled(tables.values())
    if plot:
        from wsdlist.reporting.plots import tuning as draw

        draw(all_words, plot)
        output.note(f"picture written to {plot}")
    for remark in all_words.notes:
        output.note(remark)
    if json:
        output.jsonl([{"lexelt": word, **table.to_record()} for word, table in tables.items()])
        output.jsonl([{"lexelt": "all", **all_words.to_record()}])
        return
    if not all_words.trials:
        return
    used = prepared.recipe.features.name
    print(f"{learner}, features {used}; {len(tables)} words, chosen by {tune_for}")
    output.lines(report.trials(all_words))
    for line in report.curve(all_words):
        print(line)
    if not share_tuning:
        rows = [
            (word, ", ".join(f"{n} {v}" for n, v in table.best.items()) or "nothing to choose")
            for word, table in tables.items()
        ]
        output.lines(layout.table(("lexelt", "best"), rows, left=2))


COMMANDS = (train, tune)
