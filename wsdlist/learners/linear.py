"""Linear models over the same questions: what lists must be seen beside (Goodman 2002, section 4).

scikit-learn fits them; what is kept are weights, and nothing of scikit-learn is needed to predict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wsdlist.answers import Answers, Floats, Ints
from wsdlist.errors import ModelError, ParameterError
from wsdlist.features.questions import Question
from wsdlist.learners.base import Size
from wsdlist.learners.smoothing import discounted, is_number, unigram

KIND = "linear"
NEVER = -700.0  # the score of a sense that training did not show, next to no probability
ANSWER_DISCOUNT = 0.5  # of the counts that give a learner without probabilities some


@dataclass(frozen=True, eq=False)
class Linear:
    """A weight of each question for each sense.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_questions`` questions.
    weights
        ``(n_questions, n_senses)``.
    bias
        ``(n_senses,)``: the weights of TRUE.
    calibration
        ``(n_senses, n_senses)``: row y has the probabilities of the senses where y has the greatest
        score; None where the scores are log-probabilities but for a constant.
    n_weights
        How many weights the paper counts.
    """

    senses: tuple[str, ...]
    questions: Sequence[Question]
    weights: Floats
    bias: Floats
    calibration: Floats | None
    n_weights: int

    @property
    def n_rules(self) -> int:
        """The number of weights."""
        return self.n_weights

    @property
    def size(self) -> Size:
        """The number of weights, as rules, and of conditions in all questions."""
        return Size(self.n_weights, sum(len(q.conditions) for q in self.questions))

    def scores(self, answers: Answers) -> Floats:
        """Return ``(n_rows, n_senses)``: the sum of the weights of the questions that are true."""
        made: Floats = answers.of(self.questions).matrix @ self.weights + self.bias
        return made

    def predict_proba(self, answers: Answers) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities."""
        scores = self.scores(answers)
        if self.calibration is not None:
            made: Floats = self.calibration[scores.argmax(axis=1)]
            return made
        exponent = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Floats = exponent / exponent.sum(axis=1, keepdims=True)
        return shares

    def evidence(self, answers: Answers, row: int, most: int = 10) -> list[tuple[Question, float]]:
        """Return the true questions that speak most for the best sense against the second."""
        if len(self.senses) < 2:
            return []
        one = answers.take([row]).of(self.questions)
        second, best = np.argsort(self.scores(answers.take([row]))[0], kind="stable")[-2:]
        numbers = one.matrix.indices
        for_best = self.weights[numbers, best] - self.weights[numbers, second]
        order = np.argsort(-np.abs(for_best), kind="stable")[:most]
        return [(self.questions[int(numbers[n])], float(for_best[n])) for n in order]

    def to_record(self) -> dict[str, Any]:
        """Return the model as JSON data."""
        return {
            "kind": KIND,
            "senses": list(self.senses),
            "questions": [question.to_record() for question in self.questions],
            "weights": self.weights.tolist(),
            "bias": self.bias.tolist(),
            "calibration": None if self.calibration is None else self.calibration.tolist(),
            "n_weights": self.n_weights,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Linear:
        """Make a model of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        try:
            senses = tuple(record["senses"])
            calibration = record["calibration"]
            return cls(
                senses,
                tuple(map(Question.from_record, record["questions"])),
                np.array(record["weights"], float).reshape(-1, len(senses)),
                np.array(record["bias"], float),
                None if calibration is None else np.array(calibration, float),
                record["n_weights"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"weights cannot be read: {error!r}", "train it anew") from None


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
        _check_positive("alpha", self.alpha)

    def fit(self, answers: Answers) -> Linear:
        """Count what is true of the instances of each sense."""
        prior = answers.prior_counts()
        present = np.flatnonzero(prior)
        if not answers.n_questions:
            return _of_all(answers, present, np.zeros((0, len(present))), np.log(prior[present]))
        counts = answers.counts()[:, present] + self.alpha
        weights = np.log(counts) - np.log(counts.sum(axis=0))
        made = _of_all(answers, present, weights, np.log(unigram(prior[present])))
        # a sense that training did not show is never better than the worst of the others
        absent = np.flatnonzero(prior == 0)
        made.weights[:, absent] = weights.min(axis=1, keepdims=True)
        return replace(made, questions=answers.questions, n_weights=counts.size)


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
        _check_positive("variance", self.variance)
        _check_whole("max_iter", self.max_iter)

    def fit(self, answers: Answers) -> Linear:
        """Fit the weights by L-BFGS."""
        linear_model = _scikit_learn("logistic")
        if len(np.unique(answers.outcome)) < 2 or not answers.n_questions:
            return _constant(answers)
        model = linear_model.LogisticRegression(C=self.variance, max_iter=int(self.max_iter))
        model.fit(answers.matrix.astype(np.float64), answers.outcome, answers.weight)
        weights, bias = model.coef_.T, model.intercept_
        if weights.shape[1] == 1:  # one column says both
            weights = np.hstack([np.zeros_like(weights), weights])
            bias = np.array([0.0, bias[0]])
        made = _of_all(answers, model.classes_, weights, bias)
        return replace(made, questions=answers.questions, n_weights=model.coef_.size)


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
        _check_whole("margin", self.margin)
        _check_whole("epochs", self.epochs)

    def fit(self, answers: Answers) -> Linear:
        """Pass over the instances, in the order of their rows."""
        linear_model = _scikit_learn("perceptron")
        from scipy.sparse import hstack

        if len(np.unique(answers.outcome)) < 2 or not answers.n_questions:
            return calibrated(_constant(answers), answers)
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
        ordered, _ = answers.in_order()
        X = hstack([ordered.matrix, np.ones((answers.n_rows, 1))], format="csr", dtype=np.float64)
        X.sort_indices()
        model.fit(X, answers.outcome, sample_weight=answers.weight)
        weights = model.coef_.T * less
        if weights.shape[1] == 1:
            weights = np.hstack([-weights, weights])
        made = _of_all(answers, model.classes_, weights[:-1], weights[-1])
        made = replace(made, questions=ordered.questions, n_weights=ordered.n_questions)
        return calibrated(made, ordered)


def calibrated(made: Linear, answers: Answers) -> Linear:
    """Give a model without probabilities those of the training instances by its answer to them."""
    best = made.scores(answers).argmax(axis=1)
    K = len(answers.senses)
    counts = np.zeros((K, K))
    np.add.at(counts, (best, answers.outcome), answers.weight)
    prior = unigram(answers.prior_counts())
    return replace(made, calibration=discounted(counts, prior, ANSWER_DISCOUNT))


def _of_all(answers: Answers, present: Ints, weights: Floats, bias: Floats) -> Linear:
    """Return the model of all senses, of which only some were present in training."""
    K = len(answers.senses)
    made = np.zeros((len(weights), K)), np.full(K, NEVER)
    made[0][:, present], made[1][present] = weights, bias
    return Linear(answers.senses, (), *made, None, 0)


def _constant(answers: Answers) -> Linear:
    prior = answers.prior_counts()
    present = np.flatnonzero(prior)
    return _of_all(answers, present, np.zeros((0, len(present))), np.log(unigram(prior)[present]))


def _scikit_learn(learner: str) -> Any:
    try:
        from sklearn import linear_model
    except ImportError:
        raise ParameterError(
            f"the learner {learner} needs scikit-learn", "install wsdlist[sklearn]"
        ) from None
    return linear_model


def _check_whole(name: str, value: Any) -> None:
    _check_positive(name, value)
    if value != int(value):
        raise ParameterError(f"{name} is {value!r}", "say a whole number")


def _check_positive(name: str, value: Any) -> None:
    if not (is_number(value) and np.isfinite(value) and value > 0):
        raise ParameterError(f"{name} is {value!r}", "say a number above 0")
