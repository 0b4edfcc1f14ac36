"""Text to tokens: a regular expression by default, tags and lemmas by a spaCy pipeline if named."""

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

# A character reference that nobody could resolve stays one token; a word may hold hyphens and
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
    made: list[str] = TOKEN.findall(text)
    return made


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return ``(start, end)`` of every token, in code points of ``text``."""
    return [match.span() for match in TOKEN.finditer(text)]


def sentence_starts(forms: Sequence[str], breaks: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the token numbers at which sentences start.

    A sentence ends after ``.``, ``?`` or ``!`` and the closing quotes or brackets behind it, and
    where the caller knows of a break (a line of its own in the corpus).

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
    """Return the form that questions ask about: NFC, lower case, straight quotes and apostrophes.

    >>> normal("Can’t")
    "can't"
    """
    if form.isascii():  # nearly always
        return form.lower()
    return unicodedata.normalize("NFC", form).lower().translate(CURLY)


@cache
def pipeline(name: str) -> Any:
    """Load a spaCy pipeline, with what tags and lemmas do not need switched off.

    ``name`` is what ``spacy.load`` takes, or an importable package with a ``load`` function.

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
    """
    from spacy.tokens import Doc

    nlp = pipeline(name)
    docs = (Doc(nlp.vocab, words=list(forms)) for forms in texts)
    for doc in nlp.pipe(docs, batch_size=256):
        yield tuple(token.tag_ for token in doc), tuple(token.lemma_ for token in doc)


Annotated = TypeVar("Annotated", Instance, Text)


def annotate(texts: Sequence[Annotated], name: str) -> Iterator[Annotated]:
    """Give what has no tags or lemmas those of the spaCy pipeline ``name``.

    What the corpus itself says of tags or lemmas stays.
    """
    lacking = [text for text in texts if text.tags is None or text.lemmas is None]
    made = tags_and_lemmas((text.forms for text in lacking), name)
    for text in texts:
        if text.tags is not None and text.lemmas is not None:
            yield text
            continue
        tags, lemmas = next(made)
        yield replace(text, tags=text.tags or tags, lemmas=text.lemmas or lemmas)


def split_at(text: str, stretches: Sequence[Span]) -> tuple[tuple[Span, ...], list[Span]]:
    """Split a text into tokens, some of which are just certain stretches of it.

    Returns ``(start, end)`` of each token, and for each stretch the numbers of its tokens, the
    first and the one behind the last.

    >>> split_at("They overbanked.", [(9, 13)])
    (((0, 4), (5, 9), (9, 13), (13, 15), (15, 16)), [(2, 3)])
    """
    edges = sorted({0, len(text), *(edge for stretch in stretches for edge in stretch)})
    made: list[Span] = []
    before = {0: 0}  # how many tokens end before an edge
    for low, high in pairwise(edges):
        made += [(low + first, low + last) for first, last in token_spans(text[low:high])]
        before[high] = len(made)
    return tuple(made), [(before[start], before[end]) for start, end in stretches]


def text_of(text: str) -> Text:
    """Split a text into tokens that know where they stand.

    >>> text_of("The  bank.").spans
    ((0, 3), (5, 9), (9, 10))
    """
    spans = token_spans(text)
    forms = tuple(text[start:end] for start, end in spans)
    return Text(forms, tuple(spans), text, sentences=sentence_starts(forms))
