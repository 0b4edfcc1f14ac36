"""Corpora and tables in, one format a file; the format is sniffed from content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wsdlist.data.corpus import KINDS, Corpus, Instance, Item, Row, Table
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers import concordance, csv_table, docbin, nltk_senseval, senseval, unified
from wsdlist.readers.decoding import is_compressed
from wsdlist.readers.formats import FORMATS, Format, format_of, sniff
from wsdlist.readers.sources import BINARY, NoText, Options, Source, is_tar, load

__all__ = ["FORMATS", "Format", "Parts", "format_of", "read", "sniff", "text_files"]

TEST_WORD = r"(?<![a-z])(tests?|testing|testset|eval|evaluation)(?![a-z])"
TRAIN_WORD = r"(?<![a-z])(train|training|trainset)(?![a-z])"
TRAIN, TEST = re.compile(TRAIN_WORD, re.I), re.compile(TEST_WORD, re.I)
PART = re.compile(rf"[-_. ]?({TRAIN_WORD}|{TEST_WORD})", re.I)
KEY = re.compile(r"(?<![a-z])key(?![a-z])", re.I)
INVENTORY = "senses.tsv"
NO_CORPUS = (".", "__macosx", "readme", "license")
TABLES = ("csv", "arff")


@dataclass
class Parts:
    """What stands behind the paths of a call: a training part and perhaps a test part.

    ``test_files`` names the files of the test part, ``ignored`` what was found and is no corpus,
    ``notes`` what else should be said.
    """

    train: Corpus = field(default_factory=Corpus)
    test: Corpus | None = None
    test_files: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    on_error: str = "stop",
    keys: Iterable[str | Path] = (),
    class_name: str | None = None,
    columns: Mapping[str, str] | None = None,
    sense_key: str = "Sense",
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
        whose name says *key*, are found by themselves: one whose name also says *train* or *test*
        is that part's, another one is both parts'.

    class_name
        The attribute of a table to learn; by default the last one.
    columns
        What some attributes of a table are: ``nominal``, ``numeric``, or to be left out (``skip``);
        of a concordance, see :data:`wsdlist.readers.concordance.KINDS`.
    sense_key
        The key of the sense in the MISC column of CoNLL-U.

    Raises
    ------
    InputError
        For a path or record that cannot be read, an id used twice in a part, no instance at all.
    ParameterError
        For an unknown format.
    """
    known = (*KINDS, *concordance.KINDS)
    for name, kind in (columns or {}).items():
        if kind not in known:
            raise ParameterError(f"column {name!r} is {kind!r}", f"say one of {', '.join(known)}")
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    options = Options(columns or {}, sense_key)
    named = format_of(format) if format else None
    reader = _Reader(named, class_name, options, skip=on_error == "skip")
    paths = [paths] if isinstance(paths, str | Path) else list(paths)
    for path in paths:
        reader.path(path)
    keys = list(keys)
    if keys and reader.key_files:
        found = ", ".join(source.name for source, _ in reader.key_files)
        reader.parts.notes.append(f"keys that were found are not used beside those named: {found}")
        reader.key_files = []
    for path in keys:
        for source in load(path):
            if isinstance(source, NoText):
                raise source.error
            reader.key(source, part="")
    return reader.finish(" ".join(map(str, paths)))


class _Read(NamedTuple):
    """A file that was read; ``found`` in a folder or archive, not named."""

    source: Source
    form: Format
    corpus: Corpus
    test: bool
    found: bool


