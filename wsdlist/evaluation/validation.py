"""Checks of a corpus: a table of codes, each a short function whose docstring is its message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from wsdlist.data.checks import check_kind
from wsdlist.data.corpus import Corpus, Item, Row
from wsdlist.data.folds import folded
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.inventories.glosses import Inventory
from wsdlist.readers import Parts


@dataclass(frozen=True)
class Finding:
    """What a check found: the code of the check, the place, and the details."""

    code: str
    where: str
    message: str

    def to_record(self) -> dict[str, Any]:
        """Return the finding as JSON data."""
        return {"code": self.code, "where": self.where, "message": self.message}


@dataclass
class Checked:
    """A corpus, and what several checks look at."""

    parts: Parts
    inventory: Inventory | None = None

    @cached_property
    def all(self) -> list[tuple[str, Item]]:
        """Every instance with the name of its part."""
        test = self.parts.test or Corpus()
        return [("train", i) for i in self.parts.train] + [("test", i) for i in test]

    @cached_property
    def copies(self) -> list[list[tuple[str, Item]]]:
        """Groups of instances of a lexelt whose contexts are near copies of one another."""
        groups: dict[tuple[str, str], list[tuple[str, Item]]] = {}
        for part, item in self.all:
            if isinstance(item, Row):
                continue  # equal rows of a table are what tables are made of
            groups.setdefault((item.lexelt, folded(item)), []).append((part, item))
        return [group for group in groups.values() if len(group) > 1]

    @cached_property
    def senses(self) -> dict[str, Counter[str]]:
        """How often each sense of a lexelt occurs in the training part."""
        return _senses(self.parts.train)

    @cached_property
    def every_sense(self) -> dict[str, Counter[str]]:
        """How often each sense of a lexelt occurs in both parts together."""
        senses = {lexelt: counts.copy() for lexelt, counts in self.senses.items()}
        for lexelt, counts in _senses(self.parts.test or Corpus()).items():
            senses[lexelt] = senses.get(lexelt, Counter()) + counts
        return senses


def _senses(corpus: Corpus) -> dict[str, Counter[str]]:
    return {
        lexelt: Counter(sense for item in items for sense in corpus.labels(item))
        for lexelt, items in corpus.by_lexelt().items()
    }


Check: TypeAlias = Callable[[Checked], Iterator[tuple[str, str]]]  # where, details


def unreadable(checked: Checked) -> Iterator[tuple[str, str]]:
    """The record cannot be read: {}."""
    for corpus in (checked.parts.train, checked.parts.test or Corpus()):
        for error in corpus.skipped:
            yield error.where, f"{error.what}; {error.advice}"


def unlabelled(checked: Checked) -> Iterator[tuple[str, str]]:
    """The instance has no sense to learn from: {}."""
    for item in checked.parts.train:
        if not checked.parts.train.labels(item):
            only = f"only {' '.join(item.senses)}" if item.senses else "none is given"
            yield item.place, f"{item.id}, {only}"


def contradiction(checked: Checked) -> Iterator[tuple[str, str]]:
    """The same context has different senses: {}."""
    for group in checked.copies:
        if len({frozenset(item.senses) for _, item in group if item.senses}) > 1:
            yield (
                group[-1][1].place,
                ", ".join(f"{i.id} {' '.join(i.senses)}" for _, i in group if i.senses),
            )


def leak(checked: Checked) -> Iterator[tuple[str, str]]:
    """The same context is in training and in test: {}."""
    for group in checked.copies:
        if len({part for part, _ in group}) > 1:
            yield group[-1][1].place, ", ".join(f"{item.id} ({part})" for part, item in group)


def duplicate(checked: Checked) -> Iterator[tuple[str, str]]:
    """The same context stands more than once in one part: {}."""
    for group in checked.copies:
        for part in ("train", "test"):
            same = [item for where, item in group if where == part]
            if len(same) > 1:
                yield same[-1].place, ", ".join(item.id for item in same)


def unseen(checked: Checked) -> Iterator[tuple[str, str]]:
    """A sense of the test part never occurs in training: {}."""
    if checked.parts.test is not None:
        for lexelt, counts in _senses(checked.parts.test).items():
            for sense in sorted(set(counts) - set(checked.senses.get(lexelt, ()))):
                yield lexelt, f"{sense}, {counts[sense]} in test"


def untrained(checked: Checked) -> Iterator[tuple[str, str]]:
    """A word of the test part never occurs in training: {}."""
    if checked.parts.test is not None:
        for lexelt, items in checked.parts.test.by_lexelt().items():
            if not checked.senses.get(lexelt):
                yield lexelt, f"{len(items)} in test"


def satellites(checked: Checked) -> Iterator[tuple[str, str]]:
    """Two senses differ in %5 and %3 alone, --map satellites makes them one: {}."""
    merged = CoarseMap("satellites")
    for lexelt, counts in checked.every_sense.items():
        for sense in sorted(counts):
            if merged(sense) != sense and merged(sense) in counts:
                yield lexelt, f"{sense} and {merged(sense)}"


def unlisted(checked: Checked) -> Iterator[tuple[str, str]]:
    """A sense is not in the inventory: {}."""
    if checked.inventory is not None:
        for lexelt, counts in checked.every_sense.items():
            for sense in sorted(s for s in counts if (lexelt, s) not in checked.inventory):
                yield lexelt, f"{sense}, {counts[sense]} instances"


def alike(checked: Checked) -> Iterator[tuple[str, str]]:
    """Names differ only by case or blanks: {}."""
    for lexelt, names in Corpus([item for _, item in checked.all]).names_alike():
        yield lexelt or "all", " and ".join(map(repr, names))


def single(checked: Checked) -> Iterator[tuple[str, str]]:
    """A sense has one training instance: {}."""
    for lexelt, counts in checked.senses.items():
        for sense in sorted(sense for sense, count in counts.items() if count == 1):
            yield lexelt, sense


def undecided(checked: Checked) -> Iterator[tuple[str, str]]:
    """A word has one sense in training, so there is nothing to decide: {}."""
    for lexelt, counts in checked.senses.items():
        if len(counts) == 1:
            yield lexelt, next(iter(counts))


def adjectives(checked: Checked) -> Iterator[tuple[str, str]]:
    """Senses of adjectives are satellites: {}."""
    merged = CoarseMap("satellites")
    keys = {sense for counts in checked.every_sense.values() for sense in counts}
    found = sum(merged(sense) != sense for sense in keys)
    if found:
        yield "all", f"{found} of {len(keys)} keys have %5"


def repaired(checked: Checked) -> Iterator[tuple[str, str]]:
    """Reading mended something: {}."""
    for name, corpus in (("train", checked.parts.train), ("test", checked.parts.test or Corpus())):
        for kind, count in sorted(corpus.repairs.items()):
            yield name, f"{count} {kind}"


# E: the record is lost; W: worth a look; I: for information, no reason for exit status 1
CHECKS: dict[str, Check] = {
    "E101": unreadable,
    "W201": unlabelled,
    "W202": contradiction,
    "W203": leak,
    "W204": duplicate,
    "W205": unseen,
    "W206": untrained,
    "W207": satellites,
    "W208": unlisted,
    "W209": alike,
    "I301": single,
    "I302": undecided,
    "I303": repaired,
    "I304": adjectives,
}


@dataclass(frozen=True)
class Word:
    """The counts of a lexelt.

    Parameters
    ----------
    lexelt
        The word.
    senses
        Senses in training.
    train, test
        Instances of each part.
    most_frequent
        The share of training instances that have the most frequent sense; nan if none has any.
    several
        Training instances with several senses.
    """

    lexelt: str
    senses: int
    train: int
    test: int
    most_frequent: float
    several: int

    def to_record(self) -> dict[str, Any]:
        """Return the counts as JSON data; None for what has no number."""
        record = asdict(self)
        if self.most_frequent != self.most_frequent:
            record["most_frequent"] = None
        return record


@dataclass(frozen=True)
class ValidationReport:
    """What is in a corpus, and what the checks found."""

    words: list[Word] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether all findings are for information only."""
        return all(finding.code.startswith("I") for finding in self.findings)


def validate(parts: Parts, inventory: Inventory | None = None) -> ValidationReport:
    """Check a corpus (read with ``on_error="skip"``) and count what is in it.

    With an inventory, the senses of the corpus are looked up there.
    """
    check_kind("parts", parts, Parts, "give what wsdlist.read returns")
    checked = Checked(parts, inventory)
    findings = [
        Finding(code, where, (check.__doc__ or "").strip().removesuffix(".").format(details))
        for code, check in CHECKS.items()
        for where, details in check(checked)
    ]
    return ValidationReport(_words(checked), findings)


def _words(checked: Checked) -> list[Word]:
    train = checked.parts.train.by_lexelt()
    test = (checked.parts.test or Corpus()).by_lexelt()
    words = []
    for lexelt in sorted({*train, *test}):
        counts = checked.senses.get(lexelt, Counter())
        items: Sequence[Item] = train.get(lexelt, [])
        labelled = [item for item in items if checked.parts.train.labels(item)]
        words.append(
            Word(
                lexelt,
                len(counts),
                len(items),
                len(test.get(lexelt, [])),
                max(counts.values(), default=0) / len(labelled) if labelled else float("nan"),
                sum(len(checked.parts.train.labels(item)) > 1 for item in labelled),
            )
        )
    return words
