"""The spaCy component: found by entry point, in batches and processes, saved, loaded, scored."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Token
from spacy.training import Example

from tests.conftest import LEXICAL_SAMPLE
from tests.inventories.test_wordnet import lay
from wsdlist.errors import ModelError, ParameterError
from wsdlist.integrations.spacy import PARTS, SenseTagger
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.inventories.wordnet import find
from wsdlist.models.model import from_bytes, load
from wsdlist.readers import read
from wsdlist.training.train import train

TEXTS = [
    *("Two cranes stood among the reeds by the river bank.", "", " ", "\n", "\u00a0", "\u200b"),
    *("The bank raised its rates.", "bank", ""),
]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spacy") / "m.wsd"
    train(LEXICAL_SAMPLE, discount=0.9, epsilon=3.0).save(path)
    return path


@pytest.fixture
def nlp(model: Path) -> Any:
    made = spacy.blank("en")
    made.add_pipe("wsdlist", config={"model": str(model)})
    return made


def seen(doc: Doc) -> list[tuple[Any, ...]]:
    names = ("sense", *(f"sense_{part}" for part in PARTS))
    return [
        (token.i, *(token._.get(name) for name in names))
        for token in doc
        if token._.sense is not None
    ]


def test_senses_stand_on_tokens_as_plain_values(nlp: Any, model: Path) -> None:
    doc = nlp(TEXTS[0])
    opened = load(model)
    expected = [(t.text, t.sense, t.probability, t.rule, t.lexelt) for t in opened.tag(TEXTS[0])]
    assert [
        (doc[i].text, sense, probability, rule, lexelt)
        for i, sense, probability, rule, _, lexelt in seen(doc)
    ] == expected
    assert [token._.sense_gloss for token in doc if token._.sense] == [
        opened.inventory.gloss("crane.n", "bird"),
        opened.inventory.gloss("bank.n", "shore"),
    ]
    json.dumps(seen(doc))


@pytest.mark.parametrize("batch_size", [1, 2, 7])
def test_empty_documents_in_batches(nlp: Any, batch_size: int) -> None:
    docs = list(nlp.pipe(TEXTS, batch_size=batch_size))
    assert [doc.text for doc in docs] == TEXTS
    assert [seen(doc) for doc in docs] == [seen(nlp(text)) for text in TEXTS]
    assert [len(seen(doc)) for doc in docs] == [2, 0, 0, 0, 0, 0, 1, 1, 0]


SCRIPT = """
import json, multiprocessing, sys
import spacy
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    nlp = spacy.load(sys.argv[2])
    docs = nlp.pipe(json.loads(sys.argv[3]), n_process=int(sys.argv[4]), batch_size=2)
    print(json.dumps([[[t.i, t._.sense, t._.sense_probability] for t in doc] for doc in docs]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_several_processes_annotate_the_same(nlp: Any, method: str, tmp_path: Path) -> None:
    """The extensions are registered by nothing but loading the pipeline."""
    nlp.to_disk(tmp_path / "pipeline")
    script = tmp_path / "run.py"
    script.write_text(SCRIPT, encoding="utf-8")
    expected = [[[t.i, t._.sense, t._.sense_probability] for t in nlp(text)] for text in TEXTS]
    for processes in (1, 2):
        done = subprocess.run(
            [
                *(sys.executable, "-W", "ignore", script, method, tmp_path / "pipeline"),
                *(json.dumps(TEXTS), str(processes)),
            ],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == expected


def test_a_fresh_process_finds_the_factory(model: Path) -> None:
    code = (
        "import spacy, sys; nlp = spacy.blank('en')\n"
        "nlp.add_pipe('wsdlist', config={'model': sys.argv[1]})\n"
        "print([t._.sense for t in nlp('two cranes stood')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(model)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "[None, 'bird', None]\n", done.stderr


def test_a_pipeline_comes_back_from_disk_and_bytes(nlp: Any, tmp_path: Path) -> None:
    expected = seen(nlp(TEXTS[0]))
    nlp.to_disk(tmp_path / "p")
    nlp.to_disk(tmp_path / "p")  # over itself
    again = spacy.load(tmp_path / "p")
    assert seen(again(TEXTS[0])) == expected
    again.to_disk(tmp_path / "p")
    assert seen(spacy.load(tmp_path / "p")(TEXTS[0])) == expected
    blank = spacy.blank("en")
    blank.add_pipe("wsdlist")
    blank.from_bytes(nlp.to_bytes())
    assert seen(blank(TEXTS[0])) == expected
    without = SenseTagger("s").from_bytes(nlp.get_pipe("wsdlist").to_bytes(exclude=["model"]))
    with pytest.raises(ModelError, match="has no model"):
        without.opened()


def test_a_pipeline_is_packaged(nlp: Any, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "p")
    (tmp_path / "out").mkdir()
    done = subprocess.run(
        [
            *(sys.executable, "-W", "ignore", "-m", "spacy", "package", tmp_path / "p"),
            *(tmp_path / "out", "--name", "senses", "--version", "1.0.0", "--build", "none"),
        ],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = (tmp_path / "out").rglob("model.wsd")
    assert load(made).tag("two cranes stood")[0].sense == "bird"
    (meta, *_) = (tmp_path / "out").rglob("meta.json")
    needed = json.loads(meta.read_text(encoding="utf-8"))["requirements"]
    assert any(one.startswith("wsdlist>=") for one in needed)


def test_models_come_back_from_bytes(model: Path) -> None:
    opened = load(model)
    data = opened.to_bytes()
    assert data == model.read_bytes()
    again = from_bytes(data)
    assert again.tag(TEXTS[0]) == opened.tag(TEXTS[0])
    assert again.to_bytes() == data
    assert train(LEXICAL_SAMPLE, discount=0.9, epsilon=3.0).to_bytes() == data
    with pytest.raises(ModelError, match="no model"):
        from_bytes(b"x" + data[1:])


def test_annotations_survive_bytes_and_docbin(nlp: Any) -> None:
    doc = nlp(TEXTS[0])
    for again in (
        Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        next(
            DocBin(store_user_data=True, docs=[doc]).get_docs(nlp.vocab)  # as spaCy ships it
        ),
    ):
        assert seen(again) == seen(doc)


def test_several_components_have_their_own_models(model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.wsd"
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = [item for item in corpus if item.lexelt == "bank.n"]
    train(corpus, learner="mfs").save(other)
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", "one", config={"model": str(model)})
    nlp.add_pipe(
        *("wsdlist", "two"),
        config={"model": str(other), "extension": "bank_sense", "spans_key": "banks"},
    )
    doc = nlp(TEXTS[0])
    assert [t._.sense for t in doc if t._.sense] == ["bird", "shore"]
    assert [t._.bank_sense for t in doc if t._.bank_sense] == ["money"]


@pytest.fixture
def foreign() -> Iterator[str]:
    Token.set_extension("their_sense", getter=lambda token: token.text)
    yield "their_sense"
    Token.remove_extension("their_sense")


def test_a_foreign_extension_is_left_alone(model: Path, foreign: str) -> None:
    nlp = spacy.blank("en")
    with pytest.raises(ParameterError, match="another package has set the extension"):
        nlp.add_pipe("wsdlist", config={"model": str(model), "extension": foreign})


def test_words_that_have_a_sense_keep_it(nlp: Any) -> None:
    doc = nlp.make_doc(TEXTS[0])
    doc[1]._.sense = "machine"
    doc = nlp.get_pipe("wsdlist")(doc)
    assert [(t._.sense, t._.sense_probability) for t in doc][1] == ("machine", None)


def test_targets_are_parts_of_speech(model: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(model), "targets": ["NOUN"]})
    words = ["two", "cranes", "drew", "a", "bank"]
    for tags, expected in (
        (["NUM", "NOUN", "VERB", "DET", "NOUN"], [1, 4]),
        (["NUM", "NOUN", "VERB", "DET", "X"], [1]),
    ):
        doc = nlp.get_pipe("wsdlist")(Doc(nlp.vocab, words=words, pos=tags))
        assert [i for i, *_ in seen(doc)] == expected


def test_several_words_are_a_span_with_its_score(tmp_path: Path) -> None:
    lines = [
        {
            "id": f"{n}",
            "lexelt": "take_place.v",
            "tokens": ["it", *form.split(), word],
            "target": [1, 3],
        }
        | {"senses": [sense]}
        for n, (form, word, sense) in enumerate(
            [("took place", "today", "happen"), ("takes place", "here", "sit")] * 4
        )
    ]
    file = tmp_path / "c.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    train(file, discount=0.5, epsilon=1.0).save(tmp_path / "m.wsd")
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(tmp_path / "m.wsd")})
    doc = nlp("It took place today.")
    (span,) = doc.spans["senses"]
    assert (span.text, span.label_, span.kb_id_) == ("took place", "happen", "take_place.v")
    assert doc.spans["senses"].attrs["scores"] == [
        load(tmp_path / "m.wsd").tag(doc.text)[0].probability
    ]
    assert seen(doc) == []
    again = nlp.get_pipe("wsdlist")(doc)
    assert len(again.spans["senses"]) == 1
    doc = nlp.make_doc("It took place today, it took place.")
    doc.spans["senses"] = [doc[1:3]]
    doc = nlp.get_pipe("wsdlist")(doc)
    assert [score is None for score in doc.spans["senses"].attrs["scores"]] == [True, False]


def test_blank_documents_get_what_the_model_says_of_their_text(tmp_path: Path) -> None:
    """Without tags a list over the two words decides, here as in Model.tag."""
    lines = [
        {"id": f"{word}{n}", "lexelt": word, "tokens": [before, form, after], "target": 1}
        | {"senses": [f"s{n % 2}"]}
        for word, form, before in (("bank.n", "bank", "the"), ("bank.v", "bank", "they"))
        for n, after in enumerate("abcd")
    ]
    file = tmp_path / "c.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    model = train(file, features="light", discount=0.5, epsilon=0.5)
    model.save(tmp_path / "m.wsd")
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(tmp_path / "m.wsd")})
    text = "they bank on the bank a"
    assert [(i, sense) for i, sense, *_ in seen(nlp(text))] == [
        (text[: tag.start].count(" "), tag.sense) for tag in model.tag(text) if tag.sense
    ]
    assert len(seen(nlp(text))) == 2


def test_a_model_that_asks_for_tags_says_what_is_missing(tmp_path: Path) -> None:
    corpus = read(LEXICAL_SAMPLE).train
    path = tmp_path / "tags.wsd"
    from dataclasses import replace

    corpus.instances = [
        replace(i, tags=("NN",) * len(i.forms))  # type: ignore[union-attr]
        for i in corpus
        if i.lexelt == "crane.n"
    ]
    train(corpus, features="goodman", discount=0.9, epsilon=3.0).save(path)
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(path)})
    with pytest.raises(ParameterError, match=r"asks for tags.*put a component that gives them"):
        nlp("Two cranes.")
    failed: list[Any] = []
    nlp.set_error_handler(lambda name, part, docs, error: failed.append((name, len(docs))))
    assert [doc.text for doc in nlp.pipe(["Two cranes.", "", "A crane.", ""])] == ["", ""]
    assert failed == [("wsdlist", 1)] * 2


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"back_off": "mfs"}, "back_off is 'mfs'; say wordnet, or null"),
        ({"extension": "a b"}, "extension is 'a b'"),
        ({"targets": ["noun"]}, "there is no target 'noun'; say some of ADJ, ADP"),
    ],
)
def test_impossible_config_is_refused(config: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        spacy.blank("en").add_pipe("wsdlist", config=config)


def test_targets_need_parts_of_speech(model: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(model), "targets": ["NOUN"]})
    with pytest.raises(ParameterError, match="asks for parts of speech"):
        nlp("bank")
    assert nlp("").text == ""


