"""Instances to answers: questions are found while training, and only theirs are asked later.

Text becomes arrays of interned values once; a template is arithmetic on such arrays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from wsdlist.data.arrays import Floats, Ints, Pairs, distinct, join, numbered
from wsdlist.data.checks import check_choice
from wsdlist.data.corpus import Instance
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.annotations import ANNOTATIONS
from wsdlist.features.matrix import Conjunctions, QuestionMatrix
from wsdlist.features.positions import Position
from wsdlist.features.questions import Condition, Question
from wsdlist.features.sets import FeatureSet

EDGE_CODE, UNASKED = 0, -1
WEIGHT_UNIT = 1024
MULTI = ("split", "first", "all")


class _Numbers(dict[str, int]):
    """Numbers tokens in the order in which they are first asked about."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number


class Batch:
    """Contexts as flat arrays; a target of several tokens is one.

    ``start``, ``end`` and ``target`` are ``(n,)`` positions in the flat token sequence. Tokens
    further than ``reach`` from the target are left out (None: all are kept).
    """

    def __init__(self, instances: Sequence[Instance], reach: int | None) -> None:
        self.instances = instances
        n = len(instances)
        spans = chain.from_iterable([instance.target for instance in instances])
        first, last = np.fromiter(spans, np.int64, 2 * n).reshape(-1, 2).T
        size = np.fromiter(map(len, [i.forms for i in instances]), np.int64, n)
        low = np.zeros_like(first) if reach is None else np.maximum(first - reach, 0)
        high = size if reach is None else np.minimum(last + reach, size)
        self.low, self.high = low, high
        self.whole = bool(((low == 0) & (high == size) & (last - first == 1)).all())
        n_tokens = high - low - (last - first) + 1
        self.end: Ints = np.cumsum(n_tokens)
        self.start: Ints = self.end - n_tokens
        self.target: Ints = self.start + first - low

    @cached_property
    def windows(self) -> list[tuple[int, int]]:
        """The first token of each context that is kept, and the one behind the last."""
        return list(zip(self.low.tolist(), self.high.tolist(), strict=True))

    @cached_property
    def sentence(self) -> Pairs:
        """``(n,)`` positions at which the target's sentence starts and ends, in the context."""
        bounds = []
        for instance, (low, high) in zip(self.instances, self.windows, strict=True):
            first, last = instance.target
            number = bisect_right(instance.sentences, first)
            starts = instance.sentences[number - 1] if number else 0
            ends = len(instance.forms)
            if number < len(instance.sentences):
                ends = instance.sentences[number]
            bounds.append(
                (max(starts - low, 0), max(min(ends, high) - low - (last - first) + 1, 0))
            )
        made = np.array(bounds, dtype=np.int64).reshape(-1, 2)
        return self.start + made[:, 0], np.minimum(self.start + made[:, 1], self.end)

    @cached_property
    def satellites(self) -> Pairs:
        """``(rows, positions)`` of the satellites."""
        rows, positions = [], []
        for row, (instance, (low, _)) in enumerate(zip(self.instances, self.windows, strict=True)):
            first, last = instance.target
            for token in instance.satellites:
                if not first <= token < last:
                    rows.append(row)
                    shift = last - first - 1 if token >= last else 0
                    positions.append(self.start[row] + token - low - shift)
        return np.array(rows, dtype=np.int64), np.array(positions, dtype=np.int64)

    def layer(self, name: str) -> list[str]:
        """Return a layer (``forms``, ``tags``, ``lemmas``) as one flat list.

        Raises
        ------
        InputError
            When an instance lacks it.
        """
        if self.whole and name == "forms":
            return list(chain.from_iterable([instance.forms for instance in self.instances]))
        flat: list[str] = []
        for instance, (low, high) in zip(self.instances, self.windows, strict=True):
            tokens: tuple[str, ...] | None = getattr(instance, name)
            if tokens is None:
                raise InputError(
                    f"instance {instance.id!r} has no {name}",
                    "name a pipeline with --pipeline, or use the feature set light",
                    where=instance.place,
                )
            first, last = instance.target
            if last - first == 1:
                flat += tokens[low:high]
            else:
                flat += tokens[low:first]
                flat.append(" ".join(tokens[first:last]))
                flat += tokens[last:high]
        return flat

    def codes(self, annotation: str, values: Sequence[str] | None = None) -> tuple[Ints, list[str]]:
        """Give every token the number of its value.

        Returns the ``(n_tokens,)`` codes and the values in alphabetical order, that of code 1
        first. Code 0 is no value's: it stands for a place beyond the sentence. With ``values``
        all others get -1, as does what is not asked about.
        """
        kind = ANNOTATIONS[annotation]
        flat = self.layer(kind.layer)
        seen = _Numbers()
        tokens = np.fromiter(map(seen.__getitem__, flat), np.int64, len(flat))
        made = [kind.normal(token) for token in seen]
        if values is None:
            values = sorted({value for value in made if value is not None})
        number: dict[str | None, int] = {value: n for n, value in enumerate(values, start=1)}
        code = np.array([number.get(value, UNASKED) for value in made], dtype=np.int64)
        return code[tokens], list(values)


