"""Gold sets as weighted rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.checks import check_choice

WEIGHT_UNIT = 1024  # weights are multiples of 1/1024, so that their sums are exact
MULTI = ("split", "first", "all")


@dataclass(frozen=True)
class Labelled:
    """Gold labels as weighted rows: one for each instance and each of its senses.

    Parameters
    ----------
    instance
        ``(n_rows,)`` the number of each row's instance, ascending.
    outcome
        ``(n_rows,)`` the number of each row's sense.
    weight
        ``(n_rows,)`` the weight of each row, a multiple of 2**-10.
    senses
        The labels, sorted.
    """

    instance: Ints
    outcome: Ints
    weight: Floats
    senses: tuple[str, ...]


def label(labels: Sequence[Sequence[str]], multi: str = "split") -> Labelled:
    """Turn gold sets into weighted rows.

    Parameters
    ----------
    labels
        The gold senses of each instance. Instances without any have no row.
    multi
        ``split`` shares a weight of 1 among an instance's senses (the remainder of 1/1024 goes to
        the first), ``first`` takes the first sense, ``all`` gives each sense a weight of 1.

    Raises
    ------
    ParameterError
        When ``multi`` is none of these.

    >>> label([("money", "shore"), ("shore",)]).weight.tolist()
    [0.5, 0.5, 1.0]
    """
    check_choice("multi", multi, MULTI)
    chosen = [gold[:1] for gold in labels] if multi == "first" else labels
    senses_of_rows = list(chain.from_iterable(chosen))
    senses = tuple(sorted(set(senses_of_rows)))
    number = {sense: n for n, sense in enumerate(senses)}
    if len(senses_of_rows) == len(chosen) and all(chosen):
        outcome = np.fromiter(
            map(number.__getitem__, senses_of_rows), np.int64, len(senses_of_rows)
        )
        return Labelled(
            np.arange(len(senses_of_rows)), outcome, np.ones(len(senses_of_rows)), senses
        )
    weights: list[float] = []
    for gold in chosen:
        share = 1.0 if multi == "all" or not gold else WEIGHT_UNIT // len(gold) / WEIGHT_UNIT
        first = 1.0 if multi == "all" else 1.0 - share * (len(gold) - 1)
        weights += [first, *[share] * (len(gold) - 1)][: len(gold)]
    return Labelled(
        np.repeat(np.arange(len(chosen)), [len(gold) for gold in chosen]),
        np.fromiter(map(number.__getitem__, senses_of_rows), np.int64, len(senses_of_rows)),
        np.array(weights, dtype=np.float64),
        senses,
    )
