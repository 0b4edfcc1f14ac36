"""What may be annotated next: words in text and instances of a corpus, with what is around."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import TABLES, jsonl, seed_records
from wsdlist.errors import InputError
from wsdlist.evaluation.candidates import SIDE, candidates
from wsdlist.models.model import Model
from wsdlist.readers import Parts
from wsdlist.training.train import train


@pytest.fixture
def model(seed: Path) -> Model:
    return train(seed, learner="mfs", features="light")


def test_words_of_a_text_know_their_place_and_what_is_around(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    text = "The bank froze.\n\nA muddy bank.\n"
    path.write_text(text, encoding="utf-8")
    found = candidates(model, path).found
    assert [candidate.left + candidate.target + candidate.right for candidate in found] == [
        "The bank froze.\n\n",
        "A muddy bank.\n",
    ]
    places = [int(candidate.instance.id.rpartition(":")[2]) for candidate in found]
    assert places == [text.index("bank"), text.rindex("bank")]


def test_a_long_text_is_cut_between_words(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("word " * 200 + "bank" + " word" * 200, encoding="utf-8")
    (candidate,) = candidates(model, path).found
    assert {*candidate.left.split(), *candidate.right.split()} == {"word"}
    assert SIDE - 5 <= len(candidate.left) <= SIDE
    assert SIDE - 5 <= len(candidate.right) <= SIDE


def test_a_table_is_a_text_and_what_was_mended_is_counted(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,bank,caf\xe9\n1,2,3\n".encode("latin-1"))
    of_path = candidates(model, path)
    assert [candidate.target for candidate in of_path.found] == ["bank"]
    assert list(of_path.repairs.values()) == [1]


def test_words_of_conllu_are_counted_over_sentences(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    sentence = "".join(
        f"{number}\t{form}\t{form}\tNOUN\t_\t_\t_\t_\t_\t_\n"
        for number, form in enumerate(["the", "bank"], start=1)
    )
    path.write_text(f"{sentence}\n{sentence}\n", encoding="utf-8")
    found = candidates(model, path).found
    assert [candidate.instance.id for candidate in found] == [f"{path}:1", f"{path}:3"]
    assert {candidate.target for candidate in found} == {"bank"}


def test_a_corpus_is_told_of_and_keeps_its_senses(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_text(jsonl(seed_records()), encoding="utf-8")
    told: list[Parts] = []
    found = candidates(model, path, about=told.append).found
    assert len(told) == 1
    assert [candidate.instance.senses for candidate in found] == [
        (r["senses"][0],) for r in seed_records()
    ]
    assert found[0].left == "she paid the cheque into the"


def test_no_such_file_is_said(model: Model, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        candidates(model, tmp_path / "none.txt")


def test_a_table_of_weka_is_no_text(model: Model) -> None:
    with pytest.raises(InputError, match="has rows of a table, and the model is for words"):
        candidates(model, TABLES / "contact-lenses.arff")
