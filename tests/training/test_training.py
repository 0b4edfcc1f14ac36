"""Training end to end: several gold senses, answers to what was never seen, notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import jsonl, seed_records
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.crossval import crossval
from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.models.meta import Preparation
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.prepare import prepare
from wsdlist.training.train import train


@pytest.fixture
def both(tmp_path: Path) -> Corpus:
    """SEED, its third context with both senses."""
    records = seed_records()
    records[2]["senses"] = ["money", "shore"]
    path = tmp_path / "s.jsonl"
    path.write_text(jsonl(records))
    return read(path).train


@pytest.mark.parametrize(
    ("multi", "total", "shore"), [("split", 12.0, 5.5), ("first", 12.0, 5.0), ("all", 13.0, 6.0)]
)
def test_several_senses(both: Corpus, multi: str, total: float, shore: float) -> None:
    model = train(both, features="light", multi=multi, discount=0.9, epsilon=0.5)
    fitted = model["bank.n"].decision_list
    assert model.meta.recipe.multi == multi
    assert fitted.supports.sum() == total
    assert fitted.default.counts == {"money": total - shore, "shore": shore}
    scored = summary(evaluate(model, both)).score
    assert scored.gold_senses == 13
    assert model["bank.n"].predict_proba([both.instances[2]]).sum() == pytest.approx(1)


def test_words_and_contexts_never_seen(both: Corpus) -> None:
    model = train(both, features="light", discount=0.9, epsilon=3.0)
    never = tuple(f"x{n}" for n in range(40))
    asked = [
        Instance("1", "zebra.n", ("zebra",), (0, 1)),
        Instance("2", "bank.n", ("bank",), (0, 1)),
        Instance("3", "bank.n", never, (20, 21)),
        Instance("4", "bank.n", never, (39, 40)),
    ]
    untrained, *others = model.answer(asked)
    assert (untrained.sense, untrained.probability) == (None, None)
    assert untrained.reason == "zebra.n was never trained"
    for answer in others:
        if answer.rule is None:
            assert answer.reason == "the default answered"
            assert answer.distribution == model["bank.n"].decision_list.default.probabilities
    assert others[1].rule is None


def test_a_notebook_shows_text_as_text(both: Corpus) -> None:
    odd = [
        Instance(i.id, "b.n", ("<b>&", *i.forms), (i.target[0] + 1, i.target[1] + 1), ("<i>",))
        if n % 2
        else Instance(i.id, "b.n", i.forms, i.target, ("&amp;",))
        for n, i in enumerate(both)
        if isinstance(i, Instance)
    ]
    expert = train(Corpus(list(odd)), features="light", discount=0.9, epsilon=0.1)["b.n"]
    shown = expert._repr_html_()
    assert shown.startswith("<table>")
    assert shown.count("<tr>") == 1 + len(expert.rules) + 1
    assert "&lt;b&gt;&amp;" in shown
    assert "<b>" not in shown
    assert "&lt;i&gt;" in shown
    assert repr(expert).startswith("<Expert of b.n: 2 senses")


def test_a_set_that_needs_tags_falls_back_and_says_so(both: Corpus) -> None:
    model = train(both, features="goodman", discount=0.9, epsilon=3.0)
    assert model.features.name == "light"
    assert model.meta.fell_back_from == "goodman"
    assert prepare(both, Recipe(), Preparation()).recipe.features.name == "light"


def test_repetitions_of_cross_validation(both: Corpus) -> None:
    settings = prepare(both, Recipe(parameters={"epsilon": 1.0}), Preparation()).recipe
    once, thrice = (crossval(both, [settings], folds=4, repeat=n)[0] for n in (1, 3))
    assert summary(once.results).score.instances == 12
    assert summary(thrice.results).score.instances == 36
    assert once.right == thrice.right, "p looks at the first repetition"
    same = crossval(both, [settings, settings], folds=4)
    assert same[0].results == same[1].results == once.results


def test_nothing_to_learn_from(both: Corpus) -> None:
    bare = Corpus(
        [Instance(i.id, "w.n", i.forms, i.target) for i in both if isinstance(i, Instance)]
    )
    with pytest.raises(InputError, match="no instance has a sense"):
        train(bare, features="light")
    with pytest.raises(ParameterError, match="jobs is 0"):
        train(both, features="light", jobs=0)
