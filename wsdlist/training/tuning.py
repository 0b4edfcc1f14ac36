"""Held-out choice of a learner's parameters, above all of the discount d and the threshold epsilon.

Training data are dealt into parts by content, so that the order of lines does not matter. For the
incremental prepend one greedy run for each discount serves every epsilon: the held-out bits are
kept up to date as each rule is put in front, and looked at where the first gain falls below.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from wsdlist.data.arrays import Floats, Ints, sums
from wsdlist.data.folds import keep_every_sense
from wsdlist.errors import ParameterError
from wsdlist.features.extract import label
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import learner, parameters
from wsdlist.learners.fitted.decision_list import REESTIMATE, estimated_again
from wsdlist.learners.prepend import path
from wsdlist.learners.smoothing import cost, discounted, unigram
from wsdlist.training.measures import macro_f1

AUTO = "auto"
DISCOUNTS = (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
EPSILONS = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0)
CUT_OFFS = (0, 1, 2, 3, 5, 10)  # Webb's (1994)
CRITERIA = ("bits", "accuracy", "macro-f1")
FOLDS = 5
ONE_PART_FROM = 1000  # so many instances make one held-out part enough
HELD_OUT = 10  # which is then a tenth
Grid: TypeAlias = Mapping[str, Sequence[Any]]


def as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON data: infinities as strings, which JSON does not have."""
    made = {}
    for name, value in parameters.items():
        plain = value.item() if isinstance(value, np.generic) else value
        odd = isinstance(plain, float) and not np.isfinite(plain)
        made[name] = str(plain) if odd else plain
    return made


def as_number(value: float) -> float | None:
    """Return a number as JSON data: None where it is not finite."""
    return value if np.isfinite(value) else None


@dataclass(frozen=True)
class Trial:
    """What parameters reached on held-out instances.

    Parameters
    ----------
    parameters
        Those that were tried.
    bits
        Total code length of the held-out gold senses.
    right
        How many held-out instances were answered rightly.
    macro_f1
        Sum over words of the mean F1 over senses.
    rules
        Sum over words of the mean number of rules.
    instances, words
        How many instances were held out (once each), of how many words.
    """

    parameters: Mapping[str, Any]
    bits: float = 0.0
    right: int = 0
    macro_f1: float = 0.0
    rules: float = 0.0
    instances: int = 0
    words: int = 0

    def to_record(self) -> dict[str, Any]:
        """Return the trial as JSON data, means instead of sums."""
        return {
            "parameters": as_json(self.parameters),
            "bits": as_number(self.bits / self.instances),
            "accuracy": self.right / self.instances,
            "macro_f1": self.macro_f1 / self.words,
            "rules": self.rules / self.words,
            "instances": self.instances,
        }


@dataclass(frozen=True)
class TuningTable:
    """All trials, which one is best, and what was said on the way."""

    trials: tuple[Trial, ...] = ()
    notes: tuple[str, ...] = ()
    criterion: str = "bits"

    @property
    def best(self) -> Mapping[str, Any]:
        """The parameters to use; nothing where there was nothing to choose from.

        Of equally good ones those with the larger epsilon are taken, then the first.
        """
        if not self.trials:
            return {}
        return min(self.trials, key=self._order).parameters

    def _order(self, trial: Trial) -> tuple[float, float]:
        worse = {
            "bits": trial.bits,
            "accuracy": -trial.right,
            "macro-f1": -trial.macro_f1,
        }[self.criterion]
        return worse, -float(trial.parameters.get("epsilon", 0.0))

    def to_record(self) -> dict[str, Any]:
        """Return the table as JSON data."""
        return {
            "best": as_json(self.best),
            "criterion": self.criterion,
            "notes": list(self.notes),
            "trials": [trial.to_record() for trial in self.trials],
        }


def pooled(tables: Iterable[TuningTable]) -> TuningTable:
    """Return the table of several words together: the sums of equal trials."""
    sums: dict[str, Trial] = {}
    tables = list(tables)
    for table in tables:
        for trial in table.trials:
            name = repr(sorted(trial.parameters.items(), key=str))
            sums[name] = _add(sums.get(name, Trial(trial.parameters)), trial)
    words = max((trial.words for trial in sums.values()), default=0)
    everywhere = tuple(trial for trial in sums.values() if trial.words == words)
    notes = tuple(note for table in tables for note in table.notes)
    return TuningTable(everywhere, notes, tables[0].criterion if tables else "bits")


def _add(one: Trial, other: Trial) -> Trial:
    return Trial(
        one.parameters,
        one.bits + other.bits,
        one.right + other.right,
        one.macro_f1 + other.macro_f1,
        one.rules + other.rules,
        one.instances + other.instances,
        one.words + other.words,
    )


