"""LazyRule: a rule grown for each case that is asked, and a local classifier that answers.

K. M. Ting, Z. Zheng & G. I. Webb, "Learning lazy rules to improve the performance of classifiers",
1999; with naive Bayes it is LBR (Zheng & Webb, "Lazy learning of Bayesian rules", 2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wsdlist.data.arrays import Bools, Ints, distinct
from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners._local import (
    ESTIMATE,
    Base,
    ListBase,
    MajorityBase,
    NaiveBayesBase,
    NeighboursBase,
    Problem,
)
from wsdlist.learners.fitted.lazy_rules import LazyRules, codes_of, values_of
from wsdlist.learners.prepend import Prepend
from wsdlist.learners.search.bits import MOST_CASES, rows_of_cases


@dataclass(frozen=True)
class _LazyRule:
    """For each case, add conditions while they make local errors significantly fewer.

    The antecedent is made of the case's own values. A condition is judged by two sums: the
    leave-one-out errors of a local classifier on the cases that fulfil it, learned without its
    attribute, and the errors so far on the other cases. A one-tailed sign test at .05 must admit
    it. Of those admitted the one with fewest errors is taken, of equal ones the first. Rows of
    fractional weight are a case each. :class:`wsdlist.learners._lazy_growth.Growth` is the loop.

    Parameters
    ----------
    min_cases
        With fewer local cases the rule grows no further.
    min_errors
        With fewer errors neither.
    weka
        Whether to take the ways of Weka's LBR: a condition must make the set smaller, and the
        errors of cases left behind count for ``min_errors``.
    cache_size
        For how many antecedents, those used last, what was tried is kept between cases; None for
        all. It changes no answer.
    top
        How many yes/no attributes (words nearby) there are: those that most cases show.
    """

    min_cases: int = 30
    min_errors: int = 0
    weka: bool = False
    cache_size: int | None = 1000
    top: int = 100
    asks: ClassVar[str] = "="
    most_cases: ClassVar[int] = MOST_CASES

    def __post_init__(self) -> None:
        check_whole("top", self.top)
        check_whole("min_cases", self.min_cases, least=0)
        check_whole("min_errors", self.min_errors, least=0)
        check_whole("cache_size", self.cache_size, least=0, optional=True)

    def _base(self) -> Base:
        raise NotImplementedError

    def _attributes(self, matrix: QuestionMatrix) -> tuple[Ints, Ints, Bools]:
        """Return the questions to ask, the attribute of each, and which attributes are yes/no.

        A place with one value at a time is an attribute; each question about a bag of words is one
        of its own.
        """
        single = np.flatnonzero(matrix.sizes == 1)
        conditions = [matrix.questions[n].conditions[0] for n in single.tolist()]
        bag = np.array([condition.position.many for condition in conditions], dtype=bool)
        often = np.diff(matrix.by_condition.indptr)[matrix.members[single, 0]]
        if bag.sum() > self.top:
            best = np.flatnonzero(bag)[np.argsort(-often[bag], kind="stable")[: self.top]]
            kept = np.union1d(np.flatnonzero(~bag), best)
            single, bag = single[kept], bag[kept]
        place = matrix.attributes[matrix.members[single, 0]]
        key = np.where(bag, len(matrix.attributes) + np.arange(len(single)), place)
        order = np.argsort(key, kind="stable")
        single, key, bag = single[order], key[order], bag[order]
        keys = distinct(key)
        attribute = np.searchsorted(keys, key)
        binary = np.zeros(len(keys), dtype=bool)
        binary[attribute] = bag
        return single, attribute, binary

    def fit(self, matrix: QuestionMatrix) -> LazyRules:
        """Keep the cases."""
        single, attribute, binary = self._attributes(matrix)
        asked = matrix.select(single)
        codes = codes_of(asked.by_row, attribute, binary)
        rows = rows_of_cases(matrix, self.most_cases)
        problem = Problem(
            codes[rows], values_of(attribute, binary), matrix.outcome[rows], len(matrix.senses)
        )
        return LazyRules(
            matrix.senses,
            tuple(matrix.questions[n] for n in single.tolist()),
            attribute,
            binary,
            problem,
            self._base(),
            int(self.min_cases),
            int(self.min_errors),
            self.weka,
            self.cache_size,
        )


@dataclass(frozen=True)
class LazyNaiveBayes(_LazyRule):
    """LR-NB, which is LBR: a rule for each case, then naive Bayes answers.

    Parameters
    ----------
    estimate, m
        ``m`` (the m-estimate, with weight ``m``) or ``laplace``, see :class:`NaiveBayesBase`.
    """

    estimate: str = "m"
    m: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("estimate", self.estimate, ESTIMATE)
        check_number("m", self.m, above=0)

    def _base(self) -> Base:
        return NaiveBayesBase(self.estimate, float(self.m))


@dataclass(frozen=True)
class WekaLazyNaiveBayes(LazyNaiveBayes):
    """LBR as Weka has it: Laplace, no limit of 30 cases but one of 5 errors."""

    min_cases: int = 0
    min_errors: int = 5
    weka: bool = True
    estimate: str = "laplace"


@dataclass(frozen=True)
class LazyMajority(_LazyRule):
    """LR-MV: a rule for each case, then the most frequent class answers."""

    def _base(self) -> Base:
        return MajorityBase()


@dataclass(frozen=True)
class LazyNeighbours(_LazyRule):
    """A rule for each case, then its nearest neighbours answer: the paper's wish.

    Parameters
    ----------
    k
        How many neighbours vote; all that are as near as the last one vote too.
    """

    k: int = 5
    most_cases: ClassVar[int] = 20_000  # how alike every two of them are is held at once

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("k", self.k)

    def _base(self) -> Base:
        return NeighboursBase(int(self.k))


@dataclass(frozen=True)
class LazyList(_LazyRule):
    """A rule for each case, then a decision list of its local cases, judged by folds, answers.

    Parameters
    ----------
    discount, epsilon
        See :class:`wsdlist.learners.prepend.Prepend`.
    folds
        Into how many parts the local cases are dealt to count errors.
    """

    discount: float = 0.9
    epsilon: float = 3.0
    folds: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        Prepend(self.discount, self.epsilon)  # refuses what it cannot be
        check_whole("folds", self.folds, least=2)

    def _base(self) -> Base:
        return ListBase(float(self.discount), float(self.epsilon), int(self.folds))
