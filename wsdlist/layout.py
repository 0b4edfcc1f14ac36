"""Columns of text, as wide as a terminal shows them; nothing is taken for markup."""

from __future__ import annotations

from collections.abc import Sequence

from wsdlist.errors import plain


def width(text: str) -> int:
    """Return how many cells of a terminal a text takes: two for wide characters, say."""
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """Fill a text with spaces up to a width in terminal cells; ``right`` aligns it to the right."""
    space = " " * max(cells - width(text), 0)
    return space + text if right else text + space


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return lines of aligned columns, the first ``left`` to the left, the others to the right.

    >>> table(["word", "bits"], [["bank.n", "0.9"], ["岸", "1.25"]])
    ['word    bits', 'bank.n   0.9', '岸      1.25']
    """
    shown = [[plain(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*shown, strict=True)]
    return [
        "  ".join(
            pad(cell, cells, right=column >= left)
            for column, (cell, cells) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]


def number(value: float, digits: int = 3) -> str:
    """Write a number; a dash for nan."""
    return "-" if value != value else f"{value:.{digits}f}"


def weight(value: float) -> str:
    """Write a count, without decimals if it is whole; a dash for nan, which is unknown."""
    if value != value:
        return "-"
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def percent(value: float) -> str:
    """Write a share, 0 to 1, as a percentage with one decimal; a dash for nan."""
    return "-" if value != value else f"{100 * value:.1f}"


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return lines of aligned columns without a header, see :func:`table`."""
    return table(rows[0], rows[1:], left) if rows else []


def some(names: Sequence[str], most: int = 20) -> str:
    """Return names with commas between them, not all of very many.

    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
