"""Inventories: WordNet's files, the package wn, coarse maps, at training and at scoring."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, jsonl
from wsdlist.data.sense_keys import SUPERSENSES
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.evaluate import evaluate
from wsdlist.inventories.coarse import CoarseMap, coarse_map
from wsdlist.inventories.glosses import inventory_of
from wsdlist.inventories.wordnet import WnLexicon, WordNet, WordNetFiles, find, first_sense
from wsdlist.readers import read
from wsdlist.training.train import train

# a WordNet of five senses, in the layout of wndb(5WN) and senseidx(5WN)
NOUNS = [
    "  1 This is no WordNet 9.9 Copyright of anybody.  \n",
    '{:08d} 17 n 01 bank 0 000 | sloping land; "they sat on the bank"  \n',
    "{:08d} 14 n 02 bank 0 depository 1 000 | an institution  \n",
]
ADJECTIVES = [
    "{:08d} 00 a 01 odd 0 000 | not even  \n",
    '{:08d} 00 s 01 odd 0 000 | strange; "an odd man"  \n',
]


def lay(folder: Path) -> Path:
    folder.mkdir(parents=True)
    offsets = []
    for name, lines in (("noun", NOUNS), ("adj", ADJECTIVES)):
        text = ""
        for line in lines:
            offsets.append(len(text))
            text += line.format(len(text))
        (folder / f"data.{name}").write_text(text, encoding="utf-8")
    _, shore, money, even, strange = offsets
    index = [
        f"bank%1:14:00:: {money:08d} 2 3",
        f"bank%1:17:01:: {shore:08d} 1 9",
        f"depository%1:14:01:: {money:08d} 1 0",
        f"odd%3:00:00:: {even:08d} 2 0",
        f"odd%5:00:00:strange:00 {strange:08d} 1 0",
    ]
    (folder / "index.sense").write_text("\n".join(index) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def small(tmp_path: Path) -> WordNetFiles:
    return WordNetFiles(lay(tmp_path / "dict"))


def check(wordnet: WordNet) -> None:
    assert wordnet.candidates("bank", "NN") == ("bank%1:17:01::", "bank%1:14:00::")
    assert wordnet.candidates("Bank", "VB") == ()
    assert set(wordnet.candidates("odd")) == {"odd%5:00:00:strange:00", "odd%3:00:00::"}
    assert first_sense(wordnet, "bank", "n") == "bank%1:17:01::"
    assert first_sense(wordnet, "nothing", None) is None
    assert wordnet.gloss("bank%1:17:01::") == "sloping land"
    assert wordnet.gloss("unknown%1:00:00::") == ""
    synset = wordnet.synset("bank%1:14:00::")
    assert synset is not None
    assert set(wordnet.keys(synset)) == {"bank%1:14:00::", "depository%1:14:01::"}
    assert wordnet.synset("depository%1:14:01::") == synset
    assert wordnet.synset("bank%1:00:00::") is None
    assert "bank%1:14:00::" in wordnet
    assert "bank%1:14:09::" not in wordnet


def test_files_are_looked_up_not_computed(small: WordNetFiles) -> None:
    check(small)
    assert (small.name, small.version) == ("WordNet", "9.9")
    assert (small.synset("odd%5:00:00:strange:00") or "").endswith("-s")
    assert small.gloss("odd%5:00:00:strange:00") == "strange"


def test_nltks_data_are_read_unpacked_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nltk.data

    folder = lay(tmp_path / "corpora" / "wordnet")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    find.cache_clear()
    check(find("nltk:wordnet"))
    with zipfile.ZipFile(tmp_path / "corpora" / "wordnet31.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"wordnet31/{file.name}")
    shutil.rmtree(folder)
    check(find("nltk:wordnet31"))
    find.cache_clear()


def test_a_wordnet_is_found_by_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "home" / "dict")
    monkeypatch.setenv("WNHOME", str(tmp_path / "home"))
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    find.cache_clear()
    assert find().version == "9.9"
    find.cache_clear()


LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="oewn" label="small" language="en" email="a@b.c" license="CC0" version="2024">
<LexicalEntry id="oewn-bank-n"><Lemma writtenForm="bank" partOfSpeech="n"/>
<Sense id="oewn-bank__1.17.01.." synset="oewn-00000001-n"/>
<Sense id="oewn-bank__1.14.00.." synset="oewn-00000002-n"/></LexicalEntry>
<LexicalEntry id="oewn-depository-n"><Lemma writtenForm="depository" partOfSpeech="n"/>
<Sense id="oewn-depository__1.14.01.." synset="oewn-00000002-n"/></LexicalEntry>
<LexicalEntry id="oewn-odd-s"><Lemma writtenForm="odd" partOfSpeech="s"/>
<Sense id="oewn-odd__5.00.00.strange.00" synset="oewn-00000003-s"/></LexicalEntry>
<LexicalEntry id="oewn-odd-a"><Lemma writtenForm="odd" partOfSpeech="a"/>
<Sense id="oewn-odd__3.00.00.." synset="oewn-00000004-a"/></LexicalEntry>
<Synset id="oewn-00000001-n" ili="" partOfSpeech="n"><Definition>sloping land</Definition></Synset>
<Synset id="oewn-00000002-n" ili="" partOfSpeech="n"><Definition>institution</Definition></Synset>
<Synset id="oewn-00000003-s" ili="" partOfSpeech="s"><Definition>strange</Definition></Synset>
<Synset id="oewn-00000004-a" ili="" partOfSpeech="a"><Definition>not even</Definition></Synset>
</Lexicon></LexicalResource>
"""


