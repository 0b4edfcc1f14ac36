"""Training cases and tests as packed bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Ints
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix

Bits: TypeAlias = npt.NDArray[np.uint64]


WORD = 64
MOST_CASES = 1 << 26


def pack(true: npt.ArrayLike) -> Bits:
    """Pack the last axis into words of 64 bits, the first case in the lowest bit."""
    given = np.asarray(true, dtype=bool)
    n_words = -(-given.shape[-1] // WORD)
    padded = np.zeros((*given.shape[:-1], n_words * WORD), dtype=bool)
    padded[..., : given.shape[-1]] = given
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


def unpack(bits: Bits) -> npt.NDArray[np.uint8]:
    """Undo :func:`pack`; what was filled up is 0."""
    unpacked: npt.NDArray[np.uint8] = np.unpackbits(
        np.ascontiguousarray(bits).view(np.uint8), axis=-1, bitorder="little"
    )
    return unpacked


def count(bits: Bits) -> Ints:
    """Return how many bits are set, over the last axis."""
    counts: Ints = np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)
    return counts


@dataclass(frozen=True, eq=False)
class Cases:
    """Training rows as bits: each row is a case, or several if its weight is 2 or more.

    Parameters
    ----------
    tests
        ``(m, n_words)``: of which cases each test is true.
    classes
        ``(n_senses, n_words)``: the cases of each sense.
    questions
        ``(m,)``: the question of each test among those of the answers.
    row
        ``(n_cases,)``: the row of each case.
    """

    tests: Bits
    classes: Bits
    questions: Ints
    row: Ints

    @cached_property
    def everyone(self) -> Bits:
        """``(n_words,)``: all cases."""
        return pack(np.ones(len(self.row), dtype=bool))

    @cached_property
    def by_content(self) -> Ints:
        """``(n_cases,)`` the cases in the order of what is true of them, whatever that of rows."""
        packed = np.packbits(unpack(self.tests)[:, : len(self.row)], axis=0)
        return np.lexsort(packed[::-1]) if packed.size else np.arange(len(self.row))

    def cover(self, tests: Sequence[int]) -> Bits:
        """Return the cases of which all tests are true."""
        every: Bits = np.bitwise_and.reduce(self.tests[list(tests)], axis=0, initial=~np.uint64(0))
        return every & self.everyone


def rows_of_cases(matrix: QuestionMatrix, most: int = MOST_CASES) -> Ints:
    """Return ``(n_cases,)`` the row of each case: a row of weight 2 is two cases, one of .3 is one.

    Raises
    ------
    ParameterError
        When there would be more than ``most`` cases.
    """
    times = np.maximum(np.rint(matrix.weight), 1)
    if times.sum() > most:
        raise ParameterError(
            f"the training rows weigh {times.sum():,.0f}, and each unit is a case of this learner",
            f"give it {most:,} at the most, or say another learner",
        )
    return np.repeat(np.arange(matrix.n_rows), times.astype(np.int64))


def cases_of(matrix: QuestionMatrix, top: int | None = None) -> Cases:
    """Take the questions of one condition as tests.

    With ``top`` only that many: those that divide the rows most evenly (of rare values, those true
    of most), of equals the first. The order of tests is that of the questions.

    Raises
    ------
    ParameterError
        When the weights add up to too many cases.
    """
    single = np.flatnonzero(matrix.sizes == 1)
    columns = matrix.by_condition
    numbers = matrix.members[single, 0]
    if top is not None and len(single) > top:
        often = np.diff(columns.indptr)[numbers]
        evenly = np.minimum(often, matrix.n_rows - often)
        kept = np.sort(np.argsort(-evenly, kind="stable")[:top])
        single, numbers = single[kept], numbers[kept]
    row = rows_of_cases(matrix)
    tests = np.zeros((len(single), -(-max(len(row), 1) // WORD)), dtype=np.uint64)
    true = np.zeros(matrix.n_rows, dtype=bool)
    for test, number in enumerate(numbers.tolist()):
        rows = columns.indices[columns.indptr[number] : columns.indptr[number + 1]]
        true[rows] = True
        tests[test] = pack(true[row])
        true[rows] = False
    outcome = matrix.outcome[row]
    members = np.arange(len(matrix.senses))[:, None] == outcome
    return Cases(tests, pack(members).reshape(len(matrix.senses), -1), single, row)
