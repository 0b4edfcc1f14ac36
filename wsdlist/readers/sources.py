"""Whole files as texts: files of folders and archives, unpacked and decoded."""

from __future__ import annotations

import io
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any

from wsdlist.data.names import canonical
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers.decoding import (
    COMPRESSIONS,
    cannot_unpack,
    decoded,
    read_bytes,
    standard_input,
    unpacked,
    without_compression,
)

BINARY = ".spacy"
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # as JSON may escape it
LARGEST = 4 << 30  # bytes that an archive may hold
TAR = (".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2")


@dataclass(frozen=True)
class Options:
    """What the caller says of a file.

    Parameters
    ----------
    columns
        What some columns of a table or a concordance are.
    sense_key
        The key of the sense in CoNLL-U.
    files
        Returns the bytes of a file in the folder that is written to, by its name, or None.

    Raises
    ------
    ParameterError
        When the key is no word.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    sense_key: str = "Sense"
    files: Callable[[str], bytes | None] = lambda _: None

    def __post_init__(self) -> None:
        columns = {canonical(name): kind for name, kind in self.columns.items()}
        object.__setattr__(self, "columns", columns)
        if not re.fullmatch(r"[A-Za-z]\w*", self.sense_key):
            raise ParameterError(
                f"the key of senses is {self.sense_key!r}", "say a word such as Sense"
            )


PLAIN = Options()


@dataclass
class Source:
    r"""A text to read.

    Parameters
    ----------
    name
        Its path, for messages.
    text
        The text; its lines end with ``\n``.
    repairs
        How often something was mended, by the kind of repair.
    files
        Returns the bytes of another file in the same folder or archive, by its name, or None.
    data
        The bytes of a file that is no text.
    options
        What the caller says of the file.
    """

    name: str
    text: str
    repairs: Counter[str] = field(default_factory=Counter)
    files: Callable[[str], bytes | None] = lambda _: None
    data: bytes = b""
    options: Options = PLAIN

    def beside(self, name: str) -> Source | None:
        """Return the file of a name, compressed or not, in the same folder as this one, or None.

        Raises
        ------
        InputError
            When it is there and cannot be read.
        """
        folder = self.name.replace("\\", "/").rpartition("/")[0]
        for end in ("", *COMPRESSIONS):
            place = f"{folder}/{name}{end}" if folder else f"{name}{end}"
            data = self.files(name + end)
            if data is not None:
                return decode(unpacked(data, place), place)
        return None

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def place(self, position: int) -> str:
        r"""Return ``FILE:LINE`` of a position in code points; only ``\n`` ends a line."""
        return f"{self.name}:{bisect_right(self._newlines, position - 1) + 1}"

    def lines(self) -> Iterator[tuple[int, str]]:
        r"""Yield ``(number, line)`` from 1; only ``\n`` ends a line, as ``wc -l`` counts them."""
        text = self.text.removesuffix("\n")
        yield from enumerate(text.split("\n") if text else (), start=1)

    @property
    def stem(self) -> str:
        """The file's own name without folder and compression, for sniffing and for messages."""
        return stem_of(self.name)


@dataclass
class NoText:
    """A file that is no text: the error that says so, and perhaps its bytes."""

    name: str
    error: InputError
    data: bytes = b""


def stem_of(name: str) -> str:
    """Return a file's own name without folder and compression.

    >>> stem_of("corpora/bank.xml.gz")
    'bank.xml'
    """
    return without_compression(PurePosixPath(name.replace("\\", "/")).name)


def is_tar(name: str) -> bool:
    """Say whether the name ends as that of a tar archive does."""
    return name.endswith(TAR)


def has_surrogate(value: Any) -> bool:
    """Say whether JSON data holds half a surrogate pair, which is no character."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def decode(data: bytes, name: str) -> Source:
    r"""Turn bytes into text.

    The encoding is found and bytes are mended as :func:`wsdlist.readers.decoding.decoded` says.
    Line ends become ``\n``: CRLF always, a lone carriage return only in a file that has no other
    line end.

    Raises
    ------
    InputError
        When the text is binary, or UTF-16 without its mark.
    """
    repairs: Counter[str] = Counter()
    text = decoded(data, name, repairs)
    text = text.replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return Source(name, text, repairs)


def load(path: str | Path) -> Iterator[Source | NoText]:
    """Yield the texts of one file: itself, or each member of a zip or tar archive; ``-`` is stdin.

    A file that is no text is a :class:`NoText`, which the caller may refuse or pass over.

    Raises
    ------
    InputError
        When the file cannot be read or unpacked.
    """
    name = str(path)
    if name == "-":
        yield _text_or_none(standard_input().read(), "<stdin>")
        return
    data = read_bytes(path)
    members = _members(data, name)
    if members is None:
        yield _text_or_none(unpacked(data, name), name, partial(in_folder, Path(path).parent))
        return
    for member in sorted(members):
        folder = member.rpartition("/")[0]
        files = partial(_in_archive, members, f"{folder}/" if folder else "")
        place = f"{name}/{member}"
        try:
            yield _text_or_none(unpacked(members[member], place), place, files)
        except InputError as error:
            yield NoText(place, error)


def _members(data: bytes, name: str) -> dict[str, bytes] | None:
    """Return the files of a zip or tar archive by name; None if the data are no archive."""
    try:
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                zipped = [member for member in archive.infolist() if not member.is_dir()]
                _check_size(name, [member.file_size for member in zipped])
                return {member.filename: archive.read(member) for member in zipped}
        if is_tar(name):
            with tarfile.open(fileobj=io.BytesIO(data)) as packed:
                members = [member for member in packed if member.isfile()]
                _check_size(name, [member.size for member in members])
                files = {member.name: packed.extractfile(member) for member in members}
                return {name: file.read() for name, file in files.items() if file is not None}
    except (
        *(EOFError, OSError, ValueError, RuntimeError),
        *(lzma.LZMAError, zipfile.BadZipFile, zlib.error, tarfile.TarError),
    ) as error:
        raise cannot_unpack(error, name) from error
    return None


def _check_size(name: str, sizes: list[int]) -> None:
    if sum(sizes) > LARGEST:
        raise InputError(
            f"holds {sum(sizes):,} bytes, more than {LARGEST:,}", "unpack it", where=name
        )


def in_folder(folder: Path, name: str) -> bytes | None:
    """Return the bytes of a file in a folder, None if there is none.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    path = folder / name
    return read_bytes(path) if path.is_file() else None


def _in_archive(members: dict[str, bytes], folder: str, name: str) -> bytes | None:
    return members.get(folder + name)


def _text_or_none(
    data: bytes, name: str, files: Callable[[str], bytes | None] = lambda _: None
) -> Source | NoText:
    if name.endswith(BINARY):
        return NoText(name, InputError("is binary", "name a format", where=name), data)
    try:
        return replace(decode(data, name), files=files)
    except InputError as error:
        return NoText(name, error)
