"""A recipe and a meta come back from a file as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import TABLES
from wsdlist import (
    LEARNERS,
    CoarseMap,
    ConfusionSets,
    Meta,
    ModelError,
    ParameterError,
    Preparation,
    Recipe,
    load,
    read,
    train,
)
from wsdlist.features.sets import SETS
from wsdlist.learners import parameters
from wsdlist.models.recipe import AUTO, STANDARD_GRIDS


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    learner = draw(st.sampled_from(sorted(LEARNERS)))
    known = parameters(learner)
    auto = draw(st.sets(st.sampled_from(sorted({*known} & {*STANDARD_GRIDS}) or [""]))) - {""}
    given_: dict[str, Any] = dict.fromkeys(auto, AUTO)
    grid: dict[str, Any] = {}
    if "discount" in known and "discount" not in auto:
        if draw(st.booleans()):
            grid["discount"] = draw(st.lists(st.floats(0, 2), min_size=1, max_size=4))
        else:
            given_["discount"] = draw(st.floats(0, 2))
    if learner == "compromise" and "epsilon" not in auto:
        given_["epsilon"] = draw(st.sampled_from([-np.inf, -1.0, 0, 2.5]))
    return Recipe(
        learner,
        draw(st.sampled_from([SETS["light"], SETS["ims"], SETS["table"], SETS["rich"].around()])),
        given_,
        draw(st.integers(1, 9)),
        draw(st.sampled_from(["split", "first", "all"])),
        grid,
        draw(st.sampled_from(["bits", "accuracy", "macro-f1"])),
        draw(st.booleans()),
        draw(st.sampled_from(["none", "value"])),
        draw(st.integers(1, 9)),
    )


metas = st.builds(
    Meta,
    recipes(),
    st.builds(
        Preparation,
        st.none() | st.text(),
        st.none() | st.builds(CoarseMap, st.text(), st.dictionaries(st.text(), st.text())),
        st.none() | st.lists(st.tuples(st.text(), st.text())).map(tuple),
        st.booleans(),
    ),
    st.frozensets(st.text()),
    st.none() | st.text(),
    st.none() | st.text(),
    st.none() | st.dictionaries(st.text(), st.integers()),
    st.lists(st.text()).map(tuple),
    st.none() | st.tuples(st.text(), st.text()),
    st.text(),
)


@given(recipes())
def test_a_recipe_comes_back_as_it_was(recipe: Recipe) -> None:
    record = json.loads(json.dumps(recipe.to_record(), allow_nan=False))
    again = Recipe.from_record(record)
    assert again == recipe
    assert again.tried == recipe.tried
    assert again.fixed == recipe.fixed


@given(metas)
def test_a_meta_comes_back_as_it_was(meta: Meta) -> None:
    assert Meta.from_record(json.loads(json.dumps(meta.to_record()))) == meta


def test_a_model_of_a_file_has_the_meta_of_its_training(seed: Path, tmp_path: Path) -> None:
    corpus = read([seed]).train
    model = train(corpus, epsilon=1.0, coarse_map=CoarseMap("all", {"money": "m"}), min_instances=2)
    model.save(tmp_path / "m.wsd")
    assert load(tmp_path / "m.wsd").meta == model.meta
    table = train(read([TABLES / "play-tennis.csv"]).train, learner="prism", missing="value")
    table.save(tmp_path / "t.wsd")
    assert load(tmp_path / "t.wsd").meta == table.meta
    assert table.meta.class_name is not None
    sets = ConfusionSets([["their", "there"]])
    assert Preparation(confusion=sets.sets).confusion == (("their", "there"),)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"learner": "magic"}, "there is no learner 'magic'"),
        ({"min_count": "2"}, "min_count is '2', not a whole number"),
        ({"markers": None}, "markers is None, not a list"),
        ({"map": {"groups": {}}}, "map has no 'name'"),
        ({"sense_inventory": ["wordnet"]}, "sense_inventory has 1 values, not 2"),
        ({"parameters": {"discount": -1}}, "discount is -1"),
    ],
)
def test_a_meta_that_cannot_be_is_refused(change: dict[str, Any], message: str) -> None:
    record = {**Meta(Recipe()).to_record(), **change}
    with pytest.raises(ModelError, match=message):
        Meta.from_record(record)


def test_what_is_tried_is_not_given() -> None:
    with pytest.raises(ParameterError, match="discount is given, and values of it are to be tried"):
        Recipe(parameters={"discount": 0.5}, grid={"discount": [0.1, 0.2]})
