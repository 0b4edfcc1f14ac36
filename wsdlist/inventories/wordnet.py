"""WordNet, if it is installed: candidates, first senses, glosses, keys and synsets.

Which synset a key belongs to, and which keys belong to a synset, is looked up in the index, not
computed. WordNet's own files are read (Debian's ``wordnet-base`` and ``wordnet-sense-index``, or
NLTK's data), or the package ``wn`` is asked.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from wsdlist.data.pos import part_of_speech
from wsdlist.data.sense_keys import lemma_of, part_of_speech_of, synset_type
from wsdlist.errors import InputError, ParameterError

# by the type of a synset; satellites stand with their head adjectives
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv", "s": "adj"}
FOLDERS = ("/usr/share/wordnet", "/usr/local/share/wordnet", "/usr/local/WordNet-3.0/dict")
VERSION = re.compile(rb"WordNet (\d[\d.]*) Copyright")
ADVICE = (
    "install Debian's wordnet-base and wordnet-sense-index, or NLTK's wordnet "
    "(python -m nltk.downloader wordnet), or name its folder"
)


class WordNet(Protocol):
    """What a WordNet says of lemmas, sense keys and synsets."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def version(self) -> str:
        """Its version."""

    def candidates(self, lemma: str, tag: str | None = None) -> tuple[str, ...]:
        """Return the keys of the senses of a lemma, the first sense first.

        With a tag of a known part of speech only those of that part of speech.
        """

    def gloss(self, key: str) -> str:
        """Return the gloss of a sense, empty if there is none."""

    def synset(self, key: str) -> str | None:
        """Return the id of the synset of a sense, None if the key is unknown.

        It is like ``00001740-n`` in WordNet's files; a lexicon of ``wn`` has ids of its own.
        """

    def keys(self, synset: str) -> tuple[str, ...]:
        """Return the keys of the senses of a synset; none if the synset is unknown."""

    def __contains__(self, key: object) -> bool:
        """Say whether a key is known."""


def first_sense(wordnet: WordNet, lemma: str, tag: str | None) -> str | None:
    """Return the key of the first sense of a lemma as a part of speech, or None."""
    return next(iter(wordnet.candidates(lemma, tag)), None)


class WordNetFiles:
    """WordNet's own files: ``index.sense`` and ``data.noun``, ``.verb``, ``.adj``, ``.adv``.

    Parameters
    ----------
    folder
        The folder that holds them; it may be inside a zip archive.

    Raises
    ------
    InputError
        When there is no such index; later, when the index cannot be understood.
    """

    name = "WordNet"

    def __init__(self, folder: Path | zipfile.Path) -> None:
        self.folder = folder
        self._read: dict[str, bytes] = {}
        if not (folder / "index.sense").is_file():
            raise InputError("holds no index.sense", ADVICE, where=str(folder))

    @cached_property
    def version(self) -> str:
        """The version that the licence in ``data.noun`` names, empty if it names none."""
        found = VERSION.search(self._data("noun")[:5000])
        return found[1].decode() if found else ""

    @cached_property
    def _senses(self) -> dict[str, tuple[int, int]]:
        """The offset of the synset and the number of each sense, by key."""
        senses = {}
        data = (self.folder / "index.sense").read_bytes()
        for number, line in enumerate(data.decode("latin-1").split("\n"), start=1):
            fields = line.split()
            if fields:
                try:
                    senses[fields[0]] = (int(fields[1]), int(fields[2]))
                    if synset_type(fields[0]) is None:
                        raise ValueError
                except (IndexError, ValueError):
                    raise InputError(
                        "the line is not key, offset, number and count",
                        "install it again",
                        where=f"{self.folder / 'index.sense'}:{number}",
                    ) from None
        return senses

    @cached_property
    def _lemmas(self) -> dict[str, list[str]]:
        """The keys of each lemma, ordered by the number of the sense in its part of speech."""
        keys: dict[str, list[str]] = {}
        for key in sorted(self._senses, key=lambda key: (self._senses[key][1], key)):
            keys.setdefault(lemma_of(key), []).append(key)
        return keys

    @cached_property
    def _synsets(self) -> dict[str, list[str]]:
        """The keys of each synset."""
        keys: dict[str, list[str]] = {}
        for key in self._senses:
            keys.setdefault(self.synset(key) or "", []).append(key)
        return keys

    def _data(self, file: str) -> bytes:
        if file not in self._read:
            path = self.folder / f"data.{file}"
            self._read[file] = path.read_bytes() if path.is_file() else b""
        return self._read[file]

    def candidates(self, lemma: str, tag: str | None = None) -> tuple[str, ...]:
        """Return the keys of the senses of a lemma, the first sense first.

        With a tag of a known part of speech only those of that part of speech.
        """
        part = part_of_speech(tag)
        keys = self._lemmas.get(lemma.replace(" ", "_").lower(), ())
        return tuple(key for key in keys if part in (None, part_of_speech_of(key)))

    def gloss(self, key: str) -> str:
        """Return the gloss of a sense without its examples, empty if there is none."""
        if key not in self._senses:
            return ""
        offset = self._senses[key][0]
        data = self._data(FILES[synset_type(key) or ""])
        line = data[offset : data.find(b"\n", offset)].decode("latin-1")
        if not line.startswith(f"{offset:08d} "):
            return ""
        return line.partition(" | ")[2].partition('; "')[0].strip()

    def synset(self, key: str) -> str | None:
        """Return the id of the synset of a sense, None if the key is unknown."""
        found = self._senses.get(key)
        return None if found is None else f"{found[0]:08d}-{synset_type(key)}"

    def keys(self, synset: str) -> tuple[str, ...]:
        """Return the keys of the senses of a synset; none if the synset is unknown."""
        return tuple(self._synsets.get(synset, ()))

    def __contains__(self, key: object) -> bool:
        return key in self._senses


