"""The command convert: a corpus from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from wsdlist.cli import options
from wsdlist.cli._groups import leave_out


def convert(
    corpora: options.Corpora,
    *,
    output: Annotated[
        str, typer.Option("--output", help="The format to write, see `formats`.")
    ] = "jsonl",
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="FILE", help="Where to; of several files what their names begin with."
        ),
    ] = "-",
    drop: Annotated[
        list[str],
        typer.Option(
            "--drop",
            help="What the new format cannot hold: id, document, text, tags, lemmas, sentences, "
            "heads, satellites, markers.",
        ),
    ] = [],  # noqa: B006
    corpus: Annotated[options.CorpusOptions, leave_out("class_name")],
) -> None:
    """Write a corpus in another format.

    What that cannot hold is refused, by instance; nothing is changed in silence.
    """
    from pathlib import Path

    from wsdlist.cli import output as printed
    from wsdlist.errors import ParameterError
    from wsdlist.readers import format_of
    from wsdlist.readers.writing import files_of, save, uncovered, without

    printed.check_out(out, [*corpora, *corpus.key])
    parts = corpus.read(corpora)
    if parts.test is not None:
        raise ParameterError(
            "there is a training and a test part", "convert each by itself: name its files"
        )
    printed.about(printed.without_parts(parts))
    lost = 0 if format_of(output, writes=True).running else uncovered(parts.train)
    if lost:
        printed.note(f"{lost} tokens of running text are in no context, and not written")
    as_it_was = output == "conllu" and without(parts.train, frozenset(drop)).written
    if parts.train.written and not as_it_was:
        printed.note(
            f"of {len(parts.train.written)} texts of CoNLL-U only forms, lemmas, tags and senses "
            "are written"
        )
    if out == "-":
        files = files_of(parts.train, Path("-"), output, drop=drop, sense_key=corpus.sense_key)
        if len(files) > 1 or any(name.suffix for name in files):
            raise ParameterError(f"{output} is not for standard output", "name a file with --out")
        printed.data(*files.values())
        return
    names = save(parts.train, out, output, drop=drop, sense_key=corpus.sense_key)
    printed.note(f"{len(parts.train)} instances written to {', '.join(map(str, names))}")
