"""The fitted probabilistic decision list: pure data, ending in an explicit default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from wsdlist.data.arrays import Bools, Floats, Ints, sums
from wsdlist.errors import ModelError, ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.questions import Question
from wsdlist.learners.base import Size
from wsdlist.learners.smoothing import cost, discounted, unigram

KIND = "decision-list"
REESTIMATE = ("none", "default", "rules")
# A residue of so much weight is believed like the global estimate. Of 1, 3, 10, 30 it had the best
# bits, and accuracy like the others', in cross-validation in the training files of Senseval.
RESIDUE_WEIGHT = 30.0


@dataclass(frozen=True)
class Rule:
    """A question with a distribution over senses.

    Parameters
    ----------
    question
        What must hold; TRUE in the default.
    probabilities
        Of each sense.
    counts
        C(q, y) of each sense: the weight of training instances for which the question is true.
    support
        The weight of training instances that the rule answers at its place in the list.
    gain
        The bits that putting the rule in front saved; 0 for the default. In a list with another
        :attr:`DecisionList.measure`, that.
    residue
        R(y), the support of each sense, where the probabilities were estimated (again) from it.
    said
        The sense that the rule was made for, of a learner whose rules have one.
    stated
        Whether its probabilities were stated by hand. In a list that was edited counts, support and
        gain are nan where they are unknown.
    """

    question: Question
    probabilities: dict[str, float]
    counts: dict[str, float]
    support: float
    gain: float
    residue: dict[str, float] | None = None
    said: str | None = None
    stated: bool = False

    @property
    def sense(self) -> str:
        """The sense it was made for; else the most probable one, of equals the first by name."""
        if self.said is not None:
            return self.said
        return max(self.probabilities, key=lambda sense: self.probabilities[sense])

    @property
    def probability(self) -> float:
        """The probability of :attr:`sense`."""
        return self.probabilities[self.sense]

    @property
    def count(self) -> float:
        """C(q): the weight of training instances for which the question is true."""
        return sum(self.counts.values())

    def to_record(self) -> dict[str, Any]:
        """Return the rule as JSON data."""
        return {
            "if": self.question.to_record(),
            "text": str(self.question),
            "then": self.sense,
            "probabilities": self.probabilities,
            "counts": {sense: known(count) for sense, count in self.counts.items()},
            "count": known(self.count),
            "support": known(self.support),
            "gain": known(self.gain),
            **({} if self.said is None else {"said": self.said}),
            **({} if self.residue is None else {"residue": self.residue}),
            **({"stated": True} if self.stated else {}),
        }


@dataclass(frozen=True, eq=False)
class DecisionList:
    """Rules in order; the first one whose question is true answers, else the default.

    Parameters
    ----------
    senses
        The labels.
    questions
        ``n_rules`` questions, the first to be asked first.
    probabilities, counts
        ``(n_rules + 1, n_senses)``; the last row is the default's.
    supports
        ``(n_rules + 1,)`` weights; they add up to the training weight.
    gains
        ``(n_rules,)`` bits: the code length of the training outcomes under the default alone is
        that under the list plus their sum (before any re-estimation).
    discount
        d of the absolute discounting that made the probabilities of the counts.
    residues
        ``(n_rules + 1, n_senses)`` the supports by sense, NaN in rules that were not estimated
        again from them; None where none was.
    answered
        ``(n_rows,)`` which rule answers each row of the training data; not kept in files.
    said
        Of a learner whose rules are made for a sense, ``(n_rules + 1,)`` its number: the greatest
        probability is always that sense's. The probabilities are then the discounted ``residues``,
        see :func:`wsdlist.learners.fitted.rule_list.assemble_rules`.
    measure
        What ``gains`` are.
    note
        What is to be said of how it was learned, if anything.
    stated
        ``(n_rules + 1,)`` whether a rule's probabilities were stated by hand; None where none were.
        See :mod:`wsdlist.models.editing`.
    """

    senses: tuple[str, ...]
    questions: Sequence[Question]
    probabilities: Floats
    counts: Floats
    supports: Floats
    gains: Floats
    discount: float
    residues: Floats | None = None
    answered: Ints | None = None
    said: Ints | None = None
    measure: str = "gain (bits)"
    note: str = ""
    stated: Bools | None = None

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, without the default."""
        return tuple(self._rule(number) for number in range(len(self.questions)))

    @property
    def default(self) -> Rule:
        """What answers where no rule does."""
        return self._rule(len(self.questions))

    def _rule(self, number: int) -> Rule:
        last = number == len(self.questions)
        again = self.residues is not None and not np.isnan(self.residues[number]).any()
        return Rule(
            Question() if last else self.questions[number],
            self._by_sense(self.probabilities[number]),
            self._by_sense(self.counts[number]),
            float(self.supports[number]),
            0.0 if last else float(self.gains[number]),
            self._by_sense(self.residues[number]) if again and self.residues is not None else None,
            None if self.said is None else self.senses[int(self.said[number])],
            self.stated is not None and bool(self.stated[number]),
        )

    def _by_sense(self, values: Floats) -> dict[str, float]:
        return dict(zip(self.senses, values.tolist(), strict=True))

    @property
    def n_rules(self) -> int:
        """The number of rules, without the default."""
        return len(self.questions)

    @property
    def size(self) -> Size:
        """The number of rules without the default, and of conditions in them."""
        return Size(len(self.questions), sum(len(q.conditions) for q in self.questions))

    def first_true(self, matrix: QuestionMatrix) -> Ints:
        """Return ``(n_rows,)`` the number of the rule that answers; ``n_rules`` is the default."""
        return first_true(matrix.asked(self.questions))

    def true(self, matrix: QuestionMatrix, row: int) -> list[int]:
        """Return the numbers of all rules that are true of a row, ending in ``n_rules``.

        The first one answers; the others would, in this order, if those before them were not
        there.
        """
        pairs = matrix.take([row]).asked(self.questions).pairs()
        found = {number for _, numbers in pairs for number in numbers.tolist()}
        return [*sorted(found), len(self.questions)]

    def arithmetic(self, number: int, sense: str) -> str:
        """Return how a rule's probability of a sense follows from its counts, as one line.

        The right-hand side is an expression that comes to :attr:`probabilities`.
        """
        rule, default = self._rule(number), self._rule(len(self.questions))
        if rule.stated:
            return f"P({sense}) = {round(rule.probabilities[sense], 12)!r} by hand"
        if self.said is not None:
            return self._arithmetic_at_place(rule, default, sense)
        prior = f"{exact(default.counts[sense])} / {exact(default.count)}"
        P = prior
        if number < len(self.questions):
            P = self._discounting(rule.counts, sense, prior)
        if rule.residue is not None:
            R, m = exact(rule.residue[sense]), exact(RESIDUE_WEIGHT)
            P = f"({R} + {m} * ({P})) / ({exact(sum(rule.residue.values()))} + {m})"
        return f"P({sense}) = {P}"

    def _discounting(self, counts: dict[str, float], sense: str, prior: str) -> str:
        count, d, total = exact(counts[sense]), exact(self.discount), sum(counts.values())
        freed = exact(round(sum(min(C, self.discount) for C in counts.values()), 10))
        return f"(max({count} - {d}, 0) + {freed} * {prior}) / {exact(total)}"

    def _arithmetic_at_place(self, rule: Rule, default: Rule, sense: str) -> str:
        """Return how a probability follows from the support of a rule that was made for a sense."""
        residue = rule.residue or {}
        priors = unigram([default.counts[y] for y in self.senses])
        row = discounted([residue[y] for y in self.senses], priors, self.discount)
        said, best = self.senses.index(rule.sense), int(row.argmax())
        shown = sense
        if row[best] > row[said] and sense in (rule.sense, self.senses[best]):
            shown = rule.sense if sense != rule.sense else self.senses[best]
        P = f"{exact(default.counts[shown])} / {exact(default.count)}"
        if rule.support:
            P = self._discounting(residue, shown, P)
        exchanged = f", exchanged with that of {shown}" if shown != sense else ""
        return f"P({sense}){exchanged} = {P}"

    def predict_proba(self, matrix: QuestionMatrix) -> Floats:
        """Return ``(n_rows, n_senses)`` probabilities: those of the first rule that is true."""
        made: Floats = self.probabilities[self.first_true(matrix)]
        return made

    def to_record(self) -> dict[str, Any]:
        """Return the list as JSON data; it is all that is needed to predict."""
        rules = [rule.to_record() for rule in self.rules]
        return {
            "kind": KIND,
            "senses": list(self.senses),
            "discount": self.discount,
            "rules": rules,
            "default": self.default.to_record(),
            **({} if self.said is None else {"measure": self.measure, "note": self.note}),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> DecisionList:
        """Make a list of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        try:
            senses = tuple(record["senses"])
            rules = [*record["rules"], record["default"]]
            nothing = dict.fromkeys(senses, np.nan)
            residues = [rule.get("residue", nothing) for rule in rules]
            again = any("residue" in rule for rule in rules)
            made_for = [rule.get("said") for rule in rules]
            said = [] if None in made_for else [senses.index(one) for one in made_for]
            stated = np.array([bool(rule.get("stated")) for rule in rules])
            if not said and any(made_for):
                raise ValueError("only some rules have 'said'")
            return cls(
                senses,
                tuple(Question.from_record(rule["if"]) for rule in rules[:-1]),
                np.array([[rule["probabilities"][s] for s in senses] for rule in rules], float),
                np.array([[rule["counts"][s] for s in senses] for rule in rules], float),
                np.array([rule["support"] for rule in rules], float),
                np.array([rule["gain"] for rule in rules[:-1]], float),
                record["discount"],
                np.array([[row[s] for s in senses] for row in residues]) if again else None,
                said=np.array(said) if said else None,
                measure=record.get("measure", cls.measure),
                note=record.get("note", ""),
                stated=stated if stated.any() else None,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"a decision list cannot be read: {error!r}", "train it anew"
            ) from None

    def _repr_html_(self) -> str:
        """Show the list as a table, in notebooks."""
        rows = []
        for number, rule in enumerate((*self.rules, self.default)):
            word = "ELSE" if number == len(self.questions) else "ELSE IF" if number else "IF"
            question = str(rule.question) if rule.question.conditions else ""
            cells = (
                word,
                question,
                rule.sense,
                f"{rule.probability:.3f}{'*' * rule.stated}",
                _shown(rule.count),
                _shown(rule.support),
                _shown(rule.gain, ".2f") if question else "",
            )
            rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
        names = ("", "question", "sense", "probability", "count", "support", self.measure)
        head = "".join(f"<th>{name}</th>" for name in names)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shown(value: float, form: str = "g") -> str:
    return "-" if value != value else format(value, form)


def known(value: float) -> float | None:
    """Return a number, or None for nan, which JSON does not have."""
    return None if value != value else value


def exact(value: float) -> str:
    """Write a number so that reading it gives the same number."""
    return f"{value:.0f}" if value == int(value) else repr(float(value))


def first_true(matrix: QuestionMatrix) -> Ints:
    """Return ``(n_rows,)`` the number of the first true question; ``n_questions`` if none is."""
    first = np.full(matrix.n_rows, matrix.n_questions)
    for rows, questions in matrix.pairs():
        np.minimum.at(first, rows, questions)
    return first


def place_of_rows(matrix: QuestionMatrix, chosen: Sequence[int]) -> Ints:
    """Return ``(n_rows,)`` the place in a list of chosen questions of the first true one.

    As :func:`first_true` of these questions, from the rows of each question.
    """
    if "by_row" not in matrix.__dict__ and not matrix.are_single:
        return first_true(matrix.select(np.asarray(chosen, dtype=np.int64)))
    first = np.full(matrix.n_rows, len(chosen))
    for place in range(len(chosen) - 1, -1, -1):
        first[matrix.rows(chosen[place])] = place
    return first


def estimated_again(probabilities: Floats, residue: Floats) -> Floats:
    """Return (R(y) + m P(y|q)) / (R + m): rules estimated again from what reaches them.

    Parameters
    ----------
    probabilities
        ``(n, n_senses)`` P(y|q).
    residue
        ``(n, n_senses)`` R(y), the weight of the training instances that a rule answers.
    """
    m = RESIDUE_WEIGHT
    made: Floats = (residue + m * probabilities) / (residue.sum(axis=1, keepdims=True) + m)
    return made


def check_reestimate(reestimate: str) -> None:
    """Refuse what is none of ``none``, ``default`` and ``rules``."""
    if reestimate not in REESTIMATE:
        known = ", ".join(REESTIMATE)
        raise ParameterError(f"reestimate is {reestimate!r}", f"say one of {known}")


def assemble(
    matrix: QuestionMatrix,
    counts: Floats,
    chosen: Sequence[int],
    gains: Sequence[float],
    discount: float,
    reestimate: str = "none",
) -> DecisionList:
    """Make the list of chosen questions with its probabilities, counts and supports.

    Parameters
    ----------
    matrix
        The training answers.
    counts
        C(q, y) of all their questions.
    chosen
        Numbers of questions, the first to be asked first.
    gains
        Of each, in bits.
    discount
        d of absolute discounting.
    reestimate
        ``none``; ``default`` or ``rules`` for the distribution of the default, or of every rule,
        estimated again from the instances that reach it: (R(y) + m P(y|q)) / (R + m) with R(y)
        their counts and m = 30, so that the residue weighs by its size (proposed by Goodman 2002,
        section 5, and Yarowsky 1994).
    """
    numbers = np.asarray(chosen, dtype=np.int64)
    prior = matrix.prior_counts()
    counts = np.vstack([counts[numbers], prior])
    probabilities = discounted(counts, unigram(prior), discount)
    probabilities[-1] = unigram(prior)  # TRUE is not discounted
    place = place_of_rows(matrix, numbers.tolist())
    supports = sums(place, matrix.weight, len(counts))
    made = DecisionList(
        matrix.senses,
        tuple(matrix.questions[number] for number in numbers.tolist()),
        probabilities,
        counts,
        supports,
        np.asarray(gains, dtype=np.float64),
        discount,
        answered=place,
    )
    if reestimate == "none":
        return made
    cells = place * len(matrix.senses) + matrix.outcome
    residue = sums(cells, matrix.weight, counts.size).reshape(counts.shape)
    again = estimated_again(probabilities, residue)
    if reestimate == "default":
        again[:-1], residue[:-1] = probabilities[:-1], np.nan
    return replace(made, probabilities=again, residues=residue)


def bits(matrix: QuestionMatrix, probabilities: Floats) -> float:
    """Return the code length of the outcomes, in bits: the sum of weight times -log2 P."""
    return float(matrix.weight @ cost(probabilities[np.arange(matrix.n_rows), matrix.outcome]))
