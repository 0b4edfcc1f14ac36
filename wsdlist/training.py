"""Corpora in, models out."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

import wsdlist
from wsdlist.confusion import ConfusionSets, Texts, accents, count_words
from wsdlist.corpus import Corpus, Instance, Item, Row
from wsdlist.editing import reapplied
from wsdlist.errors import InputError, ParameterError
from wsdlist.expert import Expert
from wsdlist.features import are_rows
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.features.what import has
from wsdlist.inventory import CoarseMap, Inventory
from wsdlist.learners.decision_list import DecisionList
from wsdlist.model import Model, load
from wsdlist.readers import Parts, text_files
from wsdlist.settings import Settings, with_auto
from wsdlist.storage import Writer
from wsdlist.tagging import OVER, Lexicon, words_of
from wsdlist.tokens import CONTEXT, annotate
from wsdlist.tuning import Table, pooled

CONNECT_SECONDS = 10
Progress: TypeAlias = Callable[[str, int, int], None]  # what, done, of how many


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
        return SETS["light"].around() if features is features.around() else SETS["light"]
    corpus.instances = list(annotate(instances, pipeline))
    return features


def prepare_for(features: FeatureSet, corpus: Corpus, pipeline: str | None, where: str) -> None:
    """Give a corpus what the questions of a model ask about.

    Raises
    ------
    InputError
        When it has no such thing, or is of another kind.
    """
    if are_rows(corpus.instances) != (features.name == "table"):
        kinds = ("words in context", "rows of a table")
        has_kind, wanted = kinds[are_rows(corpus.instances)], kinds[features.name == "table"]
        raise InputError(
            f"has {has_kind}, and the model is for {wanted}", "name others", where=where
        )
    if prepare(corpus, features, pipeline) is not features:
        raise InputError(
            f"lacks {' and '.join(lacking(features, corpus))}, which the model asks for",
            "name a pipeline with --pipeline",
            where=where,
        )


def lacking(features: FeatureSet, corpus: Corpus) -> list[str]:
    """Return the layers (tags, lemmas) that a set needs and a corpus does not have."""
    instances = [item for item in corpus if isinstance(item, Instance)]
    return [layer for layer in features.needs() if not has(instances, layer)]


def read_texts(
    paths: Sequence[str | Path],
    sets: ConfusionSets | None,
    features: str | FeatureSet = "goodman",
    *,
    pipeline: str | None = None,
    by_line: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[Parts, ConfusionSets]:
    """Read plain text as instances: every word of a confusion set is one, and its own label.

    Parameters
    ----------
    paths
        Text files, compressed or not, and folders of them; each is read as a stream.
    sets
        The confusion sets; None finds sets of words that differ by their diacritics alone.
    features, pipeline
        What will be asked: contexts are kept as far as that needs.
    by_line
        Whether each line is a paragraph; else blank lines part paragraphs.

    Returns
    -------
    tuple
        The instances, and the sets: give both to :func:`train`.
    """
    files, test_files = text_files(paths)
    if sets is None:
        if "-" in files:
            raise InputError(
                "accents are looked for first and learned then", "name a file", where="<stdin>"
            )
        counted = parallel(count_words, dict.fromkeys(files, ()), jobs)
        whole: Counter[str] = Counter()
        for counts in counted:
            whole.update(counts)
        sets = accents(whole)
        if not sets.sets:
            raise InputError(
                "no two frequent words differ by their diacritics alone",
                "name more text",
                where=" ".join(files),
            )
    reach = feature_set(features).around().reach
    needs = feature_set(features).needs()
    texts = Texts(sets, reach or CONTEXT, bool(pipeline and needs), by_line)
    parts = Parts(test_files=test_files)
    for part, names in (("train", files), ("test", test_files)):
        if "-" in names:  # which only this process can read
            read = [texts.read(name) for name in names]
        else:
            read = parallel(texts.read, dict.fromkeys(names, ()), jobs, progress, "reading")
        together = Corpus()
        for corpus in read:
            together.extend(corpus)
        if part == "train" or names:
            setattr(parts, part, together)
    if not parts.train.instances:
        words = ", ".join(sets.lexelt)
        raise InputError(
            f"holds none of the words {words}", "name other text", where=" ".join(files)
        )
    return parts, sets


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
        applies, see :func:`wsdlist.editing.reapplied`; ``meta["lost_edits"]`` has a line for what
        does not.

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


Known: TypeAlias = tuple[list[Item], list[tuple[str, ...]]]  # instances and their senses
Words: TypeAlias = dict[str, Known]


def labelled(corpus: Corpus) -> Words:
    """Return for each lexelt its instances that have a sense, and those senses."""
    words: Words = {}
    for lexelt, instances in corpus.by_lexelt().items():
        known = [(i, gold) for i in instances if (gold := corpus.labels(i))]
        if known:
            words[lexelt] = ([i for i, _ in known], [gold for _, gold in known])
    return words


@dataclass(frozen=True)
class Several:
    """What a list over several lexelts is learned from; see :class:`wsdlist.expert.Expert`."""

    over: tuple[str, ...]
    known: Known
    labels: dict[str, tuple[str, str]]


def over_several(words: Words) -> dict[str, Several]:
    """Return what the lists over lexelts that share a form are learned from, by their names.

    They decide in text without tags, so each is learned from the instances whose form is shared.
    """
    forms = {
        (lexelt, " ".join(words_of(item.target_form)))
        for lexelt, (items, _) in words.items()
        for item in items
        if isinstance(item, Instance)
    }
    made: dict[str, Several] = {}
    for lexelts, shared in sorted(Lexicon(sorted(forms)).shared().items()):
        items: list[Item] = []
        labels: list[tuple[str, ...]] = []
        pairs: dict[str, tuple[str, str]] = {}
        for lexelt in lexelts:
            for item, gold in zip(*words[lexelt], strict=True):
                if isinstance(item, Instance) and words_of(item.target_form) in shared:
                    items.append(item)
                    labels.append(tuple(_label(pairs, lexelt, sense) for sense in gold))
        name = OVER.join(lexelts)
        everyone = {item.lexelt for item in items} == {*lexelts}
        if everyone and name not in words and name not in made:
            made[name] = Several(lexelts, (items, labels), pairs)
    return made


def _label(pairs: dict[str, tuple[str, str]], lexelt: str, sense: str) -> str:
    """Return the label of a sense of a lexelt, ``lexelt/sense`` unless that is another pair's."""
    label = f"{lexelt}/{sense}"
    while pairs.setdefault(label, (lexelt, sense)) != (lexelt, sense):
        label += "'"
    return label


