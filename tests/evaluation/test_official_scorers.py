"""Official scores: to the printed digit where the systems' answers are at hand."""

from __future__ import annotations

import csv
import json
import tarfile
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Run
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.official_scorers import (
    AnswerFile,
    Line,
    SenseMap,
    compare,
    read_file,
    read_sense_map,
    rules_of,
    score,
    weights_of,
)
from wsdlist.evaluation.significance import mcnemar


def lay(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def key_of(**gold: str) -> AnswerFile:
    lines = {
        i: Line(i, "w.n", [(s, None) for s in senses.split()], "") for i, senses in gold.items()
    }
    return AnswerFile(lines)


GOLD = "".join(f"s{n:02d} {'money' if n < 8 else 'shore'}\n" for n in range(1, 11))
ANSWERS = (
    "s08 shore\ns07 shore\ns06 shore\ns05 money\ns04 money\ns03 money\ns02 money\ns01 money\n"
    "s09\nzz9 money\n"
)


def test_answers_and_gold_that_do_not_line_up(tmp_path: Path) -> None:
    """USERS, case 8: six of eight right, one line with an id alone, one id too many."""
    key = read_file(lay(tmp_path, "k", GOLD), "unified")
    for text in (ANSWERS, "".join(sorted(ANSWERS.splitlines(keepends=True)))):
        made = score(key, read_file(lay(tmp_path, "a", text), "unified"))
        assert made.total.precision == 6 / 8
        assert made.total.recall == 6 / 10
        assert round(made.total.f1, 3) == 0.667
        assert (made.total.answered, made.ignored, made.empty) == (8, ("zz9",), 1)
    twice = read_file(lay(tmp_path, "b", ANSWERS + "s01 shore\n"), "unified")
    assert score(key, twice).credit["s01"] == (1, 0.5)
    assert twice.repeated == 1
    old = "".join(f"bank {line}\n" for line in (ANSWERS + "s01 shore\n").splitlines())
    first = read_file(lay(tmp_path, "c", old), "senseval")
    gold = read_file(
        lay(tmp_path, "d", "".join(f"bank {s}\n" for s in GOLD.splitlines())), "senseval"
    )
    assert score(gold, first, "senseval").credit["s01"] == (1, 1)


def test_no_answers_have_no_precision(tmp_path: Path, wsdlist: Run) -> None:
    made = score(key_of(a="x"), AnswerFile())
    assert made.total.precision != made.total.precision
    assert (made.total.recall, made.total.f1) == (0, 0)
    key, empty = lay(tmp_path, "k", "a x\n"), lay(tmp_path, "e", "")
    done = wsdlist("score", key, empty)
    assert done.returncode == 0
    assert done.stdout.splitlines()[2].split()[-3:] == ["-", "0.0", "0.0"]
    record = json.loads(wsdlist("score", key, empty, "--json").stdout)
    assert record["precision"] is None


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("a/0.4 b/0.2", {"a": 0.4, "b": 0.2}),
        ("a/3 b/1", {"a": 0.75, "b": 0.25}),
        ("a/0.9 b", {"a": 0.5, "b": 0.5}),
        ("a b c d", {"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}),
        ("a/x", {"a/x": 1.0}),
        ("a/nan", {"a/nan": 1.0}),
        ("a/0 b/1", {"a": 0.0, "b": 1.0}),
        ("a/-0.5", {"a/-0.5": 1.0}),
        ("/0.5", {"/0.5": 1.0}),
    ],
)
def test_weights_are_those_of_scorer2(
    tags: str, expected: dict[str, float], tmp_path: Path
) -> None:
    answers = read_file(lay(tmp_path, "a", f"w i {tags} !! note\n"), "senseval")
    assert dict(weights_of(answers.lines["i"])) == expected


MAP = "a1 2 a\na2 2 a\na 3 top\nb 3 top\nc\n"


@pytest.mark.parametrize(
    ("gold", "answer", "fine", "mixed", "coarse"),
    [
        ("a1", "a1", 1, 1, 1),
        ("a", "a1", 0, 1, 1),  # below the right sense
        ("a1", "a", 0, 1 / 2, 1),  # above it
        ("a1", "top", 0, 1 / 6, 1),
        ("a1", "a2", 0, 0, 1),
        ("a1", "c", 0, 0, 0),
        ("x", "x", 1, 1, 1),  # not in the map: its own group
        ("a1 a2", "a", 0, 1, 1),  # shares add up
    ],
)
def test_grains(
    gold: str, answer: str, fine: float, mixed: float, coarse: float, tmp_path: Path
) -> None:
    groups = read_sense_map(lay(tmp_path, "m", MAP))
    for grain, expected in (("fine", fine), ("mixed", mixed), ("coarse", coarse)):
        made = score(key_of(i=gold), key_of(i=answer), "senseval", grain=grain, sense_map=groups)
        assert made.total.correct == pytest.approx(expected), grain


def test_what_stands_in_two_places_of_the_map_is_worth_one_at_the_most() -> None:
    """The answer a is right, and above the other gold sense too: 1 and a half are 1."""
    groups = SenseMap({"a1": (("a", 1 / 2),)})
    half = AnswerFile({"i": Line("i", "w.n", [("a", 0.5), ("c", 0.5)], "")})
    made = score(key_of(i="a a1"), half, "senseval", grain="mixed", sense_map=groups)
    assert made.credit == {"i": (1, 0.5)}
    assert (made.rules, made.grain) == ("senseval", "mixed")


def test_the_confusion_matrix_takes_the_answer_of_the_greatest_weight() -> None:
    answers = AnswerFile(
        {
            "i": Line("i", "w.n", [("x", 0.2), ("b", 0.5), ("y", 0.3)], ""),
            "j": Line("j", "w.n", [("x", None), ("y", None)], ""),  # the first of equals
        }
    )
    made = score(key_of(i="a b", j="a b", k="a"), answers, "senseval")
    assert made.confusion == {"w.n": {("b", "b"): 1, ("a", "x"): 1}}
    assert score(key_of(i="a"), AnswerFile()).confusion == {}


@pytest.mark.parametrize(
    ("name", "word", "gold", "parts"),
    [
        ("d0.s1.t2", "", "art%1:04:00::", ("noun", "d0", "art.n")),
        ("x", "", "art%1:04:00:: draw%2:36:00::", ("noun", "(none)", "art.n")),
        ("d.0.s1.t2", "", "odd%5:00:00:strange:00", ("adjective", "d.0", "odd.a")),
        ("s1.t2", "", "cash", ("(none)", "(none)", "(none)")),
        ("x", "art.v", "art%1:04:00::", ("verb", "(none)", "art.v")),
        ("x", "art", "art%1:04:00::", ("noun", "(none)", "art")),
        ("x", "art", "U", ("(none)", "(none)", "art")),
    ],
)
def test_parts_of_a_corpus(name: str, word: str, gold: str, parts: tuple[str, ...]) -> None:
    key = AnswerFile({name: Line(name, word, [(sense, None) for sense in gold.split()], "")})
    made = score(key, key)
    assert tuple(value for kind in made.parts.values() for value in kind) == parts
    assert all(scored.f1 == 1 for kind in made.parts.values() for scored in kind.values())
    assert list(made.parts) == ["pos", "document", "word"]


def test_macro_f1_is_the_mean_over_words() -> None:
    words = {"i": "a.n", "j": "a.n", "k": "b.n"}
    key = AnswerFile({i: Line(i, word, [("x", None)], "") for i, word in words.items()})
    made = score(key, key_of(i="x", j="x", k="y"))
    assert (made.total.f1, made.macro_f1) == (2 / 3, 1 / 2)


def test_minimal_leaves_out_several_gold_senses() -> None:
    key, said = key_of(i="a b", j="c"), key_of(i="a", j="c")
    assert score(key, said, "senseval").total.instances == 2
    assert score(key, said, "senseval", minimal=True).total.instances == 1


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"rules": "bnc"}, "'bnc', 'fine' is unknown; say one of unified, senseval"),
        ({"grain": "finest"}, "'unified', 'finest' is unknown; say one of fine, mixed, coarse"),
        ({"grain": "coarse"}, "needs a sense map"),
        ({"rules": "senseval", "grain": "mixed"}, "needs a sense map"),
        ({"grain": "coarse", "sense_map": SenseMap()}, "needs a sense map"),
    ],
)
def test_impossible_rules_are_refused(given_: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        score(key_of(i="a"), key_of(i="a"), **given_)


def test_bad_lines_are_named(tmp_path: Path) -> None:
    for line in ("a b", "a x b", "a 0 b", "a 2 b 3"):
        with pytest.raises(InputError, match="m:2: the line is not a sense"):
            read_sense_map(lay(tmp_path, "m", f"b\n{line}\n"))
    with pytest.raises(InputError, match="k:2: the line has one field"):
        read_file(lay(tmp_path, "k", "w i a\nw\n"), "senseval")


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("unified", "d0.t0 a b\nd0.t1 a\n"),
        ("unified", "d0.t0 a b\nd0.t1 a b\n"),  # as many ids as lines
        ("unified", "d0.t0 a x\nd0.t1 b x\n"),
        ("senseval", "art art.1 a b\nart art.2 c\n"),
        ("senseval", "art art.1 a\nart art.2 b\nart art.3\n"),
        ("unified", "art art.1 a\nart art.2 b\nart art.3\nart art.4\n"),  # no more than half
        ("senseval", "art\nart art.1 a\nart art.2 b\n"),
    ],
)
def test_rules_are_told_by_the_columns(rules: str, lines: str, tmp_path: Path) -> None:
    assert rules_of([lay(tmp_path, "k", lines)]) == rules


