"""Conditions and questions: data, with a text that reads like English and an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from wsdlist.data.records import from_record
from wsdlist.errors import InputError
from wsdlist.features.annotations import ANNOTATIONS
from wsdlist.features.positions import At, Column, Position, position_from_record

Value: TypeAlias = str | None
EDGE, MISSING = "(edge)", "?"


@dataclass(frozen=True, slots=True)
class Condition:
    """One simple test: the annotation at a position has this value, or (``negated``) another one.

    A value of None says that nothing stands there: the sentence ends before the position, or the
    attribute's value is missing.

    >>> from wsdlist.features.positions import At, Column, Near
    >>> str(Condition(At(-1), "word", "river")), str(Condition(Near(9), "word", "water"))
    ('word-1=river', 'near(9)=water')
    >>> str(Condition(Column("tear"), "value", "reduced", negated=True))
    'tear!=reduced'
    """

    position: Position
    annotation: str
    value: Value
    negated: bool = False

    def __str__(self) -> str:
        nothing = MISSING if isinstance(self.position, Column) else EDGE
        sign = "!=" if self.negated else "="
        value = nothing if self.value is None else self.value
        return f"{self.position.text(self.annotation)}{sign}{value}"

    def to_record(self) -> dict[str, Any]:
        """Return the condition as JSON data."""
        sign = "is not" if self.negated else "is"
        return {"what": self.annotation, **self.position.to_record(), sign: self.value}

    @staticmethod
    def from_record(record: Any) -> Condition:
        """Make a condition of what :meth:`to_record` gives.

        Raises
        ------
        InputError
            When the record is something else.
        """
        if not isinstance(record, dict) or not isinstance(record.get("what"), str):
            raise InputError("a condition has no 'what'", "say what it asks for")
        negated = "is not" in record
        value = record["is not"] if negated else record.get("is")
        if value is not None and not isinstance(value, str):
            sign = "is not" if negated else "is"
            raise InputError(f"a condition's {sign!r} is no string", "say which value it asks for")
        position = position_from_record(record)
        if record["what"] not in (("value",) if isinstance(position, Column) else ANNOTATIONS):
            raise InputError("a condition's 'what' is nothing that has a value there", "correct it")
        return Condition(position, record["what"], value, negated)


@dataclass(frozen=True, slots=True)
class Question:
    """A conjunction of conditions, in the order in which people read them; TRUE without any.

    >>> str(Question())
    'TRUE'
    """

    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return " & ".join(map(str, self.conditions)) or "TRUE"

    def to_record(self) -> list[dict[str, Any]]:
        """Return the question as JSON data, a list of conditions."""
        return [condition.to_record() for condition in self.conditions]

    @staticmethod
    def of(conditions: Sequence[Condition]) -> Question:
        """Make a question of conditions in any order: offsets from left to right, then bags."""
        return Question(tuple(sorted(conditions, key=_reading) if conditions[1:] else conditions))

    @staticmethod
    def from_record(record: Any) -> Question:
        """Make a question of what :meth:`to_record` gives.

        Raises
        ------
        RecordError
            When the record is something else; its message begins with the place of the condition.
        """
        return Question(from_record(tuple[Condition, ...], record))


def _reading(condition: Condition) -> tuple[bool, int]:
    position = condition.position
    return (False, position.offset) if isinstance(position, At) else (True, 0)
