"""What is shown of text that would hide something."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from wsdlist.errors import HIDDEN, plain


def test_no_character_that_hides_is_printed_alone() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    hiding = [c for c in every if unicodedata.category(c) in HIDDEN]
    assert [c for c in hiding if c in plain(f"a{c}b")] == []
    assert len({plain(c) for c in hiding}) == len(hiding)


@given(st.text())
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert "\n" not in plain(text)


def test_a_joiner_is_a_part_of_words_that_are_written_with_it() -> None:
    persian = "می\N{ZERO WIDTH NON-JOINER}خواهم"
    assert plain(persian) == persian
    assert plain("ba\N{ZERO WIDTH JOINER}nk") == "ba\\u200dnk"
    assert plain("\N{ZERO WIDTH JOINER}") == "\\u200d"
    assert plain("\u202e\u200d\u2014") == "\\u202e\\u200d\u2014"
