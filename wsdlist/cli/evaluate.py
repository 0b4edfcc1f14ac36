"""The command evaluate: score a model on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wsdlist.cli import options


def evaluate(
    model: options.ModelPath,
    corpora: options.Corpora,
    *,
    pipeline: options.Pipeline = None,
    corpus: options.CorpusOptions,
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
    json: options.Json = False,
) -> None:
    """Score a model on the test part of a folder, or on all of a corpus that has none."""
    from wsdlist.cli import output
    from wsdlist.cli.corpora import read_to_score, say_ungrouped
    from wsdlist.cli.models import open_model
    from wsdlist.errors import InputError
    from wsdlist.evaluation.evaluate import answer_lines, evaluate, summary
    from wsdlist.readers.writing import write_files
    from wsdlist.reporting import text as report

    if answers is not None:
        output.check_out(answers, [model, *corpora, *corpus.key])
    opened = open_model(model, back_off)
    scored = read_to_score(opened, corpora, corpus, pipeline)
    groups = options.coarse_map_of(map_)
    say_ungrouped(groups, scored)
    rows = evaluate(opened, scored, groups)
    if answers is not None:
        lines = answer_lines(scored, opened.answer(scored.instances), groups)
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
        output.lines([report.recipe(opened.meta)])
        output.lines(report.results(rows))
    if said := report.unknown(summary(rows)):
        output.note(said)
