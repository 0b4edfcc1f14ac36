"""The command explain: why a word gets its sense."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Item
    from wsdlist.readers import Parts


def explain(
    model: options.ModelPath,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="A sentence, or - for stdin.")
    ] = None,
    *,
    instance: Annotated[
        str | None, typer.Option("--instance", help="Id of an instance of the corpus instead.")
    ] = None,
    training: Annotated[
        list[str],
        typer.Option("--corpus", help="The training corpus: show the instances behind a rule."),
    ] = [],  # noqa: B006
    pipeline: options.Pipeline = None,
    corpus: options.StrictCorpusOptions,
    json: options.Json = False,
) -> None:
    """Say why a word gets its sense: the rule, its counts and arithmetic, what came next.

    Every trained word of the sentence is explained, or one instance of the corpus.
    """
    from wsdlist.cli import output
    from wsdlist.cli.corpora import read_for
    from wsdlist.models.model import load

    _check(text, instance, training)
    loaded = load(model)
    parts = read_for(loaded, training, corpus, pipeline) if training else None
    left_alone = []
    if parts is not None and instance is not None:
        items = _items_of(parts, instance)
    else:
        sentence = _stdin() if text == "-" else str(text)
        occurrences = loaded.find(sentence, pipeline=pipeline)
        items = [found.instance for found in occurrences if found.instance is not None]
        left_alone = [found for found in occurrences if found.instance is None]
    for number, item in enumerate(items):
        explanation = loaded.explain(item, parts.train if parts else None)
        if json:
            output.jsonl([explanation.to_record()])
            continue
        if number:
            print()
        output.lines(explanation.lines())
    for found in left_alone:
        output.note(f"{found.text} is left alone: {found.reason}")
    if not items and not left_alone:
        output.note("no word of the text was trained")


def _check(text: str | None, instance: str | None, training: list[str]) -> None:
    """Refuse a call that names nothing to explain, or two things."""
    from wsdlist.errors import ParameterError

    if (text is None) == (instance is None):
        raise ParameterError(
            "explain takes a sentence, or an instance of a corpus",
            "give one of them: a sentence, or --instance with --corpus",
        )
    if instance is not None and not training:
        raise ParameterError(f"where is the instance {instance!r}?", "name its --corpus")


def _items_of(parts: Parts, name: str) -> list[Item]:
    """Return the instances of an id, one of each part at most."""
    from wsdlist.errors import ParameterError

    items = [item for part in (parts.train, parts.test or ()) for item in part if item.id == name]
    if not items:
        example = next(iter(parts.train)).id
        raise ParameterError(f"the corpus has no instance {name!r}", f"name one like {example!r}")
    return items


def _stdin() -> str:
    from wsdlist.readers.decoding import opened
    from wsdlist.readers.plain import lines

    with opened("-") as stream:
        return "".join(lines(stream, "<stdin>", Counter()))
