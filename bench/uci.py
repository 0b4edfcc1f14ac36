"""Read the tables of the rule-learning papers as their `tables.json` describes them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wsdlist.data.arrays import Ints
from wsdlist.data.corpus import Attribute, Row, Table
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


def lazy_table(folder: Path, name: str) -> tuple[list[Row], str]:
    """Return the rows of a table of the LazyRule paper, and how its missing values are read."""
    spec = json.loads((folder / "tables.json").read_text(encoding="utf-8"))["lazyrule"][name]
    # of soybean and annealing the paper's figures fit a missing value as one of its own
    missing = "value" if name in ("annealing", "soybean") else "none"
    if name == "solar-flare":
        made = []
        for file in spec["files"]:
            (source,) = load(folder / file)
            part = _read(source, spec)
            target = part.attributes[10].name
            kinds = {part.attributes[n].name: "skip" for n in (11, 12)}
            rows = part.instances(target, {**kinds, target: "nominal"})
            made += [
                replace(row, senses=("none" if row.senses[0] == "0" else "some",)) for row in rows
            ]
        return [replace(row, lexelt=name) for row in made], missing
    if name == "hypothyroid":
        (source,) = load(folder / spec["files"][0])
        assert isinstance(source, Source)
        lines = [line.split(",") for line in source.text.split("\n") if line.strip()]
        numeric = frozenset(f"a{n}" for n in spec["numeric"])
        attributes = tuple(f"a{n}" for n in range(1, len(lines[0])))
        return [
            Row(
                f"{name}:{n}",
                name,
                attributes,
                tuple(None if value == "?" else value for value in line[1:]),
                (line[0],),
                "",
                numeric,
            )
            for n, line in enumerate(lines)
        ], missing
    rows = table(folder, "lazyrule", name)
    if name == "splice":
        rows = [row for row in rows if not {"N", "D"} & {*row.values}]
    return rows, missing


def folds(rows: list[Row], repetition: int) -> Ints:
    """Return the fold of each row: ten stratified ones, the same that all peers have."""
    senses = sorted({row.senses[0] for row in rows})
    outcome = np.array([senses.index(row.senses[0]) for row in rows])
    drawn = np.random.default_rng(1999 + repetition).permutation(len(rows))
    order = drawn[np.argsort(outcome[drawn], kind="stable")]
    fold = np.empty(len(rows), dtype=np.int64)
    fold[order] = np.arange(len(rows)) % 10
    return fold


def write_arff(
    path: Path, train: list[Row], test: list[Row], part: list[Row], *, missing: bool
) -> None:
    """Write a part as ARFF with the values of both; numbers stand for values and classes."""
    rows = [*train, *test]
    lines = ["@relation t"]
    columns = list(zip(*(row.values for row in rows), strict=True))
    codes = []
    for n, column in enumerate(columns):
        values = sorted({v for v in column if v is not None})
        code: dict[str | None, str] = {value: f"v{m}" for m, value in enumerate(values)}
        code[None] = "?" if missing else "missing"
        codes.append(code)
        declared = [code[value] for value in values]
        if not missing:
            declared.append("missing")
        lines.append(f"@attribute a{n} {{{','.join(declared)}}}")
    classes = {c: f"c{m}" for m, c in enumerate(sorted({row.senses[0] for row in rows}))}
    lines += [f"@attribute class {{{','.join(classes.values())}}}", "@data"]
    for row in part:
        values_ = [code[value] for code, value in zip(codes, row.values, strict=True)]
        lines.append(",".join([*values_, classes[row.senses[0]]]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


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
