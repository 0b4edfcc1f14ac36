"""The rooms of the house: imports point up the list only, and importing is light and silent."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import wsdlist
from tests.conftest import ROOT

# from the ground up; a room imports only rooms above it in this list (docs/architecture.md)
ROOMS = [
    "version",
    "errors",
    "layout",
    "data",
    "readers",
    "inventories",
    "features",
    "learners",
    "models",
    "training",
    "evaluation",
    "reporting",
    "integrations",
    "cli",
]
FILES = sorted((ROOT / "wsdlist").rglob("*.py"))
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in FILES}
FLOORS = 10  # rooms that stand on one another, from errors to the command line
ARROWS = 70  # from a room to another that it imports from
LINES = 450  # of a module


def room(path: Path) -> str:
    return path.relative_to(ROOT / "wsdlist").parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the modules of the house that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wsdlist"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in MODULES or f"{name}.__init__" in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("wsdlist.")}
    named = {str(name) for name in found}
    return {name if name in MODULES else f"{name}.__init__" for name in named} & {*MODULES}


IMPORTS = {name: imported(path) - {name, "wsdlist.__init__"} for name, path in MODULES.items()}


def rooms_below(name: str) -> set[str]:
    return {room(MODULES[other]) for other in IMPORTS[name]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    mine = room(path)
    if mine in ("__init__", "__main__"):
        return  # the front doors: the one imports nothing until asked, the other the commands
    assert mine in ROOMS, f"{mine} has no place in the house: docs/architecture.md"
    above = set(ROOMS[: ROOMS.index(mine) + 1])
    assert rooms_below(".".join(path.relative_to(ROOT).with_suffix("").parts)) <= above


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_what_stands_on_top_uses_the_public_face(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    uses_it = any(alias.name == "wsdlist" for node in imports for alias in node.names)
    assert not uses_it or room(path) in ("integrations", "cli")


def test_every_room_of_the_list_exists() -> None:
    assert {room(path) for path in FILES} == {*ROOMS, "__init__", "__main__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_private_module_stays_in_its_room(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    private = {other for other in IMPORTS[name] if MODULES[other].name[:1] == "_"}
    private = {other for other in private if MODULES[other].name != "__init__.py"}
    assert {room(MODULES[other]) for other in private} <= {room(path)}


def test_files_do_not_import_one_another_in_a_circle() -> None:
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way, name))
        if name not in done:
            for other in sorted(IMPORTS[name]):
                visit(other, (*way, name))
            done.add(name)

    for name in sorted(IMPORTS):
        visit(name, ())


def test_floors_and_arrows_stay_few() -> None:
    below: dict[str, set[str]] = {name: set() for name in ROOMS}
    for name, path in MODULES.items():
        if room(path) in ROOMS:
            below[room(path)] |= rooms_below(name) - {room(path)}
    floor: dict[str, int] = {}
    for name in ROOMS:
        floor[name] = 1 + max((floor[other] for other in below[name]), default=0)
    assert max(floor.values()) <= FLOORS, floor
    assert sum(map(len, below.values())) <= ARROWS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_are_short(path: Path) -> None:
    """One idea a module; what is longer than a screen is two functions."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            n_lines = (node.end_lineno or 0) - node.lineno + 1
            assert n_lines <= (110 if node.name in DECLARE else 60), node.name


DECLARE = {"train"}  # whose docstring and signature are its length


def test_the_public_face_is_whole() -> None:
    """Every name of the face exists and is listed; another one is an error."""
    assert {*wsdlist.__all__} <= {*dir(wsdlist)}
    for name in wsdlist.__all__:
        assert getattr(wsdlist, name) is not None
    with pytest.raises(AttributeError, match="nosuch"):
        wsdlist.nosuch  # type: ignore[attr-defined]  # noqa: B018 - an error for mypy, too


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr == ""
    return done.stdout


HEAVY = ["spacy", "nltk", "sklearn", "joblib", "rich", "scipy.stats", "typer"]


def test_import_is_silent_and_takes_no_heavy_module() -> None:
    printed = python(f"import sys, wsdlist; print([m for m in {HEAVY!r} if m in sys.modules])")
    assert printed == "[]\n"


def test_the_python_face_takes_no_heavy_module() -> None:
    code = (
        "import sys; from wsdlist import train, load, read, Model, Corpus\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert python(code) == "[]\n"


def test_help_loads_no_numpy() -> None:
    code = (
        "import sys; sys.argv = ['wsdlist', '--help']\n"
        "from wsdlist.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('numpy' in sys.modules)"
    )
    assert python(code).endswith("False\n")
