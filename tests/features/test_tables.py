"""Tables: what is asked of rows, missing values, cuts of numbers, columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wsdlist.data.corpus import Row
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.cut_points import cut_points
from wsdlist.features.positions import Column
from wsdlist.features.questions import Condition, Question
from wsdlist.features.sets import SETS
from wsdlist.features.tables import TableQuestions, ask_rows, extract_rows
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.fit import fit

NAMES = ("tear", "age")
TABLE = [("normal", "young"), ("reduced", "old"), (None, "old"), ("normal", None)]
CLASSES = ["soft", "none", "none", "hard"]


def rows_of(table: Sequence[tuple[str | None, ...]], numeric: tuple[str, ...] = ()) -> list[Row]:
    return [
        Row(f"r{n}", "t", NAMES, values, (sense,), f"t.csv:{n + 2}", frozenset(numeric))
        for n, (values, sense) in enumerate(zip(table, CLASSES, strict=True))
    ]


def asked(table_questions: TableQuestions) -> dict[str, list[bool]]:
    rows = rows_of(TABLE)
    answers = extract_rows(rows, [row.senses for row in rows], table_questions)
    true = answers.by_row.toarray().astype(bool).T
    again = ask_rows(rows, list(answers.questions)).by_row.toarray().astype(bool).T
    assert (true == again).all(), "asked of new rows the questions have other answers"
    return {
        str(question): row.tolist() for question, row in zip(answers.questions, true, strict=True)
    }


def test_a_missing_value_answers_no_question() -> None:
    assert asked(TableQuestions("=")) == {
        "tear=normal": [True, False, False, True],
        "tear=reduced": [False, True, False, False],
        "age=old": [False, True, True, False],
        "age=young": [True, False, False, False],
    }
    unequal = asked(TableQuestions("!="))
    assert unequal["tear!=normal"] == [False, True, False, False]
    assert unequal["age!=young"] == [False, True, True, False]


def test_or_is_a_value_of_its_own() -> None:
    equal, unequal = asked(TableQuestions("=", "value")), asked(TableQuestions("!=", "value"))
    assert equal["tear=?"] == [False, False, True, False]
    assert unequal["tear!=?"] == [True, True, False, True]
    assert unequal["tear!=normal"] == [False, True, True, False]
    for name, row in equal.items():
        assert unequal[name.replace("=", "!=")] == [not value for value in row]


def test_a_value_that_training_did_not_show_is_another_one() -> None:
    new = Row("n", "t", NAMES, ("dry", None))
    question = Question((Condition(Column("tear"), "value", "normal", negated=True),))
    assert ask_rows([new], [question]).by_row.toarray().tolist() == [[1]]


def test_conditions_come_back_from_their_records() -> None:
    for condition in (
        Condition(Column("tear", missing=True), "value", None),
        Condition(Column("tear", missing=True), "value", None, negated=True),
        Condition(Column("age", cuts=(2.5, 7.0)), "value", "(2.5,7]", negated=True),
    ):
        assert Condition.from_record(condition.to_record()) == condition


def test_cuts_are_those_of_fayyad_and_irani() -> None:
    assert cut_points([1, 2, 3, 4], [0, 1, 0, 1], 2) == ()
    assert cut_points([], [], 2) == ()
    values = [*range(20), *range(30, 50), *range(60, 80)]
    assert cut_points(values, [0] * 20 + [1] * 20 + [0] * 20, 2) == (24.5, 54.5)
    few = [*values[:10], *values[20:30], *values[40:50]]  # the gain, .251 bits, is below .261
    assert cut_points(few, [0] * 10 + [1] * 10 + [0] * 10, 2) == ()


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), max_size=30))
def test_one_cut_more_or_less_is_worse(cases: list[tuple[int, int]]) -> None:
    """The literal recursion: entropy by counting, the boundary by trying all."""

    def entropy(part: list[tuple[int, int]]) -> float:
        shares = [sum(y == k for _, y in part) / len(part) for k in range(3)]
        return -sum(share * log2(share) for share in shares if share)

    def literal(part: list[tuple[int, int]]) -> list[float]:
        values = sorted({x for x, _ in part})
        tried = []
        for low, high in pairwise(values):
            left, right = [c for c in part if c[0] <= low], [c for c in part if c[0] >= high]
            after = (len(left) * entropy(left) + len(right) * entropy(right)) / len(part)
            tried.append((round(after, 9), (low + high) / 2, left, right))
        if not tried:
            return []
        _, place, left, right = min(tried, key=lambda one: one[:2])
        after = (len(left) * entropy(left) + len(right) * entropy(right)) / len(part)
        k, k1, k2 = (len({y for _, y in p}) for p in (part, left, right))
        delta = log2(3**k - 2) - (k * entropy(part) - k1 * entropy(left) - k2 * entropy(right))
        if entropy(part) - after <= (log2(len(part) - 1) + delta) / len(part) + 1e-9:
            return []
        return [*literal(left), place, *literal(right)]

    made = cut_points([x for x, _ in cases], [y for _, y in cases], 3)
    assert list(made) == literal(cases)


def test_numbers_are_cut_in_training_and_read_in_use() -> None:
    table: list[tuple[str | None, ...]] = [("x", str(n)) for n in range(20)]
    rows = [
        Row(f"r{n}", "t", NAMES, values, ("old" if n > 9 else "young",), "", frozenset({"age"}))
        for n, values in enumerate(table)
    ]
    expert = fit(
        Recipe("prepend", SETS["table"], parameters={"discount": 0.5, "epsilon": 1.0}),
        "t",
        rows,
        [row.senses for row in rows],
    )
    assert {str(rule.question) for rule in expert.rules} <= {"age=(-inf,9.5]", "age=(9.5,inf)"}
    new = [Row("a", "t", NAMES, ("x", "3.5")), Row("b", "t", NAMES, ("x", "1e3"))]
    assert [answer.sense for answer in expert.answer(new)] == ["young", "old"]
    with pytest.raises(InputError, match="'many' is no number"):
        expert.answer([Row("c", "t", NAMES, ("x", "many"))])


def test_ranges_of_large_numbers_are_told_apart() -> None:
    rows = [
        Row(f"r{n}", "t", ("x",), (str(202400000 + n),), (f"c{n // 30 % 2}",), "", frozenset("x"))
        for n in range(150)
    ]
    labels = [row.senses for row in rows]
    expert = fit(
        Recipe("prepend", SETS["table"], parameters={"discount": 0.5, "epsilon": 1.0}),
        "t",
        rows,
        labels,
    )
    assert [answer.sense for answer in expert.answer(rows)] == [sense for (sense,) in labels]


def test_numbers_that_are_worth_no_cut_leave_the_default(tmp_path: Path) -> None:
    rows = [
        Row(f"r{n}", "t", ("x",), (str(n),), ("ab"[n % 2],), "", frozenset("x")) for n in range(20)
    ]
    expert = fit(
        Recipe("prepend", SETS["table"], parameters={"discount": 0.5, "epsilon": 1.0}),
        "t",
        rows,
        [row.senses for row in rows],
    )
    assert expert.rules == ()


def test_a_column_is_what_one_says_it_is(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    lines = [f"{n},{n % 3},{'ab'[n > 9]}" for n in range(20)]
    file.write_text("\n".join(["id,code,class", *lines]) + "\n")
    (row, *_) = read(file, columns={"id": "skip"}).train
    assert isinstance(row, Row)
    assert (row.names, row.numeric) == (("code",), frozenset())
    (row, *_) = read(file, columns={"id": "numeric"}).train
    assert isinstance(row, Row)
    assert row.numeric == {"id"}
    with pytest.raises(InputError, match="no attribute 'ident'"):
        read(file, columns={"ident": "skip"})
    with pytest.raises(ParameterError, match="say one of nominal, numeric, skip"):
        read(file, columns={"id": "number"})
    with pytest.raises(InputError, match="the class 'class' is numeric"):
        read(file, columns={"class": "numeric"})


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ParameterError, match="missing is 'maybe'"):
        Recipe("prepend", missing="maybe")
    with pytest.raises(ParameterError, match="asks is '<'"):
        TableQuestions("<")


def test_iris_is_cut_where_the_literature_cuts_it(shared: Path) -> None:
    """Petal length at 2.45 and 4.75, petal width at .8 and 1.75, as Weka has it."""
    rows = list(read(shared / "uci" / "textbook" / "iris.arff").train)
    labels = [row.senses for row in rows]
    answers = extract_rows([r for r in rows if isinstance(r, Row)], labels, TableQuestions("="))
    conditions = [question.conditions[0] for question in answers.questions]
    cuts = {c.position.name: c.position.cuts for c in conditions if isinstance(c.position, Column)}
    assert cuts["petallength"] == pytest.approx((2.45, 4.75))
    assert cuts["petalwidth"] == pytest.approx((0.8, 1.75))
    assert np.diff(answers.conditions.indptr).tolist() == [4] * 150
