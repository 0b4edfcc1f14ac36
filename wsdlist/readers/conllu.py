"""CoNLL-U with senses in MISC (``Sense=bank%1:17:01::``); everything else is kept as it is.

https://universaldependencies.org/format.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from wsdlist.data.corpus import Corpus, Text
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import InputError
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import Building, Mark, Passage, cannot, passages

NAME = "conllu"
DESCRIPTION = "CoNLL-U, the senses in MISC (Sense=..., or the key named with --sense-key)"
COLUMNS = 10
NUMBER = re.compile(r"\d+(?:[-.]\d+)?")
LINE = re.compile(r"\d+(?:[-.]\d+)?\t[^\t\n]+\t")
UPOS = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON"),
        *("PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_"),
    )
)
LEXELT, END, ID = "Lexelt", "End", "Id"  # beside the key of the sense, where they are needed
SEVERAL = ";"  # joins senses


def sniff(text: str) -> bool:
    """Say whether the first line that is no comment has ten fields or more."""
    for line in text.split("\n"):
        if line and line[0] != "#":
            return bool(LINE.match(line)) and line.count("\t") >= COLUMNS - 1
    return False


@dataclass
class Word:
    """A word of a sentence: its line in the file, and its columns."""

    line: int
    fields: list[str]

    def problem(self, due: int) -> tuple[str, str] | None:
        """Say what is wrong with the line where word ``due`` could stand, and what to do."""
        fields = self.fields
        if len(fields) < COLUMNS or not fields[1].strip():
            what = f"the line has {len(fields)} columns for {COLUMNS}, or no form"
            return what, "part them by tabs, _ where there is nothing"
        if not NUMBER.fullmatch(fields[0]):
            return f"{fields[0]!r} is no number of a word", "count from 1"
        if fields[0].isdecimal() and int(fields[0]) != due:
            what = f"this is word {fields[0]} where word {due} is due"
            return what, "part sentences by an empty line, and count their words from 1"
        keys = [one.partition("=")[0] for one in fields[COLUMNS - 1].split("|") if "=" in one]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            return f"MISC has {twice} twice", "join several senses by ;"
        return None

    @property
    def misc(self) -> dict[str, str]:
        """The keys and values of MISC."""
        pairs = (pair.partition("=") for pair in self.fields[COLUMNS - 1].split("|"))
        return {key: value for key, mark, value in pairs if mark}

    @property
    def lexelt(self) -> str:
        """What it says of its lexelt; else its lemma, or form, with its part of speech."""
        form, lemma, upos, xpos = self.fields[1:5]
        tag = upos if upos != "_" else xpos
        return self.misc.get(LEXELT) or lexelt_of(form.lower() if lemma == "_" else lemma, tag)


@dataclass
class Sentence:
    """The words of a sentence, without ranges and empty nodes, and what its comments say.

    ``line`` is that of its first comment or word.
    """

    line: int = 0
    words: list[Word] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)


def sentences(source: Source, fail: Callable[[InputError], None]) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    made = Sentence()
    for number, line in source.lines():
        if line.strip():
            made.line = made.line or number
        if not line.strip():
            if made.words:
                yield made
                made = Sentence()
        elif line[0] == "#":
            key, mark, value = line[1:].partition("=")
            made.comments[key.strip()] = value.strip() if mark else ""
        else:
            word = Word(number, line.split("\t"))
            problem = word.problem(len(made.words) + 1)
            if problem is not None:
                fail(InputError(*problem, where=f"{source.name}:{number}"))
            elif word.fields[0].isdecimal():
                made.words.append(word)
    if made.words:
        yield made


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    A word is an instance where MISC has the key of the sense; several senses are joined by ``;``.
    ``<key>End=4`` says that its last word is the fourth, ``<key>Id=...`` its id, which is else
    made of the sentence's, and ``Lexelt=...`` its lexelt, which is else lemma (or form) and part
    of speech. Tags are XPOS where the file has it, else UPOS. The text of each document is kept,
    so that :func:`write` gives it back as it was.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    for text, part in documents(source, fail):
        text.finish(corpus, f"{source.name}:{part.line}")
        corpus.written[text.name] = part.text
    return corpus


@dataclass
class Part:
    """The lines of a document in a file, the number of the first, and its words."""

    line: int
    text: str
    words: list[Word]


def documents(
    source: Source, fail: Callable[[InputError], None]
) -> Iterator[tuple[Building, Part]]:
    """Yield the documents of a file, with the lines they are made of."""
    found = list(sentences(source, fail))
    own = any(word.fields[4] != "_" for sentence in found for word in sentence.words)
    lines = source.text.split("\n")
    starts = [n for n, one in enumerate(found) if not n or "newdoc id" in one.comments]
    for start, end in pairwise([*starts, len(found)]):
        first = found[start].line if start else 1
        last = found[end].line - 1 if end < len(found) else len(lines)
        text = Building(found[start].comments.get("newdoc id", source.stem))
        for number, sentence in enumerate(found[start:end], start=1):
            text.sentence()
            _add(source, text, sentence, number, own, fail)
        words = [word for sentence in found[start:end] for word in sentence.words]
        yield text, Part(first, "\n".join(lines[first - 1 : last]), words)


def _add(
    source: Source,
    text: Building,
    sentence: Sentence,
    number: int,
    own: bool,
    fail: Callable[[InputError], None],
) -> None:
    """Add a sentence to a text, with its instances."""
    key = source.options.sense_key
    spans = {}
    for word in sentence.words:
        upos, xpos = word.fields[3:5]
        tag = xpos if own and xpos != "_" else upos
        lemma = None if word.fields[2] == "_" != word.fields[1] else word.fields[2]
        spans[word.fields[0]] = text.add((word.fields[1],), lemma, None if tag == "_" else tag)
    for place, word in enumerate(sentence.words, start=1):
        misc = word.misc
        if key not in misc:
            continue
        start = spans[word.fields[0]][0]
        last = misc.get(key + END, word.fields[0])
        if last not in spans or spans[last][0] < start:
            fail(
                InputError(
                    f"{key + END}={last} is no word behind it",
                    "name the last word of the target",
                    where=f"{source.name}:{word.line}",
                )
            )
            continue
        senses = tuple(dict.fromkeys(one for one in misc[key].split(SEVERAL) if one))
        sent = sentence.comments.get("sent_id", f"{text.name}.s{number}")
        name = misc.get(key + ID, f"{sent}.{place}")
        where = f"{source.name}:{word.line}"
        mark = Mark((start, spans[last][1]), name, word.lexelt, senses, where)
        text.marks.append(mark)


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return a corpus as CoNLL-U: forms, lemmas, tags, and MISC.

    A document that was read as CoNLL-U is as it was. Of another, tags that are universal are UPOS,
    others XPOS.
    """
    parts = []
    for passage in passages(corpus):
        written = corpus.written.get(passage.name)
        parts.append(written or "\n".join(_document(passage, options.sense_key)))
    text = "\n".join(parts)
    return {"": text if text.endswith("\n\n") else text + "\n"}


