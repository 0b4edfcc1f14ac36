"""What was learned for one lexelt, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Instance, Item
from wsdlist.data.records import Count, RecordError, fields_from_record
from wsdlist.data.records import from_record as record_from
from wsdlist.errors import ModelError, ParameterError
from wsdlist.features import Ask, asker
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners import from_record
from wsdlist.learners.fitted.base import Answer, Evidence, Fitted, Size
from wsdlist.learners.fitted.ordered import OrderedRules
from wsdlist.learners.fitted.rules import Rule


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
        The weight of the training instances by sense.
    forms
        The target forms of the training instances: their words in normal form, joined by spaces.
    parameters
        The parameters of the learner that were used.
    tuning
        The table of trials by which they were chosen, if the word was tuned by itself.
    examples
        The ids of a few training instances that each rule of a list, and the default, answers
        rightly.
    over
        The lexelts, if it is a list over several.
    labels
        The lexelt and the sense that each label of a list over several lexelts means.
    learned
        The expert as it was learned, if its list was edited by hand, see
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
    def decision_list(self) -> OrderedRules:
        """The list.

        Raises
        ------
        ParameterError
            When the learner makes no list.
        """
        if not isinstance(self.fitted, OrderedRules):
            raise ParameterError(
                f"{self.lexelt} was not learned as a decision list", "choose a learner of lists"
            )
        return self.fitted

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the list, the first to be asked first, without the default.

        Raises
        ------
        ParameterError
            When the learner makes no list.
        """
        return self.decision_list.rules

    @property
    def size(self) -> Size:
        """The number of rules, and of conditions in them."""
        return self.fitted.size

    def ask(self, items: Sequence[Item]) -> QuestionMatrix:
        """Return the answers of instances of the lexelt to the questions of its learner."""
        return self._asker(items)

    @cached_property
    def _asker(self) -> Ask:
        return self.fitted.asker()

    def predict_proba(self, instances: Sequence[Item]) -> Floats:
        """Return ``(n, n_senses)`` probabilities of instances of the lexelt."""
        return self.fitted.predict_proba(self.ask(instances))

    def answer(self, instances: Sequence[Item]) -> list[Answer]:
        """Answer instances of the lexelt, in order."""
        return self.fitted.answer(self.ask(instances))

    def answer_with_evidence(self, instance: Item) -> tuple[Answer, Evidence]:
        """Return the answer to an instance, and what spoke for it."""
        matrix = self.ask([instance])
        (answer,) = self.fitted.answer(matrix)
        return answer, self.fitted.evidence(matrix, 0)

    def true_of(self, instances: Sequence[Item], place: int) -> tuple[Ints, Ints]:
        """Return the rows of which a rule is true, and the rule that answers each row.

        Parameters
        ----------
        instances
            n instances of the lexelt.
        place
            The place of the rule, counted from 0; ``n_rules`` is the default.

        Returns
        -------
        tuple
            Row numbers, ascending (for the default, those that it answers), and ``(n,)`` places.

        Raises
        ------
        ParameterError
            When the learner makes no list.
        """
        listed = self.decision_list
        matrix = self.ask(instances)
        first = listed.first_true(matrix)
        if place == listed.n_rules:
            return np.flatnonzero(first == place), first
        pairs = matrix.asked(listed.questions).pairs()
        return np.sort(
            np.concatenate([rows[questions == place] for rows, questions in pairs])
        ), first

    def most_frequent(self, n: int) -> Floats:
        """Return ``(n, n_senses)``: in each row, the shares of the senses in training."""
        counts = np.array([self.prior[sense] for sense in self.senses])
        shares: Floats = np.tile(counts / counts.sum(), (n, 1))
        return shares

    def __repr__(self) -> str:
        return f"<Expert of {self.lexelt}: {len(self.senses)} senses, {self.size.rules} rules>"

    def _repr_html_(self) -> str:
        return self.fitted._repr_html_()

    def to_record(self) -> dict[str, Any]:
        """Return the expert as JSON data: what was fitted, beside what is known of every expert.

        Raises
        ------
        ValueError
            When both have a value of the same name, as a new class of what is fitted may.
        """
        fitted = self.fitted.to_record()
        about = {
            "lexelt": self.lexelt,
            "instances": self.instances,
            "prior": self.prior,
            "forms": list(self.forms),
            "parameters": self.parameters,
            "tuning": self.tuning,
            "examples": [list(ids) for ids in self.examples],
            **({"over": list(self.over), "labels": self.labels} if self.over else {}),
        }
        taken = fitted.keys() & {*about, "over", "labels", "learned"}
        if taken:
            raise ValueError(f"{type(self.fitted).__name__}.to_record: {min(taken)!r} is taken")
        learned = {} if self.learned is None else {"learned": self.learned._own_record()}
        return {**about, **fitted, **learned}

    def _own_record(self) -> dict[str, Any]:
        """Return what differs between an edited expert and the same as it was learned."""
        return {"examples": [list(ids) for ids in self.examples], **self.fitted.to_record()}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Expert:
        """Make an expert of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        learned = None
        try:
            about = fields_from_record(_About, record)
            if "learned" in record:
                own = record_from(dict[str, Any], record["learned"])
                shared = {name: value for name, value in record.items() if name != "learned"}
                learned = cls.from_record(shared | own)
            fitted = from_record(record)
            _check_about(about, fitted)
        except RecordError as error:
            raise ModelError(f"an expert cannot be read: {error}", "train it anew") from None
        return cls(fitted=fitted, learned=learned, **vars(about))


@dataclass(frozen=True)
class _About:
    """The fields of an expert, except what was fitted."""

    lexelt: str
    instances: int
    prior: dict[str, Count]
    forms: tuple[str, ...]
    parameters: dict[str, Any]
    tuning: dict[str, Any] | None
    examples: tuple[tuple[str, ...], ...]
    over: tuple[str, ...] = ()
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)


def _check_about(about: _About, fitted: Fitted) -> None:
    """Refuse fields that are not of the senses and rules of what was fitted.

    Raises
    ------
    RecordError
        When one is not.
    """
    senses = set(fitted.senses)
    if set(about.prior) != senses or not sum(about.prior.values()) > 0:
        raise RecordError("has other senses, or no instance", "prior")
    if about.examples and len(about.examples) != fitted.n_rules + 1:
        raise RecordError(f"are of {len(about.examples)} rules", "examples")
    if about.over and set(about.labels) != senses:
        raise RecordError("have other senses", "labels")


class Lists:
    """Ordered lists of several lexelts that are asked together, which is much quicker.

    Parameters
    ----------
    experts
        The experts by lexelt; each ``is_ordered``, see
        :class:`wsdlist.learners.fitted.base.Fitted`.
    """

    def __init__(self, experts: Mapping[str, Expert]) -> None:
        self.experts = dict(experts)
        self._lists = [expert.decision_list for expert in self.experts.values()]
        self._number = {lexelt: n for n, lexelt in enumerate(self.experts)}
        union: dict[Question, int] = {}
        triples = [
            (number, union.setdefault(question, len(union)), place)
            for number, listed in enumerate(self._lists)
            for place, question in enumerate(listed.questions)
        ]
        table = np.array(triples, dtype=np.int64).reshape(-1, 3)
        self._width = max(len(union), 1)
        keys = table[:, 0] * self._width + table[:, 1]  # a question of a list
        order = np.argsort(keys, kind="stable")
        self._keys, self._places = keys[order], table[order, 2]
        self._sizes = np.array([listed.n_rules for listed in self._lists])
        self._ask = asker(list(union))

    def answer(self, instances: Sequence[Instance]) -> list[Answer]:
        """Answer instances of these lexelts, in order."""
        lists = np.array([self._number[i.lexelt] for i in instances], dtype=np.int64)
        first = self._sizes[lists]
        if len(self._keys):
            for rows, questions in self._ask(instances).pairs():
                keys = lists[rows] * self._width + questions
                at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
                own = self._keys[at] == keys
                np.minimum.at(first, rows[own], self._places[at[own]])
        return [
            self._lists[number].answer_of(place)
            for number, place in zip(lists.tolist(), first.tolist(), strict=True)
        ]
