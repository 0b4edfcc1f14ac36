"""The options of every command, with their help and defaults; and how groups of them are made.

``python -m tests.cli.test_options`` writes the options of today into options.txt.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from wsdlist.cli import app
from wsdlist.cli._groups import leave_out, with_groups

KNOWN = Path(__file__).parent / "options.txt"


def shown() -> str:
    """Return a line for each argument and option of each command."""
    commands: Any = typer.main.get_command(app)
    lines = []
    for name, command in commands.commands.items():
        for parameter in sorted(command.params, key=lambda parameter: parameter.opts):
            names = "/".join([*parameter.opts, *parameter.secondary_opts])
            default = "" if parameter.default is None else f" [{parameter.default}]"
            required = " (required)" if parameter.required else ""
            lines.append(f"{name} {names}{default}{required}: {parameter.help}\n")
    return "".join(lines)


def test_commands_have_the_options_that_scripts_know() -> None:
    known = KNOWN.read_text(encoding="utf-8")
    assert shown().splitlines() == known.splitlines(), "run python -m tests.cli.test_options"


@dataclass(frozen=True)
class Greeting:
    name: Annotated[str, typer.Option("--name", help="Whom.")] = "you"
    titles: Annotated[list[str], typer.Option("--title")] = field(default_factory=list)


def run(command: Any, *arguments: str) -> None:
    app = typer.Typer()
    app.command()(with_groups(command))
    with pytest.raises(SystemExit) as ended:
        app(list(arguments))
    assert ended.value.code == 0


def test_a_command_gets_its_groups_as_instances() -> None:
    given: list[Any] = []

    def greet(word: str, *, greeting: Greeting, loud: bool = False) -> None:
        given.extend([word, greeting, loud])

    run(greet, "hello", "--name", "all", "--title", "dear", "--title", "old", "--loud")
    assert given == ["hello", Greeting("all", ["dear", "old"]), True]
    given.clear()
    run(greet, "hello")
    assert given == ["hello", Greeting(), False]


def test_what_is_left_out_is_no_option_and_has_its_default() -> None:
    given: list[Greeting] = []

    def greet(greeting: Annotated[Greeting, leave_out("titles")]) -> None:
        given.append(greeting)

    run(greet, "--name", "all")
    assert given == [Greeting("all", [])]
    command: Any = typer.main.get_command(_app_of(greet))
    assert "--title" not in [name for parameter in command.params for name in parameter.opts]


def _app_of(command: Any) -> typer.Typer:
    app = typer.Typer()
    app.command()(with_groups(command))
    return app


if __name__ == "__main__":
    KNOWN.write_text(shown(), encoding="utf-8")