def _relation(batch: Batch, position: Any, codes: Ints, n_values: int) -> Pairs:
    """Return ``(rows, codes)`` of a place, rows ascending and each pair once."""
    rows, positions = position.find(batch)
    found = np.where(positions < 0, EDGE_CODE, codes[positions]) if len(codes) else positions * 0
    asked = found != UNASKED
    rows, found = rows[asked], found[asked]
    if position.many:
        base = n_values + 1
        keys = distinct(rows * base + found)
        rows, found = keys // base, keys % base
    return rows, found


def _reach(attributes: Sequence[Any]) -> int | None:
    reaches = [position.reach() for position in attributes]
    return None if None in reaches else max(reaches, default=0)


class Conditions(Sequence[Condition]):
    """Conditions that are made when somebody looks at them."""

    def __init__(self) -> None:
        self._tests: list[tuple[Position, str, list[str], bool]] = []
        self._codes: list[Ints] = []
        self._starts = [0]

    def add(
        self,
        position: Position,
        annotation: str,
        values: list[str],
        codes: Ints,
        negated: bool = False,
    ) -> None:
        """Add those of a test, by the codes of their values; code 0 is the edge."""
        self._tests.append((position, annotation, values, negated))
        self._codes.append(codes)
        self._starts.append(self._starts[-1] + len(codes))

    @property
    def places(self) -> Ints:
        """``(n_conditions,)`` the number of the test of each, in the order they were added."""
        return np.repeat(np.arange(len(self._codes)), [len(codes) for codes in self._codes])

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        index = range(len(self))[index]
        test = bisect_right(self._starts, index) - 1
        position, annotation, values, negated = self._tests[test]
        code = int(self._codes[test][index - self._starts[test]])
        return Condition(position, annotation, values[code - 1] if code else None, negated)


class Questions(Sequence[Question]):
    """Questions made of conditions when somebody looks at them."""

    def __init__(self, conditions: Sequence[Condition], members: Ints) -> None:
        self.conditions, self.members = conditions, members

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Questions(self.conditions, self.members[index])
        members = self.members[index].tolist()
        return Question.of([self.conditions[part] for part in members if part >= 0])


@dataclass(frozen=True)
class Labelled:
    """Gold labels as rows of their own: the instance, the sense and the weight of each."""

    instance: Ints
    outcome: Ints
    weight: Floats
    senses: tuple[str, ...]


def label(labels: Sequence[Sequence[str]], multi: str = "split") -> Labelled:
    """Turn gold sets into weighted rows.

    ``split`` shares a weight of 1 among an instance's senses (the remainder of 1/1024 goes to
    the first), ``first`` takes the first sense, ``all`` gives each a weight of 1. Instances
    without a label have no row.

    >>> label([("money", "shore"), ("shore",)]).weight.tolist()
    [0.5, 0.5, 1.0]
    """
    check_choice("multi", multi, MULTI)
    chosen = [gold[:1] for gold in labels] if multi == "first" else labels
    every = list(chain.from_iterable(chosen))
    senses = tuple(sorted(set(every)))
    number = {sense: n for n, sense in enumerate(senses)}
    if len(every) == len(chosen) and all(chosen):
        outcome = np.fromiter(map(number.__getitem__, every), np.int64, len(every))
        return Labelled(np.arange(len(every)), outcome, np.ones(len(every)), senses)
    weights: list[float] = []
    for gold in chosen:
        share = 1.0 if multi == "all" or not gold else WEIGHT_UNIT // len(gold) / WEIGHT_UNIT
        first = 1.0 if multi == "all" else 1.0 - share * (len(gold) - 1)
        weights += [first, *[share] * (len(gold) - 1)][: len(gold)]
    return Labelled(
        np.repeat(np.arange(len(chosen)), [len(gold) for gold in chosen]),
        np.fromiter(map(number.__getitem__, every), np.int64, len(every)),
        np.array(weights, dtype=np.float64),
        senses,
    )


