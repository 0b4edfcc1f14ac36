"""What WordNet's sense keys say (senseidx(5WN)), and the lexelts that follow from them.

A sense key is ``lemma%type:file:id:head:number``: the type of the synset (1 noun, 2 verb, 3
adjective, 4 adverb, 5 satellite adjective), the number of the lexicographer file, and what tells
the sense from others there. Any string is accepted, for senses need not be keys of WordNet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wsdlist.data.pos import NAMES, part_of_speech

SYNSET_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}
SATELLITE = re.compile(r"%5(?=:[0-9]{2}:[0-9]{2}:)")
LEXICOGRAPHER = re.compile(r".+%[1-5]:([0-9]{2}):[0-9]{2}:")

# the lexicographer files of WordNet, by their number in sense keys (lexnames(5WN))
NOUNS = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
VERBS = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)
SUPERSENSES = (
    *("adj.all", "adj.pert", "adv.all"),
    *(f"noun.{name}" for name in NOUNS.split()),
    *(f"verb.{name}" for name in VERBS.split()),
    "adj.ppl",
)


def lemma_of(key: str) -> str:
    """Return the lemma of a sense key, its words joined by ``_``."""
    return key.partition("%")[0]


def synset_type(key: str) -> str | None:
    """Return ``n``, ``v``, ``a``, ``r`` or ``s`` (a satellite adjective); None of another string.

    >>> synset_type("odd%5:00:00:strange:00"), synset_type("100001")
    ('s', None)
    """
    return SYNSET_TYPES.get(key.partition("%")[2][:1])


def part_of_speech_of(key: str) -> str | None:
    """Return ``n``, ``v``, ``a`` or ``r``; None of a string that is no sense key.

    >>> part_of_speech_of("bank%1:17:01::"), part_of_speech_of("odd%5:00:00:strange:00")
    ('n', 'a')
    """
    return part_of_speech(synset_type(key))


def without_satellite(key: str) -> str:
    """Return a sense key with type 3 for type 5: one type for all adjectives.

    >>> without_satellite("recent%5:00:00:past:00")
    'recent%3:00:00:past:00'
    """
    return SATELLITE.sub("%3", key)


def supersense(key: str) -> str | None:
    """Return the name of the lexicographer file of a sense key; None of another string.

    >>> supersense("bank%1:14:00::"), supersense("100001")
    ('noun.group', None)
    """
    match = LEXICOGRAPHER.match(key)
    number = int(match[1]) if match else len(SUPERSENSES)
    return SUPERSENSES[number] if number < len(SUPERSENSES) else None


def lexelt_of(lemma: str, tag: str | None, senses: Sequence[str] = ()) -> str:
    """Return the lexelt of a lemma: its part of speech is that of its sense keys, else of its tag.

    >>> lexelt_of("bank", "NNS"), lexelt_of("well", "RB", ["well%3:00:01::"]), lexelt_of("of", "IN")
    ('bank.n', 'well.a', 'of')
    """
    of_keys = {part_of_speech_of(sense) for sense in senses}
    part = of_keys.pop() if len(of_keys) == 1 else None
    part = part or part_of_speech(tag)
    word = lemma.replace(" ", "_")
    return f"{word}.{part}" if part in NAMES and part != "x" else word
