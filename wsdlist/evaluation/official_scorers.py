"""Scoring by the rules of the official scorers: Senseval's scorer2, and the unified framework's.

docs/scoring.md has the rules in one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from wsdlist.data.pos import NAMES, split_lexelt
from wsdlist.data.sense_keys import lemma_of, part_of_speech_of
from wsdlist.errors import InputError, ParameterError
from wsdlist.evaluation.significance import mcnemar
from wsdlist.readers.sources import NoText, Source, load

RULES = ("unified", "senseval")
GRAINS = ("fine", "mixed", "coarse")
RESAMPLES = 10_000
BACK_OFF = "back-off"  # in a comment, says that the answer is not the system's own
Weighted: TypeAlias = tuple[str, float]


@dataclass
class Line:
    """What a key or a file of answers says of an instance."""

    id: str
    word: str
    tags: list[tuple[str, float | None]]
    place: str
    back_off: bool = False


@dataclass
class AnswerFile:
    """A key or answers, by id; ``repeated`` counts the lines about an id that had one already."""

    lines: dict[str, Line] = field(default_factory=dict)
    repeated: int = 0


@dataclass(frozen=True)
class SenseMap:
    """Senseval's sense map: the ancestors of a sense and the credit for each, the nearest first."""

    above: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)

    def top(self, sense: str) -> str:
        """Return the coarsest sense above a sense, itself where there is none."""
        above = self.above.get(sense, ())
        return above[-1][0] if above else sense

    def credit(self, answer: str, gold: str) -> float:
        """Return what an answer is worth: 1 at or below a right sense, a share of it above."""
        if answer == gold or gold in {sense for sense, _ in self.above.get(answer, ())}:
            return 1.0
        return dict(self.above.get(gold, ())).get(answer, 0.0)


@dataclass(frozen=True)
class Scored:
    """A score with the counts behind it.

    Parameters
    ----------
    instances
        Instances of the key.
    answered
        How many of them have an answer.
    attempted
        The weight of what was answered.
    correct
        The weight of what was right.
    """

    instances: int
    answered: int
    attempted: float
    correct: float

    @property
    def precision(self) -> float:
        """Right by attempted; nan where nothing was."""
        return self.correct / self.attempted if self.attempted else float("nan")

    @property
    def recall(self) -> float:
        """Right by the instances of the key."""
        return self.correct / self.instances if self.instances else float("nan")

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where nothing was right."""
        both = self.attempted + self.instances
        return 2 * self.correct / both if both else float("nan")

    def to_record(self) -> dict[str, Any]:
        """Return the score as JSON data; what there is no number for is None."""
        numbers = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {
            "instances": self.instances,
            "answered": self.answered,
            "attempted": self.attempted,
            "correct": self.correct,
            **{name: None if value != value else value for name, value in numbers.items()},
        }


@dataclass(frozen=True)
class ScoreReport:
    """How answers stand to a key.

    Parameters
    ----------
    rules, grain
        By which it was scored.
    total
        All instances.
    parts
        By ``pos``, ``document`` and ``word``, the score of each.
    credit
        ``(attempted, correct)`` of each instance of the key, in the key's order.
    confusion
        By word, how often the (first) gold sense got the (first) answer.
    ignored
        Ids of answers that the key does not have.
    repeated
        Lines about an id that had one already.
    empty
        Lines with an id and no sense.
    back_off
        Answers that say that they are a back-off.
    """

    rules: str
    grain: str
    total: Scored
    parts: dict[str, dict[str, Scored]]
    credit: dict[str, tuple[float, float]]
    confusion: dict[str, Counter[tuple[str, str]]]
    ignored: tuple[str, ...]
    repeated: int
    empty: int
    back_off: int

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over words."""
        values = [score.f1 for score in self.parts["word"].values()]
        return float(np.mean(values)) if values else float("nan")

    def interval(self, seed: int = 0) -> tuple[float, float]:
        """Return the 95% interval of F1 over instances drawn anew 10,000 times (bootstrap)."""
        attempted, correct = np.array(list(self.credit.values())).reshape(-1, 2).T
        drawn = _resampled(len(correct), seed)
        f1 = 2 * (drawn @ correct) / np.maximum(drawn @ attempted + len(correct), 1e-12)
        low, high = np.quantile(f1, [0.025, 0.975])
        return float(low), float(high)


def rules_of(paths: Iterable[str]) -> str:
    """Say which rules a key is for: Senseval's have the word before the id."""
    lines = [
        line.split() for path in paths for source in _texts(path) for _, line in source.lines()
    ]
    known = [fields for fields in lines if len(fields) > 1]
    first = {fields[0] for fields in known}
    second = {fields[1] for fields in known}
    three = sum(len(fields) > 2 for fields in known)
    return "senseval" if 2 * three > len(known) and len(second) > len(first) else "unified"


def _texts(path: str) -> Iterable[Source]:
    for source in load(path):
        if isinstance(source, NoText):
            raise source.error
        yield source


