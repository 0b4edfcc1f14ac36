"""The page to look at: whole, escaped, self-contained, and true."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import LEXICAL_SAMPLE, TABLES, Run, jsonl
from wsdlist.data.corpus import Corpus
from wsdlist.evaluation.evaluate import evaluate
from wsdlist.layout import percent
from wsdlist.models.model import Model
from wsdlist.readers import read
from wsdlist.reporting.charts import accuracy_by_rules
from wsdlist.reporting.page import page
from wsdlist.training.train import train

LEARNED: dict[str, Any] = {"features": "light", "discount": 0.9, "epsilon": 3.0}
VOID = {"meta", "path", "circle", "polyline", "br"}


class Checked(HTMLParser):
    """Follows the elements of a page, which must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.names.add(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        assert not {"src", "style", "srcset", "action"} & given.keys()
        assert not any(name.startswith("on") for name in given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def checked(text: str) -> Checked:
    """Return what is in a page that is whole, needs nothing else and links to itself alone."""
    made = Checked(text)
    assert made.open == []
    assert len(set(made.ids)) == len(made.ids)
    assert {link.removeprefix("#") for link in made.links} <= set(made.ids)
    assert not made.names & {"script", "link", "img", "iframe", "object", "form"}
    assert not re.search(r"url\(|@import|https?:", text)
    return made


@pytest.fixture(scope="module")
def model() -> Model:
    return train(read(LEXICAL_SAMPLE).train, **LEARNED)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    return test


def test_a_page_is_whole_and_needs_nothing_but_itself(model: Model, corpus: Corpus) -> None:
    text = page(model, corpus)
    made = checked(text)
    assert {f"w{n}" for n in range(1, 9)} <= set(made.ids)
    shown = " ".join(made.text)
    for row in evaluate(model, corpus):
        assert f"{row.score.instances} instances: accuracy {percent(row.score.accuracy)} %" in shown
    wrong = sum(row.score.instances - row.score.right for row in evaluate(model, corpus))
    assert sum(map(int, re.findall(r"(\d+) wrong answers", shown))) == wrong


def test_the_misclassified_are_the_wrong_answers_with_the_rule_that_fired(
    model: Model, corpus: Corpus
) -> None:
    text = page(model, corpus, words=["crane.n"], limit=1000)
    items = [item for item in corpus if item.lexelt == "crane.n"]
    answers = model.answer(items)
    for item, answer in zip(items, answers, strict=True):
        row = re.search(rf"<tr><td>{re.escape(item.id)}</td>.*?</tr>", text)
        assert (row is None) == (answer.sense in item.senses)
        if row is not None:
            name = "default" if answer.rule is None else str(answer.rule)
            assert row[0].endswith(f">{name}</a></td></tr>")


@pytest.mark.parametrize("from_the_end", [False, True])
def test_with_all_its_rules_a_list_has_its_accuracy_and_with_none_that_of_the_default(
    model: Model, corpus: Corpus, from_the_end: bool
) -> None:
    for lexelt, items in corpus.by_lexelt().items():
        expert = model[lexelt]
        gold = [item.senses for item in items]
        made = accuracy_by_rules(expert, items, gold, from_the_end=from_the_end)
        assert len(made) == expert.size.rules + 1
        right = [a.sense in g for a, g in zip(expert.answer(items), gold, strict=True)]
        assert made[-1] == pytest.approx(np.mean(right))
        most = expert.decision_list.default.sense
        assert made[0] == pytest.approx(np.mean([most in g for g in gold]))


def test_the_last_rules_of_a_prepended_list_are_the_list_of_a_greater_epsilon(
    model: Model, corpus: Corpus
) -> None:
    items = corpus.by_lexelt()["bank.n"]
    gold = [item.senses for item in items]
    made = accuracy_by_rules(model["bank.n"], items, gold, from_the_end=True)
    shorter = train(read(LEXICAL_SAMPLE).train, **{**LEARNED, "epsilon": 7.0})["bank.n"]
    ends = model["bank.n"].rules[-shorter.size.rules :]
    assert [rule.question for rule in shorter.rules] == [rule.question for rule in ends]
    right = np.mean([a.sense in g for a, g in zip(shorter.answer(items), gold, strict=True)])
    assert made[shorter.size.rules] == pytest.approx(right)


def test_what_a_corpus_says_is_text_and_nothing_else(wsdlist: Run, tmp_path: Path) -> None:
    evil = '<script>alert("x")</script>'
    records = [
        {
            "id": f"{evil}{n}",
            "lexelt": "a&b.n",
            "tokens": [evil, "'onload='", "&amp;", f"w{n % 3}", "bank"],
            "target": 4,
            "senses": [f"<b>{n % 2}</b>"],
        }
        for n in range(12)
    ]
    file, model, out = (tmp_path / name for name in ("c.jsonl", "m.wsd", "r.html"))
    file.write_text(jsonl(records), encoding="utf-8")
    wsdlist("train", file, "--features", "light", "--discount", "0.5", "--model", model)
    done = wsdlist("report", model, file, "--out", out)
    assert done.returncode == 0, done.stderr
    made = checked(out.read_text(encoding="utf-8"))
    assert any(evil in text for text in made.text)


@pytest.mark.parametrize("learner", ["naive-bayes", "cn2-unordered", "tbl", "append", "mfs"])
def test_every_learner_has_a_page(learner: str, corpus: Corpus) -> None:
    some = read(LEXICAL_SAMPLE).train
    some.instances = [item for item in some if item.lexelt == "crane.n"]
    made = train(some, learner=learner, features="light")
    shown = " ".join(checked(page(made, corpus)).text)
    assert "Reliability" in shown
    assert ("Accuracy with" in shown) == (learner == "append")


def test_without_a_corpus_it_shows_the_lists_and_with_a_limit_fewer_rules(model: Model) -> None:
    text = page(model, limit=3)
    shown = " ".join(checked(text).text)
    assert "accuracy" not in shown.replace("Accuracy", "accuracy")
    left_out = sum(expert.size.rules - 3 for expert in model.values())
    assert sum(map(int, re.findall(r"(\d+) rules before ELSE left out", shown))) == left_out
    assert len(text) < len(page(model))


def test_a_table_and_its_test_part(wsdlist: Run, tmp_path: Path) -> None:
    model, out = tmp_path / "m.wsd", tmp_path / "r.html"
    wsdlist("train", TABLES / "car.csv", "--discount", "0.5", "--epsilon", "3", "--model", model)
    done = wsdlist("report", model, TABLES / "car-test.csv", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "wrong answers, the surest first" in " ".join(checked(out.read_text("utf-8")).text)


def test_a_model_of_one_word_says_nothing_of_others(corpus: Corpus) -> None:
    some = read(LEXICAL_SAMPLE).train
    some.instances = [item for item in some if item.lexelt == "crane.n"]
    made = train(some, **LEARNED)
    other = Corpus([item for item in corpus if item.lexelt == "bank.n"])
    for tested in (corpus, other):
        shown = " ".join(checked(page(made, tested)).text)
        assert ("Reliability" in shown) == (tested is corpus)


def test_nothing_but_a_page_is_written_over(model: Model, wsdlist: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "m.wsd", tmp_path / "notes.txt"
    model.save(path)
    out.write_text("my notes", encoding="utf-8")
    done = wsdlist("report", path, "--out", out)
    assert (done.returncode, out.read_text("utf-8")) == (2, "my notes")
    assert "notes.txt: is there already and is no page" in done.stderr
    out.write_text("<!DOCTYPE html><p>mine", encoding="utf-8")
    assert wsdlist("report", path, "--out", out).returncode == 2
    assert wsdlist("report", path, "--out", "-").stdout.startswith("<!DOCTYPE html>")
    assert wsdlist("report", path, "--out", tmp_path / "r.html").returncode == 0
    assert wsdlist("report", path, "--out", tmp_path / "r.html", "--words", "bank").returncode == 0
    done = wsdlist("report", path, "--words", "ounce", "--out", tmp_path / "r.html")
    assert "has no word 'ounce'" in done.stderr


@pytest.mark.slow
def test_a_browser_shows_and_prints_it(model: Model, corpus: Corpus, tmp_path: Path) -> None:
    browser = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if browser is None:
        pytest.skip("no Chromium is installed")
    file = tmp_path / "r.html"
    file.write_text(page(model, corpus), encoding="utf-8")
    home = f"--user-data-dir={tmp_path / 'home'}"

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        call = [browser, "--headless", "--no-sandbox", "--disable-gpu", home, *more, file.as_uri()]
        return subprocess.run(call, capture_output=True, encoding="utf-8", timeout=120, check=True)

    dom = run("--dump-dom").stdout
    assert dom.count("<section") == 8
    assert dom.count("<svg") == 16
    sizes = []
    for width in (400, 1200):
        shot = tmp_path / f"{width}.png"
        run(f"--screenshot={shot}", f"--window-size={width},1400")
        data = shot.read_bytes()
        assert int.from_bytes(data[16:20], "big") == width
        sizes.append(len(data))
    blank = tmp_path / "blank.html"
    blank.write_text("<!DOCTYPE html><title>x</title>", encoding="utf-8")
    shot = tmp_path / "blank.png"
    file = blank
    run(f"--screenshot={shot}", "--window-size=1200,1400")
    assert min(sizes) > 5 * shot.stat().st_size  # there is something to see
    file = tmp_path / "r.html"
    pdf = tmp_path / "r.pdf"
    run(f"--print-to-pdf={pdf}")
    pages = re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())
    assert len(pages) >= 9  # each word begins one
