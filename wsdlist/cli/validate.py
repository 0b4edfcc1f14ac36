"""The command validate: what is wrong with a corpus, or whether a model is undamaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.evaluation.validation import Finding, Word

SHOWN = 10


def validate(
    corpora: options.Corpora,
    *,
    all_findings: Annotated[
        bool, typer.Option("--all", help="Print every finding, not the first ten of a kind.")
    ] = False,
    inventory: options.InventoryName = None,
    corpus: options.StrictCorpusOptions,
    json: options.Json = False,
) -> None:
    """Check a corpus or a model: words, senses, instances, duplicates, leaks, unseen senses.

    Findings have codes: E, a record that is lost; W, worth a look; I, for information. Exit
    status 1 if there is an E or a W.
    """
    from wsdlist.cli import output
    from wsdlist.evaluation.validation import validate
    from wsdlist.inventories.glosses import inventory_of
    from wsdlist.models.storage import is_model

    if len(corpora) == 1 and is_model(corpora[0]):
        _check_model(corpora[0])
        return
    parts = replace(corpus, on_error="skip").read(corpora)
    items = [*parts.train, *(parts.test or ())]
    found = validate(parts, None if inventory is None else inventory_of(inventory, items))
    if json:
        output.jsonl([word.to_record() for word in found.words])
        output.jsonl([finding.to_record() for finding in found.findings])
    else:
        _print_words(found.words)
        _print_findings(found.findings, None if all_findings else SHOWN)
    if parts.ignored:
        output.note(f"ignored, no corpus: {', '.join(parts.ignored)}")
    if not found.clean:
        raise typer.Exit(1)


def _check_model(path: str) -> None:
    """Read all of a model, which checks it, and print what it holds."""
    from wsdlist.models.model import load

    model = load(path)
    rules = sum(model[lexelt].size.rules for lexelt in model)
    over = sum(model.shared[name].size.rules for name in model.shared)
    shared = f", {len(model.shared)} lists over several ({over} rules)" if over else ""
    model.lexicon  # noqa: B018 - reads the forms, and checks them
    listed = " ".join(model.meta.sense_inventory or ())
    senses = f", senses of {listed.strip()}" if listed else ""
    print(f"{path}: {len(model)} words, {rules} rules{shared}{senses}, undamaged")


def _print_words(words: Sequence[Word]) -> None:
    from wsdlist.cli import output
    from wsdlist.layout import percent, table

    header = ("lexelt", "senses", "train", "test", "mfs %", "several senses")
    rows = [
        (
            word.lexelt,
            *map(str, (word.senses, word.train, word.test)),
            percent(word.most_frequent),
            str(word.several),
        )
        for word in words
    ]
    output.lines(table(header, rows))


def _print_findings(findings: Sequence[Finding], most: int | None) -> None:
    """Print findings, not more than so many of a kind."""
    from wsdlist.errors import plain

    times: Counter[str] = Counter()
    for finding in findings:
        times[finding.code] += 1
        if most is None or times[finding.code] <= most:
            print(plain(f"{finding.where}: {finding.code} {finding.message}"))
    if most is not None:
        more = [f"{n - most} more {code}" for code, n in times.items() if n > most]
        if more:
            print(f"and {', '.join(more)} (see all with --all)")
