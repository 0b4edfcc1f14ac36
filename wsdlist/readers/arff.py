"""ARFF tables; the value ``'?'`` in quotes is not the missing value ``?``."""

from __future__ import annotations

import re

from wsdlist.data.corpus import Attribute, Table
from wsdlist.data.names import nfc
from wsdlist.data.numbers import real
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import Source

NAME = "arff"
DESCRIPTION = "Weka's table format, nominal and numeric attributes"

QUOTED = r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\""
VALUE = re.compile(rf"\s*(?:{QUOTED}|([^,]*?))\s*(?:,|$)")
DECLARATION = re.compile(rf"@attribute\s+(?:{QUOTED}|(\S+?))\s*(\{{.*\}}|\s\S.*)$", re.I)
ESCAPE = re.compile(r"\\(.)")


def sniff(text: str) -> bool:
    """Say whether the first line that is neither blank nor a comment is ``@relation``."""
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("%"):
            return line.lstrip().lower().startswith("@relation")
    return False


def _values(text: str, place: str) -> list[str | None]:
    """Return the values of a row, without their quotes; None is a missing value."""
    values: list[str | None] = []
    position = 0
    while position < len(text):
        match = VALUE.match(text, position)
        if match is None:
            raise InputError(
                f"a value cannot be read at column {position + 1}",
                "close its quotation mark",
                where=place,
            )
        single, double, plain = match.groups()
        if plain is not None and plain[:1] in ("'", '"'):
            raise InputError(
                f"a quotation mark is opened at column {position + 1} and never closed",
                "close it",
                where=place,
            )
        quoted = single if single is not None else double
        if quoted is not None:
            values.append(ESCAPE.sub(r"\1", quoted))
        else:
            values.append(None if plain in ("?", "") else plain)
        position = match.end()
    if text.rstrip().endswith(","):
        values.append(None)
    return values


def read(source: Source, fail: Fail) -> Table:
    """Read a table; see :func:`wsdlist.readers.read`.

    A nominal value that is not declared is an error of its row; ``?`` without quotes is missing.

    Raises
    ------
    InputError
        When the header cannot be read; ``fail`` gets the errors of rows.
    """
    relation = source.stem
    attributes: list[Attribute] = []
    rows: list[tuple[str | None, ...]] = []
    lines: list[int] = []
    in_data = False
    for number, line in source.lines():
        place = f"{source.name}:{number}"
        line = nfc(line.strip())
        if not line or line.startswith("%"):
            continue
        if in_data:
            try:
                rows.append(_row(line, attributes, place))
                lines.append(number)
            except InputError as error:
                fail(error)
            continue
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@relation":
            relation = (_values(line[len("@relation") :].strip(), place) or [relation])[0] or ""
        elif keyword == "@attribute":
            attributes.append(_attribute(line, place, attributes))
        elif keyword == "@data":
            in_data = True
        else:
            raise InputError(
                f"{keyword!r} is not expected here",
                "write @relation, @attribute or @data",
                where=place,
            )
    if not in_data:
        raise InputError("has no @data", "fetch the file again", where=source.name)
    return Table(relation, tuple(attributes), rows, lines, source.name)


def _attribute(line: str, place: str, others: list[Attribute]) -> Attribute:
    """Return the attribute that a line declares; its name must differ from the others."""
    match = DECLARATION.match(line)
    if match is None:
        raise InputError(
            "the attribute cannot be read", "write @attribute NAME {a,b} or numeric", where=place
        )
    name = next(part for part in match.groups()[:3] if part is not None)
    if name in {other.name for other in others}:
        raise InputError(
            f"the attribute {name!r} stands here twice", "name each attribute once", where=place
        )
    kind = match[4].strip()
    if kind.startswith("{"):
        values = _values(kind[1:-1], place)
        return Attribute(name, tuple(value if value is not None else "?" for value in values))
    if kind.split()[0].lower() in ("numeric", "real", "integer"):
        return Attribute(name, (), numeric=True)
    raise InputError(
        f"attribute {name!r} is of kind {kind.split()[0]!r}",
        "only nominal and numeric attributes are read",
        where=place,
    )


def _row(line: str, attributes: list[Attribute], place: str) -> tuple[str | None, ...]:
    """Return the values of a row, after checking them against the declarations."""
    if line.startswith("{"):
        raise InputError("sparse ARFF is not read", "write the rows in full", where=place)
    values = _values(line, place)
    if len(values) != len(attributes):
        raise InputError(
            f"the row has {len(values)} values for {len(attributes)} attributes",
            "give each attribute a value, or ?",
            where=place,
        )
    for value, attribute in zip(values, attributes, strict=True):
        if value is None:
            continue
        if attribute.numeric:
            if real(value) is None:
                raise InputError(
                    f"{value!r} is not a number, as {attribute.name!r} asks for",
                    "correct the row",
                    where=place,
                )
        elif value not in attribute.values:
            raise InputError(
                f"{value!r} is not a declared value of {attribute.name!r}",
                "declare it, or correct the row",
                where=place,
            )
    return tuple(values)
