"""Held-out choice of d and epsilon."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tests.conftest import LEXICAL_SAMPLE, Run, jsonl, seed_records
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.folds import deal, keep_every_sense
from wsdlist.errors import ParameterError
from wsdlist.features import ask
from wsdlist.learners import learner
from wsdlist.learners.fitted.decision_list import REESTIMATE, DecisionList
from wsdlist.models.model import Model, load
from wsdlist.models.recipe import STANDARD_GRIDS, Recipe, recipe_of
from wsdlist.readers import read
from wsdlist.training.fit import question_matrix, tune_word
from wsdlist.training.prepare import labelled
from wsdlist.training.train import settle, train
from wsdlist.training.trials import Trial, TuningTable, pooled
from wsdlist.training.tuning import leave_one_out_discount


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read(LEXICAL_SAMPLE).train


def tuning_of(model: Model) -> dict[str, Any]:
    """Return the record of the tuning of all words together."""
    assert model.meta.tuning is not None
    return model.meta.tuning


LIGHT = Recipe(
    "prepend",
    Recipe().features.__class__(
        name="few", version=1, about="", single=("word-1", "word+1", "near(9)")
    ),
    {"discount": "auto", "epsilon": "auto"},
)


def test_every_cell_of_the_table_is_what_a_separate_run_reaches(corpus: Corpus) -> None:
    """The path follows the held-out part; a list learned for that epsilon does the same."""
    items, labels = labelled(corpus)["bank.n"]
    settings = replace(LIGHT, parameters={**LIGHT.parameters, "reestimate": "auto"})
    table = tune_word(settings, "bank.n", items, labels)
    assert len(table.trials) == len(STANDARD_GRIDS["discount"]) * len(
        STANDARD_GRIDS["epsilon"]
    ) * len(REESTIMATE)
    parts = keep_every_sense(deal(items, labels, 5), labels)
    for trial in table.trials[::11]:
        bits, right, rules = 0.0, 0, []
        for part in range(5):
            rest, held = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
            known = question_matrix(LIGHT, [items[i] for i in rest], [labels[i] for i in rest])
            fitted = learner("prepend", **trial.parameters).fit(known)
            asked = ask([items[i] for i in held], fitted.questions)
            P = fitted.predict_proba(asked)
            gold = [fitted.senses.index(labels[i][0]) for i in held]
            bits += float(-np.log2(P[np.arange(len(held)), gold]).sum())
            right += int((P.argmax(axis=1) == gold).sum())
            rules.append(fitted.size.rules)
        assert trial.bits == pytest.approx(bits, abs=1e-3)
        assert trial.right == right
        assert trial.rules == pytest.approx(np.mean(rules))


def test_other_learners_are_tuned_by_running_them(corpus: Corpus) -> None:
    items, labels = labelled(corpus)["crane.n"]
    settings = Recipe(
        "compromise", LIGHT.features, {"epsilon": "auto"}, grid={"reestimate": ["none", "rules"]}
    )
    table = tune_word(settings, "crane.n", items, labels)
    assert {tuple(trial.parameters) for trial in table.trials} == {("epsilon", "reestimate")}
    assert len(table.trials) == len(STANDARD_GRIDS["epsilon"]) * 2
    assert len({trial.bits for trial in table.trials}) > 2


def test_the_order_of_lines_does_not_matter(corpus: Corpus) -> None:
    items = cast("list[Instance]", corpus.by_lexelt()["plant.n"])
    made = set()
    for order in (items, items[::-1], items[1::2] + items[::2]):
        model = train(Corpus(list(order)), features=LIGHT.features)
        made.add(json.dumps([model.meta.tuning, model["plant.n"].fitted.to_record()]))
    assert len(made) == 1


def test_parts_are_even_in_every_sense_and_keep_copies_together() -> None:
    texts = [f"w{n} bank v{n % 7}" for n in range(40)]
    labels = [("a",) if n % 4 else ("b",) for n in range(40)]
    items = [Instance(str(n), "bank.n", tuple(t.split()), (1, 2)) for n, t in enumerate(texts)]
    items.append(Instance("copy", "bank.n", ("W0", "BANK", "V0"), (1, 2)))
    parts = deal(items, [*labels, ("b",)], 5)
    assert parts[-1] == parts[0]
    assert max(Counter(parts.tolist()).values()) <= 9
    for sense in "ab":
        counts = Counter(
            p for p, gold in zip(parts.tolist(), labels, strict=False) if sense in gold
        )
        assert max(counts.values()) - min(counts.values()) <= 1
    assert (deal(items, [*labels, ("b",)], 5, seed=1) != parts).any()


def test_a_sense_keeps_an_instance_in_training() -> None:
    labels = [("a",), ("a",), ("b",), ("a", "c")]
    assert keep_every_sense(np.array([0, 1, 0, 1]), labels).tolist() == [0, 1, -1, -1]


def test_ties_go_to_the_larger_epsilon_then_to_the_first() -> None:
    def trial(d: float, e: float, bits: float) -> Trial:
        return Trial({"discount": d, "epsilon": e}, bits, 5, 0.5, 1, 10, 1)

    table = TuningTable((trial(0.5, 1, 8), trial(0.7, 3, 8), trial(0.9, 3, 8), trial(0.9, 5, 9)))
    assert table.best == {"discount": 0.7, "epsilon": 3}
    assert TuningTable().best == {}


def test_pooling_adds_up_what_all_words_tried() -> None:
    one = TuningTable(
        (Trial({"epsilon": 1.0}, 5, 1, 0.1, 4, 10, 1), Trial({"epsilon": 2.0}, 6, 1, 0, 1, 10, 1))
    )
    other = TuningTable((Trial({"epsilon": 1.0}, 7, 2, 0.3, 2, 20, 1),), ("other: said",))
    table = pooled([one, other, TuningTable((), ("third: one sense, nothing to choose",))])
    assert table.trials == (Trial({"epsilon": 1.0}, 12, 3, 0.4, 6, 30, 2),)
    assert len(table.notes) == 2
    record = table.trials[0].to_record()
    assert (record["bits"], record["accuracy"], record["macro_f1"]) == (12 / 30, 3 / 30, 0.2)
    assert (record["rules"], record["instances"]) == (3, 30)
    assert pooled([]) == TuningTable()
    assert pooled([TuningTable((), (), "accuracy")] * 2).criterion == "accuracy"


@pytest.mark.parametrize(("n1", "n2", "d"), [(6, 2, 0.6), (0, 9, 0.1), (5, 0, 0.95), (0, 0, 0.1)])
def test_leave_one_out_discount(n1: int, n2: int, d: float) -> None:
    assert leave_one_out_discount(n1, n2) == d


def test_the_estimate_is_among_the_discounts(corpus: Corpus) -> None:
    model = train(corpus, features=LIGHT.features)
    discounts = {t["parameters"]["discount"] for t in tuning_of(model)["trials"]}
    assert len(discounts - set(STANDARD_GRIDS["discount"])) == 1


def test_shared_and_own_parameters(corpus: Corpus, tmp_path: Path) -> None:
    shared = train(corpus, features=LIGHT.features)
    best = tuning_of(shared)["best"]
    assert all(expert.parameters["epsilon"] == best["epsilon"] for expert in shared.values())
    assert shared["bank.n"].tuning is None
    own = train(corpus, features=LIGHT.features, share_tuning=False)
    assert own.meta.tuning is None
    own.save(tmp_path / "m.wsd")
    kept = load(tmp_path / "m.wsd")
    assert len({json.dumps(expert.parameters) for expert in kept.values()}) > 1
    for word, expert in kept.items():
        table = expert.tuning
        assert table is not None
        assert expert.parameters == {**expert.parameters, **table["best"]}
        items, labels = labelled(corpus)[word]
        again = learner("prepend", **expert.parameters).fit(question_matrix(LIGHT, items, labels))
        assert isinstance(again, DecisionList)
        assert again.to_record() == expert.fitted.to_record()


@pytest.mark.parametrize("criterion", ["bits", "accuracy", "macro-f1"])
def test_tune_for(corpus: Corpus, criterion: str) -> None:
    model = train(corpus, features=LIGHT.features, tune_for=criterion)
    trials = tuning_of(model)["trials"]
    best = next(t for t in trials if t["parameters"] == tuning_of(model)["best"])
    field = {"bits": "bits", "accuracy": "accuracy", "macro-f1": "macro_f1"}[criterion]
    extreme = min if criterion == "bits" else max
    assert best[field] == extreme(t[field] for t in trials)


def test_given_values_are_not_tuned(corpus: Corpus) -> None:
    model = train(corpus, features=LIGHT.features, discount=0.9, epsilon=3.0)
    assert model.meta.tuning is None
    assert [*recipe_of("sorted").tried] == ["discount"]
    assert recipe_of("mfs").tried == {}
    settings, table = settle(Recipe("mfs", LIGHT.features), labelled(corpus))
    assert (settings.parameters, table) == ({}, None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"multi": "auto"}, "multi is 'auto'"),
        ({"discount": 0.5, "grid": {"discount": [0.5, 0.9]}}, "discount is given"),
        ({"grid": {"depth": [1]}}, "no parameter 'depth'"),
        ({"grid": {"epsilon": [-1.0]}}, "epsilon is -1.0"),
        ({"grid": {"reestimate": ["all"]}}, "reestimate is 'all'"),
        ({"tune_for": "speed"}, "tune_for is 'speed'"),
    ],
)
def test_impossible_tuning(corpus: Corpus, given: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        train(corpus, features=LIGHT.features, **given)  # type: ignore[arg-type]


def test_first_senses_alone_are_learned_and_tuned(corpus: Corpus) -> None:
    """A label that is never first is no sense of the model, and no reason to fail."""
    from dataclasses import replace

    items = cast("list[Instance]", corpus.by_lexelt()["crane.n"])
    odd = [
        replace(item, senses=(*item.senses, "never first")) if n % 11 == 0 else item
        for n, item in enumerate(items)
    ]
    model = train(Corpus(list(odd)), features=LIGHT.features, multi="first")
    assert model["crane.n"].senses == ("bird", "machine")


def test_a_value_named_twice_is_tried_once(corpus: Corpus) -> None:
    settings = Recipe("prepend", LIGHT.features, grid={"discount": [0.1, 0.9, 0.9]})
    items, labels = labelled(corpus)["crane.n"]
    table = tune_word(settings, "crane.n", items, labels)
    assert [trial.parameters for trial in table.trials] == [{"discount": 0.1}, {"discount": 0.9}]
    assert {trial.instances for trial in table.trials} == {len(items)}
    with pytest.raises(ParameterError, match="grid of epsilon is empty"):
        Recipe("prepend", LIGHT.features, grid={"epsilon": []})


def test_infinite_bits_are_null_and_never_chosen(wsdlist: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "s.jsonl"
    corpus.write_text(jsonl([{**r, "id": f"{n}"} for n, r in enumerate(seed_records())]))
    call = ("--grid", "discount=0,0.9", "--features", "light")
    assert wsdlist("tune", corpus, "--discount", "0", "--features", "light").returncode == 0
    shown = wsdlist("tune", corpus, *call, "--json")
    for line in shown.stdout.splitlines():
        json.loads(line, parse_constant=pytest.fail)
    model = tmp_path / "m.wsd"
    assert wsdlist("train", corpus, *call, "--model", model).returncode == 0
    kept = train(
        read(corpus).train,
        learner="compromise",
        features="light",
        grid={"epsilon": [-np.inf, np.int64(0)]},
        path=model,
    )
    assert {t["parameters"]["epsilon"] for t in tuning_of(kept)["trials"]} == {"-inf", 0}


def test_tune_shows_what_train_chooses_for_each_word(corpus: Corpus) -> None:
    from dataclasses import replace

    from wsdlist.training.train import tune_words

    own = train(corpus, features=LIGHT.features, share_tuning=False)
    tables = tune_words(corpus, replace(LIGHT, share_tuning=False))
    for word, table in tables.items():
        assert own[word].tuning == table.to_record()


def test_nothing_to_choose_is_said(wsdlist: Run, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(jsonl(seed_records()[:7]))
    done = wsdlist("tune", path)
    assert done.returncode == 0
    assert "bank.n: one sense, nothing to choose" in done.stderr
    path.write_text(jsonl([seed_records()[0], *seed_records()[7:9]]))
    said = wsdlist("tune", path).stderr
    assert "bank.n: " in said
    assert "held-out parts instead of 5" in said or "nothing to choose" in said


def test_the_command_prints_table_curve_and_each_words_choice(wsdlist: Run, tmp_path: Path) -> None:
    done = wsdlist("tune", LEXICAL_SAMPLE, "--discount", "0.9", "--no-share-tuning")
    assert done.returncode == 0
    rows = re.findall(r"^ +(\d\.\d) +(\d\.\d{3}) +\d+\.\d +\d+\.\d +\d+( +\*)?$", done.stdout, re.M)
    assert [float(epsilon) for epsilon, _, _ in rows] == list(STANDARD_GRIDS["epsilon"])
    best = min(rows, key=lambda row: float(row[1]))
    assert best[2].strip() == "*"
    bars = re.findall(
        r"^epsilon (\d\.\d) +\d+ rules per word +(\d\.\d{3}) +(#+)$", done.stdout, re.M
    )
    lengths = [len(bar) for _, _, bar in sorted(bars, key=lambda b: float(b[1]))]
    assert lengths == sorted(lengths)
    assert re.search(r"^bank\.n +epsilon \d", done.stdout, re.M)
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    for name in ("t.svg", "t.png"):
        drawn = [tmp_path / f"{n}{name}" for n in (1, 2)]
        for path in drawn:
            assert (
                wsdlist("tune", LEXICAL_SAMPLE, "--discount", "0.9", "--plot", path).returncode == 0
            )
        assert drawn[0].read_bytes() == drawn[1].read_bytes()
    assert wsdlist("tune", LEXICAL_SAMPLE, "--plot", "t.pdf").returncode == 2
    assert wsdlist("tune", LEXICAL_SAMPLE, "--discount", "0.9", "--epsilon", "3").returncode == 2
