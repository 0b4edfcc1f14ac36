"""Choosing a learner's parameters on held-out data, above all discount d and threshold epsilon.

Training data are dealt into folds by content, so that the order of lines does not matter. For the
incremental prepend one greedy run for each discount serves every epsilon: the answers to held-out
instances are kept up to date as each rule is put in front, and they are scored when a gain first
falls below epsilon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.folds import keep_every_sense
from wsdlist.features.labels import Labelled
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.models.recipe import Recipe
from wsdlist.training._held_out import Split
from wsdlist.training.trials import Trial, TuningTable

FOLDS = 5
ONE_PART_FROM = 1000  # from this number of instances on, one held-out part is enough
HELD_OUT = 10  # that one part is a tenth


def cells(counts: Floats) -> tuple[int, int]:
    """Return how many cells C(q, y) have count 1, and count 2."""
    return int((counts == 1).sum()), int((counts == 2).sum())


def leave_one_out_discount(n1: int, n2: int) -> float:
    """Return d = n1 / (n1 + 2 n2), clipped to [.1, .95]: the leave-one-out estimate.

    Parameters
    ----------
    n1, n2
        How many cells C(q, y) have count 1 and 2, over all questions before any minimum count, with
        whole weights (Ney, Essen & Kneser 1994).

    >>> leave_one_out_discount(6, 2)
    0.6
    """
    return float(np.clip(round(n1 / (n1 + 2 * n2), 4), 0.1, 0.95)) if n1 + n2 else 0.1


def tune(
    recipe: Recipe,
    lexelt: str,
    labels: Sequence[Sequence[str]],
    rows: Labelled,
    matrix: QuestionMatrix,
    fold_of: Callable[[int], Ints],
) -> TuningTable:
    """Try all parameters of a recipe's grid on held-out parts of the training data of one word.

    Parameters
    ----------
    recipe
        The learner, its parameters, and which of them are tuned by what.
    lexelt
        The word, for messages.
    labels
        The senses of each training instance.
    rows
        The senses as weighted rows.
    matrix
        The answers of these rows, see :func:`wsdlist.features.extract`.
    fold_of
        Deals the instances into a given number of folds: returns ``(n_instances,)`` fold numbers,
        see :func:`wsdlist.data.folds.deal`.

    Returns
    -------
    TuningTable
        The trials; none if there is nothing to choose from, and then the notes say why.
    """
    criterion = recipe.tune_for
    if recipe.multi == "first":
        labels = [gold[:1] for gold in labels]
    wanted = 1 if len(labels) >= ONE_PART_FROM else FOLDS
    folds = keep_every_sense(fold_of(HELD_OUT if wanted == 1 else wanted), labels)
    held_out = [part for part in range(wanted) if (folds == part).any()]
    notes = []
    if len(matrix.senses) < 2:
        return TuningTable((), (f"{lexelt}: one sense, nothing to choose",), criterion)
    if not held_out:  # if there is one, some instance of its senses is not in it
        why = "too few contexts to hold any out, nothing to choose"
        return TuningTable((), (f"{lexelt}: {why}",), criterion)
    if len(held_out) < wanted:
        notes.append(f"{lexelt}: {len(held_out)} held-out parts instead of {wanted}")
    tried: dict[str, list[Trial]] = {}
    for part in held_out:
        split = Split(matrix, rows.instance, labels, folds, part, recipe.min_count)
        for trial in split.trials(recipe):
            tried.setdefault(repr(trial.parameters), []).append(trial)
    return TuningTable(tuple(map(_over_folds, tried.values())), tuple(notes), criterion)


def _over_folds(trials: Sequence[Trial]) -> Trial:
    """Return the trials of the same parameters on the folds of a word as one trial."""
    return Trial(
        trials[0].parameters,
        sum(trial.bits for trial in trials),
        sum(trial.right for trial in trials),
        sum(trial.macro_f1 for trial in trials) / len(trials),
        sum(trial.rules for trial in trials) / len(trials),
        sum(trial.instances for trial in trials),
        1,
    )
