"""Why an instance got its sense: the rule, its arithmetic, what else would have answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from wsdlist.data.corpus import Instance, Item
from wsdlist.errors import plain
from wsdlist.layout import columns, number, pad, weight, width
from wsdlist.learners.fitted.base import Answer, Evidence
from wsdlist.learners.fitted.rules import Rule
from wsdlist.models.expert import Expert
from wsdlist.readers.confusion_sets import HOLE

SIDE = 36  # cells of context to either side of a keyword
SHOWN = 20  # sentences of training, at most


@dataclass(frozen=True)
class Sentence:
    """An instance as keyword in context; ``answered`` says whether the rule shown answers it."""

    id: str
    senses: tuple[str, ...]
    left: str
    word: str
    right: str
    answered: bool = True


def keyword_in_context(instance: Item, *, answered: bool = True) -> Sentence:
    """Return the target with the words before and after it; a row of a table as a whole."""
    if not isinstance(instance, Instance):
        pairs = zip(instance.names, instance.values, strict=True)
        shown = ", ".join(f"{n}={'?' if v is None else v}" for n, v in pairs)
        return Sentence(instance.id, instance.senses, "", shown, "", answered)
    first, last = instance.target
    left, right = instance.forms[max(first - SIDE, 0) : first], instance.forms[last : last + SIDE]
    word = instance.target_form
    if word == HOLE and instance.senses:  # a word of a confusion set, taken out
        word = instance.senses[0]
    return Sentence(
        instance.id,
        instance.senses,
        " ".join(left),
        word,
        " ".join(right),
        answered,
    )


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why an instance got its sense.

    Parameters
    ----------
    lexelt
        The lexelt whose expert answered.
    sentence
        The instance.
    answer
        The answer that :meth:`wsdlist.models.model.Model.answer` gives.
    evidence
        What spoke for the answer: rules and their arithmetic, or weights, or a story.
    examples
        Ids of a few training instances that the rule answers rightly.
    behind
        The training instances of a corpus of which the question of the rule is true; for the
        default, those that it answers. None if no corpus was given.
    """

    lexelt: str
    sentence: Sentence
    answer: Answer
    evidence: Evidence = field(default_factory=Evidence)
    examples: tuple[str, ...] = ()
    behind: tuple[Sentence, ...] | None = None

    @property
    def rules(self) -> tuple[tuple[int | None, Rule], ...]:
        """``(number, rule)`` of all rules that are true; the first one answered."""
        return self.evidence.rules

    @property
    def arithmetic(self) -> tuple[str, ...]:
        """How the probability of each sense follows from the counts of the rule that answered."""
        return self.evidence.arithmetic

    @property
    def runner_up(self) -> tuple[str, float] | None:
        """The second most probable sense and its probability; None if there is one sense."""
        others = {s: P for s, P in self.answer.distribution.items() if s != self.answer.sense}
        return max(others.items(), key=lambda item: item[1]) if others else None

    def lines(self) -> list[str]:
        """Return the explanation as lines of text."""
        head = f"{plain(self.lexelt)}: {' '.join(filter(None, _marked(self.sentence)))}"
        answer = self.answer
        if answer.sense is None or answer.probability is None:
            answered = "left alone" if answer.sense is None else plain(answer.sense)
            return [head, f"  {answered}: {plain(answer.reason)}"]
        other = self.runner_up
        runner_up = f"; runner-up {plain(other[0])} {number(other[1])}" if other else ""
        return [
            head,
            f"  {plain(answer.sense)} {number(answer.probability)}{runner_up}",
            *self.evidence.lines(answer.distribution),
            *self._training_lines(),
        ]

    def _training_lines(self) -> list[str]:
        """Return the training instances of the rule that answered, or the ids of a few."""
        if self.behind is None:
            shown = plain(", ".join(self.examples))
            return [f"  it answers, in training: {shown}"] if self.examples else []
        if not self.rules:
            return []
        place, rule = self.rules[0]
        which = "that it answers" if place is None else "of which its question is true"
        star = "" if place is None else " (* those it answers)"
        n = len(self.behind)
        lines = [f"  {n} instances of the corpus {which}{star}{':' if n else ''}"]
        if place is not None and n != rule.count and rule.count == int(rule.count):
            lines.append(f"    not the {weight(rule.count)} it was learned from: another corpus?")
        lines += concordance(self.behind[:SHOWN])
        if self.behind[SHOWN:]:
            lines.append(f"    and {n - SHOWN} more")
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_record(self) -> dict[str, Any]:
        """Return the explanation as JSON data."""
        other = self.runner_up
        return {
            "lexelt": self.lexelt,
            "id": self.sentence.id,
            "context": [self.sentence.left, self.sentence.word, self.sentence.right],
            "sense": self.answer.sense,
            "probability": self.answer.probability,
            "probabilities": self.answer.distribution,
            "reason": self.answer.reason,
            "runner_up": None if other is None else {"sense": other[0], "probability": other[1]},
            "rules": [{"rule": n, **rule.to_record()} for n, rule in self.rules],
            "arithmetic": list(self.arithmetic),
            "evidence": [
                {"if": question.to_record(), "text": str(question), "weight": value}
                for question, value in self.evidence.weights
            ],
            "story": list(self.evidence.story),
            "examples": list(self.examples),
            "behind": [
                {
                    "id": sentence.id,
                    "senses": list(sentence.senses),
                    "context": [sentence.left, sentence.word, sentence.right],
                    "answered": sentence.answered,
                }
                for sentence in self.behind or ()
            ],
        }


