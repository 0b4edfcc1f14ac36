"""Corpora out: what a format cannot hold is found by reading back what was written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wsdlist.corpus import Corpus, Instance, Span, Text
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers.formats import Format, format_of
from wsdlist.readers.sources import Options, Source
from wsdlist.readers.words import only_words, passages

# what an instance may have that a format may not hold
DROPS = (
    *("id", "document", "text", "tags", "lemmas", "sentences"),
    *("heads", "satellites", "markers"),
)
ADVICE = "say --drop {} to leave it out, or choose another format"


def save(
    corpus: Corpus,
    path: str | Path,
    format: str,
    *,
    drop: Iterable[str] = (),
    sense_key: str = "Sense",
) -> list[Path]:
    """Write a corpus; return the files, which appear whole or not at all.

    Parameters
    ----------
    corpus
        Instances in context; a table is refused.
    path
        The file; of a format of several files what their names begin with.
    format
        One of those of :data:`wsdlist.readers.FORMATS` that write.
    drop
        What is left out, of :data:`DROPS`.
    sense_key
        The key of the sense in CoNLL-U.

    Raises
    ------
    InputError
        When the format cannot hold an instance as it is.
    ParameterError
        For an unknown format, or an unknown thing to drop.
    """
    files = files_of(corpus, Path(path), format, drop=drop, sense_key=sense_key)
    written: list[tuple[str, Path]] = []
    try:
        for name, data in files.items():
            handle, temporary = tempfile.mkstemp(dir=name.parent, prefix=f".{name.name}.")
            written.append((temporary, name))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
        for temporary, name in written:
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(name)
    except OSError as error:
        for temporary, _ in written:
            Path(temporary).unlink(missing_ok=True)
        raise InputError(
            f"cannot be written: {error.strerror or error}", "check the folder", where=str(path)
        ) from error
    return list(files)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def files_of(
    corpus: Corpus,
    path: Path,
    format: str,
    *,
    drop: Iterable[str] = (),
    sense_key: str = "Sense",
) -> dict[Path, bytes]:
    """Return the bytes of the files of a corpus; errors as of :func:`save`."""
    form = format_of(format, writes=True)
    dropped = frozenset(drop)
    for name in dropped - {*DROPS}:
        raise ParameterError(f"{name!r} cannot be dropped", f"say one of {', '.join(DROPS)}")
    corpus = without(corpus, dropped)
    assert form.write is not None
    more = {"key": sense_key} if form.name == "conllu" else {}
    made = form.write(corpus, **more)
    check(corpus, form, made, path, dropped, sense_key)
    return {_name(path, end, made): _bytes(data) for end, data in made.items()}


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")


def _name(path: Path, end: str, made: Mapping[str, object]) -> Path:
    """Return the name of a file: it begins with the path's but for the end of another of them."""
    if not end.startswith("."):
        return path.with_name(end) if end else path
    stem = path.name
    for other in sorted(made, key=len, reverse=True):
        stem = stem.removesuffix(other) if other.startswith(".") else stem
    return path.with_name(stem + end)


def without(corpus: Corpus, dropped: frozenset[str]) -> Corpus:
    """Return a corpus without some of what its instances have."""
    if not dropped:
        return corpus
    nothing: dict[str, Any] = {
        "document": None,
        "tags": None,
        "lemmas": None,
        "satellites": (),
        "text": None,
    }
    given = {name: nothing[name] for name in nothing if name in dropped}
    given |= {"spans": None} if "text" in dropped else {}
    made = Corpus(markers=corpus.markers, repairs=corpus.repairs.copy())
    for i in only_words(corpus):
        i = replace(i, heads=(i.target,)) if "heads" in dropped else i
        if "markers" in dropped:
            i = replace(i, senses=corpus.labels(i))
        made.instances.append(replace(i, **given))
    layers: dict[str, Any] = {name: None for name in ("tags", "lemmas") if name in dropped}
    if "document" not in dropped:
        made.texts = {name: replace(text, **layers) for name, text in corpus.texts.items()}
    if "markers" in dropped:
        made.markers = frozenset()
    return made


def check(
    corpus: Corpus,
    form: Format,
    files: Mapping[str, str | bytes],
    path: Path,
    dropped: frozenset[str],
    sense_key: str,
) -> None:
    """Read back what was written, and refuse what is not what it was.

    Raises
    ------
    InputError
        By the first instance that came back changed, or did not.
    """
    bytes_of = {_name(path, end, files).name: _bytes(data) for end, data in files.items()}
    first = next(iter(files))
    text = files[first]
    source = Source(
        str(_name(path, first, files)),
        text if isinstance(text, str) else "",
        files=bytes_of.get,
        data=text if isinstance(text, bytes) else b"",
        options=Options(sense_key=sense_key),
    )
    errors: list[InputError] = []
    back = form.read(source, errors.append)
    assert isinstance(back, Corpus)
    before = _seen(corpus, form, dropped)
    after = _seen(back, form, dropped)
    compared: dict[tuple[int, int], bool] = {}

    def same(one: object, other: object) -> bool:
        """Compare the layers of a text once, not for each of its instances."""
        key = (id(one), id(other))
        if key not in compared:
            compared[key] = one == other
        return compared[key]

    for name, (instance, fields) in before.items():
        found = after.get(name)
        if found is None:
            as_many = not errors and len(after) == len(before)
            what = f" ({errors[0].what})" if errors else ""
            raise InputError(
                f"{form.name} cannot hold {'the id of ' * as_many}instance {instance.id!r}{what}",
                ADVICE.format("id") if as_many else "choose another format",
                where=instance.place,
            )
        for field, value in fields.items():
            gained = field in ("document", "text") and value is None
            if not same(found[1][field], value) and field not in dropped and not gained:
                advice = ADVICE.format(field) if field in DROPS else "choose another format"
                raise InputError(
                    f"{form.name} cannot hold the {field} of instance {instance.id!r}",
                    advice,
                    where=instance.place,
                )


def _seen(
    corpus: Corpus, form: Format, dropped: frozenset[str]
) -> dict[object, tuple[Instance, dict[str, Any]]]:
    """Return what each instance is, by its id, or by its number where ids are dropped.

    In running text it is what it is in the whole text: the context around it may be cut elsewhere.
    """
    whole: dict[str, tuple[dict[str, Any], Span]] = {}
    for passage in passages(corpus) if form.running else ():
        starts = (0, *(start for start in passage.text.sentences if start))
        shared = {"sentences": starts, "document": passage.name, **_layers(passage.text)}
        whole |= {i.id: (shared, span) for span, i in passage.marks}
    made: dict[object, tuple[Instance, dict[str, Any]]] = {}
    for number, i in enumerate(only_words(corpus)):
        alone = {"sentences": i.sentences, "document": i.document}
        shared, span = whole[i.id] if i.id in whole else ({**alone, **_layers(i)}, i.target)
        fields = {
            **shared,
            "target": span,
            "id": i.id,
            "lexelt": i.lexelt,
            "senses": frozenset(i.senses),
            "markers": frozenset(i.senses) & corpus.markers,
            "heads": i.heads[1:],
            "satellites": i.satellites,
        }
        if i.document is None:
            fields["document"] = None
        made[number if "id" in dropped else i.id] = (i, fields)
    return made


def _layers(text: Instance | Text) -> dict[str, Any]:
    layers = {name: getattr(text, name) for name in ("text", "tags", "lemmas")}
    return {"tokens": text.forms, **layers}
