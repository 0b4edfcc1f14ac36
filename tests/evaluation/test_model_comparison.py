"""Two models, or two states of one, on the instances of a corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wsdlist.data.corpus import Corpus
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.model_comparison import compare_edits, compare_models
from wsdlist.features.questions import Question
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.models.editing import EditedRule, edited
from wsdlist.models.model import Model
from wsdlist.readers import read
from wsdlist.training.train import train


@pytest.fixture
def corpus(seed: Path) -> Corpus:
    return read(seed).train


@pytest.fixture
def model(corpus: Corpus) -> Model:
    return train(corpus, features="light", discount=0.5, epsilon=0.5)


def test_differences_are_the_instances_with_other_answers(model: Model, corpus: Corpus) -> None:
    baseline = train(corpus, learner="mfs", features="light")
    compared = compare_models(baseline, model, corpus)
    items = corpus.instances
    answers = zip(items, baseline.answer(items), model.answer(items), strict=True)
    other = [item.id for item, before, after in answers if before.sense != after.sense]
    assert other
    assert [difference.item.id for difference in compared.differences] == other
    most_frequent = sum("money" in item.senses for item in items)
    assert compared.first.total.correct == most_frequent < compared.second.total.correct


def test_a_model_and_itself_differ_in_nothing(model: Model, corpus: Corpus) -> None:
    compared = compare_models(model, model, corpus)
    assert compared.differences == []
    assert compared.first.total == compared.second.total
    assert compare_edits(model, corpus).differences == []


def test_an_edit_is_compared_with_what_was_learned(model: Model, corpus: Corpus) -> None:
    expert = model["bank.n"]
    emptied = edited(expert, [], EditedRule(Question(), expert.decision_list.default.sense))
    compared = compare_edits(Model({"bank.n": emptied}, model.meta), corpus)
    assert compared.first.total == compare_models(model, model, corpus).first.total
    assert compared.differences
    assert {difference.second.rule for difference in compared.differences} == {None}


def test_what_cannot_be_compared_is_refused(model: Model, corpus: Corpus) -> None:
    without = Corpus([replace(item, senses=()) for item in corpus])
    with pytest.raises(InputError, match=r"here: no instance has a gold sense"):
        compare_models(model, model, without, where="here")
    foreign = Corpus([replace(item, lexelt="shore.n") for item in corpus])
    with pytest.raises(InputError, match=r"has shore\.n, and none of the models' words"):
        compare_models(model, model, foreign)
    mapped = train(corpus, learner="mfs", features="light", coarse_map=CoarseMap("satellites"))
    with pytest.raises(ParameterError, match="the models have other coarse maps"):
        compare_models(model, mapped, corpus)
