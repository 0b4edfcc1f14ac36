"""Lists edited by hand: out as TOML, checked line by line, back beside the learned list."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, TABLES, Run, jsonl
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import InputError, ModelError
from wsdlist.evaluation.evaluate import as_learned
from wsdlist.features.positions import At
from wsdlist.features.questions import Condition, Question
from wsdlist.learners.fitted.base import Answer
from wsdlist.learners.smoothing import cost
from wsdlist.models.editing import EditedRule, changes, counted, edited, recounted
from wsdlist.models.expert import Expert
from wsdlist.models.list_file import from_toml, to_toml
from wsdlist.models.model import Model, load
from wsdlist.models.reapply import reapplied
from wsdlist.readers import read
from wsdlist.training.prepare import Known, labelled
from wsdlist.training.train import train

LEARNED: dict[str, Any] = {"features": "light", "discount": 0.9, "epsilon": 3.0}


@pytest.fixture(scope="module")
def model() -> Model:
    return train(read(LEXICAL_SAMPLE).train, **LEARNED)


@pytest.fixture(scope="module")
def known() -> Known:
    return labelled(read(LEXICAL_SAMPLE).train)["crane.n"]


@pytest.fixture
def saved(model: Model, tmp_path: Path) -> Path:
    model.save(tmp_path / "m.wsd")
    return tmp_path / "m.wsd"


def entries(expert: Expert) -> tuple[list[EditedRule], EditedRule]:
    rules = [EditedRule(rule.question, rule.sense) for rule in expert.rules]
    return rules, EditedRule(Question(), expert.decision_list.default.sense)


def blocks(text: str) -> list[str]:
    """Return the head, the rules and the default of a file."""
    return re.split(r"(?m)^(?=\[\[rule\]\]|\[default\])", text)


@pytest.mark.parametrize("word", ["crane.n", "draw.v", "light.a"])
def test_a_list_put_back_unchanged_is_the_learned_one(model: Model, word: str) -> None:
    expert = model[word]
    made = edited(expert, *from_toml(to_toml(expert), "w.toml", expert, model.features))
    assert made.learned is None
    assert made.to_record() == expert.to_record()


def test_a_model_with_a_list_put_back_unchanged_is_the_same_file(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    file = tmp_path / "w.toml"
    file.write_text(wsdlist("show", saved, "crane", "--output", "toml").stdout, encoding="utf-8")
    done = wsdlist("replace", saved, "crane", file, "--model", tmp_path / "other.wsd")
    assert (done.returncode, "as it was learned" in done.stderr) == (0, True)
    assert (tmp_path / "other.wsd").read_bytes() == saved.read_bytes()


def test_counted_in_the_training_corpus_a_list_has_the_numbers_of_the_learner(
    model: Model, known: Known
) -> None:
    expert = model["crane.n"]
    again, unknown = counted(expert, *known)
    for field in ("probabilities", "counts", "supports"):
        assert np.array_equal(getattr(again, field), getattr(expert.decision_list, field)), field
    np.testing.assert_allclose(again.gains, expert.decision_list.gains, atol=1e-9)
    assert unknown == 0
    assert recounted(expert, *known)[0] is expert


@pytest.mark.parametrize("learner", ["sorted", "compromise", "append", "webb-prepend"])
@pytest.mark.parametrize("reestimate", [None, "default", "rules"])
def test_every_learner_of_lists_counts_as_a_list_is_counted_anew(
    learner: str, reestimate: str | None, known: Known
) -> None:
    if reestimate and "end" in learner:
        pytest.skip("has no such parameter")
    items, labels = known
    given: dict[str, Any] = {"reestimate": reestimate} if reestimate else {}
    given |= {} if "end" in learner else {"discount": 0.9}
    given |= {"epsilon": 3.0} if learner == "compromise" else {}
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = [item for item in corpus.instances if item.lexelt == "crane.n"]
    expert = train(corpus, learner=learner, features="light", **given)["crane.n"]
    again, _ = counted(expert, items, labels)
    fitted = expert.decision_list
    np.testing.assert_allclose(again.probabilities, fitted.probabilities, atol=1e-12)
    np.testing.assert_array_equal(again.supports, fitted.supports)
    if learner != "sorted":  # which measures no gain while it learns
        np.testing.assert_allclose(again.gains, fitted.gains, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_however_a_list_is_edited_its_supports_add_up_and_its_gains_are_what_it_saves(
    model: Model, known: Known, data: st.DataObject
) -> None:
    expert = model["crane.n"]
    rules, default = entries(expert)
    order = data.draw(st.permutations(range(len(rules))))
    kept = data.draw(st.integers(0, len(rules)))
    made = edited(expert, [rules[n] for n in order[:kept]], default)
    made, _ = recounted(made, *known)
    fitted = made.decision_list
    items, labels = known
    assert fitted.supports.sum() == len(items)
    P = made.predict_proba(items)
    number = [made.senses.index(gold[0]) for gold in labels]
    rows = np.arange(len(items))
    bits = cost(P[rows, number]).sum()
    default_bits = cost(np.tile(fitted.probabilities[-1], (len(items), 1))[rows, number]).sum()
    assert bits == pytest.approx(default_bits - fitted.gains.sum(), abs=1e-6)
    assert len(changes(made).deleted) == len(rules) - kept


def test_a_moved_rule_answers_first_and_says_that_it_was_moved(model: Model) -> None:
    expert = model["crane.n"]
    rules, default = entries(expert)
    made = edited(expert, [rules[-1], *rules[:-1]], default)
    assert made.rules[0].question == expert.rules[-1].question
    assert made.rules[0].count == expert.rules[-1].count
    assert np.isnan(made.rules[0].support)
    assert changes(made).moved == (expert.rules[-1].question,)
    assert made.learned is not None
    assert [r.question for r in made.learned.rules] == [r.question for r in expert.rules]


def test_a_stated_probability_is_marked_and_the_others_share_the_rest(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    text = wsdlist("show", saved, "light", "--output", "toml").stdout
    head, *rest = blocks(text)
    new = '[[rule]]\nif = ["word-1=feather", "near(9)=bag"]\nsense = "weight"\nstated = 0.9\n\n'
    file = tmp_path / "w.toml"
    file.write_text("".join([head, new, *rest]), encoding="utf-8")
    done = wsdlist("replace", saved, "light", file)
    assert done.returncode == 0, done.stderr
    assert "1 added, 1 stated" in done.stderr
    rule = load(saved)["light.a"].rules[0]
    assert (rule.sense, rule.probability, rule.set_by_hand) == ("weight", 0.9, True)
    assert sum(rule.probabilities.values()) == pytest.approx(1)
    prior = load(saved)["light.a"].prior
    others = [s for s in rule.probabilities if s != "weight"]
    shares = {rule.probabilities[s] / prior[s] for s in others}
    assert max(shares) == pytest.approx(min(shares))
    shown = wsdlist("show", saved, "light").stdout
    assert "edited by hand: 1 added, 1 stated" in shown
    assert re.search(r"IF +word-1=feather & near\(9\)=bag +weight +0\.900\* +- +- +-", shown)
    said = wsdlist("explain", saved, "A feather light bag.").stdout
    assert "P(weight) = 0.9 by hand" in said
    assert "count unknown: the rule was added by hand" in said
    assert "word-1=feather" not in wsdlist("show", saved, "light", "--learned").stdout
    # and out again as it stands
    again = wsdlist("show", saved, "light", "--output", "toml").stdout
    assert "stated = 0.9" in again


def test_a_list_taken_back_to_what_was_learned_is_no_longer_edited(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    before = saved.read_bytes()
    file = tmp_path / "w.toml"
    head, _, *rest = blocks(wsdlist("show", saved, "crane", "--output", "toml").stdout)
    file.write_text("".join([head, *rest]), encoding="utf-8")
    assert wsdlist("replace", saved, "crane", file).returncode == 0
    assert saved.read_bytes() != before
    learned = wsdlist("show", saved, "crane", "--learned", "--output", "toml").stdout
    file.write_text(learned, encoding="utf-8")
    assert wsdlist("replace", saved, "crane", file).returncode == 0
    assert saved.read_bytes() == before


RULE = '[[rule]]\nif = ["word-1=zeppelin"]\nsense = "machine"\n'
BAD: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text + "[", "is not TOML"),
    (lambda text: text.replace('lexelt = "crane.n"', 'lexelt = "bank.n"'), ":7: the list is of"),
    (lambda text: text.replace('"bird", "machine"]', '"bird"]'), ":8: the senses of the list"),
    (lambda text: text.replace("support = 3", "support = 4", 1), ":15: support is changed"),
    (lambda text: text.replace("count", "cuont", 2), "'cuonts' is no field"),
    (lambda text: text.replace('sense = "bird"', 'sense = "machine"', 1), ":12: the sense is bird"),
    (lambda text: text.replace('sense = "bird"', 'sense = "birb"', 1), ":12: 'birb' is no sense"),
    (lambda text: _before_default(text, RULE), "is new and nothing is known of it"),
    (lambda text: _before_default(text, RULE + "stated = 1.5"), "stated probability is 1.5"),
    (lambda text: _before_default(text, RULE + "stated = 0.1"), "bird would be more probable"),
    (lambda text: _before_default(text, RULE + "count = 9"), "'count' is no field"),
    (lambda text: _before_default(text, RULE + "support = 9"), "whose support is known"),
    (lambda text: _before_default(text, RULE.replace("-1=", "-1")), "is no condition"),
    (lambda text: _before_default(text, RULE.replace("word", "tag")), "have no tag-1"),
    (lambda text: _before_default(text, RULE.replace("word-1=zeppelin", "")), "is no condition"),
    (lambda text: _before_default(text, RULE.replace('"word-1=zeppelin"', "")), "is always true"),
    (lambda text: text[: text.index("[default]")], "there is no default"),
    (lambda text: text.replace("[default]\n", '[default]\nif = ["word=a"]\n'), "asks nothing"),
    (lambda text: _before_default(text, blocks(text)[1]), "stands in line"),
]


def _before_default(text: str, more: str) -> str:
    return text.replace("[default]", f"{more}\n\n[default]")


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_cannot_be_is_refused_with_its_line_and_the_model_stays(
    number: int, saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    change, said = BAD[number]
    file, before = tmp_path / "w.toml", saved.read_bytes()
    text = wsdlist("show", saved, "crane", "--output", "toml").stdout
    file.write_text(change(text), encoding="utf-8")
    done = wsdlist("replace", saved, "crane", file)
    assert done.returncode == 2
    assert re.match(r"error: .*w\.toml(:\d+)?: ", done.stderr), done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert saved.read_bytes() == before


def test_counted_in_a_corpus_a_new_rule_needs_no_stated_probability(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    text = wsdlist("show", saved, "crane", "--output", "toml").stdout
    file = tmp_path / "w.toml"
    file.write_text(_before_default(text, RULE.replace("word-1=zeppelin", "near(9)=the")), "utf-8")
    done = wsdlist("replace", saved, "crane", file, "--corpus", LEXICAL_SAMPLE)
    assert done.returncode == 0, done.stderr
    expert = load(saved)["crane.n"]
    assert expert.rules[-1].count > 50
    assert expert.decision_list.supports.sum() == expert.instances
    file.write_text(_before_default(text, RULE), encoding="utf-8")
    done = wsdlist("replace", saved, "crane", file, "--corpus", LEXICAL_SAMPLE)
    assert done.returncode == 2
    assert "word-1=zeppelin: in the corpus it is never true" in done.stderr


def test_a_list_over_a_table_is_edited_by_its_own_attributes(wsdlist: Run, tmp_path: Path) -> None:
    path, file = tmp_path / "m.wsd", tmp_path / "w.toml"
    table = TABLES / "contact-lenses.arff"
    wsdlist("train", table, "--discount", "0.5", "--epsilon", "0.5", "--model", path)
    name = next(iter(load(path)))
    text = wsdlist("show", path, name, "--output", "toml").stdout
    some = str(load(path)[name].rules[0].question.conditions[0])
    attribute = some.partition("=")[0]
    rule = f'[[rule]]\nif = ["{attribute}=odd"]\nsense = "none"\nstated = 0.95\n'
    head, *rest = blocks(text)
    file.write_text("".join([head, rule, "\n", *rest]), encoding="utf-8")
    assert wsdlist("replace", path, name, file).returncode == 0
    assert str(load(path)[name].rules[0].question) == f"{attribute}=odd"
    file.write_text("".join([head, rule.replace(attribute, "colour"), *rest]), encoding="utf-8")
    done = wsdlist("replace", path, name, file)
    assert "asks about no attribute" in done.stderr


def test_edits_are_kept_at_the_next_training_as_far_as_they_apply(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    file = tmp_path / "w.toml"
    head, first, second, *rest = blocks(wsdlist("show", saved, "crane", "--output", "toml").stdout)
    new = RULE + "stated = 0.97\n\n"
    file.write_text("".join([head, new, second, *rest]), encoding="utf-8")
    assert wsdlist("replace", saved, "crane", file).returncode == 0
    # nothing else was edited, and the same is learned: the edit is as it was
    same = ("--features", "light", "--discount", "0.9", "--epsilon")
    done = wsdlist("train", LEXICAL_SAMPLE, *same, "3", "--model", saved, "--keep-edits")
    assert "no longer applies" not in done.stderr
    expert = load(saved)["crane.n"]
    assert str(changes(expert)) == "1 deleted, 1 added, 1 stated"
    assert expert.decision_list.supports.sum() == expert.instances
    # with a greater epsilon the deleted rule is not learned
    done = wsdlist("train", LEXICAL_SAMPLE, *same, "8", "--model", saved, "--keep-edits")
    deleted = re.findall(r'"(.*)"', first)[0]
    assert f"crane.n: nothing to delete, the list no longer has {deleted}" in done.stderr
    assert str(changes(load(saved)["crane.n"])) == "1 added, 1 stated"
    assert load(saved)["crane.n"].rules[0].set_by_hand


def test_reapplied_to_the_same_list_edits_give_the_same_list(model: Model, known: Known) -> None:
    expert = model["crane.n"]
    rules, default = entries(expert)
    old = edited(expert, [rules[3], *rules[:2], *rules[4:]], default)
    made, lost = reapplied(old, expert, *known, "split")
    assert [rule.question for rule in made.rules] == [rule.question for rule in old.rules]
    assert lost == []


def test_compare_shows_what_an_edit_did(saved: Path, wsdlist: Run, tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    assert "no list was edited" in wsdlist("compare", LEXICAL_SAMPLE, saved).stderr
    text = wsdlist("show", saved, "crane", "--output", "toml").stdout
    head, *_, default = blocks(text)
    file.write_text(head + default, encoding="utf-8")
    assert wsdlist("replace", saved, "crane", file).returncode == 0
    done = wsdlist("compare", LEXICAL_SAMPLE, saved)
    assert done.returncode == 0, done.stderr
    assert "m.wsd as edited" in done.stdout
    found = re.search(r"^(\d+) answers differ$", done.stdout, re.M)
    assert found is not None
    assert int(found[1]) > 0
    row = r"^crane\.n\.\d+ +crane\.n +bird +bird \(.*\) +machine \(default\)$"
    assert re.search(row, done.stdout, re.M)
    only = re.search(r"right only in the first (\d+), only in the second (\d+)", done.stdout)
    assert only is not None
    items = [item for item in read(LEXICAL_SAMPLE).test or () if item.lexelt == "crane.n"]
    edited_model = load(saved)

    def right(answers: list[Answer]) -> int:
        return sum(a.sense in item.senses for a, item in zip(answers, items, strict=True))

    lost = right(as_learned(edited_model, items)) - right(edited_model.answer(items))
    assert int(only[1]) - int(only[2]) == lost


def test_a_foreign_toml_is_refused(model: Model) -> None:
    expert = model["crane.n"]
    with pytest.raises(InputError, match="no field of a list"):
        from_toml('name = "mine"', "x.toml", expert, model.features)


def put(folder: Path, text: str) -> Path:
    (folder / "w.toml").write_text(text, encoding="utf-8")
    return folder / "w.toml"


def shown(wsdlist: Run, *call: str | Path) -> str:
    return wsdlist("show", *call, "--output", "toml").stdout


def test_counted_in_another_corpus_the_learned_list_stays_beside_it(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    file = put(tmp_path, shown(wsdlist, saved, "crane"))
    test = LEXICAL_SAMPLE / "test.xml"
    done = wsdlist("replace", saved, "crane", file, "--corpus", test)
    if done.returncode:  # a rule that is never true there, or says another sense
        assert "in the corpus it" in done.stderr
    twice = read(LEXICAL_SAMPLE).train
    items, labels = labelled(twice)["crane.n"]
    made, _ = recounted(load(saved)["crane.n"], items * 2, labels * 2)
    assert made.learned is not None
    assert made.learned.decision_list.supports.sum() == 183
    assert made.decision_list.supports.sum() == 366


def test_a_list_with_rules_estimated_again_is_explained_after_an_edit(
    wsdlist: Run, tmp_path: Path
) -> None:
    path = tmp_path / "m.wsd"
    how = ("--features", "light", "--discount", "0.9", "--epsilon", "3", "--reestimate", "rules")
    wsdlist("train", LEXICAL_SAMPLE / "train.xml", *how, "--model", path)
    head, _, *rest = blocks(shown(wsdlist, path, "crane"))
    assert wsdlist("replace", path, "crane", put(tmp_path, "".join([head, *rest]))).returncode == 0
    done = wsdlist("explain", path, "The crane lifted the load.")
    assert done.returncode == 0, done.stderr
    assert "P(machine) = (" in done.stdout


def test_a_list_that_ends_in_a_rule_without_condition_is_edited_like_others(known: Known) -> None:
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = [item for item in corpus.instances if item.lexelt == "crane.n"]
    model = train(corpus, learner="append", features="light")
    expert = model["crane.n"]
    text = to_toml(expert)
    assert ("if = []" in text) == (Question() in expert.decision_list.questions)
    assert edited(expert, *from_toml(text, "w.toml", expert, model.features)) is expert
    rules, default = entries(expert)
    made = edited(expert, rules[1:], default)
    assert changes(made).deleted == (rules[0].question,)
    assert recounted(made, *known)[0].rules[-1].sense == rules[-1].sense


def test_odd_line_ends_within_words_come_back(tmp_path: Path) -> None:
    words = ("x\u2028y", "a\u0085b", 'q"\\z', "\x7f")
    items = [
        Instance(f"{n}", "w.n", (word, "w"), (1, 2), (f"s{n % 2}",))
        for n, word in enumerate(words * 6)
    ]
    model = train(Corpus([*items]), features="light", discount=0.5, epsilon=0.1)
    expert = model["w.n"]
    text = to_toml(expert)
    assert len(expert.rules) > 1
    assert text.splitlines() == text[:-1].split("\n")
    assert edited(expert, *from_toml(text, "w.toml", expert, model.features)) is expert


def test_numbers_that_an_edit_does_not_touch_stay_known(model: Model) -> None:
    expert = model["crane.n"]
    rules, default = entries(expert)
    n = len(rules)
    last = EditedRule(Question((Condition(At(-1), "word", "tower"),)), "machine", 0.9)
    made = edited(expert, [*rules, last], default).decision_list
    assert np.array_equal(made.supports[:n], expert.decision_list.supports[:n])
    assert np.isnan(made.supports[n:]).all()
    assert np.isnan(made.gains).all()
    made = edited(expert, [last, *rules], default).decision_list
    assert np.array_equal(made.gains[1:], expert.decision_list.gains)
    assert np.isnan(made.supports).all()


def test_a_default_that_the_corpus_contradicts_is_refused(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    head, *_, default = blocks(shown(wsdlist, saved, "crane"))
    birds = tmp_path / "birds.jsonl"
    record = {"id": "1", "lexelt": "crane.n", "tokens": ["a", "crane"], "target": 1}
    birds.write_text(jsonl([{**record, "senses": ["bird"]}]), encoding="utf-8")
    done = wsdlist("replace", saved, "crane", put(tmp_path, head + default), "--corpus", birds)
    assert done.returncode == 2
    assert "the default: in the corpus it says bird, not machine" in done.stderr


def test_a_changed_sense_may_be_counted(saved: Path, wsdlist: Run, tmp_path: Path) -> None:
    head, first, *rest = blocks(shown(wsdlist, saved, "crane"))
    other = put(tmp_path, "".join([head, first.replace('"bird"', '"machine"', 1), *rest]))
    done = wsdlist("replace", saved, "crane", other, "--corpus", LEXICAL_SAMPLE)
    assert "rule 1, near(9)=reeds: in the corpus it says bird, not machine" in done.stderr


def test_what_was_stated_and_no_longer_answers_is_said(known: Known) -> None:
    def corpus(sizes: tuple[int, int, int]) -> Corpus:
        made = []
        for sense, size in zip("abc", sizes, strict=True):
            made += [
                Instance(f"{sense}{n}", "w.n", (f"{sense}{n}", "w"), (1, 2), (sense,))
                for n in range(size)
            ]
        return Corpus([*made])

    how: dict[str, Any] = {"features": "light", "discount": 0.5, "epsilon": 3.0}
    old = train(corpus((20, 20, 20)), **how)
    expert = old["w.n"]
    new = EditedRule(Question((Condition(At(-1), "word", "z"),)), "b", 0.4)
    stated = edited(expert, [new], EditedRule(Question(), "a"))
    edits = Model({"w.n": stated}, old.meta)
    made = train(corpus((60, 5, 5)), edits=edits, **how)
    assert made.meta.lost_edits == ("w.n: a is now more probable than b by word-1=z",)
    assert new.question not in {rule.question for rule in made["w.n"].rules}


def test_a_training_that_keeps_edits_is_not_taken_up_without_them(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    head, _, *rest = blocks(shown(wsdlist, saved, "crane"))
    wsdlist("replace", saved, "crane", put(tmp_path, "".join([head, *rest])))
    path = tmp_path / "new.wsd"

    def stop(what: str, done: int, of: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    corpus = read(LEXICAL_SAMPLE).train
    with pytest.raises(KeyboardInterrupt):
        train(corpus, edits=load(saved), path=path, progress=stop, **LEARNED)
    with pytest.raises(ModelError, match="was begun with another corpus or other parameters"):
        train(corpus, path=path, resume=True, **LEARNED)


def test_a_word_named_exactly_is_that_word(wsdlist: Run, tmp_path: Path) -> None:
    records = [
        {"id": f"{word}{n}", "lexelt": word, "tokens": [f"x{n % 2}", "bank"], "target": 1}
        | {"senses": [f"s{n % 2}"]}
        for word in ("bank", "bank.n")
        for n in range(8)
    ]
    (tmp_path / "c.jsonl").write_text(jsonl(records), encoding="utf-8")
    path = tmp_path / "m.wsd"
    how = ("--features", "light", "--discount", "0.5", "--epsilon", "1")
    wsdlist("train", tmp_path / "c.jsonl", *how, "--model", path)
    assert 'lexelt = "bank"' in shown(wsdlist, path, "bank")
    assert 'lexelt = "bank.n"' in shown(wsdlist, path, "bank.n")


def test_models_with_a_coarse_map_are_compared_by_its_groups(wsdlist: Run, tmp_path: Path) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text("bird\tanimal\nmachine\tthing\n", encoding="utf-8")
    fine, coarse = tmp_path / "fine.wsd", tmp_path / "coarse.wsd"
    how = ("--features", "light", "--discount", "0.9", "--epsilon", "3")
    wsdlist("train", LEXICAL_SAMPLE, *how, "--model", fine)
    wsdlist("train", LEXICAL_SAMPLE, *how, "--map", groups, "--model", coarse)
    done = wsdlist("compare", LEXICAL_SAMPLE, coarse, coarse)
    right = re.search(r"^\S+ +576 +576 +576 +(\d+) ", done.stdout, re.M)
    assert right is not None
    assert int(right[1]) == 383  # as the fine model: these are its only senses of crane
    done = wsdlist("compare", LEXICAL_SAMPLE, fine, coarse)
    assert "the models have other coarse maps" in done.stderr


def test_the_learned_list_comes_back_also_after_counting(wsdlist: Run, tmp_path: Path) -> None:
    path, table = tmp_path / "m.wsd", TABLES / "contact-lenses.arff"
    wsdlist("train", table, "--learner", "ripper", "--model", path)
    before = path.read_bytes()
    head, _, *rest = blocks(shown(wsdlist, path, "contact-lenses"))
    file = put(tmp_path, "".join([head, *rest]))
    call = ("replace", path, "contact-lenses", file)
    assert wsdlist(*call, "--corpus", table).returncode == 0
    assert path.read_bytes() != before
    put(tmp_path, shown(wsdlist, path, "contact-lenses", "--learned"))
    assert wsdlist(*call).returncode == 0
    assert path.read_bytes() == before


def test_an_edited_list_put_back_unchanged_keeps_its_counts(
    saved: Path, wsdlist: Run, tmp_path: Path
) -> None:
    head, *rest = blocks(shown(wsdlist, saved, "crane"))
    new = '[[rule]]\nif = ["near(9)=the"]\nsense = "bird"\nstated = 0.9\n\n'
    file = put(tmp_path, "".join([head, new, *rest]))
    assert wsdlist("replace", saved, "crane", file, "--corpus", LEXICAL_SAMPLE).returncode == 0
    before = saved.read_bytes()
    put(tmp_path, shown(wsdlist, saved, "crane"))
    assert wsdlist("replace", saved, "crane", file).returncode == 0
    assert saved.read_bytes() == before


def test_a_list_with_a_question_twice_is_not_offered_for_editing(
    wsdlist: Run, tmp_path: Path
) -> None:
    rows = "x,p,yes\nx,p,no\nx,p,yes\ny,p,no\ny,q,no\ny,q,no\n"
    (tmp_path / "dup.csv").write_text(f"a,b,class\n{rows}", encoding="utf-8")
    path = tmp_path / "m.wsd"
    how = ("--learner", "prism", "--min-count", "1", "--folds", "2")
    wsdlist("train", tmp_path / "dup.csv", *how, "--model", path)
    done = wsdlist("show", path, "dup", "--output", "toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "has two questions that read alike; it cannot be edited" in done.stderr
