"""Read the tables of the rule-learning papers as their `tables.json` describes them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wsdlist.answers import Ints
from wsdlist.corpus import Attribute, Row, Table
from wsdlist.readers import arff, csv_table
from wsdlist.readers.sources import Source, load


def table(folder: Path, group: str, name: str) -> list[Row]:
    """Return the rows of a table, in the order of its files."""
    spec = json.loads((folder / "tables.json").read_text(encoding="utf-8"))[group][name]
    parts = [_read(source, spec) for file in spec["files"] for source in load(folder / file)]
    made: list[Row] = []
    for part in parts:
        target = spec["class"]
        target = part.attributes[target].name if isinstance(target, int) else target
        names = [part.attributes[n].name if isinstance(n, int) else n for n in spec.get("drop", [])]
        kinds = dict.fromkeys(names, "skip") | dict.fromkeys(spec.get("nominal", []), "nominal")
        made += part.instances(target, kinds)
    made = made[slice(*spec["rows"])] if isinstance(spec.get("rows"), list) else made
    return [replace(row, lexelt=name) for row in made]


def _read(source: Any, spec: dict[str, Any]) -> Table:
    def fail(error: Exception) -> None:
        raise error

    assert isinstance(source, Source)
    if spec["format"] == "arff":
        return arff.read(source, fail)
    if spec["format"] == "csv":
        return csv_table.read(source, fail)
    assert spec["format"] == "monks"  # no header, columns parted by spaces
    rows: list[tuple[str | None, ...]] = [
        tuple(line.split()) for line in source.text.split("\n") if line.strip()
    ]
    attributes = tuple(Attribute(f"a{n}", ()) for n in range(len(rows[0])))
    return Table(source.stem, attributes, rows, list(range(1, len(rows) + 1)), source.name)


def names(folder: Path, group: str) -> list[str]:
    """Return the names of the tables of a group, in the order of the paper."""
    return list(json.loads((folder / "tables.json").read_text(encoding="utf-8"))[group])


def split(n: int, number: int) -> tuple[Ints, Ints]:
    """Return the rows of the training and of the test part: the splits that all peers have."""
    order = np.random.default_rng(1994 + number).permutation(n)
    return order[: round(0.8 * n)], order[round(0.8 * n) :]
