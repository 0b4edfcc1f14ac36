"""Random problems: K classes, conjunctions, fractional weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from wsdlist.features.matrix import Answers
from wsdlist.features.positions import Column
from wsdlist.features.questions import Condition, Question


@st.composite
def problems(draw: st.DrawFn, max_senses: int = 4) -> Answers:
    n_senses = draw(st.integers(1, max_senses))
    n_rows = draw(st.integers(1, 24))
    n_conditions = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrix = rng.random((n_rows, n_conditions)) < rng.random(n_conditions)
    sizes = rng.integers(1, min(3, n_conditions) + 1, size=draw(st.integers(1, 14)))
    sets = {tuple(sorted(rng.choice(n_conditions, size, replace=False).tolist())) for size in sizes}
    width = max(map(len, sets))
    parts = [[*one, *[-1] * (width - len(one))] for one in sorted(sets)]
    whole = draw(st.booleans())
    weight = np.ones(n_rows) if whole else rng.integers(1, 3072, n_rows) / 1024
    senses = tuple("abcd"[:n_senses])
    made = Answers.of_matrix(
        matrix, rng.integers(0, n_senses, n_rows), senses, weight=weight, parts=parts
    )
    places = rng.integers(0, 3, n_conditions) if draw(st.booleans()) else made.places
    return Answers(**{**vars_of(made), "places": np.sort(places)})


def vars_of(answers: Answers) -> dict[str, Any]:
    return {name: getattr(answers, name) for name in Answers.__dataclass_fields__}


def readable(answers: Answers) -> Answers:
    """The same with questions that can be read, where learners make conjunctions of their own."""
    conditions = [Condition(Column(f"q{n}"), "value", "yes") for n in range(len(answers.places))]
    parts = [part[part >= 0].tolist() for part in answers.parts]
    made = [Question.of([conditions[n] for n in part]) for part in parts]
    return Answers(**{**vars_of(answers), "questions": made})


def truth(answers: Answers) -> Any:
    """Which row answers which question, by looking."""
    dense = answers.conditions.toarray().astype(bool)
    return np.array([dense[:, part[part >= 0]].all(axis=1) for part in answers.parts]).T
