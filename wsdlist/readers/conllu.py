"""CoNLL-U with senses in MISC (``Sense=bank%1:17:01::``); everything else is kept as it is.

https://universaldependencies.org/format.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from wsdlist.data.corpus import Corpus, Text
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import Building, Mark, Passage, cannot, passages

NAME = "conllu"
DESCRIPTION = "CoNLL-U, the senses in MISC (Sense=..., or the key named with --sense-key)"
COLUMNS = 10
NUMBER = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
LINE = re.compile(r"[0-9]+(?:[-.][0-9]+)?\t[^\t\n]+\t")
UPOS = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON"),
        *("PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_"),
    )
)
LEXELT, END, ID = "Lexelt", "End", "Id"  # keys of MISC beside that of the sense
SEVERAL = ";"  # joins senses


def sniff(text: str) -> bool:
    """Say whether the first line that is no comment has ten fields or more."""
    for line in text.split("\n"):
        if line and line[0] != "#":
            return bool(LINE.match(line)) and line.count("\t") >= COLUMNS - 1
    return False


@dataclass
class Word:
    """A word of a sentence: the number of its line, from 1, and its columns."""

    line: int
    fields: list[str]

    def problem(self, due: int) -> tuple[str, str] | None:
        """Return what is wrong with the line and what to do, None if nothing is.

        ``due`` is the number of the word that comes next in the sentence.
        """
        fields = self.fields
        if len(fields) < COLUMNS or not fields[1].strip():
            what = f"the line has {len(fields)} columns for {COLUMNS}, or no form"
            return what, "part them by tabs, _ where there is nothing"
        if not NUMBER.fullmatch(fields[0]):
            return f"{fields[0]!r} is no number of a word", "count from 1"
        if fields[0].isdecimal() and int(fields[0]) != due:
            what = f"this is word {fields[0]} where word {due} is due"
            return what, "part sentences by an empty line, and count their words from 1"
        keys = [pair.partition("=")[0] for pair in fields[COLUMNS - 1].split("|") if "=" in pair]
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
        """The lexelt that MISC names; else the lemma, or form, with the part of speech."""
        form, lemma, upos, xpos = self.fields[1:5]
        tag = upos if upos != "_" else xpos
        return self.misc.get(LEXELT) or lexelt_of(form.lower() if lemma == "_" else lemma, tag)


@dataclass
class Sentence:
    """The words of a sentence, without ranges and empty nodes, and what its comments say.

    ``line`` is the number of the line of its first comment or word.
    """

    line: int = 0
    words: list[Word] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)


def sentences(source: Source, fail: Fail) -> Iterator[Sentence]:
    """Yield the sentences of a file; ``fail`` gets the errors of lines."""
    sentence = Sentence()
    for number, line in source.lines():
        if line.strip():
            sentence.line = sentence.line or number
        if not line.strip():
            if sentence.words:
                yield sentence
                sentence = Sentence()
        elif line[0] == "#":
            key, mark, value = line[1:].partition("=")
            sentence.comments[key.strip()] = value.strip() if mark else ""
        else:
            word = Word(number, line.split("\t"))
            problem = word.problem(len(sentence.words) + 1)
            if problem is not None:
                fail(InputError(*problem, where=f"{source.name}:{number}"))
            elif word.fields[0].isdecimal():
                sentence.words.append(word)
    if sentence.words:
        yield sentence


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    A word is an instance if MISC has the key of the sense; several senses are joined by ``;``.
    Three more keys may be there: ``<key>End=4`` says that the last word of the target is the
    fourth; ``<key>Id=...`` is the id, which otherwise consists of the id of the sentence and the
    number of the word; ``Lexelt=...`` is the lexelt, which otherwise is lemma (or form) and part of
    speech. Tags are XPOS if the file has any, else UPOS. The text of each document is kept, for
    :func:`write` to return it unchanged.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    for text, lines in documents(source, fail):
        text.finish(corpus, f"{source.name}:{lines.first}")
        corpus.written[text.name] = lines.text
    return corpus


@dataclass
class DocumentLines:
    """The number of the first line of a document in its file, its lines, and its words."""

    first: int
    text: str
    words: list[Word]


def documents(source: Source, fail: Fail) -> Iterator[tuple[Building, DocumentLines]]:
    """Yield the documents of a file, with the lines that hold them."""
    found = list(sentences(source, fail))
    has_xpos = any(word.fields[4] != "_" for sentence in found for word in sentence.words)
    lines = source.text.split("\n")
    starts = [n for n, sentence in enumerate(found) if not n or "newdoc id" in sentence.comments]
    for start, end in pairwise([*starts, len(found)]):
        first = found[start].line if start else 1
        last = found[end].line - 1 if end < len(found) else len(lines)
        text = Building(found[start].comments.get("newdoc id", source.stem))
        for number, sentence in enumerate(found[start:end], start=1):
            text.sentence()
            _add(source, text, sentence, number, has_xpos, fail)
        words = [word for sentence in found[start:end] for word in sentence.words]
        yield text, DocumentLines(first, "\n".join(lines[first - 1 : last]), words)


def _add(
    source: Source,
    text: Building,
    sentence: Sentence,
    number: int,
    has_xpos: bool,
    fail: Fail,
) -> None:
    """Add a sentence, the ``number``-th of its document, to a text, with its instances."""
    key = source.options.sense_key
    spans = {}
    for word in sentence.words:
        upos, xpos = word.fields[3:5]
        tag = xpos if has_xpos and xpos != "_" else upos
        lemma = None if word.fields[2] == "_" != word.fields[1] else word.fields[2]
        spans[word.fields[0]] = text.add((word.fields[1],), lemma, None if tag == "_" else tag)
    for position, word in enumerate(sentence.words, start=1):
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
        senses = tuple(dict.fromkeys(sense for sense in misc[key].split(SEVERAL) if sense))
        sent = sentence.comments.get("sent_id", f"{text.name}.s{number}")
        name = misc.get(key + ID, f"{sent}.{position}")
        place = f"{source.name}:{word.line}"
        text.marks.append(Mark((start, spans[last][1]), name, word.lexelt, senses, place))


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return a corpus as CoNLL-U: forms, lemmas, tags, and MISC.

    A document that was read as CoNLL-U is returned unchanged. In others the tags become UPOS if all
    of them are universal, else XPOS.

    Raises
    ------
    InputError
        When an instance crosses a sentence or overlaps another one, or MISC cannot hold it.
    """
    documents = []
    for passage in passages(corpus):
        written = corpus.written.get(passage.name)
        documents.append(written or "\n".join(_document(passage, options.sense_key)))
    text = "\n".join(documents)
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
    """Say whether MISC cannot hold a value, or (``several``) not if it is joined to others."""
    return any(character in value for character in "|\t\r\n" + SEVERAL * several)


def with_senses(source: Source, text: str, found: Mapping[int, Sequence[tuple[str, str]]]) -> str:
    """Return the text of a file with more keys and values in MISC.

    A key that is there already gets the new value; all else stays, even line ends.

    Parameters
    ----------
    source
        The file, for messages.
    text
        Its text.
    found
        The keys and values for each line that gets some, by the number of the line from 1.

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
        old = [pair for pair in fields[COLUMNS - 1].split("|") if pair not in ("_", "")]
        kept = [pair for pair in old if pair.partition("=")[0] not in new]
        fields[COLUMNS - 1] = "|".join([*kept, *(f"{key}={value}" for key, value in pairs)])
        lines[number - 1] = "\t".join(fields) + end
    return "\n".join(lines)


def to_tag(source: Source, fail: Fail) -> Iterator[tuple[Text, list[Word]]]:
    """Yield the documents of a file as texts, and the word of each of their tokens.

    Words that have a sense already are :attr:`Text.taken`.
    """
    for text, lines in documents(source, fail):
        corpus = Corpus()
        text.finish(corpus, f"{source.name}:{lines.first}")
        taken = tuple(mark.span for mark in text.marks)
        yield replace(corpus.texts[text.name], taken=taken), lines.words