def extract(
    instances: Sequence[Instance],
    labels: Sequence[Sequence[str]],
    features: FeatureSet,
    *,
    min_count: int = 2,
    multi: str = "split",
    save_space: bool = False,
) -> QuestionMatrix:
    """Find the questions of training instances and answer them.

    Parameters
    ----------
    instances
        The occurrences of one lexelt.
    labels
        The gold senses of each; an instance without any has no part in anything.
    features
        The templates of questions.
    min_count
        In how many instances a question must be true to be asked.
    multi
        What becomes of several gold senses, see :func:`label`.
    save_space
        Do not keep the answers to questions, found on the way, beside those to conditions.

    Returns
    -------
    QuestionMatrix
        A row for each instance and sense.
    """
    if not all(labels):
        kept = [row for row, gold in enumerate(labels) if gold]
        instances, labels = [instances[row] for row in kept], [labels[row] for row in kept]
    batch = Batch(instances, features.reach)
    coded = {
        annotation: batch.codes(annotation)
        for annotation in sorted({annotation for _, annotation in features.tests})
    }
    relations = [
        (
            *_relation(batch, position, coded[annotation][0], len(coded[annotation][1])),
            coded[annotation][1],
        )
        for position, annotation in features.tests
    ]
    rows = label(labels, multi)
    return find_questions(
        features.tests, relations, features.templates, rows, min_count, save_space=save_space
    )


Relation: TypeAlias = tuple[Ints, Ints, list[str]]  # rows, codes, the values of codes 1, 2, ...


def find_questions(
    tests: Sequence[tuple[Position, str]],
    relations: Sequence[Relation],
    templates: Sequence[tuple[int, ...]],
    rows: Labelled,
    min_count: int,
    *,
    negated: bool = False,
    save_space: bool = False,
) -> QuestionMatrix:
    """Return the answers to all questions of the templates that are true of enough instances.

    Parameters
    ----------
    tests
        The position and the annotation of each test.
    relations
        For each test, which values stand there in which instances.
    templates
        Tuples of test numbers, ascending.
    rows
        The instance, the sense and the weight of each row.
    min_count
        In how many instances a question must be true to be asked.
    negated
        Whether the relations say which values do *not* stand there.
    save_space
        Do not keep the answers to questions, only those to conditions.

    Raises
    ------
    ParameterError
        When ``min_count`` is below 1, or there is no template.
    """
    if min_count < 1:
        raise ParameterError(f"min_count is {min_count}", "say 1 or more")
    if not templates:
        raise ParameterError("there is nothing to ask about", "name a feature set with templates")
    n_instances = int(rows.instance[-1]) + 1 if len(rows.instance) else 0
    conditions, entries = _frequent_conditions(tests, relations, min_count, negated)
    asked, answered = _frequent_questions(
        templates, entries, n_instances, len(conditions), min_count, save_space
    )
    matrix = QuestionMatrix(
        _of_rows(_matrix(entries, n_instances, len(conditions)), rows),
        asked,
        Questions(conditions, asked),
        rows.senses,
        rows.outcome,
        rows.weight,
        conditions.places,
    )
    if not (save_space or matrix.are_single):
        matrix.__dict__["by_row"] = _of_rows(_matrix(answered, n_instances, len(asked)), rows)
    return matrix


def _frequent_conditions(
    tests: Sequence[tuple[Position, str]],
    relations: Sequence[Relation],
    min_count: int,
    negated: bool,
) -> tuple[Conditions, list[Pairs]]:
    """Return the conditions true of ``min_count`` instances, numbered test by test.

    With them come the ``(instances, conditions)`` that say yes, a pair of arrays for each test.
    """
    conditions = Conditions()
    entries: list[Pairs] = []
    for (position, annotation), (instances, codes, values) in zip(tests, relations, strict=True):
        frequent = np.flatnonzero(np.bincount(codes, minlength=1) >= min_count)
        number = np.full(len(values) + 1, -1)
        number[frequent] = np.arange(len(frequent)) + len(conditions)
        columns = number[codes]
        entries.append((instances[columns >= 0], columns[columns >= 0]))
        conditions.add(position, annotation, values, frequent, negated)
    return conditions, entries


