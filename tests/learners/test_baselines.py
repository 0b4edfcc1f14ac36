"""The other systems of Goodman's experiment: what they are, held to their literal forms."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LEXICAL_SAMPLE, TABLES, Run
from tests.problems import problems
from wsdlist.errors import ParameterError
from wsdlist.features import ask
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import from_record, learner
from wsdlist.learners.fitted.linear import Linear
from wsdlist.learners.fitted.transformations import Transformations
from wsdlist.learners.linear import NaiveBayes, Perceptron
from wsdlist.learners.tbl import TransformationBased
from wsdlist.models.model import Model, load
from wsdlist.readers import read
from wsdlist.training.train import train

NAMES = ("tbl", "naive-bayes", "logistic", "perceptron")


def by_hand(made: Transformations, answers: QuestionMatrix) -> list[int]:
    """Apply the rules one after another to every row, as one reads them."""
    dense = answers.asked(made.questions).by_row.toarray()
    senses = []
    for row in dense:
        sense = made.initial
        for question, old, new in zip(made.asked, made.old, made.new, strict=True):
            if row[question] and sense == old:
                sense = int(new)
        senses.append(sense)
    return senses


@given(problems())
@settings(max_examples=200, deadline=None)
def test_rules_are_those_of_the_naive_search(answers: QuestionMatrix) -> None:
    """Without an index: try every change of every question, take the best, begin again."""
    made = TransformationBased(min_gain=1.0).fit(answers)
    assert by_hand(made, answers) == made.apply(answers)[0].tolist()
    ordered, _ = answers.in_order()
    dense, gold = ordered.by_row.toarray() > 0, answers.outcome
    sense = np.full(answers.n_rows, made.initial)
    K = len(answers.senses)
    found = []
    while ordered.n_questions:
        net = np.array(
            [
                [
                    [
                        answers.weight[q & (sense == a) & (gold == b)].sum()
                        - answers.weight[q & (sense == a) & (gold == a)].sum()
                        if a != b
                        else -np.inf
                        for b in range(K)
                    ]
                    for a in range(K)
                ]
                for q in dense.T
            ]
        )
        question, old, new = np.unravel_index(int(net.argmax()), net.shape)
        if net.max() < 1.0:
            break
        sense[dense[:, question] & (sense == old)] = new
        found.append((ordered.questions[int(question)], int(old), int(new), float(net.max())))
    rules = zip(made.asked.tolist(), made.old.tolist(), made.new.tolist(), made.net, strict=True)
    assert [(made.questions[q], old, new, float(net)) for q, old, new, net in rules] == found


@given(problems(max_senses=2))
@settings(max_examples=200, deadline=None)
def test_with_two_senses_the_rules_backwards_are_a_decision_list(answers: QuestionMatrix) -> None:
    """Roth 1998: the last rule whose question is true decides, whatever came before it."""
    made = TransformationBased(min_gain=1.0).fit(answers)
    dense = answers.asked(made.questions).by_row.toarray()
    for row, sense in zip(dense, made.apply(answers)[0], strict=True):
        backwards = zip(made.asked[::-1], made.new[::-1], strict=True)
        first = next((new for question, new in backwards if row[question]), made.initial)
        assert first == sense


def test_with_three_senses_they_are_not() -> None:
    """``a to b if p`` and ``b to c if q`` read backwards would make c of what is q but not p."""
    #       p q
    rows = [[0, 0]] * 9 + [[1, 0]] * 4 + [[1, 1]] * 3 + [[0, 1]] * 2
    gold = [0] * 9 + [1] * 4 + [2] * 3 + [0] * 2
    answers = QuestionMatrix.from_matrix(rows, gold, "abc", questions=["p", "q"])
    made = TransformationBased(min_gain=1.0).fit(answers)
    rules = zip(made.asked, made.old, made.new, strict=True)
    read_ = [(made.questions[q], int(a), int(b)) for q, a, b in rules]
    assert read_ == [("p", 0, 1), ("q", 1, 2)]
    assert (made.apply(answers)[0] == gold).all()
    backwards = [2 if q else 1 if p else 0 for p, q in rows]
    assert backwards != gold


@pytest.mark.parametrize("seed", range(6))
def test_the_perceptron_is_that_of_the_paper(seed: int) -> None:
    """Goodman 2002, Figure 4, literally; a weight is so many of its steps."""
    rng = np.random.default_rng(seed)
    matrix = (rng.random((60, 8)) < 0.4).astype(int)
    gold = (matrix[:, 0] + matrix[:, 1] + (rng.random(60) < 0.1) > 1).astype(int)
    weight = rng.integers(1, 2048, 60) / 1024 if seed % 2 else np.ones(60)
    answers = QuestionMatrix.from_matrix(matrix, gold, ["no", "yes"], weight=weight)
    made = Perceptron(margin=20, epochs=100).fit(answers)
    ordered, _ = answers.in_order()
    X = np.hstack([ordered.by_row.toarray().astype(int), np.ones((60, 1), int)])
    w = np.zeros(X.shape[1])
    for _ in range(100):
        before = w.copy()
        for x, y, times in zip(X, np.where(gold, 1, -1), weight, strict=True):
            if (x @ w) * y < 20:
                w += times * x * y
        if (w == before).all():
            break
    assert made.weights[:, 1] == pytest.approx(w[:-1], abs=1e-6)
    assert made.bias[1] == pytest.approx(w[-1], abs=1e-6)
    assert made.weights[:, 0] == pytest.approx(-made.weights[:, 1])


def test_a_sense_that_training_did_not_show_is_never_the_answer() -> None:
    matrix = np.eye(4, 300, dtype=bool)
    answers = QuestionMatrix.from_matrix(matrix, [0, 1, 0, 1], "abc")
    all_true = QuestionMatrix.from_matrix(np.ones((1, 300)), [], "abc", questions=answers.questions)
    for name in ("naive-bayes", "logistic", "perceptron"):
        assert learner(name).fit(answers).predict_proba(all_true)[0, 2] < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_without_questions_there_is_the_prior(name: str) -> None:
    answers = QuestionMatrix.from_matrix(np.zeros((4, 0)), [0, 1, 1, 1], "ab")
    P = learner(name).fit(answers).predict_proba(answers)
    assert P.argmax(axis=1).tolist() == [1] * 4
    assert P.sum(axis=1) == pytest.approx(1)


@given(problems(), st.floats(0.01, 3))
@settings(max_examples=100, deadline=None)
def test_naive_bayes_multiplies(answers: QuestionMatrix, alpha: float) -> None:
    P = NaiveBayes(alpha).fit(answers).predict_proba(answers)
    C = answers.counts() + alpha
    joint = answers.prior_counts() * np.ones((answers.n_rows, 1))
    for row, true in enumerate(answers.by_row.toarray() > 0):
        joint[row] *= (C[true] / C.sum(axis=0)).prod(axis=0)
    assert pytest.approx(joint / joint.sum(axis=1, keepdims=True), abs=1e-9) == P


def test_logistic_regression_has_a_gaussian_prior() -> None:
    """At the optimum the pull of the prior is what the data pull: X'(y - p) = w / variance."""
    rng = np.random.default_rng(0)
    matrix = rng.random((200, 5)) < 0.5
    gold = (rng.random(200) < 0.2 + 0.6 * matrix[:, 0]).astype(int)
    answers = QuestionMatrix.from_matrix(matrix, gold, "ab")
    made = learner("logistic", variance=0.3).fit(answers)
    assert isinstance(made, Linear)
    pull = answers.by_row.T @ (gold - made.predict_proba(answers)[:, 1])
    assert pull == pytest.approx(made.weights[:, 1] / 0.3, abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_one_attribute_is_learned_from(name: str) -> None:
    """Its questions are single conditions, which scikit-learn gets as they were found."""
    days = read([TABLES / "weathermen.csv"]).train
    answers = train(days, learner=name).answer(days.instances)
    assert [answer.sense for answer in answers[:3]] == ["rain"] * 3


@pytest.fixture(scope="module", params=NAMES)
def model(request: pytest.FixtureRequest) -> Model:
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = corpus.by_lexelt()["crane.n"] + corpus.by_lexelt()["bank.n"]
    return train(corpus, features="light", learner=request.param)


def test_what_is_saved_answers_as_before(model: Model, tmp_path: object) -> None:
    test = read(LEXICAL_SAMPLE).test
    assert test is not None
    items = test.by_lexelt()["bank.n"]
    expert = model["bank.n"]
    again = from_record(json.loads(json.dumps(expert.to_record())))
    P = expert.predict_proba(items)
    assert (again.predict_proba(ask(items, again.questions)) == P).all()
    assert P.sum(axis=1) == pytest.approx(1)
    for answer, row in zip(model.answer(items), P, strict=True):
        assert answer.probability == row.max()
        assert answer.sense == expert.senses[int(row.argmax())]
    path = f"{tmp_path}/m.wsd"
    model.save(path)
    assert load(path).answer(items) == model.answer(items)
    explanation = load(path).explain(items[0])
    assert explanation.answer == model.answer(items[:1])[0]
    if isinstance(expert.fitted, Linear):
        weights = [abs(weight) for _, weight in explanation.evidence.weights]
        assert weights == sorted(weights, reverse=True)
        assert weights[0] > 0


@pytest.mark.parametrize(
    ("name", "given_"),
    [
        ("tbl", {"min_gain": 0}),
        ("naive-bayes", {"alpha": -1}),
        ("logistic", {"variance": 0}),
        ("perceptron", {"margin": 1.5}),
        ("perceptron", {"epochs": float("nan")}),
    ],
)
def test_impossible_parameters(name: str, given_: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        learner(name, **given_)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_learned_is_shown(wsdlist: Run, tmp_path: Path, name: str) -> None:
    saved = tmp_path / "m.wsd"
    corpus = read(LEXICAL_SAMPLE).train
    corpus.instances = list(corpus.by_lexelt()["crane.n"])
    made = train(corpus, features="light", learner=name, path=saved)
    shown = wsdlist("show", saved, "crane", "--top", "5")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith(f"crane.n: 2 senses, 183 instances ({name}")
    assert len(lines) in (7, 8)
    fitted = made["crane.n"].fitted
    if isinstance(fitted, Transformations):
        assert lines[2].startswith(str(fitted.questions[0]))
    else:
        assert isinstance(fitted, Linear)
        (weights,) = [
            fitted.weights[n]
            for n, q in enumerate(fitted.questions)
            if str(q) == lines[2].split()[0]
        ]
        assert f"bird {weights[0] - weights.mean():+.2f}" in lines[2]
    record = json.loads(wsdlist("show", saved, "--json").stdout)
    assert from_record(record).senses == ("bird", "machine")
