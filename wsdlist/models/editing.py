"""Lists edited by hand, beside the lists that were learned; edits made again on a new list.

What a rule was learned from stays what it is: its numbers are the learner's, or counted anew from
a corpus, or unknown. Only a probability that is marked as stated comes from a person.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.extract import label
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.decision_list import DecisionList, Rule, estimated_again
from wsdlist.learners.fitted.rule_list import favour
from wsdlist.learners.smoothing import cost, discounted, unigram
from wsdlist.models.expert import Expert


@dataclass(frozen=True)
class EditedRule:
    """A rule as it stands in a file: its question, its sense, the probability that was stated.

    ``as_learned`` says that its numbers are those that were learned, if the list has others by now;
    ``place`` is ``FILE:LINE``, where it is from a file.
    """

    question: Question
    sense: str
    stated: float | None = None
    as_learned: bool = False
    place: str = field(default="", compare=False)


def by_question(fitted: DecisionList) -> dict[Question | None, Rule]:
    """Return the rules of a list by their questions; None is the default."""
    return {**{rule.question: rule for rule in fitted.rules}, None: fitted.default}


def spread(fitted: DecisionList, sense: str, stated: float) -> Floats:
    """Return ``(n_senses,)`` a stated probability; the others share the rest as in the default."""
    row: Floats = fitted.counts[-1].copy()
    number = fitted.senses.index(sense)
    row[number] = 0.0
    if not row.sum():
        row[:] = 1.0
        row[number] = 0.0
    if len(row) > 1:
        row *= (1 - stated) / row.sum()
    row[number] = stated if len(row) > 1 else 1.0
    return row


def edited(expert: Expert, entries: Sequence[EditedRule], default: EditedRule) -> Expert:
    """Return an expert with other rules; the list as it was learned is kept beside them.

    A rule that was learned has the numbers of the learner; one that is new and not stated has none
    (nan) until :func:`recounted`. Nor have supports behind the first change, nor gains before the
    last one: what a rule answers depends on those before it, what it saves on those behind it.
    """
    fitted = expert.decision_list
    learned = expert.learned or expert
    of_learned, current = _numbers_of(learned.decision_list), _numbers_of(fitted)
    by_hand = {key for key, rule in by_question(fitted).items() if rule.stated}
    every = [*entries, default]
    keys = [*(entry.question for entry in entries), None]
    nothing = np.full(len(fitted.senses), np.nan), np.full(len(fitted.senses), np.nan), np.nan

    def row_of(key: Question | None, entry: EditedRule) -> Numbers:
        first, second = current, of_learned
        if entry.as_learned or (entry.stated is None and key in by_hand):
            first, second = of_learned, {}
        return first.get(key) or second.get(key) or (nothing[0], *nothing)

    rows = [row_of(key, entry) for key, entry in zip(keys, every, strict=True)]
    P = np.array(
        [
            row[0] if entry.stated is None else spread(fitted, entry.sense, entry.stated)
            for entry, row in zip(every, rows, strict=True)
        ]
    )
    n, before = len(entries), len(fitted.questions)
    same = _agree(keys[:n], fitted.questions)
    supports, gains = np.full(n + 1, np.nan), np.full(n, np.nan)
    supports[:same] = fitted.supports[:same]
    if n == before == same:
        supports[n] = fitted.supports[n]
    if fitted.said is not None:  # what such a rule is worth is its own
        gains = np.array([row[3] for row in rows[:n]], dtype=np.float64)
    elif np.array_equal(P[n], fitted.probabilities[before]):
        now = [(key, *p) for key, p in zip(keys[:n], P.tolist(), strict=False)][::-1]
        old = zip(fitted.questions, fitted.probabilities.tolist(), strict=False)
        same_end = _agree(now, [(key, *p) for key, p in old][::-1])
        gains[n - same_end :] = fitted.gains[before - same_end :]
    stated = np.array([entry.stated is not None for entry in every])
    said = None
    if fitted.said is not None:
        said = np.array([fitted.senses.index(entry.sense) for entry in every])
    made = replace(
        fitted,
        questions=tuple(entry.question for entry in entries),
        probabilities=P,
        counts=np.array([row[1] for row in rows]),
        supports=supports,
        gains=gains,
        residues=None if fitted.residues is None else np.array([row[2] for row in rows]),
        said=said,
        stated=stated if stated.any() else None,
    )
    if _as_learned(made, learned.decision_list):
        return learned
    examples = expert.examples[:same] + ((),) * (n + 1 - same) if expert.examples else ()
    return replace(expert, fitted=made, examples=examples, learned=learned)


def _agree(first: Sequence[object], second: Sequence[object]) -> int:
    """Return how many of the first items of two sequences are equal."""
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


Numbers: TypeAlias = tuple[Floats, Floats, Floats, float]


def _numbers_of(fitted: DecisionList) -> dict[Question | None, Numbers]:
    """Return the probabilities, counts, residues and gain of each question; None is the default."""
    residues = np.full_like(fitted.counts, np.nan) if fitted.residues is None else fitted.residues
    gains = [*fitted.gains.tolist(), np.nan]
    rows = zip(fitted.probabilities, fitted.counts, residues, gains, strict=True)
    keys: list[Question | None] = [*fitted.questions, None]
    return dict(zip(keys, rows, strict=True))


def _as_learned(made: DecisionList, learned: DecisionList) -> bool:
    return (
        tuple(made.questions) == tuple(learned.questions)
        and made.stated is None
        and np.array_equal(made.probabilities, learned.probabilities)
        and np.array_equal(made.counts, learned.counts)
    )


def check_known(expert: Expert, entries: Sequence[EditedRule]) -> None:
    """Refuse a rule without a probability: a new one, neither stated nor counted.

    Raises
    ------
    InputError
        At the first such rule.
    """
    for rule, entry in zip(expert.rules, entries, strict=True):
        if any(p != p for p in rule.probabilities.values()):
            raise InputError(
                f"the rule {rule.question} is new and nothing is known of it",
                "state its probability (stated = 0.9), or name a --corpus to count it in",
                where=entry.place,
            )


def recounted(
    expert: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str = "split"
) -> tuple[Expert, int]:
    """Count the rules of an edited list anew.

    Counts, supports, gains and all probabilities that are not stated are then those of these
    instances, as a learner would have them: bits(list) = bits(default) - sum of gains.

    Parameters
    ----------
    items, labels
        Instances of the lexelt and their senses.
    multi
        As in :class:`wsdlist.training.recipe.Settings`.

    Returns
    -------
    tuple
        The expert, and how many labels were of senses that the list does not have, left out. One
        whose numbers are those that were learned is the learned one.
    """
    made, unknown = counted(expert, items, labels, multi)
    learned = expert.learned or expert
    if _as_learned(made, learned.decision_list):
        return learned, unknown
    return replace(expert, fitted=made, learned=learned), unknown


def counted(
    expert: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str = "split"
) -> tuple[DecisionList, int]:
    """Return the list that :func:`recounted` gives an expert, and how many labels were left out."""
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
    asked = expert.ask(items).take(rows.instance[kept]).asked(fitted.questions)
    n, K = len(fitted.questions), len(fitted.senses)
    true: list[list[int]] = [[] for _ in range(n)]
    for found, questions in asked.pairs():
        for row, question in zip(found.tolist(), questions.tolist(), strict=True):
            true[question].append(row)
    counts, residues = np.zeros((n + 1, K)), np.zeros((n + 1, K))
    for place in range(n):
        np.add.at(counts[place], outcome[true[place]], weight[true[place]])
    np.add.at(counts[-1], outcome, weight)
    first = fitted.first_true(asked)
    np.add.at(residues, (first, outcome), weight)
    supports = residues.sum(axis=1)
    prior = unigram(counts[-1])
    P = discounted(counts, prior, fitted.discount)
    P[-1] = prior
    if fitted.stated is not None:
        P[fitted.stated] = fitted.probabilities[fitted.stated]
    gains = _saved(P, true, outcome, weight) if fitted.said is None else fitted.gains
    if fitted.said is not None:
        P = favour(discounted(residues, prior, fitted.discount), fitted.said)
    elif fitted.residues is not None:  # gains are those before re-estimation, as in learning
        again = estimated_again(P, residues)
        every = not np.isnan(fitted.residues[:-1]).all()
        P = again if every else np.vstack([P[:-1], again[-1:]])
        if not every:
            residues[:-1] = np.nan
    if fitted.stated is not None:
        P[fitted.stated] = fitted.probabilities[fitted.stated]
    made = replace(
        fitted,
        probabilities=P,
        counts=counts,
        supports=supports,
        gains=gains,
        residues=None if fitted.residues is None else residues,
    )
    return made, len(rows.outcome) - len(kept)


def _saved(P: Floats, true: Sequence[Sequence[int]], outcome: Ints, weight: Floats) -> Floats:
    """Return ``(n_rules,)`` the bits that each rule saves in front of those behind it.

    ``P`` is ``(n_rules + 1, n_senses)``, ``true`` has the rows of which each question is true.
    """
    costs = cost(P)
    current = costs[-1][outcome]
    gains = np.zeros(len(true))
    for place in range(len(true) - 1, -1, -1):
        here = np.array(true[place], dtype=np.int64)
        new = costs[place, outcome[here]]
        gains[place] = float((weight[here] * (current[here] - new)).sum())
        current[here] = new
    return gains


def check_senses(expert: Expert, entries: Sequence[EditedRule], default: EditedRule) -> None:
    """Refuse a rule whose counts, if they are to decide, say another sense than its entry.

    Raises
    ------
    InputError
        At the first such rule.
    """
    fitted = expert.decision_list
    pairs = zip((*fitted.rules, fitted.default), (*entries, default), strict=True)
    for place, (rule, entry) in enumerate(pairs, start=1):
        if not rule.stated and (rule.sense != entry.sense or not rule.count):
            why = f"says {rule.sense}, not {entry.sense}" if rule.count else "is never true"
            which = "the default" if place > fitted.n_rules else f"rule {place}, {entry.question}"
            raise InputError(
                f"{which}: in the corpus it {why}",
                "state its probability: stated = 0.9, or take it out",
                where=entry.place,
            )


@dataclass(frozen=True)
class Changes:
    """How an edited list differs from the learned one, by the texts of questions."""

    deleted: tuple[Question, ...]
    added: tuple[Question, ...]
    moved: tuple[Question, ...]
    stated: tuple[Question, ...]
    default_stated: bool = False

    def __str__(self) -> str:
        named = {
            "deleted": len(self.deleted),
            "added": len(self.added),
            "moved": len(self.moved),
            "stated": len(self.stated) + self.default_stated,
        }
        said = [f"{n} {name}" for name, n in named.items() if n]
        return ", ".join(said) or "nothing but counts"


def changes(expert: Expert) -> Changes:
    """Return what was edited in the list of an expert.

    Moved are the fewest rules without which the order would be the learned one.
    """
    fitted, learned = expert.decision_list, (expert.learned or expert).decision_list
    place = {question: n for n, question in enumerate(learned.questions)}
    kept = [question for question in fitted.questions if question in place]
    in_order = {kept[n] for n in _longest_rising([place[question] for question in kept])}
    there = set(fitted.questions)
    return Changes(
        tuple(q for q in learned.questions if q not in there),
        tuple(q for q in fitted.questions if q not in place),
        tuple(q for q in kept if q not in in_order),
        tuple(rule.question for rule in fitted.rules if rule.stated),
        fitted.default.stated,
    )


def _longest_rising(values: Sequence[int]) -> list[int]:
    """Return the places of one of the longest rising subsequences.

    >>> _longest_rising([0, 3, 1, 2])
    [0, 2, 3]
    """
    ends: list[int] = []  # of the rising subsequences of each length, the place of the least end
    least: list[int] = []
    before: list[int] = []
    for n, value in enumerate(values):
        length = bisect_left(least, value)
        ends[length:] = [n, *ends[length + 1 :]]
        least[length:] = [value, *least[length + 1 :]]
        before.append(ends[length - 1] if length else -1)
    made: list[int] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        made.append(n)
        n = before[n]
    return made[::-1]


def reapplied(
    old: Expert, fresh: Expert, items: Sequence[Item], labels: Sequence[Sequence[str]], multi: str
) -> tuple[Expert, list[str]]:
    """Edit a list that was learned anew as an older one was edited.

    A rule that was added or moved comes to stand before the rule that it stood before, as far as
    that is still there.

    Parameters
    ----------
    old
        With an edited list.
    fresh, items, labels, multi
        What was learned, from what; the numbers are counted from it.

    Returns
    -------
    tuple
        The expert, and a line for each edit that no longer applies.
    """
    was = changes(old)
    rules = by_question(old.decision_list)
    current = [rule.question for rule in fresh.rules]
    there, said = set(current), []
    moved = set(was.moved)

    def lost(question: Question, what: str) -> None:
        said.append(f"{fresh.lexelt}: {what} {question}")

    for question in was.deleted:
        if question in there:
            current.remove(question)
        else:
            lost(question, "nothing to delete, the list no longer has")
    put: list[Question] = []
    for question in (*was.added, *was.moved):
        if question in moved and question not in there:
            lost(question, "nothing to move, the list no longer has")
        elif rules[question].sense not in fresh.senses:
            lost(question, f"there is no sense {rules[question].sense} any more for")
        else:
            put.append(question)
    current = [question for question in current if question not in put]
    order = [rule.question for rule in old.rules]
    for place in range(len(order) - 1, -1, -1):
        if order[place] in put:
            after = next((q for q in order[place + 1 :] if q in current), None)
            current.insert(len(current) if after is None else current.index(after), order[place])
    stated = {}
    for question in was.stated:
        if question not in there and question not in put:
            lost(question, "nothing to state, the list no longer has")
        elif rules[question].sense not in fresh.senses:
            lost(question, f"there is no sense {rules[question].sense} any more to state for")
        else:
            stated[question] = rules[question].probability
    own = {key: rule.sense for key, rule in by_question(fresh.decision_list).items()}

    def entry(question: Question) -> EditedRule:
        if question in stated:
            return EditedRule(question, rules[question].sense, stated[question])
        return EditedRule(question, own[question] if question in own else rules[question].sense)

    default, was_default = EditedRule(Question(), own[None]), rules[None]
    if was.default_stated:
        if was_default.sense in fresh.senses:
            default = EditedRule(Question(), was_default.sense, was_default.probability)
        else:
            said.append(
                f"{fresh.lexelt}: there is no sense {was_default.sense} any more by default"
            )
    wanted = [entry(question) for question in current]
    made = edited(fresh, wanted, default)
    if made.learned is None:
        return made, said
    made, _ = recounted(made, items, labels, multi)
    by_hand = {*was.added, *stated}
    kept = []
    for rule, one in zip(made.rules, wanted, strict=True):
        kept.append(one)
        if one.question in by_hand and rule.sense != one.sense:
            lost(one.question, f"{rule.sense} is now more probable than {one.sense} by")
            kept[-1:] = [EditedRule(one.question, own[one.question])] if one.question in own else []
    if kept != wanted:
        made = edited(fresh, kept, default)
        if made.learned is None:
            return made, said
        made, _ = recounted(made, items, labels, multi)
    if default.stated is not None and made.decision_list.default.sense != default.sense:
        now = made.decision_list.default.sense
        said.append(f"{fresh.lexelt}: {now} is now more probable than {default.sense} by default")
    return made, said