def _frequent_questions(
    templates: Sequence[tuple[int, ...]],
    entries: Sequence[Pairs],
    n_instances: int,
    n_conditions: int,
    min_count: int,
    save_space: bool,
) -> tuple[Ints, list[Pairs]]:
    """Return the questions true of ``min_count`` instances, template by template.

    Each row has the numbers of a question's conditions, filled up with -1. With them come the
    ``(instances, questions)`` that say yes, or nothing if ``save_space``.
    """
    members: list[Ints] = []
    answered: list[Pairs] = []
    n_questions = 0
    for template in templates:
        found, (yes, numbers) = _frequent(template, entries, n_instances, n_conditions, min_count)
        if not save_space:
            numbers += n_questions
            answered.append((yes.astype(np.int32), numbers.astype(np.int32)))
        members.append(found)
        n_questions += len(found)
    return _padded(members), answered


def _padded(members: Sequence[Ints]) -> Ints:
    """Return the questions of all templates in one array, filled up with -1."""
    padded = np.full((sum(map(len, members)), max(m.shape[1] for m in members)), -1, dtype=np.int64)
    first = 0
    for of_template in members:
        padded[first : first + len(of_template), : of_template.shape[1]] = of_template
        first += len(of_template)
    return padded


def unasked(rows: Labelled) -> QuestionMatrix:
    """Return answers to no question, where none is worth finding."""
    n_instances = int(rows.instance[-1]) + 1 if len(rows.instance) else 0
    none = Conditions()
    asked = np.zeros((0, 1), dtype=np.int64)
    return QuestionMatrix(
        _of_rows(_matrix([], n_instances, 0), rows),
        asked,
        Questions(none, asked),
        rows.senses,
        rows.outcome,
        rows.weight,
        np.zeros(0, dtype=np.int64),
    )


def _of_rows(matrix: csr_array, rows: Labelled) -> csr_array:
    """Return the row of each label's instance."""
    one_each = np.array_equal(rows.instance, np.arange(matrix.shape[0]))
    return matrix if one_each else matrix[rows.instance]


