"""Tables with a header line: CSV, and TSV in which quotes mean nothing."""

from __future__ import annotations

import re

from wsdlist.data.corpus import Attribute, Table
from wsdlist.data.names import canonical, nfc
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import Source

NAME = "csv"
DESCRIPTION = (
    "a table with a header line, parted by commas, semicolons or tabs; ? or nothing is missing"
)

QUOTED = re.compile(r'"(?:[^"]|"")*"')
FIELDS = {
    mark: re.compile(rf'"((?:[^"]|"")*)"(?=[{mark}\n]|\Z)|([^{mark}\n]*)') for mark in (",", ";")
}


def sniff(text: str) -> bool:
    """Say whether half of the first rows or more have as many values as the header, at least 2."""
    try:
        rows = [values for _, values in records(Source("", text), lambda _: None)[:21]]
    except InputError:
        return False
    alike = sum(len(row) == len(rows[0]) for row in rows[1:]) if rows else 0
    return (
        bool(rows)
        and len(rows[0]) > 1
        and 2 * alike >= max(len(rows) - 1, 1)
        and "<" not in rows[0][0]
    )


def read(source: Source, fail: Fail) -> Table:
    """Read a table; see :func:`wsdlist.readers.read`.

    Raises
    ------
    InputError
        When the header cannot be read; ``fail`` gets the errors of rows.
    """
    header, *found = records(source, fail) or [(1, [])]
    names = column_names(header[1], source)
    if len(set(names)) != len(names) or not all(names):
        raise InputError(
            "the header has an empty or repeated name", "name each column", where=source.place(0)
        )
    rows: list[tuple[str | None, ...]] = []
    lines: list[int] = []
    for number, values in found:
        if len(values) != len(names):
            fail(
                InputError(
                    f"the row has {len(values)} values for {len(names)} columns",
                    "give each column a value, or ?",
                    where=f"{source.name}:{number}",
                )
            )
        else:
            rows.append(tuple(None if value in ("", "?") else nfc(value) for value in values))
            lines.append(number)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    attributes = tuple(
        Attribute(name, tuple(dict.fromkeys(value for value in column if value is not None)))
        for name, column in zip(names, columns, strict=True)
    )
    return Table(source.stem.rsplit(".", 1)[0], attributes, rows, lines, source.name)


def column_names(header: list[str], source: Source) -> list[str]:
    """Return the names of columns as names are kept; blanks at their edges are counted."""
    n_blank = sum(name != name.strip() for name in header)
    if n_blank:
        source.repairs["column names with blanks at their edges"] += n_blank
    return list(map(canonical, header))


def separator(header: str) -> str:
    """Return what separates values: a tab if the header has one, else the commoner of ``,;``."""
    if "\t" in header:
        return "\t"
    return ";" if header.count(";") > header.count(",") else ","


def _unquoted(rows: list[tuple[int, list[str]]], source: Source) -> list[tuple[int, list[str]]]:
    """Take cells of TSV out of the quotation marks that a spreadsheet wrote around them.

    A spreadsheet did so if a quoted cell has doubled marks inside, or all column names are quoted,
    and if no cell begins with a mark without ending with one. Otherwise marks mean nothing.
    """
    opened = [cell for _, row in rows for cell in row if cell.startswith('"')]
    quoted = [cell for cell in opened if QUOTED.fullmatch(cell)]
    doubled = any('""' in cell[1:-1] for cell in quoted)
    if len(quoted) < len(opened) or not (doubled or (quoted and set(rows[0][1]) <= set(quoted))):
        return rows
    source.repairs["cells taken out of the quotation marks of a spreadsheet"] += len(quoted)
    return [
        (n, [c[1:-1].replace('""', '"') if QUOTED.fullmatch(c) else c for c in row])
        for n, row in rows
    ]


def records(source: Source, fail: Fail) -> list[tuple[int, list[str]]]:
    """Return the rows of a table, the first of which is the header, with their line numbers.

    Raises
    ------
    InputError
        When the header has a quotation mark that is not closed; ``fail`` gets that of a row.
    """
    text = source.text.strip("\n")
    mark = separator(text.partition("\n")[0])
    if mark == "\t":
        lines = ((n, line) for n, line in source.lines() if line.strip("\r"))
        return _unquoted([(number, line.split("\t")) for number, line in lines], source)
    offset = len(source.text) - len(source.text.lstrip("\n"))
    records: list[tuple[int, list[str]]] = []
    values: list[str] = []
    position = start = 0
    while position <= len(text):
        match = FIELDS[mark].match(text, position)
        assert match is not None
        if match[1] is None and match[2].startswith('"'):
            error = InputError(
                "a quotation mark opens a value and is never closed",
                "close it, or double the marks inside the value",
                where=source.place(position + offset),
            )
            if not records:
                raise error  # without a header no row can be read
            fail(error)
            position = text.find("\n", position) + 1 or len(text) + 1
            values, start = [], position
            continue
        values.append(match[1].replace('""', '"') if match[1] is not None else match[2])
        position = match.end() + 1
        if text[match.end() : position] != mark:
            if values != [""]:
                place = source.place(start + offset)
                records.append((int(place.rpartition(":")[2]), values))
            values, start = [], position
    return records
