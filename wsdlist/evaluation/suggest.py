"""The next instances to annotate: those the model is least sure of, spread over different contexts.

Uncertainty sampling (Lewis & Gale 1994) alone picks the same kind of context again and again, for a
decision list answers whole groups of instances with one rule; so a choice is worth less the more
instances of its rule, and of its own words, were chosen or annotated before.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, log2, sqrt
from typing import TypeAlias

import numpy as np

from wsdlist.data.corpus import Instance
from wsdlist.data.folds import folded
from wsdlist.data.tokens import normal
from wsdlist.errors import ParameterError
from wsdlist.features.positions import At
from wsdlist.features.questions import Question
from wsdlist.learners.fitted.base import Answer
from wsdlist.learners.fitted.rules import known
from wsdlist.learners.smoothing import entropy
from wsdlist.models.model import Model

SIDE, NEAR = 2, 9  # tokens to either side that a clue is of, by its place or anywhere
COMMON = 10  # a word near more than one of so many instances is no clue
Clue: TypeAlias = tuple[int | None, str]  # an offset, or None for near; a word


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
        Of that answer, in bits.
    """

    instance: Instance
    answer: Answer
    entropy: float


def suggest(model: Model, instances: Sequence[Instance], number: int = 50) -> list[Suggestion]:
    """Choose instances to annotate next, the most useful first.

    Each is the one of the greatest worth after those before it: the entropy of its answer times
    one plus what its clues are worth, by the square root of one plus how many of its rule were
    chosen. Its clues are its form, the words at -2..+2, and the words within 9 that are near no
    more than a tenth of the instances; a clue of C instances of which S were annotated or chosen is
    worth log2(C) / (1 + S). Of near copies one is chosen. What has no expert, or an answer without
    doubt, is never chosen.

    Parameters
    ----------
    model
        What answers.
    instances
        Those without a sense are chosen from; those with one are what was annotated. If there are
        none, the conditions of each list stand for them.
    number
        How many at the most.

    Raises
    ------
    ParameterError
        When the number is below 1.
    """
    if number < 1:
        raise ParameterError(f"number is {number}", "say 1 or more")
    free = [instance for instance in instances if not instance.senses]
    answers = model.answer(free)
    doubt = [_entropy(answer) for answer in answers]
    every = {instance: _clues(instance) for instance in instances}
    frequency, sizes, seen = _counted(model, instances, every)
    clues = [
        [
            (instance.lexelt, clue)
            for clue in every[instance]
            if frequency[instance.lexelt, clue] > 1
            and (
                clue[0] is not None
                or frequency[instance.lexelt, clue] * COMMON <= sizes[instance.lexelt]
            )
        ]
        for instance in free
    ]
    taken = {(i.lexelt, folded(i)) for i in instances if i.senses}
    used: Counter[tuple[str, object]] = Counter()

    def group(row: int) -> tuple[str, object]:
        question: object = answers[row].question
        return free[row].lexelt, answers[row].sense if question is None else question

    def worth(row: int) -> float:
        news = fsum(log2(frequency[clue]) / (1 + seen[clue]) for clue in clues[row])
        return doubt[row] * (1 + news) / sqrt(1 + used[group(row)])

    # what is chosen only lowers the worth of the others: whoever stays first is the best
    heap = [(-worth(row), _order(i), row) for row, i in enumerate(free) if doubt[row] > 0]
    heapq.heapify(heap)
    made: list[Suggestion] = []
    while heap and len(made) < number:
        before, order, row = heapq.heappop(heap)
        now = -worth(row)
        if now > before:
            heapq.heappush(heap, (now, order, row))
            continue
        copy = (free[row].lexelt, folded(free[row]))
        if copy in taken:
            continue
        taken.add(copy)
        made.append(Suggestion(free[row], answers[row], doubt[row]))
        used[group(row)] += 1
        seen.update(clues[row])
    return made


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
    model: Model, instances: Sequence[Instance], every: dict[Instance, set[Clue]]
) -> tuple[Counter[tuple[str, Clue]], Counter[str], Counter[tuple[str, Clue]]]:
    """Return how many instances have a clue, how many there are, and how many were annotated."""
    frequency: Counter[tuple[str, Clue]] = Counter()
    seen: Counter[tuple[str, Clue]] = Counter()
    annotated = {instance.lexelt for instance in instances if instance.senses}
    for instance in instances:
        mine = [(instance.lexelt, clue) for clue in every[instance]]
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
    made: list[Clue] = []
    for condition in question.conditions:
        if condition.value is not None and not condition.negated:
            position = condition.position
            made.append((position.offset if isinstance(position, At) else None, condition.value))
    return made
