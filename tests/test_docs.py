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

from tests.conftest import ROOT
from wsdlist.features.sets import feature_set
from wsdlist.readers import read

README = ROOT / "README.md"
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)


def filled(page: str) -> str:
    """Return the page with the output of each command behind it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "corpora").symlink_to(ROOT / "corpora")
        commands = [
            c for block in CONSOLE.findall(page) for c in block.splitlines() if c[:2] == "$ "
        ]
        # the list at the top of the page is that of a model trained further down
        commands.sort(key=lambda command: " train " not in command)
        printed = {}
        for command in commands:
            echo, _, called = command[2:].rpartition(" | ")
            stdin = " ".join(shlex.split(echo)[1:]) + "\n"
            program, *arguments = shlex.split(called)
            assert program == "wsdlist"
            done = subprocess.run(
                [sys.executable, "-c", "from wsdlist.cli import main; main()", *arguments],
                input=stdin,
                capture_output=True,
                text=True,
                cwd=folder,
                check=True,
            )
            printed[command] = done.stdout

    def fill(match: re.Match[str]) -> str:
        shown = [line for line in match[1].splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"{c}\n{printed[c]}" for c in shown) + "```"

    return CONSOLE.sub(fill, page)


def in_order(page: str) -> str:
    """Return a page whose commands follow from one another, run by a shell in one folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "corpora").symlink_to(ROOT / "corpora")
        program = Path(folder) / "bin" / "wsdlist"
        program.parent.mkdir()
        called = f"exec {shlex.quote(sys.executable)} -c 'from wsdlist.cli import main; main()'"
        program.write_text(f'#!/bin/sh\n{called} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"

        def fill(match: re.Match[str]) -> str:
            made = []
            for command in (line for line in match[1].splitlines() if line.startswith("$ ")):
                done = subprocess.run(
                    ["sh", "-c", command[2:]],
                    capture_output=True,
                    encoding="utf-8",
                    cwd=folder,
                    env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
                    check=True,
                )
                assert "error" not in done.stderr, done.stderr
                made.append(f"{command}\n{done.stdout}")
            return "```console\n" + "".join(made) + "```"

        return CONSOLE.sub(fill, page)


PAGES = {
    README: filled,
    ROOT / "docs" / "features.md": filled,
    ROOT / "docs" / "tutorial.md": in_order,
}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_show_what_is_printed(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert PAGES[path](page) == page, "run python -m tests.test_docs"


def test_the_readmes_json_and_toml_are_read(tmp_path: Path) -> None:
    page = README.read_text(encoding="utf-8")
    (record,) = re.findall(r"```json\n(.*?)```", page, re.S)
    (tmp_path / "s.jsonl").write_text(record)
    (one,) = read([tmp_path / "s.jsonl"]).train.instances
    assert one.senses == ("shore",)
    text = json.loads(record)
    assert text["text"][slice(*text["target"])] == "bank"
    (features,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    (tmp_path / "mine.toml").write_text(features)
    assert len(feature_set(str(tmp_path / "mine.toml")).templates) == 3 + 3


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


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda p: p.name)
def test_links_of_the_docs_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


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
    for path, fill in PAGES.items():
        path.write_text(fill(path.read_text(encoding="utf-8")), encoding="utf-8")
