"""Commands that measure: evaluate, crossval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wsdlist.cli import corpora as of_corpora
from wsdlist.cli import options


def evaluate(
    model: options.ModelPath,
    corpora: options.Corpora,
    pipeline: options.Pipeline = None,
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    map_: options.Map = None,
    back_off: options.BackOff = None,
    answers: Annotated[
        str | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="Write the answers, for `score` and `compare`; - prints them alone.",
        ),
    ] = None,
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    on_error: options.OnError = "stop",
    json: options.Json = False,
) -> None:
    """Score a model on the test part of a folder, or on all of a corpus that has none."""
    from wsdlist.cli import output
    from wsdlist.errors import InputError
    from wsdlist.evaluation.evaluate import answer_lines, evaluate, summary
    from wsdlist.readers.writing import write_files
    from wsdlist.reporting import text as report
    from wsdlist.training.prepare import prepare_for

    if answers is not None:
        options.check_out(answers, [model, *corpora, *key])
    opened = options.opened(model, back_off)
    features = opened.features
    reading = options.Reading(
        format,
        on_error,
        key,
        class_name or (None if opened.confusion else opened.meta.class_name),
        column,
        sense_key,
    )
    if opened.confusion is None:
        parts = of_corpora.read(corpora, reading, learning=False)
    else:
        reading.refuse()
        parts, _ = of_corpora.plain_texts(
            corpora, opened.confusion, features, pipeline or opened.meta.pipeline, opened.by_line, 1
        )
    corpus = parts.test if parts.test is not None else parts.train
    named = pipeline or opened.meta.pipeline
    corpus = prepare_for(features, corpus, named, " ".join(corpora))
    groups = options.coarse_map(map_)
    if groups is not None and (said := groups.check(corpus)):
        output.note(said)
    rows = evaluate(opened, corpus, groups)
    if answers is not None:
        lines = answer_lines(corpus, opened.answer(corpus.instances), groups)
        if answers == "-":
            output.data(lines.encode())
            return
        write_files({Path(answers): lines.encode()})
    if not rows:
        raise InputError(
            "no instance has a gold sense", "name a key with --key", where=" ".join(corpora)
        )
    if json:
        output.jsonl([row.to_record() for row in [*rows, summary(rows)]])
    else:
        print(report.recipe(opened.meta))
        output.lines(report.results(rows))
    if said := report.unknown(summary(rows)):
        output.note(said)


def crossval(
    corpora: options.Corpora,
    learner: Annotated[
        list[str], typer.Option("--learner", help="A learner; several are compared.")
    ] = ["prepend"],  # noqa: B006
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
    folds: Annotated[int, typer.Option("--folds", help="How many parts.")] = 10,
    repeat: Annotated[int, typer.Option("--repeat", help="How many times, dealt anew.")] = 1,
    splits: Annotated[
        int | None,
        typer.Option("--splits", help="Random splits instead of folds.", show_default="none"),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option("--train", help="The share of a split to learn from.", show_default="0.8"),
    ] = None,
    seed: options.Seed = 0,
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
    """Cross-validate one or more learners on the same folds, or on the same random splits.

    Only the training part of a folder is used. A parameter goes to those learners that have it.
    Each p is against the first learner: McNemar's exact test over the instances of the first
    repetition, the paired t-test (corrected for training sets that overlap) and the sign test
    over folds or splits.
    """
    from dataclasses import replace

    from wsdlist.cli import output
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.evaluation.crossval import crossval as cross
    from wsdlist.evaluation.evaluate import summary
    from wsdlist.models.meta import Preparation
    from wsdlist.reporting import text as report
    from wsdlist.training.trials import as_number

    if share is not None and splits is None:
        raise ParameterError("--train is the share of a random split", "say --splits too")
    share = 0.8 if share is None else share
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, key, class_name, column, sense_key)
    parts, wanted, _ = of_corpora.read_either(corpora, text, reading, features, pipeline, jobs)
    groups = options.coarse_map(map_)
    options.say_ungrouped(parts, groups)
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    known = of_corpora.recipes_of(learner, wanted, given, min_count, multi, tuning)
    prepared = of_corpora.prepared(known[0], parts.train, Preparation(pipeline, groups))
    settings = [replace(one, features=prepared.recipe.features) for one in known]
    with output.progress() as progress:
        crossed = cross(
            prepared.corpus,
            settings,
            folds=folds,
            repeat=repeat,
            seed=seed,
            splits=splits,
            train_share=share,
            jobs=jobs,
            progress=progress,
        )
    if not crossed[0].results:
        raise InputError(
            "no word has two different contexts with a sense",
            "give it more",
            where=" ".join(corpora),
        )
    if splits is None:
        of_corpora.say_folds(parts.train, crossed[0].results, folds)
    how = f"{folds} folds" + (f", {repeat} times" if repeat > 1 else "")
    if splits is not None:
        how = f"{splits} splits, {share:g} learned from"
    if json:
        names = ("p", "p_t_test", "p_sign_test")
        for one in crossed:
            p = [None] * 3 if one is crossed[0] else map(as_number, report.p_values(crossed, one))
            tests = dict(zip(names, p, strict=True))
            rounds = {"rounds": one.rounds, **tests}
            output.jsonl(
                {"learner": one.recipe.learner, **row.to_record(), **rounds}
                for row in [*one.results, summary(one.results)]
            )
        return
    if len(crossed) == 1:
        print(f"{report.recipe_line(settings[0])}; {how}")
        output.lines(report.results(crossed[0].results))
        if len(crossed[0].rounds) > 1:
            deviation = 100 * crossed[0].deviation
            print(f"standard deviation of the accuracy: {deviation:.1f}")
    else:
        print(f"features {settings[0].features.name}; {how}")
        output.lines(report.comparison(crossed))
    if len(crossed[0].results) == 1:
        for one in crossed:
            print(f"\n{one.recipe.learner}")
            output.lines(report.confusion(next(iter(one.confusion.values()))))
    if said := report.unknown(summary(crossed[0].results)):
        output.note(said)


COMMANDS = (evaluate, crossval)
