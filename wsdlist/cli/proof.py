"""The command proof: words that should probably be another of their confusion set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.models.model import Model
    from wsdlist.models.proofreading import Suspicion


def proof(
    model: options.ModelPath,
    texts: Annotated[
        list[str],
        typer.Argument(metavar="TEXT...", help="Text files, - for stdin.", show_default=False),
    ],
    min_prob: Annotated[
        float, typer.Option("--min-prob", help="Another word must be more probable than this.")
    ] = 0.9,
    fix: Annotated[bool, typer.Option("--fix", help="Show the corrections as a diff.")] = False,
    write: Annotated[bool, typer.Option("--write", help="With --fix: write them.")] = False,
    pipeline: options.Pipeline = None,
    output_format: Annotated[
        str, typer.Option("--output", help="text, json (an object per word) or github.")
    ] = "text",
) -> None:
    """Find words that should probably be another of their confusion set.

    The model is one that was trained with --confusion or --accents. Exit status 1 if something is
    found.
    """
    from wsdlist.errors import ParameterError
    from wsdlist.models.model import load
    from wsdlist.models.proofreading import check_model

    if output_format not in ("json", *SHOW):
        raise ParameterError(f"output is {output_format!r}", "say one of text, json, github")
    if write and not fix:
        raise ParameterError("--write writes what --fix corrects", "say both")
    if fix and output_format != "text":
        raise ParameterError("--fix shows a diff", "leave --output out")
    loaded = load(model)
    check_model(loaded, min_prob)
    if fix:
        _check_in_place(texts)
        found = _correct(loaded, texts, min_prob, pipeline, write=write)
    else:
        found = _list(loaded, texts, min_prob, pipeline, output_format)
    if found:
        raise typer.Exit(1)


def _check_in_place(texts: Sequence[str]) -> None:
    """Refuse what cannot be corrected in place."""
    from wsdlist.errors import ParameterError
    from wsdlist.readers.decoding import is_compressed

    for path in texts:
        if path == "-" or is_compressed(path):
            raise ParameterError(
                f"{path} cannot be corrected in place", "unpack it, or leave --fix out"
            )


def _correct(
    model: Model, texts: Sequence[str], min_prob: float, pipeline: str | None, *, write: bool
) -> int:
    """Show corrections as a diff, and write them if that is wanted; return how many files."""
    from wsdlist.cli import output
    from wsdlist.models.proofreading import corrected, write_corrected

    files = [corrected(model, path, min_prob=min_prob, pipeline=pipeline) for path in texts]
    changed = [file for file in files if file.before != file.after]
    if write:  # before anything is shown, which may fail
        write_corrected(changed)
    for file in changed:
        output.lines(file.diff())
    if changed:
        done = "corrected" if write else "to correct (write them with --write)"
        output.note(f"{len(changed)} of {len(files)} files {done}")
    return len(changed)


def _list(
    model: Model, texts: Sequence[str], min_prob: float, pipeline: str | None, output_format: str
) -> int:
    """Print suspicious words, a line each; return how many."""
    from wsdlist.cli import output
    from wsdlist.models.proofreading import suspicions
    from wsdlist.readers.decoding import opened
    from wsdlist.readers.plain import blocks

    n_found = 0
    repairs: Counter[str] = Counter()
    for path in texts:
        name = output.name_of(path)
        with opened(path) as stream:
            text = blocks(stream, name, repairs, by_line=model.by_line)
            for found in suspicions(model, text, min_prob=min_prob, pipeline=pipeline):
                n_found += 1
                if output_format == "json":
                    output.jsonl([found.to_record()])
                else:
                    output.lines([SHOW[output_format](found)])
    output.repairs(repairs)
    return n_found


def _as_text(found: Suspicion) -> str:
    why = "" if found.question is None else "; by default"
    if found.rule is not None:
        why = f"; rule {found.rule}: {found.question}"
    place = f"{found.file}:{found.line}:{found.column}"
    return f"{place}: {found.word} -> {found.suggestion} ({found.probability:.3f}{why})"


def _as_github(found: Suspicion) -> str:
    def escaped(text: str, more: str = "") -> str:
        for character in ("%", "\r", "\n", *more):
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    why = "" if found.question is None else f"; {found.question}"
    message = f"{found.word}: {found.suggestion}? ({found.probability:.3f}{why})"
    place = f"file={escaped(found.file, ':,')},line={found.line},col={found.column}"
    return f"::warning {place}::{escaped(message)}"


SHOW = {"text": _as_text, "github": _as_github}