class _Reader:
    """Reads one path after another and sorts what it finds into parts."""

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
        self.files: list[_Read] = []
        self.key_files: list[tuple[Source, str]] = []
        self.keys: dict[str, dict[str, tuple[str, ...]]] = {"train": {}, "test": {}, "": {}}
        self.bad_keys: list[InputError] = []
        self.train_files: list[str] = []

    def path(self, path: str | Path) -> None:
        name = str(path)
        if name.startswith("nltk:"):
            for source in nltk_senseval.installed(name.removeprefix("nltk:")):
                self.corpus(source, test=False)
        elif name != "-" and Path(path).is_dir():
            self.folder(Path(path), test=False)
        else:
            self.file(path, test=False, named=True)

    def folder(self, folder: Path, *, test: bool) -> None:
        entries = sorted(folder.iterdir())
        belonging = _companions(entry.name for entry in entries)
        for entry in entries:
            if entry.name.lower().startswith(NO_CORPUS) or _unpacked(entry.name) in belonging:
                continue
            is_test = test or _is_test(entry.name)
            if entry.is_dir():
                self.folder(entry, test=is_test)
            elif is_tar(entry.name):
                self.parts.ignored.append(str(entry))
            else:
                self.file(entry, test=is_test, named=False)

    def file(self, path: str | Path, *, test: bool, named: bool) -> None:
        """Read a file that the user named, or one that was found in a folder."""
        sources = list(load(path))
        belonging = _companions(source.name for source in sources)
        for source in sources:
            member = source.name not in (str(path), "<stdin>")  # of an archive: found too
            if member and PurePosixPath(source.name).name.lower().startswith(NO_CORPUS):
                continue
            if member and _unpacked(source.name) in belonging:
                continue
            if isinstance(source, NoText) and source.name.endswith(BINARY):
                found = Source(source.name, "", data=source.data)
                self.corpus(found, test=test or (member and _is_test(found.stem)))
            elif isinstance(source, NoText):
                if named and not member:
                    raise source.error
                self.parts.ignored.append(source.name)
            elif named and not member:
                if _is_test(PurePosixPath(source.name).name):
                    self.parts.notes.append(
                        f"{source.name} is learned from like the others: name its folder to make "
                        "it the test part"
                    )
                self.corpus(source, test=False)
            else:
                self.found(source, test=test or (member and _is_test(source.stem)))

    def found(self, source: Source, *, test: bool) -> None:
        """Take what was found for what its name and content say."""
        if source.stem == INVENTORY:
            return
        form = sniff(source)
        if KEY.search(source.stem) and (form is None or form.name == csv_table.NAME):
            named = "test" if test else "train" if TRAIN.search(source.stem) else ""
            self.key(source, part=named)
        elif form is None:
            self.parts.ignored.append(source.name)
        else:
            self.corpus(source, test=test, found=True)

    def corpus(self, source: Source, *, test: bool, found: bool = False) -> None:
        """Read a corpus or table into its part."""
        if source.stem == INVENTORY:
            raise InputError(
                "is an inventory, no corpus",
                "name its folder, or a corpus beside it",
                where=source.name,
            )
        if not source.text.strip() and not source.data:
            raise InputError("is empty", "give it instances", where=source.name)
        form = sniff(source)
        if form is not None and form.name in (csv_table.NAME, concordance.NAME):
            form = format_of(self._kind_of_table(form.name))
        if source.data:
            form = format_of(docbin.NAME)
        known = self.named or form
        if known is None and KEY.search(source.stem):
            raise InputError("is a key", "name its data, and the key with --key", where=source.name)
        if known is None:
            names = ", ".join(form.name for form in FORMATS)
            raise InputError(
                "is in no format that wsdlist knows", f"it reads {names}", where=source.name
            )
        if self.named and form and form is not self.named:
            raise InputError(
                f"is not {self.named.name} but, by its content, {form.name}",
                f"leave --format out, or say --format {form.name}",
                where=source.name,
            )
        skipped: list[InputError] = []
        source.options = self.options
        read = known.read(source, skipped.append if self.skip else _raise)
        if isinstance(read, Table):
            folder = PurePosixPath(source.name.replace("\\", "/")).parent.name
            read.name = PART.sub("", read.name) or folder or read.name
            read = Corpus(
                list(read.instances(self.class_name, self.options.columns)), repairs=source.repairs
            )
        read.skipped += skipped
        self.files.append(_Read(source, known, read, test, found))

    def _kind_of_table(self, sniffed: str) -> str:
        """Return what a table is by what the caller says of it, else by its header."""
        if concordance.is_meant(self.options.columns):
            return concordance.NAME
        if self.class_name or {"nominal", "numeric"} & {*self.options.columns.values()}:
            return csv_table.NAME
        return sniffed

    def gather(self) -> None:
        """Put the files into their parts, under ids that name the file where files share some.

        A table that lies among words in context is none of them.
        """
        words = any(isinstance(item, Instance) for read in self.files for item in read.corpus)
        kept = []
        for read in self.files:
            if words and read.found and read.form.name in TABLES:
                self.parts.ignored.append(read.source.name)
            else:
                kept.append(read)
        self.files = kept
        for read in self.files:
            (self.parts.test_files if read.test else self.train_files).append(read.source.name)
        for test in (False, True):
            files = [read for read in self.files if read.test is test]
            times = Counter(name for read in files for name in _names(read))
            shared = [r for r in files if r.form.own_ids and any(times[n] > 1 for n in _names(r))]
            stems = Counter(_stem(read) for read in shared)
            for read in shared:
                folder = PurePosixPath(read.source.name.replace("\\", "/")).parent.name
                stem = _stem(read)
                _prefix(read.corpus, f"{folder}.{stem}" if stems[stem] > 1 and folder else stem)
            if shared:
                self.parts.notes.append(
                    f"ids that stand in several of {len(shared)} files begin with the file's name"
                )
            if test and files:
                self.parts.test = Corpus()
            part = self.parts.test if test and self.parts.test is not None else self.parts.train
            for read in files:
                part.extend(read.corpus)

    def key(self, source: Source, *, part: str) -> None:
        """Take a key, of one part or (``""``) of both; it is read when all ids are known."""
        self.key_files.append((source, part))

    def _key(self, source: Source, part: str, ids: set[str]) -> None:
        fields = [line.split() for _, line in source.lines()]
        first = sum(bool(one) and one[0] in ids for one in fields)
        second = sum(len(one) > 1 and one[1] in ids for one in fields)
        if first > second:
            key = unified.read_key(source)
        else:
            key = senseval.read_key(source, self.bad_keys.append if self.skip else _raise)
        for name, senses in key.items():
            self._agree(part, name, senses, source.name)

    def _agree(self, part: str, name: str, senses: tuple[str, ...], place: str = "") -> None:
        """Take what a key says of an instance; another key may not say something else."""
        before = self.keys[part].setdefault(name, senses)
        if set(before) != set(senses):
            raise InputError(
                f"the keys do not agree on {name!r}: {' '.join(before)} and {' '.join(senses)}",
                "name one of them with --key",
                where=place,
            )

    def finish(self, paths: str) -> Parts:
        """Bring keys and instances together, and check the whole."""
        parts = self.parts
        self.gather()
        ids = {item.id for corpus in (parts.train, parts.test or ()) for item in corpus}
        for source, part in self.key_files:
            self._key(source, part, ids)
        parts.train.skipped += self.bad_keys
        if parts.test is not None and not self.train_files:
            parts.train, parts.test, parts.test_files = parts.test, None, []
            self.keys["train"] = {**self.keys["train"], **self.keys["test"]}
        if parts.test is None:  # whatever the names of keys say, they are of the one part
            for part in ("train", "test"):
                place = ", ".join(source.name for source, _ in self.key_files)
                for name, senses in self.keys.pop(part).items():
                    self._agree("", name, senses, place)
            self.keys |= {"train": {}, "test": {}}
        used: set[str] = set()
        for part, corpus in (("train", parts.train), ("test", parts.test)):
            if corpus is not None:
                used |= self._with_keys(corpus, {**self.keys[""], **self.keys[part]})
                self._refuse_repeated_ids(corpus)
        unused = {name for key in self.keys.values() for name in key} - used
        if unused:
            parts.notes.append(
                f"{len(unused)} lines of keys not used: no such instance, or it has its own senses"
            )
        items = [*parts.train, *(parts.test or ())]
        if len({isinstance(item, Row) for item in items}) > 1:
            raise InputError(
                "rows of tables and words in context do not go together",
                "name one kind",
                where=paths,
            )
        if not parts.train.instances:
            skipped = parts.train.skipped
            first = (
                f" ({len(skipped)} records were left out, first: {skipped[0]})" if skipped else ""
            )
            raise InputError(f"holds no instance{first}", "name a corpus", where=paths)
        return parts

    def _with_keys(self, corpus: Corpus, key: dict[str, tuple[str, ...]]) -> set[str]:
        """Give instances without senses those of the key; return the ids that were used."""
        used = {item.id for item in corpus if not item.senses and item.id in key}
        if used:
            corpus.markers |= senseval.MARKERS
            corpus.instances = [
                replace(item, senses=key[item.id]) if item.id in used else item for item in corpus
            ]
        # keys repeat what is in the XML of a training part: nothing to report
        return used | {
            item.id for item in corpus if item.id in key and set(item.senses) == set(key[item.id])
        }

    def _refuse_repeated_ids(self, corpus: Corpus) -> None:
        seen: dict[str, str] = {}
        kept: list[Item] = []
        for instance in corpus.instances:
            if instance.id in seen:
                error = InputError(
                    f"the id {instance.id!r} was used before, at {seen[instance.id]}",
                    "give each instance its own id, or leave one of the files out",
                    where=instance.place,
                )
                if not self.skip:
                    raise error
                corpus.skipped.append(error)
            else:
                seen[instance.id] = instance.place
                kept.append(instance)
        corpus.instances = kept


