"""What was learned for one lexelt, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Instance, Item
from wsdlist.errors import ModelError, ParameterError
from wsdlist.features import Asker, are_rows, ask
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners import Fitted, from_record
from wsdlist.learners.base import Size
from wsdlist.learners.fitted.decision_list import DecisionList, Rule
from wsdlist.learners.fitted.lazy_rules import LazyRules
from wsdlist.learners.fitted.linear import Linear
from wsdlist.learners.fitted.rule_set import RuleSet
from wsdlist.learners.fitted.transformations import Transformations


@dataclass(frozen=True)
class Answer:
    """The answer to one instance.

    ``distribution`` maps senses to probabilities, ``rule`` is the number of the rule that
    answered (from 1; None for the default); ``reason`` says why there is no answer, or that it is
    one of back-off, which has no probability.
    """

    sense: str | None
    probability: float | None
    distribution: dict[str, float] = field(default_factory=dict)
    rule: int | None = None
    question: Question | None = None
    reason: str = ""

    @property
    def backed_off(self) -> bool:
        """Whether the answer is that of back-off, see :class:`wsdlist.models.model.Model`."""
        return self.sense is not None and self.probability is None


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
    learned
        Of an expert whose list was edited by hand, the expert as it was learned, see
        :mod:`wsdlist.models.editing`.
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
    learned: Expert | None = None

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
            raise ParameterError(
                f"{self.lexelt} was not learned as a decision list", "choose a learner of lists"
            )
        return self.fitted

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the list, the first to be asked first, without the default."""
        return self.decision_list.rules

    @property
    def size(self) -> Size:
        """Rules and conditions."""
        return self.fitted.size

    def ask(self, items: Sequence[Item]) -> QuestionMatrix:
        """Return the answers of instances of the lexelt to the questions of its learner."""
        if are_rows(items):
            return ask(items, self.fitted.questions)
        return self._asker(cast("Sequence[Instance]", items))

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.fitted.questions)

    def predict_proba(self, instances: Sequence[Item]) -> Floats:
        """Return ``(n, n_senses)`` probabilities of instances of the lexelt."""
        return self.fitted.predict_proba(self.ask(instances))

    def answer(self, instances: Sequence[Item]) -> list[Answer]:
        """Answer instances of the lexelt, in order."""
        asked = self.ask(instances)
        if isinstance(self.fitted, DecisionList):
            return self._answers(self.fitted.first_true(asked))
        made = []
        for row in self.fitted.predict_proba(asked).tolist():
            distribution = dict(zip(self.senses, row, strict=True))
            best = max(distribution, key=lambda sense: distribution[sense])
            made.append(Answer(best, distribution[best], distribution))
        return made

    def _answers(self, numbers: Ints) -> list[Answer]:
        return [self.answer_of(number) for number in numbers.tolist()]

    def answer_of(self, number: int) -> Answer:
        """Return the answer of a rule of the list, counted from 0; the default's is the last."""
        if number not in self._made:
            listed = self.decision_list
            self._made[number] = _answer((*listed.rules, listed.default), number)
        return self._made[number]

    @cached_property
    def _made(self) -> dict[int, Answer]:
        return {}

    def answer_with_rules(self, instance: Item) -> tuple[Answer, list[int]]:
        """Return the answer to an instance, and the numbers of all rules that are true of it.

        The first one answered; the last one is the default's.
        """
        fitted = self.decision_list
        asked = self.ask([instance])
        (answer,) = self._answers(fitted.first_true(asked))
        return answer, fitted.true(asked, 0)

    def evidence(self, instance: Item) -> list[tuple[Question, float]]:
        """Return what speaks most for the answer where no list answers, and what it weighs."""
        if not isinstance(self.fitted, Linear | RuleSet | Transformations):
            return []
        return self.fitted.evidence(self.ask([instance]), 0)

    def story(self, instance: Item) -> list[str]:
        """Return how a rule was grown for an instance, where the learner grows one."""
        if not isinstance(self.fitted, LazyRules):
            return []
        return self.fitted.story(self.ask([instance]), 0)

    def true_of(self, instances: Sequence[Item], number: int) -> tuple[Ints, Ints]:
        """Return the rows of which the question of a rule is true, and who answers each row.

        Of the default, those rows that it answers.
        """
        fitted = self.decision_list
        asked = self.ask(instances)
        first = fitted.first_true(asked)
        if number == len(fitted.questions):
            return np.flatnonzero(first == number), first
        rows = [rows[found == number] for rows, found in asked.asked(fitted.questions).pairs()]
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
            **({} if self.learned is None else {"learned": self.learned._own_record()}),
        }

    def _own_record(self) -> dict[str, Any]:
        """Return what an edited expert has not in common with itself as it was learned."""
        return {"examples": [list(ids) for ids in self.examples], **self.fitted.to_record()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Expert:
        """Make an expert of what :meth:`to_record` gives."""
        try:
            learned = None
            if "learned" in record:
                learned = cls.from_record(
                    {name: record[name] for name in record if name != "learned"} | record["learned"]
                )
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
                learned,
            )
        except (KeyError, TypeError, IndexError) as error:
            raise ModelError(f"an expert cannot be read: {error!r}", "train it anew") from None


class Lists:
    """Decision lists of several lexelts that are asked together, which is quicker by far.

    Parameters
    ----------
    experts
        By lexelt; all of them lists.
    """

    def __init__(self, experts: Mapping[str, Expert]) -> None:
        self.experts = dict(experts)
        self._number = {lexelt: n for n, lexelt in enumerate(self.experts)}
        union: dict[Question, int] = {}
        pairs = [
            (which, union.setdefault(question, len(union)), rank)
            for which, expert in enumerate(self.experts.values())
            for rank, question in enumerate(expert.fitted.questions)
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 3)
        self._width = max(len(union), 1)
        keys = table[:, 0] * self._width + table[:, 1]  # a question of a list
        order = np.argsort(keys, kind="stable")
        self._keys, self._ranks = keys[order], table[order, 2]
        self._sizes = np.array([expert.size.rules for expert in self.experts.values()])
        self._asker = Asker(list(union))

    def answer(self, instances: Sequence[Instance]) -> list[Answer]:
        """Answer instances of these lexelts, in order."""
        which = np.array([self._number[i.lexelt] for i in instances], dtype=np.int64)
        first = self._sizes[which]
        if len(self._keys):
            for rows, questions in self._asker(instances).pairs():
                keys = which[rows] * self._width + questions
                at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
                own = self._keys[at] == keys
                np.minimum.at(first, rows[own], self._ranks[at[own]])
        return [
            self.experts[instance.lexelt].answer_of(rule)
            for instance, rule in zip(instances, first.tolist(), strict=True)
        ]


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
