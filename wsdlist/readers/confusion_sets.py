"""Plain text as training data: which word of a confusion set stands where is its own label.

The word is taken out before the text around it is split into tokens, so nothing of it (a case, an
apostrophe, a tag) is left for a question to ask about.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import regex

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.tokens import CONTEXT, CURLY, LETTER, TOKEN, sentence_starts
from wsdlist.errors import ParameterError
from wsdlist.readers.decoding import opened
from wsdlist.readers.plain import blocks

HOLE = "_"  # what stands where the word was taken out
PARAGRAPH = "¶"  # what stands before and behind a paragraph, which is a fact of the text
JOIN = "|"
APOSTROPHES = "".join(chr(code) for code, plain in CURLY.items() if plain == "'") + "'"
MANY = 40  # words of sets
CHARACTERS = 12  # of a token and the space before it, as a first guess

# The eighteen sets of Golding (1995), as Golding & Schabes (1996) print them, and the ten of
# Banko & Brill (2001).
KNOWN = {
    "golding18": "their,there,they're than,then its,it's your,you're begin,being passed,past "
    "quiet,quite weather,whether accept,except lead,led cite,sight,site principal,principle "
    "raise,rise affect,effect peace,piece country,county amount,number among,between",
    "banko-brill10": "accept,except affect,effect among,between its,it's peace,piece "
    "principal,principle then,than their,there weather,whether your,you're",
}


@dataclass(frozen=True, slots=True)
class ConfusableWord:
    """An occurrence of a member of a set: ``text[start:end]``."""

    start: int
    end: int
    lexelt: str
    member: str


class ConfusionSets:
    """Sets of words that are mistaken for one another.

    Parameters
    ----------
    sets
        The members of each; no word in two sets. Case, the kind of apostrophe and the Unicode form
        do not matter.

    Raises
    ------
    ParameterError
        For a set of fewer than two words, a word in two sets, or what is no word.

    >>> sets = ConfusionSets([["their", "there"]])
    >>> [found.member for found in sets.find("There’s the house over there, their-like, THEIR.")]
    ['there', 'their']
    """

    def __init__(self, sets: Iterable[Sequence[str]]) -> None:
        self.sets: tuple[tuple[str, ...], ...] = tuple(
            tuple(dict.fromkeys(map(member, words))) for words in sets
        )
        self.lexelt: dict[str, str] = {}
        for words in self.sets:
            if len(words) < 2:
                shown = ", ".join(words)
                raise ParameterError(
                    f"the confusion set {shown!r} has fewer than two words", "write a,b"
                )
            for word in words:
                if not regex.fullmatch(rf"{LETTER}+(?:[-' ]{LETTER}+)*", word):
                    raise ParameterError(f"{word!r} is no word", "write words, commas between them")
                if word in self.lexelt:
                    raise ParameterError(
                        f"{word!r} is in two confusion sets", "put it into one of them"
                    )
                self.lexelt[word] = JOIN.join(words)

    @cached_property
    def _pattern(self) -> regex.Pattern[str]:
        words = sorted(self.lexelt, key=len, reverse=True)
        inside = rf"{LETTER}|{LETTER}[-{APOSTROPHES}]"
        found = "|".join(map(_spelt, words))
        if len(words) > MANY:  # a list that is looked up, instead of one alternative after another
            plain = [word for word in words if word.isalpha()]
            others = [_spelt(word) for word in words if not word.isalpha()]
            found = "|".join([r"\L<words>", *others])
            spelt = {unicodedata.normalize(f, word) for f in ("NFC", "NFD") for word in plain}
            return regex.compile(
                rf"(?<!{inside})(?:{found})(?![-{APOSTROPHES}]?{LETTER})",
                regex.IGNORECASE,
                words=spelt,
            )
        return regex.compile(
            rf"(?<!{inside})(?:{found})(?![-{APOSTROPHES}]?{LETTER})", regex.IGNORECASE
        )

    def find(self, text: str) -> Iterator[ConfusableWord]:
        """Yield every occurrence that is a whole token (or several, of a set with a space)."""
        for match in self._pattern.finditer(text):
            word = member(match[0])
            if word in self.lexelt:  # folding of case knows more pairs of letters than lower()
                yield ConfusableWord(*match.span(), self.lexelt[word], word)

    def instances(
        self,
        text: str,
        reach: int,
        *,
        whole_sentence: bool = False,
        document: str | None = None,
        begins: bool = True,
        ends: bool = True,
    ) -> Iterator[tuple[ConfusableWord, Instance]]:
        """Yield each occurrence with its instance, whose sense is the member that stands there.

        Parameters
        ----------
        text
            A paragraph, or a part of one.
        reach
            How many tokens to either side are kept.
        whole_sentence
            Whether the sentence is kept whole, for a tagger.
        document
            The name of the text.
        begins, ends
            Whether the paragraph begins and ends with the text: a mark says so in contexts.
        """
        for found in self.find(text):
            wider = CONTEXT if whole_sentence else reach
            before, after = _before(text, found.start, wider), _after(text, found.end, wider)
            if begins and len(before) < wider:
                before = [PARAGRAPH, *before]
            if ends and len(after) < wider:
                after = [*after, PARAGRAPH]
            forms = [*before, HOLE, *after]
            first, starts = len(before), sentence_starts(forms)
            if whole_sentence:
                low = max(start for start in starts if start <= first)
                high = next((start for start in starts if start > first), len(forms))
                low, high = min(low, max(first - reach, 0)), max(high, first + 1 + reach)
                forms, first = forms[low:high], first - low
                starts = sentence_starts(forms)
            yield (
                found,
                Instance(
                    "",
                    found.lexelt,
                    tuple(forms),
                    (first, first + 1),
                    (found.member,),
                    heads=((first, first + 1),),
                    sentences=starts,
                    document=document,
                ),
            )


def member(word: str) -> str:
    """Return a word as sets hold it: NFC, lower case, straight apostrophes, single spaces.

    >>> member("They’re")
    "they're"
    """
    made = unicodedata.normalize("NFC", word).lower().translate(CURLY)
    return " ".join(made.split())


def _spelt(word: str) -> str:
    """Return a pattern of all ways to write a word: apostrophes, spaces, Unicode forms."""
    forms = dict.fromkeys((word, unicodedata.normalize("NFD", word)))
    return "|".join(
        regex.escape(form)
        .replace("\\'", "'")
        .replace("'", f"[{APOSTROPHES}]")
        .replace("\\ ", " ")
        .replace(" ", r"\s+")
        for form in forms
    )


def _before(text: str, end: int, reach: int) -> list[str]:
    """Return the last ``reach`` tokens before a place in a text."""
    size = CHARACTERS * (reach + 2)
    while True:
        low = max(end - size, 0)
        tokens: list[str] = TOKEN.findall(text, low, end)
        if not low:
            return tokens[-reach:] if reach else []
        # a cut in the middle of a token makes two wrong ones at the most
        if len(tokens) >= reach + 2:
            return tokens[len(tokens) - reach :]
        size *= 2


def _after(text: str, start: int, reach: int) -> list[str]:
    """Return the first ``reach`` tokens after a place in a text."""
    return [match[0] for match in islice(TOKEN.finditer(text, start), reach)]


def parse(given: Iterable[str]) -> ConfusionSets:
    """Return the sets that texts name: ``a,b,c``, or the name of known sets.

    >>> len(parse(["banko-brill10", "quiet,quite"]).sets)
    11
    """
    sets: list[list[str]] = []
    for text in given:
        if "," not in text and text.strip() not in KNOWN:
            raise ParameterError(
                f"{text.strip()!r} is no confusion set", f"write a,b or one of {', '.join(KNOWN)}"
            )
        sets += [named.split(",") for named in KNOWN.get(text.strip(), "").split()] or [
            [word for word in text.split(",") if word.strip()]
        ]
    return ConfusionSets(sets)


def stripped(word: str) -> str:
    """Return a word without its diacritics.

    >>> stripped("côté")
    'cote'
    """
    marked = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in marked if not unicodedata.combining(c)))


def accents(counts: Mapping[str, int], least: int = 50) -> ConfusionSets:
    """Return the sets of words that differ by their diacritics alone, each ``least`` times there.

    The most frequent member comes first.

    Parameters
    ----------
    counts
        Of the words of a text, see :func:`count_words`.

    >>> accents({"cote": 3, "côte": 70, "côté": 90, "ou": 99}).sets
    (('côté', 'côte'),)
    """
    groups: dict[str, list[tuple[int, str]]] = {}
    for word, count in counts.items():
        if count >= least and word.isalpha():
            groups.setdefault(stripped(word), []).append((-count, word))
    return ConfusionSets(
        [word for _, word in sorted(words)] for _, words in sorted(groups.items()) if len(words) > 1
    )


@dataclass(frozen=True, slots=True)
class Texts:
    """How instances are taken from files; see :meth:`ConfusionSets.instances`.

    ``by_line`` makes each line a paragraph.
    """

    sets: ConfusionSets
    reach: int
    whole_sentence: bool = False
    by_line: bool = False

    def read(self, path: str | Path) -> Corpus:
        """Return the instances of a file, whose name is that of their document."""
        corpus = Corpus()
        intern: dict[str, str] = {}
        name = "<stdin>" if str(path) == "-" else str(path)
        with opened(path) as stream:
            for block in blocks(stream, name, corpus.repairs, by_line=self.by_line):
                made = self.sets.instances(
                    block.text,
                    self.reach,
                    whole_sentence=self.whole_sentence,
                    document=name,
                    begins=block.begins,
                    ends=block.ends,
                )
                for found, instance in made:
                    line, column = block.place(found.start)
                    place = f"{name}:{line}"
                    corpus.instances.append(
                        replace(
                            instance,
                            id=f"{place}:{column}",
                            forms=tuple([intern.setdefault(form, form) for form in instance.forms]),
                            place=place,
                        )
                    )
        return corpus


def count_words(path: str | Path) -> Counter[str]:
    """Return how often each word stands in a file, as :func:`member` writes it."""
    counts: Counter[str] = Counter()
    with opened(path) as stream:
        for block in blocks(stream, str(path), Counter()):
            counts.update(TOKEN.findall(block.text))
    made: Counter[str] = Counter()
    for word, count in counts.items():
        made[member(word)] += count
    return made
