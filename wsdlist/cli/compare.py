"""The command compare: two systems on the instances of a key, or two models on a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from wsdlist.cli import options
from wsdlist.cli.score import HEADER, say_what_was_odd

if TYPE_CHECKING:
    from wsdlist.evaluation.model_comparison import Difference, ModelComparison
    from wsdlist.evaluation.official_scorers import Compared
    from wsdlist.learners.fitted.base import Answer

DIFFER = ("instance", "lexelt", "gold", "A", "B")
SHOWN = 20
Rows: TypeAlias = Sequence[tuple[str, ...]]


def compare(
    key: options.KeyFile,
    first: Annotated[str, typer.Argument(metavar="A", help="Answers of one system; or a model.")],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]",
            help="Answers of another, or another model; of one model its edited lists stand "
            "beside those that were learned.",
        ),
    ] = None,
    *,
    scoring: options.ScoringOptions,
    fail_if_worse: Annotated[
        bool,
        typer.Option("--fail-if-worse", help="Exit status 1 when B is worse, by the interval."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Compare two systems on the instances of a key: McNemar's exact test and a bootstrap.

    Where A and B are models, KEY is a corpus (of a folder its test part), and the answers that
    differ are shown. What was learned from the corpus says nothing of other text.
    """
    from wsdlist.errors import ParameterError
    from wsdlist.evaluation.official_scorers import compare
    from wsdlist.models.storage import is_model

    differ: Rows = []
    if is_model(first):
        scoring.refuse_for_models()
        scored = _compared_models(key, first, second, minimal=scoring.minimal)
        compared = compare(scored.first, scored.second)
        differ = [_row(difference) for difference in scored.differences]
        names = (first, second) if second else (f"{first} as learned", f"{first} as edited")
    elif second is None:
        raise ParameterError("there is nothing to compare with", "name the answers of another")
    else:
        first_scored, second_scored = scoring.scored(key, [first, second])
        compared = compare(first_scored, second_scored)
        names = first, second
    if json:
        _print_json(compared, differ)
    else:
        _print_table(compared, names)
        _print_differences(differ)
    say_what_was_odd(compared.first)
    say_what_was_odd(compared.second)
    if fail_if_worse and compared.high < 0:
        raise typer.Exit(1)


def _compared_models(key: str, first: str, second: str | None, *, minimal: bool) -> ModelComparison:
    """Compare two models, or one as it was learned and as it was edited."""
    from wsdlist.cli.corpora import read_for
    from wsdlist.errors import ParameterError
    from wsdlist.evaluation.model_comparison import check_comparable, compare_edits, compare_models
    from wsdlist.models.model import load
    from wsdlist.training.train import edited_experts

    model, other = load(first), None if second is None else load(second)
    if other is not None:
        check_comparable(model, other)
    elif not any(edited_experts(model)):
        raise ParameterError("no list was edited by hand", "name another model", where=first)
    parts = read_for(model, [key], options.CorpusOptions())
    corpus = parts.scored
    if other is None:
        return compare_edits(model, corpus, minimal=minimal, where=key)
    return compare_models(model, other, corpus, minimal=minimal, where=key)


def _row(difference: Difference) -> tuple[str, ...]:
    item = difference.item
    answers = _said(difference.first), _said(difference.second)
    return item.id, item.lexelt, " ".join(item.senses), *answers


def _said(answer: Answer) -> str:
    if answer.sense is None:
        return "-"
    return f"{answer.sense} ({answer.question if answer.rule else 'default'})"


def _print_json(compared: Compared, differ: Rows) -> None:
    from wsdlist.cli import output

    record: dict[str, Any] = {
        "first": compared.first.total.to_record(),
        "second": compared.second.total.to_record(),
        "only_first": compared.only_first,
        "only_second": compared.only_second,
        "p": compared.p,
        "difference": compared.difference,
        "low": compared.low,
        "high": compared.high,
    }
    if differ:
        record["differ"] = [dict(zip(DIFFER, row, strict=True)) for row in differ]
    output.jsonl([record])


def _print_table(compared: Compared, names: tuple[str, str]) -> None:
    from wsdlist.cli import output
    from wsdlist.layout import table
    from wsdlist.reporting.text import official

    named = zip(names, (compared.first, compared.second), strict=True)
    output.lines(
        table(("answers", *HEADER), [(name, *official(scored.total)) for name, scored in named])
    )
    print(
        f"right only in the first {compared.only_first}, only in the second "
        f"{compared.only_second}: McNemar's exact p = {compared.p:.4f}"
    )
    print(
        f"F1 of the second less that of the first: {100 * compared.difference:+.1f}, between "
        f"{100 * compared.low:+.1f} and {100 * compared.high:+.1f} (paired bootstrap, 95%)"
    )


def _print_differences(differ: Rows) -> None:
    from wsdlist.cli import output
    from wsdlist.layout import table

    if differ:
        print(f"\n{len(differ)} answers differ")
        output.lines(table(DIFFER, differ[:SHOWN], left=len(DIFFER)))
    if differ[SHOWN:]:
        print(f"... {len(differ) - SHOWN} more (all with --json)")
