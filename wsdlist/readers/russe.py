"""RUSSE'2018, Russian word sense induction: a target may stand several times in its context.

A. Panchenko et al., "RUSSE'2018: a shared task on word sense induction for the Russian language".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from wsdlist.corpus import Corpus, Instance, Span
from wsdlist.errors import InputError
from wsdlist.readers.sources import Source
from wsdlist.readers.words import in_text
from wsdlist.tokens import sentence_starts, token_spans

NAME = "russe"
DESCRIPTION = "RUSSE'2018: context_id, word, gold_sense_id, predict_sense_id, positions, context"
COLUMNS = ("context_id", "word", "gold_sense_id", "predict_sense_id", "positions", "context")
POSITIONS = re.compile(r"(\d+)-(\d+)")


def sniff(text: str) -> bool:
    """Say whether the header is that of these files."""
    return tuple(text.partition("\n")[0].split("\t")) == COLUMNS


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    Fields are tab-separated and not quoted. The first position in the text is the target, all are
    heads. The predicted sense is not read.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    for number, line in source.lines():
        if number == 1 or not line:
            continue
        place = f"{source.name}:{number}"
        fields = line.split("\t")
        try:
            if len(fields) != len(COLUMNS):
                advice = f"give it {', '.join(COLUMNS)}"
                raise InputError(f"the row has {len(fields)} values", advice, where=place)
            corpus.instances.append(_instance(fields, place))
        except InputError as error:
            fail(error)
    return corpus


def _instance(fields: list[str], place: str) -> Instance:
    name, word, sense, _, positions, text = fields
    found = [POSITIONS.fullmatch(position.strip()) for position in positions.split(",")]
    places = sorted((int(one[1]), int(one[2])) for one in found if one is not None)
    if None in found or not places or not name or not word:
        raise InputError(
            f"the positions {positions!r} say nothing of where the word stands",
            "write them as 0-4,10-14, or leave such rows out with --on-error skip",
            where=place,
        )
    senses = (sense,) if sense else ()
    first = in_text(text, *places[0], name=name, lexelt=word, senses=senses, place=place)
    if len(places) == 1:
        return first
    for start, end in places:  # each is checked as the first is
        in_text(text, start, end, name=name, lexelt=word, senses=senses, place=place)
    spans = _split(text, places)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    heads = tuple(
        (first, last + 1)
        for first, last in ((_at(starts, start), _before(ends, end)) for start, end in places)
    )
    forms = tuple(text[slice(*span)] for span in spans)
    return replace(
        first,
        forms=forms,
        spans=spans,
        target=heads[0],
        heads=heads,
        sentences=sentence_starts(forms),
    )


def _split(text: str, places: list[Span]) -> tuple[Span, ...]:
    """Split a text into tokens that end where a head starts or ends."""
    edges = sorted({0, len(text), *(edge for place in places for edge in place)})
    made = []
    for low, high in pairwise(edges):
        made += [(low + start, low + end) for start, end in token_spans(text[low:high])]
    return tuple(made)


def _at(starts: list[int], position: int) -> int:
    return next(n for n, start in enumerate(starts) if start >= position)


def _before(ends: list[int], position: int) -> int:
    return max(n for n, end in enumerate(ends) if end <= position)
