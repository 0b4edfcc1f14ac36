"""The errors of wsdlist, whose message is one clear line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
CONTROL |= {9: "\\t", 10: "\\n", 13: "\\r"}


def plain(text: str) -> str:
    """Make control characters visible, so that no value can move the cursor or end a line."""
    return text.translate(CONTROL)


class WsdlistError(Exception):
    """Base of all errors that wsdlist raises on purpose.

    The message is one line: where it happened, what is wrong, what to do.

    Parameters
    ----------
    what
        What is wrong.
    advice
        What to do about it.
    where
        The file, and the line if it is known.

    >>> str(InputError("the record has no field 'senses'", "add one", where="c.jsonl:9"))
    "c.jsonl:9: the record has no field 'senses'; add one"
    """

    def __init__(self, what: str, advice: str = "", *, where: str = "") -> None:
        self.what, self.advice, self.where = what, advice, where
        message = " ".join(f"{what}{'; ' if advice else ''}{advice}".split())
        super().__init__(f"{where}: {message}" if where else message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.advice, self.where)


def _rebuild(error: type[WsdlistError], what: str, advice: str, where: str) -> WsdlistError:
    return error(what, advice, where=where)


class InputError(WsdlistError):
    """A corpus, table, key or inventory cannot be read."""


class ParameterError(WsdlistError, ValueError):
    """A parameter has an impossible value or an unknown name."""


class ModelError(WsdlistError):
    """A model file cannot be read or written."""


Fail: TypeAlias = Callable[[InputError], None]  # gets what is wrong with one record


def stop(error: InputError) -> None:
    """Raise the error of a record, where bad records are not left out."""
    raise error
