"""Given questions are answered; nothing is computed that they do not need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from wsdlist.data.arrays import Ints, Pairs
from wsdlist.data.corpus import Instance
from wsdlist.features._batch import UNASKED, Batch, relation
from wsdlist.features._conjunctions import Conjunctions
from wsdlist.features.matrix import QuestionMatrix, csr_of
from wsdlist.features.positions import Position, reach_of
from wsdlist.features.questions import Condition, Question


class Asker:
    """Questions that are laid out once and asked of instances as often as one likes.

    Parameters
    ----------
    questions
        The questions, about text.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        wanted = {condition for question in questions for condition in question.conditions}
        self.tests = sorted({(c.position, c.annotation) for c in wanted}, key=repr)
        self.reach = reach_of([position for position, _ in self.tests])
        self.known = {
            kind: sorted({c.value for c in wanted if c.annotation == kind and c.value is not None})
            for kind in sorted({annotation for _, annotation in self.tests})
        }
        values = [self.known[annotation] for _, annotation in self.tests]
        self.layout = Layout(questions, self.tests, values)

    def __call__(self, instances: Sequence[Instance]) -> QuestionMatrix:
        """Return the answers, with a row for each instance and no outcomes.

        Raises
        ------
        InputError
            When an instance lacks an annotation that a question asks for.
        """
        if not self.tests:
            return self.layout.matrix([], len(instances))
        batch = Batch(instances, self.reach)
        codes = {kind: batch.codes(kind, values)[0] for kind, values in self.known.items()}
        pairs = [
            relation(batch, position, codes[annotation], len(self.known[annotation]))
            for position, annotation in self.tests
        ]
        return self.layout.matrix(pairs, len(instances))


class Layout:
    """Which column of the answers each condition has, and of which conditions questions are made.

    Parameters
    ----------
    questions
        The questions.
    tests
        The position and the annotation of their conditions, each test once.
    values
        The values of each test. Code n is that of the n-th; code 0 says that there is none.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        tests: Sequence[tuple[Position, str]],
        values: Sequence[Sequence[str]],
    ) -> None:
        self.questions = questions
        number_of = {test: number for number, test in enumerate(tests)}
        wanted = {condition for question in questions for condition in question.conditions}
        keys = {c: (number_of[c.position, c.annotation], c.value or "", c.negated) for c in wanted}
        ordered = sorted(wanted, key=keys.__getitem__)
        column_of = {condition: column for column, condition in enumerate(ordered)}
        self.attributes = np.array([keys[condition][0] for condition in ordered], dtype=np.int64)
        self.columns = [np.full(len(of_test) + 1, -1) for of_test in values]
        self.negated: list[list[tuple[int, int]]] = [[] for _ in tests]  # code, column
        codes = [{None: 0, **{v: n for n, v in enumerate(of_test, start=1)}} for of_test in values]
        for condition, column in column_of.items():
            test = keys[condition][0]
            code = codes[test].get(condition.value, UNASKED)
            if condition.negated:
                self.negated[test].append((code, column))
            elif code != UNASKED:
                self.columns[test][code] = column
        self.members = _members_of(questions, column_of)

    @cached_property
    def conjunctions(self) -> Conjunctions:
        """The index of the questions."""
        return Conjunctions(self.members, self.attributes)

    def matrix(self, pairs: Sequence[Pairs], n_instances: int) -> QuestionMatrix:
        """Return the answers, a row for each instance, given the ``(rows, codes)`` of each test."""
        entries: list[Pairs] = []
        for columns, negated, (rows, codes) in zip(self.columns, self.negated, pairs, strict=True):
            column = columns[codes]
            entries.append((rows[column >= 0], column[column >= 0]))
            for code, number in negated:
                other = rows[codes != code]
                entries.append((other, np.full(len(other), number)))
        matrix = QuestionMatrix(
            csr_of(entries, n_instances, len(self.attributes)),
            self.members,
            self.questions,
            (),
            np.zeros(0, dtype=np.int64),
            np.ones(n_instances),
            self.attributes,
        )
        if not matrix.are_single:
            matrix.__dict__["conjunctions"] = self.conjunctions
        return matrix


def _members_of(questions: Sequence[Question], column_of: dict[Condition, int]) -> Ints:
    """Return ``(n_questions, n)`` condition numbers, ascending, filled up with -1."""
    width = max((len(question.conditions) for question in questions), default=1) or 1
    members = np.full((len(questions), width), -1, dtype=np.int64)
    for row, question in zip(members, questions, strict=True):
        numbers = sorted(column_of[condition] for condition in question.conditions)
        row[: len(numbers)] = numbers
    return members