class WnLexicon:
    """A lexicon of the package ``wn`` whose senses have keys.

    Parameters
    ----------
    lexicon
        As ``wn.Wordnet`` takes it, such as ``oewn:2024``.

    Raises
    ------
    ParameterError
        When the package is not installed, or has no such lexicon.
    """

    def __init__(self, lexicon: str) -> None:
        try:
            import wn
            from wn.compat import sensekey
        except ImportError:
            raise ParameterError(
                "the package wn is not there", "install it: pip install 'wsdlist[wn]'"
            ) from None
        try:
            self._words = wn.Wordnet(lexicon)
            (found,) = self._words.lexicons()
            self._key = sensekey.sense_key_getter(found.specifier())
            self._sense = sensekey.sense_getter(found.specifier(), self._words)
        except (wn.Error, ValueError):
            raise ParameterError(
                f"wn has no lexicon {lexicon!r} whose senses have keys",
                "see wn.lexicons(), or wn.download one, such as oewn:2024",
            ) from None
        self.name, self.version = found.id, found.version
        self._missing: type[Exception] = wn.Error

    def candidates(self, lemma: str, tag: str | None = None) -> tuple[str, ...]:
        """Return the keys of the senses of a lemma, the first sense first.

        With a tag of a known part of speech only those of that part of speech.
        """
        part = part_of_speech(tag)
        kinds = {None: (None,), "a": ("a", "s")}.get(part, (part,))
        keys: dict[str, None] = {}
        for kind in kinds:
            for sense in self._words.senses(lemma.replace("_", " "), pos=kind):
                key = self._key(sense)
                if key:
                    keys[key] = None
        return tuple(keys)

    def gloss(self, key: str) -> str:
        """Return the gloss of a sense, empty if there is none."""
        sense = self._sense(key)
        return "" if sense is None else sense.synset().definition() or ""

    def synset(self, key: str) -> str | None:
        """Return the id of the synset of a sense, None if the key is unknown."""
        sense = self._sense(key)
        return None if sense is None else str(sense.synset().id)

    def keys(self, synset: str) -> tuple[str, ...]:
        """Return the keys of the senses of a synset; none if the synset is unknown."""
        try:
            keys = [self._key(sense) for sense in self._words.synset(synset).senses()]
        except self._missing:
            return ()
        return tuple(key for key in keys if key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._sense(key) is not None


@cache
def find(name: str = "wordnet") -> WordNet:
    """Return the WordNet of a name.

    Parameters
    ----------
    name
        ``wordnet`` for the first that is found: the files in ``$WNSEARCHDIR`` or ``$WNHOME``,
        Debian's files, NLTK's data; ``nltk:wordnet31`` for one of NLTK's; ``wn:oewn:2024`` for one
        of the package ``wn``; or a folder with WordNet's files.

    Raises
    ------
    InputError, ParameterError
        When it is not installed, or cannot be read.
    """
    if name.startswith("wn:"):
        return WnLexicon(name.removeprefix("wn:"))
    if name.startswith("nltk:"):
        found = _of_nltk(name.removeprefix("nltk:"))
    elif name == "wordnet":
        found = next(_places(), None)
    else:
        return WordNetFiles(Path(name))
    if found is None:
        raise ParameterError(f"{name} is not installed", ADVICE)
    return WordNetFiles(found)


def _places() -> Iterator[Path | zipfile.Path]:
    """Yield the folders of the WordNets that are installed."""
    named = os.environ.get("WNSEARCHDIR"), os.environ.get("WNHOME")
    homes = [named[0], f"{named[1]}/dict" if named[1] else None]
    for folder in (*filter(None, homes), *FOLDERS):
        if (Path(folder) / "index.sense").is_file():
            yield Path(folder)
    found = _of_nltk("wordnet")
    if found is not None:
        yield found


def _of_nltk(name: str) -> Path | zipfile.Path | None:
    """Return the folder of a WordNet in NLTK's data, which may be packed."""
    import nltk.data

    try:
        pointer = nltk.data.find(f"corpora/{name}")
        return Path(str(pointer))
    except LookupError:
        pass
    try:
        return zipfile.Path(str(nltk.data.find(f"corpora/{name}.zip")), f"{name}/")
    except LookupError:
        return None
