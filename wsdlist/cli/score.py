"""Commands that compare answers: score against a key, compare two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.evaluation.official_scorers import ScoreReport
    from wsdlist.learners.fitted.base import Answer

KeyFile: TypeAlias = Annotated[str, typer.Argument(metavar="KEY", help="The gold key.")]
Rules: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--rules", help="unified or senseval; told by the key by default: Senseval's has the word."
    ),
]
Grain: TypeAlias = Annotated[
    str, typer.Option("--grain", help="fine; with a sense map also mixed or coarse.")
]
SenseMapFile: TypeAlias = Annotated[
    str | None, typer.Option("--sense-map", help="Senseval's sense map.")
]
Minimal: TypeAlias = Annotated[
    bool, typer.Option("--minimal", help="Leave out instances with several gold senses.")
]
DIFFER = ("instance", "lexelt", "gold", "A", "B")
SHOWN = 20
PARTS = ("pos", "document", "word")
HEADER = (
    *("instances", "answered", "attempted", "correct"),
    *("precision %", "recall %", "F1 %"),
)


def _scored(
    key: str,
    answers: list[str],
    rules: str | None,
    grain: str,
    sense_map: str | None,
    minimal: bool,
) -> list[ScoreReport]:
    from wsdlist.errors import InputError
    from wsdlist.evaluation.official_scorers import read_file, read_sense_map, rules_of, score

    chosen = rules or rules_of([key])
    groups = None if sense_map is None else read_sense_map(sense_map)
    gold = read_file(key, chosen)
    if not any(line.tags for line in gold.lines.values()):
        raise InputError("holds no instance with a sense", "name the gold key first", where=key)
    made = []
    for path in answers:
        said = read_file(path, chosen)
        if said.lines and not said.lines.keys() & gold.lines.keys():
            raise InputError(
                f"has no id of the key, read by the {chosen} rules",
                "see that both are of one style, or say --rules",
                where=path,
            )
        made.append(score(gold, said, chosen, grain=grain, sense_map=groups, minimal=minimal))
    return made


def _note(report: ScoreReport) -> None:
    from wsdlist.cli import output

    if report.ignored:
        ids = output.some(report.ignored, 5)
        output.note(f"{len(report.ignored)} ids not in gold, ignored: {ids}")
    if report.repeated:
        how = "the first counts" if report.rules == "senseval" else "they are one set"
        output.note(f"{report.repeated} lines about an id that had one: {how}")
    if report.empty:
        output.note(f"{report.empty} lines with an id and no sense: no answer")
    if report.back_off:
        output.note(f"{report.back_off} answers are marked as back-off")


def score(
    key: KeyFile,
    answers: Annotated[str, typer.Argument(metavar="ANSWERS", help="A system's answers.")],
    rules: Rules = None,
    grain: Grain = "fine",
    sense_map: SenseMapFile = None,
    minimal: Minimal = False,
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
    from wsdlist.layout import table
    from wsdlist.reporting import text as report

    for part in by:
        if part not in PARTS:
            raise ParameterError(f"by is {part!r}", f"say one of {', '.join(PARTS)}")
    (made,) = _scored(key, [answers], rules, grain, sense_map, minimal)
    if confusion is not None and confusion not in made.confusion:
        words = output.some(sorted(made.confusion))
        raise ParameterError(f"no answer to the word {confusion!r}", f"say one of {words}")
    low, high = made.interval()
    if json:
        interval = {"low": low, "high": high, "macro_f1": made.macro_f1}
        record: dict[str, Any] = {"rules": made.rules, "grain": made.grain}
        record |= {**made.total.to_record(), **interval}
        record |= {"ignored": len(made.ignored), "repeated": made.repeated, "empty": made.empty}
        output.jsonl([record | {"back_off": made.back_off}])
        output.jsonl(
            {part: name, **scored.to_record()}
            for part in by
            for name, scored in made.parts[part].items()
        )
    else:
        print(f"{made.rules} rules, {made.grain}")
        output.lines(table(HEADER, [report.official(made.total)], left=0))
        print(
            f"F1 between {100 * low:.1f} and {100 * high:.1f} (bootstrap, 95%); "
            f"macro-F1 over words {100 * made.macro_f1:.1f}"
        )
        for part in by:
            print()
            rows = [(name, *report.official(one)) for name, one in made.parts[part].items()]
            output.lines(table((part, *HEADER), rows))
        if confusion is not None:
            print()
            output.lines(report.confusion(made.confusion[confusion]))
    _note(made)


def compare(
    key: KeyFile,
    first: Annotated[str, typer.Argument(metavar="A", help="Answers of one system; or a model.")],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]",
            help="Answers of another, or another model; of one model its edited lists stand "
            "beside those that were learned.",
        ),
    ] = None,
    rules: Rules = None,
    grain: Grain = "fine",
    sense_map: SenseMapFile = None,
    minimal: Minimal = False,
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
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.evaluation.official_scorers import compare
    from wsdlist.layout import table
    from wsdlist.models.storage import is_model
    from wsdlist.reporting import text as report

    differ: list[tuple[str, ...]] = []
    if is_model(first):
        if rules or sense_map or grain != "fine":
            raise ParameterError("models are scored fine, by the unified rules", "name no others")
        one, two, differ = _of_models(key, first, second, minimal)
        names = (first, second) if second else (f"{first} as learned", f"{first} as edited")
    elif second is None:
        raise ParameterError("there is nothing to compare with", "name the answers of another")
    else:
        one, two = _scored(key, [first, second], rules, grain, sense_map, minimal)
        names = first, second
    made = compare(one, two)
    if json:
        output.jsonl(
            [
                {
                    "first": made.first.total.to_record(),
                    "second": made.second.total.to_record(),
                    "only_first": made.only_first,
                    "only_second": made.only_second,
                    "p": made.p,
                    "difference": made.difference,
                    "low": made.low,
                    "high": made.high,
                    **(
                        {"differ": [dict(zip(DIFFER, row, strict=True)) for row in differ]}
                        if differ
                        else {}
                    ),
                }
            ]
        )
    else:
        named = zip(names, (one, two), strict=True)
        rows = [(path, *report.official(scored.total)) for path, scored in named]
        output.lines(table(("answers", *HEADER), rows))
        print(
            f"right only in the first {made.only_first}, only in the second {made.only_second}: "
            f"McNemar's exact p = {made.p:.4f}"
        )
        print(
            f"F1 of the second less that of the first: {100 * made.difference:+.1f}, between "
            f"{100 * made.low:+.1f} and {100 * made.high:+.1f} (paired bootstrap, 95%)"
        )
        if differ:
            print(f"\n{len(differ)} answers differ")
            output.lines(table(DIFFER, differ[:SHOWN], left=len(DIFFER)))
            if differ[SHOWN:]:
                print(f"... {len(differ) - SHOWN} more (all with --json)")
    _note(one)
    _note(two)
    if fail_if_worse and made.high < 0:
        raise typer.Exit(1)


def _of_models(
    key: str, first: str, second: str | None, minimal: bool
) -> tuple[ScoreReport, ScoreReport, list[tuple[str, ...]]]:
    """Score two models, or one as it was learned and as it was edited, and say what differs."""
    from wsdlist.cli import output
    from wsdlist.cli.explain import corpus_of
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.evaluation.evaluate import as_learned, file_of
    from wsdlist.evaluation.official_scorers import score
    from wsdlist.models.model import load
    from wsdlist.training.prepare import prepare_for
    from wsdlist.training.train import edited_experts

    models = [load(first)] if second is None else [load(first), load(second)]
    maps = [model.coarse_map for model in models]
    if maps[0] != maps[-1]:
        raise ParameterError("the models have other coarse maps", "compare those of one map")
    parts = corpus_of(models[0], [key], options.Reading())
    corpus = parts.train if parts.test is None else parts.test
    if maps[0] is not None:
        corpus = maps[0].corpus(corpus)
    items = [item for item in corpus if item.senses]
    if not items:
        raise InputError("no instance has a gold sense", "name another corpus", where=key)
    if second is None:
        if not any(edited_experts(models[0])):
            raise ParameterError("no list was edited by hand", "name another model", where=first)
        answers = [as_learned(models[0], items), models[0].answer(items)]
    else:
        ready = prepare_for(models[1].features, corpus, models[1].meta.pipeline, key)
        both = [item for item in ready if item.senses]
        answers = [models[0].answer(items), models[1].answer(both)]
    if not any(answer.sense for made in answers for answer in made):
        words = output.some(sorted({item.lexelt for item in items}), 3)
        raise InputError(f"has {words}, and none of the models' words", "name another", where=key)
    gold = file_of(items)
    one, two = (score(gold, file_of(items, made), "unified", minimal=minimal) for made in answers)
    differ: list[tuple[str, ...]] = [
        (i.id, i.lexelt, " ".join(i.senses), _said(before), _said(after))
        for i, before, after in zip(items, *answers, strict=True)
        if before.sense != after.sense
    ]
    return one, two, differ


def _said(answer: Answer) -> str:
    if answer.sense is None:
        return "-"
    return f"{answer.sense} ({answer.question if answer.rule else 'default'})"


COMMANDS = (score, compare)
