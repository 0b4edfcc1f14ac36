"""Files tagged by a model: text, JSONL records, CoNLL-U; what was found in them as rows.

A row is a dict: ``file``, ``line``, ``column``, then what a :class:`wsdlist.models.tagging.Tag`
has. Lines and columns count from 1. What ``start`` and ``end`` count, each function says.
Streams are those of :func:`wsdlist.readers.plain.opened`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, TypeAlias

from wsdlist.data.corpus import Instance, Text
from wsdlist.data.tokens import annotate
from wsdlist.errors import Fail, InputError, stop
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.models.tagging import Tag
from wsdlist.readers import conllu, csv_table, jsonl
from wsdlist.readers.decoding import byte_order_mark
from wsdlist.readers.formats import sniff
from wsdlist.readers.plain import Block, blocks, lines
from wsdlist.readers.sources import Options, Source

BATCH = 512  # records that are tagged together
HEAD = 1 << 13  # bytes that tell a format
Record: TypeAlias = dict[str, Any]


def format_of(stream: IO[bytes], name: str = "<stream>") -> str:
    """Tell from its first bytes, which stay in the stream, what a file to tag is.

    A table whose header names no context may as well be text with commas, and is taken for text;
    so is what begins with a brace and no key.

    Returns
    -------
    str
        One of ``text``, ``jsonl`` and ``conllu``.

    Raises
    ------
    InputError
        When it looks like another format, which is no text: a spreadsheet, XML, a table of Weka.
    """
    head: bytes = stream.peek(HEAD)[:HEAD]  # type: ignore[attr-defined]
    _, encoding = byte_order_mark(head)
    text = head.decode(encoding, "replace").lstrip("\ufeff").replace("\r", "")
    if conllu.sniff(text):
        return "conllu"
    start = text.lstrip()
    if start[:1] == "{" and start[1:].lstrip()[:1] in ('"', "}"):
        return "jsonl"
    known = sniff(Source(name, text))
    if known is not None and known.name not in (csv_table.NAME, jsonl.NAME):
        raise InputError(
            f"looks like {known.name} ({known.description}), and tag reads text, JSONL and CoNLL-U",
            "convert it, or say --format text",
            where=name,
        )
    return "text"


def tag_text(
    model: Model,
    stream: IO[bytes],
    name: str,
    *,
    pipeline: str | None = None,
    by_line: bool = False,
    repairs: Counter[str] | None = None,
) -> Iterator[list[Record]]:
    """Yield the rows of each paragraph of a text, or of each line; never holds the whole text.

    Parameters
    ----------
    model
        It tells the senses.
    stream, name
        The text, and what it is called.
    pipeline
        See :meth:`Model.tag_many`.
    by_line
        Whether each line is a context of its own; else blank lines end paragraphs.
    repairs
        What had to be mended is counted here.

    Returns
    -------
    iterator
        ``start`` and ``end`` count the code points of the file from 0.
    """
    waiting: deque[Block] = deque()  # until their tags come

    def texts() -> Iterator[str]:
        mended = Counter() if repairs is None else repairs
        for block in blocks(stream, name, mended, by_line=by_line):
            waiting.append(block)
            yield block.text

    for tags in model.tag_many(texts(), pipeline=pipeline):
        block = waiting.popleft()
        yield [_row(tag, name, *block.place(tag.start), block.start) for tag in tags]


def tag_conllu(
    model: Model,
    data: bytes,
    name: str,
    *,
    pipeline: str | None = None,
    sense_key: str = "Sense",
    fail: Fail = stop,
) -> tuple[bytes, list[Record]]:
    """Return a CoNLL-U file with the senses that were found in its MISC, and them as rows.

    Parameters
    ----------
    model
        It tells the senses.
    data, name
        The file, and what it is called.
    pipeline
        See :meth:`Model.tag_many`.
    sense_key
        The key of the sense; the probability has this key followed by ``Prob``.
    fail
        Called with the error of a sentence that cannot be read.

    Returns
    -------
    tuple
        The file, in which all else stays as it is, and rows, whose ``start`` and ``end`` count the
        words of the file from 0.

    Raises
    ------
    InputError
        When the file is not UTF-8, or MISC cannot hold a sense.
    """
    try:
        written = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8: byte {error.start}", "save it as UTF-8", where=name
        ) from None
    text = written.removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(name, text, options=Options(sense_key=sense_key))
    documents = list(conllu.to_tag(source, fail))
    senses: dict[int, list[tuple[str, str]]] = {}
    rows: list[Record] = []
    before = 0
    tagged = model.tag_many([text for text, _ in documents], pipeline=pipeline)
    for (_, words), tags in zip(documents, tagged, strict=True):
        for tag in tags:
            first, last = words[tag.start], words[tag.end - 1]
            rows.append(_row(tag, name, first.line, 1, before))
            if tag.sense is not None:
                end = [] if first is last else [(sense_key + conllu.END, last.fields[0])]
                senses[first.line] = [*_pairs(tag, sense_key), *end]
        before += len(words)
    return conllu.with_senses(source, written, senses).encode(), rows


def _pairs(tag: Tag, sense_key: str) -> list[tuple[str, str]]:
    """Return what MISC says of a tag that has a sense."""
    pairs = [(sense_key, str(tag.sense))]
    if tag.probability is not None:  # as back-off has none
        pairs.append((f"{sense_key}Prob", f"{tag.probability:.4f}"))
    return pairs


def _row(tag: Tag, name: str, line: int, column: int, before: int) -> Record:
    """Return a tag as a row, counted from the start of the file."""
    place = {"file": name, "line": line, "column": column}
    return {**place, **tag.to_record(), "start": before + tag.start, "end": before + tag.end}


@dataclass(frozen=True)
class _Entry:
    """A record, what it is, and its line."""

    record: Record
    item: Instance | Text
    line: int

    @property
    def given(self) -> str | None:
        """The sense that the record has already."""
        sense = self.record.get("sense")
        if isinstance(self.item, Text):
            return None
        if self.item.senses:
            return sense or self.item.senses[0]
        return sense if isinstance(sense, str) else None


def tag_records(
    model: Model,
    stream: IO[bytes],
    name: str,
    *,
    pipeline: str | None = None,
    repairs: Counter[str] | None = None,
    fail: Fail = stop,
) -> Iterator[tuple[Record, list[Record]]]:
    """Yield each JSONL record with what was found in it, and that as rows.

    A record is a text or tokens, whose ``annotations`` are added to, or an instance with lexelt
    and target, which gets a ``sense``. What is tagged already stays.

    Parameters
    ----------
    model
        It tells the senses.
    stream, name
        The records, one a line, and what the file is called.
    pipeline
        See :meth:`Model.tag_many`.
    repairs
        What had to be mended is counted here.
    fail
        Called with the error of a record that cannot be read.

    Returns
    -------
    iterator
        ``start`` and ``end`` count what the record does: code points or tokens. There is no
        column.
    """
    entries = _entries(
        model, stream, name, pipeline, Counter() if repairs is None else repairs, fail
    )
    while batch := list(islice(entries, BATCH)):
        yield from _tag_batch(model, batch, name, pipeline)


def _entries(
    model: Model,
    stream: IO[bytes],
    name: str,
    pipeline: str | None,
    repairs: Counter[str],
    fail: Fail,
) -> Iterator[_Entry]:
    """Yield the records that can be tagged."""
    annotated = bool(pipeline or model.meta.pipeline)
    for number, line in enumerate(lines(stream, name, repairs), start=1):
        if not line.strip(" \t\r\n"):
            continue
        place = f"{name}:{number}"
        try:
            record = jsonl.parse(line, place)
            item = jsonl.to_tag(record, place)
            if not annotated:
                _check_layers(model, item, place)
        except InputError as error:
            fail(error)
        else:
            yield _Entry(record, item, number)


def _check_layers(model: Model, item: Instance | Text, place: str) -> None:
    """Refuse a record that lacks tags or lemmas which the model or its back-off asks for."""
    needs = model.needs
    if model.back_off is not None and isinstance(item, Text):
        needs = ("lemmas", "tags")
    lacking = [layer for layer in needs if getattr(item, layer) is None]
    if lacking:
        asks = "the model" if set(lacking) <= {*model.needs} else "back-off"
        raise InputError(
            f"the record has no {' and '.join(lacking)}, which {asks} asks for",
            "name a spaCy pipeline with --pipeline",
            where=place,
        )


def _tag_batch(
    model: Model, batch: list[_Entry], name: str, pipeline: str | None
) -> Iterator[tuple[Record, list[Record]]]:
    """Yield records with what was found; those of a batch are tagged together."""
    named = pipeline or model.meta.pipeline
    instances = [
        entry.item for entry in batch if isinstance(entry.item, Instance) and entry.given is None
    ]
    if named is not None:
        instances = list(annotate(instances, named))
    answers = iter(model.answer(instances))
    texts = (entry.item for entry in batch if isinstance(entry.item, Text))
    tags = model.tag_many(texts, pipeline=pipeline)
    for entry in batch:
        record, item = entry.record, entry.item
        place = {"file": name, "line": entry.line, "column": None}
        if isinstance(item, Text):
            found = [tag.to_record() for tag in next(tags)]
            annotations = [*(record.get("annotations") or []), *found]
            yield {**record, "annotations": annotations}, [{**place, **tag} for tag in found]
            continue
        if entry.given is None:
            answered = _answered(next(answers))
        else:
            answered = {"sense": entry.given, "probability": None, "rule": None, "reason": "given"}
            answered |= {name: record[name] for name in answered if name in record}
        start, end = record["target"] if isinstance(record["target"], list) else item.target
        about = {"start": start, "end": end, "text": item.target_form, "lexelt": item.lexelt}
        yield {**record, **answered}, [{**place, **about, **answered}]


def _answered(answer: Answer) -> Record:
    """Return what a record gets of an answer; its reason where there is no more to it."""
    answered = {name: getattr(answer, name) for name in ("sense", "probability", "rule")}
    said = answer.sense is None or answer.backed_off
    return {**answered, "reason": answer.reason if said else ""}
