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
    from wsdlist.readers import Parts
    from wsdlist.tagging import Occurrence

BATCH = 512  # records that are tagged together
COLUMNS = ("file", "line", "column", "start", "end", "text", "lexelt", "sense", "probability")
MORE = ("rule", "reason")


def tag(
    model: options.ModelFile,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="[TEXT...]",
            help="Text, JSONL or CoNLL-U files, compressed or not, - for stdin.",
            show_default="-",
        ),
    ] = ["-"],  # noqa: B006
    pipeline: options.Pipeline = None,
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
    from wsdlist.model import load
    from wsdlist.readers.plain import opened

    if format not in (None, "text", "jsonl", "conllu"):
        raise ParameterError(f"format is {format!r}", "say text, jsonl or conllu")
    if conllu and (json or format not in (None, "conllu")):
        raise ParameterError("--conllu prints CoNLL-U alone", "leave --json and --format out")
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    loaded = load(model)
    repairs: Counter[str] = Counter()
    skipped: list[InputError] | None = [] if on_error == "skip" else None
    if not (json or conllu):
        print("\t".join((*COLUMNS, *MORE)))
    for path in texts:
        name = "<stdin>" if path == "-" else path
        with opened(path) as stream:
            if conllu or format == "conllu" or (format is None and _starts_conllu(stream)):
                text, rows = _of_conllu(loaded, stream.read(), name, pipeline, sense_key, skipped)
                if conllu:
                    output.data(text)
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
                pairs = [(key, one.sense), (f"{key}Prob", f"{one.probability:.4f}")]
                more = [(key + END, last.fields[0])] if first is not last else []
                found[first.line] = [*pairs, *more]
        before += len(words)
    return with_senses(source, written, found).encode(), rows


