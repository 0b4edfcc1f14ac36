"""What commands share: lines and JSON on stdout, notes and progress on stderr."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from wsdlist.data.corpus import Corpus
from wsdlist.errors import plain
from wsdlist.layout import some
from wsdlist.readers import Parts
from wsdlist.training.parallel import Progress

LOG_SECONDS = 5.0
SHOWN = 3  # groups of names that look alike; validate lists all
LEARNED_FROM = "is learned from like the others"


def lines(text: Iterable[str]) -> None:
    """Print lines of a result for people, whatever stands in the names and words of it."""
    for line in text:
        print(plain(line))


def tsv(rows: Iterable[Iterable[str]]) -> None:
    """Print rows for people as lines, tabs between their cells and nowhere else."""
    for row in rows:
        print("\t".join(map(plain, row)))


def jsonl(records: Iterable[dict[str, Any]]) -> None:
    """Print records as JSON, one a line."""
    for record in records:
        print(json.dumps(record, ensure_ascii=False, allow_nan=False))


def data(*texts: bytes) -> None:
    """Print what was made to be a file."""
    sys.stdout.flush()
    for text in texts:
        sys.stdout.buffer.write(text)


def note(text: str) -> None:
    """Say something beside the result."""
    print(plain(text), file=sys.stderr)


def name_of(path: str) -> str:
    """Return what a file is called in results and messages."""
    return "<stdin>" if path == "-" else path


def check_out(path: str, inputs: Sequence[str]) -> None:
    """Refuse to write over what is read, or over a model.

    Raises
    ------
    ParameterError
        When the file is one of these.
    """
    from pathlib import Path

    from wsdlist.errors import ParameterError
    from wsdlist.models.storage import is_model

    target = Path(path)
    if path == "-" or not target.is_file():  # a pipe must not be opened
        return
    read = map(Path, inputs)
    if is_model(target) or any(file.exists() and target.samefile(file) for file in read):
        raise ParameterError("is read, or is a model", "name another file to write", where=path)


def repairs(counts: Mapping[str, int], before: str = "") -> None:
    """Say what had to be mended in a text or corpus."""
    for kind, count in sorted(counts.items()):
        note(f"{before}{count} {kind}")


def without_parts(parts: Parts) -> Parts:
    """Return parts without notes on what is learned from, where nothing is."""
    return replace(parts, notes=[note for note in parts.notes if LEARNED_FROM not in note])


def about(parts: Parts) -> None:
    """Say what the readers had to mend or leave out."""
    for name, corpus in (("", parts.train), ("test part: ", parts.test)):
        if corpus is not None:
            _about(name, corpus)
    if parts.test_files:
        note(f"test part: {', '.join(parts.test_files)}")
    for text in parts.notes:
        note(text)
    if parts.ignored:
        note(f"ignored, no corpus: {', '.join(parts.ignored)}")


def _about(name: str, corpus: Corpus) -> None:
    repairs(corpus.repairs, name)
    if corpus.skipped:
        read = len(corpus) + len(corpus.skipped)
        note(f"{name}{len(corpus.skipped)} of {read} records left out (first: {corpus.skipped[0]})")
    if not len(corpus):
        return
    for lexelt, names in islice(corpus.names_alike(), SHOWN):
        what = f"senses of {lexelt}" if lexelt else "words"
        note(f"{name}{what} that differ only by case or blanks: {some([*map(repr, names)])}")
    unlabelled = sum(not corpus.labels(instance) for instance in corpus)
    only_markers = sum(bool(i.senses) and not corpus.labels(i) for i in corpus)
    if unlabelled:
        reason = f" ({only_markers} of them only {' or '.join(sorted(corpus.markers))})"
        note(
            f"{name}{unlabelled} of {len(corpus)} instances have no sense to learn from"
            + (reason if only_markers else "")
        )


@contextmanager
def progress() -> Iterator[Progress]:
    """Show how far a long work is: a bar with the time left on a terminal, else a line at times."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as TimeRemaining

        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        console = Console(stderr=True)
        with Progress(
            *columns, MofNCompleteColumn(), TimeRemaining(), console=console, transient=True
        ) as bar:
            tasks: dict[str, Any] = {}

            def show(what: str, done: int, total: int) -> None:
                if what not in tasks:
                    tasks[what] = bar.add_task(what, total=total)
                bar.update(tasks[what], completed=done)

            yield show
        return
    started: dict[str, float] = {}
    last = time.monotonic()

    def log(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        began = started.setdefault(what, last)
        if now - last >= LOG_SECONDS:
            last = now
            left = (now - began) / done * (total - done)
            guess = f", about {left:.0f} s left" if 100 * done >= total else ""
            note(f"{what}: {done} of {total}{guess}")

    yield log
