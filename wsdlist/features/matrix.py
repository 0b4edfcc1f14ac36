"""The question matrix: which questions are true of which instances, as arrays.

A *condition* is a simple yes/no test, a *question* a conjunction of conditions. The question
matrix keeps one sparse matrix of conditions and, for each question, the numbers of its members.
The larger matrix of questions is derived when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array

from wsdlist.data.arrays import Floats, Ints, Pairs, sums
from wsdlist.errors import ParameterError
from wsdlist.features._conjunctions import Conjunctions

MOST_WEIGHT = 2.0**42  # of all rows together: 2**52 steps of 2**-10
CHUNK = 1 << 21  # about as many (row, question) pairs are held at a time while counting


@dataclass(frozen=True, eq=False)
class QuestionMatrix:
    """Which questions are true of which rows: of instances, or instances with one of their senses.

    Parameters
    ----------
    conditions
        ``(n_rows, n_conditions)`` sparse matrix, 1 if a condition is true of a row.
    members
        ``(n_questions, n)`` condition numbers of each question, ascending, filled up with -1.
    questions
        The questions themselves, in the same order. Learners do not look into them.
    senses
        The labels, sorted.
    outcome
        ``(n_rows,)`` number of each row's sense; empty if the senses are not known.
    weight
        ``(n_rows,)`` counts, multiples of 2**-10. They add up to 2**42 at the most, so that sums of
        them are exact.
    attributes
        ``(n_conditions,)`` the number of what each condition asks about: a position x annotation,
        or an attribute of a table.
    """

    conditions: csr_array
    members: Ints
    questions: Sequence[Any]
    senses: tuple[str, ...]
    outcome: Ints
    weight: Floats
    attributes: Ints

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        outcome: npt.ArrayLike,
        senses: Sequence[str],
        *,
        weight: npt.ArrayLike | None = None,
        questions: Sequence[Any] | None = None,
        members: npt.ArrayLike | None = None,
    ) -> QuestionMatrix:
        """Make a question matrix of a plain 0/1 matrix.

        Parameters
        ----------
        matrix
            ``(n_rows, n_columns)``, dense or sparse.
        outcome, senses, weight, questions
            As in the class; each weight is 1 and each question its number if they are left out.
        members
            ``(n_questions, n)`` column numbers of each question, ascending, filled up with -1. None
            if each column is a question.

        Raises
        ------
        ParameterError
            When a weight is negative or no number, or they add up to too much.

        >>> wind = QuestionMatrix.from_matrix([[1], [1], [0]], [0, 1, 1], ["dry", "rain"])
        >>> wind.counts().tolist()
        [[1.0, 1.0]]
        """
        conditions = csr_array(
            np.asarray(matrix, dtype=bool) if not hasattr(matrix, "tocsr") else matrix
        )
        conditions = conditions.copy()  # the caller's stays as it is
        conditions.sum_duplicates()
        conditions.eliminate_zeros()
        conditions.indices = conditions.indices.astype(np.int32, copy=False)
        conditions.indptr = conditions.indptr.astype(np.int32, copy=False)
        n_rows, n_columns = conditions.shape
        numbers = (
            np.arange(n_columns)[:, None]
            if members is None
            else np.asarray(members, dtype=np.int64)
        )
        weights = np.ones(n_rows) if weight is None else np.asarray(weight, dtype=np.float64)
        if not ((weights >= 0).all() and weights.sum() <= MOST_WEIGHT):  # nan is refused, too
            raise ParameterError(
                "weights are no counts, or add up to more than 2**42",
                "give finite numbers of 0 or more, see wsdlist.features.labels.relative",
            )
        return cls(
            conditions,
            numbers,
            tuple(range(len(numbers))) if questions is None else questions,
            tuple(senses),
            np.asarray(outcome, dtype=np.int64),
            weights,
            np.zeros(n_columns, dtype=np.int64),
        )

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.conditions.shape[0])

    @property
    def n_questions(self) -> int:
        """The number of questions."""
        return len(self.members)

    @cached_property
    def sizes(self) -> Ints:
        """``(n_questions,)`` the number of conditions of each question."""
        sizes: Ints = (self.members >= 0).sum(axis=1)
        return sizes

    @cached_property
    def conjunctions(self) -> Conjunctions:
        """The index that finds the questions that are true of rows."""
        return Conjunctions(self.members, self.attributes)

    @cached_property
    def by_row(self) -> csr_array:
        """``(n_rows, n_questions)`` sparse matrix, 1 if true; indices of a row in any order."""
        if self.are_single:
            return self._single_conditions()
        pairs = list(self.conjunctions.find(self.conditions))
        rows = np.concatenate([rows for rows, _ in pairs]).astype(np.int32)
        columns = np.concatenate([questions for _, questions in pairs]).astype(np.int32)
        data = np.ones(len(rows), dtype=np.int8)
        return csr_array((data, (rows, columns)), shape=(self.n_rows, self.n_questions))

    @cached_property
    def are_single(self) -> bool:
        """Whether each question is one condition, so that no matrix of questions is needed."""
        return self.members.shape[1] == 1 and bool((self.members >= 0).all())

    @cached_property
    def numbers(self) -> Any:
        """``(n_conditions,)`` the number of the question that each condition is; -1 for none.

        Every question must have one condition, see :attr:`are_single`.
        """
        number = np.full(self.conditions.shape[1], -1, dtype=np.int32)
        number[self.members[:, 0]] = np.arange(self.n_questions)
        return number

    @cached_property
    def by_condition(self) -> csc_array:
        """:attr:`conditions` by columns."""
        return self.conditions.tocsc()

    def rows(self, question: int) -> Any:
        """Return the rows of which a question is true, ascending."""
        columns = self.by_condition if self.are_single else self.by_question
        column = self.members[question, 0] if self.are_single else question
        return columns.indices[columns.indptr[column] : columns.indptr[column + 1]]

    def _single_conditions(self) -> csr_array:
        base, starts, data = self.conditions, self.conditions.indptr, self.conditions.data
        indices = self.numbers[base.indices]
        if self.n_questions < base.shape[1]:
            kept = indices >= 0
            starts = np.concatenate([[0], np.cumsum(kept)])[starts].astype(np.int32)
            indices, data = indices[kept], data[kept]
        return csr_array((data, indices, starts), shape=(self.n_rows, self.n_questions))

    @cached_property
    def by_question(self) -> csc_array:
        """:attr:`by_row` by columns."""
        return self.by_row.tocsc()

    def pairs(self) -> Iterator[Pairs]:
        """Yield the ``(rows, questions)`` that are true, each once, a chunk at a time.

        They come from :attr:`by_row` if that was computed before.
        """
        if "by_row" in self.__dict__ or self.are_single:
            held = self.__dict__.get("by_row", self.conditions)
            number = None if "by_row" in self.__dict__ else self.numbers
            edges = np.arange(0, held.nnz + CHUNK, CHUNK)
            starts = np.unique(np.searchsorted(held.indptr, edges).clip(0, self.n_rows))
            for start, end in pairwise(starts.tolist()):
                lengths = np.diff(held.indptr[start : end + 1])
                questions = held.indices[held.indptr[start] : held.indptr[end]]
                rows = np.repeat(np.arange(start, end), lengths)
                if number is not None:
                    questions = number[questions]
                    rows, questions = rows[questions >= 0], questions[questions >= 0]
                yield rows, questions
            return
        true = max(self.conditions.nnz / max(self.n_rows, 1), 1)
        step = max(int(CHUNK / (true + true * true / 2)), 1)
        for start in range(0, self.n_rows, step):
            chunk = self.conditions[start : min(start + step, self.n_rows)]
            for rows, questions in self.conjunctions.find(chunk):
                yield rows + start, questions

    def counts(self) -> Floats:
        """Return C(q, y), ``(n_questions, n_senses)``: the weight of rows of sense y, q true."""
        shape = (self.n_questions, len(self.senses))
        if self.are_single:
            return self._counts_of_conditions()[self.members[:, 0]]
        flat = np.zeros(shape[0] * shape[1])
        for rows, questions in self.pairs():
            cells = questions * shape[1] + self.outcome[rows]
            if len(cells) > len(flat):
                flat += sums(cells, self.weight[rows], len(flat))
            else:
                np.add.at(flat, cells, self.weight[rows])
        return flat.reshape(shape)

    def _counts_of_conditions(self) -> Floats:
        """Return the weight of rows by condition and sense, a stretch of columns at a time."""
        columns, K = self.by_condition, len(self.senses)
        outcome = self.outcome.astype(np.min_scalar_type(K))  # stays in the cache
        alike = bool((self.weight == 1).all())
        counts = np.zeros((columns.shape[1], K))
        edges = np.searchsorted(columns.indptr, np.arange(0, columns.nnz + CHUNK, CHUNK))
        for start, end in pairwise(np.unique(edges.clip(0, columns.shape[1])).tolist()):
            lengths = np.diff(columns.indptr[start : end + 1])
            rows = columns.indices[columns.indptr[start] : columns.indptr[end]]
            cells = np.repeat(np.arange(end - start) * K, lengths)
            cells += outcome[rows]
            counted = sums(cells, None if alike else self.weight[rows], (end - start) * K)
            counts[start:end] = counted.reshape(-1, K)
        return counts

    def prior_counts(self) -> Floats:
        """Return C(y), ``(n_senses,)``: the weight of rows of sense y."""
        return sums(self.outcome, self.weight, len(self.senses))

    def take(self, rows: npt.ArrayLike) -> QuestionMatrix:
        """Return the answers of some rows to the same questions."""
        index = np.asarray(rows)
        chosen_rows = replace(
            self,
            conditions=self.conditions[index],
            outcome=self.outcome[index] if len(self.outcome) else self.outcome,
            weight=self.weight[index],
        )
        if "by_row" in self.__dict__:
            chosen_rows.__dict__["by_row"] = self.by_row[index]
        else:
            chosen_rows.__dict__["conjunctions"] = self.conjunctions
        return chosen_rows

    def select(self, numbers: npt.ArrayLike) -> QuestionMatrix:
        """Return the answers to the questions of these numbers, in this order."""
        chosen = np.asarray(numbers, dtype=np.int64)
        matrix = replace(
            self, members=self.members[chosen], questions=_Chosen(self.questions, chosen)
        )
        if "by_condition" in self.__dict__:
            matrix.__dict__["by_condition"] = self.by_condition
        if "by_row" in self.__dict__:
            matrix.__dict__["by_row"] = self._columns(chosen)
        return matrix

    def _columns(self, chosen: Ints) -> csr_array:
        # scipy's selection of columns sorts the indices of each row, which takes time for nothing
        number = np.full(self.n_questions, -1, dtype=np.int32)
        number[chosen] = np.arange(len(chosen))
        indices = number[self.by_row.indices]
        if len(chosen) == self.n_questions:  # all of them, in another order
            return csr_array(
                (self.by_row.data, indices, self.by_row.indptr), shape=self.by_row.shape
            )
        kept = indices >= 0
        indptr = np.concatenate([[0], np.cumsum(kept)])[self.by_row.indptr].astype(np.int32)
        data = np.ones(int(indptr[-1]), dtype=np.int8)
        return csr_array((data, indices[kept], indptr), shape=(self.n_rows, len(chosen)))

    def asked(self, questions: Sequence[Any]) -> QuestionMatrix:
        """Return the answers to these questions, in this order.

        They may be conjunctions that are not among :attr:`questions`, of conditions that are.

        Raises
        ------
        KeyError
            When one of their conditions is not among the questions.
        """
        if _same(self.questions, questions):
            return self
        if all(question in self._number for question in questions):
            return self.select([self._number[question] for question in questions])
        members = [sorted(map(self._condition.__getitem__, q.conditions)) for q in questions]
        width = max(1, *map(len, members))
        padded = np.full((len(members), width), -1, dtype=np.int64)
        for row, numbers in zip(padded, members, strict=True):
            row[: len(numbers)] = numbers
        return replace(self, members=padded, questions=tuple(questions))

    @cached_property
    def _number(self) -> dict[Any, int]:
        return {question: number for number, question in enumerate(self.questions)}

    @cached_property
    def _condition(self) -> dict[Any, int]:
        """The number of each condition that is a question by itself."""
        single = np.flatnonzero(self.sizes == 1).tolist()
        return {self.questions[n].conditions[0]: int(self.members[n, 0]) for n in single}

    def tie_order(self, counts: Floats) -> Ints:
        """Return the numbers of the questions in the order that settles ties.

        Fewer conditions come first, then larger counts, then the order of :attr:`questions`
        (position, annotation, text). Questions that are true of no row are left out. ``counts``
        are C(q, y).
        """
        total = counts.sum(axis=1)
        order = np.lexsort((-total, self.sizes))
        answered: Ints = order[total[order] > 0]
        return answered

    def in_order(self) -> tuple[QuestionMatrix, Floats]:
        """Return the answers with their questions in :meth:`tie_order`, and C(q, y) of these."""
        return self._in_order

    @cached_property
    def _in_order(self) -> tuple[QuestionMatrix, Floats]:
        counts = self.counts()
        order = self.tie_order(counts)
        return self.select(order), counts[order]


def _same(first: Sequence[Any], other: Sequence[Any]) -> bool:
    """Say whether two sequences are the same selection of the same questions."""
    if isinstance(first, _Chosen) and isinstance(other, _Chosen):
        return first.items is other.items and np.array_equal(first.numbers, other.numbers)
    return first is other


class _Chosen(Sequence[Any]):
    """Some items of a sequence, each looked up when somebody asks for it."""

    def __init__(self, items: Sequence[Any], numbers: Ints) -> None:
        self.items: Sequence[Any] = items.items if isinstance(items, _Chosen) else items
        self.numbers: Ints = items.numbers[numbers] if isinstance(items, _Chosen) else numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Chosen(self.items, self.numbers[index])
        return self.items[self.numbers[index]]


def csr_of(entries: Sequence[Pairs], n_rows: int, n_columns: int) -> csr_array:
    """Return the ``(n_rows, n_columns)`` matrix, 1 at ``(rows, columns)``, indices sorted."""
    rows = np.concatenate([rows for rows, _ in entries]) if entries else np.zeros(0, np.int64)
    columns = np.concatenate([columns for _, columns in entries]) if entries else rows
    data = np.ones(len(rows), dtype=np.int8)
    cells = rows.astype(np.int32), columns.astype(np.int32)  # scikit-learn takes no others
    matrix = csr_array((data, cells), shape=(n_rows, n_columns))
    matrix.sort_indices()
    return matrix
