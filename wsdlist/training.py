"""Corpora in, models out: training, evaluation, cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

import wsdlist
from wsdlist.answers import Answers, Floats
from wsdlist.corpus import Corpus, Instance, Item
from wsdlist.errors import InputError, ParameterError
from wsdlist.features import are_rows, extract
from wsdlist.features.extract import MULTI
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.features.what import has
from wsdlist.inventory import Inventory
from wsdlist.learners import learner as make_learner
from wsdlist.learners import parameters as learner_parameters
from wsdlist.model import Expert, Model, as_json
from wsdlist.scoring import Score, macro_f1, score_word, total
from wsdlist.tokens import annotate, normal
from wsdlist.tuning import deal, folded

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
        The learner's; those left out have its defaults.
    min_count
        In how many training instances a question must be true.
    multi
        What becomes of several gold senses: ``split``, ``first`` or ``all``.
    """

    learner: str = "prepend"
    features: FeatureSet = SETS["goodman"]
    parameters: dict[str, Any] = field(default_factory=dict)
    min_count: int = 2
    multi: str = "split"

    def __post_init__(self) -> None:
        make_learner(self.learner, **self.parameters)
        if self.multi not in MULTI:
            raise ParameterError(f"multi is {self.multi!r}", f"say one of {', '.join(MULTI)}")
        if self.min_count < 1:
            raise ParameterError(f"min_count is {self.min_count}", "say 1 or more")

    def to_record(self) -> dict[str, Any]:
        """Return the settings as JSON data, defaults filled in."""
        parameters = {**learner_parameters(self.learner), **self.parameters}
        return {
            "learner": self.learner,
            "parameters": {name: as_json(value) for name, value in parameters.items()},
            "features": self.features.to_record(),
            "min_count": self.min_count,
            "multi": self.multi,
        }

    def answers(self, instances: Sequence[Item], labels: Sequence[Sequence[str]]) -> Answers:
        """Find the questions of training instances and answer them."""
        return extract(instances, labels, self.features, min_count=self.min_count, multi=self.multi)

    def fit(
        self, lexelt: str, instances: Sequence[Item], labels: Sequence[Sequence[str]]
    ) -> Expert:
        """Learn the expert of one lexelt.

        Raises
        ------
        InputError
            When no instance has a sense.
        """
        labelled = [i for i, gold in zip(instances, labels, strict=True) if gold]
        if not labelled:
            raise InputError(
                f"{lexelt} has no instance with a sense", "give it one, or leave it out"
            )
        fitted = make_learner(self.learner, **self.parameters).fit(self.answers(instances, labels))
        forms = {normal(item.target_form) for item in labelled if isinstance(item, Instance)}
        return Expert(lexelt, fitted, len(labelled), tuple(sorted(forms)))  # type: ignore[arg-type]


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
    pipeline: str | None = None,
    inventory: Inventory | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    **parameters: Any,
) -> Model:
    """Learn a model: an expert for every lexelt that has an instance with a sense.

    Parameters
    ----------
    corpus
        A corpus, or the path of one (its test part is left alone).
    learner, parameters
        The learner's name and its parameters (``discount``, ``epsilon``, ``reestimate``).
    features
        The name of a feature set, a TOML file, or a set.
    min_count, multi
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

    Raises
    ------
    InputError
        When the corpus cannot be read, or no instance has a sense.
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
    settings = Settings(learner, wanted, parameters, min_count, multi)
    settings = replace(settings, features=prepare(corpus, wanted, pipeline))
    words = _labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    experts = dict(zip(words, _fit_all(settings, words, jobs, progress), strict=True))
    kept = Inventory()
    for (lexelt, sense), entry in (inventory or Inventory()).items():
        if lexelt in experts:
            kept[lexelt, sense] = entry
    meta = {
        **settings.to_record(),
        "wsdlist": wsdlist.__version__,
        "pipeline": pipeline if settings.features.needs() else None,
        "fell_back_from": wanted.name if settings.features is not wanted else None,
        "markers": sorted(corpus.markers),
    }
    return Model(experts, meta, kept)


Words = dict[str, tuple[list[Item], list[tuple[str, ...]]]]


def _labelled(corpus: Corpus) -> Words:
    words: Words = {}
    for lexelt, instances in corpus.by_lexelt().items():
        labelled = [(i, gold) for i in instances if (gold := corpus.labels(i))]
        if labelled:
            words[lexelt] = ([i for i, _ in labelled], [gold for _, gold in labelled])
    return words


def _fit_all(
    settings: Settings, words: Words, jobs: int, progress: Progress | None
) -> Iterator[Expert]:
    from joblib import Parallel, delayed

    tasks = (delayed(settings.fit)(word, *data) for word, data in words.items())
    made = Parallel(n_jobs=jobs, return_as="generator")(tasks)
    for done, expert in enumerate(made, start=1):
        if progress:
            progress("learning", done, len(words))
        yield expert


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
        if lexelt not in model:
            none = score_word(gold, None, (), corpus.markers)
            results.append(Result(lexelt, 0, 0, none, none, 0, 0))
            continue
        expert = model[lexelt]
        P = expert.predict_proba(asked)
        default = np.tile(_most_frequent(expert), (len(asked), 1))
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


def _most_frequent(expert: Expert) -> Floats:
    counts = expert.fitted.counts[-1]
    made: Floats = counts / counts.sum()
    return made


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
    are found anew in each fold's training part. Sizes are means over folds.
    """
    check_folds(folds)
    if repeat < 1:
        raise ParameterError(f"repeat is {repeat}", "say 1 or more")
    from joblib import Parallel, delayed

    words = _labelled(corpus)
    words = {word: data for word, data in words.items() if len({*map(folded, data[0])}) > 1}
    tasks = [
        (setting, word, seed + number)
        for setting in settings
        for word in words
        for number in range(repeat)
    ]
    made = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_cross_word)(setting, word, *words[word], folds, seed, corpus.markers)
        for setting, word, seed in tasks
    )
    outcomes: dict[tuple[int, str], list[tuple[Result, list[bool]]]] = {}
    for done, ((setting, word, _), outcome) in enumerate(zip(tasks, made, strict=True), start=1):
        outcomes.setdefault((id(setting), word), []).append(outcome)
        if progress:
            progress("cross-validating", done, len(tasks))
    return [
        Crossed(
            setting,
            [_pooled(word, [r for r, _ in outcomes[id(setting), word]]) for word in words],
            [
                right
                for word in words
                for _, rights in outcomes[id(setting), word]
                for right in rights
            ],
        )
        for setting in settings
    ]


