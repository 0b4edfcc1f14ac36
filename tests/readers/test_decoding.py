"""A file read whole and the same file read as a stream give one text, and fail alike."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from wsdlist.errors import InputError
from wsdlist.readers.decoding import opened
from wsdlist.readers.plain import lines
from wsdlist.readers.sources import NoText, load

TEXT = "The café “burst”\nits bank.\n"
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}
ENDINGS = [ending for ending in COMPRESS if ending]


def whole(path: Path) -> tuple[str, Counter[str]]:
    (source,) = load(path)
    if isinstance(source, NoText):
        raise source.error
    return source.text, source.repairs


def streamed(path: Path) -> tuple[str, Counter[str]]:
    repairs: Counter[str] = Counter()
    with opened(path) as stream:
        return "".join(lines(stream, str(path), repairs)), repairs


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize(
    ("data", "repaired"),
    [
        (TEXT.encode(), {}),
        (TEXT.encode("utf-8-sig"), {}),
        (("\ufeff" + TEXT).encode("utf-16-le"), {}),
        (("\ufeff" + TEXT).encode("utf-16-be"), {}),
        (TEXT.encode("cp1252"), {"bytes that are not utf-8 read as Windows-1252": 3}),
    ],
)
def test_whole_and_streamed_are_one_text(
    tmp_path: Path, ending: str, data: bytes, repaired: dict[str, int]
) -> None:
    path = tmp_path / f"t.txt{ending}"
    path.write_bytes(COMPRESS[ending](data))
    assert whole(path) == (TEXT, repaired)
    assert streamed(path) == (TEXT, repaired)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("damage", ["cut", "not packed"])
def test_what_cannot_be_unpacked_is_an_error_of_input(
    tmp_path: Path, ending: str, damage: str
) -> None:
    path = tmp_path / f"t.txt{ending}"
    data = TEXT.encode() * 100
    path.write_bytes(data if damage == "not packed" else COMPRESS[ending](data)[:-4])
    for read in (whole, streamed):
        with pytest.raises(InputError, match="cannot be unpacked: .*; fetch it again") as failed:
            read(path)
        assert failed.value.where == str(path)


def test_what_is_not_there_or_a_folder_is_an_error_of_input(tmp_path: Path) -> None:
    for read in (whole, streamed):
        with pytest.raises(InputError, match="there is no such file; check the path"):
            read(tmp_path / "no.txt")
        with pytest.raises(InputError, match="cannot be read: Is a directory; check the file"):
            read(tmp_path)


def test_utf_16_that_is_cut_in_a_character_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(("\ufeff" + TEXT).encode("utf-16-le")[:-1])
    for read in (whole, streamed):
        with pytest.raises(InputError, match="is not utf-16-le though its byte-order mark says so"):
            read(path)
