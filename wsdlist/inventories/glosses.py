"""Glosses and sense keys, from ``senses.tsv`` beside a corpus or from a WordNet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wsdlist.data.corpus import Item
from wsdlist.data.names import nfc
from wsdlist.errors import InputError
from wsdlist.inventories.wordnet import WordNet, find
from wsdlist.readers import INVENTORY
from wsdlist.readers.sources import NoText, Source, load

FIELDS = ("lexelt", "sense", "key", "gloss")


@dataclass(frozen=True, slots=True)
class SenseEntry:
    """What an inventory says of a sense: its sense key and its gloss, empty if unknown."""

    key: str = ""
    gloss: str = ""


class Inventory(dict[tuple[str, str], SenseEntry]):
    """The entry of each ``(lexelt, sense)``; ``name`` and ``version`` say where it is from."""

    name: str = ""
    version: str = ""

    def gloss(self, lexelt: str, sense: str) -> str:
        """Return the gloss of a sense, empty if there is none."""
        return self.get((nfc(lexelt), nfc(sense)), SenseEntry()).gloss

    def to_record(self) -> list[list[str]]:
        """Return the inventory as JSON data: ``[lexelt, sense, key, gloss]`` for each sense."""
        return [[*names, entry.key, entry.gloss] for names, entry in sorted(self.items())]

    @classmethod
    def from_record(cls, record: list[Any]) -> Inventory:
        """Return the inventory of a record that :meth:`to_record` made."""
        return cls({(word, sense): SenseEntry(key, gloss) for word, sense, key, gloss in record})


def read_inventory(path: str | Path) -> Inventory:
    """Read a tab-separated file with the columns lexelt, sense, key and gloss.

    Raises
    ------
    InputError
        When it cannot be read, has other columns, or has a sense twice.
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
    """Yield the number of each line after the header, and its fields."""
    for number, line in source.lines():
        fields = nfc(line).split("\t")
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
    """Return the inventory that lies in these folders, or beside these files, as ``senses.tsv``.

    It is empty if there is no such file.

    Raises
    ------
    InputError
        As of :func:`read_inventory`.
    """
    inventory = Inventory()
    for path in map(Path, paths):
        file = (path if path.is_dir() else path.parent) / INVENTORY
        if file.is_file():
            inventory.update(read_inventory(file))
            inventory.name = INVENTORY
    return inventory


def inventory_of(name: str, items: Iterable[Item]) -> Inventory:
    """Return the inventory of a name: a file like ``senses.tsv``, or a WordNet.

    Parameters
    ----------
    name
        The path of a file, or a name as :func:`wsdlist.inventories.wordnet.find` takes it.
    items
        The instances whose senses are looked up in a WordNet.

    Raises
    ------
    InputError, ParameterError
        When there is no inventory of that name, or it cannot be read.
    """
    if Path(name).is_file():
        inventory = read_inventory(name)
        inventory.name = Path(name).name
        return inventory
    return of_wordnet(find(name), items)


def of_wordnet(wordnet: WordNet, items: Iterable[Item]) -> Inventory:
    """Return the inventory of those senses of instances that are keys of a WordNet."""
    inventory = Inventory()
    for item in items:
        for sense in item.senses:
            if (item.lexelt, sense) not in inventory and sense in wordnet:
                inventory[item.lexelt, sense] = SenseEntry(sense, wordnet.gloss(sense))
    inventory.name, inventory.version = wordnet.name, wordnet.version
    return inventory
