"""What is asked of a token: its word, tag, lemma, or its content (a lemma that is no stop word)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from wsdlist.data.corpus import Instance
from wsdlist.data.pos import universal
from wsdlist.data.tokens import normal


@dataclass(frozen=True, slots=True)
class Annotation:
    """A property of tokens.

    Parameters
    ----------
    name
        How feature sets call it.
    layer
        What it is read from: ``forms``, ``tags`` or ``lemmas`` of an instance.
    normal
        Makes of a form, tag or lemma the value that questions ask for. None is not asked about.
    """

    name: str
    layer: str
    normal: Callable[[str], str | None]

    def needs(self) -> str | None:
        """Return the annotation that instances must have, or None for their words."""
        return None if self.layer == "forms" else self.layer


@cache
def stop_words() -> frozenset[str]:
    """Return spaCy's English stop words; needed only while questions are made."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


def _content(lemma: str) -> str | None:
    value = normal(lemma)
    return None if value in stop_words() or not any(map(str.isalpha, value)) else value


def _as_written(tag: str) -> str:
    return tag


ANNOTATIONS = {
    annotation.name: annotation
    for annotation in (
        Annotation("word", "forms", normal),
        Annotation("tag", "tags", _as_written),
        Annotation("pos", "tags", universal),
        Annotation("lemma", "lemmas", normal),
        Annotation("content", "lemmas", _content),
    )
}


def has(instances: Iterable[Instance], layer: str) -> bool:
    """Say whether every instance has this annotation (``tags``, ``lemmas``)."""
    return all(getattr(instance, layer) is not None for instance in instances)
