"""JSONL: an instance per line, as tokens or as text with offsets in code points."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from wsdlist.data.corpus import Corpus, Instance, Span, Text
from wsdlist.data.tokens import sentence_starts, split_at, text_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import PLAIN, SURROGATE, Options, Source, has_surrogate
from wsdlist.readers.words import only_words

NAME = "jsonl"
DESCRIPTION = (
    'one JSON object a line: {"id", "lexelt", "tokens", "target": index or [start, end), "senses"} '
    'or {"id", "lexelt", "text", "target": [start, end) in code points, "senses"}'
)


def sniff(text: str) -> bool:
    """Say whether one of the first lines starts a JSON object, and none is markup."""
    lines = [line.lstrip() for line in text.lstrip().split("\n")[:20]]
    return any(line.startswith("{") for line in lines) and not lines[0].startswith(("<", "@", "%"))


def read(source: Source, fail: Fail) -> Corpus:
    """Read JSONL; see :func:`wsdlist.readers.read`.

    The id of a record without one consists of the name of the file and the line. A record may also
    have the name of a ``document``. A record with ``tokens`` may have ``tags`` and ``lemmas`` (one
    for each token), ``satellites`` (token numbers), ``sentences`` (token numbers at which they
    start) and ``heads`` (``[start, end)`` of every marked occurrence, in tokens).
    """
    corpus = Corpus()
    corpus.repairs += source.repairs
    for number, line in source.lines():
        if not line.strip(" \t"):
            continue
        try:
            place = f"{source.name}:{number}"
            record = {"id": f"{source.stem.rsplit('.', 1)[0]}:{number}", **parse(line, place)}
            corpus.instances.append(instance(record, place))
        except InputError as error:
            fail(error)
    return corpus


def parse(line: str, place: str) -> dict[str, Any]:
    """Return the object of a line.

    Raises
    ------
    InputError
        When the line is no JSON object, or the object has a field twice or half a surrogate pair.
    """

    def wrong(what: str, advice: str) -> NoReturn:
        raise InputError(what, advice, where=place)

    try:
        record = json.loads(
            line, object_pairs_hook=_each_once, parse_constant=_no_number, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        wrong(f"this is not JSON: {error.msg} at column {error.colno}", "write one object a line")
    except KeyError as error:
        wrong(f"the field {error.args[0]!r} stands here twice", "take one out")
    except (RecursionError, ValueError):
        wrong(
            "this JSON is nested too deeply, or has a number that is none or too large",
            "write one flat object a line, null for what is not known",
        )
    if not isinstance(record, dict):
        wrong("the record is not an object", 'write {"id": ..., "lexelt": ...}')
    if SURROGATE.search(line) and has_surrogate(record):
        wrong("the record has half a surrogate pair", "write the character whole")
    return record


class _Fields:
    """The fields of a record, which are checked when they are asked for."""

    def __init__(self, record: dict[str, Any], place: str) -> None:
        self.record, self.place = record, place

    def wrong(self, what: str, advice: str) -> NoReturn:
        """Refuse the record."""
        raise InputError(what, advice, where=self.place)

    def strings(self, name: str, *, empty: bool = True) -> tuple[str, ...] | None:
        """Return a list of strings, None if there is none; ``empty`` ones may be refused."""
        value: Any = self.record.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.wrong(f"the field {name!r} is not a list of strings", f"write {name} as a list")
        if not empty and not all(value or [""]):
            self.wrong(f"the field {name!r} is or holds nothing", f"fill it, or leave {name!r} out")
        return tuple(value)

    def beside(self, name: str, length: int) -> tuple[str, ...] | None:
        """Return a list of strings, one for each token."""
        values = self.strings(name)
        if values is not None and len(values) != length:
            self.wrong(
                f"the field {name!r} has {len(values)} items for {length} tokens", "align it"
            )
        return values

    def numbers(self, name: str, length: int) -> tuple[int, ...]:
        """Return a list of token numbers, empty if there is none."""
        value: Any = self.record.get(name, [])
        if not isinstance(value, list) or not all(
            type(item) is int and 0 <= item < length for item in value
        ):
            self.wrong(f"the field {name!r} is not a list of token numbers", "count from 0")
        return tuple(value)

    def spans(self, forms: tuple[str, ...], text: str) -> tuple[Span, ...]:
        """Return ``(start, end)`` of each token in code points of the text."""
        value: Any = self.record.get("spans")
        if not isinstance(value, list) or len(value) != len(forms) or not all(map(_is_span, value)):
            self.wrong("the field 'spans' is not a [start, end) for each token", "align it")
        end = 0
        for (start, last), form in zip(value, forms, strict=True):
            if not end <= start < last <= len(text) or text[start:last] != form:
                self.wrong(
                    f"the span [{start}, {last}) of the text is not the token {form!r}",
                    "count code points from 0",
                )
            end = last
        return tuple((start, last) for start, last in value)

    def tokens_or_text(self, *, empty: bool) -> tuple[tuple[str, ...] | None, str | None]:
        """Return the tokens and the text, at least one of which is there."""
        forms, text = self.strings("tokens", empty=empty), self.record.get("text")
        if forms is not None and text is not None and self.record.get("spans") is None:
            self.wrong(
                "the record has both of the fields 'tokens' and 'text'",
                "give it one of them, or 'spans', where in the text each token stands",
            )
        if forms is None and text is None:
            self.wrong("the record has none of the fields 'tokens' and 'text'", "give it one")
        if text is not None and not isinstance(text, str):
            self.wrong("the field 'text' is not a string", "write the context as a string")
        if forms is not None:
            return forms, text
        for name in ("tags", "lemmas", "satellites", "sentences", "heads"):
            if self.record.get(name):
                self.wrong(
                    f"the field {name!r} counts tokens, but there is 'text'", "give 'tokens'"
                )
        return None, text


def to_tag(record: dict[str, Any], place: str) -> Instance | Text:
    """Return the instance of a record, which needs no id to be tagged, or its text.

    Raises
    ------
    InputError
        When a field is missing or not what it should be.
    """
    if is_instance(record):
        return instance(record, place)
    return document(record, place)


def is_instance(record: dict[str, Any]) -> bool:
    """Say whether a record marks a word; otherwise it is a text to find words in."""
    return "lexelt" in record or "target" in record


def document(record: dict[str, Any], place: str) -> Text:
    """Return the text of a record ``{"text"}`` or ``{"tokens", "tags", "lemmas"}``.

    The spans of its ``annotations`` ``[{"start", "end", ...}]`` are :attr:`Text.taken`. They count
    code points of the text, or tokens.

    Raises
    ------
    InputError
        When a field is not what it should be.
    """
    fields = _Fields(record, place)
    forms, written = fields.tokens_or_text(empty=True)
    if forms is None:
        text, size = text_of(written or ""), len(written or "")
    else:
        text, size = Text(forms, tuple((n, n + 1) for n in range(len(forms)))), len(forms)
        sentences = fields.numbers("sentences", size) or sentence_starts(forms)
        text = replace(text, sentences=sentences)
    given: Any = record.get("annotations") or []
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        fields.wrong("the field 'annotations' is not a list of objects", "leave it out")
    taken = []
    for item in given:
        span = [item.get("start"), item.get("end")]
        if not _is_span(span) or not 0 <= span[0] < span[1] <= size:
            fields.wrong(f"an annotation has the span {span}, which marks nothing", "mend it")
        taken.append((span[0], span[1]))
    return replace(
        text,
        tags=fields.beside("tags", size) if forms is not None else None,
        lemmas=fields.beside("lemmas", size) if forms is not None else None,
        taken=tuple(taken),
    )


def instance(record: dict[str, Any], place: str) -> Instance:
    """Return the instance of a record, see :func:`read`.

    Raises
    ------
    InputError
        When a field is missing or not what it should be.
    """
    fields = _Fields(record, place)
    wrong = fields.wrong
    record = {"id": place, **record}
    for name in ("id", "lexelt"):
        if not isinstance(record.get(name), str) or not record[name]:
            wrong(f"the field {name!r} is missing or not a string", f"give the record its {name}")
    forms, text = fields.tokens_or_text(empty=False)
    heads: list[Span] = []
    found: tuple[Span, ...] | None = None
    if forms is not None:
        found = None if text is None else fields.spans(forms, text)
        target = _token_target(record.get("target"), len(forms), wrong)
        spans = record.get("heads") or [list(target)]
        heads += [_token_target(span, len(forms), wrong, "heads") for span in spans]
    else:
        assert text is not None
        found, target = _split(text, record, wrong)
        forms = tuple(text[slice(*span)] for span in found)
        heads = [target]
    name_of_text = record.get("document")
    if name_of_text is not None and not isinstance(name_of_text, str):
        wrong("the field 'document' is not a string", "write a name")
    return Instance(
        id=record["id"],
        lexelt=record["lexelt"],
        forms=forms,
        target=target,
        senses=tuple(dict.fromkeys(fields.strings("senses", empty=False) or ())),
        tags=fields.beside("tags", len(forms)),
        lemmas=fields.beside("lemmas", len(forms)),
        heads=tuple(heads),
        satellites=fields.numbers("satellites", len(forms)),
        sentences=fields.numbers("sentences", len(forms)) or sentence_starts(forms),
        document=name_of_text,
        place=place,
        text=text,
        spans=found,
    )


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object for the parser; raises KeyError when a field is there twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise KeyError(next(name for name in names if names.count(name) > 1))
    return record


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


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
) -> tuple[tuple[Span, ...], Span]:
    value: Any = record.get("target")
    if not _is_span(value):
        wrong("the field 'target' is not [start, end) in code points", "count from 0")
    start, end = value
    if not (0 <= start < end <= len(text) and text[start:end].strip()):
        wrong(
            f"the field 'target' marks no word in the text of {len(text)} code points",
            "say where the target starts and ends",
        )
    spans, (target,) = split_at(text, [(start, end)])
    if target[0] == target[1]:
        wrong("the field 'target' marks no token", "say where the target starts and ends")
    return spans, target


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return instances as JSONL, as texts if :func:`read` would read them as they are."""
    return {"": "".join(map(_line, only_words(corpus)))}


def _line(i: Instance) -> str:
    plain = (
        i.text is not None
        and i.tags is i.lemmas is None
        and not (i.heads[1:] or i.satellites)
        and i.sentences == sentence_starts(i.forms)
        and i.characters is not None
        and split_at(i.text, [i.characters]) == (i.spans, [i.target])
    )
    context: dict[str, Any] = {"text": i.text, "target": i.characters}
    if not plain:
        layers = {"tags": i.tags, "lemmas": i.lemmas, "text": i.text, "spans": i.spans}
        given = {name: value for name, value in layers.items() if value is not None}
        context = {"tokens": i.forms, "target": i.target, "sentences": i.sentences, **given}
        context |= {"heads": i.heads} if i.heads[1:] else {}
        context |= {"satellites": i.satellites} if i.satellites else {}
    record = {"id": i.id, "lexelt": i.lexelt, **context}
    record |= {"senses": i.senses} if i.senses else {}
    record |= {} if i.document is None else {"document": i.document}
    return json.dumps(record, ensure_ascii=False) + "\n"
