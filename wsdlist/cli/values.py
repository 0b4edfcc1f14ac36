"""What the text of an option means: numbers, ``name=value``, grids of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wsdlist.data.numbers import real
from wsdlist.errors import ParameterError

INFINITE = {"inf": float("inf"), "-inf": float("-inf")}  # a threshold that keeps all, or nothing


def parameters_of(
    discount: str, epsilon: str, reestimate: str | None, more: Sequence[str]
) -> dict[str, Any]:
    """Return the parameters of a learner that were given, or are ``auto``.

    Raises
    ------
    ParameterError
        When a text says no value.
    """
    given = {"discount": value_of("discount", discount), "epsilon": value_of("epsilon", epsilon)}
    given |= {} if reestimate is None else {"reestimate": reestimate}
    return {**given, **{name: value_of(name, text) for name, text in named("--set", more).items()}}


def named(option: str, given: Sequence[str]) -> dict[str, str]:
    """Turn each ``name=value`` of an option into values by name.

    Raises
    ------
    ParameterError
        When a text is not of that form.
    """
    values = {}
    for text in given:
        name, mark, value = text.rpartition("=")
        if not (mark and name and value):
            raise ParameterError(f"{option} {text!r} says nothing", "write name=value")
        values[name] = value
    return values


def value_of(name: str, text: str) -> Any:
    """Turn the text of a parameter's value into what it means.

    Raises
    ------
    ParameterError
        When a discount or epsilon is neither a number nor ``auto``.

    >>> value_of("epsilon", "3"), value_of("beam", "3"), value_of("save_space", "true")
    (3.0, 3, True)
    """
    number, is_real = INFINITE.get(text, real(text)), name in ("discount", "epsilon")
    if number is not None:
        is_whole = text.lstrip("+-").isdecimal() and not is_real
        return int(text) if is_whole else number
    if is_real and text != "auto":
        raise ParameterError(f"{name} is {text!r}", "say a number, or auto")
    return {"true": True, "false": False}.get(text, text)


def grid_of(given: Sequence[str]) -> dict[str, list[Any]]:
    """Turn each ``name=a,b,c`` into values by name.

    Raises
    ------
    ParameterError
        When a text is not of that form.
    """
    grid = {}
    for text in given:
        name, mark, values = text.partition("=")
        if not mark or not all(values.split(",")):
            raise ParameterError(f"--grid {text!r} is no grid", "write name=a,b,c")
        grid[name] = [value_of(name, value) for value in values.split(",")]
    return grid
