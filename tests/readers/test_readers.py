"""Corpora as they lie: the released files, and the inputs that broke other tools."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, TABLES, jsonl, seed_records, senseval
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import InputError, ParameterError, WsdlistError
from wsdlist.readers import FORMATS, read
from wsdlist.readers import jsonl as jsonl_format
from wsdlist.readers.sources import Source, decode


def write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def texts(corpus: Corpus) -> list[tuple[str, ...]]:
    return [i.forms for i in corpus if isinstance(i, Instance)]


def only(path: Path, **given: Any) -> Instance:
    (one,) = read([path], **given).train.instances
    assert isinstance(one, Instance)
    return one


def context(markup: str, answer: str = '<answer senseid="a"/>') -> str:
    return (
        f'<lexelt item="w.n"><instance id="i">{answer}'
        f"<context>{markup}</context></instance></lexelt>"
    )


KEY = "".join(f"bank {r['id']} {r['senses'][0]}\n" for r in seed_records())


# -- 1: line ends --


@pytest.mark.parametrize("xml_end", ["\n", "\r\n"])
@pytest.mark.parametrize("key_end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(tmp_path: Path, xml_end: str, key_end: str) -> None:
    write(tmp_path / "bank.xml", senseval(seed_records(), answers=False).replace("\n", xml_end))
    write(tmp_path / "bank.key", KEY.removesuffix("\n").replace("\n", key_end))
    corpus = read([tmp_path]).train
    assert [i.senses for i in corpus] == [(r["senses"][0],) for r in seed_records()]
    assert texts(corpus) == [tuple(r["tokens"]) for r in seed_records()]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_tables(tmp_path: Path, end: str) -> None:
    path = write(tmp_path / "t.tsv", end.join(["place\tsense", "river\tshore", "town\tmoney"]))
    assert [i.senses for i in read([path]).train] == [("shore",), ("money",)]


# -- 2: byte-order marks --


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("seed.jsonl", jsonl(seed_records())),
        ("seed.xml", senseval(seed_records())),
        ("t.tsv", "id\tsense\na\tb\n"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_text(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    text = text.replace('encoding="UTF-8"', f'encoding="{encoding.removesuffix("-sig")}"')
    plain = read([write(tmp_path / "plain" / name, text.replace("utf-16", "utf-8"))]).train
    marked = read([write(tmp_path / "marked" / name, text.encode(encoding))]).train
    assert [i.senses for i in marked] == [i.senses for i in plain]
    assert [i.id for i in marked] == [i.id for i in plain]


def test_utf_16_without_its_mark_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", jsonl(seed_records()).encode("utf-16-le"))
    with pytest.raises(InputError, match="UTF-16 without a byte-order mark"):
        read([path])


# -- 3: a lone quotation mark --


def test_a_lone_quote_in_tsv_is_a_quote(tmp_path: Path) -> None:
    rows = ["context\tsense", "a\tx", '"we tied the boat\ty', "c\tx", "d\ty"]
    corpus = read([write(tmp_path / "t.tsv", "\n".join(rows))]).train
    assert len(corpus) == 4
    assert corpus.instances[1].values == ('"we tied the boat',)  # type: ignore[union-attr]


def test_a_quote_never_closed_in_csv_is_an_error_where_it_opened(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'a,b\n1,2\n"x,y\n3,4\n')
    with pytest.raises(InputError, match=r"t\.csv:3: a quotation mark opens a value"):
        read([path])
    assert len(read([path], on_error="skip").train) == 2


def test_csv_quoting(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'a,b,c\n"x, ""y""\nz",?,w\n')
    (row,) = read([path]).train.instances
    assert row.values == ('x, "y"\nz', None)  # type: ignore[union-attr]


# -- 4: line separators inside a value --

SEPARATORS = "\u0085\u2028\u2029"


def test_only_newline_ends_a_record(tmp_path: Path) -> None:
    record = seed_records()[0]
    record["tokens"][0] = f"she{SEPARATORS}\x0b\x0c\x1c\x1e"
    line = json.dumps(record, ensure_ascii=False)
    assert any(c in line for c in SEPARATORS)
    corpus = read([write(tmp_path / "s.jsonl", line + "\n" + "{}\n")], on_error="skip").train
    assert texts(corpus) == [tuple(record["tokens"])]
    assert corpus.skipped[0].where.endswith("s.jsonl:2")


@pytest.mark.parametrize("separator", [*SEPARATORS, "\x0b", "\x0c", "\x1c"])
def test_only_newline_ends_a_line_of_a_key_or_table(tmp_path: Path, separator: str) -> None:
    write(tmp_path / "bank.xml", senseval(seed_records(), answers=False))
    write(tmp_path / "bank.key", KEY.replace("money\n", f"money !! a{separator}b c\n", 1))
    assert all(i.senses for i in read([tmp_path]).train)
    table = write(tmp_path / "t.tsv", f"a\tb\nx{separator}y\tz\n")
    (row,) = read([table]).train.instances
    assert row.values == (f"x{separator}y",)  # type: ignore[union-attr]


# -- 5: one bad line --

BAD_LINES = [
    ('{"id":"x"', "not JSON"),
    ("{}", "'lexelt'"),
    ('{"id": "x", "id": "y"}', "'id' stands here twice"),
    (json.dumps({**seed_records()[0], "id": "x", "senses": ["\ud800"]}), "surrogate"),
    ('{"id": ' + "9" * 5000 + "}", "too large"),
    ("[]", "not an object"),
    ("null", "not an object"),
    *(
        (json.dumps({**seed_records()[0], "id": "x", **bad}), said)
        for bad, said in cast(
            "list[tuple[dict[str, Any], str]]",
            [
                ({"target": 99}, "'target' points outside"),
                ({"target": -1}, "'target' points outside"),
                ({"target": "bank"}, "'target'"),
                ({"target": [2, 2]}, "marks no token"),
                ({"target": True}, "'target'"),
                ({"senses": "money"}, "'senses'"),
                ({"senses": []}, "'senses'"),
                ({"senses": [None]}, "'senses'"),
                ({"tokens": []}, "'tokens'"),
                ({"tags": ["NN"]}, "'tags' has 1 items"),
                ({"text": "the bank"}, "both of the fields"),
                ({"lexelt": 3}, "'lexelt'"),
                ({"satellites": [99]}, "'satellites'"),
                ({"document": 1}, "'document'"),
                ({"tokens": ["", "a"], "target": 1}, "'tokens' is or holds nothing"),
                ({"sentences": [99]}, "'sentences'"),
                ({"heads": [[0, 99]]}, "'heads' points outside"),
                ({"id": "s01"}, "used before"),
            ],
        )
    ),
]


@pytest.mark.parametrize(("line", "said"), BAD_LINES)
def test_one_bad_line_is_named_and_can_be_skipped(tmp_path: Path, line: str, said: str) -> None:
    lines = jsonl(seed_records()).splitlines()
    lines[5:5] = ["", "", "", line]  # so it stands in line 9
    path = write(tmp_path / "s.jsonl", "\n".join(lines) + "\n")
    with pytest.raises(InputError, match=said) as caught:
        read([path])
    assert str(caught.value).startswith(f"{path}:9: ")
    assert "\n" not in str(caught.value)
    corpus = read([path], on_error="skip").train
    assert [i.id for i in corpus] == [r["id"] for r in seed_records()]
    assert len(corpus.skipped) == 1


# -- 6: entities and debris in old XML --


def test_entities_and_debris(tmp_path: Path) -> None:
    text = (
        "caf&eacute; &mdash; &bquo; &#38; R&D AT&amp;T a < b [hi]old[/hi] 2&frac12 ; "
        "over<head>bank</head>ed <head>banks</head>"
    )
    path = write(tmp_path / "s.xml", context(text))
    corpus = read([path]).train
    (one,) = corpus.instances
    assert isinstance(one, Instance)
    expected = "café — &bquo; & R & D AT & T a < b old 2½ over bank ed banks"
    assert list(one.forms) == expected.split(" ")
    assert one.target_form == "bank"
    assert [one.forms[start:end] for start, end in one.heads] == [("bank",), ("banks",)]
    assert corpus.repairs == {
        "character references resolved": 4,
        "character references without semicolon resolved": 1,
        "unknown character references kept as written": 1,
        "bare & kept as written": 1,
        "bracket markup dropped": 2,
        "heads glued to a word": 2,
        "instances with several heads (the first is the target)": 1,
    }


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("a <head></head> b", "empty head"),
        ("a <head> </head> b", "empty head"),
        ("a bank b", "no head"),
    ],
)
def test_a_head_must_be_there(tmp_path: Path, markup: str, said: str) -> None:
    path = write(tmp_path / "s.xml", "\n\n" + context(markup))
    with pytest.raises(InputError, match=said) as caught:
        read([path])
    assert str(caught.value).startswith(f"{path}:3: instance 'i'")


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        ('<lexelt item="w"><instance><context><head>w</head></context></instance>', "no id"),
        ('<instance id="i"><context><head>w</head></context></instance>', "no lexelt"),
        ('<lexelt item="w"><instance id="i"></instance>', "no context"),
        ('<lexelt item="w"><instance id="i"><context><head>w</head>', "ends inside it"),
        (
            '<lexelt item="w"><instance id="i"><context><head>w</head></context>'
            '<instance id="j"><context><head>w</head></context></instance>',
            "is not closed",
        ),
    ],
)
def test_broken_instances_are_named(tmp_path: Path, xml: str, said: str) -> None:
    path = write(tmp_path / "s.xml", xml)
    with pytest.raises(InputError, match=said):
        read([path])


def test_satellites_belong_to_the_head_that_names_them(tmp_path: Path) -> None:
    text = (
        '<head sats="call_for.018:0">called</head> <sat id="call_for.018:0">for</sat> '
        'an end <sat id="other">to</sat>'
    )
    one = only(write(tmp_path / "s.xml", context(text)))
    assert [one.forms[n] for n in one.satellites] == ["for"]


def test_a_declared_entity_is_never_expanded(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "boom boom">'
        '<!ENTITY x SYSTEM "file:///etc/passwd">]>' + context("&a; &x; <head>w</head>")
    )
    assert only(write(tmp_path / "s.xml", text)).forms == ("&a;", "&x;", "w")


def test_latin_1_is_windows_1252(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?>' + context("caf\xe9 \x97 <head>w</head>")
    corpus = read([write(tmp_path / "s.xml", text.encode("latin-1"))]).train
    assert texts(corpus) == [("café", "—", "w")]
    assert corpus.repairs == {"iso-8859-1 bytes read as Windows-1252": 1}


def test_bytes_that_are_not_utf_8_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "s.xml", context("caf\xe9 <head>w</head>").encode("latin-1"))
    corpus = read([path]).train
    assert texts(corpus) == [("café", "w")]
    assert sum(corpus.repairs.values()) == 1


# -- 7: several gold senses --


def test_gold_is_a_set(tmp_path: Path) -> None:
    write(tmp_path / "bank.xml", senseval(seed_records()[:6], answers=False))
    lines = ["s01 money shore", "s02 money money", "s03 money;shore", "s04 P money", "s05 U", "s06"]
    write(tmp_path / "bank.key", "".join(f"bank {line}\n" for line in lines))
    corpus = read([tmp_path]).train
    assert [i.senses for i in corpus] == [
        ("money", "shore"),
        ("money",),
        ("money;shore",),  # an opaque label: the semicolon joins nothing in this format
        ("P", "money"),
        ("U",),
        (),
    ]
    assert [corpus.labels(i) for i in corpus][3:] == [("money",), (), ()]


def test_u_and_p_are_ordinary_labels_elsewhere(tmp_path: Path) -> None:
    record = {**seed_records()[0], "senses": ["U", "P"]}
    corpus = read([write(tmp_path / "s.jsonl", jsonl([record]))]).train
    assert corpus.labels(corpus.instances[0]) == ("U", "P")


# -- 13: nothing there --


@pytest.mark.parametrize("content", ["", "\n", " \n\n"])
@pytest.mark.parametrize("name", ["s.jsonl", "s.xml", "s.csv", "s.txt"])
def test_an_empty_file_is_a_clear_error(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(InputError, match="is empty"):
        read([write(tmp_path / name, content)])


def test_a_folder_without_a_corpus_is_a_clear_error(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt", "no corpus")
    with pytest.raises(InputError, match="holds no instance"):
        read([tmp_path])


def test_what_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read([tmp_path / "nobody.xml"])


# -- 16: labels come back whole --

LABELS = ["a", "ab", "bank%1:14:00::", "x" * 300, "岸", "a b"]


def test_labels_come_back_as_given(tmp_path: Path) -> None:
    from wsdlist.models.model import load
    from wsdlist.training.train import train

    records = [
        {**seed_records()[n % 12], "id": f"{n}", "senses": [label]}
        for n, label in enumerate(LABELS * 3)
    ]
    corpus = read([write(tmp_path / "s.jsonl", jsonl(records))]).train
    assert {s for i in corpus for s in i.senses} == set(LABELS)
    train(corpus, features="light").save(tmp_path / "m.wsd")
    assert set(load(tmp_path / "m.wsd")["bank.n"].senses) == set(LABELS)


# -- compression, archives, folders, formats --


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)],
)
def test_compressed_files(tmp_path: Path, suffix: str, pack: Any) -> None:
    path = write(tmp_path / f"s.jsonl{suffix}", pack(jsonl(seed_records()).encode()))
    assert len(read([path]).train) == 12
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="cannot be unpacked"):
        read([path])


def test_zip_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr("a/s.jsonl", jsonl(seed_records()))
        archive.writestr("a/notes", "read me")
        archive.writestr("a/test.jsonl", jsonl(seed_records()[:2]))
        archive.writestr("a/senses.tsv", "lexelt\tsense\tkey\tgloss\nbank.n\tmoney\t\t\n")
        archive.writestr("a/picture.png", b"\x89PNG\0\0")
    parts = read(tmp_path / "s.zip")
    assert parts.test is not None
    assert (len(parts.train), len(parts.test)) == (12, 2)
    assert parts.ignored == [f"{tmp_path}/s.zip/a/{name}" for name in ("notes", "picture.png")]


def test_a_folder_has_parts(tmp_path: Path) -> None:
    write(tmp_path / "bank.train.jsonl", jsonl(seed_records()[:9]))
    write(tmp_path / "bank.test.jsonl", jsonl(seed_records()[9:]))
    parts = read([tmp_path])
    assert parts.test is not None
    assert (len(parts.train), len(parts.test)) == (9, 3)


@pytest.mark.parametrize(
    ("name", "test"),
    [("contest", False), ("latest", False), ("eval-1", True), ("testset", True), ("tests", True)],
)
def test_test_parts_are_told_by_whole_words(tmp_path: Path, name: str, test: bool) -> None:
    write(tmp_path / "a.jsonl", jsonl(seed_records()[:3]))
    write(tmp_path / f"{name}.jsonl", jsonl(seed_records()[3:]))
    assert (read([tmp_path]).test is not None) == test


@pytest.mark.parametrize("given_", [form.name for form in FORMATS if form.name != "jsonl"])
def test_a_wrong_format_names_both(tmp_path: Path, given_: str) -> None:
    path = write(tmp_path / "s.txt", jsonl(seed_records()))
    with pytest.raises(InputError, match=rf"is not {given_} but, by its content, jsonl; .*"):
        read([path], format=given_)


def test_keys_belong_to_the_part_their_name_says(tmp_path: Path) -> None:
    """Both parts count their instances alike; a key may be tab-separated."""
    for part, sense in (("train", "money"), ("test", "shore")):
        write(tmp_path / f"bank.{part}.xml", senseval(seed_records(), answers=False))
        lines = "".join(f"bank\t{r['id']}\t{sense}\n" for r in seed_records())
        write(tmp_path / f"bank.{part}.key", lines)
    parts = read(tmp_path)
    assert parts.test is not None
    assert {i.senses for i in parts.train} == {("money",)}
    assert {i.senses for i in parts.test} == {("shore",)}


def test_keys_that_do_not_agree_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "bank.xml", senseval(seed_records(), answers=False))
    write(tmp_path / "a.key", KEY)
    write(tmp_path / "b.key", KEY.replace("money", "shore"))
    with pytest.raises(InputError, match=r"b\.key: the keys do not agree on 's01'"):
        read(tmp_path)


def test_a_folder_with_a_test_part_alone_keeps_its_key(tmp_path: Path) -> None:
    write(tmp_path / "bank.test.xml", senseval(seed_records(), answers=False))
    write(tmp_path / "bank.test.key", KEY)
    assert all(i.senses for i in read(tmp_path).train)


def test_a_key_brings_its_markers_and_says_what_was_not_used(tmp_path: Path) -> None:
    bare = [{k: v for k, v in r.items() if k != "senses"} for r in seed_records()]
    corpus = write(tmp_path / "s.jsonl", jsonl(bare))
    key = write(tmp_path / "s.key", "bank s01 P money\nbank zz9 money\n")
    parts = read(corpus, keys=[key])
    assert parts.train.labels(parts.train.instances[0]) == ("money",)
    assert parts.notes == ["1 lines of keys not used: no such instance, or it has its own senses"]


def test_a_model_or_picture_in_the_folder_is_ignored(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", jsonl(seed_records()))
    write(tmp_path / "m.wsd", b"SQLite format 3\0\0\0")
    parts = read(tmp_path)
    assert len(parts.train) == 12
    assert parts.ignored == [str(tmp_path / "m.wsd")]


def test_tables_named_after_their_parts_take_the_folders_name(tmp_path: Path) -> None:
    write(tmp_path / "car" / "train.csv", "a,b\nx,y\n")
    write(tmp_path / "car" / "test.csv", "a,b\nx,z\n")
    parts = read(tmp_path / "car")
    assert parts.test is not None
    assert {i.lexelt for i in (*parts.train, *parts.test)} == {"car"}
    assert parts.test.instances[0].place.endswith("test.csv:2")


def test_tables_and_words_do_not_go_together(tmp_path: Path) -> None:
    words = write(tmp_path / "s.jsonl", jsonl(seed_records()))
    table = write(tmp_path / "t.csv", "a,b\nx,y\n")
    with pytest.raises(InputError, match="do not go together"):
        read([words, table])
    parts = read(tmp_path)  # found there, and not named
    assert (len(parts.train), parts.ignored) == (12, [str(table)])


def test_an_inventory_is_no_corpus(tmp_path: Path) -> None:
    path = write(tmp_path / "senses.tsv", "lexelt\tsense\tkey\tgloss\nbank.n\tmoney\t\t\n")
    with pytest.raises(InputError, match="is an inventory"):
        read(path)


def test_a_bad_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", "[]\n" + jsonl(seed_records()))
    with pytest.raises(InputError, match=r"s\.jsonl:1: the record is not an object"):
        read(path)
    assert len(read(path, on_error="skip").train) == 12
    table = write(tmp_path / "t.csv", "a,b\nx,y,z\n1,2\n3,4\n")
    with pytest.raises(InputError, match=r"t\.csv:2: the row has 3 values for 2"):
        read(table)


def test_when_all_of_training_is_bad_the_test_part_does_not_become_it(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", "{}\n{}\n")
    write(tmp_path / "test.jsonl", jsonl(seed_records()))
    with pytest.raises(InputError, match="2 records were left out"):
        read(tmp_path, on_error="skip")


def test_one_stray_byte_is_one_repair(tmp_path: Path) -> None:
    data = context("café 岸 \udc96 <head>w</head>").encode("utf-8", "surrogateescape")
    corpus = read(write(tmp_path / "s.xml", data)).train
    assert texts(corpus) == [("café", "岸", "–", "w")]
    assert corpus.repairs == {"bytes that are not utf-8 read as Windows-1252": 1}


def test_markup_in_attributes_and_comments(tmp_path: Path) -> None:
    text = "<!-- \n" + context("<head>x</head>").replace('"i"', '"out"') + " -->\n"
    path = write(tmp_path / "s.xml", text + context("<head>w</head>", '<answer senseid="a>b"/>'))
    (one,) = read(path).train.instances
    assert (one.id, one.senses, one.place) == ("i", ("a>b",), f"{path}:3")


@pytest.mark.parametrize(
    ("field", "value"), [("satellites", [1]), ("tags", ["NN"]), ("sentences", [0, 2])]
)
def test_what_counts_tokens_needs_tokens(tmp_path: Path, field: str, value: Any) -> None:
    record = {"id": "1", "lexelt": "w", "text": "the bank", "target": [4, 8], field: value}
    with pytest.raises(InputError, match=f"{field!r} counts tokens"):
        read(write(tmp_path / "s.jsonl", jsonl([record])))


def test_unknown_formats(tmp_path: Path) -> None:
    path = write(tmp_path / "s.txt", "some text\n")
    with pytest.raises(InputError, match="no format that wsdlist knows; it reads"):
        read([path])
    with pytest.raises(ParameterError, match="no format 'docx'"):
        read([path], format="docx")


def test_text_with_offsets_in_code_points(tmp_path: Path) -> None:
    text = "😀 Die Bank’s river-bank."
    start = text.index("bank")
    record = {"id": "1", "lexelt": "bank.n", "text": text, "target": [start, start + 4]}
    one = only(write(tmp_path / "s.jsonl", jsonl([{**record, "senses": ["a"]}])))
    assert one.target_form == "bank"
    assert one.forms == ("😀", "Die", "Bank’s", "river", "-", "bank", ".")
    for target in ([0, 99], [1, 2], [5, 3], "bank", 3):
        bad = write(tmp_path / "s.jsonl", jsonl([{**record, "target": target}]))
        with pytest.raises(InputError, match="'target'"):
            read([bad])


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
instances = st.builds(
    lambda id, forms, senses, extra: Instance(
        id,
        "w.n",
        tuple(forms),
        (len(forms) // 2, len(forms) // 2 + 1),
        tuple(dict.fromkeys(senses)),
        tags=tuple(forms) if extra else None,
        lemmas=tuple(forms) if extra else None,
        document="d" if extra else None,
        heads=((len(forms) // 2, len(forms) // 2 + 1), *[(0, 1)] * extra),
        satellites=(0,) * extra,
        sentences=(0, *[len(forms) - 1] * (extra and len(forms) > 1)),
    ),
    words,
    st.lists(words, min_size=1, max_size=6),
    st.lists(words, max_size=3),
    st.booleans(),
)


@given(instances)
def test_jsonl_written_is_jsonl_read(one: Instance) -> None:
    text = jsonl_format.write(Corpus([one]))[""]
    (back,) = jsonl_format.read(Source("s", text), _raise).instances
    assert isinstance(back, Instance)
    for name in set(Instance.__dataclass_fields__) - {"place"}:
        assert getattr(back, name) == getattr(one, name)


def _raise(error: InputError) -> None:
    raise error


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_a_clear_error(data: bytes) -> None:
    with contextlib.suppress(InputError):
        assert decode(data, "f").name == "f"


pieces = st.sampled_from(
    [
        *('<lexelt item="w.n">', "</lexelt>", '<instance id="i">', "<instance>", "</instance>"),
        *('<answer senseid="a"/>', "<context>", "</context>", "<head>", "</head>", "<head/>"),
        *('<sat id="x">', "</sat>", '<wf pos="NN">bank</wf>', "&amp;", "&#0;", "[hi]", "<!--"),
        *("@relation r\n", "@attribute a {x,'y'}\n", "@data\n", "x\n", "'", '"', ",", "\t", "\n"),
        *('{"id": "1"}\n', "{", "\\", "bank", " "),
    ]
)


@given(st.lists(pieces, max_size=25).map("".join))
@settings(max_examples=300, deadline=None)  # the first use of spaCy loads it
def test_any_markup_is_read_or_a_clear_error(text: str) -> None:
    for form in FORMATS:
        with contextlib.suppress(InputError):
            form.read(Source("f", text), _raise)


# -- ARFF --


def arff(rows: str, values: str = "{a, 'b c', '?'}") -> str:
    return (
        f"% c\n@RELATION 'my r'\n@attribute x {values}\n@Attribute \"c l\" {{u,v}}\n@DATA\n{rows}"
    )


def test_arff_keeps_a_quoted_question_mark_apart(tmp_path: Path) -> None:
    path = write(tmp_path / "t.arff", arff("'?',u\n?,v\n% note\n'b c' , u\n\"a\",v\n"))
    corpus = read([path]).train
    assert [i.values[0] for i in corpus] == ["?", None, "b c", "a"]  # type: ignore[union-attr]
    assert {i.lexelt for i in corpus} == {"my r"}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (arff("a,u\nz,u\n"), 7, "not a declared value"),
        (arff("a\n"), 6, "1 values for 2"),
        (arff("'a,u\n"), 6, "never closed"),
        (arff("{0 a}\n"), 6, "sparse"),
        (arff("a,u\n", "string"), 3, "kind 'string'"),
        ("@relation r\n@attribute x {a}\n@attribute x {b}\n@data\n", 3, "stands here twice"),
        (arff("a,u\n", "numeric"), 6, "not a number"),
        ("@relation r\n@atribute x {a}\n@data\n", 2, "not expected"),
    ],
)
def test_arff_errors_have_a_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = write(tmp_path / "t.arff", text)
    with pytest.raises(InputError, match=said) as caught:
        read([path])
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_a_numeric_class_is_refused_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "t.arff", arff("1.5,u\n", "real"))
    with pytest.raises(InputError, match="the class 'x' is numeric"):
        read([path], class_name="x")


def test_the_class_of_a_table_can_be_named(tmp_path: Path) -> None:
    path = TABLES / "play-tennis.csv"
    assert {s for i in read([path]).train for s in i.senses} == {"yes", "no"}
    outlook = read([path], class_name="outlook").train
    assert {s for i in outlook for s in i.senses} == {"sunny", "overcast", "rainy"}
    with pytest.raises(InputError, match="no attribute 'wind'; say one of outlook"):
        read([path], class_name="wind")


# -- our own corpus, and the released ones --


def test_the_bundled_corpus() -> None:
    parts = read([LEXICAL_SAMPLE])
    assert parts.test is not None
    words = parts.train.by_lexelt()
    assert len(words) >= 8
    assert {word[-1] for word in words} == {"n", "v", "a"}
    for word, items in parts.test.by_lexelt().items():
        assert len(items) + len(words[word]) >= 60
        assert 2 <= len({s for i in words[word] for s in i.senses}) <= 4
        assert 0.2 <= len(items) / (len(items) + len(words[word])) <= 0.3
    contexts = [i.forms for i in (*parts.train, *parts.test) if isinstance(i, Instance)]
    assert len(set(contexts)) == len(contexts)
    assert not parts.train.repairs
    assert not parts.train.skipped


def test_every_bundled_sense_has_a_key_and_a_gloss() -> None:
    from wsdlist.inventories.glosses import read_inventory

    inventory = read_inventory(LEXICAL_SAMPLE / "senses.tsv")
    used = {(i.lexelt, s) for i in read([LEXICAL_SAMPLE]).train for s in i.senses}
    assert used == set(inventory)
    assert all(entry.gloss and "%" in entry.key for entry in inventory.values())


def test_senseval_2_as_it_lies(shared: Path) -> None:
    parts = read([shared / "wsd" / "senseval2-en-ls"])
    train, test = parts.train, parts.test
    assert test is not None
    assert (len(train), len(test)) == (8611, 4328)
    assert len(train.by_lexelt()) == len(test.by_lexelt()) == 73
    assert all(i.senses for i in test)
    assert sum(len(i.senses) > 1 for i in train) == 776
    assert sum("U" in i.senses for i in train) == 304
    assert sum("P" in i.senses for i in test) == 146
    assert sum(not train.labels(i) for i in train) == 115
    assert sum(not test.labels(i) for i in test) == 63
    glued = "heads glued to a word"
    assert (train.repairs[glued], test.repairs[glued]) == (1742, 874)
    for corpus, count in ((train, 344), (test, 177)):
        assert sum(bool(i.satellites) for i in corpus if isinstance(i, Instance)) == count
    assert not any("[" in form and "]" in form for forms in texts(train) for form in forms)


def test_senseval_3_as_it_lies(shared: Path) -> None:
    parts = read([shared / "wsd" / "senseval3-en-ls"])
    train, test = parts.train, parts.test
    assert test is not None
    assert (len(train), len(test)) == (7860, 3944)
    assert len(train.by_lexelt()) == 57
    heads = [len(i.heads) for i in train if isinstance(i, Instance)]
    assert (sum(heads), sum(n > 1 for n in heads)) == (8022, 151)
    assert sum(len(i.senses) > 1 for i in train) == 656
    assert sum(not train.labels(i) for i in train) == 140
    assert train.repairs["character references without semicolon resolved"] == 19


WORDS = {"hard.a": 4333, "interest.n": 2368, "line.n": 4146, "serve.v": 4378}


def test_nltk_senseval_from_its_zip(shared: Path) -> None:
    words = read([shared / "wsd" / "nltk" / "senseval.zip"]).train.by_lexelt()
    assert {word: len(items) for word, items in words.items()} == WORDS
    senses = [i.senses for i in words["hard.a"]]
    assert senses.count(("HARD1",)) == 3455
    assert all(i.tags for i in words["serve.v"] if isinstance(i, Instance))


def test_nltk_senseval_through_nltk(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nltk.data

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    with pytest.raises(WsdlistError, match="not installed; run: python -m nltk"):
        read(["nltk:hard"])
    with pytest.raises(InputError, match="nltk:soft is not known"):
        read(["nltk:soft"])
    folder = tmp_path / "corpora"
    folder.mkdir()
    (folder / "senseval.zip").write_bytes((shared / "wsd" / "nltk" / "senseval.zip").read_bytes())
    assert len(read(["nltk:interest"]).train) == WORDS["interest.n"]


def test_the_tables_of_the_shared_folder(shared: Path) -> None:
    """Every nominal table is read with the number of rows its description says."""
    rows = {"kr-vs-kp.arff.gz": 3196, "splice.arff.gz": 3190, "soybean.arff.gz": 683}
    for name, count in rows.items():
        assert len(read([shared / "uci" / "lazyrule" / name]).train) == count
    assert len(read([shared / "uci" / "webb1994" / "mushroom.arff.gz"]).train) == 8124