def _frequent(
    template: tuple[int, ...], entries: Sequence[Pairs], n_rows: int, base: int, min_count: int
) -> tuple[Ints, Pairs]:
    """Find the conjunctions of a template that are true of ``min_count`` rows.

    Returns ``(n, len(template))`` condition numbers, and the ``(rows, numbers)`` that say yes.

    Conjunctions grow by one condition at each level, and those true of too few rows are dropped
    before the next. That loses none: a row of which a conjunction is true has all its prefixes
    true, so no conjunction is true of more rows than one of its prefixes. The counts are exact,
    because a row and a conjunction meet once: a row and a prefix met once on the level before, a
    row has each condition once, and prefix and condition make the key in one way.
    """
    rows, columns = entries[template[0]]
    single, prefix = numbered(columns)
    members = single[:, None]
    for place in template[1:]:
        left, right = join((rows, prefix), entries[place], n_rows)
        added = entries[place][1][right]
        # if a template has a test twice, two values come in both orders: the ascending one counts
        ascending = added > members[prefix[left], -1]
        left, added = left[ascending], added[ascending]
        keys, inverse = numbered(prefix[left] * base + added)
        frequent = np.bincount(inverse, minlength=len(keys)) >= min_count
        number = np.cumsum(frequent) - 1
        keys = keys[frequent]
        members = np.column_stack([members[keys // base], keys % base]) if base else members
        alive = frequent[inverse]
        rows, prefix = rows[left[alive]], number[inverse[alive]]
    return members, (rows, prefix)


def _matrix(entries: Sequence[Pairs], n_rows: int, n_columns: int) -> csr_array:
    rows = np.concatenate([rows for rows, _ in entries]) if entries else np.zeros(0, np.int64)
    columns = np.concatenate([found for _, found in entries]) if entries else rows
    made = csr_array(
        (np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(n_rows, n_columns)
    )
    made.sort_indices()
    return made


def ask(instances: Sequence[Instance], questions: Sequence[Question]) -> QuestionMatrix:
    """Answer given questions, computing nothing that they do not need.

    Returns answers with a row for each instance and no outcomes.
    """
    return Asker(questions)(instances)


class Asker:
    """Given questions, laid out once and asked of instances as often as one likes; see :func:`ask`.

    Parameters
    ----------
    questions
        The questions.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        wanted = {condition for question in questions for condition in question.conditions}
        self.tests = sorted({(c.position, c.annotation) for c in wanted}, key=repr)
        self.reach = _reach([position for position, _ in self.tests])
        self.known = {
            kind: sorted({c.value for c in wanted if c.annotation == kind and c.value is not None})
            for kind in sorted({annotation for _, annotation in self.tests})
        }
        values = [self.known[annotation] for _, annotation in self.tests]
        self.layout = Layout(questions, self.tests, values)

    def __call__(self, instances: Sequence[Instance]) -> QuestionMatrix:
        """Return answers with a row for each instance and no outcomes."""
        batch = Batch(instances, self.reach)
        codes = {kind: batch.codes(kind, values)[0] for kind, values in self.known.items()}
        found = [
            _relation(batch, position, codes[annotation], len(self.known[annotation]))
            for position, annotation in self.tests
        ]
        return self.layout.matrix(found, len(instances))


class Layout:
    """The conditions and questions that tests with certain values make, as columns of answers.

    Parameters
    ----------
    questions
        The questions.
    tests
        What their conditions ask, each test once.
    values
        The values of each test; code 0 is no value's, code n that of the n-th.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        tests: Sequence[tuple[Position, str]],
        values: Sequence[Sequence[str]],
    ) -> None:
        self.questions = questions
        place_of = {test: place for place, test in enumerate(tests)}
        wanted = {condition for question in questions for condition in question.conditions}
        keys = {c: (place_of[c.position, c.annotation], c.value or "", c.negated) for c in wanted}
        ordered = sorted(wanted, key=keys.__getitem__)
        number = {condition: n for n, condition in enumerate(ordered)}
        self.attributes = np.array([keys[condition][0] for condition in ordered], dtype=np.int64)
        self.columns = [np.full(len(known) + 1, -1) for known in values]
        self.negated: list[list[tuple[int, int]]] = [[] for _ in tests]  # code, column
        codes = [{None: 0, **{v: n for n, v in enumerate(known, start=1)}} for known in values]
        for condition, column in number.items():
            place = keys[condition][0]
            code = codes[place].get(condition.value, UNASKED)
            if condition.negated:
                self.negated[place].append((code, column))
            elif code != UNASKED:
                self.columns[place][code] = column
        self.members = _members_of(questions, number)

    @cached_property
    def conjunctions(self) -> Conjunctions:
        """The index of the questions."""
        return Conjunctions(self.members, self.attributes)

    def matrix(self, found: Sequence[Pairs], n_instances: int) -> QuestionMatrix:
        """Return answers, one row an instance, given ``(rows, codes)`` of each test."""
        entries: list[Pairs] = []
        for columns, negated, (rows, codes) in zip(self.columns, self.negated, found, strict=True):
            column = columns[codes]
            entries.append((rows[column >= 0], column[column >= 0]))
            for code, number in negated:
                other = rows[codes != code]
                entries.append((other, np.full(len(other), number)))
        made = QuestionMatrix(
            _matrix(entries, n_instances, len(self.attributes)),
            self.members,
            self.questions,
            (),
            np.zeros(0, dtype=np.int64),
            np.ones(n_instances),
            self.attributes,
        )
        if not made.are_single:
            made.__dict__["conjunctions"] = self.conjunctions
        return made


def _members_of(questions: Sequence[Question], number: dict[Condition, int]) -> Ints:
    """Return ``(n_questions, n)`` condition numbers, ascending, filled up with -1."""
    width = max((len(question.conditions) for question in questions), default=1) or 1
    members = np.full((len(questions), width), -1, dtype=np.int64)
    for row, question in zip(members, questions, strict=True):
        numbers = sorted(number[condition] for condition in question.conditions)
        row[: len(numbers)] = numbers
    return members
