"""From instances to question matrices, whatever they are instances of."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from wsdlist.data.corpus import Instance, Item, Kind, Row
from wsdlist.features._asking import Asker
from wsdlist.features.extract import extract as extract_text
from wsdlist.features.labels import Labelled
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Column
from wsdlist.features.questions import Question
from wsdlist.features.sets import FeatureSet
from wsdlist.features.tables import TableQuestions, ask_rows, extract_rows

__all__ = ["Ask", "TableQuestions", "ask", "asker", "extract"]

Ask: TypeAlias = Callable[[Sequence[Any]], QuestionMatrix]


def extract(
    items: Sequence[Item],
    labels: Sequence[Sequence[str]],
    features: FeatureSet,
    *,
    min_count: int = 2,
    multi: str = "split",
    save_space: bool = False,
    table_questions: TableQuestions | None = None,
    rows: Labelled | None = None,
) -> QuestionMatrix:
    """Find the questions of training instances or rows and answer them.

    The parameters, the matrix and the errors are those of :func:`wsdlist.features.extract.extract`.
    Rows of a table, which have the feature set ``table``, are asked ``table_questions``.
    """
    if features.kind is Kind.TABLE:
        return extract_rows(
            cast("Sequence[Row]", items),
            labels,
            table_questions,
            min_count=min_count,
            multi=multi,
            save_space=save_space,
            labelled=rows,
        )
    instances = cast("Sequence[Instance]", items)
    return extract_text(
        instances,
        labels,
        features,
        min_count=min_count,
        multi=multi,
        save_space=save_space,
        rows=rows,
    )


def asker(questions: Sequence[Question]) -> Ask:
    """Return a function that answers given questions, of instances or of rows."""
    conditions = (condition for question in questions for condition in question.conditions)
    if any(isinstance(condition.position, Column) for condition in conditions):
        return functools.partial(ask_rows, questions=questions)
    return Asker(questions)


def ask(items: Sequence[Item], questions: Sequence[Question]) -> QuestionMatrix:
    """Answer given questions, with a row for each instance or row and no outcomes.

    Raises
    ------
    InputError
        When an instance lacks an annotation, or a row an attribute, that a question asks for.
    """
    return asker(questions)(items)
