"""Checks of parameters: what is refused, and the sentence that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wsdlist.data.checks import check_choice, check_number, check_whole
from wsdlist.errors import ParameterError

INF, NAN = float("inf"), float("nan")


def said(check: Any, value: Any, *given: Any, **bounds: Any) -> str:
    with pytest.raises(ParameterError) as refused:
        check("p", value, *given, **bounds)
    return str(refused.value)


def test_a_choice_is_one_of_the_names() -> None:
    check_choice("p", "a", ["a", "b"])
    check_choice("p", "b", {"a": 1, "b": 2})
    assert said(check_choice, "c", ["a", "b"]) == "p is 'c'; say one of a, b"
    assert said(check_choice, None, ["a"]) == "p is None; say one of a"


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        (0, {"least": 0}),
        (-1.5, {}),
        (np.float32(0.5), {"least": 0, "most": 1}),
        (np.int64(1), {"least": 0, "most": 1}),
        (1e-9, {"above": 0}),
        (INF, {"finite": False}),
        (None, {"optional": True}),
    ],
)
def test_numbers_within_bounds_pass(value: Any, bounds: dict[str, Any]) -> None:
    check_number("p", value, **bounds)


@pytest.mark.parametrize(
    ("value", "bounds", "sentence"),
    [
        (-1, {"least": 0}, "p is -1; say a number of 0 or more"),
        (0, {"above": 0}, "p is 0; say a number above 0"),
        (1.1, {"least": 0, "most": 1}, "p is 1.1; say a number from 0 to 1"),
        (2, {"above": 0, "most": 1}, "p is 2; say a number above 0 up to 1"),
        (0.0, {"above": 0, "most": 1}, "p is 0.0; say a number above 0 up to 1"),
        (INF, {}, "p is inf; say a number"),
        (NAN, {"finite": False}, "p is nan; say a number"),
        (True, {}, "p is True; say a number"),
        ("1", {}, "p is '1'; say a number"),
        (None, {"least": 0}, "p is None; say a number of 0 or more"),
        (-1, {"least": 0, "optional": True}, "p is -1; say a number of 0 or more, or None"),
        (-1, {"least": 0, "advice": "say bits"}, "p is -1; say bits"),
    ],
)
def test_other_numbers_are_refused(value: Any, bounds: dict[str, Any], sentence: str) -> None:
    assert said(check_number, value, **bounds) == sentence


def test_whole_numbers() -> None:
    check_whole("p", 1)
    check_whole("p", np.int64(2), least=2)
    check_whole("p", None, optional=True)
    for value in (0, 1.0, 1.5, True, "1", None, NAN):
        assert said(check_whole, value) == f"p is {value!r}; say a whole number of 1 or more"
    expected = "p is 1; say a whole number of 2 or more, or None"
    assert said(check_whole, 1, least=2, optional=True) == expected
