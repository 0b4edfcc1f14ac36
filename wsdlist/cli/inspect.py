"""Commands that look: show, validate, learners, features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Item
    from wsdlist.learners.lazy_growth import Antecedent
    from wsdlist.models.expert import Expert
    from wsdlist.models.model import Model

SHOWN = 10


def show(
    model: options.ModelPath,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORD...]",
            help="Lexelts, or words without their ending; bank.n|bank.v is the list over both.",
        ),
    ] = [],  # noqa: B006
    top: Annotated[
        int | None, typer.Option("--top", min=1, help="Only the first rules.", show_default="all")
    ] = None,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="How complete and consistent the rules of each sense are, instead."
        ),
    ] = False,
    cases: Annotated[
        list[str],
        typer.Option(
            "--cases",
            metavar="CORPUS",
            help="Of a lazy learner: the rules grown for these instances, and how many used each.",
        ),
    ] = [],  # noqa: B006
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    learned: Annotated[
        bool, typer.Option("--learned", help="Lists that were edited as they were learned.")
    ] = False,
    format: Annotated[
        str, typer.Option("--output", help="text, or toml: one list to edit, see `replace`.")
    ] = "text",
    json: options.Json = False,
) -> None:
    """Print decision lists as IF, ELSE IF, ELSE.

    With --json a list is one object that is enough to predict: the first rule whose conditions
    all hold answers, with its probabilities. docs/formats.md says what a condition means.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.learners.fitted.lazy_rules import LazyRules
    from wsdlist.models.list_file import to_toml
    from wsdlist.models.model import load
    from wsdlist.reporting import text as report

    if coverage and json:
        raise ParameterError("--coverage prints a table", "leave --json out")
    if format not in ("text", "toml"):
        raise ParameterError(f"output is {format!r}", "say text or toml")
    if format == "toml" and (len(words) != 1 or coverage or json or cases or top):
        raise ParameterError("--output toml is of one list, whole", "name one word, nothing else")
    opened = load(model)
    named = (name for word in words for name in options.lexelts(opened, word, model))
    chosen = list(dict.fromkeys(named))
    grown: dict[str, dict[Antecedent, int]] = {}
    if cases:
        grown = grown_for(opened, cases, options.Reading(column=column, sense_key=sense_key))
    chosen = chosen or list(opened)
    if format == "toml" and len(chosen) > 1:
        raise ParameterError(f"{words[0]} is {' and '.join(chosen)}", "name one of them")
    for number, lexelt in enumerate(chosen):
        expert = opened[lexelt] if lexelt in opened else opened.shared[lexelt]
        if learned and expert.learned is not None:
            expert = expert.learned
        if format == "toml":
            print(to_toml(expert), end="")
            continue
        if json:
            record = expert.to_record()
            record["glosses"] = {s: opened.inventory.gloss(lexelt, s) for s in expert.senses}
            if "rules" in record:
                rules = record["rules"]
                record["rules"], cut = rules[:top], rules[top:] if top else []
                record["rules_left_out"] = len(cut)
            if isinstance(expert.fitted, LazyRules):
                uses = list(grown.get(expert.lexelt, {}).items())[:top]
                record["grown"] = [
                    {"rule": expert.fitted.text(rule), "cases": n} for rule, n in uses
                ]
            meta = {name: opened.meta[name] for name in ("learner", "parameters", "multi")}
            output.jsonl([{**record, **meta, "features": opened.meta["features"]["name"]}])
            continue
        if number:
            print()
        if coverage:
            output.lines([lexelt, *report.coverage(expert)])
        else:
            uses_of = grown.get(expert.lexelt)
            output.lines(report.expert(expert, opened.meta, opened.inventory, top, uses_of))


def grown_for(
    model: Model, cases: list[str], reading: options.Reading
) -> dict[str, dict[Antecedent, int]]:
    """Return the rules that lazy learners grow for the instances of a corpus, by expert.

    Each antecedent comes with the number of instances that used it.
    """
    from wsdlist.cli.explain import corpus_of
    from wsdlist.errors import ParameterError
    from wsdlist.learners.fitted.lazy_rules import LazyRules

    if not any(isinstance(model[lexelt].fitted, LazyRules) for lexelt in model):
        raise ParameterError(
            f"the model was learned by {model.meta['learner']}, which grows no rules for cases",
            "leave --cases out",
        )
    parts = corpus_of(model, cases, reading)
    experts: dict[str, Expert] = {}
    items: dict[str, list[Item]] = {}
    for item in [*parts.train, *(parts.test or ())]:
        expert = model.expert(item.lexelt, [item])
        if expert is not None:
            experts[expert.lexelt] = expert
            items.setdefault(expert.lexelt, []).append(item)
    return {
        lexelt: expert.fitted.grown(expert.ask(items[lexelt]))
        for lexelt, expert in experts.items()
        if isinstance(expert.fitted, LazyRules)
    }


