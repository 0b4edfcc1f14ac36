"""Corpora read as a model was trained on them, and what of them a list is learned from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import LEXICAL_SAMPLE, TABLES, jsonl, seed_records
from wsdlist.data.corpus import Row
from wsdlist.errors import InputError
from wsdlist.readers import Parts, read
from wsdlist.readers.confusion_sets import ConfusionSets
from wsdlist.training.prepare import labelled, read_for
from wsdlist.training.shared_forms import learned_from, over_several
from wsdlist.training.texts import read_texts
from wsdlist.training.train import train


def test_a_corpus_is_read_in_its_parts_and_told_of(seed: Path) -> None:
    model = train(seed, learner="mfs", features="light")
    told: list[Parts] = []
    parts = read_for(model, [LEXICAL_SAMPLE], about=told.append)
    assert parts.test is not None
    assert [len(part) for part in (parts.train, parts.test)] == [
        len(part) for part in (told[0].train, told[0].test or ())
    ]


def test_the_class_of_a_table_is_the_models(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n1,x\n2,y\n", encoding="utf-8")
    model = train(read(path, class_name="a").train, learner="mfs")
    items = list(read_for(model, [path]).train)
    assert {item.target for item in items if isinstance(item, Row)} == {"a"}
    other = list(read_for(model, [path], class_name="b").train)
    assert {item.target for item in other if isinstance(item, Row)} == {"b"}


def test_a_model_of_confusion_sets_has_plain_text_read(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("Their dog is there.\nThere is their car.\n", encoding="utf-8")
    sets = ConfusionSets([["their", "there"]])
    parts, _ = read_texts([path], sets, "light", by_line=True)
    model = train(parts.train, learner="mfs", features="light", confusion=sets, by_line=True)
    again = read_for(model, [path])
    assert again.train.instances == parts.train.instances
    assert len(again.train) == 4


def test_what_is_told_is_told_before_a_refusal(seed: Path) -> None:
    model = train(seed, learner="mfs", features="light")
    told: list[Parts] = []
    with pytest.raises(InputError, match="has rows of a table, and the model is for words"):
        read_for(model, [TABLES / "car.csv"], about=told.append)
    assert len(told) == 1


def test_a_list_over_several_is_learned_from_the_instances_of_all(tmp_path: Path) -> None:
    records = seed_records()
    verbs = [{**record, "id": f"v{record['id']}", "lexelt": "bank.v"} for record in records[:3]]
    (tmp_path / "both.jsonl").write_text(jsonl([*records, *verbs]), encoding="utf-8")
    corpus = read(tmp_path / "both.jsonl").train
    words = labelled(corpus)
    assert learned_from("bank.v", corpus) == words["bank.v"]
    several = learned_from("bank.n|bank.v", corpus)
    assert several == over_several(words)["bank.n|bank.v"].known
    assert several is not None
    assert len(several[0]) == len(records) + 3
    assert learned_from("river.n", corpus) is None
