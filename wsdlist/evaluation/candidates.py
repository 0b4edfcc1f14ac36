"""What may be annotated next: the trained words of texts and corpora, with what stands around.

:func:`wsdlist.evaluation.suggest.suggest` chooses among them.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wsdlist.data.corpus import Instance, Text
from wsdlist.errors import stop
from wsdlist.models.model import Model
from wsdlist.readers import Parts, conllu, csv_table
from wsdlist.readers.formats import sniff
from wsdlist.readers.plain import blocks
from wsdlist.readers.sources import NoText, Source, load
from wsdlist.readers.words import only_words
from wsdlist.training.prepare import read_for

SIDE, TOKENS = 400, 60  # characters of a text, or its tokens, shown to either side


@dataclass(frozen=True)
class Candidate:
    """An instance, and what is written before it, it, and what is written after it."""

    instance: Instance
    left: str
    target: str
    right: str


@dataclass
class Candidates:
    """The candidates of a file or folder.

    Parameters
    ----------
    found
        In order, those that have a sense too.
    repairs
        What had to be mended in a text.
    """

    found: list[Candidate]
    repairs: Counter[str] = field(default_factory=Counter)


def candidates(
    model: Model,
    path: str | Path,
    *,
    pipeline: str | None = None,
    format: str | None = None,
    about: Callable[[Parts], None] | None = None,
) -> Candidates:
    """Return the occurrences of a model's words in a text, or the instances of a corpus.

    Parameters
    ----------
    model
        Its words are looked for.
    path
        A text, CoNLL-U, whose words are looked for too, or any corpus. A table whose
        header names no context may be text with commas, and is taken for text.
    pipeline
        The spaCy pipeline for tags and lemmas that are lacking; by default the model's.
    format
        The format of a corpus; by default it is found from the content.
    about
        Called with what was read, if it is a corpus.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    sources = [] if Path(path).is_dir() else list(load(path))
    source = sources[0] if len(sources) == 1 else None
    if isinstance(source, NoText):
        raise source.error
    known = None if source is None else sniff(source)
    is_conllu = known is not None and known.name == conllu.NAME
    is_text = format is None and (known is None or known.name == csv_table.NAME)
    if source is not None and is_conllu and format in (None, conllu.NAME):
        return Candidates(list(_of_conllu(model, source, pipeline)))
    if source is not None and is_text:
        return Candidates(list(_of_plain_text(model, source, pipeline)), source.repairs)
    parts = read_for(model, [path], pipeline=pipeline, about=about, format=format)
    corpora = [corpus for corpus in (parts.train, parts.test) if corpus is not None]
    found = [_of_corpus(instance) for corpus in corpora for instance in only_words(corpus)]
    return Candidates(found)


def _of_conllu(model: Model, source: Source, pipeline: str | None) -> Iterator[Candidate]:
    before = 0
    for text, _ in conllu.to_tag(source, stop):
        yield from _occurrences(model, text, pipeline, source.name, before)
        before += len(text.forms)


def _of_plain_text(model: Model, source: Source, pipeline: str | None) -> Iterator[Candidate]:
    stream = io.BufferedReader(io.BytesIO(source.text.encode("utf-8", "replace")))
    for block in blocks(stream, source.name, source.repairs):
        yield from _occurrences(model, block.text, pipeline, source.name, block.start)


def _occurrences(
    model: Model, text: str | Text, pipeline: str | None, name: str, before: int
) -> Iterator[Candidate]:
    """Yield the occurrences of trained words; a list over several of them cannot be annotated."""
    for found in model.find(text, pipeline=pipeline):
        if found.instance is None or found.lexelt not in model:
            continue
        place = f"{name}:{before + found.start}"
        instance = replace(found.instance, id=place, document=name)
        if isinstance(text, str):
            yield _around(instance, text, found.start, found.end)
        else:
            yield _between(instance, text.forms, found.start, found.end)


def _of_corpus(instance: Instance) -> Candidate:
    if instance.text is not None and instance.characters is not None:
        return _around(instance, instance.text, *instance.characters)
    return _between(instance, instance.forms, *instance.target)


def _between(instance: Instance, forms: Sequence[str], start: int, end: int) -> Candidate:
    """Return an instance with the tokens around it."""
    left, right = forms[max(start - TOKENS, 0) : start], forms[end : end + TOKENS]
    return Candidate(instance, " ".join(left), " ".join(forms[start:end]), " ".join(right))


def _around(instance: Instance, text: str, start: int, end: int) -> Candidate:
    """Return an instance with the text around it, cut between words."""
    left, right = text[max(start - SIDE, 0) : start], text[end : end + SIDE]
    if start > SIDE and " " in left[:-1]:
        left = left.partition(" ")[2]
    if len(text) - end > SIDE and " " in right[1:]:
        right = right.rpartition(" ")[0]
    return Candidate(instance, left, text[start:end], right)
