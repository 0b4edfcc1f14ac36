"""Files tagged from Python: text, records and CoNLL-U, and which of them a file is."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tests.conftest import LEXICAL_SAMPLE, seed_records
from wsdlist.data.corpus import Corpus
from wsdlist.errors import InputError
from wsdlist.models.model import Model
from wsdlist.models.tag_files import format_of, tag_conllu, tag_records, tag_text
from wsdlist.readers.jsonl import instance
from wsdlist.training.train import train

CONLLU = "".join(
    f"{number}\t{form}\t{form}\tNOUN\t_\t_\t_\t_\t_\t_\n"
    for number, form in enumerate(["the", "bank", "of", "the", "river"], start=1)
)


@pytest.fixture(scope="module")
def model() -> Model:
    corpus = Corpus([instance(record, record["id"]) for record in seed_records()])
    return train(corpus, features="light", discount=0.5, epsilon=0.5)


def stream(data: str | bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(data.encode() if isinstance(data, str) else data))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"The bank froze.", "text"),
        (b"", "text"),
        (b"{ this is prose }", "text"),
        (b'\n {"text": "a"}', "jsonl"),
        ('\ufeff{"text": "a"}'.encode("utf-16-le"), "jsonl"),
        (b"{}", "jsonl"),
        (CONLLU.encode(), "conllu"),
        (b"\xef\xbb\xbf# text = the bank\r\n" + CONLLU.replace("\n", "\r\n").encode(), "conllu"),
    ],
)
def test_the_first_bytes_tell_what_a_file_is_and_stay(data: bytes, name: str) -> None:
    file = stream(data)
    assert format_of(file) == name
    assert file.read() == data


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("id,left,target,right\n1,the,bank,froze\n", "concordance"),
        ("left\tkeyword\tright\nthe\tbank\tfroze\n", "concordance"),
        ("@relation t\n@attribute a {x,y}\n@data\nx\n", "arff"),
        ((LEXICAL_SAMPLE / "train.xml").read_text(encoding="utf-8")[:9000], "senseval"),
    ],
)
def test_what_looks_like_data_is_not_tagged_as_prose(data: str, name: str) -> None:
    with pytest.raises(InputError, match=rf"^f: looks like {name} .*say --format text"):
        format_of(stream(data), "f")


def test_prose_with_commas_is_text() -> None:
    assert format_of(stream("Well, the bank, as ever, froze.\nIt did, did it?\n")) == "text"


def test_rows_of_text_count_from_the_start_of_the_file(model: Model) -> None:
    text = "The bank froze.\n\nA muddy bank\nand a bank."
    paragraphs = list(tag_text(model, stream(text), "a.txt"))
    assert [len(rows) for rows in paragraphs] == [1, 2]
    for row in (row for rows in paragraphs for row in rows):
        assert text[row["start"] : row["end"]] == row["text"] == "bank"
        lines = text[: row["start"]].split("\n")
        assert (row["line"], row["column"]) == (len(lines), len(lines[-1]) + 1)
    assert len(list(tag_text(model, stream(text), "a.txt", by_line=True))) == 4


def test_records_get_what_was_found_and_keep_what_they_say(model: Model) -> None:
    given: list[dict[str, Any]] = [
        {"text": "The bank froze.", "mine": 1},
        {"lexelt": "bank.n", "tokens": ["the", "muddy", "bank"], "target": 2},
        {"lexelt": "bank.n", "tokens": ["the", "bank"], "target": 1, "sense": "row"},
    ]
    data = "".join(json.dumps(record) + "\n" for record in given)
    tagged = list(tag_records(model, stream(data), "a.jsonl"))
    text, item, known = [record for record, _ in tagged]
    assert text["mine"] == 1
    (annotation,) = text["annotations"]
    assert "The bank froze."[annotation["start"] : annotation["end"]] == "bank"
    assert item["sense"] == model.answer([instance(given[1], "a")])[0].sense
    assert (known["sense"], known["reason"], known["probability"]) == ("row", "given", None)
    assert [rows[0]["line"] for _, rows in tagged] == [1, 2, 3]


def test_a_bad_record_stops_or_goes_to_fail(model: Model) -> None:
    data = '{"text": 3}\n{"text": "The bank froze."}\n'
    with pytest.raises(InputError, match=r"a\.jsonl:1: the field 'text' is not a string"):
        list(tag_records(model, stream(data), "a.jsonl"))
    errors: list[InputError] = []
    (tagged,) = tag_records(model, stream(data), "a.jsonl", fail=errors.append)
    assert len(tagged[1]) == len(errors) == 1


def test_an_empty_sense_of_a_record_stays(model: Model) -> None:
    record = {"lexelt": "bank.n", "tokens": ["the", "bank"], "target": 1, "sense": ""}
    ((tagged, _),) = tag_records(model, stream(json.dumps(record)), "a.jsonl")
    assert (tagged["sense"], tagged["reason"]) == ("", "given")


def test_conllu_gets_senses_in_misc_and_stays_else(model: Model) -> None:
    data, (row,) = tag_conllu(model, CONLLU.encode(), "a.conllu", sense_key="S")
    lines, before = data.decode().split("\n"), CONLLU.split("\n")
    assert [n for n, line in enumerate(lines) if line != before[n]] == [1]
    assert lines[1].split("\t")[9] == f"S={row['sense']}|SProb={row['probability']:.4f}"
    assert (row["line"], row["start"], row["end"]) == (2, 1, 2)


def test_conllu_that_is_not_utf_8_is_refused(model: Model) -> None:
    with pytest.raises(InputError, match=r"a\.conllu: is not UTF-8: byte 3"):
        tag_conllu(model, b"1\ta\xff", "a.conllu")
