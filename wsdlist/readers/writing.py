"""Corpora out; what a format cannot hold is found by reading back what is to be written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from wsdlist.data.corpus import Corpus, Instance, Span, Text
from wsdlist.data.files import write_whole
from wsdlist.errors import Fail, InputError, ParameterError
from wsdlist.readers.decoding import is_compressed
from wsdlist.readers.formats import Format, format_of
from wsdlist.readers.sources import BINARY, Options, Source, decode, in_folder
from wsdlist.readers.words import only_words, passages

# what instances have that some format cannot hold; if ids and sentences are dropped, those that the
# format makes itself are accepted
DROPS = (
    *("id", "document", "text", "tags", "lemmas", "sentences"),
    *("heads", "satellites", "markers"),
)


def save(
    corpus: Corpus,
    path: str | Path,
    format: str,
    *,
    drop: Iterable[str] = (),
    sense_key: str = "Sense",
) -> list[Path]:
    """Write a corpus to files that appear whole or not at all; return their paths.

    Parameters
    ----------
    corpus
        Instances in context; a table is refused.
    path
        The file; if the format has several files, the beginning of their names.
    format
        One of those of :data:`wsdlist.readers.FORMATS` that write.
    drop
        What is left out; some of :data:`DROPS`.
    sense_key
        The key of the sense in CoNLL-U.

    Raises
    ------
    InputError
        When the format cannot hold an instance as it is, or a file cannot be written.
    ParameterError
        For a format that is unknown or only read, or a name in ``drop`` that is not in ``DROPS``.
    """
    return write_files(files_of(corpus, Path(path), format, drop=drop, sense_key=sense_key))


def write_files(files: Mapping[Path, bytes]) -> list[Path]:
    """Write files that appear whole or not at all; return their paths, links followed.

    Raises
    ------
    InputError
        When one cannot be written; then none of them is, see
        :func:`wsdlist.data.files.write_whole`.
    """
    for path in files:
        if path.exists() and not path.is_file():
            what = "is a folder" if path.is_dir() else "is there and no file"
            raise InputError(what, "name a file with --out", where=str(path))
    try:
        return write_whole(files)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}", "check the folder", where=str(error.filename)
        ) from error


def files_of(
    corpus: Corpus,
    path: Path,
    format: str,
    *,
    drop: Iterable[str] = (),
    sense_key: str = "Sense",
) -> dict[Path, bytes]:
    """Return the bytes of the files of a corpus; parameters and errors as of :func:`save`."""
    form = format_of(format, writes=True)
    if not path.name or path.is_dir():
        raise InputError("is a folder", "name a file in it", where=str(path))
    if is_compressed(path.name):
        raise InputError("is not compressed while it is written", "name it so", where=str(path))
    dropped = frozenset(drop)
    for name in sorted(dropped - {*DROPS}):
        raise ParameterError(f"{name!r} cannot be dropped", f"say one of {', '.join(DROPS)}")
    corpus = without(corpus, dropped)
    options = Options(sense_key=sense_key, files=partial(in_folder, path.parent))
    assert form.write is not None
    contents = form.write(corpus, options)
    files = {_name(path, end, contents): _bytes(data, path) for end, data in contents.items()}
    check(corpus, form, files, dropped, options)
    return files


def _bytes(content: str | bytes, path: Path) -> bytes:
    try:
        return content if isinstance(content, bytes) else content.encode()
    except UnicodeEncodeError:
        raise InputError(
            "the corpus has half a surrogate pair", "write the character whole", where=str(path)
        ) from None


def _name(path: Path, end: str, ends: Iterable[str]) -> Path:
    """Return the path of a file by the end of its name.

    If the path that the user names has one of the ends already, it gets this one instead.
    """
    if not end.startswith("."):
        return path.with_name(end) if end else path
    stem = path.name
    for other in sorted(ends, key=len, reverse=True):
        stem = stem.removesuffix(other) if other.startswith(".") else stem
    return path.with_name(stem + end)


def without(corpus: Corpus, dropped: frozenset[str]) -> Corpus:
    """Return a corpus without some of what its instances have, see :data:`DROPS`."""
    if not dropped:
        return corpus
    empty: dict[str, Any] = {
        "document": None,
        "tags": None,
        "lemmas": None,
        "satellites": (),
        "text": None,
    }
    emptied = {name: value for name, value in empty.items() if name in dropped}
    emptied |= {"spans": None} if "text" in dropped else {}
    kept = Corpus(markers=corpus.markers, repairs=corpus.repairs.copy())
    for i in only_words(corpus):
        i = replace(i, heads=(i.target,)) if "heads" in dropped else i
        if "markers" in dropped:
            i = replace(i, senses=corpus.labels(i))
        kept.instances.append(replace(i, **emptied))
    layers: dict[str, Any] = {name: None for name in ("tags", "lemmas") if name in dropped}
    layers |= {"text": None} if "text" in dropped else {}
    if "document" not in dropped:
        kept.texts = {name: replace(text, **layers) for name, text in corpus.texts.items()}
        kept.written = {} if layers else corpus.written
    if "markers" in dropped:
        kept.markers = frozenset()
    return kept


def check(
    corpus: Corpus,
    form: Format,
    files: Mapping[Path, bytes],
    dropped: frozenset[str],
    options: Options,
) -> None:
    """Read back what is to be written, and refuse what is not what it was.

    Raises
    ------
    InputError
        Of the first text or instance that came back changed, or did not come back.
    """
    errors: list[InputError] = []
    back = _read_back(corpus, form, files, options, errors.append)
    if form.running:
        _check_texts(corpus, back, form)
    before = _described(corpus, form, dropped)
    after = _described(back, form, dropped)
    comparison = _Comparison(corpus, dropped)
    for name, (instance, fields) in before.items():
        found = after.get(name)
        if found is None:
            only_renamed = not errors and len(after) == len(before)
            what = f" ({errors[0].what})" if errors else ""
            raise InputError(
                f"{form.name} cannot hold {'the id of ' * only_renamed}instance "
                f"{instance.id!r}{what}",
                _advice({"id"}) if only_renamed else "choose another format",
                where=instance.place,
            )
        lost = comparison.lost(fields, found[1])
        if lost:
            lost_of_any = {
                field
                for other in before
                if other in after
                for field in comparison.lost(before[other][1], after[other][1])
            }
            raise InputError(
                f"{form.name} cannot hold the {_said(lost[0], fields, found[1])} of instance "
                f"{instance.id!r}",
                _advice(lost_of_any),
                where=instance.place,
            )


def _read_back(
    corpus: Corpus,
    form: Format,
    files: Mapping[Path, bytes],
    options: Options,
    fail: Fail,
) -> Corpus:
    """Return the corpus that the files hold."""
    first, *_ = files
    in_same_folder = {path.name: data for path, data in files.items()}
    source = Source(str(first), "", data=files[first])
    if not str(first).endswith(BINARY):
        source = decode(files[first], str(first))
    source = replace(source, files=in_same_folder.get, options=options)
    try:
        back = form.read(source, fail)
    except InputError as error:
        raise InputError(
            f"{form.name} cannot hold this corpus: {error.what} ({error.where})",
            "choose another format",
            where=next((i.place for i in only_words(corpus)), ""),
        ) from None
    assert isinstance(back, Corpus)
    return back


def _check_texts(corpus: Corpus, back: Corpus, form: Format) -> None:
    """Refuse a running text that came back with other tokens."""
    kept = {name: text.forms for name, text in back.texts.items()}
    for document, text in corpus.texts.items():
        if document not in corpus.written and kept.get(document) != text.forms:
            raise InputError(
                f"{form.name} cannot hold the text {document!r}", "choose another format"
            )


class _Comparison:
    """Compares instances as :func:`_described` describes them, before and after writing."""

    def __init__(self, corpus: Corpus, dropped: frozenset[str]) -> None:
        self.corpus, self.dropped = corpus, dropped
        self._equal: dict[tuple[int, int], bool] = {}

    def lost(self, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
        """Return the fields that came back changed; gaining a document or a text is no change."""
        return [
            field
            for field in before
            if field not in self.dropped
            and not self._may_be_gained(field, before[field])
            and not self._same(before[field], after[field])
        ]

    def _may_be_gained(self, field: str, value: object) -> bool:
        if field == "document":
            return value is None or value in self.corpus.written
        return field == "text" and value is None

    def _same(self, before: object, after: object) -> bool:
        """Compare the layers of a text once, not for each of its instances."""
        key = (id(before), id(after))
        if key not in self._equal:
            self._equal[key] = before == after
        return self._equal[key]


def _said(field: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return what was lost, in words: if it is tokens, the first one that is not the same."""
    if field == "tokens":
        pairs = zip_longest(before[field], after[field])
        return f"token {next(old for old, new in pairs if old != new)!r}"
    return field


