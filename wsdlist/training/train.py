"""From a corpus and a recipe to a model, in memory or in a file."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wsdlist.data.checks import A_CORPUS, check_kind, check_whole
from wsdlist.data.corpus import Corpus, Row
from wsdlist.errors import ParameterError
from wsdlist.features.sets import FeatureSet
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.inventories.glosses import Inventory, beside
from wsdlist.models.expert import Expert
from wsdlist.models.meta import Meta, Preparation
from wsdlist.models.model import Model, load
from wsdlist.models.reapply import reapplied
from wsdlist.models.recipe import Recipe, from_json, recipe_of
from wsdlist.models.storage import Writer
from wsdlist.readers import read
from wsdlist.readers.confusion_sets import ConfusionSets
from wsdlist.training.fit import cells_of, fit, tune_word, with_estimate, with_own_estimate
from wsdlist.training.parallel import Progress, each, parallel
from wsdlist.training.prepare import Known, Prepared, Words, prepare, words_to_learn
from wsdlist.training.shared_forms import Several, over_several
from wsdlist.training.trials import TuningTable, pooled
from wsdlist.version import __version__


def train(
    corpus: Corpus | str | Path,
    *,
    learner: str = "prepend",
    features: str | Path | FeatureSet = "goodman",
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
        discount and epsilon are ``"auto"`` unless given: they are chosen on held-out parts of the
        corpus, and then the lists are learned from all of it.
    features
        The name of a feature set, a TOML file, or a set.
    min_count, multi, grid, tune_for, share_tuning, missing, min_instances
        See :class:`wsdlist.models.recipe.Recipe`.
    pipeline
        The spaCy pipeline that gives tags and lemmas if the corpus has none. Without it a set that
        needs them falls back to ``light``; the model's ``meta.fell_back_from`` then names the set.
    inventory
        Glosses and keys to keep with the model, and the name and version of their source.
    coarse_map
        A coarse map whose groups are learned instead of the senses.
    confusion
        The sets whose words the corpus tells apart, see :func:`read_texts`. Nothing is asked about
        the words themselves.
    by_line
        How :func:`read_texts` read the corpus; the model reads other text in the same way.
    jobs
        The number of processes; the model is the same.
    progress
        Called with what is done, how much of it, and of how much.
    path
        A file to write the model to, each expert as soon as it is learned; None for a model in
        memory.
    resume
        Whether to go on where an interrupted run with this ``path`` stopped.
    edits
        A model whose lists were edited by hand. The new lists are edited in the same way, see
        :func:`wsdlist.models.reapply.reapplied`. ``meta.lost_edits`` has a line for each edit that
        no longer applies.

    Raises
    ------
    InputError
        When the corpus cannot be read, or no instance has a sense.
    ModelError
        When the file cannot be written, or was begun with other data or parameters.
    ParameterError
        For an impossible parameter.
    """
    check_kind("corpus", corpus, (Corpus, str, Path), f"give a path, or {A_CORPUS}")
    if not isinstance(corpus, Corpus):
        inventory = beside([corpus]) if inventory is None else inventory
        corpus = read([corpus]).train
    recipe = recipe_of(
        learner,
        features,
        parameters,
        min_count=min_count,
        multi=multi,
        grid=dict(grid or {}),
        tune_for=tune_for,
        share_tuning=share_tuning,
        missing=missing,
        min_instances=min_instances,
    )
    sets = None if confusion is None else confusion.sets
    prepared = prepare(corpus, recipe, Preparation(pipeline, coarse_map, sets, by_line))
    return learn(
        prepared,
        inventory=inventory,
        edits=edits,
        path=path,
        resume=resume,
        jobs=jobs,
        progress=progress,
    )


