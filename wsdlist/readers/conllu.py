"""CoNLL-U with senses in MISC (``Sense=bank%1:17:01::``); everything else is kept as it is.

https://universaldependencies.org/format.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wsdlist.corpus import Corpus, Text
from wsdlist.errors import InputError
from wsdlist.readers.sources import Source
from wsdlist.readers.words import Building, Mark, lexelt_of, passages

NAME = "conllu"
DESCRIPTION = "CoNLL-U, the senses in MISC (Sense=..., or the key named with --sense-key)"
COLUMNS = 10
LINE = re.compile(r"\d+(?:[-.]\d+)?\t[^\t\n]+\t")
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

    @property
    def misc(self) -> dict[str, str]:
        """The keys and values of MISC."""
        pairs = (pair.partition("=") for pair in self.fields[COLUMNS - 1].split("|"))
        return {key: value for key, mark, value in pairs if mark}


@dataclass
class Sentence:
    """The words of a sentence, without ranges and empty nodes, and what its comments say."""

    words: list[Word] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)


def sentences(source: Source, fail: Callable[[InputError], None]) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    made = Sentence()
    for number, line in source.lines():
        if not line.strip():
            if made.words:
                yield made
                made = Sentence()
        elif line[0] == "#":
            key, mark, value = line[1:].partition("=")
            made.comments[key.strip()] = value.strip() if mark else ""
        else:
            fields = line.split("\t")
            if len(fields) < COLUMNS or not fields[0] or not fields[1].strip():
                fail(
                    InputError(
                        f"the line has {len(fields)} columns for {COLUMNS}, or no form",
                        "part them by tabs, _ where there is nothing",
                        where=f"{source.name}:{number}",
                    )
                )
            elif fields[0].isdecimal():
                made.words.append(Word(number, fields))
    if made.words:
        yield made


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    A word is an instance where MISC has the key of the sense; several senses are joined by ``;``.
    ``<key>End=4`` says that its last word is the fourth, ``<key>Id=...`` its id, which is else
    made of the sentence's, and ``Lexelt=...`` its lexelt, which is else lemma and part of speech.
    Tags are XPOS where the file has it, else UPOS.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    key = source.options.sense_key
    text = Building(source.stem)
    found = list(sentences(source, fail))
    own = any(word.fields[4] != "_" for sentence in found for word in sentence.words)
    for number, sentence in enumerate(found, start=1):
        if "newdoc id" in sentence.comments and text.forms:
            text.finish(corpus)
            text = Building(source.stem)
        text.name = sentence.comments.get("newdoc id", text.name)
        if text.name in corpus.texts:
            raise InputError(
                f"a document has the id {text.name!r} of another",
                "rename it",
                where=f"{source.name}:{sentence.words[0].line}",
            )
        text.sentence()
        _marks(source, text, sentence, number, key, own, fail)
    text.finish(corpus)
    return corpus


def _marks(
    source: Source,
    text: Building,
    sentence: Sentence,
    number: int,
    key: str,
    own: bool,
    fail: Callable[[InputError], None],
) -> None:
    """Add a sentence to a text, with its instances."""
    spans = {}
    for word in sentence.words:
        tag = word.fields[4] if own else word.fields[3]
        lemma = None if word.fields[2] == "_" != word.fields[1] else word.fields[2]
        forms = (word.fields[1],)
        spans[word.fields[0]] = text.add(forms, lemma, None if tag == "_" else tag)
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
        lexelt = misc.get(LEXELT) or lexelt_of(word.fields[2], word.fields[3])
        sent = sentence.comments.get("sent_id", f"{text.name}.s{number}")
        name = misc.get(key + ID, f"{sent}.{place}")
        where = f"{source.name}:{word.line}"
        text.marks.append(Mark((start, spans[last][1]), name, lexelt, senses, where))


def write(corpus: Corpus, key: str = "Sense") -> dict[str, str]:
    """Return a corpus as CoNLL-U: forms, lemmas, tags (as XPOS, and as UPOS), and MISC."""
    lines = []
    for passage in passages(corpus):
        text = passage.text
        new = [f"# newdoc id = {passage.name}"]
        for number, (start, end, marks) in enumerate(passage.sentences(), start=1):
            given: dict[int, list[str]] = {}
            for (first, last), instance in marks:
                if last > end or first in given:
                    raise InputError(
                        f"{NAME} cannot hold two words in one place, or one beyond its sentence: "
                        f"instance {instance.id!r}",
                        "choose another format",
                        where=instance.place,
                    )
                given[first] = [f"{key}={SEVERAL.join(instance.senses)}"]
                if last - first > 1:
                    given[first].append(f"{key}{END}={last - start}")
                given[first].append(f"{key}{ID}={instance.id}")
                given[first].append(f"{LEXELT}={instance.lexelt}")
            lines += [*new, f"# sent_id = {passage.name}.s{number}"]
            new = []
            for at in range(start, end):
                lemma = "_" if text.lemmas is None else text.lemmas[at]
                tag = "_" if text.tags is None else text.tags[at]
                columns = [str(at - start + 1), text.forms[at], lemma, "_", tag]
                misc = "|".join(given.get(at, ["_"]))
                lines.append("\t".join([*columns, "_", "_", "_", "_", misc]))
            lines.append("")
    return {"": "".join(f"{line}\n" for line in lines)}


def with_senses(text: str, found: Mapping[int, Sequence[tuple[str, str]]]) -> str:
    """Return a file with keys and values in the MISC of some lines, numbered from 1.

    A key that is there already is replaced; all else stays, line ends too.
    """
    lines = text.split("\n")
    for number, pairs in found.items():
        line = lines[number - 1].removesuffix("\r")
        end = lines[number - 1][len(line) :]
        fields = line.split("\t")
        new = {key for key, _ in pairs}
        old = [one for one in fields[COLUMNS - 1].split("|") if one.partition("=")[0] not in new]
        kept = [] if old == ["_"] else old
        fields[COLUMNS - 1] = "|".join([*kept, *(f"{key}={value}" for key, value in pairs)])
        lines[number - 1] = "\t".join(fields) + end
    return "\n".join(lines)


def words_to_tag(source: Source, key: str) -> tuple[Text, list[int]]:
    """Return a file as one text, and the line of each of its tokens.

    Words that have a sense already are taken.

    Raises
    ------
    InputError
        When a line has too few columns.
    """

    def refuse(error: InputError) -> None:
        raise error

    text = Building(source.stem)
    found = list(sentences(source, refuse))
    own = any(word.fields[4] != "_" for sentence in found for word in sentence.words)
    for number, sentence in enumerate(found, start=1):
        text.sentence()
        _marks(source, text, sentence, number, key, own, refuse)
    corpus = Corpus()
    text.finish(corpus)
    lines = [word.line for sentence in found for word in sentence.words]
    taken = tuple(mark.span for mark in text.marks)
    return replace(corpus.texts[text.name], taken=taken), lines
