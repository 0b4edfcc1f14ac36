"""The command line on tables, and on words with the rule learners, as a user calls it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import LEXICAL_SAMPLE, TABLES, Run
from wsdlist.learners import LEARNERS

LENSES = TABLES / "contact-lenses.arff"
RULES = ("append", "webb-prepend-ip2", "prism", "cn2", "cn2-unordered", "ripper", "elem2")


@pytest.mark.parametrize("name", sorted({*LEARNERS} - {"perceptron"}))
def test_every_learner_learns_shows_and_scores_a_table(
    wsdlist: Run, tmp_path: Path, name: str
) -> None:
    model = tmp_path / "m.wsd"
    trained = wsdlist("train", LENSES, "--learner", name, "--min-count", 1, "--model", model)
    assert trained.returncode == 0, trained.stderr
    shown = wsdlist("show", model)
    assert shown.stdout.startswith("contact-lenses: 3 senses, 24 instances")
    scored = wsdlist("evaluate", model, LENSES, "--json")
    whole = json.loads(scored.stdout.splitlines()[-1])
    assert whole["accuracy"] >= whole["mfs"]["accuracy"]


@pytest.mark.parametrize("name", RULES)
def test_rule_learners_learn_words(wsdlist: Run, tmp_path: Path, name: str) -> None:
    model = tmp_path / "m.wsd"
    done = wsdlist("train", LEXICAL_SAMPLE, "--learner", name, "--folds", 2, "--model", model)
    assert done.returncode == 0, done.stderr
    total = done.stdout.splitlines()[-1].split()
    assert float(total[4]) > float(total[5]) + 5, "not better than the most frequent sense"
    said = wsdlist("explain", model, "A crane stood among the reeds of the river.")
    assert said.returncode == 0
    assert "crane" in said.stdout
    text = tmp_path / "t.txt"
    text.write_text("Two cranes stood among the reeds.")
    tagged = wsdlist("tag", model, text)
    assert tagged.returncode == 0
    assert "crane" in tagged.stdout


def test_coverage_says_how_complete_and_consistent_rules_are(wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    wsdlist("train", LENSES, "--learner", "cn2-unordered", "--min-count", 1, "--model", model)
    shown = wsdlist("show", model, "--coverage").stdout.splitlines()
    assert shown[0] == "contact-lenses"
    assert shown[1].split() == [
        *("sense", "instances", "rules", "covered", "complete", "%", "consistent", "%"),
    ]
    assert shown[4].split() == ["soft", "5", "1", "6", "100.0", "83.3"]
    wsdlist("train", LENSES, "--learner", "prepend", "--min-count", 1, "--model", model)
    refused = wsdlist("show", model, "--coverage")
    assert refused.returncode == 2
    assert "no rules that were made for a sense; leave --coverage out" in refused.stderr


def test_random_splits_and_their_paired_tests(wsdlist: Run) -> None:
    call = ("crossval", TABLES / "play-tennis.csv", "--splits", 6, "--train", 0.7)
    learners = ("--learner", "prism", "--learner", "cn2", "--learner", "prism", "--min-count", 1)
    done = wsdlist(*call, *learners)
    lines = done.stdout.splitlines()
    assert lines[0] == "features table; 6 splits, 0.7 learned from"
    assert lines[1].split()[-5:] == ["p", "McNemar", "t-test", "sign", "test"]
    assert lines[2].split()[0] == "prism"
    assert lines[4].split()[-3:] == ["-", "1.0000", "1.0000"]  # the same learner
    assert done.stdout.count("is / answered") == 3
    again = wsdlist(*call, *learners, "--jobs", 2)
    assert again.stdout == done.stdout
    rows = [json.loads(line) for line in wsdlist(*call, *learners, "--json").stdout.splitlines()]
    assert len(rows[0]["rounds"]) == 6
    tested = rows[0]["instances"]
    assert tested == sum(map(int, re.findall(r"\d+", "".join(lines[8:10]))))
    assert rows[2]["p"] is None
    alone = wsdlist("crossval", TABLES / "play-tennis.csv", "--train", 0.5)
    assert alone.returncode == 2
    assert "say --splits too" in alone.stderr
    for bad, advice in (
        (("--splits", 0), "splits is 0; say a whole number of 1 or more"),
        (("--splits", 3, "--train", 1), "train is 1.0; say a number between 0 and 1"),
    ):
        refused = wsdlist("crossval", TABLES / "play-tennis.csv", *bad)
        assert refused.returncode == 2
        assert advice in refused.stderr


def test_parameters_and_columns_by_name(wsdlist: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{n},{'xyz'[n % 3]},{'no' if n > 12 else 'yes'}" for n in range(25)]
    file.write_text("\n".join(["number,letter,class", *rows]) + "\n")
    model = tmp_path / "m.wsd"
    call = ("train", file, "--learner", "cn2", "--model", model, "--column", "number=numeric")
    assert wsdlist(*call, "--set", "width=2").returncode == 0
    shown = wsdlist("show", model).stdout
    assert "width 2" in shown
    assert "number=(-inf,12.5]" in shown
    for given, said in (
        (("--set", "width=none"), "width is 'none'"),
        (("--set", "depth=2"), "no parameter of cn2 is 'depth'; leave depth out"),
        (("--set", "width"), "--set 'width' says nothing; write name=value"),
        (("--column", "number=real"), "column 'number' is 'real'"),
        (("--column", "size=numeric"), "there is no attribute 'size'"),
        (("--missing", "some"), "missing is 'some'; say one of none, value"),
        (("--column", "letter=numeric"), "is no number, as the attribute 'letter' asks for"),
    ):
        refused = wsdlist("train", file, "--learner", "cn2", *given)
        assert refused.returncode == 2, given
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr


def test_a_model_knows_which_attribute_is_the_class(wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    tennis = TABLES / "play-tennis.csv"
    wsdlist("train", tennis, "--class", "windy", "--min-count", 1, "--model", model)
    scored = wsdlist("evaluate", model, tennis)
    assert scored.returncode == 0, scored.stderr
    assert "unknown" not in scored.stderr
    assert wsdlist("evaluate", model, tennis, "--class", "windy").stdout == scored.stdout
    car = wsdlist("train", TABLES / "car.csv", "--min-count", 1, "--model", model)
    assert car.returncode == 0
    tested = wsdlist("evaluate", model, TABLES / "car-test.csv")
    assert tested.returncode == 0
    assert "learned from" not in tested.stderr
    refused = wsdlist("train", tennis, "--column", "play=skip")
    assert refused.returncode == 2
    assert "the class, is left out; name another class with --class" in refused.stderr


def test_the_cut_off_can_be_chosen_on_held_out_rows(wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    done = wsdlist(
        *("train", TABLES / "play-tennis.csv", "--learner", "webb-prepend-ip2", "--min-count", 1),
        *("--set", "cut_off=auto", "--model", model),
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"cut_off \d+ \(tuned\)", done.stdout)


def test_show_prints_the_rules_grown_for_cases(wsdlist: Run, tmp_path: Path) -> None:
    """Where the first value is 0 the class is the second, where it is 1 the class is not."""
    file, model = tmp_path / "xor.csv", tmp_path / "m.wsd"
    rows = [f"{a},{b},s{a ^ b}" for a in (0, 1) for b in (0, 1) for _ in range(40)]
    file.write_text("a,b,class\n" + "\n".join(rows) + "\n", encoding="utf-8")
    wsdlist("train", file, "--learner", "lazy-nb", "--model", model)
    assert "none was grown yet" in wsdlist("show", model).stdout
    shown = wsdlist("show", model, "--cases", file).stdout.splitlines()
    assert shown[2:] == ["2 grown for 160 cases", "rule  cases", "a=0      80", "a=1      80"]
    assert wsdlist("show", model, "--cases", file, "--top", 1).stdout.endswith("... 1 more rules\n")
    record = json.loads(wsdlist("show", model, "--cases", file, "--json").stdout)
    assert record["grown"] == [{"rule": "a=0", "cases": 80}, {"rule": "a=1", "cases": 80}]
    wsdlist("train", file, "--learner", "prism", "--model", model)
    refused = wsdlist("show", model, "--cases", file)
    assert refused.returncode == 2
    assert "prism, which grows no rules for cases; leave --cases out" in refused.stderr


def test_a_parameter_that_some_learners_lack_is_said(wsdlist: Run) -> None:
    learners = ("--learner", "prepend", "--learner", "mfs")
    done = wsdlist("crossval", LENSES, *learners, "--set", "max_rules=1", "--folds", 2)
    assert done.returncode == 0
    assert "max_rules is no parameter of mfs: not used there" in done.stderr


@pytest.mark.parametrize("number", ["1_0", "\uff11", "NaN", "1e999"])
def test_a_value_that_is_no_number_stops_with_its_line(
    wsdlist: Run, tmp_path: Path, number: str
) -> None:
    table = tmp_path / "t.arff"
    rows = f"1,a\n2,b\n{number},a\n"
    table.write_text(f"@relation t\n@attribute x numeric\n@attribute c {{a,b}}\n@data\n{rows}")
    done = wsdlist("train", table)
    assert done.returncode == 2
    assert f"{table}:7: " in done.stderr
    assert "is not a number, as 'x' asks for" in done.stderr


def test_no_process_is_refused_before_anything_is_read(wsdlist: Run) -> None:
    done = wsdlist("train", "nosuch", "--jobs", 0)
    assert done.returncode == 2
    assert "jobs is 0" in done.stderr
    assert "nosuch" not in done.stderr
