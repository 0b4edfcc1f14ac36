"""From instances to answers, whatever they are instances of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from wsdlist.data.corpus import Instance, Item, Row
from wsdlist.features.extract import Asker
from wsdlist.features.extract import ask as ask_text
from wsdlist.features.extract import extract as extract_text
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.features.sets import FeatureSet
from wsdlist.features.tables import TableQuestions, ask_rows, extract_rows

__all__ = ["Asker", "TableQuestions", "are_rows", "ask", "extract"]


def are_rows(items: Sequence[Item]) -> bool:
    """Say whether these are rows of a table rather than words in context."""
    return bool(items) and isinstance(items[0], Row)


def extract(
    items: Sequence[Item],
    labels: Sequence[Sequence[str]],
    features: FeatureSet,
    *,
    min_count: int = 2,
    multi: str = "split",
    save_space: bool = False,
    table_questions: TableQuestions | None = None,
) -> QuestionMatrix:
    """Find the questions of training instances or rows and answer them.

    See :func:`wsdlist.features.extract.extract`; rows have the questions of ``table_questions``,
    whatever ``features``.
    """
    if are_rows(items):
        rows = cast("Sequence[Row]", items)
        return extract_rows(
            rows, labels, table_questions, min_count=min_count, multi=multi, save_space=save_space
        )
    instances = cast("Sequence[Instance]", items)
    return extract_text(
        instances, labels, features, min_count=min_count, multi=multi, save_space=save_space
    )


def ask(items: Sequence[Item], questions: Sequence[Question]) -> QuestionMatrix:
    """Answer given questions, of instances or rows."""
    if are_rows(items):
        return ask_rows(cast("Sequence[Row]", items), questions)
    return ask_text(cast("Sequence[Instance]", items), questions)
