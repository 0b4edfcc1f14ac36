"""Cross-validation of learners on the same folds, or on the same random splits."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from wsdlist.data.arrays import Ints
from wsdlist.data.checks import A_CORPUS, check_kind, check_whole
from wsdlist.data.corpus import Corpus
from wsdlist.data.folds import deal, draw, folded
from wsdlist.errors import ParameterError
from wsdlist.evaluation.evaluate import Result
from wsdlist.evaluation.scores import confusion, score_word, total
from wsdlist.models.recipe import Recipe
from wsdlist.training.fit import fit
from wsdlist.training.measures import macro_f1
from wsdlist.training.parallel import Progress, parallel
from wsdlist.training.prepare import Known, Words, labelled
from wsdlist.training.train import settle


def check_folds(folds: int) -> None:
    """Refuse fewer than two folds."""
    check_whole("folds", folds, least=2)


@dataclass(frozen=True)
class Crossed:
    """The results of a learner over folds or splits, in the same order for every learner.

    Parameters
    ----------
    recipe
        How it learned.
    results
        By word.
    right
        Whether the answer was right, for each instance tested in the first repetition. Empty for
        random splits, which test some instances more than once and others never.
    rounds
        The accuracy over all words in each fold or split.
    confusion
        By word, how often an instance of a gold sense got an answer: ``(gold, answer)``, see
        :func:`wsdlist.evaluation.scores.confusion`.
    test_to_train
        How many instances a fold or split tests for each one that it learns from.
    """

    recipe: Recipe
    results: list[Result]
    right: list[bool]
    rounds: list[float]
    confusion: dict[str, Counter[tuple[str, str]]]
    test_to_train: float

    @property
    def deviation(self) -> float:
        """The standard deviation of the accuracy over folds or splits; nan for a single one."""
        return float(np.std(self.rounds, ddof=1)) if len(self.rounds) > 1 else float("nan")


def crossval(
    corpus: Corpus,
    recipes: Sequence[Recipe],
    *,
    folds: int = 10,
    repeat: int = 1,
    seed: int = 0,
    tested: int | None = None,
    splits: int | None = None,
    train_share: float = 0.8,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Crossed]:
    """Cross-validate learners on the same folds, or on the same random splits.

    Words without two different contexts are left out. Every instance of the others that has a
    sense is tested once in each repetition, by lists that never saw it nor a near copy of it.
    Questions are found and parameters are tuned anew on the training part of each fold. Sizes are
    means over folds.

    Parameters
    ----------
    corpus, recipes
        The instances, which are dealt into folds, and how each learner learns.
    folds, repeat, seed
        How many folds, how many times instances are dealt anew, and the seed of the dealing.
    tested
        How many of the folds are tested; all by default.
    splits, train_share
        How many random splits to use instead of folds, and the share of each to learn from.
    jobs, progress
        How many processes, and a function that is told how many rounds are done.

    Raises
    ------
    ParameterError
        When a number is out of range, or a corpus or recipe is none.
    """
    _check(corpus, recipes, folds, repeat, seed, splits, train_share)
    if splits is not None:
        repeat, tested = splits, 1
    known = labelled(corpus).items()
    words = {word: data for word, data in known if len({*map(folded, data[0])}) > 1}
    outcomes: list[list[_Tested]] = [[] for _ in recipes]
    rounds = list(product(range(repeat), range(folds if tested is None else tested)))
    for done, at in enumerate(rounds):
        share = None if splits is None else train_share
        parts = _dealt(words, folds, share, seed + at[0])
        pairs = _take_out(words, parts, at[1])
        for number, recipe in enumerate(recipes):
            outcomes[number] += _round(recipe, at, pairs, corpus.markers, jobs)
            if progress:
                n_done, n_all = done * len(recipes) + number + 1, len(rounds) * len(recipes)
                progress("cross-validating", n_done, n_all)
    test_to_train = 1 / (folds - 1) if splits is None else (1 - train_share) / train_share
    crossed = [
        Crossed(recipe, *_gather(words, outcome, corpus.markers), test_to_train)
        for recipe, outcome in zip(recipes, outcomes, strict=True)
    ]
    return crossed if splits is None else [replace(run, right=[]) for run in crossed]


def _check(corpus: Corpus, recipes: Sequence[Recipe], *numbers: Any) -> None:
    """Refuse what is no corpus, what is no list of recipes, and numbers out of range."""
    _check_numbers(*numbers)
    check_kind("corpus", corpus, Corpus, f"give {A_CORPUS}")
    check_kind("recipes", recipes, (list, tuple), "give a list of Recipes")
    if not recipes:
        raise ParameterError("there are no recipes", "give at least one")
    for recipe in recipes:
        check_kind("a recipe", recipe, Recipe, "make one with wsdlist.recipe_of")


def _round(
    recipe: Recipe,
    at: tuple[int, int],
    pairs: dict[str, tuple[Known, Known]],
    markers: Iterable[str],
    jobs: int,
) -> list[_Tested]:
    """Return what a learner reaches in one fold or split, word by word."""
    settled, _ = settle(recipe, {word: known for word, (known, _) in pairs.items()}, jobs)
    return parallel(functools.partial(_fit_and_test, settled, at, markers), pairs, jobs)


def _dealt(words: Words, folds: int, train_share: float | None, seed: int) -> dict[str, Ints]:
    """Return the fold of each instance, by word; for a random split 0 is what is tested, 1 not."""
    if train_share is None:
        return {word: deal(*data, folds, seed) for word, data in words.items()}
    return {word: draw(*data, train_share, seed) for word, data in words.items()}


def _check_numbers(
    folds: int, repeat: int, seed: int, splits: int | None, train_share: float
) -> None:
    check_folds(folds)
    check_whole("repeat", repeat)
    check_whole("seed", seed, least=0)
    if splits is None:
        return
    check_whole("splits", splits)
    if not 0 < train_share < 1:
        raise ParameterError(f"train is {train_share}", "say a number between 0 and 1")
    if repeat != 1:
        raise ParameterError("random splits are repeated by their number", "say more splits")


@dataclass(frozen=True)
class _Tested:
    """The result of one word in one fold or split."""

    lexelt: str
    at: tuple[int, int]  # the repetition, the fold
    result: Result
    gold: list[tuple[str, ...]]
    answers: list[str]
    most_frequent: list[str]  # the sense that was it in training, for each instance


def _take_out(words: Words, parts: dict[str, Ints], part: int) -> dict[str, tuple[Known, Known]]:
    """Return what a fold learns from and what it is tested on, of the words that have both."""
    pairs = {}
    for word, (instances, labels) in words.items():
        both = []
        for chosen in (parts[word] != part, parts[word] == part):
            rows = np.flatnonzero(chosen).tolist()
            both.append(([instances[row] for row in rows], [labels[row] for row in rows]))
        train, test = both
        if train[0] and test[0]:
            pairs[word] = (train, test)
    return pairs


def _fit_and_test(
    recipe: Recipe,
    at: tuple[int, int],
    markers: Iterable[str],
    lexelt: str,
    known: Known,
    held: Known,
) -> _Tested:
    expert = fit(recipe, lexelt, *known)
    asked, gold = held
    P = expert.predict_proba(asked)
    mfs = expert.most_frequent(len(asked))
    result = Result(
        lexelt,
        len(expert.senses),
        len(known[0]),
        score_word(gold, P, expert.senses, tuple(markers)),
        score_word(gold, mfs, expert.senses, tuple(markers)),
        expert.size.rules,
        expert.size.conditions,
    )
    answers, frequent = ([expert.senses[best] for best in Q.argmax(axis=1)] for Q in (P, mfs))
    return _Tested(lexelt, at, result, gold, answers, frequent)


def _gather(
    words: Words, tested: Sequence[_Tested], markers: Iterable[str]
) -> tuple[list[Result], list[bool], list[float], dict[str, Counter[tuple[str, str]]]]:
    """Pool the folds of each word into the fields of :class:`Crossed`."""
    results, right = [], []
    confused: dict[str, Counter[tuple[str, str]]] = {}
    of_word: dict[str, list[_Tested]] = {word: [] for word in words}
    for fold in tested:
        of_word[fold.lexelt].append(fold)
    for word, folds in of_word.items():
        if not folds:
            continue
        n_senses = len({sense for senses in words[word][1] for sense in senses})
        results.append(_pooled(word, n_senses, folds, tuple(markers)))
        right += [
            answer in senses
            for fold in folds
            if fold.at[0] == 0
            for answer, senses in zip(fold.answers, fold.gold, strict=True)
        ]
        gold, answers, _ = _joined(folds)
        confused[word] = confusion(gold, answers)
    rounds = [
        total(fold.result.score for fold in tested if fold.at == at).accuracy
        for at in dict.fromkeys(fold.at for fold in tested)
    ]
    return results, right, rounds, confused


def _joined(folds: Sequence[_Tested]) -> tuple[list[tuple[str, ...]], list[str], list[str]]:
    """Return the gold senses of all folds, the learner's answers, the most frequent senses."""
    gold = [senses for fold in folds for senses in fold.gold]
    answers = [answer for fold in folds for answer in fold.answers]
    return gold, answers, [sense for fold in folds for sense in fold.most_frequent]


def _pooled(word: str, n_senses: int, folds: Sequence[_Tested], markers: tuple[str, ...]) -> Result:
    """Return the result of a word; macro-F1 is over all folds of all repetitions at once."""
    gold, answers, frequent = _joined(folds)
    results = [fold.result for fold in folds]
    score = total(result.score for result in results)
    mfs = total(result.mfs for result in results)
    return Result(
        word,
        n_senses,
        round(float(np.mean([result.trained_on for result in results]))),
        replace(score, macro_f1=macro_f1(gold, answers, markers)),
        replace(mfs, macro_f1=macro_f1(gold, frequent, markers)),
        float(np.mean([result.rules for result in results])),
        float(np.mean([result.conditions for result in results])),
    )
