"""The rooms of the house: imports point up the list only, and importing is light and silent."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

# from the ground up; a room imports only rooms above it in this list (docs/architecture.md)
ROOMS = [
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


def room(path: Path) -> str:
    return path.relative_to(ROOT / "wsdlist").parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "wsdlist":
                names = [f"wsdlist.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("wsdlist.")}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    mine = room(path)
    if mine == "__init__":
        return  # the front door: it imports nothing until asked
    assert mine in ROOMS, f"{mine} has no place in the house: docs/architecture.md"
    above = set(ROOMS[: ROOMS.index(mine) + 1])
    assert imported_rooms(path) <= above


def test_every_room_of_the_list_exists() -> None:
    assert {room(path) for path in FILES} == {*ROOMS, "__init__"}


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
