"""Names of lexelts, senses, attributes and their values: one rule for how they compare.

Names that Unicode calls canonically equivalent are one name: all are kept in NFC, and what is
looked up is looked up in NFC. Blanks at the edges belong to no name.
"""

from __future__ import annotations

import unicodedata


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
