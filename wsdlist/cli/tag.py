"""The command tag: text, records and CoNLL-U in, senses out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Instance
    from wsdlist.errors import InputError
    from wsdlist.models.model import Model

BATCH = 512  # records that are tagged together
COLUMNS = ("file", "line", "column", "start", "end", "text", "lexelt", "sense", "probability")
MORE = ("rule", "reason")


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
    pipeline: options.Pipeline = None,
    back_off: options.BackOff = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Each line of a text is a context of its own.")
    ] = False,
    format: Annotated[
        str | None,
        typer.Option("--format", help="text, jsonl or conllu; found from the content by default."),
    ] = None,
    conllu: Annotated[
        bool,
        typer.Option(
            "--conllu", help="Print CoNLL-U as it came, with the senses and probabilities in MISC."
        ),
    ] = False,
    sense_key: options.SenseKey = "Sense",
    on_error: options.OnError = "stop",
    json: options.Json = False,
) -> None:
    """Find the words of a model in text, and tell their senses.

    Text is read a paragraph at a time, blank lines between them. The result is a table, a line a
    word: start and end count the code points of the file from 0, line and column from 1. With
    --json it is an object a word, or, of JSONL, each record as it came with what was found.

    A JSONL record is a text or tokens, whose "annotations" are added to, or an instance with
    lexelt and target, which gets a "sense". What is tagged already stays.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.readers.decoding import opened

    if format not in (None, "text", "jsonl", "conllu"):
        raise ParameterError(f"format is {format!r}", "say text, jsonl or conllu")
    if conllu and (json or format not in (None, "conllu")):
        raise ParameterError("--conllu prints CoNLL-U alone", "leave --json and --format out")
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    loaded = options.opened(model, back_off)
    repairs: Counter[str] = Counter()
    skipped: list[InputError] | None = [] if on_error == "skip" else None
    for number, path in enumerate(texts):
        name = "<stdin>" if path == "-" else path
        with opened(path) as stream:
            if not (json or conllu or number):
                print("\t".join((*COLUMNS, *MORE)))
            if conllu or format == "conllu" or (format is None and _starts_conllu(stream)):
                text, rows = _of_conllu(loaded, stream.read(), name, pipeline, sense_key, skipped)
                if conllu:
                    output.data(text)
                    if path is not texts[-1] and not text.endswith((b"\n\n", b"\r\n\r\n")):
                        output.data(b"\n" if text.endswith(b"\n") else b"\n\n")
                elif json:
                    output.jsonl(rows)
                else:
                    output.lines(map(_line, rows))
                continue
            is_json = format == "jsonl" or (format is None and _starts_json(stream))
            found = (
                _of_records(loaded, stream, name, pipeline, repairs, skipped)
                if is_json
                else _of_text(loaded, stream, name, pipeline, repairs, by_line=lines)
            )
            for record, rows in found:
                if json:
                    output.jsonl([record] if is_json else rows)
                else:
                    output.lines(map(_line, rows))
    for kind, count in sorted(repairs.items()):
        output.note(f"{count} {kind}")
    if skipped:
        output.note(f"{len(skipped)} records left out (first: {skipped[0]})")


def _starts_conllu(stream: IO[bytes]) -> bool:
    from wsdlist.readers.conllu import sniff

    head: bytes = stream.peek(1 << 13)[: 1 << 13]  # type: ignore[attr-defined]
    return sniff(head.decode("utf-8", "replace").lstrip("\ufeff").replace("\r", ""))


def _of_conllu(
    model: Model,
    data: bytes,
    name: str,
    pipeline: str | None,
    key: str,
    skipped: list[InputError] | None,
) -> tuple[bytes, list[dict[str, Any]]]:
    """Return a file with the senses that were found in its MISC, and them as rows.

    ``start`` and ``end`` count its words from 0.
    """
    from wsdlist.errors import InputError
    from wsdlist.readers.conllu import END, to_tag, with_senses
    from wsdlist.readers.sources import Options, Source

    def fail(error: InputError) -> None:
        if skipped is None:
            raise error
        skipped.append(error)

    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8: byte {error.start}", "save it as UTF-8", where=name
        ) from None
    text = written.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(name, text, options=Options(sense_key=key))
    documents = list(to_tag(source, fail))
    found: dict[int, list[tuple[str, str]]] = {}
    rows, before = [], 0
    tagged = model.tag_many([text for text, _ in documents], pipeline=pipeline)
    for (_, words), tags in zip(documents, tagged, strict=True):
        for one in tags:
            first, last = words[one.start], words[one.end - 1]
            span = {"start": before + one.start, "end": before + one.end}
            rows.append({"file": name, "line": first.line, "column": 1, **one.to_record(), **span})
            if one.sense is not None:
                pairs = [(key, one.sense)]
                if one.probability is not None:  # as back-off has none
                    pairs.append((f"{key}Prob", f"{one.probability:.4f}"))
                more = [(key + END, last.fields[0])] if first is not last else []
                found[first.line] = [*pairs, *more]
        before += len(words)
    return with_senses(source, written, found).encode(), rows


