"""Gold sets as weighted rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.checks import check_choice

MOST_COUNT = 1 << 20  # a larger weight is no count of rows
MOST_PARTS = 1000
TOLERANCE = 1e-9
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


def relative(weights: npt.ArrayLike) -> Floats:
    """Return weights as counts; only their ratios matter.

    If all weights are whole multiples of a common part (up to 2**20, and the smallest one up to
    1,000), they become the smallest whole numbers of these ratios: a row of weight 2 stands for two
    rows. Else, as the weights of a census, they are scaled so that their mean is 1, and rounded to
    multiples of 2**-10; those that become 0 count nothing. Weights of 0 are left out of all this.

    Parameters
    ----------
    weights
        ``(n,)`` finite numbers of 0 or more.

    Returns
    -------
    ndarray
        ``(n,)`` counts.

    >>> relative([0.5, 0.5, 1]).tolist(), relative([0, 3000, 2000]).tolist()
    ([1.0, 1.0, 2.0], [0.0, 3.0, 2.0])
    >>> relative([1, 2**0.5, 3]).tolist()
    [0.5537109375, 0.783203125, 1.662109375]
    """
    given = np.asarray(weights, dtype=np.float64)
    distinct_weights = np.unique(given[given > 0])
    if not len(distinct_weights):
        return given
    ratios = distinct_weights / distinct_weights[0]
    if ratios[-1] <= MOST_COUNT:
        parts = 1
        for ratio in ratios.tolist():
            parts = math.lcm(parts, Fraction(ratio).limit_denominator(MOST_PARTS).denominator)
            if parts > MOST_PARTS:
                break
        counts = ratios * parts
        is_whole = np.abs(counts - np.rint(counts)) <= TOLERANCE * counts
        if parts <= MOST_PARTS and is_whole.all() and counts[-1] <= MOST_COUNT:
            whole: Floats = np.rint(given / distinct_weights[0] * parts)
            return whole
    scaled = given / given.max()  # first, lest the sum overflow
    scaled /= scaled[given > 0].mean()
    rounded: Floats = np.rint(scaled * WEIGHT_UNIT) / WEIGHT_UNIT
    return rounded
