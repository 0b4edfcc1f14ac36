"""A file of confusion sets: one a line, as words with commas between them; ``#`` is a comment."""

from __future__ import annotations

from pathlib import Path

from wsdlist.errors import InputError, ParameterError
from wsdlist.readers.confusion_sets import parse
from wsdlist.readers.sources import NoText, load


def read_confusion_file(path: str | Path) -> list[str]:
    """Return the lines of a file of confusion sets, each checked by itself.

    Give them to :func:`wsdlist.readers.confusion_sets.parse`, with others if there are more.

    Raises
    ------
    InputError
        When the file cannot be read, or a line is no confusion set.
    """
    sets = []
    for source in load(path):
        if isinstance(source, NoText):
            raise source.error
        for number, line in source.lines():
            if not line.strip() or line.startswith("#"):
                continue
            try:
                parse([line])
            except ParameterError as error:
                place = f"{source.name}:{number}"
                raise InputError(error.what, error.advice, where=place) from error
            sets.append(line)
    return sets
