"""Edits by hand, made again on a list that was learned anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wsdlist.data.corpus import Item
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.rules import Rule
from wsdlist.models.editing import EditedRule, by_question, changes, edited, recounted
from wsdlist.models.expert import Expert


def reapplied(
    old: Expert, fresh: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str
) -> tuple[Expert, list[str]]:
    """Edit a list that was learned anew as an older one was edited.

    A rule that was added or moved is put before the next of the rules that followed it and are
    still there.

    Parameters
    ----------
    old
        The expert with an edited list.
    fresh
        The expert that was learned anew.
    items, labels, multi
        The instances and gold senses that it was learned from, and what becomes of several gold
        senses. The numbers of the edited list are counted from them.

    Returns
    -------
    tuple
        The expert, and a line for each edit that no longer applies.

    Raises
    ------
    ParameterError
        When one of the learners makes no list.
    """
    again = _Again(old, fresh)
    rules, default = again.rules(), again.default()
    expert = edited(fresh, rules, default)
    if expert.learned is None:
        return expert, again.lost
    expert, _ = recounted(expert, items, labels, multi)
    kept = again.without_outvoted(expert, rules)
    if kept != rules:
        expert = edited(fresh, kept, default)
        if expert.learned is None:
            return expert, again.lost
        expert, _ = recounted(expert, items, labels, multi)
    now = expert.decision_list.default.sense
    if default.set_by_hand is not None and now != default.sense:
        again.lose(f"{now} is now more probable than {default.sense} by default")
    return expert, again.lost


@dataclass
class _Again:
    """The edits of ``old``, made on the list of ``fresh``; ``lost`` has those that do not apply."""

    old: Expert
    fresh: Expert
    lost: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.changes = changes(self.old)
        self.by_hand = set(self.changes.added)  # questions of rules that a person wants

    @cached_property
    def before(self) -> dict[Question | None, Rule]:
        """The rules of the older list; None is the default."""
        return by_question(self.old.decision_list)

    @cached_property
    def learned(self) -> dict[Question | None, Rule]:
        """The rules of the new list as they were learned; None is the default."""
        return by_question(self.fresh.decision_list)

    def lose(self, line: str) -> None:
        self.lost.append(f"{self.fresh.lexelt}: {line}")

    def rules(self) -> list[EditedRule]:
        """Return the rules of the new list with what was deleted, added, moved and set by hand."""
        questions = self._placed(self._without_deleted(), self._to_place())
        probabilities = self._set_by_hand(questions)
        self.by_hand |= set(probabilities)
        rules = []
        for question in questions:
            if question in probabilities:
                sense = self.before[question].sense
                rules.append(EditedRule(question, sense, probabilities[question]))
            else:
                rule = self.learned.get(question) or self.before[question]
                rules.append(EditedRule(question, rule.sense))
        return rules

    def _without_deleted(self) -> list[Question]:
        questions = [rule.question for rule in self.fresh.rules]
        for question in self.changes.deleted:
            if question in self.learned:
                questions.remove(question)
            else:
                self.lose(f"nothing to delete, the list no longer has {question}")
        return questions

    def _to_place(self) -> set[Question]:
        """Return the questions of the rules that are added or moved."""
        to_place = set()
        moved = set(self.changes.moved)
        for question in (*self.changes.added, *self.changes.moved):
            sense = self.before[question].sense
            if question in moved and question not in self.learned:
                self.lose(f"nothing to move, the list no longer has {question}")
            elif sense not in self.fresh.senses:
                self.lose(f"there is no sense {sense} any more for {question}")
            else:
                to_place.add(question)
        return to_place

    def _placed(self, questions: list[Question], to_place: set[Question]) -> list[Question]:
        """Return questions in order: those to place stand before what followed them."""
        placed = [question for question in questions if question not in to_place]
        order = [rule.question for rule in self.old.rules]
        for place in range(len(order) - 1, -1, -1):
            if order[place] in to_place:
                after = next((q for q in order[place + 1 :] if q in placed), None)
                placed.insert(len(placed) if after is None else placed.index(after), order[place])
        return placed

    def _set_by_hand(self, questions: list[Question]) -> dict[Question, float]:
        """Return the probabilities that a person set, by question."""
        listed = {*self.learned, *questions}
        probabilities = {}
        for question in self.changes.set_by_hand:
            rule = self.before[question]
            if question not in listed:
                self.lose(f"nothing to state, the list no longer has {question}")
            elif rule.sense not in self.fresh.senses:
                self.lose(f"there is no sense {rule.sense} any more to state for {question}")
            else:
                probabilities[question] = rule.probability
        return probabilities

    def default(self) -> EditedRule:
        """Return the default of the new list, or what a person set."""
        rule = self.before[None]
        if self.changes.default_set_by_hand:
            if rule.sense in self.fresh.senses:
                return EditedRule(Question(), rule.sense, rule.probability)
            self.lose(f"there is no sense {rule.sense} any more by default")
        return EditedRule(Question(), self.learned[None].sense)

    def without_outvoted(self, counted: Expert, rules: list[EditedRule]) -> list[EditedRule]:
        """Return rules without those by hand for which another sense is more probable by now.

        A rule that was learned as well stays as it was learned.
        """
        kept = []
        for rule, wanted in zip(counted.rules, rules, strict=True):
            question = wanted.question
            if question not in self.by_hand or rule.sense == wanted.sense:
                kept.append(wanted)
                continue
            self.lose(f"{rule.sense} is now more probable than {wanted.sense} by {question}")
            if question in self.learned:
                kept.append(EditedRule(question, self.learned[question].sense))
        return kept
