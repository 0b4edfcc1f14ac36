"""RUSSE'2018, Russian word sense induction: a target may stand several times in its context.

A. Panchenko et al., "RUSSE'2018: a shared task on word sense induction for the Russian language".
"""

from __future__ import annotations

import re
from collections import Counter

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import Source
from wsdlist.readers.words import in_text

NAME = "russe"
DESCRIPTION = "RUSSE'2018: context_id, word, gold_sense_id, predict_sense_id, positions, context"
COLUMNS = ("context_id", "word", "gold_sense_id", "predict_sense_id", "positions", "context")
POSITIONS = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def sniff(text: str) -> bool:
    """Say whether the header is that of these files."""
    return tuple(text.partition("\n")[0].split("\t")) == COLUMNS


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    Fields are tab-separated and not quoted. All positions are heads, and the first one in the text
    is the target. The predicted sense is not read.
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
            corpus.instances.append(_instance(fields, place, corpus.repairs))
        except InputError as error:
            fail(error)
    return corpus


def _instance(fields: list[str], place: str, repairs: Counter[str]) -> Instance:
    name, word, sense, _, positions, text = fields
    found = [POSITIONS.fullmatch(position.strip()) for position in positions.split(",")]
    every = {(int(match[1]), int(match[2])) for match in found if match is not None}
    places = sorted(place for place in every if place[0] != place[1])
    if len(places) < len(every):
        repairs["positions without a character left out"] += len(every) - len(places)
    if None in found or not places or not name or not word:
        raise InputError(
            f"the positions {positions!r} say nothing of where the word stands",
            "write them as 0-4,10-14, or leave such rows out with --on-error skip",
            where=place,
        )
    senses = (sense,) if sense else ()
    return in_text(text, places, name=name, lexelt=word, senses=senses, place=place)
