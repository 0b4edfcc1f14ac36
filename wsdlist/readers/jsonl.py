"""JSONL: one instance a line, as tokens or as text with code-point offsets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from wsdlist.corpus import Corpus, Instance, Span
from wsdlist.errors import InputError
from wsdlist.readers.sources import Source
from wsdlist.tokens import sentence_starts, token_spans

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
NAME = "jsonl"
DESCRIPTION = (
    'one JSON object a line: {"id", "lexelt", "tokens", "target": index or [start, end), "senses"} '
    'or {"id", "lexelt", "text", "target": [start, end) in code points, "senses"}'
)


def sniff(text: str) -> bool:
    """Say whether one of the first lines starts a JSON object, and none is markup."""
    lines = [line.lstrip() for line in text.lstrip().split("\n")[:20]]
    return any(line.startswith("{") for line in lines) and not lines[0].startswith(("<", "@", "%"))


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read JSONL; see :func:`wsdlist.readers.read`.

    Beside the fields above a record may hold ``document``, and beside ``tokens`` also ``tags`` and
    ``lemmas`` (as long as these), ``satellites`` (token numbers), ``sentences`` (token numbers at
    which they start) and ``heads`` (``[start, end)`` of every marked occurrence).
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
        record = json.loads(line, object_pairs_hook=_each_once)
    except json.JSONDecodeError as error:
        wrong(f"this is not JSON: {error.msg} at column {error.colno}", "write one object a line")
    except KeyError as error:
        wrong(f"the field {error.args[0]!r} stands here twice", "take one out")
    except (RecursionError, ValueError):
        wrong("this JSON is nested too deeply or has a huge number", "write one flat object a line")
    if not isinstance(record, dict):
        wrong("the record is not an object", 'write {"id": ..., "lexelt": ...}')
    if SURROGATE.search(line) and any(map(_has_surrogate, record.values())):
        wrong("the record has half a surrogate pair", "write the character whole")

    def strings(name: str, *, empty: bool = True) -> tuple[str, ...] | None:
        value: Any = record.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            wrong(f"the field {name!r} is not a list of strings", f"write {name} as a list")
        if not empty and not all(value or [""]):
            wrong(f"the field {name!r} is or holds nothing", f"fill it, or leave {name!r} out")
        return tuple(value)

    def numbers(name: str, length: int) -> tuple[int, ...]:
        value: Any = record.get(name, [])
        if not isinstance(value, list) or not all(
            type(item) is int and 0 <= item < length for item in value
        ):
            wrong(f"the field {name!r} is not a list of token numbers", "count from 0")
        return tuple(value)

    for name in ("id", "lexelt"):
        if not isinstance(record.get(name), str) or not record[name]:
            wrong(f"the field {name!r} is missing or not a string", f"give the record its {name}")
    forms = strings("tokens", empty=False)
    text = record.get("text")
    if (forms is None) == (text is None):
        has = "both of the fields" if forms is not None else "none of the fields"
        wrong(f"the record has {has} 'tokens' and 'text'", "give it one of them")
    heads: list[Span] = []
    if forms is not None:
        target = _token_target(record.get("target"), len(forms), wrong)
        spans = record.get("heads") or [list(target)]
        heads += [_token_target(span, len(forms), wrong, "heads") for span in spans]
    else:
        if not isinstance(text, str):
            wrong("the field 'text' is not a string", "write the context as a string")
        for name in ("tags", "lemmas", "satellites", "sentences", "heads"):
            if record.get(name):
                wrong(f"the field {name!r} counts tokens, but there is 'text'", "give 'tokens'")
        forms, target = _split(text, record, wrong)
        heads = [target]
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
        heads=tuple(heads),
        satellites=numbers("satellites", len(forms)),
        sentences=numbers("sentences", len(forms)) or sentence_starts(forms),
        document=document,
        place=place,
    )


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise KeyError(next(name for name in names if names.count(name) > 1))
    return made


def _has_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _token_target(
    value: Any, length: int, wrong: Callable[[str, str], NoReturn], name: str = "target"
) -> Span:
    if type(value) is int:
        value = [value, value + 1]
    if not _is_span(value):
        wrong(f"the field {name!r} is neither a token number nor [start, end)", "count from 0")
    start, end = value
    if start == end:
        wrong(f"the field {name!r} marks no token", "end it behind its last token")
    if not 0 <= start < end <= length:
        wrong(f"the field {name!r} points outside the {length} tokens", f"say 0 to {length - 1}")
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
                **({"heads": i.heads} if i.heads[1:] else {}),
                **({"satellites": i.satellites} if i.satellites else {}),
                "sentences": i.sentences,
                **({"document": i.document} if i.document is not None else {}),
            },
            ensure_ascii=False,
        )
        + "\n"
        for i in instances
    )
