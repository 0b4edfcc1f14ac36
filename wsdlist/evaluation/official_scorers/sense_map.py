"""Senseval's sense map: which senses stand above a sense, and the credit for answering them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wsdlist.data.numbers import whole
from wsdlist.errors import InputError
from wsdlist.evaluation.official_scorers.keys import texts

Ancestors: TypeAlias = tuple[tuple[str, float], ...]  # each with its credit, the nearest first


@dataclass(frozen=True)
class SenseMap:
    """Senseval's sense map: the ancestors of a sense and the credit for each, the nearest first."""

    above: Mapping[str, Ancestors] = field(default_factory=dict)

    def top(self, sense: str) -> str:
        """Return the coarsest sense above a sense, itself if there is none."""
        above = self.above.get(sense, ())
        return above[-1][0] if above else sense

    def credit(self, answer: str, gold: str) -> float:
        """Return what an answer is worth: 1 at or below a right sense, a share of it above."""
        if answer == gold or gold in dict(self.above.get(answer, ())):
            return 1.0
        return dict(self.above.get(gold, ())).get(answer, 0.0)


def read_sense_map(path: str) -> SenseMap:
    """Read Senseval's sense map: ``sense [n parent [n parent ...]]``, n the parent's children.

    The credit for an ancestor is 1 divided by the numbers of children on the way up to it.

    Raises
    ------
    InputError
        When a line is of another form.
    """
    above: dict[str, Ancestors] = {}
    for source in texts(path):
        for number, line in source.lines():
            fields = line.split()
            if not fields:
                continue
            sense, *steps = fields
            children, parents = steps[::2], steps[1::2]
            if len(steps) % 2 or not all(map(whole, children)):
                raise InputError(
                    "the line is not a sense, and a number and a parent for each step up",
                    "write: sense 3 parent",
                    where=f"{source.name}:{number}",
                )
            credit, ancestors = 1.0, []
            for n, parent in zip(children, parents, strict=True):
                credit /= int(n)
                ancestors.append((parent, credit))
            above.setdefault(sense, tuple(ancestors))  # scorer2 takes the first line of a sense
    return SenseMap({sense: _upwards(sense, above) for sense in above})


def _upwards(sense: str, above: Mapping[str, Ancestors]) -> Ancestors:
    """Return the ancestors of a sense, also those on the lines of its ancestors."""
    found = dict(above[sense])
    top, credit = next(reversed(found.items()), (sense, 1.0))
    while top != sense and above.get(top):
        more = {parent: credit * share for parent, share in above[top] if parent not in found}
        if not more:  # a circle
            break
        found |= more
        top, credit = next(reversed(more.items()))
    return tuple(found.items())
