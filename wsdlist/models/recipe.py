"""The recipe: which learner learns from which questions, with which parameters, given or tuned.

It stands here because a model remembers it; :mod:`wsdlist.training` follows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from wsdlist.data.checks import check_choice, check_whole
from wsdlist.data.records import fields_from_record, fields_to_record
from wsdlist.errors import ParameterError
from wsdlist.features import TableQuestions
from wsdlist.features.labels import MULTI
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.learners import learner as make_learner
from wsdlist.learners import learner_class
from wsdlist.learners import parameters as learner_parameters
from wsdlist.learners.fitted.decision_list import REESTIMATE

AUTO = "auto"
STANDARD_GRIDS: dict[str, Sequence[Any]] = {  # the values to try of a parameter that is auto
    "discount": (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
    "epsilon": (0.0, 1.0, 2.0, 3.0, 5.0, 8.0),
    "reestimate": REESTIMATE,
    "cut_off": (0, 1, 2, 3, 5, 10),  # Webb's (1994)
}
CRITERIA = ("bits", "accuracy", "macro-f1")
Grid: TypeAlias = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Recipe:
    """How experts are learned.

    Parameters
    ----------
    learner
        Its name, see :data:`wsdlist.learners.LEARNERS`.
    features
        The feature set.
    parameters
        The learner's parameters; its defaults are filled in. ``"auto"`` lets held-out data choose,
        if there is a standard grid of values to try (:data:`STANDARD_GRIDS`).
    min_count
        In how many training instances a question must be true to be asked.
    multi
        What becomes of several gold senses: ``split``, ``first`` or ``all``, see
        :func:`wsdlist.features.labels.label`.
    grid
        The values to try of further parameters, by name.
    tune_for
        The measure by which held-out data choose: ``bits``, ``accuracy`` or ``macro-f1``.
    share_tuning
        Whether all words get the same parameters, those that are best for all together.
    missing
        Whether a missing value of a table is a value of its own (``value``) or not (``none``).
    min_instances
        A lexelt with fewer instances gets its most frequent sense, whatever the learner.

    Raises
    ------
    ParameterError
        When a name is unknown or a value is impossible.
    """

    learner: str = "prepend"
    features: FeatureSet = SETS["goodman"]
    parameters: dict[str, Any] = field(default_factory=dict)
    min_count: int = 2
    multi: str = "split"
    grid: dict[str, Sequence[Any]] = field(default_factory=dict)
    tune_for: str = "bits"
    share_tuning: bool = True
    missing: str = "none"
    min_instances: int = 1

    def __post_init__(self) -> None:
        for name in self.grid:
            if self.parameters.get(name, AUTO) != AUTO:
                raise ParameterError(
                    f"{name} is given, and values of it are to be tried", "say one of both"
                )
        given = {n: value for n, value in self.parameters.items() if n not in self.grid}
        make_learner(self.learner, **{n: v for n, v in given.items() if v != AUTO})
        defaults = learner_parameters(self.learner)
        known = {n: value for n, value in defaults.items() if n not in self.grid}
        object.__setattr__(self, "parameters", {**known, **given})
        object.__setattr__(self, "grid", {n: tuple(values) for n, values in self.grid.items()})
        self.table_questions  # noqa: B018 - refuses what a table cannot be asked
        check_choice("multi", self.multi, MULTI)
        check_choice("tune_for", self.tune_for, CRITERIA)
        check_whole("min_count", self.min_count)
        check_whole("min_instances", self.min_instances)
        for name, values in self.tried.items():
            for value in values:
                make_learner(self.learner, **{**self.fixed, name: value})

    @property
    def tried(self) -> dict[str, Sequence[Any]]:
        """The values to try of each parameter that is tuned."""
        return grid_of(self.learner, self.parameters, self.grid)

    @property
    def fixed(self) -> dict[str, Any]:
        """The parameters that are not tuned."""
        return {name: value for name, value in self.parameters.items() if value != AUTO}

    @property
    def table_questions(self) -> TableQuestions:
        """What the learner asks of the rows of a table."""
        return TableQuestions(getattr(learner_class(self.learner), "asks", "pairs"), self.missing)

    @property
    def estimates_discount(self) -> bool:
        """Whether the leave-one-out estimate is tried beside the standard discounts."""
        return self.parameters.get("discount") == AUTO

    def settled(self, chosen: Mapping[str, Any]) -> Recipe:
        """Return the recipe with the parameters that tuning chose, and nothing left to tune."""
        return replace(self, parameters={**self.fixed, **chosen}, grid={})

    def to_record(self) -> dict[str, Any]:
        """Return the recipe as JSON data; the parameters of the grid are ``"auto"``."""
        return {
            **fields_to_record(self),
            "parameters": as_json({**self.parameters, **dict.fromkeys(self.grid, AUTO)}),
            "grid": {n: [as_json({n: v})[n] for v in values] for n, values in self.grid.items()},
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Recipe:
        """Make a recipe of what :meth:`to_record` gives.

        Raises
        ------
        ParameterError, RecordError
            When the record is something else.
        """
        read = fields_from_record(_RecipeRecord, record)
        grid = {n: [from_json(value) for value in values] for n, values in read.grid.items()}
        given = {n: from_json(v) for n, v in read.parameters.items() if n not in grid}
        return cls(**{**vars(read), "parameters": given, "grid": grid})


@dataclass(frozen=True)
class _RecipeRecord:
    learner: str
    features: FeatureSet
    parameters: dict[str, Any]
    min_count: int
    multi: str
    grid: dict[str, list[Any]]
    tune_for: str
    share_tuning: bool
    missing: str
    min_instances: int = 1


def recipe_of(
    learner: str = "prepend",
    features: str | Path | FeatureSet = "goodman",
    parameters: Mapping[str, Any] | None = None,
    **others: Any,
) -> Recipe:
    """Return a recipe in which discount and epsilon are tuned unless they are given.

    Parameters
    ----------
    learner, parameters, others
        See :class:`Recipe`.
    features
        The name of a feature set, a TOML file, or a set.

    Raises
    ------
    InputError
        When the TOML file cannot be read.
    ParameterError
        When a name is unknown or a value is impossible.
    """
    known = learner_parameters(learner)
    auto: dict[str, Any] = {name: AUTO for name in ("discount", "epsilon") if name in known}
    return Recipe(learner, feature_set(features), {**auto, **(parameters or {})}, **others)


def grid_of(name: str, given: Mapping[str, Any], more: Grid | None = None) -> dict[str, Any]:
    """Return the values to try of each parameter.

    Parameters
    ----------
    name
        The name of the learner.
    given
        Its parameters; those that are ``auto`` have the values of :data:`STANDARD_GRIDS`.
    more
        The values of further parameters.

    Raises
    ------
    ParameterError
        When the learner lacks a parameter, or there is no standard grid or no value for it.
    """
    grid: dict[str, Any] = {}
    for parameter, value in given.items():
        if value == AUTO:
            if parameter not in STANDARD_GRIDS:
                raise ParameterError(f"{parameter} cannot be auto", f"say --grid {parameter}=a,b,c")
            grid[parameter] = STANDARD_GRIDS[parameter]
    for parameter, values in (more or {}).items():
        if not len(values):
            raise ParameterError(f"the grid of {parameter} is empty", "name values to try")
        grid[parameter] = list(dict.fromkeys(values))
    known = learner_parameters(name)
    for parameter in grid:
        if parameter not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ParameterError(f"the learner {name} has no parameter {parameter!r}", has)
    return grid


def as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON data: infinities as strings, because JSON has none."""
    record = {}
    for name, value in parameters.items():
        plain = value.item() if isinstance(value, np.generic) else value
        is_infinite = isinstance(plain, float) and not np.isfinite(plain)
        record[name] = str(plain) if is_infinite else plain
    return record


def from_json(value: Any) -> Any:
    """Return the value of a parameter that :func:`as_json` wrote."""
    return float(value) if value in ("inf", "-inf") else value