def test_saving_over_an_open_model_leaves_its_readers_alone(model: Path, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(model)})
    nlp.to_disk(tmp_path / "p")
    reader = spacy.load(tmp_path / "p")
    other = spacy.blank("en")
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = [item for item in corpus if item.lexelt == "bank.n"]
    part = SenseTagger("wsdlist", train(corpus, learner="mfs"))
    part.to_disk(tmp_path / "p" / "wsdlist")
    assert [t._.sense for t in reader("two cranes")] == [None, "bird"]
    other.add_pipe("wsdlist")
    other.to_disk(tmp_path / "p")
    with pytest.raises(ModelError, match="has no model"):
        spacy.load(tmp_path / "p")("bank")


def test_a_missing_model_is_said_when_it_is_needed() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": "none.wsd"})
    with pytest.raises(ModelError, match=r"none\.wsd: there is no such model"):
        nlp("bank")
    with pytest.raises(ModelError, match="there is no such model"):
        nlp.initialize()


def test_evaluate_scores_senses(nlp: Any) -> None:
    gold = nlp.make_doc(TEXTS[0])
    gold[1]._.sense = "machine"  # wrong
    gold[9]._.sense = ["shore", "slope"]  # one of several
    gold[3]._.sense = "x"  # a word that nobody tags
    scores = nlp.evaluate([Example(nlp.make_doc(TEXTS[0]), gold)])
    assert scores["sense_p"] == 1 / 2
    assert scores["sense_r"] == 1 / 3
    assert scores["sense_f"] == pytest.approx(2 / 5)
    none = nlp.evaluate([Example(nlp.make_doc("x"), nlp.make_doc("x"))])
    assert none["sense_f"] is None


