"""Linear models over the same questions: what lists must be seen beside (Goodman 2002, section 4).

scikit-learn fits them; what is kept are weights, and nothing of scikit-learn is needed to predict.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.checks import check_number, check_whole
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.linear import Linear
from wsdlist.learners.smoothing import ANSWER_DISCOUNT, discounted, unigram

NEVER = -700.0  # the score of a sense that training did not show, next to no probability


@dataclass(frozen=True)
class NaiveBayes:
    """Multinomial naive Bayes over the questions that are true.

    Parameters
    ----------
    alpha
        Added to each count, more than 0.
    """

    alpha: float = 1.0

    def __post_init__(self) -> None:
        check_number("alpha", self.alpha, above=0)

    def fit(self, matrix: QuestionMatrix) -> Linear:
        """Count what is true of the instances of each sense."""
        prior = matrix.prior_counts()
        present = np.flatnonzero(prior)
        if not matrix.n_questions:
            return _of_all(matrix, present, np.zeros((0, len(present))), np.log(prior[present]))
        counts = matrix.counts()[:, present] + self.alpha
        weights = np.log(counts) - np.log(counts.sum(axis=0))
        fitted = _of_all(matrix, present, weights, np.log(unigram(prior[present])))
        # a sense that training did not show is never better than the worst of the others
        absent = np.flatnonzero(prior == 0)
        fitted.weights[:, absent] = weights.min(axis=1, keepdims=True)
        return replace(fitted, questions=matrix.questions, n_weights=counts.size)


@dataclass(frozen=True)
class Logistic:
    """Logistic regression (maximum entropy) with a Gaussian prior on the weights.

    Parameters
    ----------
    variance
        Of the prior, whose mean is 0 (Goodman 2002: 0.3).
    max_iter
        Of the optimiser.
    """

    variance: float = 0.3
    max_iter: int = 500

    def __post_init__(self) -> None:
        check_number("variance", self.variance, above=0)
        _check_count("max_iter", self.max_iter)

    def fit(self, matrix: QuestionMatrix) -> Linear:
        """Fit the weights by L-BFGS."""
        linear_model = _scikit_learn("logistic")
        if len(np.unique(matrix.outcome)) < 2 or not matrix.n_questions:
            return _constant(matrix)
        model = linear_model.LogisticRegression(C=self.variance, max_iter=int(self.max_iter))
        model.fit(matrix.by_row.astype(np.float64), matrix.outcome, matrix.weight)
        weights, bias = model.coef_.T, model.intercept_
        if weights.shape[1] == 1:  # for two senses there is one column
            weights = np.hstack([np.zeros_like(weights), weights])
            bias = np.array([0.0, bias[0]])
        fitted = _of_all(matrix, model.classes_, weights, bias)
        return replace(fitted, questions=matrix.questions, n_weights=model.coef_.size)


@dataclass(frozen=True)
class Perceptron:
    """The perceptron with a margin (Goodman 2002, Figure 4); one against all for several senses.

    w = 0; up to ``epochs`` times, for each instance j in order: if (q(x_j) . w) y_j < ``margin``:
    w += q(x_j) y_j, where q(x) are the answers with TRUE among them. It gives no probabilities;
    those that are reported are the discounted counts of the senses among the training instances
    that got the same answer.

    Parameters
    ----------
    margin
        tau, a whole number (Goodman: 20).
    epochs
        Passes at the most (Goodman: 100).
    """

    margin: int = 20
    epochs: int = 100

    def __post_init__(self) -> None:
        _check_count("margin", self.margin)
        _check_count("epochs", self.epochs)

    def fit(self, matrix: QuestionMatrix) -> Linear:
        """Pass over the instances, in the order of their rows."""
        linear_model = _scikit_learn("perceptron")
        from scipy.sparse import hstack

        if len(np.unique(matrix.outcome)) < 2 or not matrix.n_questions:
            return calibrated(_constant(matrix), matrix)
        # The hinge loss with steps of 1/s moves when the score is at most s. Scores are multiples
        # of 2**-10, the grid of weights, so that half of that below the margin is "less than it".
        less = self.margin - 2.0**-11
        model = linear_model.SGDClassifier(
            loss="hinge",
            penalty=None,
            learning_rate="constant",
            eta0=1 / less,
            shuffle=False,
            max_iter=int(self.epochs),
            tol=None,
            fit_intercept=False,
        )
        ordered, _ = matrix.in_order()
        X = hstack([ordered.by_row, np.ones((matrix.n_rows, 1))], format="csr", dtype=np.float64)
        X.sort_indices()
        model.fit(X, matrix.outcome, sample_weight=matrix.weight)
        weights = model.coef_.T * less
        if weights.shape[1] == 1:
            weights = np.hstack([-weights, weights])
        fitted = _of_all(matrix, model.classes_, weights[:-1], weights[-1])
        fitted = replace(fitted, questions=ordered.questions, n_weights=ordered.n_questions)
        return calibrated(fitted, ordered)


def calibrated(fitted: Linear, matrix: QuestionMatrix) -> Linear:
    """Give a model without probabilities those of the training instances by its answer to them."""
    best = fitted.scores(matrix).argmax(axis=1)
    K = len(matrix.senses)
    counts = np.zeros((K, K))
    np.add.at(counts, (best, matrix.outcome), matrix.weight)
    prior = unigram(matrix.prior_counts())
    return replace(fitted, calibration=discounted(counts, prior, ANSWER_DISCOUNT))


def _of_all(matrix: QuestionMatrix, present: Ints, weights: Floats, bias: Floats) -> Linear:
    """Return the model of all senses, of which only some were present in training."""
    K = len(matrix.senses)
    every_weight, every_bias = np.zeros((len(weights), K)), np.full(K, NEVER)
    every_weight[:, present], every_bias[present] = weights, bias
    return Linear(matrix.senses, (), every_weight, every_bias, None, 0)


def _constant(matrix: QuestionMatrix) -> Linear:
    prior = matrix.prior_counts()
    present = np.flatnonzero(prior)
    return _of_all(matrix, present, np.zeros((0, len(present))), np.log(unigram(prior)[present]))


def _scikit_learn(learner: str) -> Any:
    try:
        from sklearn import linear_model
    except ImportError:
        raise ParameterError(
            f"the learner {learner} needs scikit-learn", "install wsdlist[sklearn]"
        ) from None
    return linear_model


def _check_count(name: str, value: Any) -> None:
    """Refuse what is no whole number above 0, written as an integer or not (1e2)."""
    check_number(name, value, above=0)
    check_whole(name, int(value) if value == int(value) else value)
