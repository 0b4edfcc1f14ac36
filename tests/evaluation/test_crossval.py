"""Cross-validation: what its folds and splits give, put together."""

from __future__ import annotations

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.evaluation.crossval import crossval
from wsdlist.features.sets import SETS
from wsdlist.models.recipe import Recipe


def corpus(*senses: tuple[str, ...]) -> Corpus:
    instances = [
        Instance(f"i{n}", "bank.n", ("a", "bank", f"x{n}"), (1, 2), senses=gold)
        for n, gold in enumerate(senses)
    ]
    return Corpus(list(instances))


def test_a_right_answer_stands_on_the_diagonal_whichever_gold_sense_it_is() -> None:
    """The most frequent sense is right for all, for most as the second of two gold senses."""
    instances = corpus(*[("money",)] * 6, *[("branch", "money")] * 3)
    (crossed,) = crossval(instances, [Recipe("mfs", SETS["light"])], folds=3)
    assert crossed.results[0].score.accuracy == 1
    assert crossed.confusion == {"bank.n": {("money", "money"): 9}}


def test_a_wrong_answer_counts_to_the_first_gold_sense() -> None:
    instances = corpus(*[("money",)] * 8, ("shore", "slope"))
    (crossed,) = crossval(instances, [Recipe("mfs", SETS["light"])], folds=3)
    assert crossed.confusion == {"bank.n": {("money", "money"): 8, ("shore", "money"): 1}}


def test_folds_and_splits_know_how_much_they_test_for_what_they_learn_from() -> None:
    instances, settings = corpus(*[("money",)] * 10), [Recipe("mfs", SETS["light"])]
    (folds,) = crossval(instances, settings, folds=5, repeat=2)
    assert folds.test_to_train == 1 / 4
    (splits,) = crossval(instances, settings, splits=3, train_share=0.75)
    assert splits.test_to_train == 1 / 3
