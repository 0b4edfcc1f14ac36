"""Rules that vote: each adds bits to one sense, and the votes of all true rules are added up.

A rule is a question and one sense. Rules are chosen greedily, by the bits that a damped Newton step
of their vote would save; then the votes of the chosen rules are fitted together once, and rounded.
The rounded votes are the model, so that a person can add up what was printed.

With n rows, m questions and K senses: O is the observed and E the expected weight of a sense among
the rows that a question is true of, P the probabilities under the rules so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array

from wsdlist.data.arrays import Bools, Floats, Ints
from wsdlist.data.checks import check_number, check_whole
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.base import Reached
from wsdlist.learners.fitted.voting_rules import VotingRules, assemble, softmax
from wsdlist.learners.smoothing import on_grid, unigram

STEPS = (-3.0, 3.0)  # nats, the least and the greatest
OVERLAP = 0.5  # the share of a rule's rows that others of its sense and round may be true of
P_GRID = 2.0**20  # probabilities on this grid times weights on theirs add up without error
NEVER = -700.0  # nats, for a sense that training did not show
MAX_ITERATIONS = 100  # of the joint fit
ALONG = ("max_rules", "epsilon", "ridge", "round_to")  # parameters whose values share a run


@dataclass(frozen=True)
class Evidence:
    """Choose rules for single senses by the bits that they save; all that are true vote.

    Parameters
    ----------
    max_rules
        The most rules that are chosen.
    epsilon
        Bits over the whole training data, 0 or more; a rule must promise to save that much.
    damping
        Added to the curvature of each step: the larger, the more instances a rule needs.
    learning_rate
        The share of each step that is taken while rules are chosen, above 0 and up to 1. After
        small steps several rules share a fact.
    ridge
        The strength of the Gaussian prior on the votes in their joint fit (natural logarithms).
    round_to
        Votes are multiples of this, in bits; 0 leaves them as they are fitted.
    batch
        The share of the list's present length that is chosen at once; 0 chooses one by one.
    """

    max_rules: int = 300
    epsilon: float = 0.0
    damping: float = 3.0
    learning_rate: float = 0.3
    ridge: float = 2.0
    round_to: float = 0.1
    batch: float = 0.1

    def __post_init__(self) -> None:
        check_whole("max_rules", self.max_rules, least=0)
        check_number("epsilon", self.epsilon, least=0, advice="say a number of bits of 0 or more")
        check_number("damping", self.damping, above=0)
        check_number("learning_rate", self.learning_rate, above=0, most=1)
        check_number("ridge", self.ridge, above=0)
        check_number("round_to", self.round_to, least=0)
        check_number("batch", self.batch, least=0, most=1)

    def fit(self, matrix: QuestionMatrix) -> VotingRules:
        """Choose rules, then fit their votes together."""
        ordered, counts = matrix.in_order()
        chosen = choose(ordered, counts, self)
        return self._fitted(ordered, counts, chosen.pairs)

    def _fitted(self, ordered: QuestionMatrix, counts: Floats, pairs: Ints) -> VotingRules:
        votes, bias = fit_votes(ordered, pairs, self.ridge)
        return assemble(ordered, counts, pairs, votes, bias, self.round_to)

    def along(
        self, train: QuestionMatrix, held: QuestionMatrix, grid: Mapping[str, Sequence[Any]]
    ) -> Iterator[Reached]:
        """Yield what each choice of parameters reaches on held-out rows.

        A shorter list, or one of a larger epsilon, is the beginning of a longer one. So rules are
        chosen once for each choice of the parameters that are not in :data:`ALONG`.
        """
        ordered, counts = train.in_order()
        others = [name for name in grid if name not in ALONG]
        shared = [name for name in grid if name in ALONG]
        for values in product(*(grid[name] for name in others)):
            so_far = replace(self, **dict(zip(others, values, strict=True)))
            longest = replace(
                so_far,
                max_rules=max(grid.get("max_rules", [self.max_rules])),
                epsilon=min(grid.get("epsilon", [self.epsilon])),
            )
            chosen = choose(ordered, counts, longest)
            reached: dict[tuple[int, float, float], tuple[Floats, int]] = {}
            for others_values in product(*(grid[name] for name in shared)):
                learner = replace(so_far, **dict(zip(shared, others_values, strict=True)))
                n = chosen.length(learner.max_rules, learner.epsilon)
                key = (n, learner.ridge, learner.round_to)
                if key not in reached:
                    fitted = learner._fitted(ordered, counts, chosen.pairs[:n])
                    reached[key] = fitted.predict_proba(held), fitted.n_rules
                yield {name: getattr(learner, name) for name in grid}, *reached[key]


@dataclass(frozen=True)
class Chosen:
    """Rules in the order in which they were chosen.

    Parameters
    ----------
    pairs
        ``(n, 2)`` the numbers of question and sense.
    gains
        ``(n,)`` the bits that each promised to save.
    """

    pairs: Ints
    gains: Floats

    def length(self, max_rules: int, epsilon: float) -> int:
        """Return the number of rules within bounds: those before the first of too small a gain."""
        too_small = np.flatnonzero(self.gains < epsilon)
        return int(min(max_rules, len(self.gains), *too_small[:1]))


def choose(matrix: QuestionMatrix, counts: Floats, learner: Evidence) -> Chosen:
    """Choose rules, round by round.

    With N the weight of the rows of a question: h = E (1 - E / N), the gain is
    (O - E)^2 / 2 (h + damping), and the step that promises it (O - E) / (h + damping), in nats. A
    round takes the rules of the greatest gains, but none that overlaps with those of its sense
    already taken in the round.

    Parameters
    ----------
    matrix, counts
        What :meth:`QuestionMatrix.in_order` gives, so that the first of equal gains is the right
        one.
    learner
        The parameters.
    """
    columns, K = matrix.by_question, len(matrix.senses)
    by_question = csr_array(
        (np.ones(columns.nnz), columns.indices, columns.indptr), shape=columns.shape[::-1]
    )
    N = counts.sum(axis=1, keepdims=True)
    scores = np.tile(_log_prior(matrix), (matrix.n_rows, 1))
    is_taken = np.zeros(counts.shape, dtype=bool)
    pairs: list[tuple[int, int]] = []
    gains: list[float] = []
    while len(pairs) < learner.max_rules:
        P = np.rint(softmax(scores) * P_GRID) / P_GRID
        expected = by_question @ (P * matrix.weight[:, None])
        h = np.maximum(expected * (1 - expected / N), 0) + learner.damping
        surplus = counts - expected
        gain = np.where(is_taken, 0.0, on_grid(surplus**2 / (2 * h) / np.log(2)))
        if K == 2:  # a vote against one is a vote for the other
            gain[is_taken.any(axis=1, keepdims=True) | (surplus < 0)] = 0.0
        wanted = min(max(int(learner.batch * len(pairs)), 1), learner.max_rules - len(pairs))
        is_true: Bools = np.zeros((K, matrix.n_rows), dtype=bool)  # of a rule of this round
        before = len(pairs)
        for cell in _greatest(gain.ravel(), 4 * wanted).tolist():
            question, sense = divmod(cell, K)
            saved = float(gain[question, sense])
            if saved < learner.epsilon:
                return Chosen(np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(gains))
            rows = columns.indices[columns.indptr[question] : columns.indptr[question + 1]]
            if is_true[sense, rows].mean() > OVERLAP:
                continue
            is_true[sense, rows] = True
            step = np.clip(surplus[question, sense] / h[question, sense], *STEPS)
            scores[rows, sense] += learner.learning_rate * step
            is_taken[question, sense] = True
            pairs.append((question, sense))
            gains.append(saved)
            if len(pairs) == before + wanted:
                break
        if len(pairs) == before:
            break
    return Chosen(np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(gains))


def _greatest(values: Floats, n: int) -> Ints:
    """Return the places of at most n greatest values above 0, the first of equal ones first."""
    least = max(np.partition(values, -n)[-n] if n < len(values) else 0.0, 2.0**-20)
    places = np.flatnonzero(values >= least)
    order: Ints = places[np.argsort(-values[places], kind="stable")][:n]
    return order


def _log_prior(matrix: QuestionMatrix) -> Floats:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(unigram(matrix.prior_counts())), NEVER)


def fit_votes(matrix: QuestionMatrix, pairs: Ints, ridge: float) -> tuple[Floats, Floats]:
    """Fit the votes of rules, and the bias of each sense, together: multinomial logistic loss.

    Parameters
    ----------
    matrix
        The training rows.
    pairs
        ``(n, 2)`` the question and the sense of each rule.
    ridge
        Half of it times the sum of the squared votes is added to the loss, which is the sum over
        rows, in nats. The bias is free.

    Returns
    -------
    tuple
        ``(n,)`` votes and ``(n_senses,)`` biases, in nats.
    """
    asked, place = np.unique(pairs[:, 0], return_inverse=True)
    true = matrix.select(asked).by_row.astype(np.float64)
    senses = pairs[:, 1]
    prior = _log_prior(matrix)
    seen = prior > NEVER
    rows, weight, outcome = np.arange(matrix.n_rows), matrix.weight, matrix.outcome
    total = weight.sum()
    transposed = true.T.tocsr()

    def loss(parameters: Floats) -> tuple[float, Floats]:
        votes, bias = parameters[: len(pairs)], np.full(len(prior), NEVER)
        bias[seen] = parameters[len(pairs) :]
        table = np.zeros((len(asked), len(prior)))
        table[place, senses] = votes
        scores = true @ table + bias
        scores -= scores.max(axis=1, keepdims=True)
        P = np.exp(scores)
        sums = P.sum(axis=1)
        nats = weight @ (np.log(sums) - scores[rows, outcome])
        P *= (weight / sums)[:, None]
        P[rows, outcome] -= weight
        slope = np.concatenate(
            [(transposed @ P)[place, senses] + ridge * votes, P.sum(axis=0)[seen]]
        )
        return (nats + ridge / 2 * votes @ votes) / total, slope / total

    found = minimize(
        loss,
        np.concatenate([np.zeros(len(pairs)), prior[seen]]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": MAX_ITERATIONS, "gtol": 1e-5},
    )
    bias = np.full(len(prior), NEVER)
    bias[seen] = found.x[len(pairs) :]
    return found.x[: len(pairs)], bias - bias[seen].mean()
