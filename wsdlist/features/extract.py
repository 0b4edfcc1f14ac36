"""From training instances to answers: which questions are true of enough of them.

Text becomes arrays of interned values once; a template is arithmetic on these arrays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from wsdlist.data.arrays import Ints, Pairs, join, numbered
from wsdlist.data.checks import check_whole
from wsdlist.data.corpus import Instance
from wsdlist.errors import ParameterError
from wsdlist.features._batch import Batch, relation
from wsdlist.features.labels import Labelled, label
from wsdlist.features.matrix import QuestionMatrix, csr_of
from wsdlist.features.positions import Position
from wsdlist.features.questions import Condition, Question
from wsdlist.features.sets import FeatureSet


class Conditions(Sequence[Condition]):
    """A sequence of conditions, each of which is made when somebody looks at it."""

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
        """Add the conditions of a test, one for each code of its values; code 0 is the edge."""
        self._tests.append((position, annotation, values, negated))
        self._codes.append(codes)
        self._starts.append(self._starts[-1] + len(codes))

    @property
    def attributes(self) -> Ints:
        """``(n_conditions,)`` the number of each condition's test, in the order of adding."""
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
    """A sequence of questions, each of which is made of conditions when somebody looks at it."""

    def __init__(self, conditions: Sequence[Condition], members: Ints) -> None:
        self.conditions, self.members = conditions, members

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Questions(self.conditions, self.members[index])
        members = self.members[index].tolist()
        return Question.of([self.conditions[number] for number in members if number >= 0])


def extract(
    instances: Sequence[Instance],
    labels: Sequence[Sequence[str]],
    features: FeatureSet,
    *,
    min_count: int = 2,
    multi: str = "split",
    save_space: bool = False,
    rows: Labelled | None = None,
) -> QuestionMatrix:
    """Find the questions of training instances and answer them.

    Parameters
    ----------
    instances
        The occurrences of one lexelt.
    labels
        The gold senses of each; instances without any are left out.
    features
        The templates of questions.
    min_count
        In how many instances a question must be true to be asked.
    multi
        What becomes of several gold senses, see :func:`label`.
    save_space
        Keep only the answers to conditions, and not those to questions, which are found on the way.
    rows
        What :func:`label` makes of the labels, if it was called before.

    Returns
    -------
    QuestionMatrix
        A row for each instance and sense.

    Raises
    ------
    InputError
        When an instance lacks an annotation that the templates need.
    ParameterError
        When ``min_count`` is below 1, ``multi`` is unknown, or there is no template.
    """
    if not all(labels):
        kept = [row for row, gold in enumerate(labels) if gold]
        instances, labels = [instances[row] for row in kept], [labels[row] for row in kept]
        rows = None
    return find_questions(
        features.tests,
        _relations(Batch(instances, features.reach), features.tests),
        features.templates,
        label(labels, multi) if rows is None else rows,
        min_count,
        save_space=save_space,
    )


Relation: TypeAlias = tuple[Ints, Ints, list[str]]  # rows, codes, the values of codes 1, 2, ...


def _relations(batch: Batch, tests: Sequence[tuple[Position, str]]) -> list[Relation]:
    """Return for each test which values stand there in which instances."""
    coded = {
        annotation: batch.codes(annotation)
        for annotation in sorted({annotation for _, annotation in tests})
    }
    return [
        (
            *relation(batch, position, coded[annotation][0], len(coded[annotation][1])),
            coded[annotation][1],
        )
        for position, annotation in tests
    ]


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

    How they are found is proved at :func:`_frequent`.

    Parameters
    ----------
    tests
        The position and the annotation of each test.
    relations
        Which values stand there in which instances, for each test.
    templates
        Tuples of test numbers, ascending.
    rows
        The instance, the sense and the weight of each row.
    min_count
        In how many instances a question must be true to be asked.
    negated
        Whether the relations say which values do *not* stand there.
    save_space
        Keep only the answers to conditions, and not those to questions.

    Raises
    ------
    ParameterError
        When ``min_count`` is below 1, or there is no template.
    """
    check_whole("min_count", min_count)
    if not templates:
        raise ParameterError("there is nothing to ask about", "name a feature set with templates")
    n_instances = int(rows.instance[-1]) + 1 if len(rows.instance) else 0
    conditions, entries = _frequent_conditions(tests, relations, min_count, negated)
    members, answered = _frequent_questions(
        templates, entries, n_instances, len(conditions), min_count, save_space
    )
    matrix = QuestionMatrix(
        _of_rows(csr_of(entries, n_instances, len(conditions)), rows),
        members,
        Questions(conditions, members),
        rows.senses,
        rows.outcome,
        rows.weight,
        conditions.attributes,
    )
    if not (save_space or matrix.are_single):
        matrix.__dict__["by_row"] = _of_rows(csr_of(answered, n_instances, len(members)), rows)
    return matrix


def _frequent_conditions(
    tests: Sequence[tuple[Position, str]],
    relations: Sequence[Relation],
    min_count: int,
    negated: bool,
) -> tuple[Conditions, list[Pairs]]:
    """Return the conditions true of ``min_count`` instances, numbered test by test.

    With them come the ``(instances, conditions)`` that are true, a pair of arrays for each test.
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
    ``(instances, questions)`` that are true, or nothing if ``save_space``.
    """
    members: list[Ints] = []
    answered: list[Pairs] = []
    n_questions = 0
    for template in templates:
        conjunctions, (instances, numbers) = _frequent(
            template, entries, n_instances, n_conditions, min_count
        )
        if not save_space:
            numbers += n_questions
            answered.append((instances.astype(np.int32), numbers.astype(np.int32)))
        members.append(conjunctions)
        n_questions += len(conjunctions)
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
    """Return the answers to no question, for rows of which no question is worth finding."""
    n_instances = int(rows.instance[-1]) + 1 if len(rows.instance) else 0
    none = Conditions()
    asked = np.zeros((0, 1), dtype=np.int64)
    return QuestionMatrix(
        _of_rows(csr_of([], n_instances, 0), rows),
        asked,
        Questions(none, asked),
        rows.senses,
        rows.outcome,
        rows.weight,
        np.zeros(0, dtype=np.int64),
    )


def _of_rows(matrix: csr_array, rows: Labelled) -> csr_array:
    """Turn a matrix of instances into a matrix of rows: each row is that of its instance."""
    one_each = np.array_equal(rows.instance, np.arange(matrix.shape[0]))
    return matrix if one_each else matrix[rows.instance]


def _frequent(
    template: tuple[int, ...], entries: Sequence[Pairs], n_rows: int, base: int, min_count: int
) -> tuple[Ints, Pairs]:
    """Find the conjunctions of a template that are true of ``min_count`` rows.

    Returns ``(n, len(template))`` condition numbers, and the ``(rows, conjunctions)`` that are
    true.

    Conjunctions grow by one condition at each level, and those true of too few rows are dropped
    before the next. That loses none: a row of which a conjunction is true has all its prefixes
    true, so no conjunction is true of more rows than one of its prefixes. The counts are exact,
    because a row and a conjunction meet once: a row and a prefix met once on the level before, a
    row has each condition once, and prefix and condition make the key in one way.
    """
    rows, columns = entries[template[0]]
    single, prefix = numbered(columns)
    members = single[:, None]
    for test in template[1:]:
        left, right = join((rows, prefix), entries[test], n_rows)
        added = entries[test][1][right]
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
