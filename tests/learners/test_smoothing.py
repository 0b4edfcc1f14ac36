"""Interpolated absolute discounting (Goodman 2002, section 3)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wsdlist.learners.smoothing import GRID, cost, discounted, entropy, on_grid, unigram

PRIOR = [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("counts", "probabilities", "predicted_entropy"),
    [
        ([3, 1, 0], [0.75, 0.18, 0.07], 1.025141),
        ([1, 0, 0], [0.65, 0.21, 0.14], 1.273901),
        ([0.4, 0.4, 0], [0.5, 0.3, 0.2], 1.485475),  # both below d: all of it is freed
        ([5, 0.2, 1], [0.822581, 0.077419, 0.1], 0.849740),
        ([0, 0, 0], [0.5, 0.3, 0.2], 1.485475),
    ],
)
def test_vectors(counts: list[float], probabilities: list[float], predicted_entropy: float) -> None:
    P = discounted(counts, PRIOR, 0.7)
    assert pytest.approx(probabilities, abs=1e-6) == P
    assert float(entropy(P)) == pytest.approx(predicted_entropy, abs=1e-6)


@given(
    counts=st.lists(st.integers(0, 4096), min_size=3, max_size=3),
    discount=st.floats(0, 5, allow_nan=False),
)
def test_it_sums_to_1_for_any_discount_and_weights(counts: list[int], discount: float) -> None:
    P = discounted(np.array(counts) / 1024, PRIOR, discount)
    assert P.sum() == pytest.approx(1)
    assert (P >= 0).all()


def test_without_discount_it_is_the_relative_frequency() -> None:
    assert discounted([3, 1, 0], PRIOR, 0.0).tolist() == [0.75, 0.25, 0]


def test_costs_lie_on_the_grid() -> None:
    bits = cost(np.random.default_rng(0).random(1000))
    assert (bits * GRID == np.rint(bits * GRID)).all()


@pytest.mark.parametrize(
    ("clean", "saved"), [(1, 0.379), (2, 1.445), (3, 2.463), (4, 3.472), (5, 4.477), (10, 9.486)]
)
def test_what_a_clean_rule_saves(clean: int, saved: float) -> None:
    """With a 50/50 prior and d = .7 a rule true of n instances of one sense saves so much."""
    P = discounted([clean, 0], [0.5, 0.5], 0.7)
    assert clean * (1 + np.log2(P[0])) == pytest.approx(saved, abs=5e-4)


def test_what_is_sure_costs_nothing_and_has_no_sign() -> None:
    """-0.0 would be printed as it is."""
    for bits in (cost(np.array([1.0])), entropy(np.array([1.0, 0.0]))):
        assert bits == 0
        assert not np.signbit(bits).any()


def test_the_grid_is_fine_enough_for_bits_as_people_read_them() -> None:
    assert on_grid(np.array([1.0 + 2.0**-20, 2.0**-22])).tolist() == [1.0 + 2.0**-20, 0.0]
    assert unigram([3, 1]).tolist() == [0.75, 0.25]
