"""Corpora in, models out: training, evaluation, cross-validation."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

import wsdlist
from wsdlist.answers import Answers, Ints
from wsdlist.corpus import Corpus, Instance, Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.features import are_rows, extract
from wsdlist.features.extract import MULTI
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.features.what import has
from wsdlist.inventory import Inventory
from wsdlist.learners import learner as make_learner
from wsdlist.learners import parameters as learner_parameters
from wsdlist.model import Expert, Model, Writer, as_json, load
from wsdlist.scoring import Score, macro_f1, score_word, total
from wsdlist.tokens import annotate, normal
from wsdlist.tuning import (
    AUTO,
    CRITERIA,
    Table,
    cells,
    deal,
    folded,
    grid_of,
    leave_one_out_discount,
    pooled,
    tune,
)

Progress = Callable[[str, int, int], None]  # what, done, of how many


@dataclass(frozen=True)
class Settings:
    """How experts are learned.

    Parameters
    ----------
    learner
        Its name, see :data:`wsdlist.learners.LEARNERS`.
    features
        The feature set.
    parameters
        The learner's; those left out have its defaults. ``"auto"`` for discount or epsilon lets
        held-out data choose.
    min_count
        In how many training instances a question must be true.
    multi
        What becomes of several gold senses: ``split``, ``first`` or ``all``.
    grid
        Values to try of further parameters, by name.
    tune_for
        What held-out data choose by: ``bits``, ``accuracy`` or ``macro-f1``.
    share_tuning
        Whether all words get the same parameters, those best for all together.
    """

    learner: str = "prepend"
    features: FeatureSet = SETS["goodman"]
    parameters: dict[str, Any] = field(default_factory=dict)
    min_count: int = 2
    multi: str = "split"
    grid: dict[str, Sequence[Any]] = field(default_factory=dict)
    tune_for: str = "bits"
    share_tuning: bool = True

    def __post_init__(self) -> None:
        make_learner(self.learner, **self.fixed)
        if self.multi not in MULTI:
            raise ParameterError(f"multi is {self.multi!r}", f"say one of {', '.join(MULTI)}")
        if self.min_count < 1:
            raise ParameterError(f"min_count is {self.min_count}", "say 1 or more")
        if self.tune_for not in CRITERIA:
            raise ParameterError(
                f"tune_for is {self.tune_for!r}", f"say one of {', '.join(CRITERIA)}"
            )
        for name, values in self.tried.items():
            for value in values:
                make_learner(self.learner, **{**self.fixed, name: value})

    @property
    def tried(self) -> dict[str, Sequence[Any]]:
        """The values to try of each parameter that is tuned."""
        return grid_of(self.learner, self.parameters, self.grid)

    @property
    def fixed(self) -> dict[str, Any]:
        """The parameters that are not tuned."""
        return {
            name: value
            for name, value in self.parameters.items()
            if value != AUTO and name not in self.grid
        }

    def to_record(self) -> dict[str, Any]:
        """Return the settings as JSON data, defaults filled in."""
        parameters = {**learner_parameters(self.learner), **self.parameters}
        parameters.update(dict.fromkeys(self.grid, AUTO))
        return {
            "learner": self.learner,
            "parameters": {name: as_json(value) for name, value in parameters.items()},
            "features": self.features.to_record(),
            "min_count": self.min_count,
            "multi": self.multi,
            "grid": {name: [as_json(v) for v in values] for name, values in self.grid.items()},
            "tune_for": self.tune_for,
            "share_tuning": self.share_tuning,
        }

    @property
    def estimates_discount(self) -> bool:
        """Whether the leave-one-out estimate is tried beside the standard discounts."""
        return self.parameters.get("discount") == AUTO and "discount" not in self.grid

    def cells(
        self, lexelt: str, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> tuple[int, int]:
        """Count what the leave-one-out discount is estimated from, see :func:`tuning.cells`."""
        every = extract(instances, labels, self.features, min_count=1, multi="first")
        return cells(every.counts())

    def with_estimate(self, counted: Iterable[tuple[int, int]]) -> Settings:
        """Return the settings with the leave-one-out discount among those to try."""
        n1, n2 = np.sum([(0, 0), *counted], axis=0).tolist()
        estimate = leave_one_out_discount(n1, n2)
        discounts = sorted({*self.tried["discount"], estimate})
        return replace(self, grid={"discount": discounts, **self.grid})

    def answers(self, instances: Sequence[Item], labels: Sequence[Sequence[str]]) -> Answers:
        """Find the questions of training instances and answer them."""
        return extract(instances, labels, self.features, min_count=self.min_count, multi=self.multi)

    def tune(
        self,
        lexelt: str,
        instances: Sequence[Item],
        labels: Sequence[Sequence[str]],
        answers: Answers | None = None,
    ) -> Table:
        """Try what is to be tuned on held-out parts of the training instances of a word."""
        answers = self.answers(instances, labels) if answers is None else answers
        return tune(
            lexelt,
            labels,
            functools.partial(deal, instances, labels),
            answers,
            self.learner,
            self.fixed,
            self.tried,
            multi=self.multi,
            min_count=self.min_count,
            criterion=self.tune_for,
        )

    def tuned(self, table: Table) -> Settings:
        """Return the settings with the best parameters of a table; defaults where it has none."""
        return replace(self, parameters={**self.fixed, **table.best}, grid={})

    def fit(
        self, lexelt: str, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> Expert:
        """Learn the expert of one lexelt, after tuning its own parameters where some are auto.

        Raises
        ------
        InputError
            When no instance has a sense.
        """
        known = [(i, gold) for i, gold in zip(instances, labels, strict=True) if gold]
        if not known:
            raise InputError(
                f"{lexelt} has no instance with a sense", "give it one, or leave it out"
            )
        instances, labels = [i for i, _ in known], [gold for _, gold in known]
        answers = self.answers(instances, labels)
        settings, table = self, None
        if self.tried:
            if self.estimates_discount:
                settings = self.with_estimate([self.cells(lexelt, instances, labels)])
            table = settings.tune(lexelt, instances, labels, answers)
            settings = self.tuned(table)
        learned = make_learner(settings.learner, **settings.parameters)
        return Expert(
            lexelt,
            learned.fit(answers),
            len(instances),
            dict(zip(answers.senses, answers.prior_counts().tolist(), strict=True)),
            tuple(sorted({normal(i.target_form) for i in instances if isinstance(i, Instance)})),
            settings.to_record()["parameters"],
            table.to_record() if table else None,
        )


def prepare(corpus: Corpus, features: FeatureSet, pipeline: str | None = None) -> FeatureSet:
    """Give a corpus the tags and lemmas that a feature set needs.

    What the corpus lacks comes from the spaCy pipeline, where one is named; else the set falls
    back to ``light``.

    Returns
    -------
    FeatureSet
        ``features`` or, as a fall-back, ``light``.
    """
    if are_rows(corpus.instances):
        return SETS["table"]
    if features is SETS["table"]:
        raise ParameterError("the feature set table is for tables", f"say {', '.join(SETS)}")
    instances = cast("list[Instance]", corpus.instances)
    if all(has(instances, layer) for layer in features.needs()):
        return features
    if pipeline is None:
        return SETS["light"]
    corpus.instances = list(annotate(instances, pipeline))
    return features


def train(
    corpus: Corpus | str | Path,
    *,
    learner: str = "prepend",
    features: str | FeatureSet = "goodman",
    min_count: int = 2,
    multi: str = "split",
    grid: dict[str, Sequence[Any]] | None = None,
    tune_for: str = "bits",
    share_tuning: bool = True,
    pipeline: str | None = None,
    inventory: Inventory | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    **parameters: Any,
) -> Model:
    """Learn a model: an expert for every lexelt that has an instance with a sense.

    Parameters
    ----------
    corpus
        A corpus, or the path of one (its test part is left alone).
    learner, parameters
        The learner's name and its parameters (``discount``, ``epsilon``, ``reestimate``). The
        discount and epsilon are ``"auto"`` unless given: chosen on held-out parts of the corpus,
        after which the lists are learned from all of it.
    features
        The name of a feature set, a TOML file, or a set.
    min_count, multi, grid, tune_for, share_tuning
        See :class:`Settings`.
    pipeline
        The spaCy pipeline that gives tags and lemmas where the corpus has none. Without it a set
        that needs them falls back to ``light``; the model's ``meta`` says so.
    inventory
        Glosses and keys to keep with the model.
    jobs
        Processes to learn with; the model is the same.
    progress
        Called with what is done, how much of it, and of how much.
    path
        A file to write the model to, an expert as soon as it is learned; without it the model is
        in memory alone.
    resume
        Whether to go on where an interrupted run with this ``path`` stopped.

    Raises
    ------
    InputError
        When the corpus cannot be read, or no instance has a sense.
    ModelError
        When the file cannot be written, or was begun with other data or parameters.
    ParameterError
        For an impossible parameter.
    """
    if not isinstance(corpus, Corpus):
        from wsdlist.inventory import beside
        from wsdlist.readers import read

        if inventory is None:
            inventory = beside([corpus])
        corpus = read([corpus]).train
    wanted = feature_set(features)
    settings = Settings(
        learner,
        wanted,
        with_auto(learner, parameters),
        min_count,
        multi,
        dict(grid or {}),
        tune_for,
        share_tuning,
    )
    settings = replace(settings, features=prepare(corpus, wanted, pipeline))
    words = labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    writer = Writer(path, _fingerprint(settings, words), resume=resume) if path else None
    tuned = _json_or_none(writer.kept("tuning") if writer else None)
    concrete = settings
    if tuned is not None:
        concrete = replace(settings, parameters={**settings.fixed, **tuned["best"]}, grid={})
    elif settings.tried and settings.share_tuning:
        concrete, table = settle(settings, words, jobs, progress)
        tuned = table.to_record() if table else None
        if writer:
            writer.keep("tuning", json.dumps(tuned))
    done = writer.finished if writer else set()
    left = {word: data for word, data in words.items() if word not in done}
    experts: dict[str, Expert] = {}
    for word, expert in _each(concrete.fit, left, jobs, progress, "learning"):
        if writer:
            writer.add(expert)
        else:
            experts[word] = expert
    kept = Inventory()
    for (lexelt, sense), entry in (inventory or Inventory()).items():
        if lexelt in words:
            kept[lexelt, sense] = entry
    meta = {
        **settings.to_record(),
        "tuning": tuned,
        "wsdlist": wsdlist.__version__,
        "pipeline": pipeline if settings.features.needs() else None,
        "fell_back_from": wanted.name if settings.features is not wanted else None,
        "markers": sorted(corpus.markers),
    }
    if writer is None:
        return Model(experts, meta, kept)
    writer.finish(meta, kept)
    return load(writer.target)


def _json_or_none(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _fingerprint(settings: Settings, words: Words) -> str:
    """Return a hash of what is learned from and how; the order of instances does not matter."""
    instances = sorted(
        hashlib.sha256(repr((replace(item, place=""), gold)).encode("utf-8", "replace")).digest()
        for items, labels in words.values()
        for item, gold in zip(items, labels, strict=True)
    )
    about = json.dumps([settings.to_record(), wsdlist.__version__], sort_keys=True)
    return hashlib.sha256(about.encode() + b"".join(instances)).hexdigest()


Known: TypeAlias = tuple[list[Item], list[tuple[str, ...]]]  # instances and their senses
Words: TypeAlias = dict[str, Known]


def with_auto(learner: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters with ``auto`` for a discount and epsilon that were not given."""
    known = learner_parameters(learner)
    auto: dict[str, Any] = {n: AUTO for n in ("discount", "epsilon") if n in known}
    return {**auto, **parameters}


