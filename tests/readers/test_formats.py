"""Formats in and out: small files of each, real ones where they are, and damaged bytes."""

from __future__ import annotations

import contextlib
import json
import os
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, Run, jsonl, seed_records, senseval
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import InputError, ModelError, ParameterError
from wsdlist.models.model import load
from wsdlist.readers import FORMATS, read
from wsdlist.readers.conllu import with_senses
from wsdlist.readers.sources import Source
from wsdlist.readers.writing import files_of, save
from wsdlist.training.train import train

UNIFIED = """<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE corpus SYSTEM "all-words.dtd">
<corpus lang="en"><text id="d000"><sentence id="d000.s000">
<wf lemma="the" pos="DET">The</wf>
<instance id="d000.s000.t000" lemma="change_ringing" pos="NOUN">change-ringing</instance>
<wf lemma="be" pos="VERB">is</wf>
<instance id="d000.s000.t002" lemma="well_known" pos="ADJ">well known</instance>
<wf lemma="." pos=".">.</wf></sentence>
<sentence id="d000.s001"><wf lemma="no" pos="DET">No</wf><wf lemma="one" pos="NOUN">one</wf>
</sentence></text></corpus>
"""
UNIFIED_KEY = "d000.s000.t002 well_known%3:00:00:: known%5:00:00:\r\nd000.s000.t000 ringing%1\r\n"
COARSE_2007 = """<?xml version="1.0" encoding="utf8" ?>
<!DOCTYPE corpus SYSTEM "coarse-all-words.dtd">
<corpus lang="en"><text id="d001"><sentence id="d001.s001">
Your
Oct
.
<instance id="d001.s001.t001" lemma="editorial" pos="n">editorial</instance>
</sentence></text></corpus>
"""
SEMCOR = """<contextfile concordance=brown>
<context filename=br-x01 paras=yes>
<p pnum=1>
<s snum=1>
<wf cmd=ignore pos=DT>The</wf>
<wf cmd=done rdf=group pos=NNP lemma=group wnsn=1 lexsn=1:03:00:: pn=group>City_Committee</wf>
<wf cmd=done pos=VB lemma=establish wnsn=6;2 lexsn=2:35:00::;2:36:00::>established</wf>
<wf cmd=done pos=JJ lemma=some wnsn=1 lexsn=5:00:00:some(a):00>some</wf>
<wf cmd=done pos=NN lemma=oddity wnsn=0 lexsn=1:99:00::>oddity</wf>
<punc>.</punc>
</s>
<s snum=2>
<wf cmd=done pos=VBD ot=notag>were</wf>
</s>
</p>
</context>
</contextfile>
"""
NOAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE SimpleWsdDoc SYSTEM "simple-wsd-doc.dtd">
<SimpleWsdDoc name="n1">
  <word text="We" break_level="NO_BREAK"/>
  <word text="said" lemma="say" pos="VERB" sense="/d/m_1.001" break_level="SPACE_BREAK"/>
  <word text="So" break_level="SENTENCE_BREAK"/>
</SimpleWsdDoc>
"""
UFSAC = """<?xml version="1.0" encoding="UTF-8"?>
<corpus><document id="u1"><paragraph><sentence>
<word surface_form="We" pos="PRP" lemma="we"/>
<word surface_form="took_place" lemma="take_place" pos="VB" wn30_key="take_place%2:30:00::;b%2"/>
</sentence></paragraph></document></corpus>
"""
CONLLU = """# newdoc id = doc1
# sent_id = s1
# text = The well-known bank's
1-2\tThe-well\t_\t_\t_\t_\t_\t_\t_\t_
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tbank\tbank\tNOUN\tNN\t_\t0\troot\t_\tSense=money;shore|SpaceAfter=No
2.1\tx\tx\tX\tX\t_\t_\t_\t_\t_
3\tcalls\tcall\tVERB\tVBZ\t_\t2\tdep\t_\tSense=ring|SenseEnd=4|SenseId=i9|Lexelt=call_up.v
4\tup\tup\tADP\tRP\t_\t3\tdep\t_\t_