def settle(
    settings: Settings, words: Words, jobs: int = 1, progress: Progress | None = None
) -> tuple[Settings, Table | None]:
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
) -> dict[str, Table]:
    """Return the table of each word: what every value to try reached on held-out parts.

    :func:`wsdlist.tuning.pooled` makes one table of them.
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


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Hand work to the Dask scheduler at an address, through joblib; None: stay on this machine.

    Its workers must see files under the same paths. The models are the same, byte for byte.

    Raises
    ------
    ParameterError
        When the extra ``dask`` is not installed, or no scheduler answers.
    """
    if address is None:
        yield
        return
    import joblib

    try:
        from distributed import Client
    except ImportError:
        raise ParameterError("--scheduler needs Dask", "install wsdlist[dask]") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ParameterError(
            f"no Dask scheduler answers at {address}", "start one, or leave --scheduler out"
        ) from error
    with client, joblib.parallel_config(backend="dask", n_jobs=-1):
        yield


def parallel(
    function: Callable[..., Any],
    words: Mapping[str, Iterable[Any]],
    jobs: int,
    progress: Progress | None = None,
    doing: str = "",
) -> list[Any]:
    """Return what a function makes of each word, in order, with so many processes."""
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
    n_jobs = jobs if jobs > 1 else None  # None: one, or what a cluster has
    made = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    for done, (word, one) in enumerate(zip(words, made, strict=True), start=1):
        if progress:
            progress(doing, done, len(words))
        yield word, one
