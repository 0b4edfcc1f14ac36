"""From rows of tables to answers: the values of attributes, what they are not, and their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wsdlist.data.arrays import Ints, ranges
from wsdlist.data.checks import check_choice
from wsdlist.data.corpus import Row
from wsdlist.data.numbers import real
from wsdlist.errors import InputError
from wsdlist.features._asking import Layout
from wsdlist.features.cut_points import cut_points
from wsdlist.features.extract import Relation, find_questions
from wsdlist.features.labels import Labelled, label
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Column, interval
from wsdlist.features.questions import Question

VALUE = "value"
MISSING = ("none", "value")
ASKS = ("pairs", "=", "!=")


@dataclass(frozen=True)
class TableQuestions:
    """What is asked of the rows of a table.

    Parameters
    ----------
    asks
        ``=`` for every ``A=v``, ``pairs`` for these and every two of them, ``!=`` for every
        ``A!=v``, whose conjunctions can say which of several values an attribute may have.
    missing
        ``value`` if a missing value is a value of its own, ``none`` if nothing is true of it.

    Raises
    ------
    ParameterError
        When a parameter is none of these.
    """

    asks: str = "pairs"
    missing: str = "none"

    def __post_init__(self) -> None:
        check_choice("asks", self.asks, ASKS)
        check_choice("missing", self.missing, MISSING)


def _relations(rows: Sequence[Row], columns: Sequence[Column]) -> list[Relation]:
    """Return the values of each attribute by row; code 0 is a missing value."""
    relations: list[Relation] = []
    for column in columns:
        given = _column(rows, column.name)
        values = sorted({value for value in given if value is not None})
        if column.cuts is not None:
            values = [interval(column.cuts, n) for n in range(len(column.cuts) + 1)]
            known = [(r, value) for r, value in zip(rows, given, strict=True) if value is not None]
            numbers = [_number(row, column.name, value) for row, value in known]
            within = iter(np.searchsorted(column.cuts, numbers, side="left").tolist())
            given = [None if value is None else values[next(within)] for value in given]
        code: dict[str | None, int] = {value: number for number, value in enumerate(values, 1)}
        code[None] = 0
        asked = [n for n, value in enumerate(given) if value is not None or column.missing]
        codes = [code[given[n]] for n in asked]
        relations.append((np.array(asked, dtype=np.int64), np.array(codes, dtype=np.int64), values))
    return relations


def _column(rows: Sequence[Row], name: str) -> list[str | None]:
    """Return the values of an attribute."""
    names = rows[0].names if rows else ()
    at = names.index(name) if name in names else -1
    return [row.values[at] if at >= 0 and row.names is names else _value(row, name) for row in rows]


def _value(row: Row, name: str) -> str | None:
    try:
        return row.values[row.names.index(name)]
    except ValueError:
        raise InputError(
            f"the table has no attribute {name!r}, which the model asks for",
            "name the columns as in training",
            where=row.place,
        ) from None


def _number(row: Row, name: str, value: str) -> float:
    number = real(value)
    if number is None:
        raise InputError(
            f"{value!r} is no number, as the attribute {name!r} asks for",
            f"correct it, or say --column {name}=nominal",
            where=row.place,
        )
    return number


def _others(relation: Relation) -> Relation:
    """Return for each row the values that occur in other rows and not in it."""
    rows, codes, values = relation
    met = np.unique(codes)
    repeated = np.repeat(np.arange(len(rows)), len(met))
    against: Ints = met[ranges(np.zeros(len(rows), np.int64), np.full(len(rows), len(met)))]
    other = codes[repeated] != against
    return rows[repeated[other]], against[other], values


def extract_rows(
    rows: Sequence[Row],
    labels: Sequence[Sequence[str]],
    table_questions: TableQuestions | None = None,
    *,
    min_count: int = 1,
    multi: str = "split",
    save_space: bool = False,
    labelled: Labelled | None = None,
) -> QuestionMatrix:
    """Find the questions of training rows and answer them.

    Most parameters are those of :func:`wsdlist.features.extract.extract`; ``labelled`` is what
    :func:`wsdlist.features.labels.label` makes of the labels, if it was called before. Numeric
    attributes are cut by the classes of these rows, see
    :func:`wsdlist.features.cut_points.cut_points`. Those that are not cut are left out, unless
    nothing else is there.

    Raises
    ------
    InputError
        When a value of a numeric attribute is no number.
    """
    table_questions = table_questions or TableQuestions()
    kept = [number for number, gold in enumerate(labels) if gold]
    if len(kept) < len(rows):
        labelled = None
    rows, labels = [rows[number] for number in kept], [labels[number] for number in kept]
    missing = table_questions.missing == "value"
    columns = [
        Column(name, missing, _cuts(rows, labels, name) if name in rows[0].numeric else None)
        for name in rows[0].names
    ]
    # if nothing is worth a cut, one range of all numbers is better than nothing to ask
    columns = [column for column in columns if column.cuts != ()] or columns
    relations = _relations(rows, columns)
    templates = [(number,) for number in range(len(columns))]
    return find_questions(
        [(column, VALUE) for column in columns],
        [_others(relation) for relation in relations]
        if table_questions.asks == "!="
        else relations,
        [*templates, *combinations(range(len(columns)), 2)]
        if table_questions.asks == "pairs"
        else templates,
        label(labels, multi) if labelled is None else labelled,
        min_count,
        negated=table_questions.asks == "!=",
        save_space=save_space,
    )


def _cuts(rows: Sequence[Row], labels: Sequence[Sequence[str]], name: str) -> tuple[float, ...]:
    """Cut a numeric attribute by the (first) classes of the rows that have a value."""
    classes = sorted({gold[0] for gold in labels})
    known = [
        (_number(row, name, value), classes.index(gold[0]))
        for row, gold, value in zip(rows, labels, _column(rows, name), strict=True)
        if value is not None
    ]
    if not known:
        return ()
    values, outcome = zip(*known, strict=True)
    return cut_points(values, outcome, len(classes))


def ask_rows(rows: Sequence[Row], questions: Sequence[Question]) -> QuestionMatrix:
    """Answer given questions, with a row for each row of the table and no outcomes.

    Raises
    ------
    InputError
        When the table lacks an attribute, or a value of a numeric one is no number.
    """
    wanted = {c.position for q in questions for c in q.conditions if isinstance(c.position, Column)}
    columns = sorted(wanted, key=repr)
    tests = [(column, VALUE) for column in columns]
    relations = _relations(rows, columns)
    layout = Layout(questions, tests, [values for _, _, values in relations])
    return layout.matrix([(numbers, codes) for numbers, codes, _ in relations], len(rows))