def read_file(path: str, rules: str) -> AnswerFile:
    """Read a key or answers.

    Unified lines are ``id sense [sense ...]``, and lines about one id are one set; Senseval's are
    ``word id sense[/weight] ... [!! comment]``, and the first line about an id counts.

    Raises
    ------
    InputError
        When it cannot be read, or a line of Senseval's has no id.
    """
    made = AnswerFile()
    for source in _texts(path):
        for number, line in source.lines():
            text, _, comment = line.partition("!!")
            fields = text.split()
            if not fields:
                continue
            place = f"{source.name}:{number}"
            if rules == "senseval" and len(fields) < 2:
                raise InputError("the line has one field", "write word, id and senses", where=place)
            word, name, tags = (
                (fields[0], fields[1], fields[2:])
                if rules == "senseval"
                else ("", fields[0], fields[1:])
            )
            weighted = [_weighted(tag) if rules == "senseval" else (tag, None) for tag in tags]
            if name in made.lines:
                made.repeated += 1
                if rules == "unified":
                    made.lines[name].tags += weighted
                continue
            made.lines[name] = Line(name, word, weighted, place, BACK_OFF in comment)
    return made


def _weighted(tag: str) -> tuple[str, float | None]:
    """Split a tag from its weight; one that is no number belongs to the tag."""
    sense, slash, weight = tag.rpartition("/")
    try:
        value = float(weight) if slash and sense else None
    except ValueError:
        value = None
    if value is None or not np.isfinite(value) or value < 0:
        return tag, None
    return sense, value


def read_sense_map(path: str) -> SenseMap:
    """Read Senseval's sense map: ``sense [n parent [n parent ...]]``, n the parent's children.

    Raises
    ------
    InputError
        When a line is of another form.
    """
    above: dict[str, tuple[tuple[str, float], ...]] = {}
    for source in _texts(path):
        for number, line in source.lines():
            fields = line.split()
            if not fields:
                continue
            sense, *rest = fields
            credit, parents = 1.0, []
            if len(rest) % 2 or not all(one.isdecimal() and int(one) for one in rest[::2]):
                raise InputError(
                    "the line is not a sense, and a number and a parent for each step up",
                    "write: sense 3 parent",
                    where=f"{source.name}:{number}",
                )
            for n, parent in zip(rest[::2], rest[1::2], strict=True):
                credit /= int(n)
                parents.append((parent, credit))
            above.setdefault(sense, tuple(parents))  # scorer2 takes the first line of a sense
    return SenseMap({sense: _upwards(sense, above) for sense in above})


def _upwards(
    sense: str, above: Mapping[str, tuple[tuple[str, float], ...]]
) -> tuple[tuple[str, float], ...]:
    """Return the ancestors of a sense, also those that stand on the lines of its ancestors."""
    made = dict(above[sense])
    top, credit = next(reversed(made.items()), (sense, 1.0))
    while top != sense and above.get(top):
        more = {one: credit * share for one, share in above[top] if one not in made}
        if not more:
            break
        made |= more
        top, credit = next(reversed(more.items()))
    return tuple(made.items())


def weights_of(line: Line, regroup: Callable[[str], str] = str) -> list[Weighted]:
    """Return the answers of a line with the weights that scorer2 gives them.

    Where one has no weight all have the same; weights above 1 in sum are divided by it.

    >>> weights_of(Line("i", "w", [("a", None), ("b", 0.5)], ""))
    [('a', 0.5), ('b', 0.5)]
    >>> weights_of(Line("i", "w", [("a", 0.4), ("b", 0.2)], ""))
    [('a', 0.4), ('b', 0.2)]
    """
    if not line.tags:
        return []
    alike = any(weight is None for _, weight in line.tags)
    given = [(sense, 1.0 if alike or weight is None else weight) for sense, weight in line.tags]
    total = sum(weight for _, weight in given)
    merged: dict[str, float] = {}
    for sense, weight in given:
        group = regroup(sense)
        merged[group] = merged.get(group, 0.0) + (weight / total if total > 1 else weight)
    return list(merged.items())


