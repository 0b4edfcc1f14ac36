"""What is learned from: instances of words in context, and tables of nominal attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple, TypeAlias, cast

from wsdlist.data.checks import check_kind, check_tuple
from wsdlist.data.names import alike, canonical, nfc
from wsdlist.errors import InputError, ParameterError

Span: TypeAlias = tuple[int, int]
KINDS = ("nominal", "numeric", "skip")  # what the caller may say that a column of a table is


class Kind(Enum):
    """What is learned from."""

    WORDS = "words in context"
    TABLE = "rows of a table"


class Token(NamedTuple):
    """One token of a context, as :attr:`Instance.tokens` shows it."""

    form: str
    lemma: str | None = None
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """One occurrence of a lexelt in its context.

    Parameters
    ----------
    id
        Name of the instance, unique in its corpus.
    lexelt
        The word whose senses are told apart, for example ``bank.n``.
    forms
        The tokens of the context as written.
    target
        ``(start, end)`` of the occurrence, in tokens, ``end`` exclusive.
    senses
        Gold labels as the corpus gives them, each once; empty if there is none.
    tags, lemmas
        Part-of-speech tags and lemmas, one for each form; None if the corpus has none.
    heads
        Every occurrence that the corpus marks, in tokens as ``target``, which is the first.
    satellites
        Token numbers of the other parts of a multiword target (the *for* of *called for*).
    sentences
        Token numbers at which sentences start.
    document
        Name of the text that the instance is from, if known.
    place
        ``FILE:LINE`` of the instance.
    text, spans
        The context as it came, and ``(start, end)`` of each token in its code points; None if it
        came as tokens.
    offset
        The number of its first token in the running text ``document`` of its corpus; None if the
        corpus has no running text.

    >>> i = Instance("s10", "bank.n", ("the", "river", "burst", "its", "bank"), (4, 5), ("shore",))
    >>> i.target_form, i.tokens[1]
    ('bank', Token(form='river', lemma=None, tag=None))
    """

    kind: ClassVar[Kind] = Kind.WORDS

    id: str
    lexelt: str
    forms: tuple[str, ...]
    target: Span
    senses: tuple[str, ...] = ()
    tags: tuple[str, ...] | None = None
    lemmas: tuple[str, ...] | None = None
    heads: tuple[Span, ...] = ()
    satellites: tuple[int, ...] = ()
    sentences: tuple[int, ...] = (0,)
    document: str | None = None
    place: str = ""
    text: str | None = None
    spans: tuple[Span, ...] | None = None
    offset: int | None = None

    def __post_init__(self) -> None:
        _names_in_nfc(self)
        check_tuple("forms", self.forms, self.id)
        start, end = self.target
        if not 0 <= start < end <= len(self.forms):
            raise ParameterError(
                f"the target of {self.id!r} is {self.target!r} in {len(self.forms)} forms",
                "give a span of them that is not empty",
            )

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens with their lemmas and tags."""
        none: tuple[None, ...] = (None,) * len(self.forms)
        return tuple(map(Token, self.forms, self.lemmas or none, self.tags or none))

    @property
    def target_form(self) -> str:
        """The occurrence as written."""
        return " ".join(self.forms[slice(*self.target)])

    @property
    def characters(self) -> Span | None:
        """``(start, end)`` of the occurrence in code points of :attr:`text`, if there is one."""
        if self.spans is None:
            return None
        return self.spans[self.target[0]][0], self.spans[self.target[1] - 1][1]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: an instance with values of attributes instead of a context.

    Parameters
    ----------
    id
        Name of the row, unique in its corpus.
    lexelt
        Name of the table.
    names, values
        The attributes without the class, and their values; None is a missing value.
    senses
        The class; empty if it is missing.
    place
        ``FILE:LINE`` of the row.
    numeric
        The attributes whose values are numbers; the values are kept as they were written.
    target
        The attribute that is the class.
    """

    kind: ClassVar[Kind] = Kind.TABLE

    id: str
    lexelt: str
    names: tuple[str, ...]
    values: tuple[str | None, ...]
    senses: tuple[str, ...] = ()
    place: str = ""
    numeric: frozenset[str] = frozenset()
    target: str | None = None

    def __post_init__(self) -> None:
        _names_in_nfc(self)
        texts = (*self.names, *self.values, self.target)
        if not all(text is None or text.isascii() for text in texts):
            values = tuple(None if value is None else nfc(value) for value in self.values)
            object.__setattr__(self, "values", values)
            object.__setattr__(self, "names", tuple(map(nfc, self.names)))
            object.__setattr__(self, "numeric", frozenset(map(nfc, self.numeric)))
            if self.target is not None:
                object.__setattr__(self, "target", nfc(self.target))


Item: TypeAlias = Instance | Row


def _names_in_nfc(item: Item) -> None:
    """Keep id, lexelt and senses as names are kept, see :mod:`wsdlist.data.names`.

    Raises
    ------
    ParameterError
        When one of them is no string.
    """
    check_tuple("senses", item.senses, item.id)
    names = (item.id, item.lexelt, *item.senses)
    try:
        are_ascii = all(map(str.isascii, names))
    except TypeError:
        for name in names:
            check_kind(f"id, lexelt or sense {name!r}", name, str, "give a string")
        raise
    if not are_ascii:
        object.__setattr__(item, "id", nfc(item.id))
        object.__setattr__(item, "lexelt", nfc(item.lexelt))
        object.__setattr__(item, "senses", tuple(dict.fromkeys(map(nfc, item.senses))))


def check_item(number: int, item: object, kind: Kind) -> None:
    """Refuse what is no instance, or one of another kind than is due.

    Raises
    ------
    ParameterError
        When it is.
    """
    check_kind(f"item {number}", item, (Instance, Row), "give an Instance, or a Row of a table")
    if cast("Item", item).kind is not kind:
        what = f"item {number} is a {type(item).__name__}, and due are {kind.value}"
        raise ParameterError(what, "give others")


def without_edge_blanks(items: list[Item]) -> tuple[list[Item], int]:
    """Return items whose id, lexelt and senses have no blanks at their edges, and how many had."""
    kept = []
    n_mended = 0
    for item in items:
        names = (item.id, item.lexelt, *item.senses)
        if any(name[:1].isspace() or name[-1:].isspace() for name in names):
            n_mended += 1
            senses = tuple(dict.fromkeys(map(str.strip, item.senses)))
            item = replace(item, id=item.id.strip(), lexelt=item.lexelt.strip(), senses=senses)
        kept.append(item)
    return kept, n_mended


@dataclass(frozen=True, slots=True)
class Text:
    """A text in which words are to be found.

    Parameters
    ----------
    forms
        Its tokens as written.
    spans
        ``(start, end)`` of each token in code points of ``text``; in tokens if the text came as
        tokens.
    text
        The text as it came; None if it came as tokens.
    tags, lemmas
        One for each form, if known; a tag that no table knows, such as ``_``, decides nothing.
    sentences
        Token numbers at which sentences start.
    taken
        Spans, in the units of ``spans``, of what is tagged already and stays as it is.
    """

    forms: tuple[str, ...]
    spans: tuple[Span, ...]
    text: str | None = None
    tags: tuple[str, ...] | None = None
    lemmas: tuple[str, ...] | None = None
    sentences: tuple[int, ...] = (0,)
    taken: tuple[Span, ...] = ()

    def written(self, first: int, last: int) -> str:
        """Return the tokens from ``first`` up to ``last`` as written."""
        if self.text is None:
            return " ".join(self.forms[first:last])
        return self.text[self.spans[first][0] : self.spans[last - 1][1]]


@dataclass(slots=True)
class Corpus:
    """Instances, with what is known of all of them together.

    Parameters
    ----------
    instances
        Words in context, or rows of tables.
    markers
        Labels that say that no sense was given (``U`` and ``P`` in Senseval). Only scorers count
        them; nothing is learned from them.
    repairs
        How often a reader had to mend something, by the kind of repair.
    skipped
        The errors of the records that were left out under ``on_error="skip"``.
    texts
        The running texts that the contexts are taken from, by the name of the document.
    written
        The texts of CoNLL-U files as they were written, because they say more than ``texts``.
    """

    instances: list[Item] = field(default_factory=list)
    markers: frozenset[str] = frozenset()
    repairs: Counter[str] = field(default_factory=Counter)
    skipped: list[InputError] = field(default_factory=list)
    texts: dict[str, Text] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.instances)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.instances)

    @property
    def kind(self) -> Kind:
        """Whether it holds words in context (also if it is empty) or rows of a table.

        Raises
        ------
        InputError
            When it holds both.
        """
        kinds = {item.kind for item in self.instances} or {Kind.WORDS}
        if len(kinds) > 1:
            raise InputError("holds words in context and rows of a table", "name one of them")
        return kinds.pop()

    def extend(self, other: Corpus) -> None:
        """Take over all that ``other`` holds."""
        self.instances += other.instances
        self.markers |= other.markers
        self.repairs += other.repairs
        self.skipped += other.skipped
        self.texts |= other.texts
        self.written |= other.written

    def by_lexelt(self) -> dict[str, list[Item]]:
        """Return the instances of each lexelt, lexelts in alphabetical order."""
        words: dict[str, list[Item]] = {}
        for instance in self.instances:
            words.setdefault(instance.lexelt, []).append(instance)
        return dict(sorted(words.items()))

    def names_alike(self) -> Iterator[tuple[str, list[str]]]:
        """Yield names that differ only by case or blanks, with the lexelt whose senses they are.

        For lexelts that are alike it is empty.
        """
        for group in alike({item.lexelt for item in self.instances}):
            yield "", group
        senses: dict[str, set[str]] = {}
        for item in self.instances:
            senses.setdefault(item.lexelt, set()).update(item.senses)
        for lexelt, names in sorted(senses.items()):
            for group in alike(names):
                yield lexelt, group

    def labels(self, instance: Item) -> tuple[str, ...]:
        """Return the senses to learn from: the gold labels without markers."""
        return tuple(sense for sense in instance.senses if sense not in self.markers)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column of a table; ``values`` are those declared (ARFF) or found (CSV), in that order."""

    name: str
    values: tuple[str, ...]
    numeric: bool = False


