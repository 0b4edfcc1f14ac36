"""NLTK's objects as a corpus, and senses as a tagger of NLTK gives them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from nltk.corpus.reader.senseval import SensevalInstance
from nltk.tree import Tree

from tests.conftest import LEXICAL_SAMPLE
from wsdlist.errors import InputError, ParameterError
from wsdlist.integrations.nltk import SenseTagger, of_semcor, of_senseval
from wsdlist.models.model import Model
from wsdlist.training.train import train


@pytest.fixture(scope="module")
def model() -> Model:
    return train(LEXICAL_SAMPLE, discount=0.9, epsilon=3.0)


def test_senseval_instances_are_learned_from() -> None:
    instances = [
        SensevalInstance("hard-a", 1, [("a", "DT"), ("hard", "JJ"), (noun, "NN")], [sense])
        for noun, sense in [("rock", "HARD3"), ("time", "HARD1")] * 5
    ]
    corpus = of_senseval(instances)
    assert [item.id for item in corpus][:2] == ["hard-a:1", "hard-a:2"]
    made = train(corpus, features="goodman", discount=0.5, epsilon=1.0)
    assert [a.sense for a in made.answer(list(corpus))][:2] == ["HARD3", "HARD1"]
    bad = SensevalInstance("hard-a", 7, [("hard", "JJ")], ["HARD1"])
    with pytest.raises(InputError, match="hard-a:1: the position 7 is none of 1 tokens"):
        of_senseval([bad])


def lemma(name: str, key: str, part: str) -> Any:
    """Return what NLTK's WordNet gives, as far as it is asked."""
    return SimpleNamespace(
        name=lambda: name, key=lambda: key, synset=lambda: SimpleNamespace(pos=lambda: part)
    )


def test_semcor_trees_are_running_text() -> None:
    hall = Tree("NE", [Tree("NNP", ["City", "Hall"])])
    sentences: list[list[Any]] = [
        [
            ["The"],
            Tree(lemma("group", "group%1:03:00::", "n"), [hall]),
            Tree("say.v.01", [Tree("VB", ["said"])]),
            Tree("odd.s.2;1", [Tree("JJ", ["odd"])]),
            Tree("be.v.00", [Tree("VB", ["was"])]),
            Tree(".", ["."]),
        ],
        [["No"], Tree("NE", [Tree("NN", ["sense"])])],
    ]
    corpus = of_semcor(sentences, "br-x01")
    found = [(i.id, i.lexelt, i.target_form, i.senses) for i in corpus]  # type: ignore[union-attr]
    assert found == [
        ("br-x01.s1.t2", "group.n", "City Hall", ("group%1:03:00::",)),
        ("br-x01.s1.t3", "say.v", "said", ("say.v.01",)),
        ("br-x01.s1.t4", "odd.a", "odd", ("odd.s.2", "odd.s.1")),
    ]
    text = corpus.texts["br-x01"]
    assert text.sentences == (0, 7)
    assert text.tags is not None
    assert text.tags[:4] == ("_", "NNP", "NNP", "VB")


def test_the_tagger_is_nltks(model: Model) -> None:
    tagger = SenseTagger(model)
    tokens = ["two", "cranes", "stood", "by", "the", "river", "bank"]
    expected = [(t, {"cranes": "bird", "bank": "shore"}.get(t)) for t in tokens]
    assert tagger.tag(tokens) == expected
    assert tagger.tag([(token, "NN") for token in tokens]) == expected
    assert tagger.tag_sents([tokens, [], ["bank"]])[:2] == [expected, []]
    wrong = [*expected[:-1], ("bank", "money")]
    assert tagger.accuracy([expected]) == 1
    assert tagger.accuracy([wrong]) == pytest.approx(6 / 7)
    assert tagger.tag([]) == []


def test_a_model_that_needs_tags_takes_tagged_tokens() -> None:
    instances = [
        SensevalInstance("hard-a", 1, [("a", "DT"), ("hard", "JJ"), (noun, tag)], [sense])
        for noun, tag, sense in [("rock", "NN", "HARD3"), ("to", "TO", "HARD1")] * 5
    ]
    made = train(of_senseval(instances), features="goodman", discount=0.5, epsilon=1.0)
    tagger = SenseTagger(made)
    assert tagger.tag([("a", "DT"), ("hard", "JJ"), ("rock", "NN")])[1] == ("hard", "HARD3")
    with pytest.raises(ParameterError, match="asks for tags"):
        tagger.tag(["a", "hard", "rock"])
