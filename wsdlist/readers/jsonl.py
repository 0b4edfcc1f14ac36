"""JSONL: one instance a line, as tokens or as text with code-point offsets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from wsdlist.corpus import Corpus, Instance, Span
from wsdlist.errors import InputError
from wsdlist.readers.sources import Source
from wsdlist.tokens import sentence_starts, token_spans

NAME = "jsonl"
DESCRIPTION = (
    'one JSON object a line: {"id", "lexelt", "tokens", "target": index or [start, end), "senses"} '
    'or {"id", "lexelt", "text", "target": [start, end) in code points, "senses"}'
)


def sniff(text: str) -> bool:
    """Say whether the first line that is not blank starts a JSON object."""
    return text.lstrip().startswith("{")


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read JSONL; see :func:`wsdlist.readers.read`.

    Beside the fields above a record may hold ``tags``, ``lemmas`` (each as long as ``tokens``),
    ``satellites`` (token numbers) and ``document``.
    """
    corpus = Corpus()
    corpus.repairs += source.repairs
    for number, line in source.lines():
        if not line.strip(" \t"):
            continue
        try:
            corpus.instances.append(_instance(line, f"{source.name}:{number}"))
        except InputError as error:
            fail(error)
    return corpus


def _instance(line: str, place: str) -> Instance:
    def wrong(what: str, advice: str) -> NoReturn:
        raise InputError(what, advice, where=place)

    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        wrong(f"this is not JSON: {error.msg} at column {error.colno}", "write one object a line")
    except RecursionError:
        wrong("this JSON is nested too deeply", "write one flat object a line")
    if not isinstance(record, dict):
        wrong("the record is not an object", 'write {"id": ..., "lexelt": ...}')

    def strings(name: str, *, empty: bool = True) -> tuple[str, ...] | None:
        value: Any = record.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            wrong(f"the field {name!r} is not a list of strings", f"write {name} as a list")
        if not empty and not value:
            wrong(f"the field {name!r} is empty", f"give it an item, or leave {name!r} out")
        return tuple(value)

    for name in ("id", "lexelt"):
        if not isinstance(record.get(name), str) or not record[name]:
            wrong(f"the field {name!r} is missing or not a string", f"give the record its {name}")
    forms = strings("tokens", empty=False)
    text = record.get("text")
    if (forms is None) == (text is None):
        wrong("the record needs one of the fields 'tokens' and 'text'", "give it one of them")
    satellites: Any = record.get("satellites", [])
    if forms is not None:
        target = _token_target(record, len(forms), wrong)
        if not isinstance(satellites, list) or not all(
            type(item) is int and 0 <= item < len(forms) for item in satellites
        ):
            wrong("the field 'satellites' is not a list of token numbers", "count from 0")
    else:
        if not isinstance(text, str):
            wrong("the field 'text' is not a string", "write the context as a string")
        forms, target = _split(text, record, wrong)
    parallel = {name: strings(name) for name in ("tags", "lemmas")}
    for name, values in parallel.items():
        if values is not None and len(values) != len(forms):
            wrong(f"the field {name!r} has {len(values)} items for {len(forms)} tokens", "align it")
    document = record.get("document")
    if document is not None and not isinstance(document, str):
        wrong("the field 'document' is not a string", "write a name")
    return Instance(
        id=record["id"],
        lexelt=record["lexelt"],
        forms=forms,
        target=target,
        senses=tuple(dict.fromkeys(strings("senses", empty=False) or ())),
        tags=parallel["tags"],
        lemmas=parallel["lemmas"],
        heads=(target,),
        satellites=tuple(satellites),
        sentences=sentence_starts(forms),
        document=document,
        place=place,
    )


def _token_target(
    record: dict[str, Any], length: int, wrong: Callable[[str, str], NoReturn]
) -> Span:
    value: Any = record.get("target")
    if type(value) is int:
        value = [value, value + 1]
    if not _is_span(value):
        wrong("the field 'target' is neither a token number nor [start, end)", "count from 0")
    start, end = value
    if not 0 <= start < end <= length:
        wrong(f"the field 'target' points outside the {length} tokens", f"say 0 to {length - 1}")
    return start, end


def _is_span(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(item) is int for item in value)


def _split(
    text: str, record: dict[str, Any], wrong: Callable[[str, str], NoReturn]
) -> tuple[tuple[str, ...], Span]:
    value: Any = record.get("target")
    if not _is_span(value):
        wrong("the field 'target' is not [start, end) in code points", "count from 0")
    start, end = value
    if not (0 <= start < end <= len(text) and text[start:end].strip()):
        wrong(
            f"the field 'target' marks no word in the text of {len(text)} code points",
            "say where the target starts and ends",
        )
    before, inside, after = (
        [part[slice(*span)] for span in token_spans(part)]
        for part in (text[:start], text[start:end], text[end:])
    )
    if not inside:
        wrong("the field 'target' marks no token", "say where the target starts and ends")
    return (*before, *inside, *after), (len(before), len(before) + len(inside))


def write(instances: Iterable[Instance]) -> str:
    """Return instances as JSONL with tokens, as :func:`read` takes it."""
    return "".join(
        json.dumps(
            {
                "id": i.id,
                "lexelt": i.lexelt,
                "tokens": i.forms,
                "target": list(i.target),
                **({"senses": i.senses} if i.senses else {}),
                **({"tags": i.tags} if i.tags is not None else {}),
                **({"lemmas": i.lemmas} if i.lemmas is not None else {}),
                **({"satellites": i.satellites} if i.satellites else {}),
                **({"document": i.document} if i.document is not None else {}),
            },
            ensure_ascii=False,
        )
        + "\n"
        for i in instances
    )
