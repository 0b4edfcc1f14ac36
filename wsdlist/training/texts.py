"""Plain text as a corpus of confusion sets, whose words are instances and their own labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from wsdlist.data.corpus import Corpus
from wsdlist.data.tokens import CONTEXT
from wsdlist.errors import InputError
from wsdlist.features.sets import FeatureSet, feature_set
from wsdlist.readers import Parts, text_files
from wsdlist.readers.confusion_sets import ConfusionSets, Texts, accents, count_words
from wsdlist.training.parallel import Progress, parallel


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
        The feature set that will be asked, and the spaCy pipeline for it. Contexts are kept as far
        as these need.
    by_line
        Whether each line is a paragraph; otherwise blank lines separate paragraphs.
    jobs, progress
        The number of processes, and a function that is told how far reading is.

    Returns
    -------
    tuple
        The instances, and the sets, for :func:`wsdlist.training.train.train`.

    Raises
    ------
    InputError
        When a file cannot be read, or there is no word of a set.
    """
    files, test_files = text_files(paths)
    if sets is None:
        sets = _accents_of(files, jobs)
    reach = feature_set(features).around().reach
    needs = feature_set(features).needs()
    texts = Texts(sets, reach or CONTEXT, bool(pipeline and needs), by_line)
    parts = Parts(test_files=test_files)
    for part, names in (("train", files), ("test", test_files)):
        if "-" in names:  # which only this process can read
            corpora = [texts.read(name) for name in names]
        else:
            corpora = parallel(texts.read, dict.fromkeys(names, ()), jobs, progress, "reading")
        together = Corpus()
        for corpus in corpora:
            together.extend(corpus)
        if part == "train" or names:
            setattr(parts, part, together)
    if not parts.train.instances:
        words = ", ".join(sets.lexelt)
        raise InputError(
            f"holds none of the words {words}", "name other text", where=" ".join(files)
        )
    return parts, sets


def _accents_of(files: Sequence[str], jobs: int) -> ConfusionSets:
    """Return sets of frequent words in the files that differ by their diacritics alone."""
    if "-" in files:
        raise InputError(
            "accents are looked for first and learned then", "name a file", where="<stdin>"
        )
    frequency: Counter[str] = Counter()
    for counts in parallel(count_words, dict.fromkeys(files, ()), jobs):
        frequency.update(counts)
    sets = accents(frequency)
    if not sets.sets:
        raise InputError(
            "no two frequent words differ by their diacritics alone",
            "name more text",
            where=" ".join(files),
        )
    return sets
