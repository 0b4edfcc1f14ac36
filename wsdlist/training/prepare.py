"""Corpora made ready to be learned from or asked: annotations, confusion sets, labels by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias, cast

from wsdlist.data.corpus import Corpus, Instance, Item
from wsdlist.data.tokens import CONTEXT, annotate
from wsdlist.errors import InputError, ParameterError
from wsdlist.features import are_rows
from wsdlist.features.annotations import has
from wsdlist.features.sets import SETS, FeatureSet, feature_set
from wsdlist.readers import Parts, text_files
from wsdlist.readers.confusion_sets import ConfusionSets, Texts, accents, count_words
from wsdlist.training.parallel import Progress, parallel


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