def grid_of(name: str, given: Mapping[str, Any], more: Grid | None = None) -> dict[str, Any]:
    """Return the values to try of each parameter: those set to ``auto``, and those of ``more``.

    Raises
    ------
    ParameterError
        For a parameter that the learner does not have, or for which there is no standard grid.
    """
    standard = {
        "discount": DISCOUNTS,
        "epsilon": EPSILONS,
        "reestimate": REESTIMATE,
        "cut_off": CUT_OFFS,
    }
    made: dict[str, Any] = {}
    for parameter, value in given.items():
        if value == AUTO:
            if parameter not in standard:
                raise ParameterError(f"{parameter} cannot be auto", f"say --grid {parameter}=a,b,c")
            made[parameter] = standard[parameter]
    for parameter, values in (more or {}).items():
        if not len(values):
            raise ParameterError(f"the grid of {parameter} is empty", "name values to try")
        made[parameter] = list(dict.fromkeys(values))
    known = parameters(name)
    for parameter in made:
        if parameter not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ParameterError(f"the learner {name} has no parameter {parameter!r}", has)
    return made


def cells(counts: Floats) -> tuple[int, int]:
    """Return how many cells C(q, y) have count 1, and count 2."""
    return int((counts == 1).sum()), int((counts == 2).sum())


def leave_one_out_discount(n1: int, n2: int) -> float:
    """Return d = n1 / (n1 + 2 n2), clipped to [.1, .95]: the leave-one-out estimate.

    Parameters
    ----------
    n1, n2
        How many cells C(q, y) have count 1 and 2, over all questions before any minimum count, all
        weights being whole (Ney, Essen & Kneser 1994).

    >>> leave_one_out_discount(6, 2)
    0.6
    """
    return float(np.clip(round(n1 / (n1 + 2 * n2), 4), 0.1, 0.95)) if n1 + n2 else 0.1


def tune(
    lexelt: str,
    labels: Sequence[Sequence[str]],
    parts: Callable[[int], Ints],
    matrix: QuestionMatrix,
    name: str,
    fixed: Mapping[str, Any],
    grid: Grid,
    *,
    multi: str = "split",
    min_count: int = 2,
    criterion: str = "bits",
) -> TuningTable:
    """Try all parameters of a grid on held-out parts of the training data of one word.

    Parameters
    ----------
    lexelt
        For messages.
    labels
        The senses of each training instance.
    parts
        Deals the instances into so many parts, see :func:`deal`.
    matrix
        Their answers, as :func:`wsdlist.features.extract` gives them.
    name, fixed
        The learner, and its parameters that are not tuned.
    grid
        The values to try of each parameter that is.
    multi, min_count
        As the answers were made.
    criterion
        ``bits``, ``accuracy`` or ``macro-f1``.

    Returns
    -------
    Table
        Without trials where there is nothing to choose from; its notes say why.
    """
    if criterion not in CRITERIA:
        raise ParameterError(f"tune_for is {criterion!r}", f"say one of {', '.join(CRITERIA)}")
    if multi == "first":
        labels = [gold[:1] for gold in labels]
    wanted = 1 if len(labels) >= ONE_PART_FROM else FOLDS
    dealt = keep_every_sense(parts(HELD_OUT if wanted == 1 else wanted), labels)
    held_out = [part for part in range(wanted) if (dealt == part).any()]
    notes = []
    if len(matrix.senses) < 2:
        return TuningTable((), (f"{lexelt}: one sense, nothing to choose",), criterion)
    if not held_out or not (dealt != held_out[0]).any():
        why = "too few contexts to hold any out, nothing to choose"
        return TuningTable((), (f"{lexelt}: {why}",), criterion)
    if len(held_out) < wanted:
        notes.append(f"{lexelt}: {len(held_out)} held-out parts instead of {wanted}")
    rows = label(labels, multi)
    tried: dict[str, list[Trial]] = {}
    for part in held_out:
        split = _Split(matrix, rows.instance, labels, dealt, part, min_count)
        for trial in split.trials(name, fixed, grid):
            tried.setdefault(repr(trial.parameters), []).append(trial)
    n_parts = len(held_out)
    trials = tuple(
        Trial(
            of_parts[0].parameters,
            sum(t.bits for t in of_parts),
            sum(t.right for t in of_parts),
            sum(t.macro_f1 for t in of_parts) / n_parts,
            sum(t.rules for t in of_parts) / n_parts,
            sum(t.instances for t in of_parts),
            1,
        )
        for of_parts in tried.values()
    )
    return TuningTable(trials, tuple(notes), criterion)


