"""Questions: what they ask, how they read, and that asking later is the same as while training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.conftest import LEXICAL_SAMPLE, seed_records
from wsdlist.data.corpus import Instance
from wsdlist.data.tokens import normal, sentence_starts
from wsdlist.errors import InputError, ParameterError
from wsdlist.features import ask
from wsdlist.features.extract import extract
from wsdlist.features.labels import label
from wsdlist.features.positions import Anywhere, At, Near, Satellite
from wsdlist.features.questions import Condition, Question
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.readers import read

LIGHT = SETS["light"]


def instance(text: str, target: int, end: int | None = None, **more: object) -> Instance:
    forms = tuple(text.split())
    span = (target, end or target + 1)
    starts = sentence_starts(forms)
    return Instance("i", "w.n", forms, span, ("a",), sentences=starts, **more)  # type: ignore[arg-type]


def questions(one: Instance, features: FeatureSet) -> set[str]:
    return {str(q) for q in extract([one], [["a"]], features, min_count=1).questions}


def custom(**fields: object) -> FeatureSet:
    from wsdlist.features.sets import from_record

    return from_record({"name": "mine", **fields})


def test_light_asks_for_words_pairs_and_what_is_near() -> None:
    asked = questions(instance("the River bank of mud", 2), LIGHT)
    assert {"word-2=the", "word-1=river", "word=bank", "word+1=of", "word+2=mud"} <= asked
    assert {
        "word-1=river & word+1=of",
        "word-2=the & word-1=river",
        "word=bank & word+1=of",
    } <= asked
    assert {"near(9)=the", "near(9)=river", "near(9)=of", "near(9)=mud"} <= asked
    assert len(asked) == 5 + 10 + 4


def test_beyond_the_context_there_is_nothing_to_ask() -> None:
    """A rule about the end of a context would be sure of a word that stands alone."""
    assert questions(instance("bank", 0), LIGHT) == {"word=bank"}
    asked = questions(
        instance("the bank", 1), custom(single=["word-1", "word+1"], pairs=["word-1", "word+1"])
    )
    assert asked == {"word-1=the"}


def test_the_edge_of_a_sentence_is_a_value_that_no_word_has() -> None:
    within = custom(single=["word-1", "word-2"], within="sentence")
    one = instance("Then . (edge) bank", 3)
    made = extract([one], [["a"]], within, min_count=1)
    values = {str(q): c.value for q in made.questions for c in q.conditions}
    assert values == {"word-1=(edge)": "(edge)", "word-2=(edge)": None}


def test_near_is_nine_words_to_either_side() -> None:
    words = [f"w{n}" for n in range(25)]
    asked = questions(instance(" ".join(words), 12), custom(single=["near(9)"]))
    assert asked == {f"near(9)=w{n}" for n in range(3, 22) if n != 12}


def test_a_target_of_several_words_is_one() -> None:
    asked = questions(instance("an art gallery opened", 1, 3), LIGHT)
    assert {"word=art gallery", "word-1=an", "word+1=opened"} <= asked
    assert "near(9)=gallery" not in asked


def test_goodman_has_tags_and_all_pairs() -> None:
    one = instance("the river bank of mud", 2, tags=("DT", "NN", "NN", "IN", "NN"))
    asked = questions(one, SETS["goodman"])
    assert {"tag=NN", "tag+1=IN", "word=bank & tag+1=IN", "tag-2=DT & tag-1=NN"} <= asked
    assert len(asked) == 10 + 45 + 4


def test_set_sizes_are_those_of_the_docs() -> None:
    assert {name: len(made.templates) for name, made in SETS.items()} == {
        "all-words": 10 + 45 + 1,
        "goodman": 10 + 45 + 1,
        "ims": 7 + 4 + 7 + 1 + 1,
        "light": 5 + 10 + 1,
        "rich": 10 + 45 + 1 + 4 + 3,
        "table": 0,
    }


def test_ims_stays_in_the_sentence_and_drops_stop_words() -> None:
    text = "It rained . My brother has taken a keen interest in my work ."
    lemmas = "it rain . my brother have take a keen interest in my work ."
    tags = "PRP VBD . PRP$ NN VBZ VBN DT JJ NN IN PRP$ NN ."
    one = instance(text, 9, tags=tuple(tags.split()), lemmas=tuple(lemmas.split()))
    asked = questions(one, SETS["ims"])
    # the example of Zhong & Ng 2010: POS = VBN DT JJ NN IN PRP$ NN; C(1,2) = "in my"
    for condition in [
        "tag-3=VBN",
        "tag-2=DT",
        "tag-1=JJ",
        "tag=NN",
        "tag+1=IN",
        "tag+2=PRP$",
        "tag+3=NN",
    ]:
        assert condition in asked
    assert "word+1=in & word+2=my" in asked
    assert "word-2=a & word-1=keen & word+1=in" in asked
    bag = {q for q in asked if q.startswith("context")}
    kept = ["rain", "brother", "keen", "work"]
    assert bag == {f"context(content)={lemma}" for lemma in kept}
    first = instance(text, 3, tags=tuple(tags.split()), lemmas=tuple(lemmas.split()))
    assert "word-1=(edge)" in questions(first, SETS["ims"])


def test_a_satellite_is_asked_for_as_particle() -> None:
    one = instance("they called loudly for help", 1, satellites=(3,))
    assert questions(one, custom(single=["particle"])) == {"particle=for"}


def test_conjunctions_of_any_arity_and_of_bags() -> None:
    mine = custom(together=[["word-1", "word+1", "near(2)"], ["near(3)", "near(3)"]])
    asked = questions(instance("a river bank of mud", 2), mine)
    assert "word-1=river & word+1=of & near(2)=a" in asked
    assert "near(3)=a & near(3)=mud" in asked
    assert "near(3)=a & near(3)=a" not in asked


@pytest.mark.parametrize("name", ["light", "goodman", "ims"])
def test_min_count_is_the_number_of_instances(name: str) -> None:
    corpus = read([LEXICAL_SAMPLE]).train
    items = [i for i in corpus.by_lexelt()["crane.n"] if isinstance(i, Instance)]
    items = [
        Instance(
            i.id, i.lexelt, i.forms, i.target, i.senses, i.forms, i.forms, sentences=i.sentences
        )
        for i in items
    ]
    labels = [i.senses for i in items]
    every = extract(items, labels, SETS[name], min_count=1)
    frequent = extract(items, labels, SETS[name], min_count=3)
    often = {
        str(q) for q, n in zip(every.questions, every.counts().sum(axis=1), strict=True) if n >= 3
    }
    assert {str(q) for q in frequent.questions} == often


@pytest.mark.parametrize("name", ["light", "goodman", "ims"])
def test_asking_later_gives_the_training_answers(name: str) -> None:
    corpus = read([LEXICAL_SAMPLE]).train
    items = [i for i in corpus.by_lexelt()["draw.v"] if isinstance(i, Instance)]
    items = [
        Instance(
            i.id, i.lexelt, i.forms, i.target, i.senses, i.forms, i.forms, sentences=i.sentences
        )
        for i in items
    ]
    trained = extract(items, [i.senses for i in items], SETS[name])
    some = [trained.questions[n] for n in range(0, trained.n_questions, 3)]
    asked = ask(items, some)
    assert (asked.by_row.toarray() == trained.asked(some).by_row.toarray()).all()


def test_text_and_data_of_conditions() -> None:
    made = {
        "word-1=river": Condition(At(-1), "word", "river"),
        "tag+1=NN": Condition(At(1), "tag", "NN"),
        "word=lines": Condition(At(0), "word", "lines"),
        "near(9)=water": Condition(Near(9), "word", "water"),
        "context=water": Condition(Anywhere(), "word", "water"),
        "particle=for": Condition(Satellite(), "word", "for"),
        "word+2=(edge)": Condition(At(2, "sentence"), "word", None),
    }
    for text, condition in made.items():
        assert str(condition) == text
        assert Condition.from_record(condition.to_record()) == condition
    assert str(Question.of([made["near(9)=water"], made["tag+1=NN"], made["word-1=river"]])) == (
        "word-1=river & tag+1=NN & near(9)=water"
    )


@pytest.mark.parametrize(
    "record",
    [{}, [], {"what": "word"}, {"what": "word", "at": "x"}, {"what": "word", "at": 1, "is": 3}],
)
def test_a_condition_that_is_none_is_refused(record: object) -> None:
    with pytest.raises(InputError):
        Condition.from_record(record)


def test_normal_forms() -> None:
    assert normal("It’s") == "it's"
    assert normal("CAFE\u0301") == "caf\u00e9"


def test_several_senses() -> None:
    gold = [("a", "b", "c"), ("a",), ()]
    split = label(gold, "split")
    assert split.instance.tolist() == [0, 0, 0, 1]
    assert split.weight[:3].sum() == 1
    assert (split.weight * 1024 == np.rint(split.weight * 1024)).all()
    assert split.weight[0] >= split.weight[1] == split.weight[2]
    assert label(gold, "first").weight.tolist() == [1, 1]
    assert label(gold, "all").weight.tolist() == [1, 1, 1, 1]
    with pytest.raises(ParameterError):
        label(gold, "most")


def test_a_set_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('name = "my"\nsingle = ["word-1"]\npairs = ["word-1", "word+1"]\n')
    made = feature_set(str(path))
    assert len(made.templates) == 2
    assert questions(instance("river bank of", 1), made) == {
        "word-1=river",
        "word-1=river & word+1=of",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "is not TOML"),
        ('name = "m"\nsingle = ["wrod-1"]', "unknown kind 'wrod'"),
        ('name = "m"\nsingle = ["near"]', "unknown kind 'near'"),
        ('name = "m"\nsingle = ["word--1"]', "names no place"),
        ('name = "m"\nsingle = "word"', "not a list of places"),
        ('name = "m"\nsingles = ["word"]', "no field"),
        ('single = ["word"]', "needs a name"),
        ('name = "m"', "no template"),
        ('name = "m"\nsingle = ["word"]\nwithin = "page"', "'within' is 'page'"),
    ],
)
def test_a_bad_set_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises((ParameterError, InputError), match=said) as caught:
        feature_set(str(path))
    assert str(caught.value).startswith(f"{path}: ")


def test_instances_without_tags_are_refused_where_tags_are_asked_for() -> None:
    with pytest.raises(InputError, match="has no tags"):
        extract([instance("a bank", 1)], [["a"]], SETS["goodman"])


def test_nobody_is_asked() -> None:
    """No instances, or no questions: answers of that shape."""
    some = [Question.of([Condition(Near(3), "word", "a")]), Question()]
    assert ask([], some).by_row.shape == (0, 2)
    assert ask([instance("a bank", 1)], []).by_row.shape == (1, 0)
    assert ask([instance("a bank", 1)], some).by_row.toarray().tolist() == [[1, 1]]


def test_nothing_reaches_the_minimum_count() -> None:
    one = extract([instance("a bank", 1), instance("my plank", 1)], ["a", "b"], LIGHT, min_count=3)
    assert one.n_questions == 0
    assert one.counts().shape == (0, 2)


def test_seed_questions_read_like_english() -> None:
    records = seed_records()
    items = [
        Instance(r["id"], r["lexelt"], tuple(r["tokens"]), (r["target"], r["target"] + 1))
        for r in records
    ]
    made = extract(items, [r["senses"] for r in records], LIGHT)
    assert {"word+1=of & word+2=the", "near(9)=river", "word-1=the"} <= {
        str(q) for q in made.questions
    }