def test_lexicons_of_wn_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wn = pytest.importorskip("wn", reason="the package wn is not installed")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")
    (tmp_path / "s.xml").write_text(LMF, encoding="utf-8")
    wn.add(tmp_path / "s.xml", progress_handler=None)
    lexicon = WnLexicon("oewn:2024")
    check(lexicon)
    assert (lexicon.name, lexicon.version) == ("oewn", "2024")
    with pytest.raises(ParameterError, match="wn has no lexicon 'oewn:1999'"):
        WnLexicon("oewn:1999")


def test_what_is_not_there_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="holds no index.sense; install Debian's wordnet-base"):
        find(str(tmp_path))
    with pytest.raises(ParameterError, match="nltk:nowordnet is not installed"):
        find("nltk:nowordnet")
    (tmp_path / "index.sense").write_text("bank%1:14:00:: x\n", encoding="utf-8")
    with pytest.raises(InputError, match="index.sense:1: the line is not key, offset"):
        WordNetFiles(tmp_path).candidates("bank")


def test_the_installed_wordnet_has_its_first_senses() -> None:
    try:
        wordnet = find()
    except ParameterError as error:
        pytest.skip(str(error))
    assert wordnet.candidates("bank", "NOUN")[0] == "bank%1:17:01::"
    assert wordnet.gloss("bank%1:17:01::").startswith("sloping land")
    assert wordnet.synset("bank%1:17:01::") == "09213565-n"
    assert "bank%1:17:01::" in wordnet.keys("09213565-n")


# -- maps --


def test_supersenses_are_the_lexicographer_files() -> None:
    assert len(SUPERSENSES) == 45
    groups = CoarseMap("supersenses")
    assert groups("dog%1:05:00::") == "noun.animal"
    assert groups("say%2:32:00::") == "verb.communication"
    assert groups("recent%5:00:00:past:00") == "adj.all"
    assert groups("participial%3:44:00::") == "adj.ppl"
    assert groups("money") == "money"
    assert CoarseMap("satellites")("a%5:00:00:b:00") == CoarseMap("satellites")("a%3:00:00:b:00")


def test_a_map_is_a_file_of_pairs_or_of_clusters(tmp_path: Path) -> None:
    pairs, clusters = tmp_path / "p.tsv", tmp_path / "c.senses"
    pairs.write_text("sense\tgroup\na b\tx\nc\tx\n", encoding="utf-8")
    clusters.write_text("a%1 b%1\nc%1\n", encoding="utf-8")
    assert [coarse_map(str(pairs))(s) for s in ("a b", "c", "d")] == ["x", "x", "d"]
    assert [coarse_map(str(clusters))(s) for s in ("a%1", "b%1", "c%1")] == ["a%1", "a%1", "c%1"]
    for text, said in (
        ("a\tx\na\ty\n", ":2: the sense 'a' is in two groups"),
        ("a\tx\ty\n", ":1: the line has 3 columns"),
        ("", "holds no sense"),
    ):
        pairs.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=said):
            coarse_map(str(pairs))


FINE = [
    {"id": f"i{n}", "lexelt": "bank.n", "tokens": [word, "bank"], "target": 1, "senses": [sense]}
    for n, (word, sense) in enumerate(
        [("river", "bank%1:17:01::"), ("money", "bank%1:14:00::"), ("fog", "bank%1:17:00::")] * 4
    )
]


