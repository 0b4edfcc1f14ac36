"""Corpora and tables in: each file in one format, which is found from its content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from wsdlist.data.corpus import KINDS
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers import concordance
from wsdlist.readers._parts import Parts, is_no_corpus, is_test
from wsdlist.readers._reader import INVENTORY, Reader
from wsdlist.readers.formats import FORMATS, Format, format_of, sniff
from wsdlist.readers.sources import Options

__all__ = ["FORMATS", "INVENTORY", "Format", "Parts", "format_of", "read", "sniff", "text_files"]


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
        For a path or record that cannot be read, an id used twice in a part, keys that do not
        agree, tables among words in context, no instance at all.
    ParameterError
        For an unknown format, kind of column, or ``on_error``.
    """
    known = (*KINDS, *concordance.KINDS)
    for name, kind in (columns or {}).items():
        if kind not in known:
            raise ParameterError(f"column {name!r} is {kind!r}", f"say one of {', '.join(known)}")
    if on_error not in ("stop", "skip"):
        raise ParameterError(f"on_error is {on_error!r}", "say stop or skip")
    options = Options(columns or {}, sense_key)
    named = format_of(format) if format else None
    reader = Reader(named, class_name, options, skip=on_error == "skip")
    paths = [paths] if isinstance(paths, str | Path) else list(paths)
    for path in paths:
        reader.path(path)
    keys = list(keys)
    if keys:
        reader.use_keys(keys)
    return reader.finish(" ".join(map(str, paths)))


def text_files(paths: Iterable[str | Path]) -> tuple[list[str], list[str]]:
    """Return the files of plain text that paths name: those of the training and of the test part.

    In a folder, files whose own name or folder says *test* or *evaluation* are the test part; a
    file that the caller names is learned from.

    Raises
    ------
    InputError
        When there is no text of the training part.
    """
    of_train: list[str] = []
    of_test: list[str] = []
    for path in paths:
        if str(path) == "-" or not Path(path).is_dir():
            of_train.append(str(path))
            continue
        for file in sorted(Path(path).rglob("*")):
            if ".txt" in file.suffixes and file.is_file() and not is_no_corpus(file.name):
                inside = file.relative_to(path).parts
                (of_test if any(map(is_test, inside)) else of_train).append(str(file))
    if not of_train:
        raise InputError(
            "holds no text to learn from",
            "name text files, or a folder with .txt files",
            where=" ".join(map(str, paths)),
        )
    return of_train, of_test
