"""Labeled Russian contexts (RuTenTen, RNC; the package rl_wsd_labeled): a file per word.

A file is JSON, ``[senses, [[[left, target, right], sense], ...]]``, or has lines of left, target,
right and the labels of one or two annotators. Its first lines have no target; they list the senses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from wsdlist.data.corpus import Corpus
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import SURROGATE, Source, has_surrogate
from wsdlist.readers.words import in_text

NAME = "ru-labeled"
DESCRIPTION = "labeled Russian contexts, JSON or tab-separated: left, target, right, labels"
UNKNOWN = "0"  # the annotator could not tell
JSON_START = re.compile(r'\s*\[\s*\{\s*"[^"]*"\s*:\s*"')


def sniff(text: str) -> bool:
    """Say whether a file begins with a list of senses."""
    return bool(JSON_START.match(text) or _lines_start(text))


def _lines_start(text: str) -> bool:
    head = [line.split("\t") for line in text.split("\n")[:3]]
    return all(len(fields) >= 4 and not fields[0] and not fields[1].strip() for fields in head)


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    The lexelt is the name of the file. Ids consist of it and the number of the line or context.
    ``0`` is a marker: the annotator could not tell the sense.

    Raises
    ------
    InputError
        When JSON cannot be read; ``fail`` gets the errors of contexts.
    """
    corpus = Corpus(markers=frozenset({UNKNOWN}), repairs=source.repairs.copy())
    word = source.stem.rpartition(".")[0] or source.stem
    contexts = _of_json if JSON_START.match(source.text) else _of_lines
    for number, left, target, right, labels, place in contexts(source, fail):
        written = target.strip()
        start = len(left) + target.index(written) if written else 0
        try:
            if not written:
                raise InputError("a context has no target", "mark its word", where=place)
            corpus.instances.append(
                in_text(
                    *(left + target + right, [(start, start + len(written))]),
                    name=f"{word}:{number}",
                    lexelt=word,
                    senses=tuple(dict.fromkeys(label for label in labels if label)),
                    place=place,
                )
            )
        except InputError as error:
            fail(error)
    return corpus


Context = tuple[int, str, str, str, list[str], str]  # number, left, target, right, labels, place


def _of_json(source: Source, fail: Fail) -> Iterator[Context]:
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise InputError(
            f"this is not JSON: {error}", "fetch it again", where=f"{source.name}:{line}"
        ) from None
    if SURROGATE.search(source.text) and has_surrogate(data):
        raise InputError(
            "holds half a surrogate pair", "write the character whole", where=source.name
        )
    contexts = data[1] if isinstance(data, list) and len(data) == 2 else None
    if not isinstance(contexts, list):
        raise InputError("has no list of contexts", "write [senses, contexts]", where=source.name)
    for number, context in enumerate(contexts, start=1):
        match context:
            case [[str(left), str(target), str(right)], str(label)]:
                yield number, left, target, right, [label], f"{source.name}:1"
            case _:
                fail(
                    InputError(
                        f"context {number} is not [[left, target, right], sense]",
                        "write it so",
                        where=f"{source.name}:1",
                    )
                )


def _of_lines(source: Source, fail: Fail) -> Iterator[Context]:
    in_inventory = True
    for number, line in source.lines():
        fields = [field.rstrip("\r") for field in line.split("\t")]
        if not line.strip():
            continue
        in_inventory = in_inventory and not fields[0] and len(fields) > 3 and not fields[1].strip()
        if in_inventory:
            continue
        place = f"{source.name}:{number}"
        if len(fields) < 4:
            advice = "write left, target, right and the labels"
            fail(InputError(f"the line has {len(fields)} fields", advice, where=place))
            continue
        left, target, right, *labels = fields
        # without spaces around it the target is still a word of its own
        gap = " " if right[:1].isalnum() and target == target.rstrip() else ""
        lead = " " if left[-1:].isalnum() and target == target.lstrip() else ""
        given = [label.strip() for label in labels]
        yield number, left + lead, target, gap + right, given, place
