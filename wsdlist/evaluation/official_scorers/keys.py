"""Keys and files of answers: what a line says of an instance, and which rules a key is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from wsdlist.data.names import nfc
from wsdlist.data.numbers import real
from wsdlist.errors import InputError
from wsdlist.readers.sources import NoText, Source, load

BACK_OFF = "back-off"  # in a comment: the answer is not the system's own


@dataclass
class Line:
    """What a key or a file of answers says of an instance.

    Parameters
    ----------
    id
        Of the instance.
    word
        The lexelt, which only Senseval's lines name.
    tags
        Senses and their weights; None for no weight.
    place
        The file and the line.
    back_off
        Whether the comment says that a back-off answered.
    """

    id: str
    word: str
    tags: list[tuple[str, float | None]]
    place: str
    back_off: bool = False


@dataclass
class AnswerFile:
    """A key or answers, by id; ``repeated`` counts the lines about an id that had one already."""

    lines: dict[str, Line] = field(default_factory=dict)
    repeated: int = 0


def rules_of(paths: Iterable[str]) -> str:
    """Return the rules that a key is for: Senseval's have the word before the id."""
    lines = [line.split() for path in paths for source in texts(path) for _, line in source.lines()]
    known = [fields for fields in lines if len(fields) > 1]
    first = {fields[0] for fields in known}
    second = {fields[1] for fields in known}
    three = sum(len(fields) > 2 for fields in known)
    # most lines have three fields, and a word stands on several lines, an id on one
    return "senseval" if 2 * three > len(known) and len(second) > len(first) else "unified"


def texts(path: str) -> Iterator[Source]:
    """Yield the texts of a file, of which an archive has several.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    for source in load(path):
        if isinstance(source, NoText):
            raise source.error
        yield source


def read_file(path: str, rules: str) -> AnswerFile:
    """Read a key or answers.

    Unified lines are ``id sense [sense ...]``, and lines about one id are one set; Senseval's are
    ``word id sense[/weight] ... [!! comment]``, and the first line about an id counts.

    Raises
    ------
    InputError
        When it cannot be read, or a line of Senseval's has no id.
    """
    file = AnswerFile()
    for source in texts(path):
        for number, line in source.lines():
            text, _, comment = nfc(line).partition("!!")
            fields = text.split()
            if not fields:
                continue
            place = f"{source.name}:{number}"
            weighted: list[tuple[str, float | None]]
            if rules == "senseval":
                if len(fields) < 2:
                    raise InputError(
                        "the line has one field", "write word, id and senses", where=place
                    )
                word, name, *tags = fields
                weighted = [_weighted(tag) for tag in tags]
            else:
                word, (name, *tags) = "", fields
                weighted = [(tag, None) for tag in tags]
            if name not in file.lines:
                file.lines[name] = Line(name, word, weighted, place, BACK_OFF in comment)
                continue
            file.repeated += 1
            if rules == "unified":
                file.lines[name].tags += weighted
    return file


def _weighted(tag: str) -> tuple[str, float | None]:
    """Split a tag from its weight; one that is no number belongs to the tag."""
    sense, slash, weight = tag.rpartition("/")
    value = real(weight) if slash and sense else None
    if value is None or value < 0:
        return tag, None
    return sense, value