def _starts_json(stream: IO[bytes]) -> bool:
    from wsdlist.readers.decoding import byte_order_mark

    head: bytes = stream.peek(256)[:256]  # type: ignore[attr-defined]
    _, encoding = byte_order_mark(head)
    text = head.decode(encoding, "replace").lstrip("\ufeff \t\r\n")
    return text[:1] == "{" and text[1:].lstrip()[:1] in ('"', "}")


Found = Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]


def _of_text(
    model: Model,
    stream: IO[bytes],
    name: str,
    pipeline: str | None,
    repairs: Counter[str],
    *,
    by_line: bool,
) -> Found:
    """Yield the tags of each paragraph or line, counted from the start of the file."""
    from wsdlist.readers.plain import Block, blocks

    waiting: deque[Block] = deque()

    def texts() -> Iterator[str]:
        for block in blocks(stream, name, repairs, by_line=by_line):
            waiting.append(block)
            yield block.text

    for tags in model.tag_many(texts(), pipeline=pipeline):
        block = waiting.popleft()
        rows = []
        for one in tags:
            line, column = block.place(one.start)
            place = {"file": name, "line": line, "column": column}
            span = {"start": block.start + one.start, "end": block.start + one.end}
            rows.append({**place, **one.to_record(), **span})
        yield {}, rows


def _of_records(
    model: Model,
    stream: IO[bytes],
    name: str,
    pipeline: str | None,
    repairs: Counter[str],
    skipped: list[InputError] | None,
) -> Found:
    """Yield each record with what was found, and that as rows."""
    from itertools import islice

    from wsdlist.data.corpus import Instance, Text
    from wsdlist.data.tokens import annotate
    from wsdlist.errors import InputError
    from wsdlist.readers import jsonl
    from wsdlist.readers.plain import lines

    named = pipeline or model.meta.pipeline

    def items() -> Iterator[tuple[dict[str, Any], Instance | Text, int]]:
        for number, line in enumerate(lines(stream, name, repairs), start=1):
            if not line.strip(" \t\r\n"):
                continue
            place = f"{name}:{number}"
            try:
                record = jsonl.parse(line, place)
                item = jsonl.to_tag(record, place)
                needs = model.needs
                if model.back_off is not None and isinstance(item, Text):
                    needs = ("lemmas", "tags")
                lacking = [] if named else [n for n in needs if getattr(item, n) is None]
                if lacking:
                    asks = "the model" if set(lacking) <= {*model.needs} else "back-off"
                    raise InputError(
                        f"the record has no {' and '.join(lacking)}, which {asks} asks for",
                        "name a spaCy pipeline with --pipeline",
                        where=place,
                    )
                yield record, item, number
            except InputError as error:
                if skipped is None:
                    raise
                skipped.append(error)

    left = items()
    while batch := list(islice(left, BATCH)):
        instances = [
            item
            for record, item, _ in batch
            if isinstance(item, Instance) and not _is_tagged(record, item)
        ]
        if named is not None:
            instances = list(annotate(instances, named))
        answers = iter(model.answer(instances))
        texts = (text for _, text, _ in batch if isinstance(text, Text))
        tags = model.tag_many(texts, pipeline=pipeline)
        for record, item, number in batch:
            place = {"file": name, "line": number, "column": None}
            if isinstance(item, Text):
                made = [one.to_record() for one in next(tags)]
                given = record.get("annotations") or []
                rows = [{**place, **one} for one in made]
                yield {**record, "annotations": [*given, *made]}, rows
                continue
            if _is_tagged(record, item):
                given = record.get("sense") or item.senses[0]
                answered = {"sense": given, "probability": None, "rule": None, "reason": "given"}
                answered |= {name: record[name] for name in answered if name in record}
            else:
                answer = next(answers)
                answered = {
                    name: getattr(answer, name) for name in ("sense", "probability", "rule")
                }
                said = answer.sense is None or answer.backed_off
                answered["reason"] = answer.reason if said else ""
            start, end = record["target"] if isinstance(record["target"], list) else item.target
            about = {"start": start, "end": end, "text": item.target_form, "lexelt": item.lexelt}
            yield {**record, **answered}, [{**place, **about, **answered}]


def _is_tagged(record: dict[str, Any], item: Instance) -> bool:
    return bool(item.senses) or isinstance(record.get("sense"), str)


def _line(row: dict[str, Any]) -> str:
    from wsdlist.errors import plain

    shown = dict(row)
    if row["probability"] is not None:
        shown["probability"] = f"{row['probability']:.4f}"
        shown["rule"] = "default" if row["rule"] is None else row["rule"]
    cells = (shown[name] for name in (*COLUMNS, *MORE))
    return "\t".join("" if cell is None else plain(str(cell)) for cell in cells)


COMMANDS = (tag,)
