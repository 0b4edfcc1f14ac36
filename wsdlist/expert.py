"""What was learned for one lexelt, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wsdlist.answers import Floats, Ints
from wsdlist.corpus import Item
from wsdlist.errors import ModelError, ParameterError
from wsdlist.features import ask
from wsdlist.features.questions import Question
from wsdlist.learners import Fitted, from_record
from wsdlist.learners.base import Size
from wsdlist.learners.decision_list import DecisionList, Rule
from wsdlist.learners.lazy import LazyRules
from wsdlist.learners.linear import Linear
from wsdlist.learners.rule_set import RuleSet
from wsdlist.learners.tbl import Transformations


@dataclass(frozen=True)
class Answer:
    """The answer to one instance.

    ``distribution`` maps senses to probabilities, ``rule`` is the number of the rule that
    answered (from 1; None for the default); ``reason`` says why there is no answer.
    """

    sense: str | None
    probability: float | None
    distribution: dict[str, float] = field(default_factory=dict)
    rule: int | None = None
    question: Question | None = None
    reason: str = ""


@dataclass(frozen=True, repr=False)
class Expert:
    """What was learned for one lexelt.

    Parameters
    ----------
    lexelt
        The word, or the name of the table.
    fitted
        What the learner made.
    instances
        The number of training instances.
    prior
        The weight of training instances by sense.
    forms
        The target forms that training showed: their words in normal form, a space between.
    parameters
        The learner's, as they were used.
    tuning
        The table they were chosen from, where the word chose its own.
    examples
        For each rule of a list, and the default, the ids of a few training instances that it
        answers rightly.
    over
        Of a list over several lexelts, these.
    labels
        Of such a list, the lexelt and the sense behind each of its labels.
    """

    lexelt: str
    fitted: Fitted
    instances: int
    prior: dict[str, float] = field(default_factory=dict)
    forms: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    tuning: dict[str, Any] | None = None
    examples: tuple[tuple[str, ...], ...] = ()
    over: tuple[str, ...] = ()
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def senses(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of :meth:`predict_proba`."""
        return self.fitted.senses

    @property
    def decision_list(self) -> DecisionList:
        """The list.

        Raises
        ------
        ParameterError
            When the learner makes no list.
        """
        if not isinstance(self.fitted, DecisionList):
            raise ParameterError(f"{self.lexelt} was not learned as a list", "it has no rules")
        return self.fitted

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the list, the first to be asked first, without the default."""
        return self.decision_list.rules

    @property
    def size(self) -> Size:
        """Rules and conditions."""
        return self.fitted.size

    def predict_proba(self, instances: Sequence[Item]) -> Floats:
        """Return ``(n, n_senses)`` probabilities of instances of the lexelt."""
        return self.fitted.predict_proba(ask(instances, self.fitted.questions))

    def answer(self, instances: Sequence[Item]) -> list[Answer]:
        """Answer instances of the lexelt, in order."""
        asked = ask(instances, self.fitted.questions)
        if isinstance(self.fitted, DecisionList):
            return self._answers(self.fitted.first_true(asked))
        made = []
        for row in self.fitted.predict_proba(asked).tolist():
            distribution = dict(zip(self.senses, row, strict=True))
            best = max(distribution, key=lambda sense: distribution[sense])
            made.append(Answer(best, distribution[best], distribution))
        return made

    def _answers(self, numbers: Ints) -> list[Answer]:
        listed = self.decision_list
        rules = (*listed.rules, listed.default)
        made = {number: _answer(rules, number) for number in np.unique(numbers).tolist()}
        return [made[number] for number in numbers.tolist()]

    def answer_with_rules(self, instance: Item) -> tuple[Answer, list[int]]:
        """Return the answer to an instance, and the numbers of all rules that are true of it.

        The first one answered; the last one is the default's.
        """
        fitted = self.decision_list
        asked = ask([instance], fitted.questions)
        (answer,) = self._answers(fitted.first_true(asked))
        return answer, fitted.true(asked, 0)

    def evidence(self, instance: Item) -> list[tuple[Question, float]]:
        """Return what speaks most for the answer where no list answers, and what it weighs."""
        if not isinstance(self.fitted, Linear | RuleSet | Transformations):
            return []
        return self.fitted.evidence(ask([instance], self.fitted.questions), 0)

    def story(self, instance: Item) -> list[str]:
        """Return how a rule was grown for an instance, where the learner grows one."""
        if not isinstance(self.fitted, LazyRules):
            return []
        return self.fitted.story(ask([instance], self.fitted.questions), 0)

    def true_of(self, instances: Sequence[Item], number: int) -> tuple[Ints, Ints]:
        """Return the rows of which the question of a rule is true, and who answers each row.

        Of the default, those rows that it answers.
        """
        fitted = self.decision_list
        asked = ask(instances, fitted.questions)
        first = fitted.first_true(asked)
        if number == len(fitted.questions):
            return np.flatnonzero(first == number), first
        rows = [rows[found == number] for rows, found in asked.of(fitted.questions).pairs()]
        return np.sort(np.concatenate(rows)), first

    def most_frequent(self, n: int) -> Floats:
        """Return ``(n, n_senses)``: the shares of the senses in training, n times."""
        counts = np.array([self.prior[sense] for sense in self.senses])
        made: Floats = np.tile(counts / counts.sum(), (n, 1))
        return made

    def __repr__(self) -> str:
        return f"<Expert of {self.lexelt}: {len(self.senses)} senses, {self.size.rules} rules>"

    def _repr_html_(self) -> str:
        shown: str = getattr(self.fitted, "_repr_html_", lambda: "")()
        return shown

    def to_record(self) -> dict[str, Any]:
        """Return the expert as JSON data."""
        return {
            "lexelt": self.lexelt,
            "instances": self.instances,
            "prior": self.prior,
            "forms": list(self.forms),
            "parameters": self.parameters,
            "tuning": self.tuning,
            "examples": [list(ids) for ids in self.examples],
            **({"over": list(self.over), "labels": self.labels} if self.over else {}),
            **self.fitted.to_record(),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Expert:
        """Make an expert of what :meth:`to_record` gives."""
        try:
            return cls(
                record["lexelt"],
                from_record(record),
                record["instances"],
                record["prior"],
                tuple(record["forms"]),
                record["parameters"],
                record["tuning"],
                tuple(map(tuple, record["examples"])),
                tuple(record.get("over", ())),
                {label: (pair[0], pair[1]) for label, pair in record.get("labels", {}).items()},
            )
        except (KeyError, TypeError, IndexError) as error:
            raise ModelError(f"an expert cannot be read: {error!r}", "train it anew") from None


def _answer(rules: Sequence[Rule], number: int) -> Answer:
    rule, last = rules[number], number == len(rules) - 1
    return Answer(
        rule.sense,
        rule.probability,
        rule.probabilities,
        None if last else number + 1,
        rule.question,
        "the default answered" if last else "",
    )
