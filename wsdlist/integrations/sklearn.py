"""scikit-learn: decision lists as a classifier, and the questions of a context as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.preprocessing import binarize
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from wsdlist.data.arrays import Floats
from wsdlist.data.corpus import Instance
from wsdlist.data.folds import deal_keys
from wsdlist.data.tokens import sentence_starts
from wsdlist.errors import ParameterError
from wsdlist.features import ask, extract
from wsdlist.features.labels import Labelled, relative
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Anywhere, Column
from wsdlist.features.questions import Condition, Question
from wsdlist.features.sets import FeatureSet, feature_set
from wsdlist.learners import learner as make_learner
from wsdlist.learners import parameters
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.learners.fitted.rules import Rule
from wsdlist.models.recipe import Recipe
from wsdlist.training.tuning import tune

LISTS = ("prepend", "compromise", "sorted", "mfs")


class RuleListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A probabilistic decision list over yes/no features.

    Each column of X is a question: is its value above ``binarize``? Sparse matrices stay sparse.

    Parameters
    ----------
    learner : {"prepend", "compromise", "sorted", "mfs"}, default="prepend"
        How the questions are ordered, see :data:`wsdlist.learners.LEARNERS`.
    discount : float or "auto", default=0.7
        d of absolute discounting; ``"auto"`` chooses it on held-out parts of the training data.
    epsilon : float or "auto", default=3.0
        Bits that a rule must save on the training data; not used by ``sorted`` and ``mfs``.
    max_rules : int or None, default=None
        The greatest number of rules, for ``prepend``.
    reestimate : {"none", "default", "rules"}, default="none"
        Which distributions are estimated again from what reaches them.
    binarize : float, default=0.0
        The value that a feature must exceed to be true.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, as they were given.
    list_ : DecisionList
        The fitted list.
    columns_ : list of int
        The number of the feature that each rule asks about.
    rules_ : tuple of Rule
        The rules, the first to be asked first; the default is ``list_.default``.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the features, if X had names that are strings.

    Notes
    -----
    Only the ratios of ``sample_weight`` matter: 1,000 times the weights give the same list. Whole
    weights without a common divisor are the same as repeated rows, rule for rule, and a weight of 0
    is the same as an absent row. Other weights are scaled so that their mean is 1, and rounded to
    multiples of 1/1024; see :func:`wsdlist.features.labels.relative`.
    When ``"auto"`` chooses on held-out rows, a row counts there once, whatever its weight.

    References
    ----------
    J. Goodman, "An incremental decision list learner", EMNLP 2002.

    Examples
    --------
    >>> X = [[1, 0], [1, 0], [1, 1], [0, 1], [0, 1], [0, 0]]
    >>> clf = RuleListClassifier(epsilon=1.0).fit(X, ["a", "a", "a", "b", "b", "b"])
    >>> [f"{rule.question} -> {rule.sense}" for rule in clf.rules_]
    ['x0>0=yes -> a']
    >>> clf.predict([[1, 1], [0, 1]]).tolist()
    ['a', 'a']
    """

    def __init__(
        self,
        learner: str = "prepend",
        discount: float | str = 0.7,
        epsilon: float | str = 3.0,
        max_rules: int | None = None,
        reestimate: str = "none",
        binarize: float = 0.0,
    ) -> None:
        self.learner = learner
        self.discount = discount
        self.epsilon = epsilon
        self.max_rules = max_rules
        self.reestimate = reestimate
        self.binarize = binarize

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # lists ask yes/no questions of numbers
        return tags

    def _parameters(self) -> dict[str, Any]:
        given = {
            "discount": self.discount,
            "epsilon": self.epsilon,
            "reestimate": self.reestimate,
        }
        has = parameters(self.learner)
        known = {name: value for name, value in given.items() if name in has}
        return known if self.max_rules is None else {**known, "max_rules": self.max_rules}

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> RuleListClassifier:
        """Learn a list.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of 0 or more; see Notes.

        Returns
        -------
        self : RuleListClassifier
            The fitted classifier.
        """
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("all sample weights are zero")
        weight = relative(weight)
        true = self._true(X)[weight > 0]
        self.classes_, outcome = np.unique(y[weight > 0], return_inverse=True)
        weight = weight[weight > 0]
        matrix = QuestionMatrix.from_matrix(
            true,
            outcome,
            [str(label) for label in self.classes_],
            weight=weight,
            questions=self._questions(true.shape[1]),
        )
        self.list_ = self._learn(matrix)
        number = {question: n for n, question in enumerate(matrix.questions)}
        self.columns_ = [number[question] for question in self.list_.questions]
        return self

    def _learn(self, matrix: QuestionMatrix) -> DecisionList:
        if self.learner not in LISTS:
            raise ParameterError(
                f"learner is {self.learner!r}, which makes no list of single questions",
                f"say one of {', '.join(LISTS)}",
            )
        recipe = Recipe(self.learner, parameters=self._parameters(), min_count=1)
        if recipe.tried:
            labels = [(matrix.senses[sense],) for sense in matrix.outcome.tolist()]
            columns = np.split(matrix.conditions.indices, matrix.conditions.indptr[1:-1])
            keys = [f"{row.tobytes().hex()} {y}" for row, (y,) in zip(columns, labels, strict=True)]
            rows = Labelled(
                np.arange(matrix.n_rows), matrix.outcome, np.ones(matrix.n_rows), matrix.senses
            )

            def fold_of(n_folds: int) -> npt.NDArray[np.int64]:
                return deal_keys(keys, labels, n_folds)

            recipe = recipe.settled(tune(recipe, "y", labels, rows, matrix, fold_of).best)
        fitted = make_learner(recipe.learner, **recipe.parameters).fit(matrix)
        assert isinstance(fitted, DecisionList)
        return fitted

    def _questions(self, n_features: int) -> list[Question]:
        names = getattr(self, "feature_names_in_", [f"x{n}" for n in range(n_features)])
        return [
            Question((Condition(Column(f"{name}>{self.binarize:g}"), "value", "yes"),))
            for name in names
        ]

    def _true(self, X: Any) -> csr_array:
        if issparse(X):
            X = X.copy()
            X.sum_duplicates()
        return csr_array(binarize(X, threshold=self.binarize))

    @property
    def rules_(self) -> tuple[Rule, ...]:
        """The rules of the list, the first to be asked first."""
        check_is_fitted(self)
        return self.list_.rules

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Probabilities, in the order of ``classes_``; rows sum to 1.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        asked = self.columns_
        matrix = QuestionMatrix.from_matrix(
            self._true(X[:, asked]) if asked else csr_array((X.shape[0], 0)),
            [],
            self.list_.senses,
            weight=np.ones(X.shape[0]),
            questions=self.list_.questions,
        )
        return self.list_.predict_proba(matrix)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class; the first of equally probable ones.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Labels, as they were given to :meth:`fit`.
        """
        P = self.predict_proba(X)
        labels: npt.NDArray[Any] = self.classes_[P.argmax(axis=1)]
        return labels


class QuestionVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The questions of contexts as a sparse matrix: a column for each question, 1 if it is true.

    A context is an :class:`~wsdlist.data.corpus.Instance`, a pair of tokens and the number of the
    target among them, or a list of tokens without a target, for sets that ask about all words
    (``context``).

    Parameters
    ----------
    features : str or FeatureSet, default="light"
        The name of a feature set, a TOML file, or a set.
    min_count : int, default=2
        In how many contexts a question must be true to be a column.

    Attributes
    ----------
    questions_ : list of Question
        The question of each column.

    Examples
    --------
    >>> contexts = [(["the", "river", "bank"], 2), (["a", "river", "bank"], 2)]
    >>> questions = QuestionVectorizer()
    >>> questions.fit_transform(contexts).toarray()[0]
    array([1., 1., 1., 1.])
    >>> [str(name) for name in questions.get_feature_names_out()]
    ['word=bank', 'word-1=river', 'near(9)=river', 'word-1=river & word=bank']
    """

    def __init__(self, features: str | FeatureSet = "light", min_count: int = 2) -> None:
        self.features = features
        self.min_count = min_count

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        tags.requires_fit = True
        return tags

    def fit(self, X: Any, y: Any = None) -> QuestionVectorizer:
        """Find the questions.

        Parameters
        ----------
        X : iterable of contexts
            What is asked.
        y : None
            Not used.

        Returns
        -------
        self : QuestionVectorizer
            The fitted vectorizer.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> csr_array:
        """Find the questions, and answer them.

        Returns
        -------
        matrix : csr_array of shape (n_contexts, n_questions)
            The answers.
        """
        instances = [_instance(context, number) for number, context in enumerate(X)]
        if not instances:
            raise ValueError("there is no context to find questions in")
        wanted = feature_set(self.features)
        self._check_targets(instances, wanted)
        matrix = extract(instances, [("",)] * len(instances), wanted, min_count=self.min_count)
        self.questions_ = list(matrix.questions)
        return self._matrix(matrix)

    def transform(self, X: Any) -> csr_array:
        """Answer the questions.

        Returns
        -------
        matrix : csr_array of shape (n_contexts, n_questions)
            The answers.
        """
        check_is_fitted(self)
        instances = [_instance(context, number) for number, context in enumerate(X)]
        self._check_targets(instances, feature_set(self.features))
        if not instances or not self.questions_:
            return csr_array((len(instances), len(self.questions_)), dtype=np.float64)
        return self._matrix(ask(instances, self.questions_).asked(self.questions_))

    def _check_targets(self, instances: list[Instance], features: FeatureSet) -> None:
        """Refuse contexts without a target if questions ask about positions around it."""
        if any(position != Anywhere() for position, _ in features.tests):
            for instance in instances:
                if instance.target_form == "":
                    raise ValueError(
                        f"context {instance.id} has no target, and {features.name!r} asks about "
                        "places around it; give (tokens, number), or a set with context alone"
                    )

    def _matrix(self, matrix: QuestionMatrix) -> csr_array:
        answers = csr_array(matrix.by_row, dtype=np.float64)
        answers.sort_indices()
        return answers

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the text of each question.

        Parameters
        ----------
        input_features : None
            Not used.

        Returns
        -------
        names : ndarray of str objects
            The name of each column.
        """
        check_is_fitted(self)
        return np.array([str(question) for question in self.questions_], dtype=object)


def _instance(context: Any, number: int) -> Instance:
    """Return a context as an instance; tokens without a target have an empty word for it."""
    if isinstance(context, Instance):
        return context
    if isinstance(context, str):
        raise TypeError(f"context {number} is a string; split it into tokens")
    pair = len(context) == 2 and not isinstance(context[0], str)
    forms, target = tuple(context), 0
    if pair and isinstance(context[0], Sequence | np.ndarray):
        forms, target = tuple(context[0]), int(context[1])
        if not 0 <= target < len(forms):
            raise ValueError(f"context {number} has no token {target}, only {len(forms)} tokens")
    elif not pair:
        forms = ("", *context)
    if not all(isinstance(form, str) for form in forms):
        raise ValueError(f"context {number} is no instance, and no list of tokens")
    return Instance(
        *(str(number), "", forms, (target, target + 1)), sentences=sentence_starts(forms)
    )