def score(
    key: AnswerFile,
    answers: AnswerFile,
    rules: str = "unified",
    *,
    grain: str = "fine",
    sense_map: SenseMap | None = None,
    minimal: bool = False,
) -> ScoreReport:
    """Score answers against a key.

    Parameters
    ----------
    key, answers
        What :func:`read_file` returns.
    rules
        ``unified`` or ``senseval``.
    grain
        ``fine``; of Senseval's rules also ``mixed`` or ``coarse``, which need a sense map.
    sense_map
        Of Senseval's rules, see :func:`read_sense_map`.
    minimal
        Whether instances with several gold senses are left out (scorer2's ``-m``).

    Raises
    ------
    ParameterError
        For unknown rules or grain, or a grain that needs a map.
    """
    if rules not in RULES or grain not in GRAINS:
        known = RULES if rules not in RULES else GRAINS
        raise ParameterError(f"{rules!r}, {grain!r} is unknown", f"say one of {', '.join(known)}")
    if grain != "fine" and (sense_map is None or rules != "senseval"):
        raise ParameterError(f"the grain {grain} needs a sense map", "name it with --sense-map")
    groups = sense_map or SenseMap()
    regroup = groups.top if grain == "coarse" else str
    credit: dict[str, tuple[float, float]] = {}
    confusion: dict[str, Counter[tuple[str, str]]] = {}
    members: dict[str, dict[str, list[str]]] = {"pos": {}, "document": {}, "word": {}}
    answered: set[str] = set()
    for name, line in key.lines.items():
        gold = list(dict.fromkeys(regroup(sense) for sense, _ in line.tags))
        if not gold or (minimal and len(gold) > 1):
            continue
        said = answers.lines.get(name)
        given = _given(said, rules, regroup)
        credit[name] = (
            sum(weight for _, weight in given),
            min(1.0, sum(w * _right(sense, gold, groups, grain) for sense, w in given)),
        )
        word, part = _word_of(line, gold[0])
        if given:
            answered.add(name)
            best = max(given, key=lambda pair: pair[1])[0]
            right = best if best in gold else gold[0]
            confusion.setdefault(word, Counter())[right, best] += 1
        document = name.rsplit(".", 2)[0] if name.count(".") > 1 else "(none)"
        for kind, value in (("pos", part), ("document", document), ("word", word)):
            members[kind].setdefault(value, []).append(name)

    def of(names: Iterable[str]) -> Scored:
        some = list(names)
        return Scored(
            len(some),
            sum(name in answered for name in some),
            sum(credit[name][0] for name in some),
            sum(credit[name][1] for name in some),
        )

    return ScoreReport(
        rules,
        grain,
        of(credit),
        {kind: {value: of(g[value]) for value in sorted(g)} for kind, g in members.items()},
        credit,
        confusion,
        tuple(sorted(set(answers.lines) - set(key.lines))),
        answers.repeated,
        sum(not line.tags for line in answers.lines.values()),
        sum(line.back_off and name in credit for name, line in answers.lines.items()),
    )


def _given(line: Line | None, rules: str, regroup: Callable[[str], str]) -> list[Weighted]:
    if line is None:
        return []
    if rules == "senseval":
        return weights_of(line, regroup)
    senses = list(dict.fromkeys(sense for sense, _ in line.tags))
    return [(sense, 1 / len(senses)) for sense in senses]


def _right(sense: str, gold: Sequence[str], groups: SenseMap, grain: str) -> float:
    if grain == "mixed":
        return min(1.0, sum(groups.credit(sense, one) for one in gold))
    return float(sense in gold)


def _word_of(line: Line, gold: str) -> tuple[str, str]:
    """Return the word of an instance and its part of speech: of the line, else of a sense key."""
    part = part_of_speech_of(gold)
    if line.word:
        known = split_lexelt(line.word)[1] or part
        return line.word, NAMES[known] if known else "(none)"
    word = f"{lemma_of(gold)}.{part}" if part else "(none)"
    return word, NAMES[part] if part else "(none)"


@dataclass(frozen=True)
class Compared:
    """Two runs over the instances of a key.

    Parameters
    ----------
    first, second
        Their scores.
    only_first, only_second
        How many instances only the one, only the other got wholly right.
    p
        McNemar's exact two-sided p of these.
    difference
        F1 of the second less that of the first.
    low, high
        Its 95% interval over instances drawn anew (paired bootstrap).
    """

    first: ScoreReport
    second: ScoreReport
    only_first: int
    only_second: int
    p: float
    difference: float
    low: float
    high: float


def compare(first: ScoreReport, second: ScoreReport, seed: int = 0) -> Compared:
    """Compare two runs scored against one key."""
    one = np.array(list(first.credit.values())).reshape(-1, 2)
    two = np.array(list(second.credit.values())).reshape(-1, 2)
    right = [run[:, 1] > 1 - 1e-9 for run in (one, two)]
    only = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    drawn = _resampled(len(one), seed)
    f1 = [
        2 * (drawn @ run[:, 1]) / np.maximum(drawn @ run[:, 0] + len(run), 1e-12)
        for run in (one, two)
    ]
    low, high = np.quantile(f1[1] - f1[0], [0.025, 0.975])
    return Compared(
        *(first, second, *only, mcnemar(*only)),
        second.total.f1 - first.total.f1,
        float(low),
        float(high),
    )


def _resampled(n: int, seed: int) -> Any:
    """Return ``(RESAMPLES, n)`` how often each instance is drawn, as a sparse matrix."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, max(n, 1), (RESAMPLES, n), dtype=np.int32)
    starts = np.arange(RESAMPLES + 1) * n
    ones = np.ones(chosen.size, dtype=np.float32)
    return csr_array((ones, chosen.ravel(), starts), shape=(RESAMPLES, n))
