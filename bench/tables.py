"""What the benchmarks share: Markdown tables, and their place in the docs."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

Row = Sequence[Any]


def markdown(header: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a table; the first column to the left, the others to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def versions() -> str:
    names = ("numpy", "scipy", "scikit-learn", "spacy")
    found = ", ".join(f"{name} {version(name)}" for name in names)
    return f"Python {platform.python_version()}, {found}."


def publish(name: str, text: str, docs: Path | None) -> None:
    """Print a section, and put it between its marks in the docs where a file is named."""
    print(text, flush=True)
    if docs is None:
        return
    page = docs.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: printed by bench/ -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    assert pattern.search(page), f"{docs} has no place for {name}"
    docs.write_text(pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page), encoding="utf-8")


def keep(path: Path | None, name: str, figures: Any) -> None:
    """Keep raw figures as JSON, beside those of other sections."""
    if path is None:
        return
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[name] = figures
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
