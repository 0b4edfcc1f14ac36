"""Files as they lie: folders, archives, compression, encodings and line ends."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from wsdlist.errors import InputError

DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".bz2": bz2.decompress,
}
BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")
C1 = re.compile("[\x80-\x9f]")
LATIN = frozenset({"iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii", "ascii"})


@dataclass
class Source:
    r"""One text to read: its name for messages, the text with ``\n`` ends, and what was mended."""

    name: str
    text: str
    repairs: Counter[str] = field(default_factory=Counter)

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def place(self, position: int) -> str:
        r"""Return ``FILE:LINE`` of a position in the text; only ``\n`` ends a line."""
        return f"{self.name}:{bisect_right(self._newlines, position - 1) + 1}"

    def lines(self) -> Iterator[tuple[int, str]]:
        r"""Yield ``(number, line)`` from 1; only ``\n`` ends a line, as ``wc -l`` counts them."""
        text = self.text.removesuffix("\n")
        yield from enumerate(text.split("\n") if text else (), start=1)

    @property
    def stem(self) -> str:
        """The file's own name without folder and compression, for sniffing and for messages."""
        name = PurePosixPath(self.name.replace("\\", "/")).name
        return name.removesuffix(PurePosixPath(name).suffix) if is_compressed(name) else name


def is_compressed(name: str) -> bool:
    """Say whether the name ends as a compressed file's does."""
    return PurePosixPath(name).suffix in DECOMPRESS


def decode(data: bytes, name: str) -> Source:
    r"""Turn bytes into text.

    A byte-order mark decides; then an XML declaration; then UTF-8, and where that is not
    possible Windows-1252. ISO-8859-1 is read as Windows-1252, of which it is a part but for
    control characters that no text holds. Line ends become ``\n``: CRLF always, a lone carriage
    return where the file has no other line end.

    Raises
    ------
    InputError
        When the text is binary, or UTF-16 without its mark.
    """
    repairs: Counter[str] = Counter()
    for bom, encoding in BOMS:
        if data.startswith(bom):
            try:
                text = data[len(bom) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"is not {encoding} though its byte-order mark says so: {error.reason} "
                    f"at byte {error.start}",
                    "save it as UTF-8",
                    where=name,
                ) from None
            break
    else:
        if b"\0" in data[:4096]:
            raise InputError(
                "is binary, or UTF-16 without a byte-order mark", "save it as UTF-8", where=name
            )
        declared = DECLARED.match(data.lstrip()[:200])
        encoding = declared[1].decode().lower() if declared else "utf-8"
        if encoding in LATIN:
            text = _windows_1252(data, repairs, f"{encoding} bytes read as Windows-1252")
        else:
            try:
                text = data.decode(encoding)
            except LookupError:
                raise InputError(
                    f"declares the unknown encoding {encoding!r}", "save it as UTF-8", where=name
                ) from None
            except UnicodeDecodeError:
                text = _windows_1252(data, repairs, f"bytes that are not {encoding}")
    text = text.replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return Source(name, text, repairs)


def _windows_1252(data: bytes, repairs: Counter[str], kind: str) -> str:
    latin = data.decode("latin-1")
    found = len(C1.findall(latin))
    if found or "not" in kind:
        repairs[kind] += found or 1
    # five bytes mean nothing in Windows-1252; they stay control characters
    return C1.sub(
        lambda match: match[0].encode("latin-1").decode("cp1252", "ignore") or match[0], latin
    )


def load(path: str | Path) -> Iterator[Source]:
    """Yield the texts of one file: itself, or each member of a zip archive; ``-`` is stdin.

    Raises
    ------
    InputError
        When the file cannot be read or unpacked.
    """
    name = str(path)
    if name == "-":
        yield decode(sys.stdin.buffer.read(), "<stdin>")
        return
    try:
        data = Path(path).read_bytes()
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for member in sorted(archive.namelist()):
                    if not member.endswith("/"):
                        yield decode(archive.read(member), f"{name}/{member}")
            return
        suffix = PurePosixPath(name).suffix
        if suffix in DECOMPRESS:
            data = DECOMPRESS[suffix](data)
    except FileNotFoundError:
        raise InputError("there is no such file", "check the path", where=name) from None
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}", "check the file", where=name
        ) from error
    except (EOFError, ValueError, lzma.LZMAError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"cannot be unpacked: {error}", "fetch it again", where=name) from error
    yield decode(data, name)
