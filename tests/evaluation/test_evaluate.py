"""Models scored on a corpus: what the report says is what the file of answers is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run, jsonl
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.evaluation.evaluate import answer_lines, evaluate
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.readers import read
from wsdlist.training.train import train

# the most frequent sense is shore, 4 of 10; the most frequent group money, 6 of 10
COUNTS = {"shore": 4, "cash": 3, "branch": 3}
GROUPS = {"cash": "money", "branch": "money"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    senses = [sense for sense, count in COUNTS.items() for _ in range(count)]
    records = [
        {"id": f"i{n}", "lexelt": "bank.n", "tokens": ["a", "bank", f"x{n}"], "target": 1}
        | {"senses": [sense]}
        for n, sense in enumerate(senses)
    ]
    path = tmp_path / "c.jsonl"
    path.write_text(jsonl(records), encoding="utf-8")
    return path


@pytest.fixture
def model(corpus: Path) -> Model:
    return train(read(corpus).train, learner="mfs")


def test_the_answer_by_groups_is_the_one_whose_probabilities_sum_to_most(
    corpus: Path, model: Model
) -> None:
    instances = read(corpus).train
    groups = CoarseMap("two", GROUPS)
    (result,) = evaluate(model, instances, groups)
    assert result.score.accuracy == 0.6
    lines = answer_lines(instances, model.answer(instances.instances), groups)
    assert [line.split()[1] for line in lines.splitlines()] == ["money"] * 10
    assert answer_lines(instances, model.answer(instances.instances)).split()[1] == "shore"


def test_the_order_of_the_senses_does_not_decide_between_nearly_equal_groups() -> None:
    """0.1 + 0.2 is more than 0.3 by a last bit, however the senses are ordered."""
    groups = CoarseMap("two", {"a": "low", "b": "low"})
    items = Corpus([Instance("i", "w.n", ("w",), (0, 1), senses=("low",))])
    for names in (("a", "b", "c"), ("c", "b", "a")):
        distribution = {sense: {"a": 0.1, "b": 0.2, "c": 0.3}[sense] for sense in names}
        answers = [Answer("c", 0.3, distribution)]
        assert answer_lines(items, answers, groups) == "i low\n"


def test_the_file_of_answers_scores_what_was_printed(
    corpus: Path, model: Model, tmp_path: Path, wsdlist: Run
) -> None:
    path, answers, groups = tmp_path / "m.wsd", tmp_path / "a.key", tmp_path / "groups.tsv"
    model.save(path)
    groups.write_text("".join(f"{s}\t{g}\n" for s, g in GROUPS.items()), encoding="utf-8")
    key = tmp_path / "gold.key"
    gold = [(i.id, GROUPS.get(i.senses[0], i.senses[0])) for i in read(corpus).train]
    key.write_text("".join(f"{name} {group}\n" for name, group in gold), encoding="utf-8")
    call = ("evaluate", path, corpus, "--map", groups, "--answers", answers, "--json")
    printed = json.loads(wsdlist(*call).stdout.splitlines()[0])
    scored = json.loads(wsdlist("score", key, answers, "--json").stdout)
    assert printed["accuracy"] == scored["recall"] == 0.6
