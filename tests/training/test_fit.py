"""One expert learned by a recipe, and the parameters that are chosen for it on held-out parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.conftest import seed_records
from wsdlist.data.arrays import Ints
from wsdlist.data.corpus import Instance, Item
from wsdlist.errors import InputError
from wsdlist.features.labels import label
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.learners.smoothing import cost, unigram
from wsdlist.models.recipe import STANDARD_GRIDS, Recipe, recipe_of
from wsdlist.training._held_out import Split
from wsdlist.training.fit import cells_of, fit, question_matrix, with_estimate, with_own_estimate
from wsdlist.training.trials import Trial, TuningTable
from wsdlist.training.tuning import cells, tune

ITEMS = [
    Instance(r["id"], "bank.n", tuple(r["tokens"]), (r["target"], r["target"] + 1))
    for r in seed_records()
]
LABELS = [(*record["senses"],) for record in seed_records()]
RECIPE = recipe_of("prepend", "light", {"discount": 0.9, "epsilon": 0.5})


# -- one expert --


def test_the_examples_of_a_rule_are_instances_that_it_answers_rightly() -> None:
    expert = fit(RECIPE, "bank.n", ITEMS, LABELS)
    answers = expert.answer(ITEMS)
    n = len(expert.rules)
    assert n > 2
    assert len(expert.examples) == n + 1
    for place, ids in enumerate(expert.examples):
        right = sorted(
            item.id
            for item, gold, answer in zip(ITEMS, LABELS, answers, strict=True)
            if (n if answer.rule is None else answer.rule - 1) == place and answer.sense in gold
        )
        assert list(ids) == right[:3]
    assert max(map(len, expert.examples)) == 3
    assert expert.decision_list.answered is None, "what only training needs is forgotten"


def test_an_expert_knows_what_it_was_learned_from() -> None:
    items: list[Item] = [replace(ITEMS[0], forms=("The", "Banks", "."), target=(1, 2)), *ITEMS[1:]]
    labels = [("money", "shore"), *LABELS[1:]]
    expert = fit(RECIPE, "bank.n", items, labels)
    assert (expert.lexelt, expert.instances) == ("bank.n", 12)
    assert expert.prior == {"money": 6.5, "shore": 5.5}
    assert expert.forms == ("bank", "banks")
    assert expert.parameters["discount"] == 0.9
    assert expert.tuning is None


def test_instances_without_a_sense_are_left_out() -> None:
    known = fit(RECIPE, "bank.n", ITEMS[1:], LABELS[1:])
    some = fit(RECIPE, "bank.n", ITEMS, [(), *LABELS[1:]])
    assert some.to_record() == known.to_record()
    assert some.instances == 11
    with pytest.raises(InputError, match=r"bank\.n has no instance with a sense"):
        fit(RECIPE, "bank.n", ITEMS, [()] * 12)


def test_a_word_with_fewer_instances_than_wanted_gets_its_most_frequent_sense() -> None:
    enough = fit(replace(RECIPE, min_instances=12), "bank.n", ITEMS, LABELS)
    assert enough.rules
    both = [("shore", "money"), *LABELS[1:]]
    recipe = replace(RECIPE, min_instances=13, multi="all")
    too_few = fit(recipe, "bank.n", ITEMS, both)
    assert too_few.rules == ()
    assert too_few.prior == {"money": 7.0, "shore": 6.0}
    assert too_few.parameters == {}
    assert fit(replace(recipe, min_instances=12), "bank.n", ITEMS, [*both[:-1], ()]).rules == ()


def test_nothing_is_asked_if_no_rule_can_save_enough() -> None:
    """The default costs so many bits; no list saves more."""
    prior = unigram([7, 5])
    bits = float(cost(prior) @ np.array([7, 5]))
    for epsilon, asks in ((bits, True), (np.nextafter(bits, np.inf), False)):
        recipe = recipe_of("prepend", "light", {"discount": 0.9, "epsilon": epsilon})
        assert bool(question_matrix(recipe, ITEMS, LABELS).n_questions) is asks
    tried = recipe_of("prepend", "light", {"discount": 0.9}, grid={"epsilon": [1e9, 1.0]})
    assert question_matrix(tried, ITEMS, LABELS).n_questions
    tried = recipe_of("prepend", "light", {"discount": 0.9}, grid={"epsilon": [1e9, 1e8]})
    assert not question_matrix(tried, ITEMS, LABELS).n_questions
    compromise = recipe_of("compromise", "light", {"epsilon": 1e9})
    assert question_matrix(compromise, ITEMS, LABELS).n_questions
    one_sense = question_matrix(RECIPE, ITEMS[:7], LABELS[:7])
    assert (one_sense.n_questions, one_sense.n_rows) == (0, 7)
    at_any_price = recipe_of("prepend", "light", {"discount": 0.9, "epsilon": 0.0})
    assert not question_matrix(at_any_price, ITEMS[:7], LABELS[:7]).n_questions


def test_a_question_must_be_true_of_enough_instances() -> None:
    every = question_matrix(replace(RECIPE, min_count=1), ITEMS, LABELS)
    times = every.counts().sum(axis=1)
    for min_count in (1, 2, 3, 5, 6):
        matrix = question_matrix(replace(RECIPE, min_count=min_count), ITEMS, LABELS)
        assert matrix.n_questions == (times >= min_count).sum() > 0


def test_the_discount_is_estimated_from_all_questions_and_first_senses() -> None:
    """Whatever the minimum count, and with whole weights."""
    recipe = replace(RECIPE, parameters={"discount": "auto", "epsilon": 0.5}, min_count=5)
    every = question_matrix(replace(RECIPE, min_count=1), ITEMS, LABELS).counts()
    both = [(*gold, "other") for gold in LABELS]
    n1, n2 = cells_of(recipe, "bank.n", ITEMS, both)
    assert (n1, n2) == cells(every)
    assert cells(np.array([[1, 2], [2, 0], [1, 1], [0.5, 3]])) == (3, 2)
    estimate = round(n1 / (n1 + 2 * n2), 4)
    tried = with_own_estimate(recipe, "bank.n", ITEMS, both).tried
    assert tried["discount"] == sorted({*STANDARD_GRIDS["discount"], estimate})
    assert with_own_estimate(RECIPE, "bank.n", ITEMS, LABELS) is RECIPE
    assert with_estimate(recipe, [(6, 1), (0, 1)]).tried["discount"].count(0.6) == 1
    assert "epsilon" not in with_estimate(recipe, []).tried


# -- held-out parts --


def of_one_question(n: int, senses: str = "ab") -> tuple[QuestionMatrix, list[tuple[str, ...]]]:
    """Rows of which the question is true of every second; a third of them have another sense."""
    outcome = [1 if n % 3 == 0 else 0 for n in range(n)] if len(senses) > 1 else [0] * n
    true = [[int(n % 2 == 0)] for n in range(n)]
    matrix = QuestionMatrix.from_matrix(true, outcome, senses, questions=["q"])
    return matrix, [(senses[y],) for y in outcome]


TRIED = Recipe(
    "compromise", grid={"epsilon": [0.0, 1e6]}, parameters={"discount": 0.5}, min_count=1
)


def tuned(n: int, deal: Callable[[int], Ints], senses: str = "ab", **given: Any) -> TuningTable:
    matrix, labels = of_one_question(n, senses)
    recipe = replace(TRIED, **given)
    return tune(recipe, "w", labels, label(labels, recipe.multi), matrix, deal)


@pytest.mark.parametrize(("n", "folds", "held_out"), [(999, 5, 999), (1000, 10, 100)])
def test_many_instances_make_one_held_out_tenth_enough(n: int, folds: int, held_out: int) -> None:
    asked: list[int] = []

    def deal(n_parts: int) -> Ints:
        asked.append(n_parts)
        return np.arange(n) % n_parts

    table = tuned(n, deal)
    assert asked == [folds]
    assert [trial.instances for trial in table.trials] == [held_out] * 2
    assert [trial.words for trial in table.trials] == [1, 1]
    assert table.notes == ()


def test_what_cannot_be_tuned_says_why() -> None:
    assert tuned(9, lambda n: np.arange(9) % n, "a").notes == ("w: one sense, nothing to choose",)
    why = "w: too few contexts to hold any out, nothing to choose"
    for folds in (np.zeros(9, dtype=np.int64), np.full(9, -1)):
        table = tuned(9, lambda _, folds=folds: folds, tune_for="accuracy")  # type: ignore[misc]
        assert (table.trials, table.notes, table.criterion) == ((), (why,), "accuracy")
    table = tuned(9, lambda _: np.arange(9) // 3)
    assert table.notes == ("w: 3 held-out parts instead of 5",)
    assert table.trials[0].instances == 9
    table = tuned(9, lambda _: np.arange(9) % 5, tune_for="macro-f1")
    assert (table.notes, table.criterion) == ((), "macro-f1")


def test_folds_are_added_up_and_measures_of_words_averaged() -> None:
    """Each fold by hand: the list of the rest answers the part."""
    matrix, labels = of_one_question(30)
    folds = np.arange(30) % 5
    table = tune(TRIED, "w", labels, label(labels), matrix, lambda _: folds)
    for trial, epsilon in zip(table.trials, (0.0, 1e6), strict=True):
        assert trial.parameters == {"epsilon": epsilon}
        of_folds: list[Trial] = []
        for part in range(5):
            (of_fold,) = Split(matrix, label(labels).instance, labels, folds, part, 1).trials(
                replace(TRIED, grid={"epsilon": [epsilon]})
            )
            of_folds.append(of_fold)
            assert (of_fold.instances, of_fold.words) == (6, 1)
        for name, total in (
            ("bits", sum),
            ("right", sum),
            ("macro_f1", np.mean),
            ("rules", np.mean),
        ):
            assert getattr(trial, name) == pytest.approx(
                total([getattr(t, name) for t in of_folds])
            )


def test_of_several_senses_the_first_is_the_right_one_if_only_first_ones_are_learned() -> None:
    matrix, labels = of_one_question(30)
    both = [(*gold, "a") for gold in labels]  # b first, then a, in a third of them

    def tuned_by(multi: str) -> list[int]:
        recipe = replace(TRIED, multi=multi, grid={"epsilon": [1e6]})
        rows = label(labels)
        table = tune(recipe, "w", both, rows, matrix, lambda n: np.arange(30) % n)
        return [trial.right for trial in table.trials]

    assert (tuned_by("first"), tuned_by("split")) == ([20], [30])


def split(
    matrix: QuestionMatrix,
    labels: Sequence[Sequence[str]],
    folds: Sequence[int],
    min_count: int = 1,
) -> Split:
    instance = label(labels).instance
    return Split(matrix, instance, labels, np.array(folds), 0, min_count)


def test_the_minimum_count_is_of_the_instances_that_are_learned_from() -> None:
    """Question 0 is true of two instances outside the part, question 1 of one."""
    rows = [[1, 1], [1, 1], [1, 0], [0, 0]]
    matrix = QuestionMatrix.from_matrix(rows, [0, 1, 0, 1], "ab", questions=["p", "q"])
    labels = [("a",), ("b",), ("a",), ("b",)]
    for min_count, kept in ((1, ["p", "q"]), (2, ["p"]), (3, [])):
        part = split(matrix, labels, [0, 1, 1, 1], min_count)
        assert list(part.train.questions) == list(part.held.questions) == kept
        assert (part.train.n_rows, part.held.n_rows) == (3, 1)


def test_an_instance_of_two_senses_counts_once_and_pays_for_both() -> None:
    """It has two rows; it is right if either is answered, and its bits are their mean."""
    labels = [("a", "b"), ("a",), ("a",), ("a",), ("b",), ("a", "b")]
    rows = label(labels)
    true = np.array([[n % 2] for n in rows.instance.tolist()])
    matrix = QuestionMatrix.from_matrix(
        true, rows.outcome, rows.senses, weight=rows.weight, questions=["q"]
    )
    part = split(matrix, labels, [0, 1, 1, 1, 1, 1])
    assert (part.train.n_rows, part.held.n_rows) == (6, 1)
    assert part.member.tolist() == [[True, True]]
    last = split(matrix, labels, [1, 1, 1, 1, 1, 0])
    assert last.held.by_row.toarray().tolist() == [[1]]  # question q is true of the last one
    assert part.held.by_row.toarray().tolist() == [[0]]
    (trial,) = part.trials(replace(TRIED, grid={"epsilon": [1e6]}))
    prior = unigram(part.train.prior_counts())
    assert prior.tolist() == [3.5 / 5, 1.5 / 5]
    assert (trial.right, trial.instances) == (1, 1)
    assert trial.bits == float(cost(prior).mean())
    assert trial.macro_f1 == 1


@pytest.mark.parametrize("reestimate", ["none", "default", "rules"])
def test_the_path_of_prepend_reaches_what_each_list_does(reestimate: str) -> None:
    """The trials of one greedy run are those of a list learned for each choice."""
    rng = np.random.default_rng(4)
    outcome = rng.integers(0, 3, 80)
    rows = rng.random((80, 9)) < 0.2 + 0.2 * (outcome[:, None] == np.arange(9) % 3)
    matrix = QuestionMatrix.from_matrix(rows, outcome, "abc", questions=list("qrstuvwxy"))
    labels = [("abc"[y],) for y in outcome.tolist()]
    part = split(matrix, labels, (np.arange(80) % 4).tolist())
    grid: dict[str, Sequence[Any]] = {"discount": [0.9, 0.3], "epsilon": [0.0, 2.0, 0.5]}
    recipe = Recipe("prepend", grid=grid, parameters={"reestimate": reestimate})
    along = part.trials(recipe)
    assert [tuple(trial.parameters.values()) for trial in along] == [
        (d, e) for d in grid["discount"] for e in grid["epsilon"]
    ]
    limited = part.trials(replace(recipe, parameters={"reestimate": reestimate, "max_rules": 99}))
    assert [(t.right, t.rules) for t in along] == [(t.right, t.rules) for t in limited]
    for one, other in zip(along, limited, strict=True):
        assert one.bits == pytest.approx(other.bits, abs=1e-4)
    assert len({trial.rules for trial in along}) > 1


def test_a_rule_that_saves_exactly_epsilon_is_in_the_list_on_the_path_too() -> None:
    """Without discount it saves a bit in each of the four rows that it is true of."""
    matrix = QuestionMatrix.from_matrix(
        [[1], [0]] * 5, [0, 1] * 5, "ab", questions=["q"], members=[[0]]
    )
    labels = [("a",), ("b",)] * 5
    part = split(matrix, labels, [0, 0] + [1] * 8)
    for epsilon, rules in ((4.0, 1), (np.nextafter(4.0, 5), 0)):
        recipe = Recipe("prepend", grid={"epsilon": [epsilon]}, parameters={"discount": 0.0})
        (trial,) = part.trials(recipe)
        assert trial.rules == rules


def test_a_word_that_tunes_itself_is_fitted_by_what_it_chose() -> None:
    recipe = Recipe("prepend", RECIPE.features, {"discount": 0.9, "epsilon": "auto"})
    expert = fit(recipe, "bank.n", ITEMS, LABELS)
    assert expert.tuning is not None
    best = expert.tuning["best"]
    assert expert.parameters == {**RECIPE.parameters, **best}
    again = fit(replace(recipe, parameters={**recipe.parameters, **best}), "bank.n", ITEMS, LABELS)
    assert isinstance(again.fitted, DecisionList)
    assert again.fitted.to_record() == expert.fitted.to_record()
