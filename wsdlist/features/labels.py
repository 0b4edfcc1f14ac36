"""Gold sets as weighted rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.checks import check_choice

WEIGHT_UNIT = 1024


MULTI = ("split", "first", "all")


@dataclass(frozen=True)
class Labelled:
    """Gold labels as rows of their own: the instance, the sense and the weight of each."""

    instance: Ints
    outcome: Ints
    weight: Floats
    senses: tuple[str, ...]


def label(labels: Sequence[Sequence[str]], multi: str = "split") -> Labelled:
    """Turn gold sets into weighted rows.

    ``split`` shares a weight of 1 among an instance's senses (the remainder of 1/1024 goes to
    the first), ``first`` takes the first sense, ``all`` gives each a weight of 1. Instances
    without a label have no row.

    >>> label([("money", "shore"), ("shore",)]).weight.tolist()
    [0.5, 0.5, 1.0]
    """
    check_choice("multi", multi, MULTI)
    chosen = [gold[:1] for gold in labels] if multi == "first" else labels
    every = list(chain.from_iterable(chosen))
    senses = tuple(sorted(set(every)))
    number = {sense: n for n, sense in enumerate(senses)}
    if len(every) == len(chosen) and all(chosen):
        outcome = np.fromiter(map(number.__getitem__, every), np.int64, len(every))
        return Labelled(np.arange(len(every)), outcome, np.ones(len(every)), senses)
    weights: list[float] = []
    for gold in chosen:
        share = 1.0 if multi == "all" or not gold else WEIGHT_UNIT // len(gold) / WEIGHT_UNIT
        first = 1.0 if multi == "all" else 1.0 - share * (len(gold) - 1)
        weights += [first, *[share] * (len(gold) - 1)][: len(gold)]
    return Labelled(
        np.repeat(np.arange(len(chosen)), [len(gold) for gold in chosen]),
        np.fromiter(map(number.__getitem__, every), np.int64, len(every)),
        np.array(weights, dtype=np.float64),
        senses,
    )
