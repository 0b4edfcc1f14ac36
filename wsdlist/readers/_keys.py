"""Keys: files that say which senses the instances of the training part or the test part have."""

from __future__ import annotations

from dataclasses import replace

from wsdlist.data.corpus import Corpus
from wsdlist.data.names import nfc
from wsdlist.errors import Fail, InputError
from wsdlist.readers import senseval, unified
from wsdlist.readers.sources import Source

BOTH = ""  # the name of both parts, beside "train" and "test"


class Keys:
    """The key files of a call, and what they say of instances.

    Parameters
    ----------
    fail
        Gets the error of a line that cannot be read; it raises it, or notes it.
    """

    def __init__(self, fail: Fail) -> None:
        self.files: list[tuple[Source, str]] = []
        self._fail = fail
        self._senses: dict[str, dict[str, tuple[str, ...]]] = {"train": {}, "test": {}, BOTH: {}}

    def add(self, source: Source, part: str) -> None:
        """Take a file, of one part or of both."""
        self.files.append((source, part))

    @property
    def names(self) -> str:
        """The names of the files, joined by commas."""
        return ", ".join(source.name for source, _ in self.files)

    def read(self, ids: set[str]) -> None:
        """Read the files; the ids of all instances tell which of the two kinds of keys one is.

        Raises
        ------
        InputError
            When two files do not agree.
        """
        for source, part in self.files:
            rows = [nfc(line).split() for _, line in source.lines()]
            of_unified = sum(bool(fields) and fields[0] in ids for fields in rows)
            of_senseval = sum(len(fields) > 1 and fields[1] in ids for fields in rows)
            if of_unified > of_senseval:
                key = unified.read_key(source)
            else:
                key = senseval.read_key(source, self._fail)
            for name, senses in key.items():
                senses = tuple(dict.fromkeys(map(nfc, senses)))
                self._take(part, nfc(name), senses, source.name)

    def _take(self, part: str, name: str, senses: tuple[str, ...], place: str) -> None:
        """Take what a key says of an instance; another key may not say something else."""
        before = self._senses[part].setdefault(name, senses)
        if set(before) != set(senses):
            raise InputError(
                f"the keys do not agree on {name!r}: {' '.join(before)} and {' '.join(senses)}",
                "name one of them with --key",
                where=place,
            )

    def test_becomes_train(self) -> None:
        """Use the keys of the test part for the training part, for it is the only one."""
        self._senses["train"] |= self._senses["test"]

    def join_parts(self) -> None:
        """Use all keys for the training part, whatever their names say.

        Raises
        ------
        InputError
            When two of them do not agree.
        """
        for part in ("train", "test"):
            for name, senses in self._senses[part].items():
                self._take(BOTH, name, senses, self.names)
            self._senses[part] = {}

    def give(self, corpus: Corpus, part: str) -> set[str]:
        """Give the instances of a part that have no senses those of the keys.

        Returns the ids that were used, and those of instances that have the same senses already:
        keys repeat what is in the XML of a training part.
        """
        key = {**self._senses[BOTH], **self._senses[part]}
        used = {item.id for item in corpus if not item.senses and item.id in key}
        if used:
            corpus.markers |= senseval.MARKERS
            corpus.instances = [
                replace(item, senses=key[item.id]) if item.id in used else item for item in corpus
            ]
        return used | {
            item.id for item in corpus if item.id in key and set(item.senses) == set(key[item.id])
        }

    def unused(self, used: set[str]) -> int:
        """Return the number of ids in the keys that are none of those used."""
        return len({name for key in self._senses.values() for name in key} - used)
