"""Paired tests, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from wsdlist.evaluation.crossval import Crossed
from wsdlist.evaluation.significance import mcnemar, paired, paired_rounds
from wsdlist.features.sets import SETS
from wsdlist.models.recipe import Recipe
from wsdlist.reporting.text import p_values

# differences 0.1, 0.05, 0.05, 0.2: mean 0.1; squared deviations 0, 0.0025, 0.0025, 0.01, so that
# the variance is 0.015 / 3 = 0.005
FIRST, SECOND = [0.9, 0.8, 0.9, 0.8], [0.8, 0.75, 0.85, 0.6]


def p_of(t: float) -> float:
    """Return the two-sided p of Student's t with 3 degrees of freedom, which has a closed form."""
    x = t / math.sqrt(3)
    return 1 - 2 / math.pi * (x / (1 + x * x) + math.atan(x))


@pytest.mark.parametrize(
    ("test_to_train", "t"),
    [
        (1 / 3, 0.1 / math.sqrt((1 / 4 + 1 / 3) * 0.005)),  # four folds: 1.852
        (1 / 4, 0.1 / math.sqrt((1 / 4 + 1 / 4) * 0.005)),  # four splits that learn from 80%: 2
        (0, 0.1 / math.sqrt(0.005 / 4)),  # Student's: 2.828
    ],
)
def test_the_t_test_of_nadeau_and_bengio_by_hand(test_to_train: float, t: float) -> None:
    p, _ = paired_rounds(FIRST, SECOND, test_to_train)
    assert p == pytest.approx(p_of(t), abs=1e-9)
    assert paired_rounds(SECOND, FIRST, test_to_train)[0] == pytest.approx(p, abs=1e-9)


def test_p_values_of_the_worked_example() -> None:
    assert paired_rounds(FIRST, SECOND, 1 / 4)[0] == pytest.approx(0.1393, abs=5e-5)
    assert paired_rounds(FIRST, SECOND, 1 / 3)[0] == pytest.approx(0.1612, abs=5e-5)


def test_the_sign_test_counts_rounds_and_leaves_ties_out() -> None:
    assert paired_rounds([1, 1, 1, 0.5], [0, 0, 0, 0.5], 1 / 3)[1] == 2 / 2**3
    assert paired_rounds([1, 1, 1, 0], [0, 0, 0, 1], 1 / 3)[1] == 2 * (1 + 4) / 2**4


def test_rounds_that_do_not_differ_or_always_differ_by_the_same() -> None:
    assert paired_rounds([0.7, 0.8], [0.7, 0.8], 1) == (1, 1)
    assert paired_rounds([0.1 + 0.2, 0.8], [0.3, 0.8], 1) == (1, 1)  # a last bit is no difference
    assert paired_rounds([0.7, 0.8], [0.6, 0.7], 1) == (0, 1 / 2)
    for rounds in ([], [0.5]):
        assert all(map(math.isnan, paired_rounds(rounds, rounds, 1)))
    assert not math.isnan(paired_rounds([0.5, 0.6], [0.5, 0.5], 1)[0])


def test_mcnemars_p_is_that_of_so_many_heads() -> None:
    """1 head of 10 or fewer, or as many tails: 2 (1 + 10) / 2^10."""
    assert mcnemar(9, 1) == mcnemar(1, 9) == pytest.approx(22 / 1024)
    assert mcnemar(1, 0) == 1
    both, neither = 5, 4  # which say nothing of a difference
    first = [True] * 9 + [False] + [True] * both + [False] * neither
    second = [False] * 9 + [True] + [True] * both + [False] * neither
    assert paired(first, second) == pytest.approx(22 / 1024)
    assert math.isnan(paired([], []))
    with pytest.raises(ValueError, match="shorter"):
        paired([True], [])


def test_the_table_of_learners_corrects_by_its_own_folds() -> None:
    settings = Recipe("mfs", SETS["light"])
    one, two = (Crossed(settings, [], [], rounds, {}, 1 / 4) for rounds in (FIRST, SECOND))
    assert p_values([one, two], two)[1:] == paired_rounds(FIRST, SECOND, 1 / 4)