def test_empty_lines_and_comments_of_senseval(tmp_path: Path) -> None:
    text = "w i a !! back-off: first sense\n\nw j b !! sure\nw k c\n"
    lines = read_file(lay(tmp_path, "a", text), "senseval").lines
    assert {name: line.back_off for name, line in lines.items()} == {
        "i": True,
        "j": False,
        "k": False,
    }
    made = score(key_of(i="a", j="b"), AnswerFile(lines))
    assert (made.back_off, made.ignored, made.total.answered) == (1, ("k",), 2)
    assert score(key_of(i="a"), key_of(i="a")).back_off == 0


def test_ancestors_are_those_of_the_line_and_of_their_lines(tmp_path: Path) -> None:
    groups = read_sense_map(lay(tmp_path, "m", "a1 2 a\n\na 3 top\ntop\na1 5 other\n"))
    assert groups.above["a1"] == (("a", 1 / 2), ("top", 1 / 6))
    assert (groups.top("a1"), groups.top("top"), groups.top("x")) == ("top", "top", "x")
    assert groups.credit("a1", "a1") == groups.credit("a1", "top") == 1
    steps = read_sense_map(lay(tmp_path, "s", "z 2 y 3 w\n"))
    assert steps.above["z"] == (("y", 1 / 2), ("w", 1 / 6))
    circle = read_sense_map(lay(tmp_path, "c", "x 2 a\na 2 b\nb 2 a\n"))
    assert circle.above["x"] == (("a", 1 / 2), ("b", 1 / 4))


