"""The unified all-words format: ``NAME.data.xml`` and beside it ``NAME.gold.key.txt``.

A. Raganato, J. Camacho-Collados & R. Navigli, "Word sense disambiguation: a unified evaluation
framework and empirical comparison", EACL 2017. The coarse all-words task of SemEval-2007 has the
same layout, but bare words between the instances, and keys of another kind.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from wsdlist.data.corpus import Corpus, Instance, Span, Text
from wsdlist.data.pos import UNIVERSAL, part_of_speech, split_lexelt
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers._xml import Event, events
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import Building, Mark, cannot, passages

NAME = "unified"
DESCRIPTION = "all-words XML, NAME.data.xml with NAME.gold.key.txt beside it"
DATA, KEY = ".data.xml", ".gold.key.txt"
TEXT = re.compile(r"<text\b[^<>]*>\s*(?:<[^<>]*>\s*)*?<sentence\b")


def sniff(text: str) -> bool:
    """Say whether the beginning of a file has a text of sentences."""
    return TEXT.search(text) is not None


def companions(name: str) -> tuple[str, ...]:
    """Return the names of the files that belong to a file of this format."""
    return (name.removesuffix(DATA) + KEY,) if name.endswith(DATA) else ()


def read(source: Source, fail: Fail) -> Corpus:
    """Read a corpus, with the key beside it if any; see :func:`wsdlist.readers.read`.

    The words of a text are its tokens; an instance may have several. Its lexelt is its lemma with
    its part of speech.

    Raises
    ------
    InputError
        When the XML or the key cannot be read; ``fail`` gets the errors of instances.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    key: dict[str, tuple[str, ...]] = {}
    for name in companions(source.stem):
        found = source.beside(name)
        if found is not None:
            key = read_key(found)
    reading = _Reading(source, corpus, key, fail)
    for event in events(source, corpus.repairs):
        reading.take(event)
    unused = set(key) - {item.id for item in corpus}
    if unused:
        corpus.repairs["lines of the key beside it about no instance"] += len(unused)
    return corpus


class _Reading:
    """What has been read of a file so far."""

    def __init__(
        self,
        source: Source,
        corpus: Corpus,
        key: dict[str, tuple[str, ...]],
        fail: Fail,
    ) -> None:
        self.source, self.corpus, self.key, self.fail = source, corpus, key, fail
        self.text: Building | None = None
        self.word: dict[str, str] | None = None  # the element that is open
        self.written = ""

    def take(self, event: Event) -> None:
        """Take the next event of the file."""
        kind, name, given, line = event
        place = f"{self.source.name}:{line}"
        if kind == ".":
            self._characters(name)
        elif name == "text":
            self._text(kind, given, place)
        elif name == "sentence":
            if kind == "+" and self.text is not None:
                self.text.sentence()
        elif name in ("wf", "instance"):
            if kind == "+":
                self.word, self.written = given, ""
            elif self.word is not None and self.text is not None:
                self._word(self.text, self.word, name == "instance", place)
                self.word = None

    def _characters(self, characters: str) -> None:
        if self.word is None and self.text is not None:
            for form in characters.split():  # SemEval-2007 has words without an element
                self.text.add((form,))
        self.written += characters

    def _text(self, kind: str, given: dict[str, str], place: str) -> None:
        if kind == "+":
            if not given.get("id"):
                raise InputError("a text has no id", "give each text its own", where=place)
            self.text = Building(given["id"], whole=True)
        elif self.text is not None:
            self.text.finish(self.corpus, place)
            self.text = None

    def _word(self, text: Building, given: dict[str, str], marked: bool, place: str) -> None:
        forms, tag, lemma = self.written.split(), given.get("pos"), given.get("lemma")
        span = text.add(forms, lemma, given.get("tag", tag))
        if not marked:
            return
        name = given.get("id", "")
        if not (name and lemma and forms):
            what = "no id" if not name else "no lemma" if not lemma else "no word"
            self.fail(InputError(f"an instance has {what}", "give it one", where=place))
            return
        senses = self.key.get(name, ())
        lexelt = lexelt_of(lemma, tag, senses if tag is None else ())
        text.marks.append(Mark(span, name, lexelt, senses, place))


def read_key(source: Source) -> dict[str, tuple[str, ...]]:
    """Read a key of lines ``id sense [sense ...]``; several lines may give senses to one id.

    Returns the senses of each id, each sense once. A line with an id alone says that it has none.
    """
    key: dict[str, tuple[str, ...]] = {}
    for _, line in source.lines():
        fields = line.split()
        if fields:
            key[fields[0]] = tuple(dict.fromkeys((*key.get(fields[0], ()), *fields[1:])))
    return key


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return the two files of a corpus by the ends of their names.

    An instance gets the part of speech of its lexelt, and an attribute ``tag`` if its tag differs.

    Raises
    ------
    InputError
        When an instance crosses a sentence or overlaps another one.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<corpus>"]
    keys: list[str] = []
    for passage in passages(corpus):
        text = passage.text
        lines.append(f"<text id={quoteattr(passage.name)}>")
        for number, (start, end, marks) in enumerate(passage.sentences()):
            lines.append(f"<sentence id={quoteattr(f'{passage.name}.s{number:03d}')}>")
            at = start
            for span, instance in marks:
                if span[0] < at or span[1] > end:
                    raise cannot(NAME, "words that overlap, or cross a sentence", instance)
                lines += [_word(text, n) for n in range(at, span[0])]
                lines.append(_instance(instance, span, text.forms, text.tags))
                keys += [" ".join((instance.id, *instance.senses))] if instance.senses else []
                at = span[1]
            lines += [_word(text, n) for n in range(at, end)]
            lines.append("</sentence>")
        lines.append("</text>")
    return {
        DATA: "\n".join([*lines, "</corpus>"]) + "\n",
        KEY: "".join(f"{line}\n" for line in keys),
    }


def _word(text: Text, number: int) -> str:
    lemma = "" if text.lemmas is None else f" lemma={quoteattr(text.lemmas[number])}"
    tag = "" if text.tags is None else f" pos={quoteattr(text.tags[number])}"
    return f"<wf{lemma}{tag}>{escape(text.forms[number])}</wf>"


def _instance(
    instance: Instance, span: Span, forms: tuple[str, ...], tags: tuple[str, ...] | None
) -> str:
    word, part = split_lexelt(instance.lexelt)
    lemma = instance.lexelt if part is None else word.replace(" ", "_")
    given = {"id": instance.id, "lemma": lemma}
    if part is not None:
        given["pos"] = UNIVERSAL[part]
    if tags is not None:
        tag = tags[span[0]]
        if part is None and part_of_speech(tag) in (None, "x"):
            given["pos"] = tag
        elif given.get("pos") != tag:
            given["tag"] = tag
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in given.items())
    return f"<instance{attributes}>{escape(' '.join(forms[slice(*span)]))}</instance>"
