"""The command score: answers against a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.evaluation.official_scorers import ScoreReport

PARTS = ("pos", "document", "word")
HEADER = (
    *("instances", "answered", "attempted", "correct"),
    *("precision %", "recall %", "F1 %"),
)


def score(
    key: options.KeyFile,
    answers: Annotated[str, typer.Argument(metavar="ANSWERS", help="A system's answers.")],
    *,
    scoring: options.ScoringOptions,
    by: Annotated[list[str], typer.Option("--by", help="Also by pos, document or word.")] = [],  # noqa: B006
    confusion: Annotated[
        str | None, typer.Option("--confusion", metavar="WORD", help="Its confusion matrix.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Score answers against a key by the rules of the official scorers.

    docs/scoring.md has the rules. An answer is right when it is one of the gold senses.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.layout import some
    from wsdlist.reporting.text import confusion as confusion_table

    for part in by:
        if part not in PARTS:
            raise ParameterError(f"by is {part!r}", f"say one of {', '.join(PARTS)}")
    (scored,) = scoring.scored(key, [answers])
    if confusion is not None and confusion not in scored.confusion:
        words = some(sorted(scored.confusion))
        raise ParameterError(f"no answer to the word {confusion!r}", f"say one of {words}")
    if json:
        _print_json(scored, by)
    else:
        _print_tables(scored, by)
        if confusion is not None:
            print()
            output.lines(confusion_table(scored.confusion[confusion]))
    say_what_was_odd(scored)


def _print_json(scored: ScoreReport, by: list[str]) -> None:
    from wsdlist.cli import output

    low, high = scored.interval()
    interval = {"low": low, "high": high, "macro_f1": scored.macro_f1}
    record: dict[str, Any] = {"rules": scored.rules, "grain": scored.grain}
    record |= {**scored.total.to_record(), **interval}
    record |= {"ignored": len(scored.ignored), "repeated": scored.repeated, "empty": scored.empty}
    output.jsonl([record | {"back_off": scored.back_off}])
    output.jsonl(
        {part: name, **of_part.to_record()}
        for part in by
        for name, of_part in scored.parts[part].items()
    )


def _print_tables(scored: ScoreReport, by: list[str]) -> None:
    from wsdlist.cli import output
    from wsdlist.layout import table
    from wsdlist.reporting import text as report

    low, high = scored.interval()
    print(f"{scored.rules} rules, {scored.grain}")
    output.lines(table(HEADER, [report.official(scored.total)], left=0))
    print(
        f"F1 between {100 * low:.1f} and {100 * high:.1f} (bootstrap, 95%); "
        f"macro-F1 over words {100 * scored.macro_f1:.1f}"
    )
    for part in by:
        print()
        rows = [(name, *report.official(of_part)) for name, of_part in scored.parts[part].items()]
        output.lines(table((part, *HEADER), rows))


def say_what_was_odd(scored: ScoreReport) -> None:
    """Say which lines of answers are not of the key, stand twice, or say no sense."""
    from wsdlist.cli import output
    from wsdlist.layout import some

    if scored.ignored:
        ids = some(scored.ignored, 5)
        output.note(f"{len(scored.ignored)} ids not in gold, ignored: {ids}")
    if scored.repeated:
        how = "the first counts" if scored.rules == "senseval" else "they are one set"
        output.note(f"{scored.repeated} lines about an id that had one: {how}")
    if scored.empty:
        output.note(f"{scored.empty} lines with an id and no sense: no answer")
    if scored.back_off:
        output.note(f"{scored.back_off} answers are marked as back-off")
