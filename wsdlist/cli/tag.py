"""The command tag: text, records and CoNLL-U in, senses out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.errors import Fail, InputError
    from wsdlist.models.model import Model

COLUMNS = ("file", "line", "column", "start", "end", "text", "lexelt", "sense", "probability")
MORE = ("rule", "reason")


@dataclass(frozen=True)
class FileOptions:
    """What the files are, and what is printed of them."""

    lines: Annotated[
        bool, typer.Option("--lines", help="Each line of a text is a context of its own.")
    ] = False
    format: Annotated[
        str | None,
        typer.Option("--format", help="text, jsonl or conllu; found from the content by default."),
    ] = None
    conllu: Annotated[
        bool,
        typer.Option(
            "--conllu", help="Print CoNLL-U as it came, with the senses and probabilities in MISC."
        ),
    ] = False
    sense_key: options.SenseKey = "Sense"
    on_error: options.OnError = "stop"
    json: options.Json = False

    def check(self) -> None:
        """Refuse what does not go together, and unknown names.

        Raises
        ------
        ParameterError
            When there is such a thing.
        """
        from wsdlist.errors import ParameterError

        if self.format not in (None, "text", "jsonl", "conllu"):
            raise ParameterError(f"format is {self.format!r}", "say text, jsonl or conllu")
        if self.conllu and (self.json or self.format not in (None, "conllu")):
            raise ParameterError("--conllu prints CoNLL-U alone", "leave --json and --format out")
        if self.on_error not in ("stop", "skip"):
            raise ParameterError(f"on_error is {self.on_error!r}", "say stop or skip")


def tag(
    model: options.ModelPath,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="[TEXT...]",
            help="Text, JSONL or CoNLL-U files, compressed or not, - for stdin.",
            show_default="-",
        ),
    ] = ["-"],  # noqa: B006
    *,
    pipeline: options.Pipeline = None,
    back_off: options.BackOff = None,
    file: FileOptions,
) -> None:
    """Find the words of a model in text, and tell their senses.

    Text is read a paragraph at a time, blank lines between them. The result is a table, a line a
    word: start and end count the code points of the file from 0, line and column from 1. With
    --json it is an object per word; of JSONL, each record as it came, with what was found.

    A JSONL record is a text or tokens, whose "annotations" are added to, or an instance with
    lexelt and target, which gets a "sense". What is tagged already stays.
    """
    from wsdlist.cli import output
    from wsdlist.cli.models import open_model
    from wsdlist.errors import stop
    from wsdlist.models.tag_files import tag_conllu
    from wsdlist.readers.decoding import opened

    file.check()
    loaded = open_model(model, back_off)
    repairs: Counter[str] = Counter()
    skipped: list[InputError] = []
    fail = skipped.append if file.on_error == "skip" else stop
    for number, path in enumerate(texts, start=1):
        name = output.name_of(path)
        with opened(path) as stream:
            if file.conllu:
                data, key = stream.read(), file.sense_key
                text, _ = tag_conllu(
                    loaded, data, name, pipeline=pipeline, sense_key=key, fail=fail
                )
                _print_conllu(text, is_last=number == len(texts))
                continue
            if number == 1 and not file.json:
                output.tsv([(*COLUMNS, *MORE)])
            for rows in _tagged(loaded, stream, name, pipeline, file, repairs, fail):
                if file.json:
                    output.jsonl(rows)
                else:
                    output.tsv(_cells(row, loaded) for row in rows)
    output.repairs(repairs)
    if skipped:
        output.note(f"{len(skipped)} records left out (first: {skipped[0]})")


def _tagged(
    model: Model,
    stream: IO[bytes],
    name: str,
    pipeline: str | None,
    file: FileOptions,
    repairs: Counter[str],
    fail: Fail,
) -> Iterator[list[dict[str, Any]]]:
    """Yield what is printed of a file: rows, or records with what was found."""
    from wsdlist.models.tag_files import format_of, tag_conllu, tag_records, tag_text

    known = file.format or format_of(stream, name)
    if known == "conllu":
        data, key = stream.read(), file.sense_key
        _, rows = tag_conllu(model, data, name, pipeline=pipeline, sense_key=key, fail=fail)
        yield rows
    elif known == "jsonl":
        for record, rows in tag_records(
            model, stream, name, pipeline=pipeline, repairs=repairs, fail=fail
        ):
            yield [record] if file.json else rows
    else:
        yield from tag_text(
            model, stream, name, pipeline=pipeline, by_line=file.lines, repairs=repairs
        )


def _print_conllu(text: bytes, *, is_last: bool) -> None:
    """Print a file as it is, ended so that the next one is a text of its own."""
    from wsdlist.cli import output

    output.data(text)
    if not is_last and not text.endswith((b"\n\n", b"\r\n\r\n")):
        output.data(b"\n" if text.endswith(b"\n") else b"\n\n")


def _cells(row: dict[str, Any], model: Model) -> list[str]:
    shown = dict(row)
    if row["probability"] is not None:
        shown["probability"] = f"{row['probability']:.4f}"
        expert = model.expert(row["lexelt"])
        if row["rule"] is None and expert is not None and expert.fitted.is_ordered:
            shown["rule"] = "default"
    cells = (shown[name] for name in (*COLUMNS, *MORE))
    return ["" if cell is None else str(cell) for cell in cells]
