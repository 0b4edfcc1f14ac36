r"""Plain text as a stream: a paragraph or a line at a time, with its position in the file.

The text is not changed: line ends stay, and only ``\n`` ends a line.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from wsdlist.errors import InputError
from wsdlist.readers.decoding import byte_order_mark, mended, not_as_marked

LONGEST = 1 << 16  # code points of a paragraph; a longer one is cut between words


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a text file, or a piece of a long one.

    Parameters
    ----------
    name
        Name of the file.
    text
        The text, with its line ends.
    start
        The position of its first code point in the file, from 0.
    line, column
        The same as a line, and a code point in it, from 1.
    begins, ends
        Whether the paragraph begins and ends with this text; False where it was cut.
    """

    name: str
    text: str
    start: int
    line: int
    column: int = 1
    begins: bool = True
    ends: bool = True

    def place(self, position: int) -> tuple[int, int]:
        r"""Return the line and the column, in code points from 1, of a position in the block."""
        line = self.text.count("\n", 0, position)
        if not line:
            return self.line, self.column + position
        return self.line + line, position - self.text.rfind("\n", 0, position)


def lines(stream: IO[bytes], name: str, repairs: Counter[str], size: int = -1) -> Iterator[str]:
    r"""Yield the lines of a stream with their ends; those longer than ``size`` in pieces.

    A byte-order mark decides the encoding and is left out; without one it is UTF-8. Bytes that the
    encoding has no character for are read as Windows-1252.

    Parameters
    ----------
    stream
        What :func:`wsdlist.readers.decoding.opened` yields; it stays open.
    name
        Name of the file, for messages.
    repairs
        Counts the bytes that were read as Windows-1252.
    size
        The greatest length in code points; -1 for no limit.

    Raises
    ------
    InputError
        When there is a zero byte, or bytes do not fit the byte-order mark.
    """
    mark, encoding = byte_order_mark(stream.peek(4)[:4])  # type: ignore[attr-defined]
    if encoding == "utf-8":
        codec = "utf-8-sig"  # it finds its mark even if that comes in two pieces
    else:
        codec = encoding
        stream.read(len(mark))
    text = io.TextIOWrapper(stream, codec, errors="surrogateescape", newline="\n")
    number = 0
    try:
        while line := text.readline(size):
            if "\0" in line:
                raise InputError(
                    "is no text, for there is a zero byte",
                    "take it out; unpack an archive; save UTF-16 with a byte-order mark",
                    where=f"{name}:{number + 1}",
                )
            number += line.endswith("\n")
            yield mended(line, encoding, repairs)
    except UnicodeDecodeError as error:
        raise not_as_marked(encoding, name) from error
    finally:
        with suppress(ValueError):  # who opened the stream closes it, or has closed it
            text.detach()


def blocks(
    stream: IO[bytes], name: str, repairs: Counter[str], *, by_line: bool = False
) -> Iterator[Block]:
    """Yield the paragraphs of a text, which end with blank lines, or (``by_line``) its lines.

    The other parameters, and the errors, are those of :func:`lines`.
    """
    kept: list[str] = []
    size, start, line, column = 0, 0, 1, 1
    at_line_start, begins = True, True

    def finish(text: str, *, ends: bool = True) -> Block:
        nonlocal start, line, column, size, begins
        block = Block(name, text, start, line, column, begins, ends)
        begins = ends
        start += len(text)
        line, column = block.place(len(text))
        size = 0
        kept.clear()
        return block

    for piece in lines(stream, name, repairs, LONGEST):
        kept.append(piece)
        size += len(piece)
        ended = piece.endswith("\n")
        blank = at_line_start and piece.isspace()
        at_line_start = ended
        if ended and (by_line or blank or size >= LONGEST):
            yield finish("".join(kept), ends=by_line or blank)
        elif size >= LONGEST:
            text = "".join(kept)
            cut = next((n for n in range(len(text) - 1, 0, -1) if text[n].isspace()), len(text))
            yield finish(text[:cut], ends=False)
            kept.append(text[cut:])
            size = len(text) - cut
    if any(kept):
        yield finish("".join(kept))
