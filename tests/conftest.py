"""What the tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LEXICAL_SAMPLE = ROOT / "corpora" / "lexical-sample"
TABLES = ROOT / "corpora" / "tables"

# twelve contexts of bank.n (USERS: the corpus of the inputs that broke other tools)
SEED = [
    ("she paid the cheque into the bank on friday", 6, "money"),
    ("the bank raised its lending rate again", 1, "money"),
    ("our bank refused the loan", 1, "money"),
    ("a bank clerk counted the coins", 1, "money"),
    ("the bank froze his account", 1, "money"),
    ("he robbed a bank in broad daylight", 3, "money"),
    ("which bank holds your mortgage", 1, "money"),
    ("we tied the boat to the bank of the river", 6, "shore"),
    ("herons nest on the muddy bank", 5, "shore"),
    ("the river burst its bank after the storm", 4, "shore"),
    ("wild mint grew along the bank of the stream", 5, "shore"),
    ("he slid down the grassy bank into the water", 5, "shore"),
]


def seed_records() -> list[dict[str, Any]]:
    """Return SEED as JSONL records."""
    return [
        {
            "id": f"s{number:02d}",
            "lexelt": "bank.n",
            "tokens": text.split(),
            "target": target,
            "senses": [sense],
        }
        for number, (text, target, sense) in enumerate(SEED, start=1)
    ]


def jsonl(records: list[dict[str, Any]]) -> str:
    """Return records as JSONL."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def senseval(records: list[dict[str, Any]], answers: bool = True) -> str:
    """Return records as Senseval lexical-sample XML."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<corpus>\n<lexelt item="bank.n">']
    for record in records:
        tokens = list(record["tokens"])
        tokens[record["target"]] = f"<head>{tokens[record['target']]}</head>"
        parts.append(f'<instance id="{record["id"]}">')
        if answers:
            parts += [
                f'<answer instance="{record["id"]}" senseid="{s}"/>' for s in record["senses"]
            ]
        parts.append(f"<context>\n{' '.join(tokens)}\n</context>\n</instance>")
    return "\n".join([*parts, "</lexelt>\n</corpus>\n"])


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    """Return the path of SEED as JSONL."""
    path = tmp_path / "seed.jsonl"
    path.write_text(jsonl(seed_records()), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of third-party corpora, or skip where there is none."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the third-party corpora are not on this machine")
    return folder


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def wsdlist(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that calls the command line, in this process because that is quicker."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        from wsdlist.cli import main

        monkeypatch.setattr(sys, "argv", ["wsdlist", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = int(ended.value.code or 0)
        return subprocess.CompletedProcess(sys.argv, code, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def process() -> Run:
    """Return a function that calls the command line as a user does, in a process of its own."""

    def run(
        *arguments: str | Path, stdin: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from wsdlist.cli import main; main()", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1", **environment},
            timeout=300,
            check=False,
        )

    return run
