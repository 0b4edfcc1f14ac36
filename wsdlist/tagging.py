"""Words found in text: which tokens a model knows, and as which lexelt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wsdlist.corpus import Instance, Text
from wsdlist.pos import NAMES, meeting, part_of_speech, split_lexelt
from wsdlist.tokens import CONTEXT, normal, tokenize

OVER = "|"  # joins the lexelts of a list over several


@dataclass(frozen=True, slots=True)
class Tag:
    """A word of a text and its sense.

    Parameters
    ----------
    start, end
        Code points of the text; of a text that came as tokens, token numbers.
    text
        The word as written.
    lexelt
        Which of the words that were trained it is; several joined by ``|`` where none was chosen.
    sense, probability
        None where the word is left alone.
    rule
        The number of the rule that answered, from 1; None for the default.
    reason
        What else is to be said: why the word is left alone, or how its lexelt was chosen.
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
    """An occurrence of a trained word: tokens ``first`` to ``last`` (exclusive) of a text.

    ``instance`` is what its expert is asked; None where it is left alone for ``reason``.
    """

    first: int
    last: int
    lexelt: str
    instance: Instance | None
    reason: str = ""


def words_of(form: str) -> tuple[str, ...]:
    """Return the normal forms of the words of a target form or lexelt.

    >>> words_of("Bass_guitars")
    ('bass', 'guitars')
    """
    if form.isascii() and form.isalnum():
        return (form.lower(),)  # which is quick
    return tuple(normal(token) for token in tokenize(form.replace("_", " ")))


class Lexicon:
    """Which words may be which lexelts.

    Parameters
    ----------
    forms
        ``(lexelt, form)``: the forms that training showed of each, as :attr:`Expert.forms` has
        them; the word a lexelt is named after is a form of it too.
    """

    def __init__(self, forms: Iterable[tuple[str, str]]) -> None:
        found: dict[tuple[str, ...], set[str]] = {}
        named: dict[tuple[str, ...], set[str]] = {}
        lexelts = set()
        for lexelt, form in forms:
            found.setdefault(tuple(form.split(" ")), set()).add(lexelt)
            lexelts.add(lexelt)
        for lexelt in lexelts:
            named.setdefault(words_of(split_lexelt(lexelt)[0]), set()).add(lexelt)
        named.pop((), None)
        for words, several in named.items():
            found.setdefault(words, set()).update(several)
        self.lexelts = {words: tuple(sorted(several)) for words, several in found.items()}
        self.named = {words: tuple(sorted(several)) for words, several in named.items()}
        self.longest: dict[str, int] = {}
        for words in self.lexelts:
            self.longest[words[0]] = max(len(words), self.longest.get(words[0], 0))

    def shared(self) -> dict[str, set[tuple[str, ...]]]:
        """Return the words that several lexelts share, by the name of a list over these lexelts."""
        made: dict[str, set[tuple[str, ...]]] = {}
        for words, lexelts in self.lexelts.items():
            if len(lexelts) > 1:
                made.setdefault(OVER.join(lexelts), set()).add(words)
        return made

    def find(self, text: Text) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield ``(first, last, lexelts)`` of every occurrence, the longest match first.

        Words are matched by their forms, and where the text has lemmas by these too.
        """
        forms = [normal(form) for form in text.forms]
        lemmas = forms if text.lemmas is None else [normal(lemma) for lemma in text.lemmas]
        free = 0  # where the last match ended
        for first, form in enumerate(forms):
            size = self.longest.get(form, 0)
            if lemmas is not forms:
                size = max(size, self.longest.get(lemmas[first], 0))
            if not size or first < free:
                continue
            for last in range(min(first + size, len(forms)), first, -1):
                lexelts = self.lexelts.get(tuple(forms[first:last]), ())
                if lemmas is not forms:
                    by_lemma = self.named.get(tuple(lemmas[first:last]), ())
                    lexelts = tuple(sorted({*lexelts, *by_lemma}))
                if lexelts:
                    yield first, last, lexelts
                    free = last
                    break


def occurrences(text: Text, lexicon: Lexicon, lists_over: Iterable[str]) -> Iterator[Occurrence]:
    """Yield the occurrences of trained words that are not tagged already.

    Parameters
    ----------
    lists_over
        Names of lists over several lexelts, which decide where no tag does.
    """
    for first, last, lexelts in lexicon.find(text):
        start, end = text.spans[first][0], text.spans[last - 1][1]
        if any(start < taken_end and taken < end for taken, taken_end in text.taken):
            continue
        tags = (text.tags or ())[first:last]
        met = meeting(lexelts, tags)
        name = OVER.join(met)
        if len(met) == 1:
            yield Occurrence(first, last, name, _instance(text, first, last, name))
        elif not met:
            seen = " or ".join(NAMES[part] for part in map(part_of_speech, tags) if part)
            reason = f"tagged as {seen}, trained as {' or '.join(lexelts)}"
            yield Occurrence(first, last, OVER.join(lexelts), None, reason)
        elif name in lists_over:
            how = f"the list over {' and '.join(met)} decided"
            yield Occurrence(first, last, name, _instance(text, first, last, name), how)
        else:
            reason = f"{' or '.join(met)}: no tag decides; name a pipeline"
            yield Occurrence(first, last, name, None, reason)


def _instance(text: Text, first: int, last: int, lexelt: str) -> Instance:
    low, high = max(first - CONTEXT, 0), last + CONTEXT
    return Instance(
        "",
        lexelt,
        text.forms[low:high],
        (first - low, last - low),
        tags=None if text.tags is None else text.tags[low:high],
        lemmas=None if text.lemmas is None else text.lemmas[low:high],
        heads=((first - low, last - low),),
        sentences=tuple(start - low for start in text.sentences if low <= start < high),
    )


def label_over(lexelt: str, sense: str) -> str:
    """Return the label that a sense of a lexelt has in a list over several."""
    return f"{lexelt}/{sense}"


def split_label(label: str, lexelts: Sequence[str]) -> tuple[str, str]:
    """Return the lexelt and the sense of a label of a list over several lexelts.

    >>> split_label("bank.n/money", ["bank.n", "bank.v"])
    ('bank.n', 'money')
    """
    found = [lexelt for lexelt in lexelts if label.startswith(f"{lexelt}/")]
    lexelt = max(found, key=len)
    return lexelt, label[len(lexelt) + 1 :]