def text_files(paths: Iterable[str | Path]) -> tuple[list[str], list[str]]:
    """Return the files of plain text behind paths: those of the training and of the test part.

    Those of a folder whose name says *test* or *evaluation* are the test part; a file that the
    caller names is learned from.
    """
    made: tuple[list[str], list[str]] = ([], [])
    for path in paths:
        if str(path) == "-" or not Path(path).is_dir():
            made[0].append(str(path))
            continue
        for file in sorted(Path(path).rglob("*")):
            inside = file.relative_to(path).parts
            if (
                ".txt" in file.suffixes
                and file.is_file()
                and not file.name.lower().startswith(NO_CORPUS)
            ):
                made[any(map(_is_test, inside))].append(str(file))
    if not made[0]:
        raise InputError(
            "holds no text to learn from",
            "name text files, or a folder with .txt files",
            where=" ".join(map(str, paths)),
        )
    return made


def _unpacked(name: str) -> str:
    """Return the name of a file without the end of its compression."""
    return name.rpartition(".")[0] if is_compressed(name) else name


def _companions(names: Iterable[str]) -> set[str]:
    """Return the names of the files that belong to other files of these names."""
    made = set()
    for name in names:
        folder, mark, own = name.replace("\\", "/").rpartition("/")
        for form in FORMATS:
            made |= {folder + mark + other for other in form.companions(_unpacked(own))}
    return made


def _names(read: _Read) -> set[str]:
    """Return the ids and the names of texts of a file."""
    return {item.id for item in read.corpus} | set(read.corpus.texts)


def _stem(read: _Read) -> str:
    return read.source.stem.partition(".")[0]


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


def _is_test(name: str) -> bool:
    return bool(TEST.search(name) and not TRAIN.search(name))


def _raise(error: InputError) -> None:
    raise error
