"""Files of answers scored from Python, by the rules that the key is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from wsdlist.errors import InputError
from wsdlist.evaluation.official_scorers import score_files


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_each_file_is_scored_by_the_rules_of_the_key(tmp_path: Path) -> None:
    key = written(tmp_path / "key", "d.s.t1 a\nd.s.t2 b\n")
    right = written(tmp_path / "right", "d.s.t1 a\nd.s.t2 b\n")
    half = written(tmp_path / "half", "d.s.t1 a\n")
    whole, part = score_files(key, [right, half])
    assert (whole.rules, whole.total.f1, part.total.recall) == ("unified", 1.0, 0.5)


def test_a_key_without_senses_and_answers_of_another_key_are_refused(tmp_path: Path) -> None:
    key = written(tmp_path / "key", "d.s.t1 a\n")
    other = written(tmp_path / "other", "x a\n")
    with pytest.raises(InputError, match="other: has no id of the key, read by the unified rules"):
        score_files(key, [other])
    with pytest.raises(InputError, match="empty: holds no instance with a sense"):
        score_files(written(tmp_path / "empty", "d.s.t1\n"), [key])