class _Split:
    """One held-out part: what is learned from the rest, and how the part fares under it."""

    def __init__(
        self,
        matrix: QuestionMatrix,
        instance: Ints,
        labels: Sequence[Sequence[str]],
        dealt: Ints,
        part: int,
        min_count: int,
    ) -> None:
        of_row = dealt[instance]
        rest = matrix.take(np.flatnonzero(of_row != part))
        first = np.unique(instance, return_index=True)[1]  # a row of each instance
        counted = matrix.take(first[dealt != part]).by_row
        often = np.bincount(counted.indices, minlength=matrix.n_questions) >= min_count
        self.train = rest.select(np.flatnonzero(often))
        held = np.flatnonzero(dealt == part)
        self.held = matrix.take(first[held]).select(np.flatnonzero(often))
        self.labels = [labels[row] for row in held.tolist()]
        number = {sense: n for n, sense in enumerate(matrix.senses)}
        self.member: npt.NDArray[np.bool_] = np.zeros((len(held), len(number)), dtype=bool)
        for row, gold in enumerate(self.labels):  # of multi="first" only the first is learned
            self.member[row, [number[sense] for sense in gold if sense in number]] = True

    def trials(self, name: str, fixed: Mapping[str, Any], grid: Grid) -> list[Trial]:
        on_path = {"discount", "epsilon", "reestimate"}
        if name == "prepend" and fixed.get("max_rules") is None and set(grid) <= on_path:
            return self._prepend(fixed, grid)
        return self._any(name, fixed, grid)

    def _any(self, name: str, fixed: Mapping[str, Any], grid: Grid) -> list[Trial]:
        made = []
        for values in product(*grid.values()):
            tried = dict(zip(grid, values, strict=True))
            fitted = learner(name, **{**fixed, **tried}).fit(self.train)
            probabilities = fitted.predict_proba(self.held)
            made.append(self._trial(tried, probabilities, fitted.n_rules))
        return made

    def _prepend(self, fixed: Mapping[str, Any], grid: Grid) -> list[Trial]:
        """Follow the epsilon path of each discount, the held-out part at its side."""
        values = {**parameters("prepend"), **fixed}
        discounts, epsilons, reestimates = (
            grid.get(name, [values[name]]) for name in ("discount", "epsilon", "reestimate")
        )
        counts = self.train.counts()
        order = self.train.tie_order(counts)
        ordered, counts = self.train.select(order), counts[order]
        held, rows = self.held.select(order).by_question, ordered.by_question
        prior = unigram(ordered.prior_counts())
        made = []
        for discount in discounts:
            of_question = np.vstack([discounted(counts, prior, discount), prior])
            default = len(counts)
            answering = np.full(held.shape[0], default)  # the question that answers each row
            trained = np.full(rows.shape[0], default)
            followed = [(held, answering)]
            if any(reestimate != "none" for reestimate in reestimates):
                followed.append((rows, trained))
            left = sorted(epsilons, reverse=True)
            reached: dict[float, list[Trial]] = {}
            chosen: set[int] = set()

            by_reestimate = functools.partial(self._at, grid, reestimates, of_question)
            for step in path(ordered, counts, discount, min(epsilons)):
                while left and step.gain < left[0]:
                    epsilon = left.pop(0)
                    tried = {"discount": discount, "epsilon": epsilon}
                    reached[epsilon] = by_reestimate(tried, answering, trained, len(chosen))
                chosen.add(step.question)
                for columns, row in followed:
                    start, end = columns.indptr[step.question : step.question + 2]
                    row[columns.indices[start:end]] = step.question
            for epsilon in left:
                tried = {"discount": discount, "epsilon": epsilon}
                reached[epsilon] = by_reestimate(tried, answering, trained, len(chosen))
            made += [trial for epsilon in epsilons for trial in reached[epsilon]]
        return made

    def _at(
        self,
        grid: Grid,
        reestimates: Sequence[str],
        of_question: Floats,
        tried: Mapping[str, Any],
        answering: Ints,
        trained: Ints,
        rules: int,
    ) -> list[Trial]:
        """Return the trials of a list: ``answering`` and ``trained`` say which question answers."""
        made = []
        for reestimate in reestimates:
            P = of_question
            if reestimate != "none":
                P = self._again(of_question, trained, reestimate)
            values = {**tried, "reestimate": reestimate}
            made.append(self._trial({name: values[name] for name in grid}, P[answering], rules))
        return made

    def _again(self, of_question: Floats, trained: Ints, reestimate: str) -> Floats:
        """Return the probabilities of questions estimated again from the rows they answer."""
        cells = trained * of_question.shape[1] + self.train.outcome
        residue = sums(cells, self.train.weight, of_question.size).reshape(of_question.shape)
        again = estimated_again(of_question, residue)
        if reestimate == "default":
            again[:-1] = of_question[:-1]
        return again

    def _trial(self, tried: Mapping[str, Any], P: Floats, rules: float) -> Trial:
        costs = np.where(self.member, cost(P), 0.0)
        senses = [self.train.senses[best] for best in P.argmax(axis=1)]
        return Trial(
            tried,
            float((costs.sum(axis=1) / self.member.sum(axis=1)).sum()),
            int(self.member[np.arange(len(P)), P.argmax(axis=1)].sum()),
            macro_f1(self.labels, senses),
            rules,
            len(P),
            1,
        )
