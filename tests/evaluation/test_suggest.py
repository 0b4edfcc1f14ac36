"""The next sentences to annotate: chosen by doubt, spread, and ready to come back."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, TABLES, Run, jsonl
from wsdlist.data.corpus import Instance
from wsdlist.data.folds import folded
from wsdlist.errors import ParameterError
from wsdlist.evaluation.suggest import suggest
from wsdlist.features.positions import At
from wsdlist.features.questions import Condition, Question
from wsdlist.models.editing import EditedRule, edited
from wsdlist.models.model import Model
from wsdlist.readers import read
from wsdlist.readers.words import only_words
from wsdlist.training.train import train

LEARNED: dict[str, Any] = {"features": "light", "discount": 0.9, "epsilon": 3.0}


@pytest.fixture(scope="module")
def model() -> Model:
    return train(read(LEXICAL_SAMPLE).train, **LEARNED)


@pytest.fixture(scope="module")
def unlabelled() -> list[Instance]:
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    return [replace(item, senses=()) for item in only_words(test)]


@pytest.fixture
def saved(model: Model, tmp_path: Path) -> Path:
    model.save(tmp_path / "m.wsd")
    return tmp_path / "m.wsd"


TEXT = """The crane lifted the load, and the clerk of the bank looked on.

She sat on the bank of the river. A =crane= flew up.
"""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "letter.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "letter.txt"


def test_what_the_model_is_least_sure_of_comes_first_among_equals(model: Model) -> None:
    sure = Instance("1", "crane.n", ("a", "crane", "at", "the", "port"), (1, 2))
    unsure = Instance("2", "crane.n", ("by", "crane", "it", "was", "done"), (1, 2))
    made = suggest(model, [sure, unsure])
    assert [one.instance.id for one in made] == ["2", "1"]
    assert made[0].entropy > made[1].entropy
    P = made[0].answer.distribution.values()
    assert sum(P) == pytest.approx(1)


def test_choices_are_spread_over_rules(model: Model, unlabelled: list[Instance]) -> None:
    made = suggest(model, [i for i in unlabelled if i.lexelt == "crane.n"], 20)
    chosen = Counter(one.answer.question for one in made)
    assert len(chosen) > 4
    surest = sorted(made, key=lambda one: one.entropy)
    assert surest[0].entropy < max(one.entropy for one in made) / 2


def test_near_copies_and_what_was_annotated_are_not_suggested(
    model: Model, unlabelled: list[Instance]
) -> None:
    crane = [i for i in unlabelled if i.lexelt == "crane.n"][:5]
    copies = [replace(i, id=f"{i.id}-copy", forms=tuple(map(str.upper, i.forms))) for i in crane]
    assert len(suggest(model, [*crane, *copies])) == 5
    annotated = [replace(i, senses=("bird",)) for i in copies[:2]]
    made = suggest(model, [*crane, *annotated])
    assert {one.instance.id for one in made} == {i.id for i in crane[2:]}


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 30))
def test_the_order_of_texts_does_not_matter_and_fewer_are_the_first_of_more(
    model: Model, unlabelled: list[Instance], random: Any, number: int
) -> None:
    some = unlabelled[::9]
    shuffled = random.sample(some, len(some))
    ids = [one.instance.id for one in suggest(model, some, 40)]
    assert [one.instance.id for one in suggest(model, shuffled, number)] == ids[:number]
    folds = [folded(one.instance) for one in suggest(model, some, 40)]
    assert len(set(folds)) == len(folds)


def test_what_has_no_expert_or_no_doubt_is_not_suggested(unlabelled: list[Instance]) -> None:
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = [
        item for item in corpus if item.lexelt == "bass.n" or item.senses == ("bird",)
    ]
    one_sense = train(corpus, **LEARNED)
    assert {one.instance.lexelt for one in suggest(one_sense, unlabelled)} == {"bass.n"}
    with pytest.raises(ParameterError, match="number is 0"):
        suggest(one_sense, unlabelled, 0)


def test_the_rules_of_an_edited_list_stand_for_what_was_annotated(model: Model) -> None:
    expert = model["crane.n"]
    rules = [EditedRule(rule.question, rule.sense) for rule in expert.rules]
    tower = Question((Condition(At(-1), "word", "tower"),))
    new = edited(
        expert, [EditedRule(tower, "machine", 0.8), *rules], EditedRule(Question(), "machine")
    )
    some = Model({"crane.n": new}, model.meta)
    one, other = (
        Instance(str(n), "crane.n", (word, "crane", "it"), (1, 2))
        for n, word in enumerate(("tower", "paper"))
    )
    assert [s.instance.id for s in suggest(some, [one, other])] == ["1", "0"]


def rows(printed: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(printed), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_from_text_to_a_table_and_back_through_train(
    saved: Path, text: Path, wsdlist: Run, tmp_path: Path
) -> None:
    done = wsdlist("suggest", saved, text)
    assert done.returncode == 0, done.stderr
    assert "4 of 4 occurrences without a sense" in done.stderr
    assert "crane.n: bird; machine" in done.stderr
    made = {row["id"].rpartition(":")[2]: row for row in rows(done.stdout)}
    for start, row in made.items():
        assert TEXT[int(start) :].startswith(row["target"])
        assert row["document"] == str(text)
        assert row["sense"] == ""
    flying = made[str(TEXT.index("crane="))]
    assert (flying["left"], flying["target"]) == ("She sat on the bank of the river. A =", "crane")
    assert flying["right"] == " = flew up."  # no formula
    # a person fills in the senses, and the lines are learned from
    senses = {"crane.n": "machine", "bank.n": "shore"}
    lines = done.stdout.splitlines()
    filled = [lines[0]]
    for line in lines[1:]:
        cells = line.split("\t")
        cells[2] = senses[cells[1]]
        filled.append("\t".join(cells))
    table = tmp_path / "annotated.tsv"
    table.write_text("\n".join(filled) + "\n", encoding="utf-8")
    known = only_words(read([table]).train)
    assert Counter(item.senses for item in known) == {("machine",): 2, ("shore",): 2}
    assert {item.target_form for item in known} == {"crane", "bank"}
    given = ("--features", "light", "--discount", "0.9", "--epsilon", "3")
    done = wsdlist("train", LEXICAL_SAMPLE / "train.xml", table, *given)
    assert "columns left out: guess, probability, entropy, rule" in done.stderr
    assert done.returncode == 0
    # and what is annotated is not suggested again
    again = wsdlist("suggest", saved, text, table)
    assert "0 of 4 occurrences" in again.stderr


def test_the_instances_of_a_corpus_without_a_sense_are_chosen_from(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    records = [
        {"id": str(n), "lexelt": "crane.n", "tokens": ["the", f"x{n}", "crane"], "target": 2}
        for n in range(6)
    ]
    records[0]["senses"] = ["bird"]
    file = tmp_path / "some.jsonl"
    file.write_text(jsonl(records), encoding="utf-8")
    done = wsdlist("suggest", saved, file, "--number", "3", "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert '"id": "0"' not in done.stdout


def test_conllu_and_packed_text_are_texts(saved: Path, wsdlist: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.conllu"
    words = ["the", "crane", "flew"]
    lines = [f"{n}\t{word}\t{word}\t_\t_\t_\t0\t_\t_\t_" for n, word in enumerate(words, 1)]
    file.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    (row,) = rows(wsdlist("suggest", saved, file).stdout)
    assert (row["left"], row["target"], row["right"]) == ("the", "crane", "flew")
    packed = tmp_path / "t.txt.gz"
    packed.write_bytes(gzip.compress(b"A crane, a list, a comma, and a crane."))
    assert len(rows(wsdlist("suggest", saved, packed).stdout)) == 2
    done = wsdlist("suggest", saved, packed, "--words", "bank")
    assert "0 of 0 occurrences" in done.stderr


def test_what_cannot_be_annotated_is_refused(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.wsd"
    wsdlist("train", TABLES / "contact-lenses.arff", "--discount", "0.5", "--model", table)
    for call, said in (
        (("suggest", table, saved), "the model is not of words with senses"),
        (("suggest", saved, tmp_path / "none.txt"), "none.txt: there is no such file"),
        (("suggest", saved, saved), "is binary, or UTF-16"),
        (("suggest", saved, table, "--words", "ounce"), "has no word 'ounce'"),
    ):
        done = wsdlist(*call)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr


def test_documents_of_conllu_have_ids_of_their_own(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    document = "# newdoc\n1\ta\ta\t_\t_\t_\t0\t_\t_\t_\n2\tcrane\tcrane\t_\t_\t_\t0\t_\t_\t_\n"
    file = tmp_path / "p.conllu"
    more = [document, document.replace("\ta\ta", "\tno\tno"), document.replace("\ta\ta", "\tx\tx")]
    file.write_text("\n".join(more) + "\n", encoding="utf-8")
    made = rows(wsdlist("suggest", saved, file).stdout)
    assert sorted(row["id"] for row in made) == [f"{file}:{n}" for n in (1, 3, 5)]


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_hash_seed_changes_nothing(
    seed: str, saved: Path, process: Run, wsdlist: Run, tmp_path: Path
) -> None:
    text = tmp_path / "t.txt"
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    text.write_text("\n\n".join(" ".join(i.forms) for i in only_words(test)), encoding="utf-8")
    call = ("suggest", saved, text, "--number", "200")
    assert process(*call, PYTHONHASHSEED=seed).stdout == wsdlist(*call).stdout


def test_quotation_marks_survive_a_spreadsheet(saved: Path, wsdlist: Run, tmp_path: Path) -> None:
    text = tmp_path / "q.txt"
    quoted = [
        'They call it a "bank" of sorts.',
        'He went to "the bank" again.',
        '"Bank on it," he.',
    ]
    text.write_text("\n\n".join([*quoted, "=SUM(A1) bank of lights."]), encoding="utf-8")
    printed = wsdlist("suggest", saved, text).stdout
    # a spreadsheet reads it, a person fills it in, and the spreadsheet writes it
    table = list(csv.reader(io.StringIO(printed), delimiter="\t"))
    assert {len(row) for row in table} == {11}
    for row in table[1:]:
        row[2] = "shore"
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(table)
    file = tmp_path / "q.tsv"
    file.write_text(out.getvalue(), encoding="utf-8")
    assert '""' in out.getvalue()
    corpus = read([file]).train
    assert any("quotation marks of a spreadsheet" in kind for kind in corpus.repairs)
    found = {(item.text or "").strip().replace('bank "', 'bank"') for item in only_words(corpus)}
    assert found == {*quoted, "=SUM(A1) bank of lights."}
    assert {item.senses for item in corpus} == {("shore",)}


def test_a_corpus_without_the_models_words_is_refused(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    records = [{"id": "1", "lexelt": "ounce.n", "tokens": ["an", "ounce"], "target": 1}]
    (tmp_path / "c.jsonl").write_text(jsonl(records), encoding="utf-8")
    done = wsdlist("suggest", saved, tmp_path / "c.jsonl")
    assert done.returncode == 2
    assert "has ounce.n, and none of the model's words; the model has bank.n" in done.stderr


def test_text_without_spaces_is_shown_too(saved: Path, wsdlist: Run, tmp_path: Path) -> None:
    text = tmp_path / "zh.txt"
    text.write_text(
        "\u4eca\u5929\u3002" * 300 + " bank " + "\u4eca\u5929\u3002" * 300, encoding="utf-8"
    )
    (row,) = rows(wsdlist("suggest", saved, text).stdout)
    assert min(len(row["left"]), len(row["right"])) > 300