def labelled(corpus: Corpus) -> Words:
    """Return for each lexelt its instances that have a sense, and those senses."""
    words: Words = {}
    for lexelt, instances in corpus.by_lexelt().items():
        known = [(i, gold) for i in instances if (gold := corpus.labels(i))]
        if known:
            words[lexelt] = ([i for i, _ in known], [gold for _, gold in known])
    return words


def settle(
    settings: Settings, words: Words, jobs: int = 1, progress: Progress | None = None
) -> tuple[Settings, Table | None]:
    """Choose parameters for all words together, where they are to be tuned so.

    Returns the settings to learn each word with, and the table of all words, or None where
    nothing is tuned or each word tunes its own.
    """
    if not settings.tried or not settings.share_tuning:
        return settings, None
    trying = settings
    if settings.estimates_discount:
        trying = settings.with_estimate(_parallel(settings.cells, words, jobs))
    table = pooled(_parallel(trying.tune, words, jobs, progress, "tuning"))
    return settings.tuned(table), table


def tune_words(
    corpus: Corpus,
    settings: Settings,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> dict[str, Table]:
    """Return the table of each word: what every value to try reached on held-out parts.

    :func:`wsdlist.tuning.pooled` makes one table of them.
    """
    words = labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    if not settings.tried:
        raise ParameterError("there is nothing to tune", "leave a parameter auto, or say --grid")
    if settings.estimates_discount:
        settings = settings.with_estimate(_parallel(settings.cells, words, jobs))
    made = _parallel(settings.tune, words, jobs, progress, "tuning")
    return dict(zip(words, made, strict=True))


def _parallel(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None = None,
    doing: str = "",
) -> list[Any]:
    return [made for _, made in _each(function, words, jobs, progress, doing)]


def _each(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None,
    doing: str,
) -> Iterator[tuple[str, Any]]:
    """Yield each word with what the function makes of it, as soon as it is made."""
    if jobs < 1:
        raise ParameterError(f"jobs is {jobs}", "say 1 or more")
    from joblib import Parallel, delayed

    tasks = (delayed(function)(word, *data) for word, data in words.items())
    made = Parallel(n_jobs=jobs, return_as="generator")(tasks)
    for done, (word, one) in enumerate(zip(words, made, strict=True), start=1):
        if progress:
            progress(doing, done, len(words))
        yield word, one


@dataclass(frozen=True)
class Result:
    """How a word went: the score of the learner and of the most frequent sense, and the size."""

    lexelt: str
    senses: int
    trained_on: int
    score: Score
    mfs: Score
    rules: float
    conditions: float

    def to_record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "lexelt": self.lexelt,
            "senses": self.senses,
            "trained_on": self.trained_on,
            **self.score.to_record(),
            "mfs": self.mfs.to_record(),
            "rules": self.rules,
            "conditions": self.conditions,
        }