def learn(
    prepared: Prepared,
    *,
    inventory: Inventory | None = None,
    edits: Model | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Model:
    """Learn a model from a corpus that :func:`wsdlist.training.prepare.prepare` made ready.

    The corpus is split by word. The words are tuned together, unless each is tuned by itself, and
    then learned one by one. The other parameters are those of :func:`train`.

    Raises
    ------
    InputError, ModelError, ParameterError
        As :func:`train` does.
    """
    check_whole("jobs", jobs)
    if edits is not None and resume:
        raise ParameterError("what is resumed was not edited", "leave resume or the edits out")
    recipe = prepared.recipe
    words = words_to_learn(prepared.corpus)
    shared = _shared(prepared, words)
    to_learn = {**words, **{name: several.known for name, several in shared.items()}}
    by_hand = None if edits is None else _Edits(edits, recipe.multi, to_learn)
    store: Writer | _InMemory = _InMemory()
    if path is not None:
        fingerprint = _fingerprint(recipe, words, [] if by_hand is None else by_hand.records())
        store = Writer(path, fingerprint, resume=resume)
    settled, tuning = _tuned(recipe, words, store, jobs, progress)
    finished = store.finished
    left = {word: known for word, known in to_learn.items() if word not in finished}
    for word, expert in each(functools.partial(fit, settled), left, jobs, progress, "learning"):
        if word in shared:
            expert = replace(expert, over=shared[word].over, labels=shared[word].labels)
        if by_hand is not None:
            expert = by_hand.again(expert, to_learn[word])
        store.add(expert, shared=word in shared)
    glosses = _of_words(inventory, words)
    rows = (item for item in prepared.corpus if isinstance(item, Row))
    meta = Meta(
        recipe,
        prepared.preparation,
        prepared.corpus.markers,
        next((row.target for row in rows), None),
        None if prepared.fell_back_from is None else prepared.fell_back_from.name,
        tuning,
        () if by_hand is None else tuple(by_hand.lost),
        (glosses.name, glosses.version) if glosses and glosses.name else None,
        __version__,
    )
    if isinstance(store, _InMemory):
        return Model(store.experts, meta, glosses, store.shared)
    store.finish(meta.to_record(), glosses)
    return load(store.target)


def _shared(prepared: Prepared, words: Words) -> dict[str, Several]:
    """Return the lists over several words; there are none if tags or confusion sets decide."""
    if prepared.preparation.confusion is not None or prepared.recipe.features.needs():
        return {}
    return over_several(words)


@dataclass
class _InMemory:
    """Keeps experts as :class:`wsdlist.models.storage.Writer` does, without a file."""

    experts: dict[str, Expert] = field(default_factory=dict)
    shared: dict[str, Expert] = field(default_factory=dict)
    finished: frozenset[str] = frozenset()

    def kept(self, name: str) -> str | None:
        return None

    def keep(self, name: str, value: str) -> None:
        """Keep nothing, because no later run could ask for it."""

    def add(self, expert: Expert, *, shared: bool = False) -> None:
        (self.shared if shared else self.experts)[expert.lexelt] = expert


def _tuned(
    recipe: Recipe,
    words: Words,
    store: Writer | _InMemory,
    jobs: int,
    progress: Progress | None,
) -> tuple[Recipe, dict[str, Any] | None]:
    """Return the recipe to fit each word by, and the record of tuning all words together.

    What an interrupted run chose was kept, and is not chosen again.
    """
    kept = store.kept("tuning")
    record: dict[str, Any] | None = None if kept is None else json.loads(kept)
    if record is not None:
        return recipe.settled({n: from_json(v) for n, v in record["best"].items()}), record
    if not recipe.tried or not recipe.share_tuning:
        return recipe, None
    settled, table = settle(recipe, words, jobs, progress)
    record = None if table is None else table.to_record()
    if kept is None:
        store.keep("tuning", json.dumps(record))
    return settled, record


def _of_words(inventory: Inventory | None, words: Words) -> Inventory:
    """Return what an inventory says of the words that are learned."""
    glosses = Inventory()
    if inventory is not None:
        glosses.name, glosses.version = inventory.name, inventory.version
        glosses.update({key: entry for key, entry in inventory.items() if key[0] in words})
    return glosses


def edited_experts(model: Model) -> Iterator[Expert]:
    """Yield the experts of a model, with those over several lexelts, whose lists were edited."""
    for experts in (model, model.shared):
        yield from (expert for expert in experts.values() if expert.learned is not None)


class _Edits:
    """The edits by hand of an older model, made again on the lists of a new one.

    Attributes
    ----------
    lost
        A line for each edit that no longer applies.
    """

    def __init__(self, model: Model, multi: str, learned: Words) -> None:
        self.model, self.multi = model, multi
        gone = [e.lexelt for e in edited_experts(model) if e.lexelt not in learned]
        self.lost = [f"{lexelt}: no longer a list of the model" for lexelt in gone]

    def records(self) -> list[dict[str, Any]]:
        """Return the edited experts as JSON data."""
        return [expert.to_record() for expert in edited_experts(self.model)]

    def again(self, fresh: Expert, known: Known) -> Expert:
        """Return an expert with the edits of the older model."""
        mine = self.model.shared if fresh.over else self.model
        old = mine.get(fresh.lexelt)
        if old is None or old.learned is None:
            return fresh
        if not fresh.fitted.is_ordered:
            self.lost.append(f"{fresh.lexelt}: no longer learned as a list")
            return fresh
        expert, lost = reapplied(old, fresh, *known, self.multi)
        self.lost += lost
        return expert


def _fingerprint(recipe: Recipe, words: Words, edits: list[dict[str, Any]]) -> str:
    """Return a hash of what is learned from and how; the order of instances does not matter."""
    instances = sorted(
        hashlib.sha256(repr((replace(item, place=""), gold)).encode("utf-8", "replace")).digest()
        for items, labels in words.values()
        for item, gold in zip(items, labels, strict=True)
    )
    about = json.dumps([recipe.to_record(), __version__, *edits], sort_keys=True)
    return hashlib.sha256(about.encode() + b"".join(instances)).hexdigest()


def settle(
    recipe: Recipe, words: Words, jobs: int = 1, progress: Progress | None = None
) -> tuple[Recipe, TuningTable | None]:
    """Choose parameters for all words together, if the recipe shares tuning.

    Parameters
    ----------
    recipe
        What is tuned by what.
    words
        The instances of each word and their gold senses.
    jobs, progress
        As in :func:`train`.

    Returns
    -------
    tuple
        The recipe to learn each word by, and the table of trials of all words. The table is None if
        nothing is tuned or each word is tuned by itself.
    """
    if not recipe.tried or not recipe.share_tuning:
        return recipe, None
    least = recipe.min_instances
    words = {word: known for word, known in words.items() if len(known[0]) >= least}
    if not words:
        return recipe.settled({}), None
    table = pooled(_tables(recipe, words, jobs, progress))
    return recipe.settled(table.best), table


def tune_words(
    corpus: Corpus, recipe: Recipe, *, jobs: int = 1, progress: Progress | None = None
) -> dict[str, TuningTable]:
    """Return for each word the table of its trials on held-out parts.

    :func:`wsdlist.training.trials.pooled` makes one table of all words of them.

    Parameters
    ----------
    corpus
        A corpus that was made ready, see :func:`wsdlist.training.prepare.prepare`.
    recipe
        What is tuned by what.
    jobs, progress
        As in :func:`train`.

    Raises
    ------
    InputError
        When no instance has a sense.
    ParameterError
        When there is nothing to tune.
    """
    words = words_to_learn(corpus)
    if not recipe.tried:
        raise ParameterError("there is nothing to tune", "leave a parameter auto, or say --grid")
    if recipe.share_tuning:
        tables = _tables(recipe, words, jobs, progress)
    else:
        tables = parallel(functools.partial(_own_table, recipe), words, jobs, progress, "tuning")
    return dict(zip(words, tables, strict=True))


def _tables(
    recipe: Recipe, words: Words, jobs: int, progress: Progress | None
) -> list[TuningTable]:
    """Return the table of each word; the same discounts are tried for all words."""
    if recipe.estimates_discount:
        counted = parallel(functools.partial(cells_of, recipe), words, jobs)
        recipe = with_estimate(recipe, counted)
    return parallel(functools.partial(tune_word, recipe), words, jobs, progress, "tuning")


def _own_table(recipe: Recipe, lexelt: str, *known: Any) -> TuningTable:
    return tune_word(with_own_estimate(recipe, lexelt, *known), lexelt, *known)
