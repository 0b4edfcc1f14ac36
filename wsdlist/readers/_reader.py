"""Paths to parts: what lies in folders and archives, and what each file is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from wsdlist.data.corpus import Corpus, Item, Row, Table, without_edge_blanks
from wsdlist.errors import InputError, stop
from wsdlist.readers import concordance, csv_table, docbin, nltk_senseval
from wsdlist.readers._keys import BOTH, Keys
from wsdlist.readers._parts import (
    FileRead,
    Parts,
    folder_of,
    gather,
    is_no_corpus,
    is_test,
    is_train,
    without_part,
)
from wsdlist.readers.decoding import without_compression
from wsdlist.readers.formats import FORMATS, Format, format_of, sniff
from wsdlist.readers.sources import BINARY, NoText, Options, Source, is_tar, load, stem_of

KEY = re.compile(r"(?<![a-z])key(?![a-z])", re.I)
INVENTORY = "senses.tsv"


class Reader:
    """Reads one path after another and sorts what it finds into parts.

    Parameters
    ----------
    named
        The format that the caller names, if any.
    class_name
        The attribute of a table to learn; None for the last one.
    options
        What the caller says of files.
    skip
        Whether records that cannot be read are left out, with their errors kept.
    """

    def __init__(
        self,
        named: Format | None,
        class_name: str | None,
        options: Options,
        *,
        skip: bool,
    ) -> None:
        self.named, self.class_name, self.options, self.skip = named, class_name, options, skip
        self.parts = Parts()
        self.files: list[FileRead] = []
        self.bad_keys: list[InputError] = []
        self.keys = self._no_keys()

    def _no_keys(self) -> Keys:
        return Keys(self.bad_keys.append if self.skip else stop)

    def path(self, path: str | Path) -> None:
        """Read a file, a folder, standard input (``-``) or a corpus of NLTK (``nltk:NAME``)."""
        name = str(path)
        if name.startswith("nltk:"):
            for source in nltk_senseval.installed(name.removeprefix("nltk:")):
                self._corpus(source, test=False)
        elif name != "-" and Path(path).is_dir():
            self._folder(Path(path), test=False)
        else:
            self._file(path, test=False, named=True)

    def use_keys(self, paths: Iterable[str | Path]) -> None:
        """Use the keys that the caller names, and none of those that were found."""
        if self.keys.files:
            self.parts.notes.append(
                f"keys that were found are not used beside those named: {self.keys.names}"
            )
        self.keys = self._no_keys()
        for path in paths:
            for source in load(path):
                if isinstance(source, NoText):
                    raise source.error
                self.keys.add(source, BOTH)

    def _folder(self, folder: Path, *, test: bool) -> None:
        entries = sorted(folder.iterdir())
        belonging = _companions(entry.name for entry in entries)
        for entry in entries:
            if is_no_corpus(entry.name) or without_compression(entry.name) in belonging:
                continue
            of_test = test or is_test(entry.name)
            if entry.is_dir():
                self._folder(entry, test=of_test)
            elif is_tar(entry.name):
                self.parts.ignored.append(str(entry))
            else:
                self._file(entry, test=of_test, named=False)

    def _file(self, path: str | Path, *, test: bool, named: bool) -> None:
        """Read a file that the user named, or one that was found in a folder."""
        sources = list(load(path))
        belonging = _companions(source.name for source in sources)
        for source in sources:
            if source.name in (str(path), "<stdin>"):
                if named:
                    self._named(source)
                else:
                    self._found(source, test=test)
                continue
            # a member of an archive: found too
            own_name = PurePosixPath(source.name).name
            if not is_no_corpus(own_name) and without_compression(source.name) not in belonging:
                self._found(source, test=test or is_test(stem_of(source.name)))

    def _named(self, source: Source | NoText) -> None:
        """Take a file that the user named for a corpus, and learn from it."""
        if isinstance(source, NoText):
            if not source.name.endswith(BINARY):
                raise source.error
            source = Source(source.name, "", data=source.data)
        elif is_test(PurePosixPath(source.name).name):
            self.parts.notes.append(
                f"{source.name} is learned from like the others: name its folder to make "
                "it the test part"
            )
        self._corpus(source, test=False)

    def _found(self, source: Source | NoText, *, test: bool) -> None:
        """Take what was found for what its name and content say."""
        if isinstance(source, NoText):
            if source.name.endswith(BINARY):
                self._corpus(Source(source.name, "", data=source.data), test=test)
            else:
                self.parts.ignored.append(source.name)
            return
        if source.stem == INVENTORY:
            return
        form = sniff(source)
        if KEY.search(source.stem) and (form is None or form.name == csv_table.NAME):
            self.keys.add(source, "test" if test else "train" if is_train(source.stem) else BOTH)
        elif form is None:
            self.parts.ignored.append(source.name)
        else:
            self._corpus(source, test=test, found=True)

    def _corpus(self, source: Source, *, test: bool, found: bool = False) -> None:
        """Read a corpus or a table."""
        form = self._format(source)
        skipped: list[InputError] = []
        source.options = self.options
        content = form.read(source, skipped.append if self.skip else stop)
        if isinstance(content, Table):
            content.name = without_part(content.name) or folder_of(source) or content.name
            rows = content.instances(self.class_name, self.options.columns)
            corpus = Corpus(list(rows), repairs=source.repairs)
        else:
            corpus = content
        corpus.instances, n_mended = without_edge_blanks(corpus.instances)
        if n_mended:
            corpus.repairs["items whose names had blanks at their edges"] += n_mended
        corpus.skipped += skipped
        self.files.append(FileRead(source, form, corpus, test, found))

    def _format(self, source: Source) -> Format:
        """Return the format of a file: the one named, else the one found from its content.

        Raises
        ------
        InputError
            When it is empty, an inventory, a key, in no known format, or not in the one named.
        """
        if source.stem == INVENTORY:
            raise InputError(
                "is an inventory, no corpus",
                "name its folder, or a corpus beside it",
                where=source.name,
            )
        if not source.text.strip() and not source.data:
            raise InputError("is empty", "give it instances", where=source.name)
        sniffed = format_of(docbin.NAME) if source.data else self._sniff(source)
        form = self.named or sniffed
        if form is None and KEY.search(source.stem):
            raise InputError("is a key", "name its data, and the key with --key", where=source.name)
        if form is None:
            names = ", ".join(known.name for known in FORMATS)
            raise InputError(
                "is in no format that wsdlist knows", f"it reads {names}", where=source.name
            )
        if sniffed and sniffed is not form:
            raise InputError(
                f"is not {form.name} but, by its content, {sniffed.name}",
                f"leave --format out, or say --format {sniffed.name}",
                where=source.name,
            )
        return form

    def _sniff(self, source: Source) -> Format | None:
        """Return the format of a text: of a table what the caller says of it, else its header."""
        sniffed = sniff(source)
        if sniffed is None or sniffed.name not in (csv_table.NAME, concordance.NAME):
            return sniffed
        if concordance.is_meant(self.options.columns):
            return format_of(concordance.NAME)
        if self.class_name or {"nominal", "numeric"} & {*self.options.columns.values()}:
            return format_of(csv_table.NAME)
        return sniffed

    def finish(self, paths: str) -> Parts:
        """Bring keys and instances together, check the whole, and return it.

        Parameters
        ----------
        paths
            What the caller named, for messages.

        Raises
        ------
        InputError
            When keys do not agree, an id is used twice in a part, rows of tables and words in
            context are mixed, or there is no instance.
        """
        parts = self.parts
        train_files = gather(parts, self.files)
        self.keys.read({item.id for corpus in _corpora(parts) for item in corpus})
        parts.train.skipped += self.bad_keys
        if parts.test is not None and not train_files:
            parts.train, parts.test, parts.test_files = parts.test, None, []
            self.keys.test_becomes_train()
        if parts.test is None:
            self.keys.join_parts()
        used: set[str] = set()
        for part, corpus in zip(("train", "test"), _corpora(parts), strict=False):
            used |= self.keys.give(corpus, part)
            self._refuse_repeated_ids(corpus)
        unused = self.keys.unused(used)
        if unused:
            parts.notes.append(
                f"{unused} lines of keys not used: no such instance, or it has its own senses"
            )
        _check_instances(parts, paths)
        return parts

    def _refuse_repeated_ids(self, corpus: Corpus) -> None:
        places: dict[str, str] = {}
        kept: list[Item] = []
        for instance in corpus.instances:
            if instance.id in places:
                error = InputError(
                    f"the id {instance.id!r} was used before, at {places[instance.id]}",
                    "give each instance its own id, or leave one of the files out",
                    where=instance.place,
                )
                if not self.skip:
                    raise error
                corpus.skipped.append(error)
            else:
                places[instance.id] = instance.place
                kept.append(instance)
        corpus.instances = kept


def _corpora(parts: Parts) -> list[Corpus]:
    return [parts.train] if parts.test is None else [parts.train, parts.test]


def _check_instances(parts: Parts, paths: str) -> None:
    """Refuse parts of which the first is empty, and words in context among rows of tables."""
    if len({isinstance(item, Row) for corpus in _corpora(parts) for item in corpus}) > 1:
        raise InputError(
            "rows of tables and words in context do not go together",
            "name one kind",
            where=paths,
        )
    if not parts.train.instances:
        skipped = parts.train.skipped
        first = f" ({len(skipped)} records were left out, first: {skipped[0]})" if skipped else ""
        raise InputError(f"holds no instance{first}", "name a corpus", where=paths)


def _companions(names: Iterable[str]) -> set[str]:
    """Return the names of the files that belong to other files of these names."""
    companions = set()
    for name in names:
        folder, slash, own_name = name.replace("\\", "/").rpartition("/")
        for form in FORMATS:
            for other in form.companions(without_compression(own_name)):
                companions.add(folder + slash + other)
    return companions