@pytest.fixture
def fine(tmp_path: Path) -> Path:
    path = tmp_path / "fine.jsonl"
    path.write_text(jsonl(FINE), encoding="utf-8")
    return path


def test_a_model_learns_groups_and_is_scored_on_them(fine: Path) -> None:
    corpus = read(fine).train
    coarse = train(corpus, discount=0.5, epsilon=1.0, coarse_map=CoarseMap("supersenses"))
    assert coarse["bank.n"].senses == ("noun.group", "noun.object")
    (row,) = evaluate(coarse, corpus)
    assert row.score.accuracy == 1
    assert row.score.unknown == 0


def test_a_fine_model_is_scored_on_groups(fine: Path) -> None:
    """Probabilities of a group add up, so its bits are fewer."""
    corpus = read(fine).train
    model = train(corpus, learner="mfs")
    (exact,) = evaluate(model, corpus)
    (coarse,) = evaluate(model, corpus, CoarseMap("supersenses"))
    assert exact.score.accuracy == pytest.approx(1 / 3)
    assert coarse.score.accuracy == pytest.approx(2 / 3)
    assert coarse.senses == 2
    assert coarse.score.bits < exact.score.bits


def test_maps_and_inventories_on_the_command_line(fine: Path, wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    folder = lay(tmp_path / "dict")
    given: tuple[Any, ...] = ("--discount", 0.5, "--epsilon", 1, "--model", model)
    done = wsdlist("train", fine, *given, "--inventory", folder)
    assert done.returncode == 0, done.stderr
    shown = wsdlist("show", model).stdout
    assert "bank%1:17:01::  33.3%  sloping land" in shown
    assert "senses of WordNet 9.9" in wsdlist("validate", model).stdout
    scored = wsdlist("evaluate", model, fine, "--map", "supersenses", "--json").stdout
    assert '"senses": 2' in scored
    done = wsdlist("train", fine, *given, "--map", "supersenses")
    assert done.returncode == 0, done.stderr
    assert "noun.object" in wsdlist("show", model).stdout
    assert "unknown" not in wsdlist("evaluate", model, fine).stderr
    assert wsdlist("crossval", fine, "--map", "supersenses").returncode == 0
    other = tmp_path / "other.tsv"
    other.write_text("x\ty\n", encoding="utf-8")
    for command in (("train", fine), ("crossval", fine), ("evaluate", model, fine)):
        refused = wsdlist(*command, "--map", other)
        assert refused.returncode == 2, command
        assert "the map other.tsv has none of the senses, such as" in refused.stderr
    other.write_text("bank%1:17:01::\tland\n", encoding="utf-8")
    some = wsdlist("crossval", fine, "--map", other)
    assert "2 of 3 senses are in no group of other.tsv, such as 'bank%1:14:00::'" in some.stderr
    refused = wsdlist("train", fine, "--map", tmp_path / "none.tsv")
    assert refused.returncode == 2
    assert "there is no such file" in refused.stderr
    found = wsdlist("validate", fine, "--inventory", folder)
    assert found.returncode == 1
    assert "W208 A sense is not in the inventory: bank%1:17:00::, 4 instances" in found.stdout


def test_satellites_are_reported_and_merged_on_request(wsdlist: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(
        jsonl(
            [
                {"id": f"o{n}", "lexelt": "odd.a", "tokens": ["an", "odd", w], "target": 1}
                | {"senses": [f"odd%{kind}:00:00:strange:00"]}
                for n, (kind, w) in enumerate([(3, "man"), (5, "man's"), (5, "day"), (3, "way")])
            ]
        ),
        encoding="utf-8",
    )
    found = wsdlist("validate", path)
    assert "odd.a: W207 Two senses differ in %5 and %3 alone" in found.stdout
    assert "I304 Senses of adjectives are satellites: 1 of 2 keys have %5" in found.stdout
    model = tmp_path / "m.wsd"
    for given, n in (((), 2), (("--map", "satellites"), 1)):
        wsdlist("train", path, "--discount", 0.5, "--epsilon", 1, "--model", model, *given)
        assert f"odd.a: {n} senses" in wsdlist("show", model).stdout


def test_a_file_like_senses_tsv_is_an_inventory(fine: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(
        "lexelt\tsense\tkey\tgloss\nbank.n\tbank%1:17:01::\tk\tland\n", encoding="utf-8"
    )
    made = inventory_of(str(path), read(fine).train)
    assert (made.name, made.gloss("bank.n", "bank%1:17:01::")) == ("mine.tsv", "land")
