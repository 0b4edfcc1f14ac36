"""Positions of conditions: at an offset from the target, near it, anywhere, in an attribute.

A position turns a batch of contexts into ``(rows, positions)``: the tokens that stand there, by
their numbers in the batch. The number -1 says that the sentence ends before. That is a fact of the
text, and so a value of its own. Beyond a context there is nothing to ask, because a context ends
where somebody cut it.

A class of positions has ``many`` (whether several tokens may stand there), ``needs`` (``tags`` or
``lemmas`` if it looks at them), ``order`` (nearer places are asked first), ``text``, ``reach``,
``find`` (rows ascending) and ``to_record``. A new one also stands in ``Position``,
``TextPosition``, :func:`position_from_record`, and, for its text, in ``BAGS`` or ``PLACE`` of
:mod:`wsdlist.features.sets`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np

from wsdlist.data.arrays import Pairs, ranges
from wsdlist.data.records import from_record
from wsdlist.errors import InputError
from wsdlist.features._batch import Batch

FARTHEST = 9999  # tokens from the target, in either direction; feature sets have four digits too


@dataclass(frozen=True, slots=True)
class At:
    """The token at an offset from the target; 0 is the target itself.

    ``within`` is ``context``, or ``sentence`` if what is beyond the sentence is its edge.
    """

    offset: int
    within: str = "context"
    many: ClassVar[bool] = False
    needs: ClassVar[str | None] = None

    @property
    def order(self) -> tuple[int, ...]:
        """The target, then its neighbours outwards, left before right."""
        return 0, abs(self.offset), self.offset

    def text(self, annotation: str) -> str:
        """Return the text of the position with an annotation: ``word-1``, ``tag+2``, ``word``."""
        return f"{annotation}{self.offset:+d}" if self.offset else annotation

    def reach(self) -> int | None:
        """Return how many tokens to either side of the target are needed."""
        return abs(self.offset)

    def find(self, batch: Batch) -> Pairs:
        """Return one token per row; none if the context ends before."""
        at = batch.target + self.offset
        rows = np.flatnonzero((at >= batch.start) & (at < batch.end))
        positions = at[rows]
        if self.within == "sentence":
            start, end = batch.sentence
            inside = (positions >= start[rows]) & (positions < end[rows])
            positions = np.where(inside, positions, -1)
        return rows, positions

    def to_record(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        return {"at": self.offset, **({"within": "sentence"} if self.within == "sentence" else {})}


@dataclass(frozen=True, slots=True)
class Near:
    """Any token within ``distance`` of the target, but not the target itself."""

    distance: int
    many: ClassVar[bool] = True
    needs: ClassVar[str | None] = None

    @property
    def order(self) -> tuple[int, ...]:
        """After what stands at an offset, narrow windows first."""
        return 1, self.distance

    def text(self, annotation: str) -> str:
        """Return the text: ``near(9)`` for words, ``near(9,lemma)`` for other annotations."""
        more = "" if annotation == "word" else f",{annotation}"
        return f"near({self.distance}{more})"

    def reach(self) -> int | None:
        """Return how many tokens to either side of the target are needed."""
        return self.distance

    def find(self, batch: Batch) -> Pairs:
        """Return every token in the window."""
        first = np.maximum(batch.target - self.distance, batch.start)
        last = np.minimum(batch.target + self.distance + 1, batch.end)
        return _without_target(batch, first, last)

    def to_record(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        return {"near": self.distance}


@dataclass(frozen=True, slots=True)
class Anywhere:
    """Any token of the context, but not the target itself."""

    many: ClassVar[bool] = True
    needs: ClassVar[str | None] = None
    order: ClassVar[tuple[int, ...]] = (3,)

    def text(self, annotation: str) -> str:
        """Return the text: ``context`` for words, ``context(lemma)`` for other annotations."""
        return "context" if annotation == "word" else f"context({annotation})"

    def reach(self) -> int | None:
        """Return None: the whole context is needed."""
        return None

    def find(self, batch: Batch) -> Pairs:
        """Return every token of the context."""
        return _without_target(batch, batch.start, batch.end)

    def to_record(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        return {"near": None}


@dataclass(frozen=True, slots=True)
class Satellite:
    """The other tokens of a multiword target, as the corpus marks them: *for* of *called for*."""

    many: ClassVar[bool] = True
    needs: ClassVar[str | None] = None
    order: ClassVar[tuple[int, ...]] = (2,)

    def text(self, annotation: str) -> str:
        """Return the text: ``particle`` for words, ``particle(lemma)`` for other annotations."""
        return "particle" if annotation == "word" else f"particle({annotation})"

    def reach(self) -> int | None:
        """Return None: a satellite may stand anywhere."""
        return None

    def find(self, batch: Batch) -> Pairs:
        """Return the satellites."""
        return batch.satellites

    def to_record(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        return {"satellite": True}


@dataclass(frozen=True, slots=True)
class Column:
    """An attribute of a table.

    Parameters
    ----------
    name
        The name that the table gives it.
    missing
        Whether a missing value is a value like others; if not, nothing is true of it.
    cuts
        The cut points of a numeric attribute, whose values are then :func:`interval`; else None.
    """

    name: str
    missing: bool = False
    cuts: tuple[float, ...] | None = None
    many: ClassVar[bool] = False

    def text(self, annotation: str) -> str:
        """Return the name of the attribute."""
        return self.name

    def to_record(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        return {
            "attribute": self.name,
            **({"missing": "value"} if self.missing else {}),
            **({} if self.cuts is None else {"cuts": list(self.cuts)}),
        }


def interval(cuts: tuple[float, ...], number: int) -> str:
    """Return the text of the interval with that number, counted from 0.

    >>> [interval((2.45, 4.75), number) for number in range(3)]
    ['(-inf,2.45]', '(2.45,4.75]', '(4.75,inf)']
    """
    ends = ["-inf", *(repr(cut).removesuffix(".0") for cut in cuts), "inf"]
    return f"({ends[number]},{ends[number + 1]}{']' if number < len(cuts) else ')'}"


Position: TypeAlias = At | Near | Anywhere | Satellite | Column
TextPosition: TypeAlias = At | Near | Anywhere | Satellite


def reach_of(positions: Iterable[Any]) -> int | None:
    """Return how many tokens to either side of the target are asked about; None for all."""
    reaches = [position.reach() for position in positions]
    return None if None in reaches else max(reaches, default=0)


def _without_target(batch: Batch, first: Any, last: Any) -> Pairs:
    lengths = last - first
    rows = np.repeat(np.arange(len(first)), lengths)
    positions = ranges(first, lengths)
    other = positions != batch.target[rows]
    return rows[other], positions[other]


def position_from_record(record: dict[str, Any]) -> Position:
    """Make a position of what ``to_record`` gives.

    Raises
    ------
    InputError, RecordError
        When the record names no position.
    """
    match record:
        case {"at": offset} if _is_offset(offset, -FARTHEST):
            within = record.get("within", "context")
            if within in ("context", "sentence"):
                return At(offset, within)
        case {"near": None}:
            return Anywhere()
        case {"near": distance} if _is_offset(distance, 0):
            return Near(distance)
        case {"satellite": True}:
            return Satellite()
        case {"attribute": str(name)}:
            missing, cuts = record.get("missing"), record.get("cuts")
            if missing in (None, "value"):
                return Column(name, missing == "value", None if cuts is None else _cuts(cuts))
    raise InputError("a condition names no place", "give it one of at, near, satellite, attribute")


def _is_offset(value: Any, least: int) -> bool:
    return type(value) is int and least <= value <= FARTHEST


def _cuts(record: Any) -> tuple[float, ...]:
    cuts: tuple[float, ...] = from_record(tuple[float, ...], record)
    if any(low >= high for low, high in pairwise(cuts)):
        raise InputError("a condition's 'cuts' do not rise", "give them in order")
    return cuts
