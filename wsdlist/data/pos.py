"""Parts of speech: what the tags of corpora and pipelines, and the ends of lexelts, stand for.

``n`` noun, ``v`` verb, ``a`` adjective, ``r`` adverb, ``x`` any other. The case of tags does not
matter: Universal (``NOUN``), Penn (``NNS``), CLAWS 5 (``NN2``), WordNet (``n``, ``s`` for satellite
adjectives), and their names.
"""

from __future__ import annotations

from functools import lru_cache

NAMES = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb", "x": "another part of speech"}
TAGS = {  # by the universal tag set of twelve (Petrov, Das & McDonald 2012), without punctuation
    "NOUN": "n noun propn nn nns nnp nnps np nps nn0 nn1 nn2 np0",
    "VERB": "v verb aux vb vbd vbg vbn vbp vbz md vbb vbi vdb vdd vdg vdi vdn vdz vhb vhd vhg vhi "
    "vhn vhz vm0 vvb vvd vvg vvi vvn vvz",
    "ADJ": "a s adj adjective jj jjr jjs aj0 ajc ajs",
    "ADV": "r adv adverb rb rbr rbs wrb av0 avp avq",
    "ADP": "adp sconj in",
    "CONJ": "conj cconj cc",
    "DET": "det dt ex pdt wdt",
    "NUM": "num cd",
    "PRON": "pron prp prp$ wp wp$",
    "PRT": "prt part pos rp to",
    "X": "x intj fw ls sym uh",
    ".": "punct",
}
TWELVE = {tag: name for name, tags in TAGS.items() for tag in tags.split()}
LETTERS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
UNIVERSAL = {letter: tag for tag, letter in LETTERS.items()}
ENDINGS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}  # of lexelts, as WordNet writes them


def part_of_speech(tag: str | None) -> str | None:
    """Return ``n``, ``v``, ``a``, ``r``, ``x``, or None for no tag or an unknown one.

    >>> [part_of_speech(tag) for tag in ("ADJ", "JJ", "s", "A", "IN", "_", None)]
    ['a', 'a', 'a', 'a', 'x', None, None]
    """
    universal = TWELVE.get((tag or "").lower())
    return None if universal is None else LETTERS.get(universal, "x")


def universal(tag: str) -> str | None:
    """Return the universal tag of a tag; None for punctuation and for an unknown tag.

    >>> [universal(tag) for tag in ("VBD", "AUX", "NOUN", "IN", ".", "PUNCT", "_")]
    ['VERB', 'VERB', 'NOUN', 'ADP', None, None, None]
    """
    found = TWELVE.get(tag.lower())
    return None if found == "." else found


def split_lexelt(lexelt: str) -> tuple[str, str | None]:
    """Return the word of a lexelt, and its part of speech or None if it names none.

    >>> split_lexelt("bank.n"), split_lexelt("their|there"), split_lexelt("call_up.v")
    (('bank', 'n'), ('their|there', None), ('call up', 'v'))
    >>> split_lexelt("U.S")
    ('U.S', None)
    """
    word, dot, end = lexelt.rpartition(".")
    part = ENDINGS.get(end) if dot else None
    return (lexelt if part is None else word).replace("_", " "), part


@lru_cache(1 << 16)
def meeting(lexelts: tuple[str, ...], tags: tuple[str | None, ...]) -> tuple[str, ...]:
    """Return the lexelts that one of the tags of an occurrence allows; all if no tag is known.

    >>> meeting(("bank.n", "bank.v"), ("VB",)), meeting(("cold.a",), ("_",))
    (('bank.v',), ('cold.a',))
    """
    known = {part_of_speech(tag) for tag in tags} - {None}
    allowed = {None, *known}
    return tuple(word for word in lexelts if not known or split_lexelt(word)[1] in allowed)
