"""Coarse maps: to which group a sense belongs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from wsdlist.data.corpus import Corpus, Item
from wsdlist.data.names import nfc
from wsdlist.data.sense_keys import supersense, without_satellite
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers.sources import NoText, load


@dataclass(frozen=True)
class CoarseMap:
    """A coarse map: the group that each sense belongs to; an unknown sense is its own group.

    Parameters
    ----------
    name
        ``satellites`` (adjectives ``%5`` as ``%3``, and nothing else), ``supersenses`` (the
        lexicographer file that a sense key names), or the name of a file.
    groups
        The group of each sense that the file has.
    """

    name: str
    groups: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        groups = {nfc(sense): nfc(group) for sense, group in self.groups.items()}
        object.__setattr__(self, "groups", groups)

    def __call__(self, sense: str) -> str:
        """Return the group of a sense.

        >>> (
        ...     CoarseMap("satellites")("recent%5:00:00:past:00"),
        ...     CoarseMap("supersenses")("bank%1:14:00::"),
        ... )
        ('recent%3:00:00:past:00', 'noun.group')
        """
        if self.name == "satellites":
            return without_satellite(sense)
        if self.name == "supersenses":
            return supersense(sense) or sense
        return self.groups.get(nfc(sense), sense)

    def check(self, items: Iterable[Item]) -> str:
        """Return a sentence about the senses that the map does not know; empty if it knows all.

        Raises
        ------
        ParameterError
            When it knows none of them.
        """
        if self.name == "satellites":
            return ""
        senses = sorted({sense for item in items for sense in item.senses})
        heads = set(self.groups.values())
        alone = [sense for sense in senses if self(sense) == sense and sense not in heads]
        if senses and len(alone) == len(senses):
            raise ParameterError(
                f"the map {self.name} has none of the senses, such as {senses[0]!r}",
                "name one of this inventory",
            )
        some = f"{len(alone)} of {len(senses)} senses are in no group of {self.name}, such as "
        return some + repr(alone[0]) if alone else ""

    def corpus(self, corpus: Corpus) -> Corpus:
        """Return a copy of a corpus with groups instead of senses; markers stay."""
        instances = [
            replace(
                item,
                senses=tuple(
                    dict.fromkeys(s if s in corpus.markers else self(s) for s in item.senses)
                ),
            )
            for item in corpus
        ]
        return replace(corpus, instances=instances)


def coarse_map(name: str) -> CoarseMap:
    """Return a coarse map by its name: ``satellites``, ``supersenses``, or a file.

    Each line of a file has either a sense and its group with a tab between them (a header
    ``sense``, ``group`` may come first), or all senses of a group with spaces between them, as the
    clusters of SemEval-2007 have; then the first sense names the group.

    Raises
    ------
    InputError
        When the file cannot be read, has no sense, or puts a sense into two groups.
    """
    if name in ("satellites", "supersenses"):
        return CoarseMap(name)
    groups: dict[str, str] = {}
    for source in load(name):
        if isinstance(source, NoText):
            raise source.error
        for number, line in source.lines():
            if number == 1 and line.split() == ["sense", "group"]:
                continue
            place = f"{source.name}:{number}"
            for sense, group in _pairs(nfc(line), place):
                if groups.setdefault(sense, group) != group:
                    raise InputError(
                        f"the sense {sense!r} is in two groups", "take one out", where=place
                    )
    if not groups:
        raise InputError("holds no sense", "write a sense and its group a line", where=name)
    return CoarseMap(Path(name).name, groups)


def _pairs(line: str, place: str) -> list[tuple[str, str]]:
    """Return ``(sense, group)`` of the senses of a line."""
    if "\t" not in line:
        senses = line.split()
        return [(sense, senses[0]) for sense in senses]
    fields = line.split("\t")
    if len(fields) != 2 or not all(fields):
        raise InputError(
            f"the line has {len(fields)} columns",
            "write a sense and its group, tab-separated",
            where=place,
        )
    return [(fields[0], fields[1])]