@dataclass(slots=True)
class Table:
    """A table of nominal and numeric attributes, as a file has it.

    Parameters
    ----------
    name
        Name of the table.
    attributes
        Its columns.
    rows
        A value for each attribute, numbers as they were written; None is a missing value.
    lines
        The line of each row in its file, from 1.
    place
        Name of the file.
    """

    name: str
    attributes: tuple[Attribute, ...]
    rows: list[tuple[str | None, ...]]
    lines: list[int]
    place: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> int:
        """Return the number of the attribute ``name``.

        Raises
        ------
        InputError
            When no attribute has that name.
        """
        for number, attribute in enumerate(self.attributes):
            if canonical(attribute.name) == canonical(name):
                return number
        names = ", ".join(attribute.name for attribute in self.attributes)
        raise InputError(f"there is no attribute {name!r}", f"say one of {names}", where=self.place)

    def instances(
        self, class_name: str | None = None, kinds: Mapping[str, str] | None = None
    ) -> list[Row]:
        """Return the rows as instances.

        Parameters
        ----------
        class_name
            The attribute that is the class; by default the last one.
        kinds
            What some attributes are, see :data:`KINDS`; the table says what the others are.

        Raises
        ------
        InputError
            When an attribute does not exist, none is left, or the class is numeric.
        """
        kinds = kinds or {}
        kind_of = {self.column(name): kind for name, kind in kinds.items()}
        usable = [n for n in range(len(self.attributes)) if kind_of.get(n) != "skip"]
        if not usable:
            raise InputError("no attribute is left", "skip fewer", where=self.place)
        if class_name is None and usable[-1] != len(self.attributes) - 1:
            raise InputError(
                "the last attribute, which is the class, is left out",
                "name another class with --class",
                where=self.place,
            )
        target = self.column(class_name) if class_name else usable[-1]
        is_number = {
            number: kind_of.get(number, "numeric" if attribute.numeric else "nominal") == "numeric"
            for number, attribute in enumerate(self.attributes)
        }
        if is_number[target]:
            name = self.attributes[target].name
            raise InputError(
                f"the class {name!r} is numeric",
                f"name another with --class, or say --column {name}=nominal",
                where=self.place,
            )
        others = [number for number in usable if number != target]
        names = tuple(self.attributes[number].name for number in others)
        numeric = frozenset(self.attributes[number].name for number in others if is_number[number])
        file = PurePosixPath(self.place.replace("\\", "/")).name
        rows = []
        for row, line in zip(self.rows, self.lines, strict=True):
            label = row[target]
            rows.append(
                Row(
                    f"{file}:{line}",
                    self.name,
                    names,
                    tuple(row[other] for other in others),
                    () if label is None else (label,),
                    f"{self.place}:{line}",
                    numeric,
                    self.attributes[target].name,
                )
            )
        return rows
