"""Cross-validation of learners on the same folds, or on the same random splits."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wsdlist.data.arrays import Ints
from wsdlist.data.corpus import Corpus
from wsdlist.data.folds import deal, draw, folded
from wsdlist.errors import ParameterError
from wsdlist.evaluation.evaluate import Result
from wsdlist.evaluation.scores import confusion, score_word, total
from wsdlist.training.measures import macro_f1
from wsdlist.training.parallel import Progress, parallel
from wsdlist.training.prepare import Known, Words, labelled
from wsdlist.training.recipe import Settings
from wsdlist.training.train import settle


def check_folds(folds: int) -> None:
    """Refuse fewer than two folds."""
    if folds < 2:
        raise ParameterError(f"folds is {folds}", "say 2 or more")


@dataclass(frozen=True)
class Crossed:
    """A learner's results over folds or splits, in the same order for every learner.

    Parameters
    ----------
    settings
        How it learned.
    results
        By word.
    right
        A bool for each instance tested in the first repetition; of random splits, which test some
        instances more than once and some never, none.
    rounds
        The accuracy over all words in each fold or split.
    confusion
        By word, how often an instance of a gold sense got an answer: ``(gold, answer)``, see
        :func:`wsdlist.evaluation.scores.confusion`.
    test_to_train
        How many instances a fold or split tests for each one that it learns from.
    """

    settings: Settings
    results: list[Result]
    right: list[bool]
    rounds: list[float]
    confusion: dict[str, Counter[tuple[str, str]]]
    test_to_train: float

    @property
    def deviation(self) -> float:
        """The standard deviation of the accuracy over folds or splits; nan of a single one."""
        return float(np.std(self.rounds, ddof=1)) if len(self.rounds) > 1 else float("nan")


def crossval(
    corpus: Corpus,
    settings: Sequence[Settings],
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
    """Cross-validate learners on the same folds, or hold so many of them out (``tested``).

    With ``splits`` so many random splits take the place of folds; of each a ``train_share``
    is learned from.

    Words without two different contexts are left out. Every instance of the others that has a
    sense is tested once a repetition, by lists that never saw it nor a near copy of it; questions
    are found and parameters are tuned anew in each fold's training part. Sizes are means over
    folds.
    """
    check_folds(folds)
    if repeat < 1 or seed < 0:
        raise ParameterError(f"repeat is {repeat}, seed is {seed}", "say 1 and 0 or more")
    if splits is not None:
        if splits < 1 or not 0 < train_share < 1:
            raise ParameterError(
                f"splits is {splits}, train is {train_share}", "say 1 or more, and between 0 and 1"
            )
        if repeat != 1:
            raise ParameterError("random splits are repeated by their number", "say more splits")
        repeat, tested = splits, 1
    words = labelled(corpus)
    words = {word: data for word, data in words.items() if len({*map(folded, data[0])}) > 1}
    parts_tested = range(folds if tested is None else tested)
    n_rounds = len(settings) * repeat * len(parts_tested)
    outcomes: list[list[_Tested]] = [[] for _ in settings]
    for repetition in range(repeat):
        at = seed + repetition
        if splits is None:
            parts = {word: deal(*data, folds, at) for word, data in words.items()}
        else:
            parts = {word: draw(*data, train_share, at) for word, data in words.items()}
        for part in parts_tested:
            train_words, test_words = _take_out(words, parts, part)
            for number, setting in enumerate(settings):
                concrete, _ = settle(setting, train_words, jobs)
                run = functools.partial(_fit_and_test, concrete, (repetition, part), corpus.markers)
                tests = {word: (train_words[word], test_words[word]) for word in test_words}
                outcomes[number] += parallel(run, tests, jobs)
                if progress:
                    done = (repetition * len(parts_tested) + part) * len(settings) + number + 1
                    progress("cross-validating", done, n_rounds)
    test_to_train = 1 / (folds - 1) if splits is None else (1 - train_share) / train_share
    crossed = [
        Crossed(setting, *_gather(words, tested, corpus.markers), test_to_train)
        for setting, tested in zip(settings, outcomes, strict=True)
    ]
    return crossed if splits is None else [replace(one, right=[]) for one in crossed]


@dataclass(frozen=True)
class _Tested:
    """What one fold of one word gave."""

    lexelt: str
    at: tuple[int, int]  # the repetition, the part
    result: Result
    gold: list[tuple[str, ...]]
    answers: tuple[list[str], list[str]]  # of the learner, of the most frequent sense


def _take_out(words: Words, parts: dict[str, Ints], part: int) -> tuple[Words, Words]:
    """Return what a fold learns from and what it is tested on; words with both."""
    split: tuple[Words, Words] = ({}, {})
    for word, (instances, labels) in words.items():
        for chosen, into in ((parts[word] != part, split[0]), (parts[word] == part, split[1])):
            rows = np.flatnonzero(chosen).tolist()
            into[word] = ([instances[row] for row in rows], [labels[row] for row in rows])
        if not split[0][word][0] or not split[1][word][0]:
            del split[0][word], split[1][word]
    return split


def _fit_and_test(
    settings: Settings,
    at: tuple[int, int],
    markers: Iterable[str],
    lexelt: str,
    known: Known,
    held: Known,
) -> _Tested:
    expert = settings.fit(lexelt, *known)
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
    own, frequent = ([expert.senses[best] for best in Q.argmax(axis=1)] for Q in (P, mfs))
    return _Tested(lexelt, at, result, gold, (own, frequent))


def _gather(
    words: Words, tested: Sequence[_Tested], markers: Iterable[str]
) -> tuple[list[Result], list[bool], list[float], dict[str, Counter[tuple[str, str]]]]:
    """Pool the folds of each word; macro-F1 is over all folds of all repetitions at once."""
    results, right = [], []
    confused: dict[str, Counter[tuple[str, str]]] = {}
    of_word: dict[str, list[_Tested]] = {}
    for one in tested:
        of_word.setdefault(one.lexelt, []).append(one)
    for word in words:
        mine = of_word.get(word)
        if not mine:
            continue
        parts = [one.result for one in mine]
        gold = [senses for one in mine for senses in one.gold]
        own, frequent = ([a for one in mine for a in one.answers[n]] for n in (0, 1))
        marked = tuple(markers)
        results.append(
            Result(
                word,
                len({sense for senses in words[word][1] for sense in senses}),
                round(float(np.mean([part.trained_on for part in parts]))),
                replace(total(part.score for part in parts), macro_f1=macro_f1(gold, own, marked)),
                replace(
                    total(part.mfs for part in parts), macro_f1=macro_f1(gold, frequent, marked)
                ),
                float(np.mean([part.rules for part in parts])),
                float(np.mean([part.conditions for part in parts])),
            )
        )
        right += [
            answer in senses
            for one in mine
            if one.at[0] == 0
            for answer, senses in zip(one.answers[0], one.gold, strict=True)
        ]
        confused[word] = confusion(gold, own)
    rounds = [
        total(one.result.score for one in tested if one.at == at).accuracy
        for at in dict.fromkeys(one.at for one in tested)
    ]
    return results, right, rounds, confused
