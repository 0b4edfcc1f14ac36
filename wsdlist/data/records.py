"""Dataclasses as JSON data, and back with every value checked.

One walker serves every class: its fields and their types are the schema. A field says by
:func:`key` what it is called in the record, and whether it is left out while it has its default;
a type says by ``Annotated`` what its numbers may be. A class that looks different as JSON has
methods ``to_record`` and ``from_record`` of its own, which the walker calls.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, Union

import numpy as np

from wsdlist.errors import WsdlistError

Kind = TypeVar("Kind")


class Within(NamedTuple):
    """The numbers that a type allows; ``unknown`` says that None stands for nan."""

    least: float = float("-inf")
    most: float = float("inf")
    unknown: bool = False


Probability: TypeAlias = Annotated[float, Within(0, 1)]
Count: TypeAlias = Annotated[float, Within(0)]
MaybeProbability: TypeAlias = Annotated[float, Within(0, 1, unknown=True)]
MaybeCount: TypeAlias = Annotated[float, Within(0, unknown=True)]
MaybeNumber: TypeAlias = Annotated[float, Within(unknown=True)]


class RecordError(ValueError):
    """A record is not what its class says; the message begins with the place in the record."""

    def __init__(self, what: str, path: str = "") -> None:
        self.what, self.path = what, path
        super().__init__(f"{path} {what}" if path else what)

    def below(self, place: str) -> RecordError:
        """Return the error with the place that it happened in before its path."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return RecordError(self.what, f"{place}{dot}{self.path}")


def key(name: str | None = None, *, optional: bool = False) -> dict[str, Any]:
    """Return the metadata of a field that the record calls ``name``.

    Parameters
    ----------
    name
        By default that of the field.
    optional
        Whether the record leaves the field out while it has its default.
    """
    return {"key": name, "optional": optional}


def fields_to_record(instance: Any) -> dict[str, Any]:
    """Return the fields of a dataclass as JSON data: what is not known (nan) is None.

    >>> from dataclasses import dataclass, field
    >>> @dataclass
    ... class Point:
    ...     x: float
    ...     label: str = field(default="", metadata=key("name", optional=True))
    >>> fields_to_record(Point(float("nan"))), fields_to_record(Point(1.5, "a"))
    ({'x': None}, {'x': 1.5, 'name': 'a'})
    """
    record = {}
    for field in fields(instance):
        value = getattr(instance, field.name)
        if field.metadata.get("optional") and _is_default(field, value):
            continue
        record[_key(field)] = to_record(value)
    return record


def _key(field: Field[Any]) -> str:
    return field.metadata.get("key") or field.name


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default_factory is not MISSING:
        return bool(value == field.default_factory())
    return value is field.default or bool(value == field.default)


