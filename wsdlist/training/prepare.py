"""Making corpora ready to be learned from or asked: annotations, groups, labels by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from wsdlist.data.corpus import Corpus, Instance, Item, Kind
from wsdlist.data.tokens import annotate
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.annotations import has
from wsdlist.features.sets import SETS, FeatureSet
from wsdlist.models.meta import Preparation
from wsdlist.models.model import Model
from wsdlist.models.recipe import Recipe
from wsdlist.readers import Parts, read
from wsdlist.training.texts import read_texts

Known: TypeAlias = tuple[list[Item], list[tuple[str, ...]]]  # instances and their senses
Words: TypeAlias = dict[str, Known]


@dataclass(frozen=True)
class Prepared:
    """A corpus that can be learned from.

    Parameters
    ----------
    corpus
        The corpus with annotations, and with groups instead of senses if there is a coarse map.
    recipe
        The recipe with the features that the corpus allows.
    preparation
        How it was made ready.
    fell_back_from
        The feature set that was wanted, if the corpus lacks what it needs.
    """

    corpus: Corpus
    recipe: Recipe
    preparation: Preparation
    fell_back_from: FeatureSet | None = None


def prepare(corpus: Corpus, recipe: Recipe, preparation: Preparation) -> Prepared:
    """Return a corpus made ready to be learned from; the caller's corpus stays as it is.

    The spaCy pipeline, if one is named, gives the tags and lemmas that the corpus lacks. Without
    one the features fall back to ``light``. A table has the features of tables.

    Raises
    ------
    ParameterError
        When the features are those of tables and the corpus is of words in context, or there is no
        such pipeline.
    """
    wanted = recipe.features
    if preparation.confusion is not None:
        wanted = wanted.around()  # a word of a confusion set is its own label
    corpus, used = _with_annotations(corpus, wanted, preparation.pipeline)
    if preparation.coarse_map is not None:
        corpus = preparation.coarse_map.corpus(corpus)
    return Prepared(
        corpus,
        replace(recipe, features=used),
        replace(preparation, pipeline=preparation.pipeline if used.needs() else None),
        wanted if used is not wanted else None,
    )


def _with_annotations(
    corpus: Corpus, features: FeatureSet, pipeline: str | None
) -> tuple[Corpus, FeatureSet]:
    """Return a corpus with the layers that a set needs, and the set or what it falls back to."""
    if corpus.kind is Kind.TABLE:
        return corpus, SETS["table"]
    if features.kind is Kind.TABLE:
        raise ParameterError("the feature set table is for tables", f"say {', '.join(SETS)}")
    if not lacking(features, corpus):
        return corpus, features
    if pipeline is None:
        light = SETS["light"]
        return corpus, light.around() if features is features.around() else light
    instances = cast("list[Instance]", corpus.instances)
    return replace(corpus, instances=list(annotate(instances, pipeline))), features


def prepare_for(features: FeatureSet, corpus: Corpus, pipeline: str | None, where: str) -> Corpus:
    """Return a corpus with the annotations that the questions of a model ask about.

    Parameters
    ----------
    features
        The feature set of the model.
    corpus
        The corpus, which stays as it is.
    pipeline
        The spaCy pipeline that gives tags and lemmas if the corpus lacks them; None for none.
    where
        The name of the corpus, for messages.

    Raises
    ------
    InputError
        When the corpus lacks an annotation and no pipeline is named, or is of the other kind
        (words, table).
    """
    if corpus.kind is not features.kind:
        raise InputError(
            f"has {corpus.kind.value}, and the model is for {features.kind.value}",
            "name others",
            where=where,
        )
    ready, used = _with_annotations(corpus, features, pipeline)
    if used is not features:
        raise InputError(
            f"lacks {' and '.join(lacking(features, corpus))}, which the model asks for",
            "name a pipeline with --pipeline",
            where=where,
        )
    return ready


def read_for(
    model: Model,
    paths: Sequence[str | Path],
    *,
    pipeline: str | None = None,
    about: Callable[[Parts], None] | None = None,
    **reading: Any,
) -> Parts:
    """Read corpora as a model was trained on them, with what its questions ask about.

    Parameters
    ----------
    model
        One of confusion sets has plain text read, which ``reading`` says nothing of.
    paths
        Files and folders.
    pipeline
        The spaCy pipeline for tags and lemmas that are lacking; by default the model's.
    about
        Called with what was read, before annotations are added or found lacking.
    reading
        See :func:`wsdlist.readers.read`; ``class_name`` is by default the model's.

    Raises
    ------
    InputError
        When a corpus cannot be read, is of another kind, or lacks what the model asks for.
    """
    named = pipeline or model.meta.pipeline
    if model.confusion is None:
        target = reading.pop("class_name", None) or model.meta.class_name
        parts = read(paths, class_name=target, **reading)
    else:
        parts, _ = read_texts(
            paths, model.confusion, model.features, pipeline=named, by_line=model.by_line
        )
    if about is not None:
        about(parts)
    where = " ".join(map(str, paths))
    test = None
    if parts.test is not None:
        test = prepare_for(model.features, parts.test, named, where)
    train = prepare_for(model.features, parts.train, named, where)
    return replace(parts, train=train, test=test)


def lacking(features: FeatureSet, corpus: Corpus) -> list[str]:
    """Return the layers (``tags``, ``lemmas``) that a set needs and a corpus does not have."""
    instances: Sequence[Instance] = [item for item in corpus if isinstance(item, Instance)]
    return [layer for layer in features.needs() if not has(instances, layer)]


def labelled(corpus: Corpus) -> Words:
    """Return for each lexelt its instances with a sense, and the senses of each."""
    words: Words = {}
    for lexelt, instances in corpus.by_lexelt().items():
        known = [(item, gold) for item in instances if (gold := corpus.labels(item))]
        if known:
            words[lexelt] = ([item for item, _ in known], [gold for _, gold in known])
    return words


def words_to_learn(corpus: Corpus) -> Words:
    """Return what :func:`labelled` does.

    Raises
    ------
    InputError
        When no instance has a sense.
    """
    words = labelled(corpus)
    if not words:
        raise InputError("no instance has a sense to learn from", "give the instances senses")
    return words
