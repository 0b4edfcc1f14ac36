"""Commands that use a model: tag, explain."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.corpus import Instance
    from wsdlist.errors import InputError
    from wsdlist.model import Model
    from wsdlist.proof import Suspicion
    from wsdlist.tagging import Tag

BATCH = 512  # records that are tagged together
COLUMNS = ("file", "line", "column", "start", "end", "text", "lexelt", "sense", "probability")
MORE = ("rule", "reason")


def tag(
    model: options.ModelFile,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="[TEXT...]",
            help="Text or JSONL files, compressed or not, - for stdin.",
            show_default="-",
        ),
    ] = ["-"],  # noqa: B006
    pipeline: options.Pipeline = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Each line of a text is a context of its own.")
    ] = False,
    format: Annotated[
        str | None,
        typer.Option("--format", help="text or jsonl; found from the content by default."),
    ] = None,
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
    from wsdlist.model import load
    from wsdlist.readers.plain import opened

    if format not in (None, "text", "jsonl"):
        raise ParameterError(f"format is {format!r}", "say text or jsonl")
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    loaded = load(model)
    repairs: Counter[str] = Counter()
    skipped: list[InputError] | None = [] if on_error == "skip" else None
    if not json:
        print("\t".join((*COLUMNS, *MORE)))
    for path in texts:
        name = "<stdin>" if path == "-" else path
        with opened(path) as stream:
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


def _starts_json(stream: IO[bytes]) -> bool:
    head: bytes = stream.peek(64)  # type: ignore[attr-defined]
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


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

    from wsdlist.corpus import Instance, Text
    from wsdlist.errors import InputError
    from wsdlist.readers import jsonl
    from wsdlist.readers.plain import lines
    from wsdlist.tokens import annotate

    def items() -> Iterator[tuple[dict[str, Any], Instance | Text, int]]:
        for number, line in enumerate(lines(stream, name, repairs), start=1):
            if not line.strip(" \t\r\n"):
                continue
            place = f"{name}:{number}"
            try:
                record = jsonl.parse(line, place)
                made = jsonl.instance if jsonl.is_instance(record) else jsonl.document
                yield record, made(record, place), number
            except InputError as error:
                if skipped is None:
                    raise
                skipped.append(error)

    left = items()
    while batch := list(islice(left, BATCH)):
        instances = [i for _, i, _ in batch if isinstance(i, Instance) and not i.senses]
        named = pipeline or model.meta["pipeline"]
        if named is not None:
            instances = list(annotate(instances, named))
        answers = iter(model.answer(instances))
        texts = (text for _, text, _ in batch if isinstance(text, Text))
        tags = model.tag_many(texts, pipeline=pipeline)
        for record, item, number in batch:
            place = {"file": name, "line": number, "column": None}
            if isinstance(item, Text):
                made = [one.to_record() for one in next(tags)]
                given = record.get("annotations", [])
                annotations = sorted([*given, *made], key=lambda one: (one["start"], one["end"]))
                yield {**record, "annotations": annotations}, [{**place, **one} for one in made]
                continue
            if item.senses:
                answered = {"sense": item.senses[0], "probability": None, "rule": None}
                answered["reason"] = "given"
            else:
                answer = next(answers)
                answered = {
                    name: getattr(answer, name) for name in ("sense", "probability", "rule")
                }
                answered["reason"] = "" if answer.sense is not None else answer.reason
            start, end = record["target"] if isinstance(record["target"], list) else item.target
            about = {"start": start, "end": end, "text": item.target_form, "lexelt": item.lexelt}
            yield {**record, **answered}, [{**place, **about, **answered}]


def _line(row: dict[str, Any]) -> str:
    from wsdlist.errors import plain

    shown = dict(row)
    if row["probability"] is not None:
        shown["probability"] = f"{row['probability']:.4f}"
        shown["rule"] = "default" if row["rule"] is None else row["rule"]
    cells = (shown[name] for name in (*COLUMNS, *MORE))
    return "\t".join("" if cell is None else plain(str(cell)) for cell in cells)


def explain(
    model: options.ModelFile,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="A sentence, or - for stdin.")
    ] = None,
    instance: Annotated[
        str | None, typer.Option("--instance", help="Id of an instance of the corpus instead.")
    ] = None,
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", help="The training corpus: show the instances behind a rule."),
    ] = [],  # noqa: B006
    pipeline: options.Pipeline = None,
    key: options.Keys = [],  # noqa: B006
    json: options.Json = False,
) -> None:
    """Say why a word gets its sense: the rule, its counts and arithmetic, what came next.

    Every trained word of the sentence is explained, or one instance of the corpus.
    """
    import sys

    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.features.sets import from_record
    from wsdlist.model import load
    from wsdlist.readers import read
    from wsdlist.training import prepare_for

    if (text is None) == (instance is None):
        raise ParameterError(
            "explain needs a sentence or an instance", "give one, or --instance with --corpus"
        )
    if instance is not None and not corpus:
        raise ParameterError(f"where is the instance {instance!r}?", "name its --corpus")
    loaded = load(model)
    parts = read(corpus, keys=key) if corpus else None
    features = from_record(loaded.meta["features"])
    for part in (parts.train, parts.test) if parts else ():
        if part is not None:
            prepare_for(features, part, pipeline or loaded.meta["pipeline"], " ".join(corpus))
    training = parts.train if parts else None
    found: list[Any] = []
    left_alone: list[Tag] = []
    if parts is not None and instance is not None:
        found = [i for part in (parts.train, parts.test or ()) for i in part if i.id == instance]
        if not found:
            raise ParameterError(f"the corpus has no instance {instance!r}", "check the id")
    else:
        sentence = sys.stdin.read() if text == "-" else str(text)
        found = list(loaded.find(sentence, pipeline=pipeline))
        left_alone = [t for t in loaded.tag(sentence, pipeline=pipeline) if t.sense is None]
    for number, one in enumerate(found):
        explanation = loaded.explain(one, training)
        if json:
            output.jsonl([explanation.to_record()])
            continue
        if number:
            print()
        output.lines(explanation.lines())
    for tagged in left_alone:
        output.note(f"{tagged.text} is left alone: {tagged.reason}")
    if not found and not left_alone:
        output.note("no word of the text was trained")


def proof(
    model: options.ModelFile,
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
        str, typer.Option("--output", help="text, json (an object a word) or github.")
    ] = "text",
) -> None:
    """Find words that should probably be another of their confusion set.

    The model is one that was trained with --confusion or --accents. Exit status 1 if something is
    found.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.model import load
    from wsdlist.proof import check_model, corrected, suspicions
    from wsdlist.readers.plain import blocks, opened

    if output_format not in SHOW:
        raise ParameterError(f"output is {output_format!r}", f"say one of {', '.join(SHOW)}")
    if write and not fix:
        raise ParameterError("--write writes what --fix corrects", "say both")
    if fix and output_format != "text":
        raise ParameterError("--fix shows a diff", "leave --output out")
    loaded = load(model)
    check_model(loaded, min_prob)
    count = 0
    if fix:
        made = [corrected(loaded, path, min_prob=min_prob, pipeline=pipeline) for path in texts]
        for one in made:
            output.lines(plain_line(line) for line in one.diff())
            if write and one.before != one.after:
                Path(one.name).write_bytes(one.data)
            count += one.before != one.after
        if count:
            done = "corrected" if write else "to correct (write them with --write)"
            output.note(f"{count} of {len(made)} files {done}")
    else:
        repairs: Counter[str] = Counter()
        for path in texts:
            name = "<stdin>" if path == "-" else path
            with opened(path) as stream:
                text = blocks(stream, name, repairs)
                for found in suspicions(loaded, text, min_prob=min_prob, pipeline=pipeline):
                    count += 1
                    print(SHOW[output_format](found))
        for kind, times in sorted(repairs.items()):
            output.note(f"{times} {kind}")
    if count:
        raise typer.Exit(1)


def _as_text(found: Suspicion) -> str:
    why = "by default" if found.rule is None else f"rule {found.rule}: {found.question}"
    place = f"{found.file}:{found.line}:{found.column}"
    return plain_line(
        f"{place}: {found.word} -> {found.suggestion} ({found.probability:.3f}; {why})"
    )


def _as_json(found: Suspicion) -> str:
    import json

    return json.dumps(found.to_record(), ensure_ascii=False)


def _as_github(found: Suspicion) -> str:
    def escaped(text: str, more: str = "") -> str:
        for character in ("%", "\r", "\n", *more):
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    message = f"{found.word}: {found.suggestion}? ({found.probability:.3f}; {found.question})"
    place = f"file={escaped(found.file, ':,')},line={found.line},col={found.column}"
    return f"::warning {place}::{escaped(message)}"


def plain_line(text: str) -> str:
    """Return a line that cannot move the cursor of a terminal."""
    from wsdlist.errors import plain

    return plain(text)


SHOW = {"text": _as_text, "json": _as_json, "github": _as_github}
COMMANDS = (tag, explain, proof)