def validate(
    corpora: options.Corpora,
    all_findings: Annotated[
        bool, typer.Option("--all", help="Print every finding, not the first ten of a kind.")
    ] = False,
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    inventory: options.InventoryName = None,
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    json: options.Json = False,
) -> None:
    """Check a corpus or a model: words, senses, instances, duplicates, leaks, unseen senses.

    Findings have codes: E, a record that is lost; W, worth a look; I, for information. Exit
    status 1 if there is an E or a W.
    """
    from collections import Counter

    from wsdlist import layout
    from wsdlist.cli import output
    from wsdlist.errors import plain
    from wsdlist.evaluation.validation import validate
    from wsdlist.inventories.glosses import inventory_of
    from wsdlist.models.model import load
    from wsdlist.models.storage import is_model

    if len(corpora) == 1 and is_model(corpora[0]):
        opened = load(corpora[0])
        rules = sum(opened[lexelt].size.rules for lexelt in opened)
        over = sum(opened.shared[name].size.rules for name in opened.shared)
        shared = f", {len(opened.shared)} lists over several ({over} rules)" if over else ""
        opened.lexicon  # noqa: B018 - reads the forms, and checks them
        listed = " ".join(opened.meta.get("sense_inventory") or ())
        senses = f", senses of {listed.strip()}" if listed else ""
        print(f"{corpora[0]}: {len(opened)} words, {rules} rules{shared}{senses}, undamaged")
        return
    reading = options.Reading(format, "skip", key, class_name, column, sense_key)
    parts = reading.parts(corpora)
    every = [*parts.train, *(parts.test or ())]
    found = validate(parts, None if inventory is None else inventory_of(inventory, every))
    if json:
        output.jsonl([word.to_record() for word in found.words])
        output.jsonl([finding.to_record() for finding in found.findings])
    else:
        header = ("lexelt", "senses", "train", "test", "mfs %", "several senses")
        rows = [
            (
                w.lexelt,
                *map(str, (w.senses, w.train, w.test)),
                layout.percent(w.most_frequent),
                str(w.several),
            )
            for w in found.words
        ]
        output.lines(layout.table(header, rows))
        shown: Counter[str] = Counter()
        for finding in found.findings:
            shown[finding.code] += 1
            if all_findings or shown[finding.code] <= SHOWN:
                print(plain(f"{finding.where}: {finding.code} {finding.message}"))
        more = [f"{n - SHOWN} more {code}" for code, n in shown.items() if n > SHOWN]
        if more and not all_findings:
            print(f"and {', '.join(more)} (see all with --all)")
    if parts.ignored:
        output.note(f"ignored, no corpus: {', '.join(parts.ignored)}")
    if not found.clean:
        raise typer.Exit(1)


def learners(json: options.Json = False) -> None:
    """List the learners and their parameters."""
    from wsdlist.cli import output
    from wsdlist.layout import table
    from wsdlist.learners import LEARNERS, learner_class, parameters

    about = {name: (learner_class(name).__doc__ or "").strip().split("\n")[0] for name in LEARNERS}
    if json:
        output.jsonl(
            {"learner": name, "about": about[name], "parameters": parameters(name)}
            for name in LEARNERS
        )
        return
    rows = [
        (name, ", ".join(f"{p}={v}" for p, v in parameters(name).items()) or "-", about[name])
        for name in LEARNERS
    ]
    output.lines(table(("learner", "parameters", "what it does"), rows, left=3))


def features(
    name: Annotated[
        str | None, typer.Argument(metavar="[SET]", help="A set, or a TOML file.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the feature sets, or the templates of one."""
    from wsdlist.cli import output
    from wsdlist.features.sets import SETS, feature_set
    from wsdlist.layout import table

    if json:
        chosen = SETS.values() if name is None else [feature_set(name)]
        output.jsonl({**made.to_record(), "templates": made.template_texts()} for made in chosen)
        return
    if name is not None:
        made = feature_set(name)
        print(f"{made.name}, version {made.version}: {len(made.templates)} templates")
        output.lines(f"  {text}" for text in made.template_texts())
        return
    rows = [
        (made.name, str(len(made.templates)), ", ".join(made.needs()) or "-", made.about)
        for made in SETS.values()
    ]
    output.lines(table(("set", "templates", "needs", "what it asks about"), rows, left=4))


COMMANDS = (show, validate, learners, features)
