"""Names that are canonically equivalent are one name, wherever one is kept or looked up."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Run, jsonl, seed_records
from wsdlist import CoarseMap, Corpus, Instance, Row, load, read, score_files, train
from wsdlist.inventories.glosses import read_inventory

LEARNED: dict[str, Any] = {"features": "light", "discount": 0.9, "epsilon": 0.0}
WORD, MONEY, SHORE = "bänk.n", "gelt-é", "küste"


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def records(spell: Callable[[str], str], ids: str = "s") -> list[dict[str, Any]]:
    """Return the seed records with names that are not ASCII, spelt in a form of Unicode."""
    names = {"money": MONEY, "shore": SHORE}
    return [
        {
            **record,
            "id": spell(f"{ids}ö{number}"),
            "lexelt": spell(WORD),
            "senses": [spell(names[record["senses"][0]])],
        }
        for number, record in enumerate(seed_records())
    ]


def corpus_of(path: Path, *parts: list[dict[str, Any]]) -> Corpus:
    path.write_text(jsonl([*chain.from_iterable(parts)]), encoding="utf-8")
    return read(path).train


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=3))
def test_items_are_the_same_whatever_the_form_of_their_names(word: str, names: list[str]) -> None:
    def both(spell: Callable[[str], str]) -> tuple[Instance, Row]:
        cells = tuple(map(spell, names))
        target = cells[-1] if cells else None
        row = Row(word, spell(word), cells, cells, cells, numeric=frozenset(cells), target=target)
        return Instance(word, spell(word), ("a",), (0, 1), cells), row

    assert both(nfc) == both(nfd)


def test_half_and_half_is_one_word_with_its_senses(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "c.jsonl", records(nfc, "a"), records(nfd, "b"))
    model = train(corpus, **LEARNED)
    assert list(model) == [WORD]
    assert model[WORD].senses == tuple(sorted((MONEY, SHORE)))
    assert model[nfd(WORD)] is model[WORD]
    assert nfd(WORD) in model
    assert nfd("nie.n") not in model


def test_a_model_meets_a_corpus_in_the_other_form(wsdlist: Run, tmp_path: Path) -> None:
    composed, apart = tmp_path / "c.jsonl", tmp_path / "d.jsonl"
    corpus_of(composed, records(nfc))
    corpus_of(apart, records(nfd))
    path = tmp_path / "m.wsd"
    train(read(composed).train, **LEARNED).save(path)
    shown = [wsdlist("evaluate", path, corpus).stdout for corpus in (composed, apart)]
    assert shown[0] == shown[1]
    assert "\n" + WORD in shown[0]
    assert wsdlist("show", path, nfd(WORD)).stdout == wsdlist("show", path, WORD).stdout
    assert wsdlist("show", path, nfd("bänk")).returncode == 0
    answer = load(path).answer([Instance("x", nfd(WORD), ("the", "bänk"), (1, 2))])[0]
    assert answer.sense in (MONEY, SHORE)


def test_blanks_at_the_edges_of_names_are_taken_away_and_counted(tmp_path: Path) -> None:
    mended = [
        {**r, "lexelt": f" {r['lexelt']}\t", "senses": [f"{r['senses'][0]} "]} for r in records(nfc)
    ]
    corpus = corpus_of(tmp_path / "c.jsonl", records(nfc, "a"), mended)
    assert {item.lexelt for item in corpus} == {WORD}
    assert {sense for item in corpus for sense in item.senses} == {MONEY, SHORE}
    assert corpus.repairs == {"items whose names had blanks at their edges": len(mended)}


def test_names_that_look_alike_are_said(wsdlist: Run, tmp_path: Path) -> None:
    capital = [{**r, "senses": [r["senses"][0].upper()]} for r in records(nfc, "b")]
    path = tmp_path / "c.jsonl"
    corpus_of(path, records(nfc), capital)
    said = f"senses of {WORD} that differ only by case or blanks: '{SHORE.upper()}', '{SHORE}'"
    assert said in wsdlist("train", path, "--features", "light", "--discount", "0.9").stderr
    done = wsdlist("validate", path)
    assert (
        f"W209 Names differ only by case or blanks: '{MONEY.upper()}' and '{MONEY}'\n"
        in done.stdout
    )
    assert done.returncode == 1


def test_keys_maps_and_inventories_name_the_same(tmp_path: Path) -> None:
    without = [{k: v for k, v in record.items() if k != "senses"} for record in records(nfc)]
    data, key = tmp_path / "c.jsonl", tmp_path / "c.key"
    corpus_of(data, without)
    lines = [f"{nfd(WORD)} {r['id']} {r['senses'][0]}\n" for r in records(nfd)]
    key.write_text("".join(lines), encoding="utf-8")
    corpus = read(data, keys=[key]).train
    assert {sense for item in corpus for sense in item.senses} == {MONEY, SHORE}
    assert CoarseMap("m", {nfd(MONEY): nfd("größe")})(MONEY) == "größe"
    senses = tmp_path / "senses.tsv"
    senses.write_text(f"lexelt\tsense\tkey\tgloss\n{nfd(WORD)}\t{nfd(MONEY)}\t\tGeld\n", "utf-8")
    assert read_inventory(senses).gloss(WORD, MONEY) == "Geld"


def test_scorers_know_ids_and_senses_in_either_form(tmp_path: Path) -> None:
    key, answers = tmp_path / "gold.key", tmp_path / "answers.key"
    key.write_text(f"dö.1 {MONEY}\n", encoding="utf-8")
    answers.write_text(nfd(f"dö.1 {MONEY}\n"), encoding="utf-8")
    (report,) = score_files(key, [answers])
    assert report.total.f1 == 1.0


@pytest.mark.parametrize("columns", ["a ,b", "left, target ,right,sense"])
def test_blanks_at_the_edges_of_column_names_are_counted(columns: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    n_columns = len(columns.split(","))
    path.write_text(f"{columns}\n{','.join(['x'] * n_columns)}\n", encoding="utf-8")
    assert read(path).train.repairs["column names with blanks at their edges"] == 1


def test_columns_and_values_of_tables_have_one_form(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{nfd('größe')},klasse\n{nfd('müde')},a\nmüde,a\nwach,b\n", encoding="utf-8")
    rows = list(read(path, columns={"größe": "nominal"}).train)
    assert {row.values[0] for row in rows if isinstance(row, Row)} == {"müde", "wach"}
    (by_class, *_) = read(path, class_name="größe").train
    assert by_class.senses == ("müde",)
    arff = tmp_path / "t.arff"
    head = f"@relation t\n@attribute {nfd('größe')} {{müde,wach}}\n@attribute k {{a,b}}\n@data\n"
    arff.write_text(f"{head}{nfd('müde')},a\nwach,b\n", encoding="utf-8")
    (row, _) = read(arff).train
    assert isinstance(row, Row)
    assert (row.names, row.values) == (("größe",), ("müde",))
