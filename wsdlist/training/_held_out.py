"""Trials on a held-out part of the training data of a word, by what is learned from the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import learner
from wsdlist.learners.fitted.decision_list import reestimated
from wsdlist.learners.prepend import path
from wsdlist.learners.smoothing import cost, discounted, unigram
from wsdlist.models.recipe import Grid, Recipe
from wsdlist.training.measures import macro_f1
from wsdlist.training.trials import Trial


class Split:
    """A held-out part of the instances of a word, and the rest, to learn from.

    Parameters
    ----------
    matrix
        The answers of all training rows.
    instance
        ``(n_rows,)`` the number of each row's instance.
    labels
        The gold senses of each instance.
    dealt
        ``(n_instances,)`` the part that each instance is dealt into.
    part
        The part that is held out.
    min_count
        In how many instances of the rest a question must be true to be asked.
    """

    def __init__(
        self,
        matrix: QuestionMatrix,
        instance: Ints,
        labels: Sequence[Sequence[str]],
        dealt: Ints,
        part: int,
        min_count: int,
    ) -> None:
        of_row = dealt[instance]
        rest = matrix.take(np.flatnonzero(of_row != part))
        first = np.unique(instance, return_index=True)[1]  # a row of each instance
        counted = matrix.take(first[dealt != part]).by_row
        often = np.bincount(counted.indices, minlength=matrix.n_questions) >= min_count
        self.train = rest.select(np.flatnonzero(often))
        held = np.flatnonzero(dealt == part)
        self.held = matrix.take(first[held]).select(np.flatnonzero(often))
        self.labels = [labels[row] for row in held.tolist()]
        number = {sense: n for n, sense in enumerate(matrix.senses)}
        self.member: npt.NDArray[np.bool_] = np.zeros((len(held), len(number)), dtype=bool)
        for row, gold in enumerate(self.labels):  # multi="first" learns no second senses
            self.member[row, [number[sense] for sense in gold if sense in number]] = True

    def trials(self, recipe: Recipe) -> list[Trial]:
        """Return a trial on the held-out part for each choice of the parameters that are tuned."""
        on_path = {"discount", "epsilon", "reestimate"}
        fixed, grid = recipe.fixed, recipe.tried
        if recipe.learner == "prepend" and fixed["max_rules"] is None and set(grid) <= on_path:
            return self._prepend(fixed, grid)
        trials = []
        for values in product(*grid.values()):
            tried = dict(zip(grid, values, strict=True))
            fitted = learner(recipe.learner, **{**fixed, **tried}).fit(self.train)
            trials.append(self._trial(tried, fitted.predict_proba(self.held), fitted.n_rules))
        return trials

    def _prepend(self, fixed: Mapping[str, Any], grid: Grid) -> list[Trial]:
        """Follow the epsilon path of each discount, with the answers to the held-out part."""
        discounts, epsilons, reestimates = (
            grid.get(name) or [fixed[name]] for name in ("discount", "epsilon", "reestimate")
        )
        counts = self.train.counts()
        order = self.train.tie_order(counts)
        ordered, counts = self.train.select(order), counts[order]
        held = self.held.select(order).by_question
        prior = unigram(ordered.prior_counts())
        trials = []
        for discount in discounts:
            of_question = np.vstack([discounted(counts, prior, discount), prior])
            reached = {}
            for epsilon, answering, trained, n_rules in _lists_on_path(
                ordered, counts, discount, epsilons, held
            ):
                reached[epsilon] = [
                    self._trial(
                        {
                            name: value
                            for name, value in (
                                ("discount", discount),
                                ("epsilon", epsilon),
                                ("reestimate", reestimate),
                            )
                            if name in grid
                        },
                        self._again(of_question, trained, reestimate)[answering],
                        n_rules,
                    )
                    for reestimate in reestimates
                ]
            trials += [trial for epsilon in epsilons for trial in reached[epsilon]]
        return trials

    def _again(self, of_question: Floats, trained: Ints, reestimate: str) -> Floats:
        """Return the probabilities of questions, estimated again from the rows that they answer."""
        if reestimate == "none":
            return of_question
        cells = trained * of_question.shape[1] + self.train.outcome
        reached = sums(cells, self.train.weight, of_question.size).reshape(of_question.shape)
        return reestimated(of_question, reached, reestimate)[0]

    def _trial(self, tried: Mapping[str, Any], P: Floats, rules: float) -> Trial:
        costs = np.where(self.member, cost(P), 0.0)
        senses = [self.train.senses[best] for best in P.argmax(axis=1)]
        return Trial(
            tried,
            float((costs.sum(axis=1) / self.member.sum(axis=1)).sum()),
            int(self.member[np.arange(len(P)), P.argmax(axis=1)].sum()),
            macro_f1(self.labels, senses),
            rules,
            len(P),
            1,
        )


def _lists_on_path(
    ordered: QuestionMatrix,
    counts: Floats,
    discount: float,
    epsilons: Sequence[float],
    held: csc_array,
) -> Iterator[tuple[float, Ints, Ints, int]]:
    """Yield for each epsilon which question of its list answers each row, and how many rules.

    One greedy run gives all of them: the list for epsilon has the steps before the first one whose
    gain is below epsilon.

    Parameters
    ----------
    ordered, counts
        What :meth:`QuestionMatrix.in_order` gives.
    held
        The answers of the held-out rows to the same questions, by columns.

    Yields
    ------
    tuple
        Epsilon, the questions that answer the held-out rows and the training rows (``n_questions``
        is the default), and the number of rules. The arrays change afterwards.
    """
    default = ordered.n_questions
    answering, trained = np.full(held.shape[0], default), np.full(ordered.n_rows, default)
    followed = ((held, answering), (ordered.by_question, trained))
    chosen: set[int] = set()
    left = sorted(epsilons, reverse=True)
    for step in path(ordered, counts, discount, min(epsilons)):
        while left and step.gain < left[0]:
            yield left.pop(0), answering, trained, len(chosen)
        chosen.add(step.question)
        for columns, answers in followed:
            start, end = columns.indptr[step.question : step.question + 2]
            answers[columns.indices[start:end]] = step.question
    for epsilon in left:
        yield epsilon, answering, trained, len(chosen)
