"""The list as a scikit-learn classifier, and questions as features."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.conftest import LEXICAL_SAMPLE
from wsdlist.integrations.sklearn import QuestionVectorizer, RuleListClassifier
from wsdlist.readers import read

LEARNERS = ("prepend", "compromise", "sorted", "mfs")


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [
        *(RuleListClassifier(learner=name) for name in LEARNERS),
        RuleListClassifier(epsilon="auto"),
        RuleListClassifier(max_rules=2, binarize=0.5, reestimate="rules"),
    ]
)
def test_scikit_learn_conventions(estimator: Any, check: Any) -> None:
    check(estimator)


def problem(n: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, 8)) < 0.4
    y = np.where(X[:, 0] & X[:, 1], "both", np.where(X[:, 2], "third", "none"))
    return X.astype(float), y


def rules(clf: RuleListClassifier) -> list[Any]:
    return [(str(r.question), r.probabilities, r.counts, r.support, r.gain) for r in clf.rules_]


@pytest.mark.parametrize("name", LEARNERS)
def test_whole_weights_are_repeated_rows_rule_for_rule(name: str) -> None:
    X, y = problem()
    times = np.arange(len(y)) % 4
    weighted = RuleListClassifier(name).fit(X, y, sample_weight=times)
    repeated = RuleListClassifier(name).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert rules(weighted) == rules(repeated)
    assert weighted.predict_proba(X).tobytes() == repeated.predict_proba(X).tobytes()


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["both", "third", "none"], dtype=object),
        np.array([True, False, False]),
        np.array([3, 5, 7]),
        np.array([0.0, 1.0, 2.0]),
    ],
)
def test_labels_come_back_with_their_type(labels: Any) -> None:
    X, y = problem()
    given = labels[np.unique(y, return_inverse=True)[1]]
    predicted = RuleListClassifier().fit(X, given).predict(X)
    assert predicted.dtype == given.dtype
    assert set(predicted.tolist()) <= set(given.tolist())


def test_sparse_is_dense() -> None:
    X, y = problem()
    dense, sparse = RuleListClassifier().fit(X, y), RuleListClassifier().fit(csr_array(X), y)
    assert rules(dense) == rules(sparse)
    assert (dense.predict_proba(X) == sparse.predict_proba(csr_array(X))).all()
    with pytest.raises(ValueError, match="binarize"):
        RuleListClassifier(binarize=-1.0).fit(csr_array(X), y)


def test_entries_of_a_sparse_matrix_that_stand_twice_are_added() -> None:
    X, y = problem()
    once = csr_array(X)
    twice = csr_array(
        (np.full(2 * once.nnz, 0.5), np.repeat(once.indices, 2), 2 * once.indptr), shape=once.shape
    )
    before = twice.nnz
    clf = RuleListClassifier(epsilon=0.0, binarize=0.7).fit(twice, y)
    assert rules(clf) == rules(RuleListClassifier(epsilon=0.0, binarize=0.7).fit(once, y))
    assert twice.nnz == before, "the caller's matrix was changed"
    assert clf.set_params(binarize=0.5).predict(X).shape == y.shape


def test_one_class() -> None:
    clf = RuleListClassifier().fit([[1], [0]], ["only", "only"])
    assert clf.predict_proba([[1]]).tolist() == [[1.0]]


def test_max_rules_is_a_prefix_of_the_greedy_run() -> None:
    X, y = problem()
    every = RuleListClassifier(epsilon=0.0).fit(X, y)
    for most in (0, 1, 2):
        clf = RuleListClassifier(epsilon=0.0, max_rules=most).fit(X, y)
        assert len(clf.rules_) == most
        assert {str(r.question) for r in clf.rules_} <= {str(r.question) for r in every.rules_}


def test_wrong_parameters_are_errors_at_fit_not_before() -> None:
    X, y = problem()
    for wrong in (
        {"discount": "0.5"},
        {"epsilon": float("nan")},
        {"learner": "nobody"},
        {"max_rules": -1},
        {"learner": "sorted", "max_rules": 3},
    ):
        clf = RuleListClassifier(**wrong)
        with pytest.raises(ValueError, match=r"discount|epsilon|nobody|max_rules"):
            clf.fit(X, y)


@pytest.mark.parametrize("dtype", [object, "string"])
def test_search_pipeline_clone_pickle(dtype: Any) -> None:
    X, y = problem()
    if dtype == "string":
        y = pytest.importorskip("pandas", reason="pandas is not installed").Series(y, dtype=dtype)
    else:
        y = y.astype(dtype)
    grid = {"discount": [0.5, 0.9, "auto"], "learner": ["prepend", "compromise"]}
    search = GridSearchCV(RuleListClassifier(), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.8
    fitted = search.best_estimator_
    assert not hasattr(clone(fitted), "list_")
    back = pickle.loads(pickle.dumps(fitted))
    assert (back.predict_proba(X) == fitted.predict_proba(X)).all()
    assert cross_val_score(RuleListClassifier(), X, y).mean() > 0.8


def test_words_of_sentences() -> None:
    texts = ["the river bank", "a muddy bank", "the bank loan", "bank account", "river mud"] * 4
    senses = ["shore", "shore", "money", "money", "shore"] * 4
    clf = make_pipeline(CountVectorizer(), RuleListClassifier(discount="auto", epsilon="auto"))
    clf.fit(texts, senses)
    assert clf.predict(["river bank", "bank loan"]).tolist() == ["shore", "money"]


def crane() -> tuple[list[Any], list[str]]:
    items = read(LEXICAL_SAMPLE).train.by_lexelt()["crane.n"]
    return items, [item.senses[0] for item in items]


def test_a_linear_model_and_a_list_share_a_matrix() -> None:
    X, y = crane()
    for classifier in (LogisticRegression(C=1.0), RuleListClassifier(epsilon=1.0)):
        pipeline = make_pipeline(QuestionVectorizer(), classifier)
        assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.65
    grid = GridSearchCV(
        make_pipeline(QuestionVectorizer(), RuleListClassifier()),
        {"questionvectorizer__min_count": [2, 4]},
        cv=3,
    ).fit(X, y)
    assert set(grid.predict(X)) <= set(y)


def test_questions_are_the_columns_and_new_contexts_have_the_same() -> None:
    X, _ = crane()
    vectorizer = QuestionVectorizer(min_count=3)
    matrix = vectorizer.fit_transform(X)
    names = vectorizer.get_feature_names_out()
    assert matrix.shape == (len(X), len(names))
    assert matrix.dtype == np.float64
    assert (matrix.sum(axis=0) >= 3).all()
    assert (vectorizer.transform(X) != matrix).nnz == 0
    column = list(names).index("word-1=a")
    assert [bool(v) for v in matrix[:, [column]].toarray()[:, 0]] == [
        x.target[0] > 0 and x.forms[x.target[0] - 1].lower() == "a" for x in X
    ]
    assert vectorizer.transform([]).shape == (0, len(names))
    assert clone(vectorizer).get_params() == vectorizer.get_params()
    assert (pickle.loads(pickle.dumps(vectorizer)).transform(X) != matrix).nnz == 0


def test_tokens_alone_are_a_context_without_target() -> None:
    texts = [["river", "water"], ["money", "river"], ["money", "loan"]]
    words = QuestionVectorizer(feature_set_of_words(), min_count=1)
    matrix = words.fit_transform(texts)
    assert sorted(words.get_feature_names_out()) == [
        f"context={word}" for word in ("loan", "money", "river", "water")
    ]
    assert matrix.sum() == 6


def feature_set_of_words() -> Any:
    from wsdlist.features.sets import from_record

    return from_record({"name": "words", "single": ["context"]})


@pytest.mark.parametrize(
    ("contexts", "said"),
    [
        ([], "no context"),
        (["a b"], "context 0 is a string"),
        ([(["a"], 3)], "context 0 has no token 3"),
        ([[1, 2]], "context 0 is no instance"),
        ([["a", "bank"]], "context 0 has no target, and 'light' asks about places around it"),
    ],
)
def test_what_is_no_context_is_refused(contexts: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        QuestionVectorizer().fit(contexts)


def test_learners_that_make_no_such_list_are_refused() -> None:
    X, y = problem(20)
    with pytest.raises(ValueError, match="makes no list of single questions; say one of prepend"):
        RuleListClassifier("cn2").fit(X, y)
