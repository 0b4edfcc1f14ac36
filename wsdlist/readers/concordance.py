"""Concordance lines of a spreadsheet: CSV, or TSV in which quotes mean nothing, with a header.

The name of a column says what it holds, unless ``--column NAME=KIND`` says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.names import canonical
from wsdlist.data.numbers import whole
from wsdlist.data.tokens import normal, sentence_starts, token_spans
from wsdlist.errors import Fail, InputError
from wsdlist.readers.csv_table import column_names, records, separator
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import cannot, in_text, only_words

NAME = "concordance"
DESCRIPTION = (
    "CSV or TSV with a context a line: text with start and end, tokens with start and end, or "
    "left, target, right; also id, lexelt, sense, document"
)
KINDS = (
    *("id", "lexelt", "sense", "document", "text", "tokens"),
    *("left", "target", "right", "start", "end"),
)
NAMES = {"keyword": "target", "kwic": "target", "node": "target", "label": "sense"}
CONTEXTS = ({"text", "start", "end"}, {"tokens", "start"}, {"left", "right", "target"})


def sniff(text: str) -> bool:
    """Say whether the header names all the columns that a context needs."""
    header = text.partition("\n")[0]
    names = [canonical(name.strip('"')) for name in header.split(separator(header))]
    kinds = set(kinds_of(names, {}).values())
    return any(needed <= kinds for needed in (*CONTEXTS, {"text", "target"}))


def is_meant(columns: Mapping[str, str]) -> bool:
    """Say whether the caller says of some column that it is a part of a context."""
    return bool(set(columns.values()) & set(KINDS))


def kinds_of(names: list[str], columns: Mapping[str, str]) -> dict[int, str]:
    """Return what each column holds, by its number; columns of no known kind are left out.

    Parameters
    ----------
    names
        The names of the columns.
    columns
        What the caller says that some of them hold, one of :data:`KINDS`.
    """
    kinds: dict[int, str] = {}
    for number, name in enumerate(names):
        plain = name.strip().lower()
        kind = columns.get(name, NAMES.get(plain, plain))
        if kind in KINDS and (name in columns or kind not in columns.values()):
            kinds[number] = kind
    return kinds


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    Every value is text: ``null``, ``NA`` and ``?`` are words. ``start`` and ``end`` count code
    points of ``text`` or tokens of ``tokens``, from 0, ``end`` exclusive. Without them ``target``
    must occur once in the text. If there is no column ``lexelt``, the name of the file is the
    lexelt; if there is no column ``id``, ids consist of that name and the line.

    Raises
    ------
    InputError
        When the header cannot be read; ``fail`` gets the errors of rows.
    """
    (_, header), *rows = records(source, fail) or [(1, [])]
    names = column_names(header, source)
    corpus = Corpus(repairs=source.repairs.copy())
    columns = source.options.columns
    for name in columns:
        if name not in names:
            raise InputError(
                f"there is no column {name!r}", f"say one of {', '.join(names)}", where=source.name
            )
    kinds = kinds_of(names, columns)
    if len(set(kinds.values())) < len(kinds):
        twice = next(k for k in kinds.values() if list(kinds.values()).count(k) > 1)
        raise InputError(
            f"two columns are the {twice}", "say --column NAME=skip of one", where=source.name
        )
    unused = [name for number, name in enumerate(names) if number not in kinds]
    if unused:
        corpus.repairs[f"columns left out: {', '.join(unused)}"] += len(unused)
    name = source.stem.rsplit(".", 1)[0]
    for line, values in rows:
        place = f"{source.name}:{line}"
        if len(values) != len(names):
            what = f"the row has {len(values)} values for {len(names)} columns"
            fail(InputError(what, "give each column a value", where=place))
            continue
        given = {kind: values[number] for number, kind in kinds.items()}
        try:
            corpus.instances.append(_instance(given, name, line, place))
        except InputError as error:
            fail(error)
    return corpus


def _instance(given: dict[str, str], name: str, line: int, place: str) -> Instance:
    label = given.get("sense", "")
    senses = (label,) if label else ()
    id_, lexelt = given.get("id") or f"{name}:{line}", given.get("lexelt") or name
    document = given.get("document") or None
    if "tokens" in given:
        forms = tuple(given["tokens"].split(" "))
        start = _number(given, "start", place)
        end = _number(given, "end", place) if given.get("end") else start + 1
        if not 0 <= start < end <= len(forms) or not all(forms):
            raise InputError(
                f"the target from {start} to {end} is none of the {len(forms)} tokens",
                "part tokens by single spaces, and count them from 0",
                where=place,
            )
        return Instance(
            *(id_, lexelt, forms, (start, end), senses),
            heads=((start, end),),
            sentences=sentence_starts(forms),
            document=document,
            place=place,
        )
    text, start, end = _context(given, place)
    instance = in_text(text, [(start, end)], name=id_, lexelt=lexelt, senses=senses, place=place)
    return replace(instance, document=document)


def _context(given: dict[str, str], place: str) -> tuple[str, int, int]:
    """Return the text of a context, and start and end of the target in its code points."""
    if "text" in given and given.get("start") and given.get("end"):
        return given["text"], _number(given, "start", place), _number(given, "end", place)
    target = given.get("target", "")
    if not target.strip():
        raise InputError("the row has no target", "give it one", where=place)
    if "text" in given:
        found = _occurrences(given["text"], target.strip())
        if len(found) != 1:
            raise InputError(
                f"{target.strip()!r} stands {len(found)} times in the text",
                "give start and end, in characters from 0",
                where=place,
            )
        return given["text"], *found[0]
    left, right = given.get("left", ""), given.get("right", "")
    if left[-1:].isalnum() and target[:1].isalnum():
        left += " "
    if right[:1].isalnum() and target[-1:].isalnum():
        right = " " + right
    start = len(left) + len(target) - len(target.lstrip())
    return left + target + right, start, start + len(target.strip())


def _occurrences(text: str, target: str) -> list[tuple[int, int]]:
    """Return start and end of each occurrence of the words of a target in a text."""
    spans = token_spans(text)
    words = [normal(text[slice(*span)]) for span in spans]
    wanted = [normal(target[slice(*span)]) for span in token_spans(target)]
    size = len(wanted)
    return [
        (spans[n][0], spans[n + size - 1][1])
        for n in range(len(words) - size + 1)
        if size and words[n : n + size] == wanted
    ]


def _number(given: dict[str, str], name: str, place: str) -> int:
    value = given.get(name, "").strip()
    number = whole(value)
    if number is None:
        raise InputError(f"{name} is {value!r}", "say a whole number, counted from 0", where=place)
    return number


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return instances as TSV: their texts if all have one, else their tokens.

    Raises
    ------
    InputError
        When an instance has several senses, or a tab or line end in a field.
    """
    instances = only_words(corpus)
    texts = all(i.text is not None for i in instances)
    documents = any(i.document is not None for i in instances)
    header = ["id", "lexelt", "sense", *(["document"] if documents else [])]
    rows = [[*header, "text" if texts else "tokens", "start", "end"]]
    for i in instances:
        if len(i.senses) > 1:
            raise cannot(NAME, "several senses", i)
        row = [i.id, i.lexelt, *(i.senses or ("",)), *([i.document or ""] if documents else [])]
        context = i.text if texts and i.text is not None else " ".join(i.forms)
        start, end = (i.characters if texts else None) or i.target
        row += [context, str(start), str(end)]
        if any(character in value for value in row for character in "\t\n"):
            raise cannot(NAME, "a tab or a line end in a value", i)
        rows.append(row)
    return {"": "".join("\t".join(row) + "\n" for row in rows)}
