"""Given questions, answered: nothing is computed that they do not need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from wsdlist.data.arrays import Ints, Pairs
from wsdlist.data.corpus import Instance
from wsdlist.features.batch import UNASKED, Batch, relation
from wsdlist.features.matrix import Conjunctions, QuestionMatrix, csr_of
from wsdlist.features.positions import Position, reach_of
from wsdlist.features.questions import Condition, Question


class Asker:
    """Given questions, laid out once and asked of instances as often as one likes.

    Parameters
    ----------
    questions
        The questions.
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
        """Return answers with a row for each instance and no outcomes."""
        if not self.tests:
            return self.layout.matrix([], len(instances))
        batch = Batch(instances, self.reach)
        codes = {kind: batch.codes(kind, values)[0] for kind, values in self.known.items()}
        found = [
            relation(batch, position, codes[annotation], len(self.known[annotation]))
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
            csr_of(entries, n_instances, len(self.attributes)),
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
