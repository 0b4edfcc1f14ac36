"""What the rest of the house knows of a learner."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.base import Fitted
from wsdlist.learners.smoothing import is_number


class Learner(Protocol):
    """A learner: its parameters are the fields of a dataclass."""

    def fit(self, matrix: QuestionMatrix) -> Fitted:
        """Learn from answers with outcomes."""


def check_bounds(learner: Any) -> None:
    """Refuse a ``top``, or a ``max_conditions`` but None, that is no whole number of 1 or more."""
    check_whole(learner, "top")
    if learner.max_conditions is not None:
        check_whole(learner, "max_conditions")


def check_whole(learner: Any, *names: str, least: int = 1) -> None:
    """Refuse parameters that are no whole numbers of ``least`` or more."""
    for name in names:
        value = getattr(learner, name)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value >= least):
            raise ParameterError(f"{name} is {value!r}", f"say a whole number of {least} or more")


def check_share(learner: Any, *names: str) -> None:
    """Refuse parameters that are no numbers from 0 to 1."""
    for name in names:
        value = getattr(learner, name)
        if not (is_number(value) and 0 <= value <= 1):
            raise ParameterError(f"{name} is {value!r}", "say a number from 0 to 1")
