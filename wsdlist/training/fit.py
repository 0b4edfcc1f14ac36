"""Learning one expert by a recipe: find its questions, tune its parameters, fit its list."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from wsdlist.data.corpus import Instance, Item
from wsdlist.data.folds import deal
from wsdlist.errors import InputError
from wsdlist.features import extract
from wsdlist.features.extract import unasked
from wsdlist.features.labels import Labelled, label
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.learners import learner as make_learner
from wsdlist.learners import learner_class
from wsdlist.learners.fitted.base import Fitted
from wsdlist.models.expert import Expert
from wsdlist.models.recipe import Recipe
from wsdlist.models.tagging import words_of
from wsdlist.training.trials import TuningTable
from wsdlist.training.tuning import cells, leave_one_out_discount, tune

EXAMPLES = 3  # ids kept for each rule
Labels: TypeAlias = Sequence[Sequence[str]]


def fit(recipe: Recipe, lexelt: str, items: Sequence[Item], labels: Labels) -> Expert:
    """Learn the expert of one lexelt, after tuning its own parameters if some are ``auto``.

    Parameters
    ----------
    recipe
        How it is learned.
    lexelt
        The word, or the name of the table.
    items, labels
        Its training instances and the gold senses of each. Those without a sense are left out.

    Raises
    ------
    InputError
        When no instance has a sense, or lacks an annotation that the questions ask for.
    """
    known = [(item, gold) for item, gold in zip(items, labels, strict=True) if gold]
    if not known:
        raise InputError(f"{lexelt} has no instance with a sense", "give it one, or leave it out")
    items, labels = [item for item, _ in known], [gold for _, gold in known]
    if len(known) < recipe.min_instances:
        recipe = Recipe("mfs", recipe.features, multi=recipe.multi, missing=recipe.missing)
    rows = label(labels, recipe.multi)
    matrix = question_matrix(recipe, items, labels, rows)
    trials = None
    if recipe.tried:
        tried = with_own_estimate(recipe, lexelt, items, labels)
        trials = tune_word(tried, lexelt, items, labels, rows, matrix)
        recipe = recipe.settled(trials.best)
    fitted = make_learner(recipe.learner, **recipe.parameters).fit(matrix)
    forms = {" ".join(words_of(item.target_form)) for item in items if isinstance(item, Instance)}
    return Expert(
        lexelt,
        fitted.without_training_rows(),
        len(items),
        dict(zip(matrix.senses, matrix.prior_counts().tolist(), strict=True)),
        tuple(sorted(forms - {""})),
        recipe.to_record()["parameters"],
        trials.to_record() if trials else None,
        _examples(fitted, rows, items, labels),
    )


def question_matrix(
    recipe: Recipe, items: Sequence[Item], labels: Labels, rows: Labelled | None = None
) -> QuestionMatrix:
    """Find the questions of training instances and answer them.

    Parameters
    ----------
    recipe
        What is asked.
    items, labels
        Training instances and the gold senses of each.
    rows
        The gold senses as rows, if they were made before.
    """
    rows = label(labels, recipe.multi) if rows is None else rows
    if not _may_ask(recipe, rows):
        return unasked(rows)
    return extract(
        items,
        labels,
        recipe.features,
        min_count=recipe.min_count,
        multi=recipe.multi,
        save_space=bool(recipe.parameters.get("save_space")),
        table_questions=recipe.table_questions,
        rows=rows,
    )


def _may_ask(recipe: Recipe, rows: Labelled) -> bool:
    """Say whether any question can be worth a rule to the learner."""
    may_ask = getattr(learner_class(recipe.learner), "may_ask", None)
    epsilons = recipe.tried.get("epsilon", [recipe.fixed.get("epsilon")])
    if may_ask is None or None in epsilons:
        return True
    counts = np.bincount(rows.outcome, rows.weight, len(rows.senses))
    return any(may_ask(counts, epsilon) for epsilon in epsilons)


def tune_word(
    recipe: Recipe,
    lexelt: str,
    items: Sequence[Item],
    labels: Labels,
    rows: Labelled | None = None,
    matrix: QuestionMatrix | None = None,
) -> TuningTable:
    """Try what is to be tuned on held-out parts of the training instances of a word.

    Parameters
    ----------
    recipe
        The learner, its parameters, and which of them are tuned by what.
    lexelt, items, labels
        The word, its training instances and the gold senses of each.
    rows, matrix
        The gold senses as rows, and their answers, if they were made before.
    """
    rows = label(labels, recipe.multi) if rows is None else rows
    matrix = question_matrix(recipe, items, labels, rows) if matrix is None else matrix
    return tune(recipe, lexelt, labels, rows, matrix, functools.partial(deal, items, labels))


def cells_of(recipe: Recipe, lexelt: str, items: Sequence[Item], labels: Labels) -> tuple[int, int]:
    """Count the cells by which the leave-one-out discount is estimated.

    They are those of all questions before any minimum count, see
    :func:`wsdlist.training.tuning.cells`.
    """
    every_question = extract(
        items,
        labels,
        recipe.features,
        min_count=1,
        multi="first",
        save_space=True,
        table_questions=recipe.table_questions,
    )
    return cells(every_question.counts())


def with_estimate(recipe: Recipe, counted: Iterable[tuple[int, int]]) -> Recipe:
    """Return the recipe with the leave-one-out discount among those to try.

    ``counted`` are the cells of count 1 and 2 of each word, see :func:`cells_of`.
    """
    n1, n2 = np.sum([(0, 0), *counted], axis=0).tolist()
    discounts = sorted({*recipe.tried["discount"], leave_one_out_discount(n1, n2)})
    parameters = {name: value for name, value in recipe.parameters.items() if name != "discount"}
    return replace(recipe, parameters=parameters, grid={"discount": discounts, **recipe.grid})


def with_own_estimate(recipe: Recipe, lexelt: str, items: Sequence[Item], labels: Labels) -> Recipe:
    """Return the recipe with the leave-one-out discount of one word, if discounts are tuned."""
    if not recipe.estimates_discount:
        return recipe
    return with_estimate(recipe, [cells_of(recipe, lexelt, items, labels)])


def _examples(
    fitted: Fitted, rows: Labelled, items: Sequence[Item], labels: Labels
) -> tuple[tuple[str, ...], ...]:
    """Return, for each rule and the default, ids of instances that it answers rightly."""
    answered = fitted.answered
    if answered is None:
        return ()
    answers = fitted.senses_of_rules()
    ids: list[set[str]] = [set() for _ in answers]
    for instance, place in zip(rows.instance.tolist(), answered.tolist(), strict=True):
        if answers[place] in labels[instance]:
            ids[place].add(items[instance].id)
    return tuple(tuple(sorted(of_rule)[:EXAMPLES]) for of_rule in ids)
