"""Commands that learn and measure: train, evaluate, crossval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.confusion import ConfusionSets
    from wsdlist.corpus import Corpus
    from wsdlist.evaluation import Result
    from wsdlist.features.sets import FeatureSet
    from wsdlist.readers import Parts
    from wsdlist.settings import Settings


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
    column: options.Column = [],  # noqa: B006
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
    from wsdlist import report
    from wsdlist.cli import output
    from wsdlist.evaluation import check_folds, evaluate, summary
    from wsdlist.evaluation import crossval as cross
    from wsdlist.inventory import beside, inventory_of
    from wsdlist.training import cluster, prepare_for
    from wsdlist.training import train as learn

    context.with_resource(cluster(scheduler))
    check_folds(folds)
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, tuple(key), class_name, tuple(column), sense_key)
    parts, wanted, sets = _read_either(corpora, text, reading, features, pipeline, jobs)
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    asked = _settings([learner], wanted, given, min_count, multi, tuning)
    (settings,) = _fitting(asked, parts.train, pipeline)
    if parts.test is not None:
        prepare_for(settings.features, parts.test, pipeline, "the test part")
    groups = options.sense_map(map_)
    mapped = options.mapped(parts, groups)
    known_senses = beside([path for path in corpora if path != "-"])
    if inventory is not None:
        known_senses = inventory_of(inventory, parts.train)
        output.note(f"{inventory} explains {len(known_senses)} senses of the corpus")
    with output.progress() as progress:
        made = learn(
            parts.train,
            learner=learner,
            features=settings.features,
            min_count=min_count,
            multi=multi,
            pipeline=pipeline,
            inventory=known_senses,
            sense_map=groups,
            jobs=jobs,
            progress=progress,
            path=model,
            resume=resume,
            confusion=sets,
            by_line=lines,
            **tuning,
            **settings.parameters,
        )
        if parts.test is not None:
            rows = evaluate(made, parts.test)
            how = "on the test part"
            absent = sorted({*made} - {row.lexelt for row in rows})
            if absent and rows:
                output.note(f"not in the test part: {output.some(absent)}")
        else:
            tested = 1 if len(parts.train) > LARGE else None
            (crossed,) = cross(
                mapped.train,
                [settings],
                folds=folds,
                tested=tested,
                jobs=jobs,
                progress=progress,
            )
            rows = crossed.results
            how = f"one of {folds} parts held out" if tested else f"cross-validated, {folds} folds"
            if not tested:
                _say_folds(parts.train, rows, folds)
    tables = [made.meta["tuning"] or {}, *(expert.tuning or {} for expert in made.values())]
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
        print(f"{report.settings(made.meta, shared)}; {how}")
        output.lines(report.results(rows))
    if said := report.unknown(summary(rows)):
        output.note(said)
    output.note(
        f"model written to {model}" if model else "model not kept: name a file with --model"
    )


def evaluate(
    model: options.ModelFile,
    corpora: options.Corpora,
    pipeline: options.Pipeline = None,
    class_name: options.ClassName = None,
    column: options.Column = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    map_: options.Map = None,
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    on_error: options.OnError = "stop",
    json: options.Json = False,
) -> None:
    """Score a model on the test part of a folder, or on all of a corpus that has none."""
    from wsdlist import report
    from wsdlist.cli import output
    from wsdlist.errors import InputError
    from wsdlist.evaluation import evaluate, summary
    from wsdlist.model import load
    from wsdlist.training import prepare_for

    opened = load(model)
    features = opened.features
    reading = options.Reading(
        format,
        on_error,
        tuple(key),
        class_name or (None if opened.confusion else opened.meta.get("class")),
        tuple(column),
        sense_key,
    )
    if opened.confusion is None:
        parts = _read(corpora, reading, learning=False)
    else:
        reading.refuse()
        named = pipeline or opened.meta["pipeline"]
        parts, _ = _read_texts(corpora, opened.confusion, features, named, opened.by_line, 1)
    corpus = parts.test if parts.test is not None else parts.train
    prepare_for(features, corpus, pipeline or opened.meta["pipeline"], " ".join(corpora))
    groups = options.sense_map(map_)
    if groups is not None and (said := groups.check(corpus)):
        output.note(said)
    rows = evaluate(opened, corpus, groups)
    if not rows:
        raise InputError(
            "no instance has a gold sense", "name a key with --key", where=" ".join(corpora)
        )
    if json:
        output.jsonl([row.to_record() for row in [*rows, summary(rows)]])
    else:
        print(report.settings(opened.meta))
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
    column: options.Column = [],  # noqa: B006
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
    repetition, the paired t-test and the sign test over folds or splits.
    """
    from wsdlist import report
    from wsdlist.cli import output
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.evaluation import crossval as cross
    from wsdlist.evaluation import summary
    from wsdlist.tuning import as_number

    if share is not None and splits is None:
        raise ParameterError("--train is the share of a random split", "say --splits too")
    share = 0.8 if share is None else share
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, tuple(key), class_name, tuple(column), sense_key)
    parts, wanted, _ = _read_either(corpora, text, reading, features, pipeline, jobs)
    parts = options.mapped(parts, options.sense_map(map_))
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    known = _settings(learner, wanted, given, min_count, multi, tuning)
    settings = _fitting(known, parts.train, pipeline)
    with output.progress() as progress:
        crossed = cross(
            parts.train,
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
        _say_folds(parts.train, crossed[0].results, folds)
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
                {"learner": one.settings.learner, **row.to_record(), **rounds}
                for row in [*one.results, summary(one.results)]
            )
        return
    if len(crossed) == 1:
        print(f"{report.settings(settings[0].to_record())}; {how}")
        output.lines(report.results(crossed[0].results))
        if len(crossed[0].rounds) > 1:
            deviation = 100 * crossed[0].deviation
            print(f"standard deviation of the accuracy: {deviation:.1f}")
    else:
        print(f"features {settings[0].features.name}; {how}")
        output.lines(report.comparison(crossed))
    if len(crossed[0].results) == 1:
        for one in crossed:
            print(f"\n{one.settings.learner}")
            output.lines(report.confusion(next(iter(one.confusion.values()))))
    if said := report.unknown(summary(crossed[0].results)):
        output.note(said)


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
    column: options.Column = [],  # noqa: B006
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
    from wsdlist import layout, report
    from wsdlist.cli import output
    from wsdlist.training import tune_words
    from wsdlist.tuning import pooled

    if plot:
        from wsdlist.plot import check

        check(plot)
    text = options.text(confusion, confusion_file, accents, lines)
    reading = options.Reading(format, on_error, tuple(key), class_name, tuple(column), sense_key)
    parts, wanted, _ = _read_either(corpora, text, reading, features, pipeline, jobs)
    parts = options.mapped(parts, options.sense_map(map_))
    given = options.parameters(discount, epsilon, reestimate, parameter)
    tuning = options.tuning(grid, tune_for, share_tuning, missing)
    known = _settings([learner], wanted, given, min_count, multi, tuning)
    (settings,) = _fitting(known, parts.train, pipeline)
    with output.progress() as progress:
        tables = tune_words(parts.train, settings, jobs=jobs, progress=progress)
    all_words = pooled(tables.values())
    if plot:
        from wsdlist.plot import tuning as draw

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
    print(
        f"{learner}, features {settings.features.name}; {len(tables)} words, chosen by {tune_for}"
    )
    output.lines(report.trials(all_words))
    for line in report.curve(all_words):
        print(line)
    if not share_tuning:
        rows = [
            (word, ", ".join(f"{n} {v}" for n, v in table.best.items()) or "nothing to choose")
            for word, table in tables.items()
        ]
        output.lines(layout.table(("lexelt", "best"), rows, left=2))


