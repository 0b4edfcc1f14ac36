"""Senseval lexical samples: XML as it was released (PAPERS: Senseval-2, Senseval-3), and keys.

The released files are not well-formed (no root, undeclared entities, bare ``&``). So they are
searched for the few elements that matter, and everything else is text. A DOCTYPE is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5, name2codepoint
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from wsdlist.data.corpus import Corpus, Instance, Span
from wsdlist.data.tokens import sentence_starts, tokenize
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import only_words

NAME = "senseval"
DESCRIPTION = "Senseval lexical-sample XML, with its answers inside or in a key file"
MARKERS = frozenset({"U", "P"})  # unassignable, proper name

TAG = re.compile(
    r"<(/?)(lexelt|instance|answer|context|head|sat)\b"
    r"""((?:\s+\w+\s*=\s*(?:"[^"]*"|'[^']*'))*[^<>]*)>"""
)
COMMENT = re.compile(r"<!--.*?-->", re.S)
OTHER_TAG = re.compile(r"<[/?!]?[A-Za-z][^<>]*>")
ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
BRACKET = re.compile(r"\[/?[a-z]+[0-9]?\]")
REFERENCE = re.compile(r"&(?:#([0-9]+|[xX][0-9a-fA-F]+)|([A-Za-z]\w*))( ?;)?")


def sniff(text: str) -> bool:
    """Say whether the beginning of a file looks like a Senseval lexical sample."""
    return bool(re.search(r"<instance\b[^<>]*>", text)) and "<wf " not in text


@dataclass
class Raw:
    """An instance before its context is read: its position and what its elements say.

    ``start`` and ``context`` are positions in the text of the file, in code points.
    """

    id: str
    lexelt: str
    document: str | None
    start: int
    senses: list[str] = field(default_factory=list)
    context: tuple[int, int] | None = None

    def take(self, match: re.Match[str]) -> None:
        """Take what a tag inside the instance says; ``match`` is one of :data:`TAG`."""
        closing, tag = bool(match[1]), match[2]
        if tag == "answer" and not closing:
            sense = attributes(match[3]).get("senseid", "")
            if sense and sense not in self.senses:
                self.senses.append(sense)
        elif tag == "context":
            begin = self.context[0] if self.context else match.end()
            self.context = (begin, match.start() if closing else begin)

    def problem(self) -> tuple[str, str] | None:
        """Return what is missing and what to do about it, None if the instance is complete."""
        if not self.id:
            return "has no id", 'give it an id="..."'
        if not self.lexelt:
            return "belongs to no lexelt", "put it into a <lexelt>"
        if self.context is None:
            return "has no context", "give it a <context>"
        return None


def attributes(text: str) -> dict[str, str]:
    """Return the attributes of a tag, with their character references resolved."""
    ignored: Counter[str] = Counter()
    return {
        name: resolve(double or single, ignored) for name, double, single in ATTRIBUTE.findall(text)
    }


def scan(source: Source, fail: Fail) -> Iterator[Raw]:
    """Yield the instances of a file; ``fail`` gets the errors of those that cannot be used.

    Comments in the text of ``source`` become spaces.
    """
    lexelt: str | None = None
    raw: Raw | None = None
    if "<!--" in source.text:  # spaces in their place keep the positions of the rest
        source.text = COMMENT.sub(lambda m: re.sub("[^\n]", " ", m[0]), source.text)
    for match in TAG.finditer(source.text):
        closing, tag = bool(match[1]), match[2]
        if tag == "lexelt":
            lexelt = None if closing else attributes(match[3]).get("item")
        elif tag == "instance" and not closing:
            found = attributes(match[3])
            if raw is not None:
                fail(_error(source, raw, "is not closed", "close it with </instance>"))
            word = lexelt or found.get("lexelt")
            raw = Raw(found.get("id", ""), word or "", found.get("docsrc"), match.start())
        elif raw is None:
            continue
        elif tag == "instance":
            problem = raw.problem()
            if problem:
                fail(_error(source, raw, *problem))
            else:
                yield raw
            raw = None
        else:
            raw.take(match)
    if raw is not None:
        fail(_error(source, raw, "is not closed: the file ends inside it", "fetch the file again"))


def _error(source: Source, raw: Raw, what: str, advice: str) -> InputError:
    return InputError(f"instance {raw.id!r} {what}", advice, where=source.place(raw.start))


def read(source: Source, fail: Fail) -> Corpus:
    """Read a Senseval lexical sample; see :func:`wsdlist.readers.read`.

    The first head is the target. Character references become their characters, and unknown ones
    stay as written. Bracket markup such as ``[hi]`` is dropped. All of that is counted in
    ``repairs``.
    """
    corpus = Corpus(markers=MARKERS)
    corpus.repairs += source.repairs
    for raw in scan(source, fail):
        assert raw.context is not None
        counted: Counter[str] = Counter()
        try:
            instance = _instance(source, raw, counted)
        except InputError as error:
            fail(error)
            continue
        corpus.repairs += counted
        corpus.instances.append(instance)
    return corpus


def _instance(source: Source, raw: Raw, repairs: Counter[str]) -> Instance:
    assert raw.context is not None
    text = source.text[slice(*raw.context)]
    context = _Context(repairs)
    position = 0
    for match in TAG.finditer(text):
        context.add(text[position : match.start()])
        position = match.end()
        if match[1]:
            context.close(match[2], glued=text[position : position + 1].isalnum())
        else:
            before = text[max(0, match.start() - 1) : match.start()]
            context.open(match[2], attributes(match[3]), glued=before.isalnum())
    context.add(text[position:])
    heads = context.heads
    if any(start == end for start, end in heads):
        raise _error(source, raw, "has an empty head", "mark its target word")
    if not heads:
        raise _error(source, raw, "has no head", "mark its target word with <head>")
    if len(heads) > 1:
        repairs["instances with several heads (the first is the target)"] += 1
    return Instance(
        id=raw.id,
        lexelt=raw.lexelt,
        forms=tuple(context.forms),
        target=heads[0],
        senses=tuple(raw.senses),
        heads=tuple(heads),
        satellites=tuple(context.satellites),
        sentences=sentence_starts(context.forms, context.breaks),
        document=raw.document,
        place=source.place(raw.start),
    )


@dataclass
class _Context:
    """The tokens of a context as they are read, and which of them are marked."""

    repairs: Counter[str]
    forms: list[str] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)  # token numbers at which lines start
    heads: list[Span] = field(default_factory=list)
    satellites: list[int] = field(default_factory=list)
    named: set[str] = field(default_factory=set)  # the ids of the satellites of heads
    opened: tuple[str, int, str] | None = None  # tag, first token, id

    def add(self, piece: str) -> None:
        """Add the tokens of a piece of text."""
        for number, line in enumerate(clean(piece, self.repairs).split("\n")):
            if number:
                self.breaks.append(len(self.forms))
            self.forms.extend(tokenize(line))

    def open(self, tag: str, given: dict[str, str], *, glued: bool) -> None:
        """Open an element; ``glued`` says whether a letter or digit stands right before it."""
        self.opened = (tag, len(self.forms), given.get("id", ""))
        self.named.update(given.get("sats", "").split())
        if tag == "head" and glued:
            self.repairs["heads glued to a word"] += 1

    def close(self, tag: str, *, glued: bool) -> None:
        """Close an element; ``glued`` says whether a letter or digit stands right after it."""
        if self.opened is None or self.opened[0] != tag:
            return
        _, first, name = self.opened
        self.opened = None
        if tag == "head":
            self.heads.append((first, len(self.forms)))
            if glued:
                self.repairs["heads glued to a word"] += 1
        elif tag == "sat" and name in self.named:
            self.satellites.extend(range(first, len(self.forms)))


