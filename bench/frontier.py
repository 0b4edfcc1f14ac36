"""Accuracy, bits and calibration against size: lists that answer, lists that vote, linear models.

    python bench/frontier.py --data DIR [--part four] [--json FILE]
                             [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. All systems have the same
matrices and splits. One thread.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import SPLITS, WORDS, mean, quality, run_parts, split_word
from tables import markdown

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Instance
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import learner
from wsdlist.learners.backoff import Backoff
from wsdlist.learners.evidence import Evidence
from wsdlist.readers import read

SIZES = (3, 10, 30, 100, 300, 1000)
BINS = 10
# from about 1,000 instances on; chosen on held-out parts of the training data of split 0
VOTES = Evidence(max_rules=max(SIZES), learning_rate=1.0, ridge=0.5)
LISTS: dict[str, tuple[str, dict[str, Any]]] = {
    "MFS": ("mfs", {}),
    "sorted": ("sorted", {"discount": 0.9}),
    "compromise": ("compromise", {"discount": 0.9, "epsilon": 3.0}),
    "prepend": ("prepend", {"discount": 0.9, "epsilon": 3.0}),
    "yarowsky": ("yarowsky", {}),
}
Outcome = tuple[str, Floats, int]  # a system, the probabilities of the test rows, and its size


def calibration_error(P: Floats, gold: Ints) -> float:
    """Return the expected calibration error: bins of equal mass by the greatest probability."""
    confidence, is_right = P.max(axis=1), P.argmax(axis=1) == gold
    bins = np.array_split(np.argsort(confidence, kind="stable"), BINS)
    gaps = [len(b) * abs(is_right[b].mean() - confidence[b].mean()) for b in bins if len(b)]
    return float(sum(gaps) / len(gold))


def lists(train: QuestionMatrix, test: QuestionMatrix) -> Iterator[Outcome]:
    for name, (kind, given) in LISTS.items():
        fitted = learner(kind, **given).fit(train)
        yield name, fitted.predict_proba(test), fitted.n_rules
    for tried, P, n_rules in VOTES.along(train, test, {"max_rules": SIZES}):
        yield f"evidence, {tried['max_rules']:,} rules", P, n_rules
    served = Backoff().along(train, test, {"epsilon": [10.0, 5.0, 3.0, 1.0]})
    for tried, P, n_rules in served or ():
        yield f"backoff, epsilon {tried['epsilon']:g}", P, n_rules
    for size in SIZES:
        fitted = learner("prepend", discount=0.9, epsilon=0.0, max_rules=size).fit(train)
        yield f"prepend, {size:,} rules", fitted.predict_proba(test), fitted.n_rules


def peers(train: QuestionMatrix, test: QuestionMatrix) -> Iterator[Outcome]:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.naive_bayes import BernoulliNB, MultinomialNB
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    X, y, A = train.by_row.astype(np.float64), train.outcome, test.by_row.astype(np.float64)
    kept = np.unique(y)

    def outcome(name: str, model: Any, size: int, columns: Any = slice(None)) -> Outcome:
        P = np.full((test.n_rows, len(train.senses)), 1e-12)
        P[:, kept] = model.predict_proba(A[:, columns])
        return name, P, size

    for C in (0.1, 1.0):
        logistic = LogisticRegression(C=C, max_iter=500).fit(X, y)
        yield outcome(f"logistic L2, C {C:g}", logistic, logistic.coef_.size)
    for C in (0.03, 0.1, 0.3, 1.0):
        sparse = OneVsRestClassifier(LogisticRegression(C=C, l1_ratio=1, solver="liblinear"))
        sparse.fit(X, y)
        of_support = np.array([part.coef_[0] != 0 for part in sparse.estimators_])
        yield outcome(f"logistic L1, C {C:g}", sparse, int(of_support.sum()))
        used = np.flatnonzero(of_support.any(axis=0))
        again = LogisticRegression(C=1.0, max_iter=500).fit(X[:, used], y)
        size = int(again.coef_.size)
        yield outcome(f"L1, C {C:g}, refitted on its support", again, size, used)
    for name, bayes in (
        ("naive Bayes, Bernoulli", BernoulliNB()),
        ("naive Bayes, multinomial", MultinomialNB()),
    ):
        bayes.fit(X, y)
        yield outcome(name, bayes, int(bayes.feature_log_prob_.size))
    svm = CalibratedClassifierCV(LinearSVC(), cv=5).fit(X, y)
    yield outcome("linear SVM, calibrated", svm, X.shape[1] * len(kept))
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0).fit(X, y)
    yield outcome("decision tree", tree, int(tree.get_n_leaves()))


def four_words(data: Path, cache: Path) -> list[dict[str, Any]]:
    words = read([data / "wsd" / "nltk" / "senseval.zip"]).train.by_lexelt()
    figures = []
    for word in WORDS:
        for split in SPLITS:
            train, test, gold = split_word(cast("list[Instance]", words[word]), split)
            for systems in (lists, peers):
                for system, P, size in systems(train, test):
                    accuracy, bits = quality(P, gold)
                    error = calibration_error(P, gold)
                    about = {"word": word, "split": split, "system": system}
                    figures.append(
                        {**about, "accuracy": accuracy, "bits": bits, "ece": error, "size": size}
                    )
            print(f"{word} split {split} done", file=sys.stderr, flush=True)
    return figures


def print_four(figures: list[dict[str, Any]]) -> str:
    systems = sorted(
        {figure["system"] for figure in figures},
        key=lambda system: mean(figures, "bits", system=system),
    )
    rows = [
        [
            system,
            f"{mean(figures, 'size', system=system):,.0f}",
            f"{mean(figures, 'accuracy', system=system):.1f}",
            f"{mean(figures, 'bits', system=system):.3f}",
            f"{mean(figures, 'ece', system=system):.3f}",
        ]
        for system in systems
    ]
    return (
        "hard, interest, line, serve; means of four words and five splits; questions `goodman`. "
        "Size is rules, or weights, or leaves.\n\n"
        + markdown(["system", "size", "accuracy %", "bits", "calibration error"], rows)
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_parts("frontier", {"four": (four_words, print_four)}, __doc__)