def explain(expert: Expert, instance: Item, training: Iterable[Item] | None = None) -> Explanation:
    """Say why an expert answers as it does.

    Parameters
    ----------
    expert, instance
        The expert, and the instance that it answers.
    training
        The instances that the expert learned from, to show those of the rule; None for none.
    """
    answer, evidence = expert.answer_with_evidence(instance)
    explanation = Explanation(expert.lexelt, keyword_in_context(instance), answer, evidence)
    if not evidence.rules:
        return explanation
    number, _ = evidence.rules[0]
    place = evidence.n_rules if number is None else number - 1
    return replace(
        explanation,
        examples=expert.examples[place] if expert.examples else (),
        behind=None if training is None else tuple(_behind(expert, place, list(training))),
    )


def _behind(expert: Expert, place: int, training: Sequence[Item]) -> list[Sentence]:
    """Return the instances of which a rule is true, first those that it answers.

    For the default these are the instances that it answers.
    """
    if not training:
        return []
    true, first = expert.true_of(training, place)
    sentences = [
        keyword_in_context(training[row], answered=bool(first[row] == place))
        for row in true.tolist()
    ]
    return sorted(sentences, key=lambda sentence: not sentence.answered)


def concordance(sentences: Sequence[Sentence]) -> list[str]:
    r"""Return lines of keywords in context, aligned; a star marks those that the rule answers.

    >>> print("\n".join(concordance([Sentence("s9", ("shore",), "on the muddy", "bank", "")])))
        * s9  shore                          on the muddy [bank]
    """
    rows = [(f"    {'*' if s.answered else ' '} {s.id}", " ".join(s.senses)) for s in sentences]
    heads = columns(rows, left=2)
    size = max(map(width, heads), default=0)
    lines = []
    for head, sentence in zip(heads, sentences, strict=True):
        left, word, right = _marked(sentence)
        lines.append(f"{pad(head, size)}  {pad(left, SIDE, right=True)} {word} {right}".rstrip())
    return lines


def _marked(sentence: Sentence) -> tuple[str, str, str]:
    left, right = plain(sentence.left)[-SIDE:], plain(sentence.right)[:SIDE]
    while width(left) > SIDE:
        left = left[1:]
    while width(right) > SIDE:
        right = right[:-1]
    return left, f"[{plain(sentence.word)}]", right
