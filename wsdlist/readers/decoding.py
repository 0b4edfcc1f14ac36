"""From a file to text: opening, unpacking and decoding, for whole files and for streams alike."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import IO

from wsdlist.errors import InputError

COMPRESSIONS: dict[str, ModuleType] = {".gz": gzip, ".xz": lzma, ".bz2": bz2}
UNPACKING = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)
BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
NO_MARK = (b"", "utf-8")
DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")
C1 = re.compile("[\x80-\x9f]")
ESCAPED = re.compile("[\udc80-\udcff]")  # what surrogateescape makes of bytes that do not fit
LATIN = frozenset({"iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii", "ascii"})


def is_compressed(name: str) -> bool:
    """Say whether the name ends as a compressed file's does."""
    return PurePosixPath(name).suffix in COMPRESSIONS


def without_compression(name: str) -> str:
    """Return the name of a file without the end that says how it is compressed."""
    return name.removesuffix(PurePosixPath(name).suffix) if is_compressed(name) else name


def standard_input() -> IO[bytes]:
    """Return the stream of bytes of standard input.

    Raises
    ------
    InputError
        When it is closed.
    """
    if sys.stdin is None:
        raise InputError("standard input is closed", "name a file", where="<stdin>")
    return sys.stdin.buffer


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file as they lie, packed or not.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _unreadable(error, str(path)) from error


def unpacked(data: bytes, name: str) -> bytes:
    """Unpack bytes as the end of the name says; without such an end return them as they are.

    Raises
    ------
    InputError
        When they cannot be unpacked.
    """
    compression = COMPRESSIONS.get(PurePosixPath(name).suffix)
    if compression is None:
        return data
    try:
        content: bytes = compression.decompress(data)
        return content
    except (OSError, ValueError, *UNPACKING) as error:
        raise cannot_unpack(error, name) from error


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, compressed or not, or ``-`` for stdin, as a stream of bytes.

    Raises
    ------
    InputError
        When it cannot be opened, read or unpacked, as long as it is open.
    """
    name = str(path)
    if name == "-":
        yield standard_input()
        return
    compression = COMPRESSIONS.get(PurePosixPath(name).suffix)
    try:
        with Path(path).open("rb") if compression is None else compression.open(path) as stream:
            yield stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    except UNPACKING as error:
        raise cannot_unpack(error, name) from error
    except OSError as error:
        if error.errno is None and compression is not None:  # bz2 has no error of its own
            raise cannot_unpack(error, name) from error
        if error.filename is None:  # not of this file: a closed pipe, a full device
            raise
        raise _unreadable(error, name) from error


def cannot_unpack(error: Exception, name: str) -> InputError:
    """Return what is said of a file or an archive that cannot be unpacked."""
    return InputError(f"cannot be unpacked: {error}", "fetch it again", where=name)


def _unreadable(error: OSError, name: str) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("there is no such file", "check the path", where=name)
    what = error.strerror or str(error)
    return InputError(f"cannot be read: {what}", "check the file", where=name)


def byte_order_mark(head: bytes) -> tuple[bytes, str]:
    r"""Return the byte-order mark that bytes begin with, if any, and the encoding: UTF-8 without.

    >>> byte_order_mark(b"\xff\xfea\0"), byte_order_mark(b"a")
    ((b'\xff\xfe', 'utf-16-le'), (b'', 'utf-8'))
    """
    return next(((mark, encoding) for mark, encoding in BOMS if head.startswith(mark)), NO_MARK)


def decoded(data: bytes, name: str, repairs: Counter[str]) -> str:
    """Return the text of a whole file, its line ends as they are; count what had to be mended.

    A byte-order mark decides the encoding; then an XML declaration; then it is UTF-8. Bytes that
    the encoding has no character for are read as Windows-1252. ISO-8859-1 is read as Windows-1252
    throughout, which differs only in control characters that no text holds.

    Raises
    ------
    InputError
        When the file is binary, or UTF-16 without its mark.
    """
    mark, encoding = byte_order_mark(data)
    if mark:
        try:
            return data[len(mark) :].decode(encoding)
        except UnicodeDecodeError as error:
            details = f": {error.reason} at byte {error.start}"
            raise not_as_marked(encoding, name, details) from None
    if b"\0" in data[:4096]:
        raise InputError(
            "is binary, or UTF-16 without a byte-order mark", "save it as UTF-8", where=name
        )
    declared = DECLARED.match(data.lstrip()[:200])
    encoding = declared[1].decode().lower() if declared else encoding
    try:
        if encoding in LATIN:
            return _windows_1252(data.decode("latin-1"), C1, repairs, f"{encoding} bytes")
        return mended(data.decode(encoding, "surrogateescape"), encoding, repairs)
    except (LookupError, UnicodeDecodeError):
        raise InputError(
            f"cannot be read in the encoding {encoding!r} that it declares",
            "save it as UTF-8",
            where=name,
        ) from None


def not_as_marked(encoding: str, name: str, details: str = "") -> InputError:
    """Return what is said of a file that is not in the encoding of its byte-order mark."""
    return InputError(
        f"is not {encoding} though its byte-order mark says so{details}",
        "save it as UTF-8",
        where=name,
    )


def mended(text: str, encoding: str, repairs: Counter[str]) -> str:
    """Read as Windows-1252 the bytes that ``surrogateescape`` kept, and count them."""
    if ESCAPED.search(text) is None:  # nearly always
        return text
    return _windows_1252(text, ESCAPED, repairs, f"bytes that are not {encoding}")


def _windows_1252(text: str, odd: re.Pattern[str], repairs: Counter[str], what: str) -> str:
    def character(match: re.Match[str]) -> str:
        byte = bytes([ord(match[0]) & 0xFF])
        # five bytes mean nothing in Windows-1252; they become control characters
        return byte.decode("cp1252", "ignore") or byte.decode("latin-1")

    text, count = odd.subn(character, text)
    if count:
        repairs[f"{what} read as Windows-1252"] += count
    return text
