"""Trials: what parameters reach on held-out instances, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wsdlist.models.recipe import as_json


def as_number(value: float) -> float | None:
    """Return a number as JSON data: None if it is not finite."""
    return value if np.isfinite(value) else None


@dataclass(frozen=True)
class Trial:
    """What parameters reached on held-out instances.

    Parameters
    ----------
    parameters
        The parameters that were tried.
    bits
        The code length of the held-out gold senses, in bits: the sum over instances.
    right
        How many held-out instances were answered rightly.
    macro_f1
        The mean F1 over senses: the sum over words.
    rules
        The mean number of rules over folds: the sum over words.
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
        """Return the trial as JSON data, with means instead of sums."""
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
    """The trials of a word, or of several together.

    Parameters
    ----------
    trials
        The trials, each of other parameters.
    notes
        Lines on what could not be tried.
    criterion
        The measure of the best trial: ``bits``, ``accuracy`` or ``macro-f1``.
    """

    trials: tuple[Trial, ...] = ()
    notes: tuple[str, ...] = ()
    criterion: str = "bits"

    @property
    def best(self) -> Mapping[str, Any]:
        """The parameters of the best trial; none if there is no trial.

        Among equally good trials that with the largest epsilon is taken, then the first.
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
    """Return the table of several words together, with the sums of trials of equal parameters."""
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


def _add(trial: Trial, other: Trial) -> Trial:
    return Trial(
        trial.parameters,
        trial.bits + other.bits,
        trial.right + other.right,
        trial.macro_f1 + other.macro_f1,
        trial.rules + other.rules,
        trial.instances + other.instances,
        trial.words + other.words,
    )
