"""The named feature sets, in one literal table, and a user's own in TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from wsdlist.data.checks import check_kind
from wsdlist.data.corpus import Kind
from wsdlist.data.records import fields_to_record
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.annotations import ANNOTATIONS
from wsdlist.features.positions import Anywhere, At, Near, Satellite, TextPosition, reach_of

AROUND = "-around"  # ends the names of sets that ask nothing of the target itself
Test: TypeAlias = tuple[TextPosition, str]  # position x annotation

BAGS: dict[str, type[Anywhere | Satellite]] = {"context": Anywhere, "particle": Satellite}
PLACE = re.compile(
    r"(?P<near>near)\((?P<distance>[0-9]{1,4})(?:,(?P<kind>\w+))?\)"
    rf"|(?P<bag>{'|'.join(BAGS)})(?:\((?P<bag_kind>\w+)\))?"
    r"|(?P<what>[a-z]+)(?P<offset>[+-][0-9]{1,4})?"
)


@dataclass(frozen=True)
class FeatureSet:
    """The templates from which questions are made.

    Parameters
    ----------
    name, version
        By these a model remembers the set.
    about
        One line for people.
    single
        Tests (position x annotation) that are asked by themselves: ``word-1``, ``tag+2``, ``word``
        (the target's own), ``near(9)``, ``context``, ``context(content)``, ``particle``.
    pairs
        Tests of which every two make a template.
    together
        Groups of tests that are asked together, any number in a group.
    kind
        Whether the questions are about words or tables.
    within
        ``context``, or ``sentence`` if offsets do not cross the border of a sentence.
    """

    name: str
    version: int
    about: str
    single: tuple[str, ...]
    pairs: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    within: str = "context"
    kind: Kind = Kind.WORDS

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """The tests (position x annotation) that the templates need, in the order of questions."""
        named = {*self.single, *self.pairs, *(name for group in self.together for name in group)}
        return tuple(sorted((self.test(name) for name in named), key=_order))

    @cached_property
    def templates(self) -> tuple[tuple[int, ...], ...]:
        """The templates: numbers of :attr:`tests`, ascending, the shorter templates first."""
        groups: Iterable[tuple[str, ...]] = (
            *((name,) for name in self.single),
            *combinations(self.pairs, 2),
            *self.together,
        )
        number = {test: n for n, test in enumerate(self.tests)}
        templates = {tuple(sorted(number[self.test(name)] for name in group)) for group in groups}
        return tuple(sorted(templates, key=lambda template: (len(template), template)))

    def template_texts(self) -> list[str]:
        """Return the templates as people read them: ``word-1 & word+1``."""
        texts = []
        for template in self.templates:
            tests = [self.tests[number] for number in template]
            tests.sort(key=lambda test: test[0].offset if isinstance(test[0], At) else 99)
            texts.append(" & ".join(position.text(annotation) for position, annotation in tests))
        return texts

    def test(self, name: str) -> Test:
        """Turn the text of a test, ``word-1``, into a position and an annotation.

        Raises
        ------
        ParameterError
            When the text names no position or an unknown annotation.
        """
        match = PLACE.fullmatch(name)
        if match is None:
            raise ParameterError(
                f"feature set {self.name!r}: {name!r} names no place",
                "write word-1, tag+2, lemma, near(9), context, context(content) or particle",
            )
        position: TextPosition
        if match["near"]:
            position, annotation = Near(int(match["distance"])), match["kind"] or "word"
        elif match["bag"]:
            position = BAGS[match["bag"]]()
            annotation = match["bag_kind"] or "word"
        else:
            position, annotation = At(int(match["offset"] or 0), self.within), match["what"]
        if annotation not in ANNOTATIONS:
            raise ParameterError(
                f"feature set {self.name!r}: {name!r} asks for the unknown kind {annotation!r}",
                f"say one of {', '.join(ANNOTATIONS)}",
            )
        return position, annotation

    def around(self) -> FeatureSet:
        """Return the set without tests of the target itself, for words that were taken out.

        >>> len(SETS["light"].templates), len(SETS["light"].around().templates)
        (16, 11)
        """

        def kept(names: Iterable[str]) -> tuple[str, ...]:
            positions = ((name, self.test(name)[0]) for name in names)
            return tuple(n for n, at in positions if not (isinstance(at, At) and at.offset == 0))

        if all(position != At(0, self.within) for position, _ in self.tests):
            return self
        return replace(
            self,
            name=f"{self.name}{AROUND}",
            about=f"{self.about}; nothing of the target itself",
            single=kept(self.single),
            pairs=kept(self.pairs),
            together=tuple(group for group in self.together if len(kept(group)) == len(group)),
        )

    @property
    def reach(self) -> int | None:
        """How many tokens to either side of the target are asked about; None: all."""
        return reach_of(position for position, _ in self.tests)

    def needs(self) -> tuple[str, ...]:
        """Return the annotations (``tags``, ``lemmas``) that instances must have."""
        both = ((position.needs, ANNOTATIONS[what].needs()) for position, what in self.tests)
        return tuple(sorted({need for needs in both for need in needs if need}))

    def to_record(self) -> dict[str, Any]:
        """Return the set as JSON data."""
        record = fields_to_record(self)
        del record["kind"]  # a table has the set of that name
        return record

    @staticmethod
    def from_record(record: dict[str, Any]) -> FeatureSet:
        """Make a set of what :meth:`to_record` gives, see :func:`from_record`."""
        return from_record(record)


def _order(test: Test) -> tuple[Any, ...]:
    position, annotation = test
    return (*position.order, [*ANNOTATIONS].index(annotation), position.text(annotation))


WORDS = ("word-2", "word-1", "word", "word+1", "word+2")
LEMMAS = ("lemma-2", "lemma-1", "word", "lemma+1", "lemma+2")
PARTS = ("pos-2", "pos-1", "pos", "pos+1", "pos+2")
TAGS = ("tag-2", "tag-1", "tag", "tag+1", "tag+2")

SETS = {
    features.name: features
    for features in (
        FeatureSet(
            name="goodman",
            version=2,
            about="words and tags at -2..+2 and of the target, all pairs of them, words within 9 "
            "(Goodman 2002, section 4)",
            single=(*WORDS, *TAGS, "near(9)"),
            pairs=(*WORDS, *TAGS),
        ),
        FeatureSet(
            name="ims",
            version=2,
            about="tags at -3..+3, the eleven collocations, content lemmas of the context, the "
            "particle of a satellite (Zhong & Ng 2010; Lee & Ng 2002)",
            single=(
                *("tag-3", "tag-2", "tag-1", "tag", "tag+1", "tag+2", "tag+3"),
                *("word-1", "word+1", "word-2", "word+2"),
                *("context(content)", "particle"),
            ),
            together=(
                ("word-2", "word-1"),
                ("word-1", "word+1"),
                ("word+1", "word+2"),
                ("word-3", "word-2", "word-1"),
                ("word-2", "word-1", "word+1"),
                ("word-1", "word+1", "word+2"),
                ("word+1", "word+2", "word+3"),
            ),
            within="sentence",
        ),
        FeatureSet(
            name="light",
            version=2,
            about="as goodman without tags: for any language, with no tagger",
            single=(*WORDS, "near(9)"),
            pairs=WORDS,
        ),
        FeatureSet(
            name="rich",
            version=2,
            about="goodman with lemmas, content lemmas of the context and particles: the most "
            "accurate here where tags and lemmas are good (docs/benchmarks.md)",
            single=(
                *(*WORDS, *TAGS, "near(9)"),
                *("lemma-2", "lemma-1", "lemma+1", "lemma+2"),
                *("near(9,content)", "context(content)", "particle"),
            ),
            pairs=(*WORDS, *TAGS),
        ),
        FeatureSet(
            name="all-words",
            version=1,
            about="lemmas and parts of speech at -2..+2 of the sentence and the form of the "
            "target, all pairs of them, content lemmas within 9: for many words with few "
            "instances each, whatever the tag set (docs/benchmarks.md)",
            single=(*LEMMAS, *PARTS, "near(9,content)"),
            pairs=(*LEMMAS, *PARTS),
            within="sentence",
        ),
        FeatureSet(
            name="table",
            version=1,
            about="values of attributes and every two of them: what a table gets in any case",
            single=(),
            kind=Kind.TABLE,
        ),
    )
}


def feature_set(name: str | Path | FeatureSet) -> FeatureSet:
    """Return the set of that name, or read it from a TOML file; a set is returned as it is.

    Raises
    ------
    InputError
        When the file cannot be read or is not TOML.
    ParameterError
        When there is no set of that name, or the file does not describe one.
    """
    if isinstance(name, FeatureSet):
        return name
    check_kind("features", name, (str, Path), "give the name of a set, or a .toml file")
    name = str(name)
    if name in SETS:
        return SETS[name]
    if name.removesuffix(AROUND) in SETS:
        return SETS[name.removesuffix(AROUND)].around()
    if not name.endswith(".toml"):
        raise ParameterError(
            f"there is no feature set {name!r}",
            f"say one of {', '.join(SETS)}, or name a .toml file",
        )
    try:
        record = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such file", "check the path", where=name) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"is not TOML: {error}", "correct the file", where=name) from None
    try:
        return from_record(record)
    except ParameterError as error:
        raise ParameterError(error.what, error.advice, where=name) from None


def from_record(record: dict[str, Any]) -> FeatureSet:
    """Make a set of what :meth:`FeatureSet.to_record` gives, or of a TOML file's content.

    Raises
    ------
    ParameterError
        When a field is unknown or has an impossible value, or there is no template.

    >>> mine = from_record({"name": "mine", "single": ["word-1"], "pairs": ["word-1", "word+1"]})
    >>> [len(template) for template in mine.templates]
    [1, 2]
    """
    fields = {"name", "version", "about", "single", "pairs", "together", "within"}
    unknown = sorted(set(record) - fields)
    if unknown:
        raise ParameterError(
            f"{unknown[0]!r} is no field of a feature set", f"use {', '.join(sorted(fields))}"
        )

    def names(value: Any, field: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ParameterError(f"{field!r} is not a list of places", 'write ["word-1", "tag+1"]')
        return tuple(value)

    together = record.get("together", [])
    if not isinstance(together, list):
        raise ParameterError("'together' is not a list of lists", 'write [["word-1", "word+1"]]')
    if any(record == known.to_record() for known in SETS.values()):
        return SETS[record["name"]]
    name, version, about = record.get("name"), record.get("version", 1), record.get("about", "")
    if not isinstance(name, str) or not isinstance(version, int) or not isinstance(about, str):
        raise ParameterError("a feature set needs a name", 'write name = "mine"')
    features = FeatureSet(
        name=name,
        version=version,
        about=about,
        single=names(record.get("single", []), "single"),
        pairs=names(record.get("pairs", []), "pairs"),
        together=tuple(names(group, "together") for group in together),
        within=record.get("within", "context"),
    )
    if features.within not in ("context", "sentence"):
        raise ParameterError(f"'within' is {features.within!r}", "say context or sentence")
    if not features.templates:
        raise ParameterError("the feature set has no template", "give it single, pairs or together")
    return features
