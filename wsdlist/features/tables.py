"""Rows of nominal tables to answers: each attribute's values, and every two of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from wsdlist.answers import Answers
from wsdlist.corpus import Row
from wsdlist.errors import InputError
from wsdlist.features.extract import Relation, answer_questions, find_questions, label
from wsdlist.features.questions import Question
from wsdlist.features.where import Column

WHAT = "value"


def _relations(rows: Sequence[Row], names: Sequence[str]) -> list[Relation]:
    """Return for each attribute which value stands in which row; a missing value is in none."""
    relations: list[Relation] = []
    for name in names:
        column = [_value(row, name) for row in rows]
        values = sorted({value for value in column if value is not None})
        code = {value: number for number, value in enumerate(values, start=1)}
        known = [number for number, value in enumerate(column) if value is not None]
        codes = [code[value] for value in column if value is not None]
        relations.append((np.array(known, dtype=np.int64), np.array(codes, dtype=np.int64), values))
    return relations


def _value(row: Row, name: str) -> str | None:
    try:
        return row.values[row.names.index(name)]
    except ValueError:
        raise InputError(
            f"the table has no attribute {name!r}, which the model asks for",
            "name the columns as in training",
            where=row.place,
        ) from None


def extract_rows(
    rows: Sequence[Row],
    labels: Sequence[Sequence[str]],
    *,
    min_count: int = 1,
    multi: str = "split",
    save_space: bool = False,
) -> Answers:
    """Find the questions of training rows and answer them; see :func:`extract.extract`."""
    kept = [number for number, gold in enumerate(labels) if gold]
    rows = [rows[number] for number in kept]
    names = rows[0].names
    single = [(number,) for number in range(len(names))]
    return find_questions(
        [(Column(name), WHAT) for name in names],
        _relations(rows, names),
        [*single, *combinations(range(len(names)), 2)],
        label([labels[number] for number in kept], multi),
        min_count,
        save_space=save_space,
    )


def ask_rows(rows: Sequence[Row], questions: Sequence[Question]) -> Answers:
    """Answer given questions; see :func:`extract.ask`."""
    wanted = {c.where.name for q in questions for c in q.conditions if isinstance(c.where, Column)}
    names = sorted(wanted)
    tests = [(Column(name), WHAT) for name in names]
    return answer_questions(questions, tests, _relations(rows, names), len(rows))