def test_back_off_is_the_first_sense_of_wordnet(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(lay(tmp_path / "dict")))
    find.cache_clear()
    nlp = spacy.blank("en")
    nlp.add_pipe("wsdlist", config={"model": str(model), "back_off": "wordnet"})
    doc = Doc(nlp.vocab, words=["cranes", "odd", "depository"], pos=["NOUN", "ADJ", "NOUN"])
    doc = nlp.get_pipe("wsdlist")(doc)
    assert [token._.sense for token in doc][1:] == [
        "odd%5:00:00:strange:00",
        "depository%1:14:01::",
    ]
    assert doc[0]._.sense_probability is not None
    assert (doc[2]._.sense_probability, doc[2]._.sense_lexelt) == (None, "depository.n")
    assert doc[2]._.sense_gloss == "an institution"
    find.cache_clear()


@pytest.mark.parametrize(
    ("name", "senses"),
    [
        ("supersenses", [None, "adj.all", "noun.group"]),
        ("satellites", [None, "odd%3:00:00:strange:00", "depository%1:14:01::"]),
    ],
)
def test_back_off_answers_by_the_groups_that_the_model_learned(
    name: str, senses: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(lay(tmp_path / "dict")))
    find.cache_clear()
    model = train(
        LEXICAL_SAMPLE, learner="mfs", features="light", coarse_map=CoarseMap(name, {"x": "y"})
    )
    component = SenseTagger("s", model, back_off="wordnet")
    doc = Doc(
        spacy.blank("en").vocab, words=["an", "odd", "depository"], pos=["DET", "ADJ", "NOUN"]
    )
    component.annotate([doc])
    assert [token._.sense for token in doc] == senses
    assert doc[2]._.sense_lexelt == "depository.n"
    assert model.back_off is None, "the caller's model is left as it was"
    find.cache_clear()


def test_back_off_reads_universal_tags_where_no_table_knows_the_others(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(lay(tmp_path / "dict")))
    find.cache_clear()
    vocab = spacy.blank("en").vocab
    words, pos = ["odd", "depository", "depository"], ["ADJ", "NOUN", "VERB"]
    for targets, expected in ((None, [0, 1]), (["NOUN"], [1])):
        component = SenseTagger("s", str(model), targets=targets, back_off="wordnet")
        doc = Doc(vocab, words=words, pos=pos, tags=["ADJA", "XY", "NN"])
        component.annotate([doc])
        assert [i for i, *_ in seen(doc)] == expected
    find.cache_clear()