def _read(corpora: list[str], reading: options.Reading, *, learning: bool = True) -> Parts:
    from wsdlist.cli import output

    parts = reading.parts(corpora)
    if not learning:
        parts = output.without_parts(parts)
    output.about(parts)
    return parts


def _read_either(
    corpora: list[str],
    text: options.Text | None,
    reading: options.Reading,
    features: str,
    pipeline: str | None,
    jobs: int,
) -> tuple[Parts, FeatureSet, ConfusionSets | None]:
    """Read corpora or plain text; return the questions to ask, and the sets of plain text."""
    from wsdlist.features.sets import feature_set

    wanted = feature_set(features)
    if text is None:
        return _read(corpora, reading), wanted, None
    reading.refuse()
    wanted = wanted.around()
    parts, sets = _read_texts(corpora, text.sets, wanted, pipeline, text.lines, jobs)
    return parts, wanted, sets


def _read_texts(
    paths: list[str],
    sets: ConfusionSets | None,
    features: FeatureSet,
    pipeline: str | None,
    lines: bool,
    jobs: int,
) -> tuple[Parts, ConfusionSets]:
    """Read plain text as instances of confusion sets, and say what was found."""
    from wsdlist.cli import output
    from wsdlist.training import read_texts

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


def _settings(
    names: list[str],
    wanted: FeatureSet,
    given: dict[str, Any],
    min_count: int,
    multi: str,
    tuning: dict[str, Any],
) -> list[Settings]:
    """Return the settings of each learner, with the parameters and grids that it has."""
    from wsdlist.errors import ParameterError
    from wsdlist.learners import parameters
    from wsdlist.settings import Settings

    known = [parameters(name) for name in names]
    for name, value in {**given, **tuning["grid"]}.items():
        if value != "auto" and not any(name in has for has in known):
            raise ParameterError(
                f"no parameter of {' or '.join(names)} is {name!r}", f"leave {name} out"
            )
    return [
        Settings(
            name,
            wanted,
            {parameter: value for parameter, value in given.items() if parameter in has},
            min_count,
            multi,
            **{**tuning, "grid": {p: v for p, v in tuning["grid"].items() if p in has}},
        )
        for name, has in zip(names, known, strict=True)
    ]


def _say_folds(corpus: Corpus, rows: list[Result], folds: int) -> None:
    """Say which words had fewer folds, or none."""
    from wsdlist.cli import output

    fewer = [f"{row.lexelt} {row.score.instances}" for row in rows if row.score.instances < folds]
    left_out = sorted({*corpus.by_lexelt()} - {row.lexelt for row in rows})
    if fewer:
        output.note(f"fewer folds, one for each instance: {output.some(fewer)}")
    if left_out and rows:
        output.note(f"not cross-validated, no two different contexts: {output.some(left_out)}")


def _fitting(settings: list[Settings], corpus: Corpus, pipeline: str | None) -> list[Settings]:
    """Return settings with the questions that the corpus allows, and say where they are others."""
    from dataclasses import replace

    from wsdlist.cli import output
    from wsdlist.training import lacking, prepare

    wanted = settings[0].features
    used = prepare(corpus, wanted, pipeline)
    if used is not wanted and used.name != "table":
        output.note(
            f"the corpus has no {' and '.join(lacking(wanted, corpus))}: features {used.name} "
            f"instead of {wanted.name} (name a spaCy pipeline with --pipeline for {wanted.name})"
        )
    return [replace(one, features=used) for one in settings]


COMMANDS = (train, tune, evaluate, crossval)
