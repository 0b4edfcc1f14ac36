"""Glosses and sense keys, of ``senses.tsv`` beside a corpus or of a WordNet; coarse maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wsdlist.data.corpus import Item
from wsdlist.errors import InputError
from wsdlist.inventories.wordnet import WordNet, find
from wsdlist.readers import INVENTORY
from wsdlist.readers.sources import NoText, Source, load

FIELDS = ("lexelt", "sense", "key", "gloss")


@dataclass(frozen=True, slots=True)
class SenseEntry:
    """What an inventory says of a sense."""

    key: str = ""
    gloss: str = ""


class Inventory(dict[tuple[str, str], SenseEntry]):
    """``(lexelt, sense)`` to its entry; ``name`` and ``version`` are those of where it is from."""

    name: str = ""
    version: str = ""

    def gloss(self, lexelt: str, sense: str) -> str:
        """Return the gloss, or nothing."""
        return self.get((lexelt, sense), SenseEntry()).gloss

    def to_record(self) -> list[list[str]]:
        """Return the inventory as JSON data."""
        return [[*names, entry.key, entry.gloss] for names, entry in sorted(self.items())]

    @classmethod
    def from_record(cls, record: list[Any]) -> Inventory:
        """Make an inventory of what :meth:`to_record` gives."""
        return cls({(word, sense): SenseEntry(key, gloss) for word, sense, key, gloss in record})


def read_inventory(path: str | Path) -> Inventory:
    """Read a tab-separated file with the columns lexelt, sense, key and gloss.

    Raises
    ------
    InputError
        When it has other columns, or says two things of one sense.
    """
    inventory = Inventory()
    for source in load(path):
        if isinstance(source, NoText):
            raise source.error
        for number, fields in _rows(source):
            place = f"{source.name}:{number}"
            name = (fields[0], fields[1])
            if name in inventory:
                raise InputError(
                    f"the sense {name[1]!r} of {name[0]} stands here twice",
                    "take one out",
                    where=place,
                )
            inventory[name] = SenseEntry(fields[2], fields[3])
    return inventory


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in source.lines():
        fields = line.split("\t")
        if number == 1:
            if tuple(fields) != FIELDS:
                raise InputError(
                    "the header is not lexelt, sense, key, gloss",
                    "name these columns, tab-separated",
                    where=f"{source.name}:1",
                )
        elif line:
            if len(fields) != len(FIELDS):
                raise InputError(
                    f"the line has {len(fields)} columns, not {len(FIELDS)}",
                    "write lexelt, sense, key and gloss, tab-separated",
                    where=f"{source.name}:{number}",
                )
            yield number, fields


def beside(paths: list[str | Path]) -> Inventory:
    """Return what the inventories in these folders (or beside these files) say."""
    inventory = Inventory()
    for path in map(Path, paths):
        file = (path if path.is_dir() else path.parent) / INVENTORY
        if file.is_file():
            inventory.update(read_inventory(file))
            inventory.name = INVENTORY
    return inventory


def inventory_of(name: str, items: Iterable[Item]) -> Inventory:
    """Return the inventory of a name for instances: a file as ``senses.tsv``, or a WordNet.

    Raises
    ------
    InputError, ParameterError
        When there is none of the name, see :func:`wsdlist.inventories.wordnet.find`.
    """
    if Path(name).is_file():
        made = read_inventory(name)
        made.name = Path(name).name
        return made
    return of_wordnet(find(name), items)


def of_wordnet(wordnet: WordNet, items: Iterable[Item]) -> Inventory:
    """Return what a WordNet says of the senses of instances that are keys of it."""
    made = Inventory()
    for item in items:
        for sense in item.senses:
            if (item.lexelt, sense) not in made and sense in wordnet:
                made[item.lexelt, sense] = SenseEntry(sense, wordnet.gloss(sense))
    made.name, made.version = wordnet.name, wordnet.version
    return made
