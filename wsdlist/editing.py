"""Lists edited by hand, beside the lists that were learned; edits made again on a new list.

What a rule was learned from stays what it is: its numbers are the learner's, or counted anew from
a corpus, or unknown. Only a probability that is marked as stated comes from a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wsdlist.answers import Floats
from wsdlist.corpus import Item
from wsdlist.errors import ParameterError
from wsdlist.expert import Expert
from wsdlist.features.extract import label
from wsdlist.features.questions import Question
from wsdlist.learners.decision_list import DecisionList, Rule, estimated_again
from wsdlist.learners.rule_list import favour
from wsdlist.learners.smoothing import cost, discounted, unigram


@dataclass(frozen=True)
class Entry:
    """A rule as it stands in a file: its question, its sense, the probability that was stated."""

    question: Question
    sense: str
    stated: float | None = None


def rules_of(fitted: DecisionList) -> dict[Question, Rule]:
    """Return the rules of a list, and its default, by their questions."""
    return {rule.question: rule for rule in (*fitted.rules, fitted.default)}


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


def edited(expert: Expert, entries: Sequence[Entry], default: Entry) -> Expert:
    """Return an expert with other rules; the list as it was learned is kept beside them.

    A rule that was learned has the numbers of the learner; one that is new and not stated has none
    (nan) until :func:`recounted`, nor have supports and gains where the order of rules is another.
    """
    fitted = expert.decision_list
    learned = expert.learned or expert
    numbers = _numbers_of(learned.decision_list) | _numbers_of(fitted, but_stated=True)
    every = [*entries, default]
    nothing = np.full(len(fitted.senses), np.nan)
    stated = np.array([entry.stated is not None for entry in every])
    rows = [numbers.get(entry.question, (nothing, nothing, nothing)) for entry in every]
    P = [
        row[0] if entry.stated is None else spread(fitted, entry.sense, entry.stated)
        for entry, row in zip(every, rows, strict=True)
    ]
    as_before = [entry.question for entry in entries] == list(fitted.questions)
    all_as_before = as_before and np.array_equal(np.array(P), fitted.probabilities)
    said = None
    if fitted.said is not None:
        said = np.array([fitted.senses.index(entry.sense) for entry in every])
    made = replace(
        fitted,
        questions=tuple(entry.question for entry in entries),
        probabilities=np.array(P),
        counts=np.array([row[1] for row in rows]),
        supports=fitted.supports if as_before else np.full(len(every), np.nan),
        gains=fitted.gains if all_as_before else np.full(len(entries), np.nan),
        residues=None if fitted.residues is None else np.array([row[2] for row in rows]),
        said=said,
        stated=stated if stated.any() else None,
    )
    if _as_learned(made, learned.decision_list):
        return learned
    ids = {
        question: examples
        for one in (learned, expert)
        for question, examples in zip(rules_of(one.decision_list), one.examples, strict=False)
    }
    examples = tuple(ids.get(entry.question, ()) for entry in every) if ids else ()
    return replace(expert, fitted=made, examples=examples, learned=learned)


def _numbers_of(
    fitted: DecisionList, *, but_stated: bool = False
) -> dict[Question, tuple[Floats, Floats, Floats]]:
    """Return the probabilities, counts and residues of each question."""
    residues = np.full_like(fitted.counts, np.nan) if fitted.residues is None else fitted.residues
    rows = zip(fitted.probabilities, fitted.counts, residues, strict=True)
    made = dict(zip((*fitted.questions, Question()), rows, strict=True))
    if not but_stated or fitted.stated is None:
        return made
    return {
        q: row for (q, row), by_hand in zip(made.items(), fitted.stated, strict=True) if not by_hand
    }


def _as_learned(made: DecisionList, learned: DecisionList) -> bool:
    return (
        tuple(made.questions) == tuple(learned.questions)
        and made.stated is None
        and np.array_equal(made.probabilities, learned.probabilities)
    )


def uncounted(expert: Expert) -> list[Rule]:
    """Return the rules without a probability: new ones, neither stated nor counted."""
    fitted = expert.decision_list
    return [rule for rule in fitted.rules if any(p != p for p in rule.probabilities.values())]


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
        As in :class:`wsdlist.settings.Settings`.

    Returns
    -------
    tuple
        The expert, and how many labels were of senses that the list does not have, left out.
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
    asked = expert._ask(items).take(rows.instance[kept]).of(fitted.questions)
    n, K = len(fitted.questions), len(fitted.senses)
    true: list[list[int]] = [[] for _ in range(n)]
    for found, questions in asked.pairs():
        for row, question in zip(found.tolist(), questions.tolist(), strict=True):
            true[question].append(row)
    counts, residues, gains = np.zeros((n + 1, K)), np.zeros((n + 1, K)), np.zeros(n)
    for place in range(n):
        np.add.at(counts[place], outcome[true[place]], weight[true[place]])
    np.add.at(counts[-1], outcome, weight)
    first = fitted.first_true(asked)
    np.add.at(residues, (first, outcome), weight)
    supports = residues.sum(axis=1)
    prior = unigram(counts[-1])
    P = discounted(counts, prior, fitted.discount)
    P[-1] = prior
    if fitted.said is not None:
        P = favour(discounted(residues, prior, fitted.discount), fitted.said)
    elif fitted.residues is not None:
        again = estimated_again(P, residues)
        every = not np.isnan(fitted.residues[:-1]).all()
        P = again if every else np.vstack([P[:-1], again[-1:]])
        if not every:
            residues[:-1] = np.nan
    if fitted.stated is not None:
        P[fitted.stated] = fitted.probabilities[fitted.stated]
    costs = cost(P)
    current = costs[-1][outcome]
    for place in range(n - 1, -1, -1):
        here = np.array(true[place], dtype=np.int64)
        new = costs[place, outcome[here]]
        gains[place] = float((weight[here] * (current[here] - new)).sum())
        current[here] = new
    made = replace(
        fitted,
        probabilities=P,
        counts=counts,
        supports=supports,
        gains=gains if fitted.said is None else np.full(n, np.nan),
        residues=None if fitted.residues is None else residues,
    )
    return replace(expert, fitted=made), len(rows.outcome) - len(kept)


def check_senses(expert: Expert, entries: Sequence[Entry]) -> None:
    """Refuse a rule whose counts, if they are to decide, say another sense than its entry.

    Raises
    ------
    ParameterError
        Naming the first such rule.
    """
    for place, (rule, entry) in enumerate(
        zip(expert.decision_list.rules, entries, strict=True), start=1
    ):
        if not rule.stated and (rule.sense != entry.sense or not rule.count):
            why = f"says {rule.sense}, not {entry.sense}" if rule.count else "is never true"
            raise ParameterError(
                f"rule {place}, {entry.question}: in the corpus it {why}",
                "state its probability: stated = 0.9, or take it out",
            )


@dataclass(frozen=True)
class Changes:
    """How an edited list differs from the learned one, by the texts of questions."""

    deleted: tuple[Question, ...]
    added: tuple[Question, ...]
    moved: tuple[Question, ...]
    stated: tuple[Question, ...]

    def __str__(self) -> str:
        named = {
            "deleted": self.deleted,
            "added": self.added,
            "moved": self.moved,
            "stated": self.stated,
        }
        said = [f"{len(rules)} {name}" for name, rules in named.items() if rules]
        return ", ".join(said) or "nothing but counts"


def changes(expert: Expert) -> Changes:
    """Return what was edited in the list of an expert.

    Moved are the fewest rules without which the order would be the learned one.
    """
    fitted, learned = expert.decision_list, (expert.learned or expert).decision_list
    place = {question: n for n, question in enumerate(learned.questions)}
    kept = [question for question in fitted.questions if question in place]
    in_order = {kept[n] for n in _longest_rising([place[question] for question in kept])}
    rules = (*fitted.rules, fitted.default)
    return Changes(
        tuple(q for q in learned.questions if q not in set(fitted.questions)),
        tuple(q for q in fitted.questions if q not in place),
        tuple(q for q in kept if q not in in_order),
        tuple(rule.question for rule in rules if rule.stated),
    )


def _longest_rising(values: Sequence[int]) -> list[int]:
    """Return the places of one of the longest rising subsequences.

    >>> _longest_rising([0, 3, 1, 2])
    [0, 2, 3]
    """
    best: list[list[int]] = []
    for n, value in enumerate(values):
        before = [one for one in best if values[one[-1]] < value]
        best.append([*max(before, key=len, default=[]), n])
    return max(best, key=len, default=[])


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
    rules = rules_of(old.decision_list)
    current = [rule.question for rule in fresh.rules]
    there, said = set(current), []

    def lost(question: Question, what: str) -> None:
        said.append(f"{fresh.lexelt}: {what} {question}")

    for question in was.deleted:
        if question in there:
            current.remove(question)
        else:
            lost(question, "nothing to delete, the list no longer has")
    put: list[Question] = []
    for question in (*was.added, *was.moved):
        if question in was.moved and question not in there:
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
        if question in put or question in there or not question.conditions:
            if rules[question].sense in fresh.senses:
                stated[question] = rules[question].probability
            else:
                lost(question, f"there is no sense {rules[question].sense} any more to state for")
        else:
            lost(question, "nothing to state, the list no longer has")
    own = {question: rule.sense for question, rule in rules_of(fresh.decision_list).items()}

    def entry(question: Question) -> Entry:
        if question in stated:
            return Entry(question, rules[question].sense, stated[question])
        return Entry(question, own[question] if question in own else rules[question].sense)

    made = edited(fresh, [entry(question) for question in current], entry(Question()))
    if made.learned is None:
        return made, said
    made, _ = recounted(made, items, labels, multi)
    for rule, question in zip(made.rules, current, strict=True):
        if question in was.added and not rule.stated and rule.sense != rules[question].sense:
            lost(question, f"counted anew, {rule.sense} and no longer {rules[question].sense} by")
    return made, said