def _advice(lost: set[str]) -> str:
    """Return the advice to drop what was lost, if it can be dropped."""
    if not lost <= {*DROPS}:
        return "choose another format"
    drops = " ".join(f"--drop {name}" for name in DROPS if name in lost)
    return (
        f"say {drops} to leave {'it' if len(lost) == 1 else 'them'} out, or choose another format"
    )


def _described(
    corpus: Corpus, form: Format, dropped: frozenset[str]
) -> dict[object, tuple[Instance, dict[str, Any]]]:
    """Return each instance with its fields, by its id, or by its number if ids are dropped.

    In a format of running text the fields are those of the whole text, because contexts may be cut
    from it in another way.
    """
    whole: dict[str, tuple[dict[str, Any], Span]] = {}
    for passage in passages(corpus) if form.running else ():
        starts = (0, *(start for start in passage.text.sentences if start))
        shared = {**_layers(passage.text), "sentences": starts}
        whole |= {i.id: (shared, span) for span, i in passage.marks}
    described: dict[object, tuple[Instance, dict[str, Any]]] = {}
    for number, i in enumerate(only_words(corpus)):
        shared, span = whole.get(i.id, ({}, i.target))
        fields = {
            **(shared or {**_layers(i), "sentences": i.sentences}),
            "target": span,
            "id": i.id,
            "lexelt": i.lexelt,
            "senses": frozenset(i.senses),
            "markers": frozenset(i.senses) & corpus.markers,
            "heads": i.heads[1:],
            "satellites": i.satellites,
            "document": i.document,
        }
        described[number if "id" in dropped else i.id] = (i, fields)
    return described


def uncovered(corpus: Corpus) -> int:
    """Return the number of tokens of the running texts that are in no context of an instance."""
    covered = {name: bytearray(len(text.forms)) for name, text in corpus.texts.items()}
    for i in only_words(corpus):
        if i.offset is not None and i.document in covered:
            n = len(i.forms)
            covered[i.document][i.offset : i.offset + n] = b"\1" * n
    return sum(marks.count(0) for marks in covered.values())


def _layers(text: Instance | Text) -> dict[str, Any]:
    layers = {name: getattr(text, name) for name in ("text", "tags", "lemmas")}
    return {"tokens": text.forms, **layers}
