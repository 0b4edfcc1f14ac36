"""A careless caller of the API: one sentence that says which thing is wrong and what to give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wsdlist
from tests.conftest import LEXICAL_SAMPLE, TABLES

WRONG: list[Any] = [None, float("nan"), b"bank", {"text": "bank"}, 7, np.zeros(2), object()]
ITEM = wsdlist.Instance("i1", "bank.n", ("a", "bank"), (1, 2), ("money",))


@pytest.fixture(scope="module")
def model() -> wsdlist.Model:
    return wsdlist.train(LEXICAL_SAMPLE, learner="mfs", features="light")


DOORS: dict[str, Callable[[wsdlist.Model, Any], object]] = {
    "train": lambda _, wrong: wsdlist.train(wrong),
    "features": lambda _, wrong: wsdlist.train(LEXICAL_SAMPLE, features=wrong),
    "evaluate": wsdlist.evaluate,
    "validate": lambda _, wrong: wsdlist.validate(wrong),
    "crossval": lambda _, wrong: wsdlist.crossval(wrong, [wsdlist.Recipe("mfs")]),
    "recipes": lambda _, wrong: wsdlist.crossval(wsdlist.read(LEXICAL_SAMPLE).train, wrong),
    "load": lambda _, wrong: wsdlist.load(wrong),
    "tag": lambda model, wrong: model.tag(wrong),
    "find": lambda model, wrong: model.find(wrong),
    "answer": lambda model, wrong: model.answer([ITEM, wrong]),
    "senses": lambda _, wrong: wsdlist.Instance("i", "b", ("a",), (0, 1), (wrong,)),
    "lexelt": lambda _, wrong: wsdlist.Instance("i", wrong, ("a",), (0, 1)),
    "forms": lambda _, wrong: wsdlist.Instance("i", "b", wrong, (0, 1)),
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_what_is_due_nowhere(
    model: wsdlist.Model, door: str, wrong: Any
) -> None:
    with pytest.raises(wsdlist.ParameterError, match=f" is a {type(wrong).__name__}; (give|make) "):
        DOORS[door](model, wrong)


def test_what_read_returns_is_no_corpus_and_the_message_says_so(model: wsdlist.Model) -> None:
    parts = wsdlist.read(LEXICAL_SAMPLE)
    for call in (wsdlist.train, lambda parts: wsdlist.evaluate(model, parts)):
        with pytest.raises(wsdlist.ParameterError, match="is a Parts; .* its train or test"):
            call(parts)  # type: ignore[arg-type]


def test_a_table_is_no_word_in_context(model: wsdlist.Model) -> None:
    table = wsdlist.read(TABLES / "contact-lenses.arff").train
    rows = wsdlist.train(table, learner="mfs")
    with pytest.raises(wsdlist.ParameterError, match="item 0 is a Row, and due are words"):
        model.answer(list(table))
    with pytest.raises(wsdlist.ParameterError, match="item 0 is a Instance, and due are rows"):
        rows.answer([ITEM])
    with pytest.raises(wsdlist.ParameterError, match="the corpus has rows of a table"):
        wsdlist.evaluate(model, table)


@pytest.mark.parametrize("target", [(-1, 0), (1, 1), (1, 0), (1, 3), (5, 9)])
def test_a_target_is_a_span_of_the_forms(target: tuple[int, int]) -> None:
    with pytest.raises(wsdlist.ParameterError, match="give a span of them that is not empty"):
        wsdlist.Instance("i1", "bank.n", ("a", "bank"), target)


def test_a_sense_is_not_split_into_letters() -> None:
    with pytest.raises(wsdlist.ParameterError, match="senses of 'i1' is a str"):
        wsdlist.Instance("i1", "bank.n", ("a", "bank"), (1, 2), "money")  # type: ignore[arg-type]


def test_no_bytes_are_no_model() -> None:
    with pytest.raises(wsdlist.ModelError, match="<bytes>: is empty"):
        wsdlist.from_bytes(b"")


def test_a_feature_set_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('name = "own"\nabout = "neighbours"\nsingle = ["word-1"]\n', encoding="utf-8")
    assert wsdlist.feature_set(path).name == "own"


def test_only_the_public_names_are_listed() -> None:
    assert dir(wsdlist) == sorted(wsdlist.__all__)