runs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(runs)
@settings(deadline=None, max_examples=25)
def test_two_runs_are_compared_instance_by_instance(pairs: list[tuple[bool, bool]]) -> None:
    key = key_of(**{f"i{n}": "a" for n in range(len(pairs))})
    one, two = (
        key_of(**{f"i{n}": "a" if right[which] else "b" for n, right in enumerate(pairs)})
        for which in (0, 1)
    )
    made = compare(score(key, one), score(key, two))
    only = [pairs.count((True, False)), pairs.count((False, True))]
    assert [made.only_first, made.only_second] == only
    assert made.p == mcnemar(*only)
    assert made.difference == pytest.approx((only[1] - only[0]) / len(pairs))
    assert made.low - 1e-9 <= made.difference <= made.high + 1e-9


def half_right(n: int) -> tuple[AnswerFile, AnswerFile]:
    """Return a key of n instances, and answers of which every other one is right."""
    key = key_of(**{f"i{n}": "a" for n in range(n)})
    return key, key_of(**{f"i{n}": "ab"[n % 2] for n in range(n)})


def test_the_bootstrap_draws_in_chunks_what_one_table_of_draws_has() -> None:
    n = 331  # 10,000 draws of it are several chunks
    made = score(*half_right(n))
    drawn = np.random.default_rng(7).integers(0, n, (10_000, n), dtype=np.int32)
    accuracy = (drawn % 2 == 0).mean(axis=1)
    assert made.interval() == made.interval(0) != made.interval(1)
    assert made.interval(7) == pytest.approx(np.quantile(accuracy, [0.025, 0.975]), abs=1e-12)


def test_two_runs_are_compared_by_the_same_draws_of_seed_0() -> None:
    key, half = half_right(40)
    all_right = score(key, key)
    made = compare(all_right, score(key, half))
    assert made == compare(made.first, made.second, 0)
    assert (made.first.total.f1, made.second.total.f1) == (1, 0.5)
    drawn = np.random.default_rng(1).integers(0, 40, (10_000, 40), dtype=np.int32)
    quantiles = np.quantile((drawn % 2 == 0).mean(axis=1) - 1, [0.025, 0.975])
    other = compare(made.first, made.second, 1)
    assert (other.low, other.high) == pytest.approx(tuple(quantiles))


