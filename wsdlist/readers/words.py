"""Running text: from words with annotations to instances in context, and back for a writer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, repeat

from wsdlist.data.corpus import Corpus, Instance, Row, Span, Text
from wsdlist.data.tokens import sentence_starts, split_at
from wsdlist.errors import InputError

AROUND = 40  # least number of tokens of context on either side, in whole sentences


@dataclass
class Mark:
    """An instance in a running text; ``span`` is ``(start, end)`` in tokens of the text."""

    span: Span
    id: str
    lexelt: str
    senses: tuple[str, ...]
    place: str


@dataclass
class Building:
    """A running text while it is read, a word at a time.

    Parameters
    ----------
    name
        Name of the text.
    whole
        Whether tags or lemmas that only instances have are left out.
    forms, tags, lemmas
        The tokens so far; a tag or lemma is None if it is not known.
    sentences
        Token numbers at which sentences start.
    marks
        The instances; the caller adds them.
    """

    name: str
    whole: bool = False
    forms: list[str] = field(default_factory=list)
    tags: list[str | None] = field(default_factory=list)
    lemmas: list[str | None] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def sentence(self) -> None:
        """Start a sentence with the next word."""
        if not self.sentences or self.sentences[-1] < len(self.forms):
            self.sentences.append(len(self.forms))

    def add(self, forms: Sequence[str], lemma: str | None = None, tag: str | None = None) -> Span:
        """Add a word of one or several tokens; return its span in tokens.

        Each token gets the tag of the word, and the word of the lemma in the same position. If the
        lemma has more or fewer words, each token gets its form in lower case as its lemma.
        """
        start = len(self.forms)
        lemmas: Sequence[str | None] = [None] * len(forms)
        if lemma is not None:
            lemmas = [lemma] if len(forms) == 1 else lemma.replace("_", " ").split()
            lemmas = lemmas if len(lemmas) == len(forms) else [form.lower() for form in forms]
        self.forms += forms
        self.lemmas += lemmas
        self.tags += [tag] * len(forms)
        return start, len(self.forms)

    def finish(self, corpus: Corpus, place: str) -> None:
        """Put the text and its instances into a corpus.

        A token without a tag gets ``_``, and one without a lemma its form in lower case, unless no
        token has any.

        Parameters
        ----------
        corpus
            The corpus.
        place
            ``FILE:LINE`` of the text, for messages.

        Raises
        ------
        InputError
            When another text of the corpus has the same name.
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

    def _layer(self, values: list[str | None], defaults: Iterable[str]) -> tuple[str, ...] | None:
        """Return the tags or lemmas of all tokens, with defaults; None if there are none."""
        marked = {n for mark in self.marks for n in range(*mark.span)} if self.whole else ()
        if all(value is None or n in marked for n, value in enumerate(values)):
            return None
        pairs = zip(values, defaults, strict=False)
        return tuple(default if value is None else value for value, default in pairs)


def instances(text: Text, document: str, marks: Iterable[Mark]) -> Iterator[Instance]:
    """Yield the instances of a running text, each with the sentences around it as its context."""
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
    """Return an instance whose target is yet to be set: sentences, and the context around them.

    The sentences are those from edge ``first`` to edge ``last``; edges are token numbers.
    """
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
        (0, 1),
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
    instances = []
    for item in corpus:
        if isinstance(item, Row):
            raise InputError(
                "rows of a table are no words in context",
                "tables are read, not converted",
                where=item.place,
            )
        instances.append(item)
    return instances


@dataclass
class Passage:
    """A text with the instances in it, for a writer; spans are in tokens."""

    name: str
    text: Text
    marks: list[tuple[Span, Instance]]

    def sentences(self) -> Iterator[tuple[int, int, list[tuple[Span, Instance]]]]:
        """Yield start and end (exclusive) of each sentence in tokens, and its instances."""
        edges = sorted({0, *self.text.sentences, len(self.text.forms)})
        marks = sorted(self.marks, key=lambda mark: mark[0])
        firsts = [first for (first, _), _ in marks]
        for start, end in pairwise(edges):
            yield start, end, marks[bisect_left(firsts, start) : bisect_left(firsts, end)]


def passages(corpus: Corpus) -> list[Passage]:
    """Return the running texts of a corpus; a context outside of them is a text of its own.

    Raises
    ------
    InputError
        When the corpus has rows of a table.
    """
    found: dict[object, Passage] = {}
    names: set[str] = set()
    for name, text in corpus.texts.items():
        found[name] = Passage(name, text, [])
        names.add(name)
    for number, i in enumerate(only_words(corpus)):
        if i.offset is not None and i.document in corpus.texts:
            span = (i.target[0] + i.offset, i.target[1] + i.offset)
            found[i.document].marks.append((span, i))
            continue
        key = (i.document, i.forms, i.tags, i.lemmas) if i.document is not None else number
        if key not in found:
            spans = i.spans or tuple((n, n + 1) for n in range(len(i.forms)))
            text = Text(i.forms, spans, i.text, i.tags, i.lemmas, i.sentences)
            name = i.document or i.id
            while name in names:  # of another context of the document
                name += "#"
            names.add(name)
            found[key] = Passage(name, text, [])
        found[key].marks.append((i.target, i))
    return list(found.values())


def cannot(format: str, what: str, instance: Instance) -> InputError:
    """Return the error that says that a format cannot hold something of an instance."""
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
    """Return an instance whose context is a text.

    Parameters
    ----------
    text
        The context; it is split into tokens.
    places
        ``(start, end)`` of each head in code points; the first is the target.
    name, lexelt, senses, place
        As in :class:`Instance`; ``name`` is the id.

    Raises
    ------
    InputError
        When a place is outside the text, or has no word.
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
