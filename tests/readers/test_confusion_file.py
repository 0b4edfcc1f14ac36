"""A file of confusion sets: a set a line, comments and blank lines between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wsdlist.errors import InputError
from wsdlist.readers.confusion_file import read_confusion_file
from wsdlist.readers.confusion_sets import parse


def test_sets_are_lines_and_comments_are_not(tmp_path: Path) -> None:
    path = tmp_path / "sets.txt"
    path.write_text("# mine\ntheir,there\n\nbanko-brill10\n", encoding="utf-8")
    assert read_confusion_file(path) == ["their,there", "banko-brill10"]
    with pytest.raises(ValueError, match="in two confusion sets"):
        parse(read_confusion_file(path))  # which has their,there too


def test_a_line_that_is_no_set_is_named(tmp_path: Path) -> None:
    path = tmp_path / "sets.txt"
    path.write_text("quiet,quite\ntheir\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_confusion_file(path)
    assert str(raised.value).startswith(f"{path}:2: 'their' is no confusion set")
