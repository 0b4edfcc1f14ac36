"""Names of lexelts, senses, attributes and their values: one rule for how they compare.

Names that Unicode calls canonically equivalent are one name: all are kept in NFC, and what is
looked up is looked up in NFC. Blanks at the edges belong to no name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def nfc(text: str) -> str:
    r"""Return a text in NFC.

    >>> nfc("cafe\N{COMBINING ACUTE ACCENT}.n")
    'café.n'
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def canonical(name: str) -> str:
    r"""Return a name in the form in which names are kept: NFC, without blanks at its edges.

    >>> canonical(" cafe\N{COMBINING ACUTE ACCENT}.n")
    'café.n'
    """
    return nfc(name).strip()


def alike(names: Iterable[str]) -> list[list[str]]:
    """Return the names that differ only by case, blanks, or compatible characters, in groups.

    >>> alike(["River", "money", "river", "the river", "the  river"])
    [['River', 'river'], ['the  river', 'the river']]
    """
    groups: dict[str, set[str]] = {}
    for name in names:
        key = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        groups.setdefault(key, set()).add(name)
    return [sorted(group) for group in groups.values() if len(group) > 1]
