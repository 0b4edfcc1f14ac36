"""What the docs show is what the commands print.

``python -m tests.test_docs`` writes what they print now into the pages.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import wsdlist
from tests.conftest import ROOT

README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
PAGES = (
    README,
    TOUR,
    *(ROOT / "docs" / f"{name}.md" for name in ("features", "learners", "tutorial")),
)
ALL_PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))


def commands_of(block: str) -> list[str]:
    """Return the lines of a console block that are typed."""
    return [line for line in block.splitlines() if line.startswith("$ ")]


def filled(page: str) -> str:
    """Return the page with what its commands print, run by a shell in one folder."""
    commands = [c for block in CONSOLE.findall(page) for c in commands_of(block)]
    # the list at the top of the README is that of a model trained further down
    commands.sort(key=lambda command: "wsdlist train " not in command)
    printed = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "corpora").symlink_to(ROOT / "corpora")
        program = Path(folder) / "bin" / "wsdlist"
        program.parent.mkdir()
        called = f"exec {shlex.quote(sys.executable)} -m wsdlist"
        program.write_text(f'#!/bin/sh\n{called} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        for command in commands:
            done = subprocess.run(
                ["sh", "-c", command[2:]],
                capture_output=True,
                encoding="utf-8",
                cwd=folder,
                env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
                check=True,
            )
            assert "error" not in done.stderr, done.stderr
            printed[command] = done.stdout

    def fill(match: re.Match[str]) -> str:
        shown = "".join(f"{command}\n{printed[command]}" for command in commands_of(match[1]))
        return f"```console\n{shown}```"

    return CONSOLE.sub(fill, page)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_show_what_is_printed(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert filled(page) == page, "run python -m tests.test_docs"


def test_the_json_of_the_tour_is_read(tmp_path: Path) -> None:
    page = TOUR.read_text(encoding="utf-8")
    (record,) = re.findall(r"```json\n(.*?)```", page, re.S)
    (tmp_path / "s.jsonl").write_text(record)
    (instance,) = wsdlist.read(tmp_path / "s.jsonl").train.instances
    assert instance.senses == ("shore",)
    text = json.loads(record)
    assert text["text"][slice(*text["target"])] == "bank"


@pytest.mark.parametrize(("name", "templates"), [("tour.md", 3 + 3), ("features.md", 3 + 3 + 1)])
def test_the_feature_sets_of_the_docs_are_read(name: str, templates: int, tmp_path: Path) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    (features,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    (tmp_path / "mine.toml").write_text(features)
    assert len(wsdlist.feature_set(str(tmp_path / "mine.toml")).templates) == templates


def test_the_readme_has_two_one_line_commands() -> None:
    page = README.read_text(encoding="utf-8")
    commands = re.findall(r"```sh\n(.*?)\n```", page, re.S)
    assert len(commands) == 2
    assert all("\n" not in command for command in commands)
    assert commands[1].endswith("-m pytest")


def test_every_measured_section_of_the_benchmarks_is_filled() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    sections = re.findall(r"<!-- (.*?): printed by bench/ -->\n(.*?)<!-- end of \1 -->", page, re.S)
    assert sections
    for name, text in sections:
        assert "|" in text, f"{name} was not measured"


def anchors(page: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page, flags=re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", ALL_PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^):]+)\)", path.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_api_page_lists_the_public_face() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
    assert sorted(listed) == sorted(wsdlist.__all__)


def test_no_tracked_file_names_a_place_of_some_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    if listed.returncode:
        pytest.skip("this is no git checkout")
    suspicious = re.compile(r"/(?:work|root|home|Users)/|/tmp/")
    for name in listed.stdout.splitlines():
        text = (ROOT / name).read_text(encoding="utf-8", errors="ignore")
        if name != "tests/test_docs.py":
            assert not suspicious.search(text), name


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
