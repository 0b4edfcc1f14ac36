"""Checks of parameters, for the ``__post_init__`` of a dataclass: one line for each field.

Each refuses a value with one sentence, which names the parameter, shows the value and says what may
be said instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from wsdlist.errors import ParameterError

A_CORPUS = "a Corpus: of what read returns, its train or test"


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Refuse a value that is none of some names.

    Raises
    ------
    ParameterError
        When it is none of them.

    >>> check_choice("ties", "fewest", ("fewest", "cover"))
    """
    known = tuple(choices)
    if value not in known:
        raise ParameterError(f"{name} is {value!r}", f"say one of {', '.join(known)}")


def check_kind(name: str, value: Any, kinds: type | tuple[type, ...], advice: str) -> None:
    """Refuse a value that is an instance of none of some classes.

    Raises
    ------
    ParameterError
        When it is an instance of none of them.

    >>> check_kind("path", "m.wsd", str, "give a path")
    """
    if not isinstance(value, kinds):
        raise ParameterError(f"{name} is a {type(value).__name__}", advice)


def check_tuple(name: str, value: Any, owner: str) -> None:
    """Refuse a value that is no tuple; a string is none, nor is a list.

    Raises
    ------
    ParameterError
        When it is none.

    >>> check_tuple("senses", ("money",), "s01")
    """
    if not isinstance(value, tuple):  # the message is made only if it is due: instances are many
        check_kind(f"{name} of {owner!r}", value, tuple, "give a tuple of strings")


def check_number(
    name: str,
    value: Any,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    finite: bool = True,
    optional: bool = False,
    advice: str = "",
) -> None:
    """Refuse a value that is no number, or one out of bounds. NaN is no number, nor is a bool.

    Parameters
    ----------
    name, value
        The parameter and what was given for it.
    least, most
        The smallest and the greatest number allowed.
    above
        The number must be greater than this one.
    finite
        Whether infinities are refused.
    optional
        Whether None is allowed.
    advice
        What to say instead; by default the bounds.

    Raises
    ------
    ParameterError
        When the value is refused.

    >>> check_number("alpha", 0.05, least=0, most=1)
    """
    if optional and value is None:
        return
    fits = (
        is_number(value)
        and not np.isnan(value)
        and (np.isfinite(value) or not finite)
        and (least is None or value >= least)
        and (above is None or value > above)
        and (most is None or value <= most)
    )
    if not fits:
        advice = advice or _say("a number", least, above, most, optional)
        raise ParameterError(f"{name} is {value!r}", advice)


def check_whole(name: str, value: Any, *, least: int = 1, optional: bool = False) -> None:
    """Refuse a value that is no whole number of ``least`` or more; ``optional`` allows None.

    Raises
    ------
    ParameterError
        When the value is refused.

    >>> check_whole("top", 1000)
    """
    if optional and value is None:
        return
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (whole and value >= least):
        advice = _say("a whole number", least, None, None, optional)
        raise ParameterError(f"{name} is {value!r}", advice)


def is_number(value: object) -> bool:
    """Say whether a value is a number (and no truth value)."""
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def _say(
    kind: str, least: float | None, above: float | None, most: float | None, optional: bool
) -> str:
    """Return advice such as ``say a number from 0 to 1``."""
    if least is not None and most is not None:
        bounds = f" from {least} to {most}"
    elif least is not None:
        bounds = f" of {least} or more"
    else:
        bounds = "" if above is None else f" above {above}"
        bounds += "" if most is None else f" up to {most}"
    return f"say {kind}{bounds}{', or None' if optional else ''}"
