"""The training part and the test part: which file belongs to which, and ids unique in each."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import NamedTuple

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.readers.formats import TABLES, Format
from wsdlist.readers.sources import Source

TEST_WORD = r"(?<![a-z])(tests?|testing|testset|eval|evaluation)(?![a-z])"
TRAIN_WORD = r"(?<![a-z])(train|training|trainset)(?![a-z])"
TRAIN, TEST = re.compile(TRAIN_WORD, re.I), re.compile(TEST_WORD, re.I)
PART = re.compile(rf"[-_. ]?({TRAIN_WORD}|{TEST_WORD})", re.I)
NO_CORPUS = (".", "__macosx", "readme", "license")


@dataclass
class Parts:
    """What the paths of a call hold: a training part and perhaps a test part.

    Parameters
    ----------
    train, test
        The two parts; ``test`` is None when there is no file of the test part.
    test_files
        The names of the files of the test part.
    ignored
        The names of the files that were found and are no corpus.
    notes
        What else should be said, a sentence each.
    """

    train: Corpus = field(default_factory=Corpus)
    test: Corpus | None = None
    test_files: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def scored(self) -> Corpus:
        """What a model is scored on: the test part, or all there is."""
        return self.train if self.test is None else self.test


class FileRead(NamedTuple):
    """A file that was read; ``found`` in a folder or an archive, rather than named."""

    source: Source
    form: Format
    corpus: Corpus
    test: bool
    found: bool

    @property
    def stem(self) -> str:
        """The name of the file up to its first dot."""
        return self.source.stem.partition(".")[0]

    @property
    def folder(self) -> str:
        """The name of the folder that the file is in."""
        return folder_of(self.source)

    @property
    def names(self) -> set[str]:
        """The ids of the instances, and the names of the texts."""
        return {item.id for item in self.corpus} | set(self.corpus.texts)


def folder_of(source: Source) -> str:
    """Return the name of the folder that a file is in."""
    return PurePosixPath(source.name.replace("\\", "/")).parent.name


def is_test(name: str) -> bool:
    """Say whether the name of a file or folder puts it into the test part."""
    return bool(TEST.search(name) and not TRAIN.search(name))


def is_train(name: str) -> bool:
    """Say whether the name of a file has a word for training."""
    return bool(TRAIN.search(name))


def is_no_corpus(name: str) -> bool:
    """Say whether a file or folder is passed over because of its name."""
    return name.lower().startswith(NO_CORPUS)


def without_part(name: str) -> str:
    """Return the name of a table without the words for training and test.

    >>> without_part("votes-train"), without_part("train")
    ('votes', '')
    """
    return PART.sub("", name)


def gather(parts: Parts, files: list[FileRead]) -> list[str]:
    """Put files into their parts; return the names of those of the training part.

    A table that lies among words in context is ignored. Ids that several files of a part share get
    the name of their file.
    """
    has_words = any(isinstance(item, Instance) for file in files for item in file.corpus)
    of_train: list[FileRead] = []
    of_test: list[FileRead] = []
    for file in files:
        if has_words and file.found and file.form.name in TABLES:
            parts.ignored.append(file.source.name)
        else:
            (of_test if file.test else of_train).append(file)
    parts.test_files += [file.source.name for file in of_test]
    for of_part in (of_train, of_test):
        _tell_ids_apart(of_part, parts)
    if of_test:
        parts.test = Corpus()
        for file in of_test:
            parts.test.extend(file.corpus)
    for file in of_train:
        parts.train.extend(file.corpus)
    return [file.source.name for file in of_train]


def _tell_ids_apart(files: list[FileRead], parts: Parts) -> None:
    """Put the names of files before ids that several of them share, if their format allows that."""
    times = Counter(name for file in files for name in file.names)
    sharing = [
        file for file in files if file.form.own_ids and any(times[name] > 1 for name in file.names)
    ]
    stems = Counter(file.stem for file in sharing)
    for file in sharing:
        needs_folder = stems[file.stem] > 1 and file.folder
        _prefix(file.corpus, f"{file.folder}.{file.stem}" if needs_folder else file.stem)
    if sharing:
        parts.notes.append(
            f"ids that stand in several of {len(sharing)} files begin with the file's name"
        )


def _prefix(corpus: Corpus, name: str) -> None:
    """Put a name before all ids and names of texts."""
    running = set(corpus.texts)
    corpus.written = {f"{name}.{document}": text for document, text in corpus.written.items()}
    corpus.texts = {f"{name}.{document}": text for document, text in corpus.texts.items()}
    corpus.instances = [
        replace(item, id=f"{name}.{item.id}", document=f"{name}.{item.document}")
        if isinstance(item, Instance) and item.document in running
        else replace(item, id=f"{name}.{item.id}")
        for item in corpus
    ]
