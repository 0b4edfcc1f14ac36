"""Corpora in, models out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import wsdlist
from wsdlist.data.corpus import Corpus, Row
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.sets import FeatureSet, feature_set
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.inventories.glosses import Inventory
from wsdlist.learners.fitted.decision_list import DecisionList
from wsdlist.models.editing import reapplied
from wsdlist.models.expert import Expert
from wsdlist.models.model import Model, load
from wsdlist.models.storage import Writer
from wsdlist.readers.confusion_sets import ConfusionSets
from wsdlist.training.parallel import Progress, _each, parallel
from wsdlist.training.prepare import Known, Words, labelled, prepare
from wsdlist.training.recipe import Settings, with_auto
from wsdlist.training.shared_forms import over_several
from wsdlist.training.tuning import TuningTable, pooled


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
    missing: str = "none",
    min_instances: int = 1,
    pipeline: str | None = None,
    inventory: Inventory | None = None,
    coarse_map: CoarseMap | None = None,
    confusion: ConfusionSets | None = None,
    by_line: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    edits: Model | None = None,
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
    min_count, multi, grid, tune_for, share_tuning, missing, min_instances
        See :class:`Settings`.
    pipeline
        The spaCy pipeline that gives tags and lemmas where the corpus has none. Without it a set
        that needs them falls back to ``light``; the model's ``meta`` says so.
    inventory
        Glosses and keys to keep with the model, and the name and version of where they are from.
    coarse_map
        A coarse map: its groups are learned instead of the senses.
    confusion
        The sets whose words the corpus tells apart, see :func:`read_texts`; nothing is asked about
        the words themselves.
    by_line
        How :func:`read_texts` read it, kept in the model for other text.
    jobs
        Processes to learn with; the model is the same.
    progress
        Called with what is done, how much of it, and of how much.
    path
        A file to write the model to, an expert as soon as it is learned; without it the model is
        in memory alone.
    resume
        Whether to go on where an interrupted run with this ``path`` stopped.
    edits
        A model whose lists were edited by hand: the new ones are edited likewise, as far as that
        applies, see :func:`wsdlist.models.editing.reapplied`; ``meta["lost_edits"]`` has a line for
        what does not.

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
        from wsdlist.inventories.glosses import beside
        from wsdlist.readers import read

        if inventory is None:
            inventory = beside([corpus])
        corpus = read([corpus]).train
    if coarse_map is not None:
        corpus = coarse_map.corpus(corpus)
    wanted = feature_set(features)
    if confusion is not None:
        wanted = wanted.around()
    settings = Settings(
        learner,
        wanted,
        with_auto(learner, parameters),
        min_count,
        multi,
        dict(grid or {}),
        tune_for,
        share_tuning,
        missing,
        min_instances,
    )
    settings = replace(settings, features=prepare(corpus, wanted, pipeline))
    words = labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    if jobs < 1:
        raise ParameterError(f"jobs is {jobs}", "say 1 or more")
    if edits is not None and resume:
        raise ParameterError("what is resumed was not edited", "leave resume or the edits out")
    by_hand = [] if edits is None else [one.to_record() for one in edited_experts(edits)]
    fingerprint = _fingerprint(settings, words, by_hand)
    writer = Writer(path, fingerprint, resume=resume) if path else None
    tuned = _json_or_none(writer.kept("tuning") if writer else None)
    concrete = settings
    if tuned is not None:
        best = {n: float(v) if v in ("inf", "-inf") else v for n, v in tuned["best"].items()}
        concrete = replace(settings, parameters={**settings.fixed, **best}, grid={})
    elif settings.tried and settings.share_tuning:
        concrete, table = settle(settings, words, jobs, progress)
        tuned = table.to_record() if table else None
        if writer:
            writer.keep("tuning", json.dumps(tuned))
    done = writer.finished if writer else set()
    shared = {} if confusion or settings.features.needs() else over_several(words)
    every = {**words, **{name: several.known for name, several in shared.items()}}
    left = {word: data for word, data in every.items() if word not in done}
    lost: list[str] = []
    if edits is not None:
        gone = [e.lexelt for e in edited_experts(edits) if e.lexelt not in every]
        lost += [f"{lexelt}: no longer a list of the model" for lexelt in gone]
    experts: dict[str, Expert] = {}
    over: dict[str, Expert] = {}
    for word, expert in _each(concrete.fit, left, jobs, progress, "learning"):
        if word in shared:
            expert = replace(expert, over=shared[word].over, labels=shared[word].labels)
        if edits is not None:
            expert, lines = _edited_as(edits, expert, every[word], multi)
            lost += lines
        if writer:
            writer.add(expert, shared=word in shared)
        elif word in shared:
            over[word] = expert
        else:
            experts[word] = expert
    kept = Inventory()
    if inventory is not None:
        kept.name, kept.version = inventory.name, inventory.version
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
        "sense_inventory": [kept.name, kept.version] if kept and kept.name else None,
        "lost_edits": lost,
        "map": None if coarse_map is None else coarse_map.to_record(),
        "confusion": None if confusion is None else list(map(list, confusion.sets)),
        "by_line": by_line,
        "class": next((item.target for item in corpus if isinstance(item, Row)), None),
    }
    if writer is None:
        return Model(experts, meta, kept, over)
    writer.finish(meta, kept)
    return load(writer.target)


def edited_experts(model: Model) -> Iterator[Expert]:
    """Yield the experts of a model, over several lexelts too, whose lists were edited."""
    for experts in (model, model.shared):
        yield from (one for one in experts.values() if one.learned is not None)


def _edited_as(edits: Model, fresh: Expert, known: Known, multi: str) -> tuple[Expert, list[str]]:
    """Return an expert with the edits of another model, and what of them no longer applies."""
    mine = edits.shared if fresh.over else edits
    old = mine.get(fresh.lexelt)
    if old is None or old.learned is None:
        return fresh, []
    if not isinstance(fresh.fitted, DecisionList):
        return fresh, [f"{fresh.lexelt}: no longer learned as a list"]
    return reapplied(old, fresh, *known, multi)


def _json_or_none(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _fingerprint(settings: Settings, words: Words, edits: list[dict[str, Any]]) -> str:
    """Return a hash of what is learned from and how; the order of instances does not matter."""
    instances = sorted(
        hashlib.sha256(repr((replace(item, place=""), gold)).encode("utf-8", "replace")).digest()
        for items, labels in words.values()
        for item, gold in zip(items, labels, strict=True)
    )
    about = json.dumps([settings.to_record(), wsdlist.__version__, *edits], sort_keys=True)
    return hashlib.sha256(about.encode() + b"".join(instances)).hexdigest()


def settle(
    settings: Settings, words: Words, jobs: int = 1, progress: Progress | None = None
) -> tuple[Settings, TuningTable | None]:
    """Choose parameters for all words together, where they are to be tuned so.

    Returns the settings to learn each word with, and the table of all words, or None where
    nothing is tuned or each word tunes its own.
    """
    if not settings.tried or not settings.share_tuning:
        return settings, None
    least = settings.min_instances
    words = {word: known for word, known in words.items() if len(known[0]) >= least}
    if not words:
        return replace(settings, parameters=settings.fixed, grid={}), None
    trying = settings
    if settings.estimates_discount:
        trying = settings.with_estimate(parallel(settings.cells, words, jobs))
    table = pooled(parallel(trying.tune, words, jobs, progress, "tuning"))
    return settings.tuned(table), table


def tune_words(
    corpus: Corpus,
    settings: Settings,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> dict[str, TuningTable]:
    """Return the table of each word: what every value to try reached on held-out parts.

    :func:`wsdlist.training.tuning.pooled` makes one table of them.
    """
    words = labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    if not settings.tried:
        raise ParameterError("there is nothing to tune", "leave a parameter auto, or say --grid")
    if not settings.share_tuning:
        made = parallel(settings.tune_own, words, jobs, progress, "tuning")
        return dict(zip(words, made, strict=True))
    if settings.estimates_discount:
        settings = settings.with_estimate(parallel(settings.cells, words, jobs))
    made = parallel(settings.tune, words, jobs, progress, "tuning")
    return dict(zip(words, made, strict=True))
