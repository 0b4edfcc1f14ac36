"""The errors of wsdlist, whose message is one clear line."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

# control, format (what turns the direction of text is among it), surrogates, ends of lines
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"
FIRST_JOINED = "\u0600"  # the scripts from Arabic on are written with joiners
SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def plain(text: str) -> str:
    r"""Make characters visible that move the cursor, end a line, or turn the direction of text.

    >>> print(plain("a\tb \N{RIGHT-TO-LEFT OVERRIDE}c \N{LINE SEPARATOR}d"))
    a\tb \u202ec \u2028d

    A joiner between two letters of a script that is written with joiners is a part of the word.
    """
    if text.isprintable():  # nearly always
        return text
    around = zip(text, f" {text}", f"{text[1:]} ", strict=False)
    return "".join(
        _visible(c) if unicodedata.category(c) in HIDDEN and not _joins(c, before, after) else c
        for c, before, after in around
    )


def _joins(character: str, before: str, after: str) -> bool:
    """Say whether a character joins letters, or letters with their marks."""
    between = all(c >= FIRST_JOINED and unicodedata.category(c)[0] in "LM" for c in before + after)
    return character in JOINERS and between


def _visible(character: str) -> str:
    code = ord(character)
    long = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else long)


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
