"""The command show: what was learned, as text, JSON or a list to edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options
from wsdlist.cli._groups import leave_out

if TYPE_CHECKING:
    from wsdlist.data.corpus import Item
    from wsdlist.learners.fitted.base import RuleTable
    from wsdlist.models.expert import Expert
    from wsdlist.models.model import Model


@dataclass(frozen=True)
class ShapeOptions:
    """What of a list is shown, and in which shape."""

    learned: Annotated[
        bool, typer.Option("--learned", help="Lists that were edited as they were learned.")
    ] = False
    format: Annotated[
        str, typer.Option("--output", help="text, or toml: one list to edit, see `replace`.")
    ] = "text"
    json: options.Json = False

    def check(self, words: Sequence[str], *, coverage: bool, partly: bool) -> None:
        """Refuse what does not go together.

        Raises
        ------
        ParameterError
            When two shapes are asked for, or a list to edit is asked for partly.
        """
        from wsdlist.errors import ParameterError

        if coverage and self.json:
            raise ParameterError("--coverage prints a table", "leave --json out")
        if self.format not in ("text", "toml"):
            raise ParameterError(f"output is {self.format!r}", "say text or toml")
        several = len(words) != 1 or coverage or self.json or partly
        if self.format == "toml" and several:
            raise ParameterError(
                "--output toml is of one list, whole", "name one word, nothing else"
            )


def show(
    model: options.ModelPath,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORD...]",
            help="Lexelts, or words without their ending; bank.n|bank.v is the list over both.",
        ),
    ] = [],  # noqa: B006
    *,
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
    corpus: Annotated[options.CorpusOptions, leave_out("class_name", "format", "key", "on_error")],
    shape: ShapeOptions,
) -> None:
    """Print decision lists as IF, ELSE IF, ELSE.

    With --json a list is one object that is enough to predict: the first rule whose conditions
    all hold answers, with its probabilities. docs/formats.md says what a condition means.
    """
    from wsdlist.cli import output
    from wsdlist.cli.models import lexelts_of, list_of, one_lexelt
    from wsdlist.models.list_file import to_toml
    from wsdlist.models.model import load
    from wsdlist.reporting import text as report

    shape.check(words, coverage=coverage, partly=bool(cases or top))
    opened = load(model)
    if shape.format == "toml":
        print(to_toml(_wanted(list_of(opened, one_lexelt(opened, words[0], model)), shape)), end="")
        return
    lexelts = lexelts_of(opened, words, model)
    items = _items_of(opened, cases, corpus) if cases else None
    for number, lexelt in enumerate(lexelts or opened):
        expert = _wanted(list_of(opened, lexelt), shape)
        grown = None if items is None else _grown(opened, expert, items.get(lexelt, []), top)
        if shape.json:
            output.jsonl([_record(opened, lexelt, expert, top, grown)])
            continue
        if number:
            print()
        if coverage:
            output.lines([lexelt, *report.coverage(expert)])
        else:
            output.lines(report.expert(expert, opened.meta, opened.inventory, top, grown))


def _wanted(expert: Expert, shape: ShapeOptions) -> Expert:
    """Return an expert, as it was learned if that is wanted."""
    return expert.learned if shape.learned and expert.learned is not None else expert


def _items_of(
    model: Model, cases: Sequence[str], corpus: options.CorpusOptions
) -> dict[str, list[Item]]:
    """Return the instances of corpora by the list that answers them."""
    from wsdlist.cli.corpora import read_for

    parts = read_for(model, cases, corpus)
    items: dict[str, list[Item]] = {}
    for item in (*parts.train, *(parts.test or ())):
        expert = model.expert(item.lexelt)
        if expert is not None:
            items.setdefault(expert.lexelt, []).append(item)
    return items


def _grown(model: Model, expert: Expert, items: list[Item], top: int | None) -> RuleTable:
    """Return the rules that an expert grows for instances."""
    from wsdlist.errors import ParameterError

    grown = expert.fitted.grown(expert.ask(items), top)
    if grown is None:
        raise ParameterError(
            f"the model was learned by {model.meta.recipe.learner}, which grows no rules for cases",
            "leave --cases out",
        )
    return grown


def _record(
    model: Model, lexelt: str, expert: Expert, top: int | None, grown: RuleTable | None
) -> dict[str, Any]:
    """Return an expert as JSON data that is enough to predict."""
    record = expert.to_record()
    record["glosses"] = {sense: model.inventory.gloss(lexelt, sense) for sense in expert.senses}
    if "rules" in record:
        rules = record["rules"]
        record["rules"], cut = rules[:top], rules[top:] if top else []
        record["rules_left_out"] = len(cut)
    if grown is not None:
        record["grown"] = [{"rule": rule, "cases": int(n)} for rule, n in grown.rows]
    recipe = model.meta.recipe.to_record()
    how = {name: recipe[name] for name in ("learner", "parameters", "multi")}
    return {**record, **how, "features": model.features.name}