def to_record(value: Any) -> Any:
    """Return a value as JSON data."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if value != value else float(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return to_record(value.tolist())
    if hasattr(value, "to_record"):
        return value.to_record()
    if is_dataclass(value):
        return fields_to_record(value)
    if isinstance(value, Mapping):
        return {name: to_record(item) for name, item in value.items()}
    if isinstance(value, frozenset | set):
        value = sorted(value)
    return [to_record(item) for item in value]


def fields_from_record(kind: type[Kind], record: Any) -> Kind:
    """Make a dataclass of what :func:`fields_to_record` gives; other keys are not looked at.

    Raises
    ------
    RecordError
        When a field is missing, or is not what its type says.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Rule:
    ...     p: Probability
    >>> fields_from_record(Rule, {"p": 1.5})
    Traceback (most recent call last):
    wsdlist.data.records.RecordError: p is 1.5, not a number from 0 to 1
    """
    if not isinstance(record, dict):
        raise RecordError(f"is {_shown(record)}, not an object")
    values = {}
    for field, hint in _hints(typing.cast("Any", kind)):
        name = _key(field)
        if name in record:
            try:
                values[field.name] = from_record(hint, record[name])
            except RecordError as error:
                raise error.below(name) from None
        elif field.default is MISSING and field.default_factory is MISSING:
            raise RecordError(f"has no {name!r}")
    return kind(**values)


@cache
def _hints(kind: type) -> list[tuple[Field[Any], Any]]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return [(field, hints[field.name]) for field in fields(kind) if field.init]


def from_record(hint: Any, record: Any) -> Any:
    """Make a value of a type of JSON data.

    Parameters
    ----------
    hint
        ``str``, ``bool``, ``int``, ``float`` (perhaps ``Annotated`` with :class:`Within`),
        ``None``, ``Any``, ``Literal``, unions of these, tuples, lists, frozen sets and mappings of
        them, arrays, dataclasses, and classes with a method ``from_record``.
    record
        The data.

    Raises
    ------
    RecordError
        When it is not of the type.
    """
    if hint is Any:
        return record
    if hint is float:
        return _number(record, Within())
    make = _GENERIC.get(typing.get_origin(hint))
    if make is not None:
        return make(typing.get_args(hint), record)
    if hasattr(hint, "from_record"):
        try:
            return hint.from_record(record)
        except WsdlistError as error:
            raise RecordError(f"cannot be read: {error.what}") from None
    if is_dataclass(hint):
        return fields_from_record(typing.cast("type[Any]", hint), record)
    if type(record) is not hint:
        raise RecordError(f"is {_shown(record)}, not {_NAMES.get(hint, hint)}")
    return record


_NAMES: dict[Any, str] = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    types.NoneType: "null",
}


def _annotated(arguments: tuple[Any, ...], record: Any) -> float:
    return _number(record, next(a for a in arguments if isinstance(a, Within)))


def _literal(values: tuple[Any, ...], record: Any) -> Any:
    if record not in values or isinstance(record, bool):
        raise RecordError(f"is {_shown(record)}, not one of {', '.join(map(str, values))}")
    return record


def _union(hints: tuple[Any, ...], record: Any) -> Any:
    if record is None and types.NoneType in hints:
        return None
    others = [hint for hint in hints if hint is not types.NoneType]
    for hint in others[:-1]:
        try:
            return from_record(hint, record)
        except RecordError:
            continue
    return from_record(others[-1], record)


def _number(record: Any, within: Within) -> float:
    if record is None and within.unknown:
        return float("nan")
    if type(record) in (int, float):
        try:
            value = float(record)
        except OverflowError:
            value = float("inf")
        if np.isfinite(value) and within.least <= value <= within.most:
            return value
    allowed = "a number"
    if np.isfinite(within.least):
        allowed += f" from {within.least:g}"
        allowed += f" to {within.most:g}" if np.isfinite(within.most) else " on"
    raise RecordError(f"is {_shown(record)}, not {allowed}")


def _sequence(origin: Any, hints: tuple[Any, ...], record: Any) -> Any:
    if not isinstance(record, list):
        raise RecordError(f"is {_shown(record)}, not a list")
    if origin is tuple and hints[-1] is not Ellipsis:
        if len(record) != len(hints):
            raise RecordError(f"has {len(record)} values, not {len(hints)}")
        each: list[Any] = list(hints)
    else:
        each = [hints[0]] * len(record)
    values = []
    for place, (hint, item) in enumerate(zip(each, record, strict=True)):
        try:
            values.append(from_record(hint, item))
        except RecordError as error:
            raise error.below(f"[{place}]") from None
    return values if origin is list else frozenset(values) if origin is frozenset else tuple(values)


def _mapping(hints: tuple[Any, ...], record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise RecordError(f"is {_shown(record)}, not an object")
    values = {}
    for name, item in record.items():
        try:
            values[name] = from_record(hints[1], item)
        except RecordError as error:
            raise error.below(f"[{name!r}]") from None
    return values


def _array(arguments: tuple[Any, ...], record: Any) -> np.ndarray:
    """Return an array of finite numbers, or of truth values, of any number of dimensions."""
    (dtype,) = typing.get_args(arguments[1])
    allowed = (bool,) if dtype is np.bool_ else (int,) if dtype is np.int64 else (int, float)

    def check(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                check(item)
        elif type(value) not in allowed:
            raise RecordError(f"holds {_shown(value)}, which its type does not allow")

    if not isinstance(record, list):
        raise RecordError(f"is {_shown(record)}, not a list")
    check(record)
    try:
        array = np.array(record, dtype=dtype)
    except (ValueError, OverflowError):
        raise RecordError("is no array: its rows are of different length, or too large") from None
    if not np.isfinite(array).all():
        raise RecordError("holds a number that is not finite")
    return array


# How a value of a generic type is made, by the origin of the type.
_GENERIC: dict[Any, Callable[[tuple[Any, ...], Any], Any]] = {
    Annotated: _annotated,
    Literal: _literal,
    Union: _union,
    types.UnionType: _union,
    np.ndarray: _array,
    tuple: partial(_sequence, tuple),
    list: partial(_sequence, list),
    frozenset: partial(_sequence, frozenset),
    Sequence: partial(_sequence, Sequence),
    dict: _mapping,
    Mapping: _mapping,
}


def check_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuse an array of another shape.

    Raises
    ------
    RecordError
        When the shape is another.
    """
    if array.shape != shape:
        raise RecordError(f"has the shape {array.shape}, not {shape}", name)


def check_numbers(name: str, numbers: np.ndarray, n: Any) -> None:
    """Refuse numbers that are not from 0 to ``n`` - 1; ``n`` may be an array, for columns.

    Raises
    ------
    RecordError
        When one is not.
    """
    if ((numbers < 0) | (numbers >= n)).any():
        raise RecordError("holds a number that nothing has", name)


def check_distributions(name: str, probabilities: np.ndarray) -> None:
    """Refuse rows that are no distributions: below 0, or not summing to 1 but for rounding.

    Raises
    ------
    RecordError
        When a row is none.
    """
    if (probabilities < 0).any() or (np.abs(probabilities.sum(axis=-1) - 1) > 1e-6).any():
        raise RecordError("has probabilities that do not sum to 1", name)


def check_labels(name: str, labels: Sequence[str], known: Sequence[str]) -> None:
    """Refuse labels that are not among those known.

    Raises
    ------
    RecordError
        When one is not.
    """
    for label in labels:
        if label not in known:
            raise RecordError(f"names the sense {_shown(label)}, which is none of the list", name)


def _shown(record: Any) -> str:
    text = repr(record)
    return text if len(text) <= 40 else f"{text[:37]}..."
