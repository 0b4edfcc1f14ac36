"""Plain text as training data: each word of a confusion set is the label of its own context.

The word is taken out before the text around it is split into tokens. So nothing of the word (its
case, an apostrophe, a tag) is left for a question to ask about.
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
from wsdlist.data.tokens import CONTEXT, CURLY, LETTER, TOKEN, normal, sentence_starts
from wsdlist.errors import ParameterError
from wsdlist.readers.decoding import opened
from wsdlist.readers.plain import blocks

HOLE = "_"  # the token in place of the word that was taken out
PARAGRAPH = "¶"  # the mark before and after a paragraph: its beginning and end tell senses
JOIN = "|"
APOSTROPHES = "".join(chr(code) for code, plain in CURLY.items() if plain == "'") + "'"
MANY = 40  # words of sets; more are looked up in a hash table
CHARACTERS = 12  # a first guess at the length of a token with the space before it

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
    """An occurrence of a member of a set: ``text[start:end]``, in code points."""

    start: int
    end: int
    lexelt: str
    member: str


class ConfusionSets:
    """Sets of words that are mistaken for each other.

    Parameters
    ----------
    sets
        The members of each set; no word may be in two sets. Case, the kind of apostrophe and the
        Unicode form do not matter.

    Raises
    ------
    ParameterError
        When a set has fewer than two words, a word is in two sets, or a member is no word.

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
        if len(words) > MANY:  # looked up, instead of tried one after another
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
        """Yield every occurrence that is a whole token, or several tokens if it has a space."""
        for match in self._pattern.finditer(text):
            word = member(match[0])
            if word in self.lexelt:  # IGNORECASE knows more pairs of letters than lower()
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
            A paragraph, or a piece of one.
        reach
            The number of tokens that are kept on either side.
        whole_sentence
            Whether the sentence is kept whole, for a tagger.
        document
            The name of the text.
        begins, ends
            Whether the paragraph begins and ends with the text; contexts then get a mark there.
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
    """Return a word in the form of sets: its normal form, with single spaces.

    >>> member("They’re")
    "they're"
    """
    return " ".join(normal(word).split())


def _spelt(word: str) -> str:
    """Return a pattern for all spellings of a word: apostrophes, spaces, Unicode forms."""
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
    """Return the last ``reach`` tokens before a position in a text."""
    size = CHARACTERS * (reach + 2)
    while True:
        low = max(end - size, 0)
        tokens: list[str] = TOKEN.findall(text, low, end)
        if not low:
            return tokens[-reach:] if reach else []
        # a cut in the middle of a token makes at most two tokens wrong
        if len(tokens) >= reach + 2:
            return tokens[len(tokens) - reach :]
        size *= 2


def _after(text: str, start: int, reach: int) -> list[str]:
    """Return the first ``reach`` tokens after a position in a text."""
    return [match[0] for match in islice(TOKEN.finditer(text, start), reach)]


def parse(given: Iterable[str]) -> ConfusionSets:
    """Return the sets that the user names: ``a,b,c``, or a name in :data:`KNOWN`.

    Raises
    ------
    ParameterError
        When a name is unknown, or the sets are wrong, see :class:`ConfusionSets`.

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
    """Return the sets of words that differ only in their diacritics, most frequent members first.

    Parameters
    ----------
    counts
        How often each word occurs, see :func:`count_words`.
    least
        A word with a smaller count is left out.

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
    """How instances are taken from files of plain text.

    Parameters
    ----------
    sets, reach, whole_sentence
        See :meth:`ConfusionSets.instances`.
    by_line
        Whether each line is a paragraph.
    """

    sets: ConfusionSets
    reach: int
    whole_sentence: bool = False
    by_line: bool = False

    def read(self, path: str | Path) -> Corpus:
        """Return the instances of a file; their document has its name.

        Raises
        ------
        InputError
            When the file cannot be read, or is no text.
        """
        corpus = Corpus()
        intern: dict[str, str] = {}
        name = "<stdin>" if str(path) == "-" else str(path)
        with opened(path) as stream:
            for block in blocks(stream, name, corpus.repairs, by_line=self.by_line):
                occurrences = self.sets.instances(
                    block.text,
                    self.reach,
                    whole_sentence=self.whole_sentence,
                    document=name,
                    begins=block.begins,
                    ends=block.ends,
                )
                for found, instance in occurrences:
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
    """Return how often each word occurs in a file, in the form that :func:`member` gives it.

    Raises
    ------
    InputError
        When the file cannot be read, or is no text.
    """
    written: Counter[str] = Counter()
    with opened(path) as stream:
        for block in blocks(stream, str(path), Counter()):
            written.update(TOKEN.findall(block.text))
    counts: Counter[str] = Counter()
    for word, count in written.items():
        counts[member(word)] += count
    return counts
