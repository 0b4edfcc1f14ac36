"""Text to tokens by a regular expression; tags and lemmas by a spaCy pipeline if one is named."""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import regex

from wsdlist.data.corpus import Instance, Span, Text
from wsdlist.errors import ParameterError

# A character reference that could not be resolved stays one token; a word may hold hyphens and
# apostrophes inside, fractions, and marks that combine with its letters; everything else that is
# not a space is a token by itself.
LETTER = r"[\w\p{M}\p{N}\u200c\u200d]"
TOKEN = regex.compile(rf"&\w+;|{LETTER}+(?:[-'’]{LETTER}+)*|[^\w\s]")
CONTEXT = 200  # tokens to either side that belong to the context of a word in a longer text
SENTENCE_ENDS = frozenset(".?!")
CLOSERS = frozenset("\"'”’)]") | {"''", "&equo;"}
CURLY = str.maketrans({"’": "'", "‘": "'", "‛": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"'})


def tokenize(text: str) -> list[str]:
    r"""Split text into words and single punctuation marks.

    >>> tokenize("It isn't a well-known bank, is it?")
    ['It', "isn't", 'a', 'well-known', 'bank', ',', 'is', 'it', '?']
    >>> [len(tokenize(text)) for text in ("cafe\N{COMBINING ACUTE ACCENT}", "हिन्दी", "2½")]
    [1, 1, 1]
    """
    tokens: list[str] = TOKEN.findall(text)
    return tokens


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return ``(start, end)`` of every token, in code points of ``text``."""
    return [match.span() for match in TOKEN.finditer(text)]


def sentence_starts(forms: Sequence[str], breaks: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the token numbers at which sentences start.

    A sentence ends after ``.``, ``?`` or ``!`` and the closing quotes or brackets that follow it,
    and at the breaks that the caller knows of (lines of the corpus, as token numbers).

    >>> sentence_starts(["Come", "in", "!", '"', "She", "did", "."])
    (0, 4)
    """
    starts = {0, *breaks}
    ended = False
    for number, form in enumerate(forms):
        if ended and form not in CLOSERS and form not in SENTENCE_ENDS:
            starts.add(number)
            ended = False
        elif form in SENTENCE_ENDS:
            ended = True
    return tuple(sorted(start for start in starts if start < len(forms) or start == 0))


def normal(form: str) -> str:
    """Return a form as questions ask about it: NFC, lower case, straight quotes and apostrophes.

    It is idempotent: the normal form of a normal form is itself.

    >>> normal("Can’t")
    "can't"
    """
    if form.isascii():  # nearly always
        return form.lower()
    lower = unicodedata.normalize("NFC", form).lower()
    # A mark that goes with no capital letter may go with the small one: T and two dots.
    return unicodedata.normalize("NFC", lower).translate(CURLY)


@cache
def pipeline(name: str) -> Any:
    """Load a spaCy pipeline without the components that tags and lemmas do not need.

    ``name`` is what ``spacy.load`` takes, or the name of a package with a ``load`` function.

    Raises
    ------
    ParameterError
        When there is no such pipeline.
    """
    import spacy

    unneeded = ["parser", "ner", "entity_linker", "textcat", "senter"]
    try:
        return spacy.load(name, exclude=unneeded)
    except OSError as error:
        try:
            return importlib.import_module(name).load(exclude=unneeded)
        except (ImportError, AttributeError, ValueError):
            raise ParameterError(
                f"there is no spaCy pipeline {name!r}", "install it, or leave --pipeline out"
            ) from error


def tags_and_lemmas(
    texts: Iterable[Sequence[str]], name: str
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the tags and the lemmas that the spaCy pipeline ``name`` gives to the tokens of texts.

    The tokens stay as they are.

    Raises
    ------
    ParameterError
        When there is no such pipeline.
    """
    from spacy.tokens import Doc

    nlp = pipeline(name)
    docs = (Doc(nlp.vocab, words=list(forms)) for forms in texts)
    for doc in nlp.pipe(docs, batch_size=256):
        yield tuple(token.tag_ for token in doc), tuple(token.lemma_ for token in doc)


Annotated = TypeVar("Annotated", Instance, Text)


def annotate(texts: Sequence[Annotated], name: str) -> Iterator[Annotated]:
    """Yield the texts, those without tags or lemmas with those of the spaCy pipeline ``name``.

    The tags and lemmas of the corpus itself stay.

    Raises
    ------
    ParameterError
        When there is no such pipeline.
    """
    lacking = [text for text in texts if text.tags is None or text.lemmas is None]
    found = tags_and_lemmas((text.forms for text in lacking), name)
    for text in texts:
        if text.tags is not None and text.lemmas is not None:
            yield text
            continue
        tags, lemmas = next(found)
        yield replace(text, tags=text.tags or tags, lemmas=text.lemmas or lemmas)


def split_at(text: str, stretches: Sequence[Span]) -> tuple[tuple[Span, ...], list[Span]]:
    """Split a text into tokens, so that tokens start and end where certain stretches do.

    Returns ``(start, end)`` of each token in code points, and ``(start, end)`` of each stretch in
    tokens; ``end`` is exclusive.

    >>> split_at("They overbanked.", [(9, 13)])
    (((0, 4), (5, 9), (9, 13), (13, 15), (15, 16)), [(2, 3)])
    """
    edges = sorted({0, len(text), *(edge for stretch in stretches for edge in stretch)})
    spans: list[Span] = []
    before = {0: 0}  # the number of tokens that end before an edge
    for low, high in pairwise(edges):
        spans += [(low + first, low + last) for first, last in token_spans(text[low:high])]
        before[high] = len(spans)
    return tuple(spans), [(before[start], before[end]) for start, end in stretches]


def text_of(text: str) -> Text:
    """Split a text into tokens, with their positions in it.

    >>> text_of("The  bank.").spans
    ((0, 3), (5, 9), (9, 10))
    """
    spans = token_spans(text)
    forms = tuple(text[start:end] for start, end in spans)
    return Text(forms, tuple(spans), text, sentences=sentence_starts(forms))
