"""Random problems: K classes, conjunctions, fractional weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Column
from wsdlist.features.questions import Condition, Question


@st.composite
def problems(draw: st.DrawFn, max_senses: int = 4) -> QuestionMatrix:
    n_senses = draw(st.integers(1, max_senses))
    n_rows = draw(st.integers(1, 24))
    n_conditions = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrix = rng.random((n_rows, n_conditions)) < rng.random(n_conditions)
    sizes = rng.integers(1, min(3, n_conditions) + 1, size=draw(st.integers(1, 14)))
    sets = {tuple(sorted(rng.choice(n_conditions, size, replace=False).tolist())) for size in sizes}
    width = max(map(len, sets))
    members = [[*one, *[-1] * (width - len(one))] for one in sorted(sets)]
    whole = draw(st.booleans())
    weight = np.ones(n_rows) if whole else rng.integers(1, 3072, n_rows) / 1024
    senses = tuple("abcd"[:n_senses])
    made = QuestionMatrix.from_matrix(
        matrix, rng.integers(0, n_senses, n_rows), senses, weight=weight, members=members
    )
    attributes = rng.integers(0, 3, n_conditions) if draw(st.booleans()) else made.attributes
    return QuestionMatrix(**{**vars_of(made), "attributes": np.sort(attributes)})


def vars_of(answers: QuestionMatrix) -> dict[str, Any]:
    return {name: getattr(answers, name) for name in QuestionMatrix.__dataclass_fields__}


def readable(answers: QuestionMatrix) -> QuestionMatrix:
    """The same with questions that can be read, where learners make conjunctions of their own."""
    conditions = [
        Condition(Column(f"q{n}"), "value", "yes") for n in range(len(answers.attributes))
    ]
    members = [part[part >= 0].tolist() for part in answers.members]
    made = [Question.of([conditions[n] for n in part]) for part in members]
    return QuestionMatrix(**{**vars_of(answers), "questions": made})


def truth(answers: QuestionMatrix) -> Any:
    """Which row answers which question, by looking."""
    dense = answers.conditions.toarray().astype(bool)
    return np.array([dense[:, part[part >= 0]].all(axis=1) for part in answers.members]).T