def summary(results: Sequence[Result]) -> Result:
    """Return all words together: scores are pooled, sizes are added up."""
    return Result(
        "all",
        sum(result.senses for result in results),
        sum(result.trained_on for result in results),
        total(result.score for result in results),
        total(result.mfs for result in results),
        sum(result.rules for result in results),
        sum(result.conditions for result in results),
    )


def evaluate(model: Model, corpus: Corpus) -> list[Result]:
    """Score a model on the instances of a corpus that have a gold sense, word by word.

    A marker (``U``, ``P``) among the gold senses is a string like another, as the Senseval
    scorer has it. A word that was never trained is not answered.
    """
    results = []
    for lexelt, instances in corpus.by_lexelt().items():
        gold = [instance.senses for instance in instances if instance.senses]
        asked = [instance for instance in instances if instance.senses]
        if not gold:
            continue
        expert = model.expert(lexelt, asked)
        if expert is None:
            none = score_word(gold, None, (), corpus.markers)
            results.append(Result(lexelt, 0, 0, none, none, 0, 0))
            continue
        P = expert.predict_proba(asked)
        default = expert.most_frequent(len(asked))
        results.append(
            Result(
                lexelt,
                len(expert.senses),
                expert.instances,
                score_word(gold, P, expert.senses, corpus.markers),
                score_word(gold, default, expert.senses, corpus.markers),
                expert.size.rules,
                expert.size.conditions,
            )
        )
    return results