def _starts_json(stream: IO[bytes]) -> bool:
    from wsdlist.readers.sources import BOMS

    head: bytes = stream.peek(256)[:256]  # type: ignore[attr-defined]
    encoding = next((name for mark, name in BOMS if head.startswith(mark)), "utf-8")
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

    from wsdlist.corpus import Instance, Text
    from wsdlist.errors import InputError
    from wsdlist.readers import jsonl
    from wsdlist.readers.plain import lines
    from wsdlist.tokens import annotate

    named = pipeline or model.meta["pipeline"]

    def items() -> Iterator[tuple[dict[str, Any], Instance | Text, int]]:
        for number, line in enumerate(lines(stream, name, repairs), start=1):
            if not line.strip(" \t\r\n"):
                continue
            place = f"{name}:{number}"
            try:
                record = jsonl.parse(line, place)
                item = jsonl.to_tag(record, place)
                lacking = [] if named else [n for n in model.needs if getattr(item, n) is None]
                if lacking:
                    raise InputError(
                        f"the record has no {' and '.join(lacking)}, which the model asks for",
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
                answered["reason"] = "" if answer.sense is not None else answer.reason
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
    class_name: options.ClassName = None,
    column: options.Column = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    json: options.Json = False,
) -> None:
    """Say why a word gets its sense: the rule, its counts and arithmetic, what came next.

    Every trained word of the sentence is explained, or one instance of the corpus.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.model import load

    if (text is None) == (instance is None):
        raise ParameterError(
            "explain takes a sentence, or an instance of a corpus",
            "give one of them: a sentence, or --instance with --corpus",
        )
    if instance is not None and not corpus:
        raise ParameterError(f"where is the instance {instance!r}?", "name its --corpus")
    loaded = load(model)
    parts = None
    if corpus:
        reading = options.Reading(format, "stop", tuple(key), class_name, tuple(column), sense_key)
        parts = corpus_of(loaded, corpus, reading, pipeline)
    training = parts.train if parts else None
    left_alone: list[Occurrence] = []
    if parts is not None and instance is not None:
        found = [i for part in (parts.train, parts.test or ()) for i in part if i.id == instance]
        if not found:
            example = next(iter(parts.train)).id
            raise ParameterError(
                f"the corpus has no instance {instance!r}", f"name one like {example!r}"
            )
    else:
        sentence = _stdin() if text == "-" else str(text)
        occurrences = loaded.find(sentence, pipeline=pipeline)
        found = [one.instance for one in occurrences if one.instance is not None]
        left_alone = [one for one in occurrences if one.instance is None]
    for number, one in enumerate(found):
        explanation = loaded.explain(one, training)
        if json:
            output.jsonl([explanation.to_record()])
            continue
        if number:
            print()
        output.lines(explanation.lines())
    for other in left_alone:
        output.note(f"{other.text} is left alone: {other.reason}")
    if not found and not left_alone:
        output.note("no word of the text was trained")


def _stdin() -> str:
    from wsdlist.readers.plain import lines, opened

    with opened("-") as stream:
        return "".join(lines(stream, "<stdin>", Counter()))


def corpus_of(
    model: Model,
    paths: list[str],
    reading: options.Reading,
    pipeline: str | None = None,
) -> Parts:
    """Read a corpus as the model was trained on it."""
    from dataclasses import replace

    from wsdlist.cli import output
    from wsdlist.training import prepare_for, read_texts

    features = model.features
    named = pipeline or model.meta["pipeline"]
    if model.confusion is not None:
        parts, _ = read_texts(
            paths, model.confusion, features, pipeline=named, by_line=model.by_line
        )
    else:
        target = reading.class_name or model.meta.get("class")
        parts = replace(reading, class_name=target).parts(paths)
    output.about(parts)
    for part in (parts.train, parts.test):
        if part is not None:
            prepare_for(features, part, named, " ".join(paths))
    return parts


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
    from wsdlist.readers.sources import is_compressed

    if output_format not in SHOW:
        raise ParameterError(f"output is {output_format!r}", f"say one of {', '.join(SHOW)}")
    if write and not fix:
        raise ParameterError("--write writes what --fix corrects", "say both")
    if fix and output_format != "text":
        raise ParameterError("--fix shows a diff", "leave --output out")
    loaded = load(model)
    check_model(loaded, min_prob)
    for path in texts if fix else ():
        if path == "-" or is_compressed(path):
            raise ParameterError(
                f"{path} cannot be corrected in place", "unpack it, or leave --fix out"
            )
    count = 0
    if fix:
        made = [corrected(loaded, path, min_prob=min_prob, pipeline=pipeline) for path in texts]
        changed = [one for one in made if one.before != one.after]
        count = len(changed)
        for one in changed if write else ():  # before anything is shown, which may fail
            Path(one.name).write_bytes(one.data)
        for one in changed:
            output.lines(plain_line(line) for line in one.diff())
        if count:
            done = "corrected" if write else "to correct (write them with --write)"
            output.note(f"{count} of {len(made)} files {done}")
    else:
        repairs: Counter[str] = Counter()
        for path in texts:
            name = "<stdin>" if path == "-" else path
            with opened(path) as stream:
                text = blocks(stream, name, repairs, by_line=loaded.by_line)
                for found in suspicions(loaded, text, min_prob=min_prob, pipeline=pipeline):
                    count += 1
                    print(SHOW[output_format](found))
        for kind, times in sorted(repairs.items()):
            output.note(f"{times} {kind}")
    if count:
        raise typer.Exit(1)


def _as_text(found: Suspicion) -> str:
    why = "" if found.question is None else "; by default"
    if found.rule is not None:
        why = f"; rule {found.rule}: {found.question}"
    place = f"{found.file}:{found.line}:{found.column}"
    return plain_line(f"{place}: {found.word} -> {found.suggestion} ({found.probability:.3f}{why})")


def _as_json(found: Suspicion) -> str:
    import json

    return json.dumps(found.to_record(), ensure_ascii=False)


def _as_github(found: Suspicion) -> str:
    def escaped(text: str, more: str = "") -> str:
        for character in ("%", "\r", "\n", *more):
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    why = "" if found.question is None else f"; {found.question}"
    message = f"{found.word}: {found.suggestion}? ({found.probability:.3f}{why})"
    place = f"file={escaped(found.file, ':,')},line={found.line},col={found.column}"
    return f"::warning {place}::{escaped(message)}"


def plain_line(text: str) -> str:
    """Return a line that cannot move the cursor of a terminal."""
    from wsdlist.errors import plain

    return plain(text)


SHOW = {"text": _as_text, "json": _as_json, "github": _as_github}
COMMANDS = (tag, explain, proof)
