"""What answers are worth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.evaluation.scores import Score, score_word, total
from wsdlist.evaluation.significance import mcnemar
from wsdlist.readers import read
from wsdlist.training.measures import macro_f1
from wsdlist.training.train import train


def test_accuracy_bits_and_unknown_senses() -> None:
    P = np.array([[0.5, 0.5], [0.25, 0.75], [0.9, 0.1], [0.9, 0.1]])
    score = score_word([{"a"}, {"a", "b"}, {"c"}, {"b", "c"}], P, ("a", "b"))
    assert (score.instances, score.answered, score.right) == (4, 4, 2)
    assert score.accuracy == 0.5
    assert (score.unknown, score.gold_senses, score.coded) == (2, 6, 3)
    assert score.bits == pytest.approx((1 + (2 - math.log2(0.75)) / 2 - math.log2(0.1)) / 3)
    assert score.to_record()["bits_with_unknown"] is None


def test_markers_are_strings_for_accuracy_and_no_senses_for_bits() -> None:
    score = score_word([{"U"}, {"P", "a"}], np.array([[1.0], [1.0]]), ("a",), {"U", "P"})
    assert (score.instances, score.right, score.gold_senses, score.unknown) == (2, 1, 1, 0)
    assert score.bits == 0


def test_nothing_answered_and_nothing_asked() -> None:
    none = score_word([{"a"}], None, ())
    assert (none.instances, none.answered, none.accuracy) == (1, 0, 0)
    assert (none.right, none.total_bits, none.coded, none.macro_f1) == (0, 0, 0, 0)
    assert (none.unknown, none.gold_senses, none.backed_off) == (1, 1, 0)
    known = score_word([{"a"}], np.array([[1.0]]), ("a",))
    assert math.copysign(1, known.bits) == 1, "no minus zero is printed"
    both = total([none, known])
    assert (both.instances, both.answered, both.right, both.macro_f1) == (2, 1, 1, 0.5)
    empty = total([])
    assert math.isnan(empty.macro_f1)
    assert math.isnan(empty.accuracy)
    assert empty.to_record()["accuracy"] is None


def test_macro_f1_sees_rare_senses() -> None:
    gold = [{"a"}] * 9 + [{"b"}]
    assert macro_f1(gold, ["a"] * 10) == pytest.approx((18 / 19 + 0) / 2)
    assert macro_f1(gold, ["a"] * 9 + ["b"]) == 1
    assert macro_f1([{"a", "b"}], ["b"]) == 1  # one of the set is enough


def test_zero_probability_costs_infinity_and_json_says_null() -> None:
    score = score_word([{"b"}], np.array([[1.0, 0.0]]), ("a", "b"))
    assert math.isinf(score.bits)
    assert score.to_record()["bits"] is None


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(5, 0) == pytest.approx(2 / 32)
    assert mcnemar(5, 5) == 1


@pytest.mark.slow
def test_most_frequent_sense_of_senseval_has_its_published_recall(shared: Path) -> None:
    """48.2 and 55.3 where several answers of a training instance share one vote."""
    for name, recall in (("senseval2-en-ls", 48.2), ("senseval3-en-ls", 55.3)):
        parts = read([shared / "wsd" / name])
        assert parts.test is not None
        model = train(parts.train, learner="mfs", features="light")
        score: Score = summary(evaluate(model, parts.test)).score
        assert round(100 * score.accuracy, 1) == recall


@pytest.mark.slow
def test_lists_beat_the_most_frequent_sense_on_senseval_3(shared: Path) -> None:
    parts = read([shared / "wsd" / "senseval3-en-ls"])
    assert parts.test is not None
    row = summary(
        evaluate(train(parts.train, features="light", discount=0.9, epsilon=3.0), parts.test)
    )
    assert row.score.accuracy > 0.62
    assert row.score.bits < row.mfs.bits - 0.15
