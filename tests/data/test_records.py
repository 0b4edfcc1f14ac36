"""Dataclasses as JSON data: they come back as they were; what is odd is refused by its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from wsdlist.data.arrays import Bools, Floats, Ints
from wsdlist.data.records import (
    Count,
    MaybeCount,
    MaybeNumber,
    MaybeProbability,
    Probability,
    RecordError,
    Within,
    check_distributions,
    check_labels,
    check_numbers,
    check_shape,
    fields_from_record,
    fields_to_record,
    from_record,
    key,
    to_record,
)
from wsdlist.errors import InputError

NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Note:
    """It looks different as JSON."""

    text: str

    def to_record(self) -> str:
        return f"note: {self.text}"

    @staticmethod
    def from_record(record: Any) -> Note:
        if not isinstance(record, str) or not record.startswith("note: "):
            raise InputError("a note does not begin with 'note: '", "begin so")
        return Note(record.removeprefix("note: "))


@dataclass(frozen=True)
class Inner:
    p: Probability
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Everything:
    text: str
    flag: bool
    whole: int
    number: float
    probability: Probability
    count: Count
    maybe: MaybeProbability
    maybe_count: MaybeCount
    maybe_number: MaybeNumber
    nothing: None
    anything: Any
    choice: Literal["a", "b", 3]
    optional: int | None
    either: int | str | list[float]
    pair: tuple[str, int]
    many: tuple[str, ...]
    listed: list[float]
    sequence: Sequence[str]
    together: frozenset[str]
    mapping: dict[str, Probability]
    general: Mapping[str, Inner]
    floats: Floats
    ints: Ints
    bools: Bools
    inner: Inner
    note: Note = field(metadata=key("as text"))
    short: str = field(default="", metadata=key(optional=True))
    found: dict[str, int] = field(default_factory=dict, metadata=key("f", optional=True))


numbers = st.floats(allow_nan=False, allow_infinity=False)
shares = st.floats(0, 1)
counts = st.floats(0, allow_infinity=False)
shapes = arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3)
notes = st.builds(Note, st.text())
inners = st.builds(Inner, shares, st.lists(notes, max_size=2).map(tuple))
json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)
everything = st.builds(
    Everything,
    text=st.text(),
    flag=st.booleans(),
    whole=st.integers(),
    number=numbers,
    probability=shares,
    count=counts,
    maybe=shares | st.just(NAN),
    maybe_count=counts | st.just(NAN),
    maybe_number=numbers | st.just(NAN),
    nothing=st.none(),
    anything=json_data,
    choice=st.sampled_from(["a", "b", 3]),
    optional=st.none() | st.integers(),
    either=st.integers() | st.text() | st.lists(numbers, max_size=3),
    pair=st.tuples(st.text(), st.integers()),
    many=st.lists(st.text(), max_size=3).map(tuple),
    listed=st.lists(numbers, max_size=3),
    sequence=st.lists(st.text(), max_size=3).map(tuple),
    together=st.frozensets(st.text(), max_size=3),
    mapping=st.dictionaries(st.text(), shares, max_size=3),
    general=st.dictionaries(st.text(), inners, max_size=2),
    floats=arrays.arrays(np.float64, shapes, elements=numbers),
    ints=arrays.arrays(np.int64, shapes),
    bools=arrays.arrays(np.bool_, shapes),
    inner=inners,
    note=notes,
    short=st.text(),
    found=st.dictionaries(st.text(), st.integers(), max_size=2),
)


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    if isinstance(one, float) and one != one:
        return bool(other != other)
    return type(one) is type(other) and bool(one == other)


@given(everything)
def test_every_kind_of_field_comes_back_as_it_was(instance: Everything) -> None:
    written = json.dumps(fields_to_record(instance), allow_nan=False)
    again = fields_from_record(Everything, json.loads(written))
    for one in fields(Everything):
        assert alike(getattr(again, one.name), getattr(instance, one.name)), one.name
    assert json.dumps(fields_to_record(again)) == written


@given(everything)
def test_a_field_has_its_key_and_may_be_left_out_with_its_default(instance: Everything) -> None:
    record = fields_to_record(instance)
    assert record["as text"] == f"note: {instance.note.text}"
    assert "note" not in record
    assert ("short" in record) == bool(instance.short)
    assert ("f" in record) == bool(instance.found)
    assert fields_from_record(Everything, {**record, "another": 1}).text == instance.text


def test_what_is_left_out_has_a_default_of_its_own() -> None:
    record = {"p": 1}
    first, second = (fields_from_record(Inner, record) for _ in range(2))
    assert first == second == Inner(1.0)


def test_a_default_that_is_unknown_is_left_out_too() -> None:
    @dataclass
    class Counted:
        n: MaybeCount = field(default=NAN, metadata=key(optional=True))

    assert fields_to_record(Counted()) == {}
    assert fields_to_record(Counted(2.0)) == {"n": 2.0}


def test_a_field_that_follows_from_others_is_not_read() -> None:
    @dataclass
    class Square:
        side: int
        area: int = field(init=False)

        def __post_init__(self) -> None:
            self.area = self.side**2

    assert fields_from_record(Square, {"side": 3, "area": 7}) == Square(3)


class Colour(Enum):
    RED = "red"


def test_what_a_record_may_hold() -> None:
    assert to_record(Colour.RED) == "red"
    assert to_record({"b", "a"}) == ["a", "b"]
    assert to_record(np.int64(3)) == 3
    assert to_record(np.float64(NAN)) is None
    assert type(to_record(np.float64(0.5))) is float
    assert to_record(np.array([[1.5, NAN]])) == [[1.5, None]]
    assert to_record([Inner(0.5, (Note("n"),))]) == [{"p": 0.5, "notes": ["note: n"]}]
    assert to_record(True) is True


@pytest.mark.parametrize(
    ("hint", "record", "message"),
    [
        (str, 1, "is 1, not a string"),
        (bool, 1, "is 1, not true or false"),
        (int, True, "is True, not a whole number"),
        (int, 1.0, "is 1.0, not a whole number"),
        (type(None), 0, "is 0, not null"),
        (float, None, "is None, not a number"),
        (float, "1", "is '1', not a number"),
        (float, True, "is True, not a number"),
        (float, NAN, "is nan, not a number"),
        (float, INF, "is inf, not a number"),
        (float, 10**400, "is 1000000000000000000000000000000000000..., not a number"),
        (Probability, 1.5, "is 1.5, not a number from 0 to 1"),
        (Probability, -1e-9, "is -1e-09, not a number from 0 to 1"),
        (Probability, None, "is None, not a number from 0 to 1"),
        (MaybeProbability, 2, "is 2, not a number from 0 to 1"),
        (Count, -1, "is -1, not a number from 0 on"),
        (MaybeCount, INF, "is inf, not a number from 0 on"),
        (MaybeNumber, "x", "is 'x', not a number"),
        (Literal["a", "b"], "c", "is 'c', not one of a, b"),
        (Literal["a", 1], True, "is True, not one of a, 1"),
        (Literal["a"], [], "is [], not one of a"),
        (int | None, "x", "is 'x', not a whole number"),
        (int | str, None, "is None, not a string"),
        (tuple[str, int], "xy", "is 'xy', not a list"),
        (tuple[str, int], ["x"], "has 1 values, not 2"),
        (tuple[str, int], ["x", "y"], "[1] is 'y', not a whole number"),
        (tuple[str, ...], ["x", 2], "[1] is 2, not a string"),
        (list[str], {"x": 1}, "is {'x': 1}, not a list"),
        (list[list[str]], [["x"], ["x", 2]], "[1][1] is 2, not a string"),
        (frozenset[str], [None], "[0] is None, not a string"),
        (dict[str, int], [], "is [], not an object"),
        (dict[str, int], {"a": 1, "b": None}, "['b'] is None, not a whole number"),
        (Floats, 1, "is 1, not a list"),
        (Floats, ["x"], "holds 'x', which its type does not allow"),
        (Floats, [[1], [True]], "holds True, which its type does not allow"),
        (Floats, [[1], [1, 2]], "is no array: its rows are of different length, or too large"),
        (Floats, [1e308 * 10], "holds a number that is not finite"),
        (Floats, [NAN], "holds a number that is not finite"),
        (Floats, [10**400], "is no array: its rows are of different length, or too large"),
        (Ints, [1.0], "holds 1.0, which its type does not allow"),
        (Ints, [2**63], "is no array: its rows are of different length, or too large"),
        (Bools, [0], "holds 0, which its type does not allow"),
        (Note, "x", "cannot be read: a note does not begin with 'note: '"),
        (Inner, 1, "is 1, not an object"),
        (Inner, {}, "has no 'p'"),
        (Inner, {"p": 2}, "p is 2, not a number from 0 to 1"),
        (Inner, {"p": 1, "notes": ["note: n", "x"]}, "notes[1] cannot be read: a note does not"),
        (list[Inner], [{"p": 1}, {"p": None}], "[1].p is None, not a number from 0 to 1"),
        (dict[str, Inner], {"a": {"p": "x"}}, "['a'].p is 'x', not a number from 0 to 1"),
        (str, ["long"] * 99, "is ['long', 'long', 'long', 'long', 'lon..., not a string"),
    ],
)
def test_what_is_refused_is_named_with_its_place(hint: Any, record: Any, message: str) -> None:
    with pytest.raises(RecordError) as refused:
        from_record(hint, record)
    assert str(refused.value).startswith(message)
    assert "  " not in str(refused.value)


def test_the_bounds_themselves_are_numbers() -> None:
    assert from_record(Probability, 0) == 0
    assert from_record(Probability, 1) == 1
    assert from_record(Annotated[float, Within(-2)], -2) == -2
    assert type(from_record(Count, 7)) is float
    assert from_record(MaybeCount, None) != from_record(MaybeCount, None)


def test_of_two_types_the_first_that_fits_is_taken() -> None:
    assert from_record(float | int, 3) == 3.0
    assert type(from_record(float | int, 3)) is float
    assert type(from_record(int | float, 3)) is int
    assert from_record(int | list[int], [3]) == [3]


def test_an_error_gathers_its_path_from_within() -> None:
    error = RecordError("is odd")
    assert str(error) == "is odd"
    assert str(error.below("p")) == "p is odd"
    assert str(error.below("p").below("[0]").below("rules")) == "rules[0].p is odd"
    assert error.below("p").below("q").path == "q.p"


def test_shapes_numbers_distributions_and_labels() -> None:
    check_shape("a", np.zeros((2, 3)), (2, 3))
    check_numbers("a", np.array([0, 2]), 3)
    check_numbers("a", np.array([[0, 5], [2, 0]]), np.array([3, 6]))
    check_distributions("a", np.array([[0.5, 0.5], [1, 0], [0.3333333, 0.6666666]]))
    check_labels("a", ["x", "y"], ["y", "x"])
    refused: list[tuple[Any, tuple[Any, ...], str]] = [
        (check_shape, (np.zeros(6), (2, 3)), "a has the shape (6,), not (2, 3)"),
        (check_numbers, (np.array([3]), 3), "a holds a number that nothing has"),
        (check_numbers, (np.array([-1]), 3), "a holds a number that nothing has"),
        (check_numbers, (np.array([[3, 0]]), np.array([3, 6])), "a holds a number that nothing"),
        (check_distributions, (np.array([[0.5, 0.499]]),), "a has probabilities that do not sum"),
        (check_distributions, (np.array([[0.5, 0.501]]),), "a has probabilities that do not sum"),
        (check_distributions, (np.array([[1.5, -0.5]]),), "a has probabilities that do not sum"),
        (check_labels, (["z"], ["x", "y"]), "a names the sense 'z', which is none of the list"),
    ]
    for check, given_, message in refused:
        with pytest.raises(RecordError) as error:
            check("a", *given_)
        assert str(error.value).startswith(message)
