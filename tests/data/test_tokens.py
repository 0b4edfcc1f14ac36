"""Forms of words: what questions take to be the same word is the same however it is written."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from wsdlist.data.tokens import normal

LETTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
MARKS = [chr(code) for code in range(0x300, 0x370)]  # the block of combining diacritical marks


def test_the_normal_form_of_every_character_is_its_own_normal_form() -> None:
    assert [c for c in LETTERS if normal(normal(c)) != normal(c)] == []


def test_the_normal_form_of_every_marked_capital_is_its_own_normal_form() -> None:
    marked = [c + mark for c in LETTERS if c.lower() != c for mark in MARKS]
    assert [form for form in marked if normal(normal(form)) != normal(form)] == []
    assert normal("T\N{COMBINING DIAERESIS}") == "\N{LATIN SMALL LETTER T WITH DIAERESIS}"


@given(st.text())
def test_a_form_is_the_same_in_every_form_of_unicode(form: str) -> None:
    assert normal(normal(form)) == normal(form)
    assert normal(unicodedata.normalize("NFD", form)) == normal(form)
