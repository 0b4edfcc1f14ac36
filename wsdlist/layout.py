"""Columns of text: cells as wide as a terminal shows them, nothing taken for markup."""

from __future__ import annotations

from collections.abc import Sequence

from wsdlist.errors import plain


def width(text: str) -> int:
    """Return the cells a text takes: wide characters take two, combining ones none."""
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """Fill up to a width in terminal cells."""
    space = " " * max(cells - width(text), 0)
    return space + text if right else text + space


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Align columns; the first ``left`` to the left, the others to the right.

    >>> table(["word", "bits"], [["bank.n", "0.9"], ["岸", "1.25"]])
    ['word    bits', 'bank.n   0.9', '岸      1.25']
    """
    cells = [[plain(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            pad(cell, size, right=number >= left)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def number(value: float, digits: int = 3) -> str:
    """Write a number; a dash where there is none."""
    return "-" if value != value else f"{value:.{digits}f}"


def weight(value: float) -> str:
    """Write a count: whole where it is whole; a dash where it is unknown."""
    if value != value:
        return "-"
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def percent(value: float) -> str:
    """Write a share as a percentage with one digit."""
    return "-" if value != value else f"{100 * value:.1f}"


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align columns that have no header."""
    return table(rows[0], rows[1:], left) if rows else []


def some(names: Sequence[str], most: int = 20) -> str:
    """Return names with commas between them, not all of very many.

    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