"""
HOMOGRAPHS = (
    '"homograph"\t"wordid"\t"sentence"\t"start"\t"end"\n'
    '"record"\t"record_nou"\t"Café ""Pop"" gave the record a rating."\t21\t27\n'
)
RUSSE = (
    "context_id\tword\tgold_sense_id\tpredict_sense_id\tpositions\tcontext\n"
    "7\tзамок\t2.1\t\t16-21,0-5\tзамок высокий и замок в горах\n"
)
RU_LINES = (
    "\t\t‘вещь’.\t1\n\t\tДругое\t2\n\t\tНе могу\t0\nстарый \tзамок\t в горах\t1\t1\n"
    "этот\tзамок\t, и тот\t0\t\n"
)
RU_JSON = '[\n {\n  "1": "a"\n },\n [[["старый", " замок", " в горах"], "1"]]\n]'
TSV = 'id\tlexelt\ttext\tstart\tend\tsense\nn\tbank.n\t"null bank NA\t6\t10\t1a\n'
CSV = 'left,keyword,right,sense\n"the ""old",bank,"of, or by, it",2.3\n'

SMALL: dict[str, tuple[str, dict[str, str], list[tuple[Any, ...]]]] = {
    "unified": (
        "x.data.xml",
        {"x.data.xml": UNIFIED, "x.gold.key.txt": UNIFIED_KEY},
        [
            ("d000.s000.t000", "change_ringing.n", "change-ringing", ("ringing%1",)),
            (
                *("d000.s000.t002", "well_known.a", "well known"),
                ("well_known%3:00:00::", "known%5:00:00:"),
            ),
        ],
    ),
    "semeval-2007": (
        "eng.xml",
        {"eng.xml": COARSE_2007},
        [("d001.s001.t001", "editorial.n", "editorial", ())],
    ),
    "semcor": (
        "br-x01",
        {"br-x01": SEMCOR},
        [
            ("br-x01.s1.t2", "group.n", "City Committee", ("group%1:03:00::",)),
            (
                *("br-x01.s1.t3", "establish.v", "established"),
                ("establish%2:35:00::", "establish%2:36:00::"),
            ),
            ("br-x01.s1.t4", "some.a", "some", ("some%5:00:00:some:00",)),
        ],
    ),
    "noad": ("n.xml", {"n.xml": NOAD}, [("n1.t0001", "say.v", "said", ("/d/m_1.001",))]),
    "ufsac": (
        "u.xml",
        {"u.xml": UFSAC},
        [("u1.s1.t2", "take_place.v", "took place", ("take_place%2:30:00::", "b%2"))],
    ),
    "conllu": (
        "c.conllu",
        {"c.conllu": CONLLU},
        [
            ("s1.2", "bank.n", "bank", ("money", "shore")),
            ("i9", "call_up.v", "calls up", ("ring",)),
        ],
    ),
    "homographs": (
        "record.tsv",
        {"record.tsv": HOMOGRAPHS},
        [("record:2", "record", "record", ("record_nou",))],
    ),
    "russe": ("r.csv", {"r.csv": RUSSE}, [("7", "замок", "замок", ("2.1",))]),
    "ru-labeled lines": (
        "замок.txt",
        {"замок.txt": RU_LINES},
        [("замок:4", "замок", "замок", ("1",)), ("замок:5", "замок", "замок", ("0",))],
    ),
    "ru-labeled json": (
        "замок.json",
        {"замок.json": RU_JSON},
        [("замок:1", "замок", "замок", ("1",))],
    ),
    "coarsewsd": (
        "bank/train.data.txt",
        {
            "bank/train.data.txt": "1\tthe bank froze\n0\tbank holds\n",
            "bank/train.gold.txt": "1\n0\n",
            "bank/classes_map.txt": '{"0": "bank_(money)", "1": "bank_(geo)"}',
        },
        [
            ("bank.train:1", "bank", "bank", ("bank_(geo)",)),
            ("bank.train:2", "bank", "bank", ("bank_(money)",)),
        ],
    ),
    "tsv": ("t.tsv", {"t.tsv": TSV}, [("n", "bank.n", "bank", ("1a",))]),
    "csv": ("bank.csv", {"bank.csv": CSV}, [("bank:2", "bank", "bank", ("2.3",))]),
}


def lay(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


Made = TypeVar("Made")


def attempt(make: Callable[[], Made]) -> tuple[Made | None, InputError | None]:
    """Return what is made, or the error that says why not."""
    try:
        return make(), None
    except InputError as error:
        return None, error


def words(corpus: Corpus) -> list[Instance]:
    return [i for i in corpus if isinstance(i, Instance)]


def whole(corpus: Corpus) -> dict[str, Any]:
    """Return what each instance is: in its sentence, which every format keeps."""
    made = {}
    for i in words(corpus):
        edges = [*i.sentences, len(i.forms)]
        start = max(edge for edge in edges if edge <= i.target[0])
        end = min(edge for edge in edges if edge >= i.target[1])
        span = slice(start, end)
        layers = [None if layer is None else layer[span] for layer in (i.tags, i.lemmas)]
        place = (i.target[0] - start, i.target[1] - start)
        made[i.id] = (i.lexelt, i.senses, i.forms[span], place, *layers)
    return made


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_small_file_of_each_format(name: str, bom: str, tmp_path: Path) -> None:
    file, files, expected = SMALL[name]
    lay(tmp_path, {name: bom + text for name, text in files.items()})
    corpus = read(tmp_path / file).train
    assert [(i.id, i.lexelt, i.target_form, i.senses) for i in words(corpus)] == expected
    for i in words(corpus):
        if i.text is not None and i.characters is not None:
            assert i.text[slice(*i.characters)] == i.target_form
        assert i.place.startswith(str(tmp_path / file) + ":")


# what holds each small file whole; all others refuse it
HELD = {
    "unified": {*("unified", "semeval-2007", "semcor", "noad", "ufsac", "coarsewsd")},
    "ufsac": {*("unified", "semeval-2007", "semcor", "noad", "ufsac", "coarsewsd")},
    "conllu": {*("unified", "semeval-2007", "semcor", "noad", "ufsac", "conllu", "coarsewsd")},
    "jsonl": {*SMALL} - {"ru-labeled lines"},
    "docbin": {*SMALL} - {"ru-labeled lines", "russe"},
    "concordance": {*("homographs", "ru-labeled json", "coarsewsd", "tsv", "csv")},
    "senseval": {"coarsewsd"},
    "coarsewsd": {"coarsewsd"},
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("form", [form for form in FORMATS if form.write], ids=lambda f: f.name)
def test_what_is_written_is_read_again_or_refused(name: str, form: Any, tmp_path: Path) -> None:
    file, files, _ = SMALL[name]
    lay(tmp_path / "in", files)
    corpus = read(tmp_path / "in" / file).train
    out = tmp_path / "out" / "bank" / ("train" if name == "coarsewsd" else "made")
    out.parent.mkdir(parents=True)
    names, error = attempt(lambda: save(corpus, out, form.name))
    assert (names is not None) is (name in HELD[form.name]), error
    if names is None:
        assert error is not None
        assert error.where.startswith(str(tmp_path))
        assert "choose another format" in error.advice
        assert list(out.parent.iterdir()) == []
        return
    again = read(names[0], format=form.name).train
    assert whole(again) == whole(corpus)
    assert files_of(again, out, form.name) == files_of(corpus, out, form.name)


def test_running_text_is_written_whole(tmp_path: Path) -> None:
    """The sentence without an instance is still there, and so are lemmas and tags."""
    lay(tmp_path, SMALL["unified"][1])
    corpus = read(tmp_path / "x.data.xml").train
    made = files_of(corpus, tmp_path / "y", "unified")
    text = made[tmp_path / "y.data.xml"].decode()
    assert '<wf lemma="one" pos="NOUN">one</wf>' in text
    assert (
        '<instance id="d000.s000.t002" lemma="well_known" pos="ADJ">well known</instance>' in text
    )
    assert made[tmp_path / "y.gold.key.txt"].decode().splitlines() == [
        "d000.s000.t000 ringing%1",
        "d000.s000.t002 well_known%3:00:00:: known%5:00:00:",
    ]


def test_files_with_the_same_ids_go_together(tmp_path: Path) -> None:
    for name in ("s2", "s3"):
        lay(tmp_path, {f"{name}.data.xml": UNIFIED, f"{name}.gold.key.txt": UNIFIED_KEY})
    parts = read(tmp_path)
    assert [i.id for i in words(parts.train)][::2] == ["s2.d000.s000.t000", "s3.d000.s000.t000"]
    assert set(parts.train.texts) == {"s2.d000", "s3.d000"}
    assert all(i.senses for i in words(parts.train))
    assert "begin with the file's name" in parts.notes[0]


def test_a_key_of_either_kind_can_be_named(tmp_path: Path) -> None:
    lay(tmp_path, {"d.xml": UNIFIED, "u.key": UNIFIED_KEY})
    lay(tmp_path, {"s.key": "d000 d000.s000.t000 ringing%1 !! lemma=x#n\n"})
    for key, n in (("u.key", 2), ("s.key", 1)):
        corpus = read(tmp_path / "d.xml", keys=[tmp_path / key]).train
        assert sum(bool(i.senses) for i in corpus) == n


def test_archives_are_read_with_what_lies_beside_a_file(tmp_path: Path) -> None:
    lay(tmp_path, SMALL["coarsewsd"][1])
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as archive:
        archive.add(tmp_path / "bank", "CoarseWSD/bank")
    parts = read(tmp_path / "a.tar.xz")
    assert [i.senses for i in parts.train] == [("bank_(geo)",), ("bank_(money)",)]
    assert parts.ignored == []


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ('<!DOCTYPE corpus [<!ENTITY a "aa">]>', "declares an entity of its own, 'a'"),
        ('<!DOCTYPE corpus [<!ENTITY % a SYSTEM "file:///etc/passwd">]>', "declares an entity"),
        ('<!DOCTYPE corpus [<!ENTITY a SYSTEM "http://x/y">]>', "declares an entity"),
    ],
)
def test_entities_are_refused_before_they_are_expanded(
    declared: str, said: str, tmp_path: Path
) -> None:
    text = UNIFIED.replace('<!DOCTYPE corpus SYSTEM "all-words.dtd">', declared)
    lay(tmp_path, {"x.xml": text})
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path / "x.xml")
    assert caught.value.where == f"{tmp_path / 'x.xml'}:2"


def test_what_only_a_dtd_would_know_is_counted(tmp_path: Path) -> None:
    lay(tmp_path, {"x.xml": UNIFIED.replace(">is<", ">caf&eacute; &bquo;<")})
    corpus = read(tmp_path / "x.xml").train
    assert words(corpus)[0].forms[2:4] == ("café", "&bquo;")
    assert corpus.repairs == Counter(
        {
            "character references resolved": 1,
            "character references of no entity kept as written": 1,
        }
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "said"),
    [
        ("unified", '"DET">The', '"DET>The', 4, "not well-formed"),
        ("unified", 'id="d000.s000.t000" ', "", 5, "an instance has no id"),
        ("unified", '<text id="d000">', "<text>", 3, "a text has no id"),
        ("noad", 'lemma="say" ', "", 5, "a sense and no lemma"),
        ("ufsac", 'surface_form="We" ', "", 3, "no surface_form"),
        ("conllu", "SenseEnd=4", "SenseEnd=1", 8, "SenseEnd=1 is no word behind it"),
        ("conllu", "4\tup\tup", "4\tup", 9, "9 columns for 10"),
        ("homographs", "\t21\t", "\t4\t", 2, "inside a character"),
        ("homographs", "\t27", "\t99", 2, "nothing in the text"),
        ("russe", "16-21,0-5", "", 2, "say nothing of where the word stands"),
        ("russe", "16-21,0-5", "16-99", 2, "nothing in the text of 29"),
        ("ru-labeled lines", "\tзамок\t в", "\t\t в", 4, "a context has no target"),
        ("coarsewsd", "0\tbank holds", "7\tbank holds", 2, "none of the 2 tokens"),
        ("tsv", "\t6\t10\t", "\t6\tx\t", 2, "end is 'x'"),
        ("tsv", "\t1a", "", 2, "5 values for 6 columns"),
        ("csv", ",bank,", ",,", 2, "has no target"),
    ],
)
def test_bad_records_have_a_line_and_can_be_skipped(
    name: str, old: str, new: str, line: int, said: str, tmp_path: Path
) -> None:
    file, files, _ = SMALL[name]
    assert old in files[file]
    lay(tmp_path, files | {file: files[file].replace(old, new, 1)})
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path / file)
    assert caught.value.where == f"{tmp_path / file}:{line}"
    if (
        "columns for 10" in said
        or "well-formed" in said
        or "text has no id" in said
        or len(SMALL[name][2]) == 1
    ):
        return  # nothing else could be read
    corpus = read(tmp_path / file, on_error="skip").train
    assert [str(error) for error in corpus.skipped] == [str(caught.value)]
    assert len(corpus) == len(SMALL[name][2]) - 1


def test_a_spreadsheet_says_what_its_columns_are(tmp_path: Path) -> None:
    """The words null and NA, a lone quotation mark and a question mark stay words."""
    text = 'Nr\tKontext\tForm\tLesart\r\n1\t"null NA ? Bank\tBank\t1a\r\n2\tdie bank .\tBank\tNA'
    lay(tmp_path, {"bank.tsv": "\ufeff" + text})
    columns = {"Nr": "id", "Kontext": "text", "Form": "target", "Lesart": "sense"}
    corpus = read(tmp_path / "bank.tsv", columns=columns).train
    one, two = words(corpus)
    assert (one.id, one.lexelt, one.forms, one.senses) == (
        *("1", "bank"),
        ('"', "null", "NA", "?", "Bank"),
        ("1a",),
    )
    assert (two.target_form, two.senses) == ("bank", ("NA",))
    with pytest.raises(InputError, match="no column 'Satz'; say one of Nr, Kontext"):
        read(tmp_path / "bank.tsv", columns={"Satz": "text"})
    lay(tmp_path, {"twice.tsv": "text\ttarget\nbank by bank\tbank\n"})
    with pytest.raises(InputError, match="'bank' stands 2 times in the text"):
        read(tmp_path / "twice.tsv")


def test_columns_that_say_nothing_are_reported(tmp_path: Path) -> None:
    lay(tmp_path, {"bank.csv": "left,target,right,sense,who\nthe,bank,of,a,me\n"})
    corpus = read(tmp_path / "bank.csv").train
    assert corpus.repairs == Counter({"columns left out: who": 1})


def test_senses_go_into_misc_and_nothing_else_changes() -> None:
    source = Source("c", CONLLU)
    new = with_senses(
        source, CONLLU, {5: [("Sense", "x")], 6: [("Sense", "y"), ("SenseProb", "0.9")]}
    )
    before, after = CONLLU.split("\n"), new.split("\n")
    assert [n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [5, 6]
    assert after[4].endswith("\tdet\t_\tSense=x")
    assert after[5].endswith("\tSpaceAfter=No|Sense=y|SenseProb=0.9")


def test_conllu_comes_back_as_it_was(tmp_path: Path) -> None:
    """Comments, ranges, empty nodes, heads and features too."""
    text = CONLLU + CONLLU.replace("doc1", "doc2").replace("sent_id = s1", "sent_id = s9").replace(
        "i9", "j9"
    )
    lay(tmp_path, {"c.conllu": text})
    (made,) = save(read(tmp_path / "c.conllu").train, tmp_path / "d.conllu", "conllu")
    assert made.read_text(encoding="utf-8") == text


def test_what_conllu_says_is_not_lost_in_silence(wsdlist: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        lay(tmp_path, {f"{name}.conllu": CONLLU})
    two = (tmp_path / "a.conllu", tmp_path / "b.conllu")
    refused = wsdlist("convert", *two, "--output", "conllu")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "conllu cannot hold this corpus: a text has the id 'doc1' of another" in refused.stderr
    done = wsdlist("convert", two[0], "--output", "conllu", "--drop", "tags")
    said = "of 1 texts of CoNLL-U only forms, lemmas, tags and senses are written"
    assert said in done.stderr
    assert said in wsdlist("convert", two[0], "--output", "unified", "--out", tmp_path / "u").stderr
    assert said not in wsdlist("convert", two[0], "--output", "conllu").stderr


def test_a_word_without_a_lemma_is_named_after_its_form(tmp_path: Path) -> None:
    line = "1\tBanks\t_\t_\tNNS\t_\t0\troot\t_\tSense=a\n\n"
    lay(tmp_path, {"c.conllu": line})
    assert [i.lexelt for i in read(tmp_path / "c.conllu").train] == ["banks.n"]


def test_parts_of_coarsewsd_share_their_map(tmp_path: Path) -> None:
    for part, senses in (("train", "ab"), ("test", "bc")):
        corpus = Corpus(
            [
                Instance(f"bank.{part}:{n}", "bank", ("the", "bank"), (1, 2), (sense,))
                for n, sense in enumerate(senses, start=1)
            ]
        )
        (tmp_path / "bank").mkdir(exist_ok=True)
        save(corpus, tmp_path / "bank" / part, "coarsewsd")
    parts = read(tmp_path / "bank")
    assert [i.senses[0] for i in parts.train] == ["a", "b"]
    assert [i.senses[0] for i in parts.test or ()] == ["b", "c"]


def test_documents_are_not_renamed_in_silence(tmp_path: Path) -> None:
    corpus = Corpus(
        [
            Instance(f"i{n}", "bank.n", (word, "bank"), (1, 2), ("a",), document="d")
            for n, word in enumerate(("the", "a"))
        ]
    )
    with pytest.raises(InputError, match=r"cannot hold the document .* say --drop document"):
        save(corpus, tmp_path / "x", "unified")
    assert len(save(corpus, tmp_path / "x", "unified", drop=["document"])) == 2


def test_semcor_files_one_behind_another_are_texts_of_their_own(tmp_path: Path) -> None:
    lay(tmp_path, {"both": SEMCOR + SEMCOR.replace("br-x01", "br-x02")})
    corpus = read(tmp_path / "both").train
    assert [i.document for i in words(corpus)] == ["br-x01"] * 3 + ["br-x02"] * 3
    lay(tmp_path, {"twice": SEMCOR + SEMCOR})
    with pytest.raises(InputError, match="a text has the id 'br-x01' of another"):
        read(tmp_path / "twice")


def test_what_a_dtd_would_add_is_not_added(tmp_path: Path) -> None:
    declared = '<!DOCTYPE corpus [<!ATTLIST wf pos CDATA "VERB">]>'
    text = UNIFIED.replace('<!DOCTYPE corpus SYSTEM "all-words.dtd">', declared)
    lay(tmp_path, {"x.xml": text.replace('<wf lemma="no" pos="DET">', '<wf lemma="no">')})
    (document,) = read(tmp_path / "x.xml").train.texts.values()
    assert document.tags is not None
    assert document.tags[document.forms.index("No")] == "_"


def test_half_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, {"замок.json": RU_JSON.replace("старый", "\\ud800")})
    with pytest.raises(InputError, match="half a surrogate pair"):
        read(tmp_path / "замок.json")
    lay(tmp_path, SMALL["coarsewsd"][1] | {"bank/classes_map.txt": '{"0": "a", "1": "\\ud800"}'})
    with pytest.raises(InputError, match="no map of numbers to senses"):
        read(tmp_path / "bank" / "train.data.txt")


def test_text_that_no_instance_stands_in_is_reported(wsdlist: Run, tmp_path: Path) -> None:
    far = "".join(f"<sentence><wf>{word}</wf></sentence>" for word in ["word"] * 60)
    lay(tmp_path, {"x.data.xml": UNIFIED.replace("</text>", far + "</text>")})
    done = wsdlist("convert", tmp_path / "x.data.xml")
    assert "22 tokens of running text are in no context, and not written" in done.stderr


def test_the_caller_says_what_a_table_is(tmp_path: Path) -> None:
    lay(tmp_path, {"t.csv": "left,right,target\nred,blue,yes\n"})
    assert read(tmp_path / "t.csv", class_name="target").train.instances[0].senses == ("yes",)
    columns = {"left": "nominal"}
    assert read(tmp_path / "t.csv", columns=columns).train.instances[0].senses == ("yes",)


def test_the_key_of_senses_can_be_named(tmp_path: Path) -> None:
    lay(tmp_path, {"c.conllu": CONLLU.replace("Sense", "WN")})
    assert len(read(tmp_path / "c.conllu", sense_key="WN").train) == 2
    with pytest.raises(InputError, match="holds no instance"):
        read(tmp_path / "c.conllu")


# -- the command --


def test_convert_writes_and_refuses(wsdlist: Run, tmp_path: Path) -> None:
    lay(tmp_path, SMALL["unified"][1])
    source, out = tmp_path / "x.data.xml", tmp_path / "made"
    done = wsdlist("convert", source)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    assert json.loads(done.stdout.splitlines()[0])["id"] == "d000.s000.t000"
    done = wsdlist("convert", source, "--output", "unified", "--out", out)
    assert done.returncode == 0, done.stderr
    assert f"2 instances written to {out}.data.xml, {out}.gold.key.txt" in done.stderr
    for arguments, said in (
        (("--output", "coarsewsd", "--out", out), "coarsewsd cannot hold"),
        (("--output", "nonsense"), "no format 'nonsense' that wsdlist writes; say one of"),
        (("--output", "unified"), "not for standard output; name a file with --out"),
        (("--output", "concordance"), "x.data.xml:7: concordance cannot hold several senses"),
        (("--drop", "sense"), "'sense' cannot be dropped; say one of id, document"),
        (("--out", tmp_path / "no" / "x"), "cannot be written"),
    ):
        refused = wsdlist("convert", source, *arguments)
        assert refused.returncode == 2, arguments
        assert said in refused.stderr
        assert refused.stdout == ""
    assert not list(tmp_path.glob(".*"))


def test_convert_does_not_write_over_what_it_reads(wsdlist: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("left,target,right,sense\nthe,bank,froze,money\n", encoding="utf-8")
    before = path.read_bytes()
    done = wsdlist("convert", path, "--output", "jsonl", "--out", path)
    assert (done.returncode, path.read_bytes()) == (2, before)
    assert f"{path}: is read, or is a model; name another file to write" in done.stderr


def test_convert_writes_to_files_alone(wsdlist: Run, tmp_path: Path) -> None:
    lay(tmp_path, SMALL["unified"][1])
    source = tmp_path / "x.data.xml"
    (tmp_path / "real.jsonl").touch()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    assert wsdlist("convert", source, "--out", tmp_path / "link.jsonl").returncode == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len((tmp_path / "real.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    os.mkfifo(tmp_path / "pipe")
    for out, said in (
        (tmp_path / "pipe", "is there and no file; name a file with --out"),
        (tmp_path, "is a folder; name a file in it"),
        ("", "is a folder"),
        (".", "is a folder"),
        (tmp_path / "x.jsonl.gz", "is not compressed while it is written"),
    ):
        refused = wsdlist("convert", source, "--out", out)
        assert refused.returncode == 2, out
        assert said in refused.stderr
    assert (tmp_path / "pipe").is_fifo()


def test_what_is_lost_is_said_all_at_once(tmp_path: Path) -> None:
    lay(tmp_path, SMALL["unified"][1])
    corpus = read(tmp_path / "x.data.xml").train
    corpus.instances = [
        Instance("i", "bank.n", ("a", "bank", "."), (1, 2), ("x",), tags=("DT", "NN", "."))
        if not n
        else Instance("j", "bank.n", ("a", "bank"), (1, 2), ("x",), lemmas=("a", "bank"))
        for n in range(2)
    ]
    with pytest.raises(InputError, match="say --drop tags --drop lemmas to leave them out"):
        save(corpus, tmp_path / "y", "concordance")
    corpus.instances = [Instance("i", "bank.n", ("Oct.", "bank"), (1, 2), ("x",))]
    with pytest.raises(InputError, match=r"cannot hold the token 'Oct\.' of instance 'i'"):
        save(corpus, tmp_path / "y", "senseval")


def test_two_keys_of_one_part_must_agree(tmp_path: Path) -> None:
    lay(tmp_path, {"eng.xml": COARSE_2007, "x.test.key": "d001 d001.s001.t001 right\n"})
    assert read(tmp_path).train.instances[0].senses == ("right",)
    lay(tmp_path, {"baseline.key": "d001 d001.s001.t001 wrong\n"})
    with pytest.raises(InputError, match="the keys do not agree on 'd001.s001.t001'"):
        read(tmp_path)
    parts = read(tmp_path, keys=[tmp_path / "x.test.key"])
    assert parts.train.instances[0].senses == ("right",)
    assert "keys that were found are not used beside those named" in parts.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("\n2\tbank", "\n7\tbank", 6, "this is word 7 where word 2 is due; part sentences"),
        ("\n2\tbank", "\nx\tbank", 6, "'x' is no number of a word"),
        ("Sense=money;shore", "Sense=money|Sense=shore", 6, "MISC has Sense twice; join"),
    ],
)
def test_damaged_conllu_is_refused(
    old: str, new: str, line: int, said: str, tmp_path: Path
) -> None:
    lay(tmp_path, {"c.conllu": CONLLU.replace(old, new)})
    with pytest.raises(InputError, match=said) as caught:
        read(tmp_path / "c.conllu")
    assert caught.value.where.endswith(f":{line}")
    with pytest.raises(ParameterError, match=r"the key of senses is 'A\|B'"):
        read(tmp_path / "c.conllu", sense_key="A|B")


def test_semicolons_part_values_where_they_are_commonest(tmp_path: Path) -> None:
    text = 'Nr;Kontext;Beleg;Lesart\n1;"die Bank; hier, da";Bank;1a\n'
    lay(tmp_path, {"bank.csv": text})
    columns = {"Kontext": "text", "Beleg": "target", "Lesart": "sense"}
    (one,) = words(read(tmp_path / "bank.csv", columns=columns).train)
    assert (one.forms, one.senses) == (("die", "Bank", ";", "hier", ",", "da"), ("1a",))


def test_positions_of_nothing_are_left_out_and_counted(tmp_path: Path) -> None:
    lay(tmp_path, {"r.csv": RUSSE.replace("16-21,0-5", "3-3,16-21")})
    corpus = read(tmp_path / "r.csv").train
    assert words(corpus)[0].target_form == "замок"
    assert corpus.repairs == Counter({"positions without a character left out": 1})


def test_what_is_dropped_is_named(wsdlist: Run, tmp_path: Path) -> None:
    lay(tmp_path, SMALL["russe"][1])
    refused = wsdlist("convert", tmp_path / "r.csv", "--output", "concordance")
    assert "cannot hold the heads of instance '7'; say --drop heads" in refused.stderr
    done = wsdlist("convert", tmp_path / "r.csv", "--output", "concordance", "--drop", "heads")
    assert done.stdout.splitlines()[1].split("\t")[-2:] == ["0", "5"]


def test_formats_lists_them(wsdlist: Run) -> None:
    done = wsdlist("formats")
    assert len(done.stdout.splitlines()) == 1 + len(FORMATS)


# -- damaged bytes --

DAMAGED = {
    name: {file: text.encode() for file, text in files.items()} | {"": file.encode()}
    for name, (file, files, _) in SMALL.items()
} | {
    "jsonl": {"": b"s.jsonl", "s.jsonl": jsonl(seed_records()).encode()},
    "senseval": {"": b"s.xml", "s.xml": senseval(seed_records()).encode()},
    "nltk-senseval": {
        "": b"hard.pos",
        "hard.pos": b'<instance id="i"><answer senseid="a"/><context><wf pos="DT">a</wf>'
        b'<head><wf pos="JJ">hard</wf></head></context></instance>',
    },
    "arff": {"": b"t.arff", "t.arff": b"@relation r\n@attribute a {x,y}\n@data\nx\n?\n"},
    "csv": {"": b"t.csv", "t.csv": b'a,b\n"x ""q""",y\n?,z\n'},
}

