"""Examples in the docs run in a folder of their own, with the corpora of the clone."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each page in an empty folder."""
    corpora = Path(__file__).parent.parent / "corpora"
    (tmp_path / "corpora").symlink_to(corpora, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
