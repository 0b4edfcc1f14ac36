"""Running text: words with their annotations to instances in context, and back for a writer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, repeat

from wsdlist.data.corpus import Corpus, Instance, Row, Span, Text
from wsdlist.data.tokens import sentence_starts, split_at
from wsdlist.errors import InputError

AROUND = 40  # so many tokens at least, in whole sentences, are the context before and after


@dataclass
class Mark:
    """An instance in a running text, in tokens of the text."""

    span: Span
    id: str
    lexelt: str
    senses: tuple[str, ...]
    place: str


@dataclass
class Building:
    """A running text as it is read.

    ``add`` takes a word of one or several tokens, ``sentence`` starts a new one. With ``whole``
    what only instances have, tags or lemmas, is no layer.
    """

    name: str
    whole: bool = False
    forms: list[str] = field(default_factory=list)
    tags: list[str | None] = field(default_factory=list)
    lemmas: list[str | None] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def sentence(self) -> None:
        """Start a sentence."""
        if not self.sentences or self.sentences[-1] < len(self.forms):
            self.sentences.append(len(self.forms))

    def add(self, forms: Sequence[str], lemma: str | None = None, tag: str | None = None) -> Span:
        """Add a word; return its span. All its tokens have its tag, and parts of its lemma.

        Where the lemma has other parts than the word, and where a text has lemmas and a word has
        none, the lemma is the form, in lower case.
        """
        start = len(self.forms)
        parts: Sequence[str | None] = [None] * len(forms)
        if lemma is not None:
            parts = [lemma] if len(forms) == 1 else lemma.replace("_", " ").split()
            parts = parts if len(parts) == len(forms) else [form.lower() for form in forms]
        self.forms += forms
        self.lemmas += parts
        self.tags += [tag] * len(forms)
        return start, len(self.forms)

    def finish(self, corpus: Corpus, place: str) -> None:
        """Put the text and its instances into a corpus; ``place`` is where it stands.

        Raises
        ------
        InputError
            When another text has its name.
        """
        if self.name in corpus.texts:
            raise InputError(
                f"a text has the id {self.name!r} of another", "give each its own", where=place
            )
        forms = tuple(self.forms)
        n = len(forms)
        starts = tuple(start for start in self.sentences if start < n) or (0,)
        text = Text(
            forms,
            tuple((number, number + 1) for number in range(n)),
            tags=self._layer(self.tags, repeat("_")),
            lemmas=self._layer(self.lemmas, map(str.lower, forms)),
            sentences=starts,
        )
        corpus.texts[self.name] = text
        corpus.instances += instances(text, self.name, self.marks)

    def _layer(self, values: list[str | None], instead: Iterable[str]) -> tuple[str, ...] | None:
        """Return a layer, None if it is none; where a token has no value, what is instead."""
        marked = {n for mark in self.marks for n in range(*mark.span)} if self.whole else ()
        if all(value is None or n in marked for n, value in enumerate(values)):
            return None
        pairs = zip(values, instead, strict=False)
        return tuple(other if value is None else value for value, other in pairs)


def instances(text: Text, document: str, marks: Iterable[Mark]) -> Iterator[Instance]:
    """Yield the instances of a running text: in its sentence, with whole sentences around it."""
    edges = [*text.sentences, len(text.forms)]
    if edges[0]:
        edges.insert(0, 0)
    windows: dict[tuple[int, int], Instance] = {}
    for mark in marks:
        start, end = mark.span
        first = max(bisect_right(edges, start) - 1, 0)
        last = max(bisect_right(edges, end - 1), first + 1)
        key = (first, last)
        if key not in windows:
            windows[key] = _window(text, document, edges, first, min(last, len(edges) - 1))
        window = windows[key]
        offset = window.offset or 0
        span = (start - offset, end - offset)
        yield replace(
            window,
            id=mark.id,
            lexelt=mark.lexelt,
            target=span,
            senses=mark.senses,
            heads=(span,),
            place=mark.place,
        )


def _window(text: Text, document: str, edges: list[int], first: int, last: int) -> Instance:
    """Return an instance without target: sentences ``first`` to ``last`` and those around them."""
    low, high = first, last
    while low > 0 and edges[first] - edges[low] < AROUND:
        low -= 1
    while high < len(edges) - 1 and edges[high] - edges[last] < AROUND:
        high += 1
    begin, end = edges[low], edges[high]
    written, spans = None, None
    if text.text is not None and begin < end:
        shift = text.spans[begin][0]
        written = text.text[shift : text.spans[end - 1][1]]
        spans = tuple((start - shift, last - shift) for start, last in text.spans[begin:end])
    return Instance(
        "",
        "",
        text.forms[begin:end],
        (0, 0),
        tags=None if text.tags is None else text.tags[begin:end],
        lemmas=None if text.lemmas is None else text.lemmas[begin:end],
        sentences=tuple(start - begin for start in edges[low:high]),
        document=document,
        text=written,
        spans=spans,
        offset=begin,
    )


def only_words(corpus: Corpus) -> list[Instance]:
    """Return the instances of a corpus of words in context.

    Raises
    ------
    InputError
        When it has rows of a table.
    """
    made = []
    for item in corpus:
        if isinstance(item, Row):
            raise InputError(
                "rows of a table are no words in context",
                "tables are read, not converted",
                where=item.place,
            )
        made.append(item)
    return made


@dataclass
class Passage:
    """A text with the instances in it, for a writer; those of a span stand together."""

    name: str
    text: Text
    marks: list[tuple[Span, Instance]]

    def sentences(self) -> Iterator[tuple[int, int, list[tuple[Span, Instance]]]]:
        """Yield the first token of each sentence, the one behind its last, and its instances."""
        edges = sorted({0, *self.text.sentences, len(self.text.forms)})
        marks = sorted(self.marks, key=lambda mark: mark[0])
        firsts = [first for (first, _), _ in marks]
        for start, end in pairwise(edges):
            yield start, end, marks[bisect_left(firsts, start) : bisect_left(firsts, end)]


def passages(corpus: Corpus) -> list[Passage]:
    """Return the running texts of a corpus; a context that is part of none is a text of its own."""
    made: dict[object, Passage] = {}
    names: set[str] = set()
    for name, text in corpus.texts.items():
        made[name] = Passage(name, text, [])
        names.add(name)
    for number, i in enumerate(only_words(corpus)):
        if i.offset is not None and i.document in corpus.texts:
            span = (i.target[0] + i.offset, i.target[1] + i.offset)
            made[i.document].marks.append((span, i))
            continue
        key = (i.document, i.forms, i.tags, i.lemmas) if i.document is not None else number
        if key not in made:
            spans = i.spans or tuple((n, n + 1) for n in range(len(i.forms)))
            text = Text(i.forms, spans, i.text, i.tags, i.lemmas, i.sentences)
            name = i.document or i.id
            while name in names:  # another context of the document
                name += "#"
            names.add(name)
            made[key] = Passage(name, text, [])
        made[key].marks.append((i.target, i))
    return list(made.values())


def cannot(format: str, what: str, instance: Instance) -> InputError:
    """Return the error that a format cannot hold something of an instance."""
    return InputError(
        f"{format} cannot hold {what}: instance {instance.id!r}",
        "choose another format",
        where=instance.place,
    )


def in_text(
    text: str,
    places: Sequence[Span],
    *,
    name: str,
    lexelt: str,
    senses: tuple[str, ...],
    place: str,
) -> Instance:
    """Return an instance of which the target is the first of some places of a text.

    Places are in code points; all of them are heads.

    Raises
    ------
    InputError
        When one is no word of the text.
    """
    for start, end in places:
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"the target from {start} to {end} is nothing in the text of {len(text)} "
                "characters",
                "say where it starts and ends",
                where=place,
            )
    spans, heads = split_at(text, places)
    for (start, end), (first, last) in zip(places, heads, strict=True):
        if first == last:
            raise InputError(
                f"the target from {start} to {end}, {text[start:end]!r}, has no word",
                "say where it starts and ends",
                where=place,
            )
    forms = tuple(text[slice(*span)] for span in spans)
    return Instance(
        name,
        lexelt,
        forms,
        heads[0],
        senses,
        heads=tuple(heads),
        sentences=sentence_starts(forms),
        place=place,
        text=text,
        spans=spans,
    )
