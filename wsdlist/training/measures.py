"""The measures by which held-out data choose, beside bits."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np


def macro_f1(
    gold: Sequence[Collection[str]], answers: Sequence[str], markers: Collection[str] = ()
) -> float:
    """Return the mean F1, 0 to 1, over the senses that are in the gold or among the answers.

    An instance with several gold senses counts as one of the sense that was answered, if that is
    in its set. Otherwise it counts as one of each.

    Parameters
    ----------
    gold
        The gold senses of each instance.
    answers
        The sense that was answered for each.
    markers
        Gold labels that are no senses and not counted.

    Returns
    -------
    float
        nan if there is no instance.
    """
    true: dict[str, int] = {}
    given: dict[str, int] = {}
    wanted: dict[str, int] = {}
    for senses_of_one, answer in zip(gold, answers, strict=True):
        given[answer] = given.get(answer, 0) + 1
        for sense in (answer,) if answer in senses_of_one else senses_of_one:
            if sense not in markers:
                wanted[sense] = wanted.get(sense, 0) + 1
        true[answer] = true.get(answer, 0) + (answer in senses_of_one)
    senses = sorted({*given, *wanted})
    f1 = [2 * true.get(s, 0) / (given.get(s, 0) + wanted.get(s, 0)) for s in senses]
    return float(np.mean(f1)) if f1 else float("nan")
