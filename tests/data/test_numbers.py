"""Numbers as people write them: ASCII digits, finite, and nothing else."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wsdlist.data.numbers import real, whole


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_of_a_number_is_that_number(number: float) -> None:
    assert real(repr(number)) == number


@given(st.integers(0, 10**18 - 1))
def test_what_python_writes_of_a_whole_number_is_that_number(number: int) -> None:
    assert whole(str(number)) == number
    assert real(str(number)) == float(number)


@given(st.text())
def test_any_other_text_is_none(text: str) -> None:
    value, count = real(text), whole(text)
    assert value is None or (math.isfinite(value) and text.isascii() and float(text) == value)
    assert count is None or (text.isascii() and text.isdigit() and int(text) == count)


@pytest.mark.parametrize(
    "text",
    [
        *("1_0", "\uff11\uff10", "\u0663", "nan", "NaN", "inf", "-Infinity", "1e999"),
        *("0x10", "", " 1", "1,5", "1e", "."),
    ],
)
def test_what_other_programs_do_not_read_as_a_number_is_none(text: str) -> None:
    assert real(text) is None
    assert whole(text) is None
