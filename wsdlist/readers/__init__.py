"""Corpora and tables in, one format a file; the format is sniffed from content.

A format is a module with ``NAME``, ``DESCRIPTION``, ``sniff(text) -> bool`` and
``read(source, fail) -> Corpus | Table``; :data:`FORMATS` is their order of sniffing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from wsdlist.corpus import Corpus, Table
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers import arff, csv_table, jsonl, nltk_senseval, senseval
from wsdlist.readers.sources import Source, load


@dataclass(frozen=True)
class Format:
    """What a module of this package offers."""

    name: str
    description: str
    sniff: Callable[[str], bool]
    read: Callable[[Source, Callable[[InputError], None]], Corpus | Table]


FORMATS = tuple(
    Format(module.NAME, module.DESCRIPTION, module.sniff, module.read)
    for module in (nltk_senseval, senseval, jsonl, arff, csv_table)
)
SNIFFED = 1 << 16
TRAIN = re.compile(r"(?<![a-z])train(ing)?(?![a-z])", re.I)
TEST = re.compile(r"(?<![a-z])(test|eval|evaluation)(?![a-z])", re.I)
PART = re.compile(r"[-_. ]?(?<![a-z])(train|training|test|eval|evaluation)(?![a-z])", re.I)
INVENTORY = "senses.tsv"
KEY = re.compile(r"(?<![a-z])key(?![a-z])", re.I)


@dataclass
class Parts:
    """What stands behind the paths of a call: a training part and perhaps a test part."""

    train: Corpus = field(default_factory=Corpus)
    test: Corpus | None = None
    ignored: list[str] = field(default_factory=list)


def read(
    paths: Iterable[str | Path],
    *,
    format: str | None = None,
    on_error: str = "stop",
    keys: Iterable[str | Path] = (),
    class_name: str | None = None,
) -> Parts:
    """Read corpora or tables.

    Parameters
    ----------
    paths
        Files (compressed or not, zip archives too), folders, ``-`` for stdin, or ``nltk:NAME``.
        In a folder, files and folders whose name says *test* or *evaluation* are the test part,
        all others the training part; what is no corpus there is ignored and listed.
    format
        The name of a format; by default it is found from the content.
    on_error
        ``"stop"`` at the first record that cannot be read, or ``"skip"`` it and keep its error in
        :attr:`Corpus.skipped`.
    keys
        Senseval key files, for instances without answers of their own. Those of a folder, files
        whose name says *key*, are found by themselves.

    class_name
        The attribute of a table to learn; by default the last one.

    Raises
    ------
    InputError
        For a path or record that cannot be read, an id used twice in a part, no instance at all.
    ParameterError
        For an unknown format.
    """
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    reader = _Reader(_format(format) if format else None, class_name, skip=on_error == "skip")
    paths = list(paths)
    for path in paths:
        reader.path(path)
    for path in keys:
        for source in load(path):
            reader.key(source)
    return reader.finish(" ".join(map(str, paths)))


def _format(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise ParameterError(f"there is no format {name!r}", f"say one of {names}")


def sniff(source: Source) -> Format | None:
    """Return the format that the content of a file looks like, or None."""
    head = source.text[:SNIFFED]
    return next((known for known in FORMATS if known.sniff(head)), None)


class _Reader:
    def __init__(self, named: Format | None, class_name: str | None, *, skip: bool) -> None:
        self.named, self.class_name, self.skip = named, class_name, skip
        self.parts = Parts()
        self.keys: dict[str, tuple[str, ...]] = {}
        self.key_notes: Corpus = Corpus()

    def path(self, path: str | Path) -> None:
        name = str(path)
        if name.startswith("nltk:"):
            for source in nltk_senseval.installed(name.removeprefix("nltk:")):
                self.source(source, test=False, strict=True)
        elif name != "-" and Path(path).is_dir():
            self.folder(Path(path), test=False)
        else:
            for source in load(path):
                # a folder's files are found, a file is meant: the parts of a zip are found too
                self.source(source, test=False, strict=source.name in (name, "<stdin>"))

    def folder(self, folder: Path, *, test: bool) -> None:
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith((".", "README", "LICENSE")) or entry.name == INVENTORY:
                continue
            is_test = test or bool(TEST.search(entry.name) and not TRAIN.search(entry.name))
            if entry.is_dir():
                self.folder(entry, test=is_test)
            elif ".tar" in entry.suffixes:
                self.parts.ignored.append(str(entry))
            else:
                for source in load(entry):
                    self.source(source, test=is_test, strict=False)

    def source(self, source: Source, *, test: bool, strict: bool) -> None:
        found = sniff(source)
        if found is None and not strict:
            if KEY.search(source.stem):
                self.key(source)
            else:
                self.parts.ignored.append(source.name)
            return
        known = self.named or found
        if not source.text.strip():
            raise InputError("is empty", "give it instances", where=source.name)
        if known is None:
            names = ", ".join(form.name for form in FORMATS)
            raise InputError(
                "is in no format that wsdlist knows", f"it reads {names}", where=source.name
            )
        if self.named and found and found is not self.named:
            raise InputError(
                f"is not {self.named.name} but, by its content, {found.name}",
                f"leave --format out, or say --format {found.name}",
                where=source.name,
            )
        skipped: list[InputError] = []
        read = known.read(source, skipped.append if self.skip else _raise)
        if isinstance(read, Table):
            read.name = PART.sub("", read.name) or read.name
            read = Corpus(list(read.instances(self.class_name)), repairs=source.repairs)
        read.skipped += skipped
        if test and self.parts.test is None:
            self.parts.test = Corpus()
        (self.parts.test if test and self.parts.test is not None else self.parts.train).extend(read)

    def key(self, source: Source) -> None:
        skipped: list[InputError] = []
        for name, senses in senseval.read_key(
            source, skipped.append if self.skip else _raise
        ).items():
            self.keys.setdefault(name, senses)
        self.key_notes.skipped += skipped

    def finish(self, paths: str) -> Parts:
        parts = self.parts
        parts.train.skipped += self.key_notes.skipped
        for corpus in filter(None, (parts.train, parts.test)):
            if self.keys:
                corpus.instances = [
                    i if i.senses else replace(i, senses=self.keys.get(i.id, ())) for i in corpus
                ]
            self._refuse_repeated_ids(corpus)
        if parts.test is not None and not parts.train.instances:
            parts.train, parts.test = parts.test, None
        if not parts.train.instances:
            skipped = (
                f" ({len(parts.train.skipped)} records were left out)"
                if parts.train.skipped
                else ""
            )
            raise InputError(f"holds no instance{skipped}", "name a corpus", where=paths)
        return parts

    def _refuse_repeated_ids(self, corpus: Corpus) -> None:
        seen: dict[str, str] = {}
        kept = []
        for instance in corpus.instances:
            if instance.id in seen:
                error = InputError(
                    f"the id {instance.id!r} was used before, at {seen[instance.id]}",
                    "give each instance its own id",
                    where=instance.place,
                )
                if not self.skip:
                    raise error
                corpus.skipped.append(error)
            else:
                seen[instance.id] = instance.place
                kept.append(instance)
        corpus.instances = kept


def _raise(error: InputError) -> None:
    raise error
