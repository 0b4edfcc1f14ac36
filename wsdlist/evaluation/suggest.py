"""The next instances to annotate: those the model is least sure of, spread over many contexts.

Uncertainty sampling (Lewis & Gale 1994) alone picks the same kind of context again and again,
because a decision list answers whole groups of instances with one rule. So a choice is worth less
the more instances of its rule, and of its own words, were chosen or annotated before.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, log2, sqrt
from typing import Any, TypeAlias

import numpy as np

from wsdlist.data.checks import check_whole
from wsdlist.data.corpus import Instance
from wsdlist.data.folds import folded
from wsdlist.data.tokens import normal
from wsdlist.features.positions import At
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import Answer
from wsdlist.learners.fitted.rules import known
from wsdlist.learners.smoothing import entropy
from wsdlist.models.model import Model

SIDE, NEAR = 2, 9  # tokens to either side: those that are clues by their place, or anywhere
COMMON = 10  # a word near more than a tenth of the instances is no clue
Clue: TypeAlias = tuple[int | None, str]  # an offset, or None for near; a word
ClueOf: TypeAlias = tuple[str, Clue]  # of a lexelt


@dataclass(frozen=True)
class Suggestion:
    """An instance that is worth a person's time.

    Parameters
    ----------
    instance
        It has no sense.
    answer
        What the model says of it.
    entropy
        The entropy of that answer, in bits.
    """

    instance: Instance
    answer: Answer
    entropy: float

    def to_record(self) -> dict[str, Any]:
        """Return the suggestion as JSON data."""
        return {
            "id": self.instance.id,
            "lexelt": self.instance.lexelt,
            "tokens": list(self.instance.forms),
            "target": list(self.instance.target),
            "document": self.instance.document,
            "guess": self.answer.sense,
            "probability": self.answer.probability,
            "entropy": self.entropy,
            "rule": self.answer.rule,
        }


def suggest(model: Model, instances: Sequence[Instance], number: int = 50) -> list[Suggestion]:
    """Choose instances to annotate next, the most useful first.

    Each choice is the instance of the greatest worth after the choices before it. Its worth is the
    entropy of its answer in bits, times one plus the worth of its clues, divided by the square
    root of one plus how many instances of its rule were chosen. Its clues are its form, the words
    at -2..+2, and the words within 9 that are near no more than a tenth of the instances. A clue
    that C instances have, of which S were annotated or chosen, is worth log2(C) / (1 + S). Only
    one of near copies is chosen. An instance that has no expert, or an answer without doubt, is
    never chosen.

    Parameters
    ----------
    model
        What answers.
    instances
        The choices are made from those without a sense; those with a sense are what was annotated.
        If a word has none of these, the conditions of its list stand for them.
    number
        How many at the most.

    Raises
    ------
    ParameterError
        When the number is below 1.
    """
    check_whole("number", number)
    worth = _Worth(model, instances)
    free = worth.free
    taken = {(i.lexelt, folded(i)) for i in instances if i.senses}
    # a choice only lowers the worth of the others: whoever is still first is the best
    heap = [(-worth(row), _order(i), row) for row, i in enumerate(free) if worth.doubt[row] > 0]
    heapq.heapify(heap)
    suggestions: list[Suggestion] = []
    while heap and len(suggestions) < number:
        before, order, row = heapq.heappop(heap)
        now = -worth(row)
        if now > before:
            heapq.heappush(heap, (now, order, row))
            continue
        copy = (free[row].lexelt, folded(free[row]))
        if copy not in taken:
            taken.add(copy)
            suggestions.append(Suggestion(free[row], worth.answers[row], worth.doubt[row]))
            worth.choose(row)
    return suggestions


class _Worth:
    """What an instance without a sense is worth, after the choices before; see :func:`suggest`.

    Parameters
    ----------
    model, instances
        As :func:`suggest` has them.
    """

    def __init__(self, model: Model, instances: Sequence[Instance]) -> None:
        self.free = [instance for instance in instances if not instance.senses]
        self.answers = model.answer(self.free)
        self.doubt = [_entropy(answer) for answer in self.answers]
        clues = {instance: _clues(instance) for instance in instances}
        self._frequency, sizes, self._seen = _counted(model, instances, clues)
        self._clues = [
            [(i.lexelt, clue) for clue in clues[i] if self._tells(i.lexelt, clue, sizes)]
            for i in self.free
        ]
        self._chosen: Counter[tuple[str, object]] = Counter()

    def _tells(self, lexelt: str, clue: Clue, sizes: Counter[str]) -> bool:
        """Say whether a clue is shared, and no word that is near everywhere."""
        n, near = self._frequency[lexelt, clue], clue[0] is None
        return n > 1 and not (near and n * COMMON > sizes[lexelt])

    def __call__(self, row: int) -> float:
        frequency, seen = self._frequency, self._seen
        news = fsum(log2(frequency[clue]) / (1 + seen[clue]) for clue in self._clues[row])
        return self.doubt[row] * (1 + news) / sqrt(1 + self._chosen[self._group(row)])

    def choose(self, row: int) -> None:
        """Count an instance as chosen."""
        self._chosen[self._group(row)] += 1
        self._seen.update(self._clues[row])

    def _group(self, row: int) -> tuple[str, object]:
        """Return the instances that an instance belongs to: those of its rule, else its answer."""
        answer = self.answers[row]
        question: object = answer.question
        return self.free[row].lexelt, answer.sense if question is None else question


def _entropy(answer: Answer) -> float:
    P = np.array(list(answer.distribution.values()))
    return float(entropy(P)) if len(P) else 0.0


def _order(instance: Instance) -> str:
    """Return what decides between equals, whatever the order of the texts."""
    return sha256(f"{instance.lexelt}\0{folded(instance)}".encode("utf-8", "replace")).hexdigest()


def _clues(instance: Instance) -> set[Clue]:
    first, last = instance.target
    forms = instance.forms
    before = forms[max(first - NEAR, 0) : first]
    after = forms[last : last + NEAR]
    near: set[Clue] = {
        (None, word) for word in map(normal, (*before, *after)) if any(map(str.isalpha, word))
    }
    at: set[Clue] = {(0, normal(instance.target_form))}
    at |= {(-n, normal(form)) for n, form in enumerate(before[::-1][:SIDE], start=1)}
    at |= {(n, normal(form)) for n, form in enumerate(after[:SIDE], start=1)}
    return near | at


def _counted(
    model: Model, instances: Sequence[Instance], clues: dict[Instance, set[Clue]]
) -> tuple[Counter[ClueOf], Counter[str], Counter[ClueOf]]:
    """Count the instances that have a clue, those of a lexelt, and those annotated with a clue."""
    frequency: Counter[ClueOf] = Counter()
    seen: Counter[ClueOf] = Counter()
    annotated = {instance.lexelt for instance in instances if instance.senses}
    for instance in instances:
        mine = [(instance.lexelt, clue) for clue in clues[instance]]
        frequency.update(mine)
        if instance.senses:
            seen.update(mine)
    sizes = Counter(instance.lexelt for instance in instances)
    for lexelt in sizes.keys() - annotated:
        expert = model.expert(lexelt)
        for rule in () if expert is None else expert.fitted.rules:
            for clue in _of_question(rule.question):
                seen[lexelt, clue] += max(round(known(rule.count) or 0), 1)
    return frequency, sizes, seen


def _of_question(question: Question) -> list[Clue]:
    clues: list[Clue] = []
    for condition in question.conditions:
        if condition.value is not None and not condition.negated:
            position = condition.position
            clues.append((position.offset if isinstance(position, At) else None, condition.value))
    return clues
