"""The command report: a page about a model to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus
    from wsdlist.models.model import Model


def report(
    model: options.ModelPath,
    corpora: Annotated[
        list[str],
        typer.Argument(
            metavar="[CORPUS...]",
            help="What the model is scored on: the test part of a folder, or all of a corpus.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    *,
    out: Annotated[
        str, typer.Option("--out", help="The page to write, - for stdout.")
    ] = "report.html",
    words: Annotated[
        list[str],
        typer.Option(
            "--words",
            metavar="WORD",
            help="Only this word; say it again for more.",
            show_default="the 100 with the most instances",
        ),
    ] = [],  # noqa: B006
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Rules, and wrong answers, shown of a word.")
    ] = 30,
    pipeline: options.Pipeline = None,
    corpus: options.StrictCorpusOptions,
) -> None:
    """Write a page about a model: its words, their lists, and how they did on a corpus.

    One HTML file that needs nothing else: no network, no script. With a corpus it shows accuracy
    against the number of rules, reliability, confusion and the wrong answers with their rules.
    """
    from wsdlist.cli import output
    from wsdlist.cli.models import lexelts_of
    from wsdlist.errors import InputError
    from wsdlist.models.model import load
    from wsdlist.readers.writing import write_files
    from wsdlist.reporting.page import page

    target = Path(out)
    if target.is_file() and target.stat().st_size and not _is_page(target):
        raise InputError("is there already and is no page of ours", "name another file", where=out)
    opened = load(model)
    lexelts = lexelts_of(opened, words, model)
    scored = _scored(opened, corpora, corpus, pipeline) if corpora else None
    names = [Path(path).name or path for path in (model, *corpora)]
    title = " on ".join([names[0], *filter(None, [" ".join(names[1:])])])
    html = page(opened, scored, words=lexelts or None, limit=limit, title=title)
    data = html.encode("utf-8", "replace")
    if out == "-":
        output.data(data)
        return
    write_files({target: data})
    output.note(f"page written to {out}")


def _scored(
    model: Model, paths: Sequence[str], corpus: options.CorpusOptions, pipeline: str | None
) -> Corpus:
    """Return the test part of corpora, or all of those that have none."""
    from wsdlist.cli.corpora import read_for
    from wsdlist.errors import InputError

    parts = read_for(model, paths, corpus, pipeline)
    scored = parts.scored
    if not any(item.senses for item in scored):
        raise InputError(
            "no instance has a gold sense", "name a key with --key", where=" ".join(paths)
        )
    return scored


def _is_page(path: Path) -> bool:
    from wsdlist.reporting.page import GENERATOR

    with path.open("rb") as stream:
        return GENERATOR.encode() in stream.read(200)