def test_an_interval_of_one_instance_and_of_none() -> None:
    assert score(key_of(i="a"), key_of(i="a")).interval() == (1, 1)
    made = score(AnswerFile(), AnswerFile())
    assert made.interval() == (0, 0)
    assert np.isnan(made.total.f1)
    assert np.isnan(made.macro_f1)


def test_the_bootstrap_of_an_all_words_corpus_takes_little_memory() -> None:
    """10,000 draws of 7,253 instances at once are 1.2 GB."""
    made = score(*half_right(7253))
    tracemalloc.start()
    made.interval()
    compare(made, made)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64e6


def test_compare_on_the_command_line(tmp_path: Path, wsdlist: Run) -> None:
    key = lay(tmp_path, "k", "".join(f"d.s{n}.t0 a%1:00:00::\n" for n in range(40)))
    good = lay(tmp_path, "g", "".join(f"d.s{n}.t0 a%1:00:00::\n" for n in range(40)))
    bad = lay(tmp_path, "b", "".join(f"d.s{n}.t0 {'ab'[n % 2]}%1:00:00::\n" for n in range(40)))
    done = wsdlist("compare", key, good, bad, "--fail-if-worse")
    assert done.returncode == 1
    assert "right only in the first 20, only in the second 0: McNemar's exact p = 0.0000" in (
        done.stdout
    )
    assert wsdlist("compare", key, bad, good, "--fail-if-worse").returncode == 0
    record = json.loads(wsdlist("compare", key, good, bad, "--json").stdout)
    assert (record["only_first"], record["difference"]) == (20, -0.5)
    shown = wsdlist("score", key, bad, "--by", "pos", "--by", "word", "--confusion", "a.n").stdout
    assert "noun" in shown
    assert "a%1:00:00::             20           20" in shown
    empty, other = lay(tmp_path, "e", ""), lay(tmp_path, "o", "a d.s1.t0 a%1:00:00::\n")
    for arguments, said in (
        ((empty, bad), f"{empty}: holds no instance with a sense"),
        ((key, other), f"{other}: has no id of the key, read by the unified rules"),
    ):
        refused = wsdlist("score", *arguments)
        assert refused.returncode == 2
        assert said in refused.stderr
    for options, said in (
        (("--by", "genre"), "by is 'genre'; say one of pos, document, word"),
        (("--confusion", "zebra.n"), "no answer to the word 'zebra.n'"),
        (("--grain", "coarse"), "needs a sense map; name it with --sense-map"),
    ):
        refused = wsdlist("score", key, bad, *options)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert said in refused.stderr


def test_every_official_score_of_senseval_2(shared: Path, tmp_path: Path) -> None:
    folder = shared / "wsd" / "senseval2-en-ls"
    with tarfile.open(folder / "senseval2-en-ls-extra.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    (table,) = tmp_path.rglob("official-results.tsv")
    key = read_file(str(folder / "eng-lex-sample.key.xz"), "senseval")
    groups = read_sense_map(str(folder / "eng-lex-sample.sensemap"))
    with table.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len({row["system"] for row in rows}) == 37
    for row in rows:
        answers = read_file(str(table.parent / "answers" / row["system"]), "senseval")
        total = score(key, answers, "senseval", grain=row["grain"], sense_map=groups).total
        assert f"{total.precision:.3f} {total.recall:.3f}" == f"{row['precision']} {row['recall']}"


PUBLISHED = {  # F1 on ALL
    "MFS_semcor.key": 64.8,
    "MFS_semcor+omsti.key": 62.9,
    "WNFirstsense.key": 65.2,
    "syntagrank-predictions.key.txt": 71.7,
    "lmms-predictions.key.txt": 75.4,
    "generationary-predictions.key.txt": 76.3,
    "glossbert-predictions.key.txt": 76.9,
    "ares-predictions.key.txt": 77.9,
    "ewiser-predictions.key.txt": 78.3,
    "bem-predictions.key.txt": 79.0,
    "esc-predictions.key.txt": 80.7,
}


def test_every_published_score_of_the_unified_framework(shared: Path, tmp_path: Path) -> None:
    with tarfile.open(shared / "wsd" / "raganato2017" / "raganato2017.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    (gold,) = tmp_path.rglob("ALL.gold.key.txt")
    (systems,) = tmp_path.rglob("Output_Systems_ALL")
    key = read_file(str(gold), rules_of([str(gold)]))
    found = {
        path.name: round(100 * score(key, read_file(str(path), "unified")).total.f1, 1)
        for path in systems.iterdir()
    }
    assert found == PUBLISHED