def _document(passage: Passage, key: str) -> Iterator[str]:
    """Yield the lines of a document."""
    text = passage.text
    universal = {*(text.tags or ())} <= UPOS
    yield f"# newdoc id = {passage.name}"
    for number, (start, end, marks) in enumerate(passage.sentences(), start=1):
        given: dict[int, list[str]] = {}
        for (first, last), instance in marks:
            if last > end or first in given:
                raise cannot(NAME, "words that overlap, or cross a sentence", instance)
            for value in (*instance.senses, instance.id, instance.lexelt):
                if _bad(value, several=value in instance.senses):
                    raise cannot(NAME, f"{value!r} in MISC", instance)
            given[first] = [f"{key}={SEVERAL.join(instance.senses)}"]
            if last - first > 1:
                given[first].append(f"{key}{END}={last - start}")
            given[first].append(f"{key}{ID}={instance.id}")
            given[first].append(f"{LEXELT}={instance.lexelt}")
        yield f"# sent_id = {passage.name}.s{number}"
        for at in range(start, end):
            lemma = "_" if text.lemmas is None else text.lemmas[at]
            tag = "_" if text.tags is None else text.tags[at]
            tags = [tag, "_"] if universal else ["_", tag]
            columns = [str(at - start + 1), text.forms[at], lemma, *tags, "_", "_", "_", "_"]
            yield "\t".join([*columns, "|".join(given.get(at, ["_"]))])
        yield ""


def _bad(value: str, *, several: bool) -> bool:
    """Say whether MISC cannot hold a value, one that several may be joined with."""
    return any(character in value for character in "|\t\r\n" + SEVERAL * several)


def with_senses(source: Source, text: str, found: Mapping[int, Sequence[tuple[str, str]]]) -> str:
    """Return a file with keys and values in the MISC of some lines, numbered from 1.

    A key that is there already is replaced; all else stays, line ends too.

    Raises
    ------
    InputError
        When MISC cannot hold a value.
    """
    lines = text.split("\n")
    for number, pairs in found.items():
        for _, value in pairs:
            if _bad(value, several=True):
                raise InputError(
                    f"MISC cannot hold the sense {value!r}",
                    "print it as a table or JSON",
                    where=f"{source.name}:{number}",
                )
        line = lines[number - 1].removesuffix("\r")
        end = lines[number - 1][len(line) :]
        fields = line.split("\t")
        new = {key for key, _ in pairs}
        old = [one for one in fields[COLUMNS - 1].split("|") if one.partition("=")[0] not in new]
        kept = [one for one in old if one not in ("_", "")]
        fields[COLUMNS - 1] = "|".join([*kept, *(f"{key}={value}" for key, value in pairs)])
        lines[number - 1] = "\t".join(fields) + end
    return "\n".join(lines)


def to_tag(source: Source, fail: Callable[[InputError], None]) -> Iterator[tuple[Text, list[Word]]]:
    """Yield the documents of a file as texts, and the word behind each of their tokens.

    Words that have a sense already are taken.
    """
    for text, part in documents(source, fail):
        corpus = Corpus()
        text.finish(corpus, f"{source.name}:{part.line}")
        taken = tuple(mark.span for mark in text.marks)
        yield replace(corpus.texts[text.name], taken=taken), part.words
