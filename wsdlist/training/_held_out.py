"""Trials on a held-out part of the training data of a word, by what is learned from the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats, Ints
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import learner, learner_class
from wsdlist.learners.smoothing import cost
from wsdlist.models.recipe import Recipe
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
        fixed, grid = recipe.fixed, recipe.tried
        along = getattr(learner_class(recipe.learner), "along", None)
        if along is not None:
            served = along(learner(recipe.learner, **fixed), self.train, self.held, grid)
            if served is not None:
                return [self._trial(*reached) for reached in served]
        trials = []
        for values in product(*grid.values()):
            tried = dict(zip(grid, values, strict=True))
            fitted = learner(recipe.learner, **{**fixed, **tried}).fit(self.train)
            trials.append(self._trial(tried, fitted.predict_proba(self.held), fitted.n_rules))
        return trials

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
