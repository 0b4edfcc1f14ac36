"""Groups of options: a command takes a dataclass of options as one parameter, typer sees each."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class LeaveOut:
    """Fields of a group that a command has no options for; they keep their defaults."""

    names: frozenset[str]


def leave_out(*names: str) -> LeaveOut:
    """Say which fields of a group a command leaves out: ``Annotated[Group, leave_out("name")]``."""
    return LeaveOut(frozenset(names))


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in whose signature each group is replaced by its fields.

    A group is a parameter whose type is a dataclass. Each of its fields needs a default, and is
    annotated as a parameter of a command would be. The returned command takes the fields, and
    gives the groups to the command that was wrapped.

    >>> @dataclass(frozen=True)
    ... class Greeting:
    ...     name: str = "you"
    >>> def greet(times: int, greeting: Greeting) -> None:
    ...     print(f"hello {greeting.name}, " * times)
    >>> list(inspect.signature(with_groups(greet)).parameters)
    ['times', 'name']
    >>> with_groups(greet)(times=2, name="all")
    hello all, hello all,
    """
    groups: dict[str, tuple[type, list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        group, left_out = _group(hints[name])
        if group is None:
            parameters.append(parameter.replace(annotation=hints[name]))
            continue
        shown = [field for field in fields(group) if field.name not in left_out]
        groups[name] = group, [field.name for field in shown]
        of_fields = get_type_hints(group, include_extras=True)
        parameters += [_parameter(field, parameter, of_fields[field.name]) for field in shown]

    @functools.wraps(command)
    def run(**values: Any) -> None:
        for name, (group, names) in groups.items():
            values[name] = group(**{field: values.pop(field) for field in names})
        command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _group(hint: Any) -> tuple[type | None, frozenset[str]]:
    """Return the dataclass that a parameter is, and which of its fields are left out."""
    left_out: frozenset[str] = frozenset()
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        left_out = left_out.union(*(mark.names for mark in more if isinstance(mark, LeaveOut)))
    return hint if isinstance(hint, type) and is_dataclass(hint) else None, left_out


def _parameter(field: Field[Any], group: inspect.Parameter, hint: Any) -> inspect.Parameter:
    """Return a field as a parameter of its own, where the group stands."""
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return inspect.Parameter(field.name, group.kind, default=default, annotation=hint)
