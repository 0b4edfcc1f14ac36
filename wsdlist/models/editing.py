"""Lists edited by hand, beside the lists that were learned.

The numbers of a rule are the learner's, or counted anew in a corpus, or unknown. A person sets no
number but a probability, which is then marked as set by hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.labels import label
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.ordered import OrderedRules
from wsdlist.learners.fitted.rules import Rule
from wsdlist.learners.smoothing import cost
from wsdlist.models.expert import Expert


@dataclass(frozen=True)
class EditedRule:
    """A rule as it stands in a file.

    Parameters
    ----------
    question, sense
        What it asks and answers.
    set_by_hand
        The probability of its sense that a person set; None if it is learned or counted.
    as_learned
        Whether its numbers in the file are those that were learned, if the list has others by now.
    place
        ``FILE:LINE``; empty if it is from no file.
    """

    question: Question
    sense: str
    set_by_hand: float | None = None
    as_learned: bool = False
    place: str = field(default="", compare=False)


def by_question(fitted: OrderedRules) -> dict[Question | None, Rule]:
    """Return the rules of a list by their questions; None is the default."""
    return {**{rule.question: rule for rule in fitted.rules}, None: fitted.default}


def spread(fitted: OrderedRules, sense: str, probability: float) -> Floats:
    """Return ``(n_senses,)`` probabilities, if that of a sense is set by hand.

    The other senses share the rest as by default.
    """
    row: Floats = fitted.counts[-1].copy()
    number = fitted.senses.index(sense)
    row[number] = 0.0
    if not row.sum():
        row[:] = 1.0
        row[number] = 0.0
    if len(row) > 1:
        row *= (1 - probability) / row.sum()
    row[number] = probability if len(row) > 1 else 1.0
    return row


def edited(expert: Expert, rules: Sequence[EditedRule], default: EditedRule) -> Expert:
    """Return an expert with other rules; the list as it was learned is kept beside them.

    A rule that was learned has the numbers of the learner. A new rule has none (nan) until
    :func:`recounted`, unless a person set its probability. Supports are unknown after the first
    change, because what a rule answers depends on those before it. Gains are unknown before the
    last change, because what a rule saves depends on those after it.

    Raises
    ------
    ParameterError
        When the learner makes no list.
    """
    fitted, learned = expert.decision_list, expert.learned or expert
    current, before = by_question(fitted), by_question(learned.decision_list)
    keys = [*(rule.question for rule in rules), None]
    written = [*rules, default]
    numbered = [
        _numbered(fitted, rule, current.get(key), before.get(key))
        for key, rule in zip(keys, written, strict=True)
    ]
    numbered = _with_known_supports(fitted, numbered)
    if fitted.gains_depend_on_order:
        numbered = _with_known_gains(fitted, numbered)
    changed = fitted.with_rules(numbered[:-1], numbered[-1])
    if _is_as_learned(changed, learned.decision_list):
        return learned
    same = _agree([rule.question for rule in numbered[:-1]], fitted.questions)
    examples = expert.examples[:same] + ((),) * (len(numbered) - same) if expert.examples else ()
    return replace(expert, fitted=changed, examples=examples, learned=learned)


def _numbered(
    fitted: OrderedRules, written: EditedRule, current: Rule | None, before: Rule | None
) -> Rule:
    """Return a rule with the numbers that it has now or had when it was learned, or with nan."""
    no_longer_set = current is not None and current.set_by_hand and written.set_by_hand is None
    rule = before if written.as_learned or no_longer_set else current or before
    if rule is None:
        unknown = dict.fromkeys(fitted.senses, float("nan"))
        rule = Rule(written.question, unknown, unknown, float("nan"), float("nan"))
    rule = replace(rule, question=written.question, set_by_hand=written.set_by_hand is not None)
    if fitted.default.target_sense is not None:
        rule = replace(rule, target_sense=written.sense)
    if written.set_by_hand is not None:
        row = spread(fitted, written.sense, written.set_by_hand)
        rule = replace(rule, probabilities=dict(zip(fitted.senses, row.tolist(), strict=True)))
    return rule


def _with_known_supports(fitted: OrderedRules, rules: Sequence[Rule]) -> list[Rule]:
    """Return rules with the supports that no change before them could alter."""
    questions = [rule.question for rule in rules[:-1]]
    same = _agree(questions, fitted.questions)
    if len(questions) == fitted.n_rules == same:
        same += 1  # the default has not changed either
    supports = [*fitted.supports[:same].tolist(), *[float("nan")] * (len(rules) - same)]
    return [replace(rule, support=n) for rule, n in zip(rules, supports, strict=True)]


def _with_known_gains(fitted: OrderedRules, rules: Sequence[Rule]) -> list[Rule]:
    """Return rules with the gains that no change after them could alter."""
    same = 0
    if rules[-1].probabilities == fitted.default.probabilities:
        now, old = (
            [(rule.question, rule.probabilities) for rule in reversed(rules_of_list)]
            for rules_of_list in (rules[:-1], fitted.rules)
        )
        same = _agree(now, old)
    gains = [float("nan")] * (len(rules) - 1 - same)
    gains += [rule.gain for rule in fitted.rules[fitted.n_rules - same :]]
    kept = [replace(rule, gain=gain) for rule, gain in zip(rules[:-1], gains, strict=True)]
    return [*kept, rules[-1]]


def _agree(first: Sequence[object], second: Sequence[object]) -> int:
    """Return how many of the first items of two sequences are equal."""
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _is_as_learned(fitted: OrderedRules, learned: OrderedRules) -> bool:
    return (
        tuple(fitted.questions) == tuple(learned.questions)
        and fitted.set_by_hand is None
        and np.array_equal(fitted.probabilities, learned.probabilities)
        and np.array_equal(fitted.counts, learned.counts)
    )


def check_known(expert: Expert, rules: Sequence[EditedRule]) -> None:
    """Refuse a rule without a probability: a new one that nobody set or counted.

    Raises
    ------
    InputError
        At the first such rule.
    """
    for rule, written in zip(expert.rules, rules, strict=True):
        if any(p != p for p in rule.probabilities.values()):
            raise InputError(
                f"the rule {rule.question} is new and nothing is known of it",
                "state its probability (stated = 0.9), or name a --corpus to count it in",
                where=written.place,
            )


def recounted(
    expert: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str = "split"
) -> tuple[Expert, int]:
    """Count the rules of an edited list anew.

    Counts, supports, gains and all probabilities that no person set are then those of these
    instances, as a learner would have them: bits(list) = bits(default) - sum of gains.

    Parameters
    ----------
    expert
        The expert with the list.
    items, labels
        Instances of the lexelt and their senses.
    multi
        As in :class:`wsdlist.models.recipe.Recipe`.

    Returns
    -------
    tuple
        The expert, and how many labels were left out because the list does not have their sense.
        An expert whose numbers are those that were learned is the learned one.

    Raises
    ------
    ParameterError
        When no label is a sense of the list.
    """
    learned = expert.learned or expert
    fitted, unknown = counted(expert, items, labels, multi)
    if _is_as_learned(fitted, learned.decision_list):
        return learned, unknown
    return replace(expert, fitted=fitted, learned=learned), unknown


def counted(
    expert: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str = "split"
) -> tuple[OrderedRules, int]:
    """Return the list of :func:`recounted`, and how many labels were left out.

    Raises
    ------
    ParameterError
        When no label is a sense of the list.
    """
    fitted = expert.decision_list
    rows = label(labels, multi)
    number = {sense: n for n, sense in enumerate(fitted.senses)}
    outcome = np.array([number.get(sense, -1) for sense in rows.senses])[rows.outcome]
    kept = np.flatnonzero(outcome >= 0)
    outcome, weight = outcome[kept], rows.weight[kept]
    if not len(kept):
        raise ParameterError(
            f"the corpus has no sense of {expert.lexelt}", "name the one it was learned from"
        )
    matrix = expert.ask(items).take(rows.instance[kept]).asked(fitted.questions)
    n = fitted.n_rules
    true: list[list[int]] = [[] for _ in range(n)]
    counts = np.zeros((n + 1, len(fitted.senses)))
    np.add.at(counts[-1], outcome, weight)
    for instances, places in matrix.pairs():
        np.add.at(counts, (places, outcome[instances]), weight[instances])
        for row, place in zip(instances.tolist(), places.tolist(), strict=True):
            true[place].append(row)
    reached = np.zeros_like(counts)
    np.add.at(reached, (fitted.first_true(matrix), outcome), weight)
    again = fitted.recounted(
        counts, reached, lambda probabilities: _saved(probabilities, true, outcome, weight)
    )
    return again, len(rows.outcome) - len(kept)


def _saved(
    probabilities: Floats, true: Sequence[Sequence[int]], outcome: Ints, weight: Floats
) -> Floats:
    """Return ``(n_rules,)`` the bits that each rule saves in front of those after it.

    ``probabilities`` is ``(n_rules + 1, n_senses)``, ``true`` has the rows of which each question
    is true.
    """
    costs = cost(probabilities)
    current = costs[-1][outcome]
    gains = np.zeros(len(true))
    for place in range(len(true) - 1, -1, -1):
        here = np.array(true[place], dtype=np.int64)
        new = costs[place, outcome[here]]
        gains[place] = float((weight[here] * (current[here] - new)).sum())
        current[here] = new
    return gains


def check_senses(expert: Expert, rules: Sequence[EditedRule], default: EditedRule) -> None:
    """Refuse a rule whose counts say another sense than the file, unless a person set it.

    Raises
    ------
    InputError
        At the first such rule.
    """
    fitted = expert.decision_list
    pairs = zip((*fitted.rules, fitted.default), (*rules, default), strict=True)
    for number, (rule, written) in enumerate(pairs, start=1):
        if not rule.set_by_hand and (rule.sense != written.sense or not rule.count):
            why = f"says {rule.sense}, not {written.sense}" if rule.count else "is never true"
            which = f"rule {number}, {written.question}"
            if number > fitted.n_rules:
                which = "the default"
            raise InputError(
                f"{which}: in the corpus it {why}",
                "state its probability: stated = 0.9, or take it out",
                where=written.place,
            )


@dataclass(frozen=True)
class Changes:
    """How an edited list differs from the learned one, by the questions of the rules."""

    deleted: tuple[Question, ...]
    added: tuple[Question, ...]
    moved: tuple[Question, ...]
    set_by_hand: tuple[Question, ...]
    default_set_by_hand: bool = False

    def __str__(self) -> str:
        named = {
            "deleted": len(self.deleted),
            "added": len(self.added),
            "moved": len(self.moved),
            "stated": len(self.set_by_hand) + self.default_set_by_hand,
        }
        return ", ".join(f"{n} {name}" for name, n in named.items() if n) or "nothing but counts"


def changes(expert: Expert) -> Changes:
    """Return what was edited in the list of an expert.

    The moved rules are the fewest without which the order is the learned one.

    Raises
    ------
    ParameterError
        When the learner makes no list.
    """
    fitted, learned = expert.decision_list, (expert.learned or expert).decision_list
    place = {question: n for n, question in enumerate(learned.questions)}
    kept = [question for question in fitted.questions if question in place]
    in_order = {kept[n] for n in _longest_rising([place[question] for question in kept])}
    listed = set(fitted.questions)
    return Changes(
        tuple(q for q in learned.questions if q not in listed),
        tuple(q for q in fitted.questions if q not in place),
        tuple(q for q in kept if q not in in_order),
        tuple(rule.question for rule in fitted.rules if rule.set_by_hand),
        fitted.default.set_by_hand,
    )


def _longest_rising(values: Sequence[int]) -> list[int]:
    """Return the places of one of the longest rising subsequences.

    >>> _longest_rising([0, 3, 1, 2])
    [0, 2, 3]
    """
    ends: list[int] = []  # for each length, the place where a rising subsequence ends lowest
    least: list[int] = []  # the values at these places
    before: list[int] = []  # for each place, the place before it in the best subsequence
    for n, value in enumerate(values):
        length = bisect_left(least, value)
        ends[length:] = [n, *ends[length + 1 :]]
        least[length:] = [value, *least[length + 1 :]]
        before.append(ends[length - 1] if length else -1)
    places: list[int] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        places.append(n)
        n = before[n]
    return places[::-1]