def clean(text: str, repairs: Counter[str]) -> str:
    """Take markup out of a piece of context and resolve its character references.

    >>> seen = Counter()
    >>> clean("[hi]caf&eacute;[/hi] &bquo;R&D&equo; a < b 2&frac12 ;", seen)
    ' café  &bquo;R&D&equo; a < b 2½'
    >>> seen["bracket markup dropped"], seen["unknown character references kept as written"]
    (2, 2)
    """
    text, brackets = BRACKET.subn(" ", text)
    text, tags = OTHER_TAG.subn(" ", text)
    for kind, count in (("bracket markup dropped", brackets), ("other markup dropped", tags)):
        if count:
            repairs[kind] += count
    return resolve(text, repairs)


def resolve(text: str, repairs: Counter[str]) -> str:
    """Replace character references by their characters, but keep unknown ones; count both."""
    if "&" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        number, name, end = match.groups()
        if number:
            code = int(number[1:], 16) if number[0] in "xX" else int(number)
            if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000:
                repairs["character references resolved"] += 1
                return chr(code)
        elif end == ";" and name + ";" in html5:
            repairs["character references resolved"] += 1
            return html5[name + ";"]
        elif end != ";" and name in name2codepoint:
            repairs["character references without semicolon resolved"] += 1
            return chr(name2codepoint[name])
        elif end:
            repairs["unknown character references kept as written"] += 1
        else:
            repairs["bare & kept as written"] += 1
        return match[0]

    return REFERENCE.sub(character, text)


