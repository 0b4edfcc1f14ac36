"""What the rest of the house knows of a learner."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from wsdlist.data.arrays import Floats
from wsdlist.data.checks import check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.base import Fitted

# the parameters tried, ``(n_rows, n_senses)`` probabilities of held-out rows, the number of rules
Reached: TypeAlias = tuple[dict[str, Any], Floats, int]


class Learner(Protocol):
    """A learner: its parameters are the fields of a dataclass, and each has a default.

    The first line of the class's docstring is what ``wsdlist learners`` says of it. A class may
    also say:

    * ``asks``: what a table is asked, see :class:`wsdlist.features.tables.TableQuestions`;
    * ``may_ask(prior_counts, epsilon)``: whether any rule can save epsilon bits; if not, no
      question is looked for;
    * ``from_the_end``: that it begins with the rules at the end of the list;
    * ``along(train, held, grid)``: what each choice of the values of a grid reaches on held-out
      rows, if one run can serve many of them; None if it cannot.
    """

    def fit(self, matrix: QuestionMatrix) -> Fitted:
        """Learn from answers with outcomes."""


def check_bounds(top: Any, max_conditions: Any) -> None:
    """Refuse a ``top`` or a ``max_conditions`` that is no whole number of 1 or more.

    They are how many tests a rule learner looks at, and how many a rule may have (None: any).

    Raises
    ------
    ParameterError
        When one of them is refused.
    """
    check_whole("top", top)
    check_whole("max_conditions", max_conditions, optional=True)
