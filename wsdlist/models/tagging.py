"""The words of a text that a model knows, and the lexelts that they may be."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import regex

from wsdlist.data.corpus import Instance, Text
from wsdlist.data.pos import NAMES, meeting, part_of_speech, split_lexelt
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.data.tokens import CONTEXT, normal, tokenize
from wsdlist.errors import ParameterError

OVER = "|"  # joins the lexelts of a list over several
POSSESSIVE = regex.compile("(?<=.)['’ʼ]s?$", regex.IGNORECASE)
LONG_BATCH = 1 << 18  # code points that end a batch of texts
CHARACTERS = 6  # about the length of a token


@dataclass(frozen=True, slots=True)
class Tag:
    """A word of a text and its sense.

    Parameters
    ----------
    start, end
        Positions in the text, in code points; in a text that came as tokens, in tokens.
    text
        The word as written.
    lexelt
        The lexelt that the word is; several, joined by ``|``, if none of them was chosen.
    sense, probability
        None if the word is left alone.
    rule
        The number, from 1, of the rule that answered in the list of the lexelt, or in the list over
        several lexelts that ``reason`` names; None for the default.
    reason
        Why the word is left alone, or how its lexelt was chosen.
    """

    start: int
    end: int
    text: str
    lexelt: str
    sense: str | None
    probability: float | None
    rule: int | None = None
    reason: str = ""

    def to_record(self) -> dict[str, Any]:
        """Return the tag as JSON data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a trained word.

    Parameters
    ----------
    start, end, text
        As in :class:`Tag`.
    lexelt
        The lexelt, or the name of a list over several.
    instance
        The instance that its expert is asked; None if it is left alone.
    reason
        Why it is left alone, or how its lexelt was chosen.
    """

    start: int
    end: int
    text: str
    lexelt: str
    instance: Instance | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens ``first`` to ``last`` (exclusive) of a text that may be any of ``lexelts``.

    ``ending`` is how many characters of the last token are a possessive ending and so not of the
    word.
    """

    first: int
    last: int
    lexelts: tuple[str, ...]
    ending: int = 0


@lru_cache(1 << 16)
def words_of(form: str) -> tuple[str, ...]:
    """Return the normal forms of the words of a target form, lexelt or token.

    >>> words_of("Bass_guitars")
    ('bass', 'guitars')
    """
    if form.isascii() and form.isalnum():
        return (form.lower(),)  # what follows gives the same, but slowly
    return tuple(normal(token) for token in tokenize(form.replace("_", " ")))


class Lexicon:
    """The forms of lexelts, by which their occurrences are found in text.

    Parameters
    ----------
    forms
        ``(lexelt, form)``: the forms of each in training, as :attr:`Expert.forms` has them. The
        word that a lexelt is named after is a form of it too, unless it is a form of another.
    """

    def __init__(self, forms: Iterable[tuple[str, str]]) -> None:
        by_form: dict[tuple[str, ...], set[str]] = {}
        by_name: dict[tuple[str, ...], set[str]] = {}
        lexelts = set()
        for lexelt, form in forms:
            by_form.setdefault(tuple(form.split(" ")), set()).add(lexelt)
            lexelts.add(lexelt)
        for lexelt in lexelts:
            by_name.setdefault(words_of(split_lexelt(lexelt)[0]), set()).add(lexelt)
        by_name.pop((), None)
        for words, of_words in by_name.items():
            by_form.setdefault(words, of_words)
        self.lexelts = {words: tuple(sorted(of_words)) for words, of_words in by_form.items()}
        self.named = {words: tuple(sorted(of_words)) for words, of_words in by_name.items()}
        self.longest: dict[str, int] = {}
        for words in self.lexelts:
            self.longest[words[0]] = max(len(words), self.longest.get(words[0], 0))

    def shared(self) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
        """Return the forms that several lexelts share, by these lexelts."""
        shared: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        for words, lexelts in self.lexelts.items():
            if len(lexelts) > 1:
                shared.setdefault(lexelts, set()).add(words)
        return shared

    def find(self, text: Text) -> Iterator[Match]:
        """Yield the occurrences from left to right; of several that begin together the longest.

        Words are matched by their forms. If there are tags, which tell parts of speech apart, they
        are also matched with the words that lexelts are named after, by their lemmas if there are
        lemmas. A form may have a possessive ending.
        """
        forms = [words_of(form) for form in text.forms]
        lemmas = forms if text.tags is not None else None
        if text.lemmas is not None:
            lemmas = [words_of(lemma) for lemma in text.lemmas]
        free = 0  # the end of the last match
        for first, words in enumerate(forms):
            size = self.longest.get(words[0], 0) if words else 0
            if lemmas is not None and lemmas[first]:
                size = max(size, self.longest.get(lemmas[first][0], 0))
            if first < free:
                continue
            for last in range(min(first + size, len(forms)), first, -1):
                lexelts = self.lexelts.get(_joined(forms, first, last), ())
                if lemmas is not None:
                    by_lemma = self.named.get(_joined(lemmas, first, last), ())
                    lexelts = tuple(sorted({*lexelts, *by_lemma}))
                if lexelts:
                    yield Match(first, last, lexelts)
                    free = last
                    break
            else:
                ending = POSSESSIVE.search(text.forms[first])
                if ending:
                    lexelts = self.lexelts.get(words_of(text.forms[first][: ending.start()]), ())
                    if lexelts:
                        yield Match(first, first + 1, lexelts, len(ending[0]))


