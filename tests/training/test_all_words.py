"""All words: back-off, words with few instances, answers to a file, many words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import LEXICAL_SAMPLE, Run, jsonl
from tests.inventories.test_wordnet import lay
from wsdlist.data.corpus import Corpus, Instance, Text
from wsdlist.errors import ParameterError
from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.features.sets import SETS
from wsdlist.inventories.wordnet import WordNetFiles
from wsdlist.learners.prepend import Prepend
from wsdlist.models.model import load
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.fit import fit, question_matrix
from wsdlist.training.prepare import labelled
from wsdlist.training.train import train

GIVEN = {"features": "light", "discount": 0.9, "epsilon": 3.0}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read(LEXICAL_SAMPLE).train


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return lay(tmp_path / "dict")


@pytest.fixture
def fish(corpus: Corpus, tmp_path: Path) -> Path:
    """Return a model of bass.n alone, which knows no bank."""
    some = Corpus([item for item in corpus if item.lexelt == "bass.n"])
    train(some, path=tmp_path / "m.wsd", **GIVEN)  # type: ignore[arg-type]
    return tmp_path / "m.wsd"


SENTENCES = [
    {"id": "d.1", "lexelt": "bank.n", "tokens": ["the", "bank"], "target": 1},
    {"id": "d.2", "lexelt": "bank.n", "tokens": ["a", "bank"], "target": 1},
    {"id": "d.3", "lexelt": "bass.n", "tokens": ["a", "bass"], "target": 1},
    {"id": "d.4", "lexelt": "odd.v", "tokens": ["they", "odd"], "target": 1},
]
GOLD = ("bank%1:17:01::", "bank%1:14:00::", "fish", "odd%2:00:00::")


@pytest.fixture
def test_set(tmp_path: Path) -> Path:
    records = [{**one, "senses": [sense]} for one, sense in zip(SENTENCES, GOLD, strict=True)]
    path = tmp_path / "test.jsonl"
    path.write_text(jsonl(records), encoding="utf-8")
    return path


def test_a_word_never_trained_gets_the_first_sense_and_no_probability(
    fish: Path, wordnet: Path, test_set: Path
) -> None:
    model = load(fish)
    items = read(test_set).train.instances
    assert [a.sense for a in model.answer(items)][:2] == [None, None]
    model.back_off = WordNetFiles(wordnet)
    first, second, trained, none = model.answer(items)
    assert first == second
    assert (first.sense, first.probability) == ("bank%1:17:01::", None)
    assert first.reason == "back-off: the first sense of WordNet 9.9"
    assert (first.backed_off, trained.backed_off, none.backed_off) == (True, False, False)
    assert (none.sense, none.reason) == (None, "odd.v was never trained")
    assert "bank%1:17:01::: back-off" in str(model.explain(items[0]))


def test_answers_of_back_off_are_counted_and_are_the_same_beside_the_most_frequent_sense(
    fish: Path, wordnet: Path, test_set: Path, wsdlist: Run, tmp_path: Path
) -> None:
    model = load(fish)
    model.back_off = WordNetFiles(wordnet)
    score = summary(evaluate(model, read(test_set).train)).score
    assert (score.instances, score.answered, score.backed_off) == (4, 3, 2)
    assert summary(evaluate(model, read(test_set).train)).mfs.backed_off == 2
    answers = tmp_path / "a.key"
    done = wsdlist("evaluate", fish, test_set, "--back-off", wordnet, "--answers", answers)
    assert done.returncode == 0, done.stderr
    assert "2 of 3 answers by back-off, without bits; 1 instances of words that" in done.stderr
    lines = answers.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == [f"d.{n} bank%1:17:01:: !! back-off" for n in (1, 2)]
    key = tmp_path / "gold.key"
    key.write_text("".join(f"d.{n} {s}\n" for n, s in enumerate(GOLD, 1)), encoding="utf-8")
    done = wsdlist("score", key, answers)
    assert "2 answers are marked as back-off" in done.stderr
    right = score.right
    assert re.search(rf"^ +4 +3 +3 +{right} ", done.stdout, re.M)


def test_answers_have_the_columns_of_the_corpus(fish: Path, wsdlist: Run, tmp_path: Path) -> None:
    answers = tmp_path / "a.key"
    test = LEXICAL_SAMPLE / "test.xml"
    assert wsdlist("evaluate", fish, test, "--answers", answers).returncode == 0
    assert answers.read_text(encoding="utf-8").startswith("bass.n bass.n.")
    spaced = [{**SENTENCES[2], "id": "a b", "senses": ["fish"]}]
    (tmp_path / "s.jsonl").write_text(jsonl(spaced), encoding="utf-8")
    before = answers.read_bytes()
    done = wsdlist("evaluate", fish, tmp_path / "s.jsonl", "--answers", answers)
    assert done.returncode == 2
    assert "s.jsonl:1: 'a b' cannot stand in a file of answers" in done.stderr
    assert answers.read_bytes() == before
    model = fish.read_bytes()
    for target in (fish, test):
        done = wsdlist("evaluate", fish, test, "--answers", target)
        assert (done.returncode, "name another file to write" in done.stderr) == (2, True)
    assert fish.read_bytes() == model
    assert wsdlist("evaluate", fish, test, "--answers", "-").stdout.encode() == before


def test_in_text_every_noun_verb_adjective_and_adverb_gets_a_sense_if_it_has_one(
    fish: Path, wordnet: Path
) -> None:
    model = load(fish)
    text = Text(
        ("The", "odd", "bass", "at", "the", "banks", "of", "Ouse"),
        tuple((n, n + 1) for n in range(8)),
        tags=("DT", "JJ", "NN", "IN", "DT", "NNS", "IN", "NNP"),
        lemmas=("the", "odd", "bass", "at", "the", "bank", "of", "ouse"),
    )
    assert [tag.lexelt for tag in model.tag(text)] == ["bass.n"]
    model.back_off = WordNetFiles(wordnet)
    odd, bass, bank = model.tag(text)
    assert (odd.lexelt, odd.sense, odd.probability) == ("odd.a", "odd%5:00:00:strange:00", None)
    assert (bass.lexelt, bass.probability is None) == ("bass.n", False)
    assert (bank.start, bank.text, bank.sense) == (5, "banks", "bank%1:17:01::")
    assert bank.reason == "back-off: the first sense of WordNet 9.9"
    with pytest.raises(ParameterError, match="back-off asks for tags and lemmas"):
        model.tag("The odd bass.")


def test_of_conllu_all_words_are_tagged_and_back_off_has_no_probability(
    fish: Path, wordnet: Path, wsdlist: Run, tmp_path: Path
) -> None:
    rows = [
        "1\tbass\tbass\tNOUN\tNN\t_\t0\troot\t_\t_",
        "2\tbanks\tbank\tNOUN\tNNS\t_\t1\tdep\t_\t_",
    ]
    file = tmp_path / "t.conllu"
    file.write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    done = wsdlist("tag", fish, file, "--back-off", wordnet, "--conllu")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[:2]
    assert re.search(r"\tSense=\w+\|SenseProb=0\.\d{4}$", first)
    assert second.endswith("\tSense=bank%1:17:01::")
    done = wsdlist("tag", fish, file, "--back-off", tmp_path)
    assert (done.returncode, "holds no index.sense" in done.stderr) == (2, True)


@pytest.mark.parametrize("learner", ["prepend", "naive-bayes", "append"])
def test_words_with_too_few_instances_get_their_most_frequent_sense(
    learner: str, corpus: Corpus
) -> None:
    sizes = {word: len(items) for word, (items, _) in labelled(corpus).items()}
    least = sorted(sizes.values())[4]
    given: dict[str, Any] = {"discount": 0.9} if learner == "prepend" else {}
    model = train(corpus, learner=learner, features="light", min_instances=least, **given)
    for word, expert in model.items():
        few = sizes[word] < least
        assert (expert.size.conditions == 0) == few
        if few:
            counted = Counter(s[0] for s in labelled(corpus)[word][1])
            assert expert.decision_list.default.sense in {
                s for s, n in counted.items() if n == max(counted.values())
            }
    assert model.meta.recipe.min_instances == least


def test_nothing_is_asked_where_no_rule_can_save_epsilon_and_the_list_is_the_same(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    items, labels = labelled(corpus)["crane.n"]
    bits = 183  # at most a bit an instance of two senses
    for epsilon in (bits + 1.0, 150.0, 3.0):
        given = {"discount": 0.9, "epsilon": epsilon}
        settings = Recipe("prepend", SETS["light"], given)
        quick = fit(settings, "crane.n", items, labels)
        assert question_matrix(settings, items, labels).n_questions == 0 or epsilon < bits
        monkeypatch.setattr(Prepend, "may_ask", staticmethod(lambda counts, epsilon: True))
        assert fit(settings, "crane.n", items, labels).to_record() == quick.to_record()
        monkeypatch.undo()


def test_of_very_many_words_those_with_most_instances_are_shown(
    wsdlist: Run, tmp_path: Path
) -> None:
    records = []
    for word in range(120):
        for n in range(2 + (word == 77)):
            tokens = [f"left{n}", f"w{word}", "right"]
            one = {"id": f"{word}.{n}", "lexelt": f"w{word}.n", "tokens": tokens, "target": 1}
            records.append({**one, "senses": [f"s{n % 2}"]})
    file, path = tmp_path / "c.jsonl", tmp_path / "m.wsd"
    file.write_text(jsonl(records), encoding="utf-8")
    given = ("--features", "light", "--discount", "0.9", "--epsilon", "3")
    assert wsdlist("train", file, *given, "--model", path).returncode == 0
    done = wsdlist("evaluate", path, file)
    lines = done.stdout.splitlines()
    assert len(lines) == 24
    assert any(line.startswith("w77.n ") for line in lines)
    assert lines[-2] == "... 100 more words, with fewer instances (all with --json)"
    assert len(wsdlist("evaluate", path, file, "--json").stdout.splitlines()) == 121


@pytest.mark.slow
def test_semcor_on_the_sets_of_the_unified_framework(
    shared: Path, tmp_path: Path, wsdlist: Run
) -> None:
    import tarfile

    for name in ("semcor3.0", "raganato2017"):
        with tarfile.open(shared / "wsd" / name / f"{name}.tar.xz") as packed:
            packed.extractall(tmp_path, filter="data")
    path, answers = tmp_path / "m.wsd", tmp_path / "a.key"
    corpus = read(tmp_path / "semcor3.0" / "brown1").train
    given = {"features": "all-words", "discount": 0.8, "epsilon": 8.0}
    train(corpus, path=path, jobs=2, **given)  # type: ignore[arg-type]
    base = tmp_path / "raganato2017" / "Evaluation_Datasets" / "semeval2015" / "semeval2015"
    done = wsdlist("evaluate", path, f"{base}.data.xml", "--answers", answers)
    assert done.returncode == 0, done.stderr
    found = re.search(r"^all .*? (\d+) +(\d+\.\d) ", done.stdout, re.M)
    assert found is not None
    assert found[1] == "1022"
    scored = wsdlist("score", f"{base}.gold.key.txt", answers).stdout.splitlines()[2].split()
    assert (scored[0], scored[5]) == ("1022", found[2])  # accuracy is recall


def test_a_model_of_one_tag_set_answers_text_of_another() -> None:
    def tagged(n: int, sense: str, before: str, tag: str) -> Instance:
        forms = (f"{before}{n}", "run", ".")
        tags = (tag, "NN", ".")
        return Instance(str(n), "run.n", forms, (1, 2), (sense,), tags=tags, lemmas=forms)

    known = Corpus(
        [tagged(n, *(("jog", "x", "DT") if n % 2 else ("series", "y", "VBD"))) for n in range(20)]
    )
    expert = train(known, features="all-words", discount=0.5, epsilon=1.0)["run.n"]
    assert {str(rule.question) for rule in expert.rules} & {"pos-1=DET", "pos-1=VERB"}
    universal = tagged(99, "jog", "new", "DET")
    assert expert.answer([universal])[0].sense == "jog"
    assert expert.answer([tagged(99, "series", "new", "AUX")])[0].sense == "series"
    assert expert.answer([tagged(99, "", "new", "_")])[0].rule is None