def _pooled(lexelt: str, parts: Sequence[Result]) -> Result:
    return Result(
        lexelt,
        max(part.senses for part in parts),
        round(float(np.mean([part.trained_on for part in parts]))),
        total(part.score for part in parts),
        total(part.mfs for part in parts),
        float(np.mean([part.rules for part in parts])),
        float(np.mean([part.conditions for part in parts])),
    )


def _cross_word(
    settings: Settings,
    lexelt: str,
    instances: Sequence[Item],
    labels: Sequence[tuple[str, ...]],
    folds: int,
    seed: int,
    markers: Iterable[str],
) -> tuple[Result, list[bool]]:
    parts = deal(instances, labels, folds, seed)
    senses = tuple(sorted({sense for gold in labels for sense in gold}))
    results, right = [], np.zeros(len(instances), dtype=bool)
    answers = [[""] * len(instances), [""] * len(instances)]
    for part in np.unique(parts):
        test = np.flatnonzero(parts == part).tolist()
        rest = np.flatnonzero(parts != part).tolist()
        expert = settings.fit(lexelt, [instances[i] for i in rest], [labels[i] for i in rest])
        asked, gold = [instances[i] for i in test], [labels[i] for i in test]
        P = expert.predict_proba(asked)
        mfs = np.tile(_most_frequent(expert), (len(test), 1))
        for given, Q in zip(answers, (P, mfs), strict=True):
            for row, best in zip(test, Q.argmax(axis=1), strict=True):
                given[row] = expert.senses[best]
        right[test] = [answers[0][row] in labels[row] for row in test]
        results.append(
            Result(
                lexelt,
                len(senses),
                len(rest),
                score_word(gold, P, expert.senses, tuple(markers)),
                score_word(gold, mfs, expert.senses, tuple(markers)),
                expert.size.rules,
                expert.size.conditions,
            )
        )
    pooled = _pooled(lexelt, results)
    f1 = [macro_f1(labels, given, tuple(markers)) for given in answers]  # over all folds at once
    return (
        replace(
            pooled,
            score=replace(pooled.score, macro_f1=f1[0]),
            mfs=replace(pooled.mfs, macro_f1=f1[1]),
        ),
        right.tolist(),
    )