def read_key(source: Source, fail: Fail) -> dict[str, tuple[str, ...]]:
    """Read a Senseval key: ``lexelt instance sense [sense ...] [!! comment]``.

    Returns the senses of each instance by its id, each sense once. A line without senses says that
    the instance has none. ``fail`` gets the errors of lines.
    """
    key: dict[str, tuple[str, ...]] = {}
    for number, line in source.lines():
        fields = line.split("!!", 1)[0].split()
        if not fields:
            continue
        if len(fields) < 2:
            fail(
                InputError(
                    "the key line has one field",
                    "write lexelt, instance and sense",
                    where=f"{source.name}:{number}",
                )
            )
            continue
        if fields[1] not in key:  # the scorer takes the first line of an instance
            key[fields[1]] = tuple(dict.fromkeys(fields[2:]))
    return key


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return a lexical sample with its answers inside.

    Each sentence is a line, with spaces between its tokens. All heads and satellites are marked.
    """
    words: dict[str, list[Instance]] = {}
    for instance in only_words(corpus):
        words.setdefault(instance.lexelt, []).append(instance)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<corpus>"]
    for lexelt, instances in words.items():
        lines.append(f"<lexelt item={quoteattr(lexelt)}>")
        for i in instances:
            source = "" if i.document is None else f" docsrc={quoteattr(i.document)}"
            lines.append(f"<instance id={quoteattr(i.id)}{source}>")
            lines += [
                f"<answer instance={quoteattr(i.id)} senseid={quoteattr(s)}/>" for s in i.senses
            ]
            lines += ["<context>", *_context(i), "</context>", "</instance>"]
        lines.append("</lexelt>")
    return {"": "\n".join([*lines, "</corpus>"]) + "\n"}


def _context(i: Instance) -> list[str]:
    """Return the lines of a context, with elements around heads and satellites."""
    sats = " ".join(f"s{number}" for number in i.satellites)
    opens, closes = {}, {}
    for start, end in i.heads or (i.target,):
        opens[start] = f"<head sats={quoteattr(sats)}>" if sats else "<head>"
        closes[end - 1] = "</head>"
    for number in i.satellites:
        opens[number], closes[number] = f'<sat id="s{number}">', "</sat>"
    words = [opens.get(n, "") + escape(form) + closes.get(n, "") for n, form in enumerate(i.forms)]
    edges = sorted({0, *i.sentences, len(words)})
    return [" ".join(words[start:end]) for start, end in pairwise(edges)]