mutations = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=4), st.integers(0, 6)),
    min_size=1,
    max_size=6,
)


def mutated(data: bytes, changes: list[tuple[float, bytes, int]]) -> bytes:
    for where, new, gone in changes:
        at = int(where * len(data))
        data = data[:at] + new + data[at + gone :]
    return data


@pytest.mark.parametrize("name", DAMAGED)
@given(changes=mutations, of=st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_damaged_bytes_are_instances_or_a_clear_error(
    name: str, changes: list[tuple[float, bytes, int]], of: int, tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("damaged", numbered=True)
    files = {file: data for file, data in DAMAGED[name].items() if file}
    victim = sorted(files)[of % len(files)]
    for file, data in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(mutated(data, changes) if file == victim else data)
    first = DAMAGED[name][""].decode()
    corpus, error = attempt(lambda: read(folder / first).train)
    if error is not None:
        assert error.where.startswith(str(folder))
        assert error.advice
    for one in words(corpus or Corpus()):
        assert 0 <= one.target[0] < one.target[1] <= len(one.forms)


def test_a_damaged_docbin_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, SMALL["unified"][1])
    (made,) = save(read(tmp_path / "x.data.xml").train, tmp_path / "x.spacy", "docbin")
    data = made.read_bytes()
    for bad in (data[:-9], data[:40], b"\0" + data[1:], b""):
        made.write_bytes(bad)
        with pytest.raises(InputError, match=r"no DocBin|is empty"):
            read(made)


@given(changes=mutations)
@settings(max_examples=40, deadline=None)
def test_a_damaged_model_says_so(
    changes: list[tuple[float, bytes, int]], tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged-model"
    model = folder / "m.wsd"
    if not model.exists():
        folder.mkdir()
        train(LEXICAL_SAMPLE, discount=0.9, epsilon=4.0).save(model)
    bad = folder / "bad.wsd"
    data = mutated(model.read_bytes(), changes)
    bad.write_bytes(data)
    if data == model.read_bytes():
        return
    with contextlib.suppress(ModelError):
        opened = load(bad)
        # a change in bytes that nothing uses may pass; what is read is then what was written
        assert [opened[word].to_record() for word in opened] == [
            load(model)[word].to_record() for word in load(model)
        ]


# -- real files --

OTHER = "wsd/other"
REAL = {
    "wsd/raganato2017/raganato2017.tar.xz": (
        "Evaluation_Datasets/senseval2/senseval2.data.xml",
        2282,
        ("unified", "ufsac", "conllu", "jsonl", "docbin"),
    ),
    "wsd/wsd-hard-benchmark/wsd-hard-benchmark.tar.xz": (
        "42D/42D.data.xml",
        370,
        ("unified", "conllu", "jsonl"),
    ),
    "wsd/semcor3.0/semcor3.0.tar.xz": (
        "brown1/tagfiles/br-a01",
        None,
        ("unified", "ufsac", "conllu", "jsonl", "docbin"),
    ),
    f"{OTHER}/noad-google.tar.xz": ("masc", 1225, ("unified", "ufsac", "jsonl", "docbin")),
    f"{OTHER}/noad-semcor-xml.tar.xz": ("", None, ("unified", "ufsac", "jsonl")),
    f"{OTHER}/semeval2007-task7.tar.xz": ("eng-coarse-all-words.xml", 2269, ("unified", "jsonl")),
    f"{OTHER}/semeval2013-task12-en.tar.xz": ("", 1931, ("unified", "conllu")),
    f"{OTHER}/ufsac-sample.xml.xz": ("", 347, ("ufsac", "unified", "conllu", "jsonl")),
    "wsd/coarsewsd20/CoarseWSD-20.tar.xz": ("arm/train.data.txt", 423, ("jsonl", "concordance")),
    f"{OTHER}/wikipedia-homographs.tar.xz": (
        "data/eval",
        1615,
        ("jsonl", "concordance", "docbin"),
    ),
    f"{OTHER}/russe2018-wsi.tar.xz": ("main/bts-rnc/train.csv", 3491, ("jsonl",)),
    f"{OTHER}/ru-labeled.tar.xz": ("nouns/RuTenTen", None, ()),
}


@pytest.fixture(scope="session")
def unpacked(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a function that gives the path of something in an archive of third-party data."""
    folder = tmp_path_factory.mktemp("unpacked")

    def path(archive: str, inside: str) -> Path:
        if not archive.endswith(".tar.xz"):
            return shared / archive
        name = Path(archive).name.removesuffix(".tar.xz")
        if not (folder / name).exists():
            with tarfile.open(shared / archive) as packed:
                packed.extractall(folder, filter="data")
        return folder / name / inside

    return path


@pytest.mark.parametrize("archive", REAL)
def test_real_files_come_back_from_every_format_that_holds_them(
    archive: str, unpacked: Any, tmp_path: Path
) -> None:
    inside, expected, formats = REAL[archive]
    corpus = read(unpacked(archive, inside)).train
    assert expected is None or len(corpus) == expected
    for i in words(corpus):
        if i.text is not None and i.characters is not None:
            tokens = i.text[slice(*i.characters)].split()
            assert "".join(tokens) == "".join(i.target_form.split())
    for name in formats:
        files = save(corpus, tmp_path / "made", name)
        again = read(files[0], format=name).train
        assert whole(again) == whole(corpus), name


def test_byte_offsets_of_wikipedia_hit_their_homograph(unpacked: Any) -> None:
    corpus = read(unpacked(f"{OTHER}/wikipedia-homographs.tar.xz", "data/eval")).train
    assert all(i.target_form.lower() == i.lexelt for i in words(corpus))
    assert any(i.text is not None and not i.text.isascii() for i in words(corpus))


def test_the_key_of_semeval_2007_names_clusters(unpacked: Any) -> None:
    archive = f"{OTHER}/semeval2007-task7.tar.xz"
    corpus = read(
        unpacked(archive, "eng-coarse-all-words.xml"),
        keys=[unpacked(archive, "dataset21.test.key")],
    ).train
    assert sum(len(i.senses) > 1 for i in corpus) == 1451


@pytest.mark.slow
def test_semcor_has_its_published_size(unpacked: Any) -> None:
    corpus = read(unpacked("wsd/semcor3.0/semcor3.0.tar.xz", "")).train
    assert len(corpus) == 226_036
    assert sum(len(text.sentences) for text in corpus.texts.values()) == 37_176


def test_empty_positions_of_russe_are_left_out_on_request(unpacked: Any) -> None:
    file = unpacked(f"{OTHER}/russe2018-wsi.tar.xz", "main/active-dict/train.csv")
    with pytest.raises(InputError, match="leave such rows out with --on-error skip"):
        read(file)
    corpus = read(file, on_error="skip").train
    assert sum("positions" in error.what for error in corpus.skipped) == 45
    assert "2.1" in {sense for i in corpus for sense in i.senses}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter_to_running_text(end: str, tmp_path: Path) -> None:
    lay(tmp_path, {n: t.replace("\r\n", "\n") for n, t in SMALL["unified"][1].items()})
    expected = read(tmp_path / "x.data.xml").train.instances
    for name, text in SMALL["unified"][1].items():
        changed = text.replace("\r\n", "\n").replace("\n", end).removesuffix(end)
        (tmp_path / name).write_bytes(changed.encode())
    assert read(tmp_path / "x.data.xml").train.instances == expected