def _joined(words: list[tuple[str, ...]], first: int, last: int) -> tuple[str, ...]:
    return words[first] if last == first + 1 else tuple(chain.from_iterable(words[first:last]))


def occurrences(
    text: Text, lexicon: Lexicon, list_over: Callable[[tuple[str, ...]], str | None]
) -> Iterator[Occurrence]:
    """Yield the occurrences of trained words that are not tagged already.

    Parameters
    ----------
    text
        The text as tokens.
    lexicon
        The forms of the lexelts.
    list_over
        Returns the name of the list over several lexelts, which decides if no tag does; None if
        there is no such list.
    """
    taken = _taken(text)
    for match in lexicon.find(text):
        if any(taken[match.first : match.last]):
            continue
        tags = (text.tags or ())[match.first : match.last]
        possible = meeting(match.lexelts, tags)
        if len(possible) > 1 and text.lemmas is not None:
            lemmas = chain.from_iterable(map(words_of, text.lemmas[match.first : match.last]))
            named = lexicon.named.get(tuple(lemmas), ())
            possible = tuple(lexelt for lexelt in possible if lexelt in named) or possible
        name: str | None = possible[0] if possible else None
        reason = ""
        if not possible:
            parts = dict.fromkeys(NAMES[part] for part in map(part_of_speech, tags) if part)
            reason = f"tagged as {' or '.join(parts)}, trained as {' or '.join(match.lexelts)}"
        elif len(possible) > 1:
            name = list_over(possible)
            reason = f"the list over {' and '.join(possible)} decided"
            if name is None:
                reason = f"{' or '.join(possible)}: neither a tag nor a list over them decides"
        start, end = text.spans[match.first][0], text.spans[match.last - 1][1]
        written = text.written(match.first, match.last)
        if match.ending:
            written = written[: -match.ending]
            end -= match.ending if text.text is not None else 0
        yield Occurrence(
            *(start, end, written),
            OVER.join(possible or match.lexelts) if name is None else name,
            None if name is None else _instance(text, match, name),
            reason,
        )


def others(text: Text, trained: Iterable[Occurrence]) -> Iterator[Occurrence]:
    """Yield the nouns, verbs, adjectives and adverbs without an answer, for back-off.

    Parameters
    ----------
    text
        The text as tokens; those that are tagged already are left out.
    trained
        The occurrences of trained words in it; those with an instance are left out.

    Raises
    ------
    ParameterError
        When the text has no tags or lemmas.
    """
    if text.tags is None or text.lemmas is None:
        raise ParameterError(
            "back-off asks for tags and lemmas, which the text does not have",
            "name a spaCy pipeline that gives them",
        )
    answered = [
        (occurrence.start, occurrence.end)
        for occurrence in trained
        if occurrence.instance is not None
    ]
    taken = _taken(replace(text, taken=(*text.taken, *answered)))
    for n, tag in enumerate(text.tags):
        if not taken[n] and part_of_speech(tag) not in (None, "x"):
            lexelt = lexelt_of(text.lemmas[n], tag)
            instance = _instance(text, Match(n, n + 1, (lexelt,)), lexelt)
            yield Occurrence(*text.spans[n], text.written(n, n + 1), lexelt, instance)


def _taken(text: Text) -> bytearray:
    """Return for each token whether it is tagged already, as 0 or 1."""
    taken = bytearray(len(text.spans))
    starts, ends = [start for start, _ in text.spans], [end for _, end in text.spans]
    for start, end in text.taken:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        taken[first:last] = b"\1" * (last - first)
    return taken


def _instance(text: Text, match: Match, lexelt: str) -> Instance:
    first, last = match.first, match.last
    low, high = max(first - CONTEXT, 0), min(last + CONTEXT, len(text.forms))
    sentences = text.sentences
    starts = sentences[bisect_left(sentences, low) : bisect_left(sentences, high)]
    forms, tags, lemmas = text.forms[low:high], text.tags, text.lemmas
    tags = None if tags is None else tags[low:high]
    lemmas = None if lemmas is None else lemmas[low:high]
    at = first - low
    if match.ending:  # it becomes a token of its own, as corpora write it
        form = forms[at]
        forms = (*forms[:at], form[: -match.ending], form[-match.ending :], *forms[at + 1 :])
        tags = None if tags is None else (*tags[: at + 1], "POS", *tags[at + 1 :])
        if lemmas is not None:
            lemmas = (*lemmas[: at + 1], form[-match.ending :], *lemmas[at + 1 :])
        starts = tuple(start + (start > first) for start in starts)
    return Instance(
        "",
        lexelt,
        forms,
        (at, at + last - first),
        tags=tags,
        lemmas=lemmas,
        heads=((at, at + last - first),),
        sentences=tuple(start - low for start in starts),
    )


def batches(texts: Iterable[str | Text], most: int) -> Iterator[list[str | Text]]:
    """Yield texts in batches of ``most``, or of fewer if they are long.

    Raises
    ------
    ParameterError
        When an item is no text.
    """
    batch: list[str | Text] = []
    size = 0
    for number, text in enumerate(texts):
        if not isinstance(text, str | Text):
            raise ParameterError(
                f"text {number} is a {type(text).__name__}", "give a str, or a wsdlist.Text"
            )
        batch.append(text)
        size += len(text) if isinstance(text, str) else CHARACTERS * len(text.forms)
        if len(batch) == most or size >= LONG_BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
