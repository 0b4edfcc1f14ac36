"""How experts are learned: a learner, its parameters, the questions; and one expert learned so."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from wsdlist.data.arrays import Ints
from wsdlist.data.corpus import Instance, Item
from wsdlist.data.folds import deal
from wsdlist.errors import InputError, ParameterError
from wsdlist.features import TableQuestions, extract
from wsdlist.features.extract import MULTI, label, unasked
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.sets import SETS, FeatureSet
from wsdlist.learners import Fitted, learner_class
from wsdlist.learners import learner as make_learner
from wsdlist.learners import parameters as learner_parameters
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.models.expert import Expert
from wsdlist.models.tagging import words_of
from wsdlist.training.tuning import (
    AUTO,
    CRITERIA,
    TuningTable,
    as_json,
    cells,
    grid_of,
    leave_one_out_discount,
    tune,
)

EXAMPLES = 3  # ids kept of each rule


@dataclass(frozen=True)
class Settings:
    """How experts are learned.

    Parameters
    ----------
    learner
        Its name, see :data:`wsdlist.learners.LEARNERS`.
    features
        The feature set.
    parameters
        The learner's; those left out have its defaults. ``"auto"`` for discount or epsilon lets
        held-out data choose.
    min_count
        In how many training instances a question must be true.
    multi
        What becomes of several gold senses: ``split``, ``first`` or ``all``.
    grid
        Values to try of further parameters, by name.
    tune_for
        What held-out data choose by: ``bits``, ``accuracy`` or ``macro-f1``.
    share_tuning
        Whether all words get the same parameters, those best for all together.
    missing
        Whether a missing value of a table is a value of its own (``value``) or not (``none``).
    min_instances
        A lexelt with fewer gets its most frequent sense, whatever the learner.
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
        make_learner(self.learner, **self.fixed)
        self.table_questions  # noqa: B018 - refuses what it does not know
        if self.multi not in MULTI:
            raise ParameterError(f"multi is {self.multi!r}", f"say one of {', '.join(MULTI)}")
        if self.min_count < 1:
            raise ParameterError(f"min_count is {self.min_count}", "say 1 or more")
        if self.min_instances < 1:
            raise ParameterError(f"min_instances is {self.min_instances}", "say 1 or more")
        if self.tune_for not in CRITERIA:
            raise ParameterError(
                f"tune_for is {self.tune_for!r}", f"say one of {', '.join(CRITERIA)}"
            )
        for name in self.grid:
            if self.parameters.get(name, AUTO) != AUTO:
                raise ParameterError(
                    f"{name} is given, and values of it are to be tried", "say one of both"
                )
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
        return {
            name: value
            for name, value in self.parameters.items()
            if value != AUTO and name not in self.grid
        }

    def to_record(self) -> dict[str, Any]:
        """Return the settings as JSON data, defaults filled in."""
        parameters = {**learner_parameters(self.learner), **self.parameters}
        parameters.update(dict.fromkeys(self.grid, AUTO))
        return {
            "learner": self.learner,
            "parameters": as_json(parameters),
            "features": self.features.to_record(),
            "min_count": self.min_count,
            "multi": self.multi,
            "grid": {n: [as_json({n: v})[n] for v in vs] for n, vs in self.grid.items()},
            "tune_for": self.tune_for,
            "share_tuning": self.share_tuning,
            "missing": self.missing,
            "min_instances": self.min_instances,
        }

    @property
    def table_questions(self) -> TableQuestions:
        """What the learner asks of the rows of a table."""
        return TableQuestions(getattr(learner_class(self.learner), "asks", "pairs"), self.missing)

    @property
    def estimates_discount(self) -> bool:
        """Whether the leave-one-out estimate is tried beside the standard discounts."""
        return self.parameters.get("discount") == AUTO and "discount" not in self.grid

    def cells(
        self, lexelt: str, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> tuple[int, int]:
        """Count what the leave-one-out discount is estimated from, see :func:`tuning.cells`."""
        every = extract(
            instances,
            labels,
            self.features,
            min_count=1,
            multi="first",
            save_space=True,
            table_questions=self.table_questions,
        )
        return cells(every.counts())

    def with_estimate(self, counted: Iterable[tuple[int, int]]) -> Settings:
        """Return the settings with the leave-one-out discount among those to try."""
        n1, n2 = np.sum([(0, 0), *counted], axis=0).tolist()
        estimate = leave_one_out_discount(n1, n2)
        discounts = sorted({*self.tried["discount"], estimate})
        return replace(self, grid={"discount": discounts, **self.grid})

    def question_matrix(
        self, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> QuestionMatrix:
        """Find the questions of training instances and answer them."""
        if not self._may_ask(labels):
            return unasked(label(labels, self.multi))
        return extract(
            instances,
            labels,
            self.features,
            min_count=self.min_count,
            multi=self.multi,
            save_space=bool(self.parameters.get("save_space")),
            table_questions=self.table_questions,
        )

    def _may_ask(self, labels: Sequence[Sequence[str]]) -> bool:
        """Say whether any question can be worth a rule to the learner."""
        may_ask = getattr(learner_class(self.learner), "may_ask", None)
        epsilons = self.tried.get("epsilon", [self.fixed.get("epsilon")])
        if may_ask is None or None in epsilons:
            return True
        rows = label(labels, self.multi)
        counts = np.bincount(rows.outcome, rows.weight, len(rows.senses))
        return any(may_ask(counts, epsilon) for epsilon in epsilons)

    def rows(self, labels: Sequence[Sequence[str]]) -> Ints:
        """Return which instance each row of :meth:`answers` is."""
        return label(labels, self.multi).instance

    def tune(
        self,
        lexelt: str,
        instances: Sequence[Item],
        labels: Sequence[Sequence[str]],
        matrix: QuestionMatrix | None = None,
    ) -> TuningTable:
        """Try what is to be tuned on held-out parts of the training instances of a word."""
        matrix = self.question_matrix(instances, labels) if matrix is None else matrix
        return tune(
            lexelt,
            labels,
            functools.partial(deal, instances, labels),
            matrix,
            self.learner,
            self.fixed,
            self.tried,
            multi=self.multi,
            min_count=self.min_count,
            criterion=self.tune_for,
        )

    def tune_own(
        self,
        lexelt: str,
        instances: Sequence[Item],
        labels: Sequence[Sequence[str]],
        matrix: QuestionMatrix | None = None,
    ) -> TuningTable:
        """Tune a word by itself: with the leave-one-out discount of its own counts."""
        trying = self
        if self.estimates_discount:
            trying = self.with_estimate([self.cells(lexelt, instances, labels)])
        return trying.tune(lexelt, instances, labels, matrix)

    def tuned(self, table: TuningTable) -> Settings:
        """Return the settings with the best parameters of a table; defaults where it has none."""
        return replace(self, parameters={**self.fixed, **table.best}, grid={})

    def fit(
        self, lexelt: str, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> Expert:
        """Learn the expert of one lexelt, after tuning its own parameters where some are auto.

        Raises
        ------
        InputError
            When no instance has a sense.
        """
        known = [(i, gold) for i, gold in zip(instances, labels, strict=True) if gold]
        if not known:
            raise InputError(
                f"{lexelt} has no instance with a sense", "give it one, or leave it out"
            )
        instances, labels = [i for i, _ in known], [gold for _, gold in known]
        if len(known) < self.min_instances:
            most = Settings("mfs", self.features, multi=self.multi, missing=self.missing)
            return most.fit(lexelt, instances, labels)
        matrix = self.question_matrix(instances, labels)
        settings, table = self, None
        if self.tried:
            table = self.tune_own(lexelt, instances, labels, matrix)
            settings = self.tuned(table)
        fitted = make_learner(settings.learner, **settings.parameters).fit(matrix)
        examples = _examples(fitted, self.rows(labels), instances, labels)
        if isinstance(fitted, DecisionList):
            fitted = replace(fitted, answered=None)
        return Expert(
            lexelt,
            fitted,
            len(instances),
            dict(zip(matrix.senses, matrix.prior_counts().tolist(), strict=True)),
            tuple(sorted({_form(i) for i in instances if isinstance(i, Instance)} - {""})),
            settings.to_record()["parameters"],
            table.to_record() if table else None,
            examples,
        )


def _form(instance: Instance) -> str:
    return " ".join(words_of(instance.target_form))


def _examples(
    fitted: Fitted, rows: Ints, instances: Sequence[Item], labels: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return, for each rule and the default, ids of training instances it answers rightly.

    ``rows`` says which instance each row of the training answers is.
    """
    if not isinstance(fitted, DecisionList) or fitted.answered is None:
        return ()
    senses = [rule.sense for rule in (*fitted.rules, fitted.default)]
    found: list[set[str]] = [set() for _ in senses]
    for row, number in zip(rows.tolist(), fitted.answered.tolist(), strict=True):
        if senses[number] in labels[row]:
            found[number].add(instances[row].id)
    return tuple(tuple(sorted(ids)[:EXAMPLES]) for ids in found)


def with_auto(learner: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters with ``auto`` for a discount and epsilon that were not given."""
    known = learner_parameters(learner)
    auto: dict[str, Any] = {n: AUTO for n in ("discount", "epsilon") if n in known}
    return {**auto, **parameters}