def check_folds(folds: int) -> None:
    """Refuse fewer than two folds."""
    if folds < 2:
        raise ParameterError(f"folds is {folds}", "say 2 or more")


@dataclass(frozen=True)
class Crossed:
    """A learner's results over folds: by word, and which instances it got right.

    ``right`` has a bool for each tested instance, in the same order for every learner.
    """

    settings: Settings
    results: list[Result]
    right: list[bool]


def crossval(
    corpus: Corpus,
    settings: Sequence[Settings],
    *,
    folds: int = 10,
    repeat: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Crossed]:
    """Cross-validate learners on the same folds.

    Words without two different contexts are left out. Every instance of the others that has a
    sense is tested once a repetition, by lists that never saw it nor a near copy of it; questions
    are found and parameters are tuned anew in each fold's training part. Sizes are means over
    folds.
    """
    check_folds(folds)
    if repeat < 1 or seed < 0:
        raise ParameterError(f"repeat is {repeat}, seed is {seed}", "say 1 and 0 or more")
    words = labelled(corpus)
    words = {word: data for word, data in words.items() if len({*map(folded, data[0])}) > 1}
    n_rounds = len(settings) * repeat * folds
    outcomes: list[list[_Tested]] = [[] for _ in settings]
    for repetition in range(repeat):
        parts = {word: deal(*data, folds, seed + repetition) for word, data in words.items()}
        for part in range(folds):
            train_words, test_words = _take_out(words, parts, part)
            for number, setting in enumerate(settings):
                concrete, _ = settle(setting, train_words, jobs)
                run = functools.partial(_fit_and_test, concrete, repetition, corpus.markers)
                tests = {word: (train_words[word], test_words[word]) for word in test_words}
                outcomes[number] += _parallel(run, tests, jobs)
                if progress:
                    done = (repetition * folds + part) * len(settings) + number + 1
                    progress("cross-validating", done, n_rounds)
    return [
        Crossed(setting, *_gather(words, tested, corpus.markers))
        for setting, tested in zip(settings, outcomes, strict=True)
    ]


@dataclass(frozen=True)
class _Tested:
    """What one fold of one word gave."""

    lexelt: str
    repetition: int
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
    repetition: int,
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
    return _Tested(lexelt, repetition, result, gold, (own, frequent))


def _gather(
    words: Words, tested: Sequence[_Tested], markers: Iterable[str]
) -> tuple[list[Result], list[bool]]:
    """Pool the folds of each word; macro-F1 is over all folds of all repetitions at once."""
    results, right = [], []
    for word in words:
        mine = [one for one in tested if one.lexelt == word]
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
            if one.repetition == 0
            for answer, senses in zip(one.answers[0], one.gold, strict=True)
        ]
    return results, right
