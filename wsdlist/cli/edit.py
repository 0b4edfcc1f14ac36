"""The command that puts an edited list back: replace."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Item
    from wsdlist.models.expert import Expert
    from wsdlist.models.model import Model


def replace(
    model: options.ModelPath,
    word: Annotated[str, typer.Argument(metavar="WORD", help="The lexelt whose list it is.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The list as `show --output toml` printed it.")
    ],
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", help="Count the rules anew in this corpus: the training corpus."),
    ] = [],  # noqa: B006
    into: Annotated[
        str | None,
        typer.Option("--model", "-m", help="File to write to.", show_default="MODEL itself"),
    ] = None,
    pipeline: options.Pipeline = None,
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
) -> None:
    """Put back a list that was edited; the model keeps the learned one beside it.

    Every line is checked. Counts and probabilities are those that were learned, or are counted
    anew with --corpus; a rule that is new, or says another sense, states its probability
    (stated = 0.9) or is counted so. `show --learned` shows the list as it was learned.
    """
    from wsdlist.cli import output
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.models.editing import changes, check_known, check_senses, edited, recounted
    from wsdlist.models.list_file import from_toml
    from wsdlist.models.model import load

    opened = load(model)
    found = options.lexelts(opened, word, model)
    if len(found) > 1:
        raise ParameterError(f"{word} is {' and '.join(found)}", "name one of them")
    expert = opened[found[0]] if found[0] in opened else opened.shared[found[0]]
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        place = f"{file}:{error.object.count(10, 0, error.start) + 1}"
        raise InputError("is not UTF-8", "save it as UTF-8", where=place) from None
    named = "<stdin>" if file == "-" else file
    entries, default = from_toml(text, named, expert, opened.features, counted=bool(corpus))
    made = edited(expert, entries, default)
    if corpus:
        reading = options.Reading(format, "stop", key, class_name, column, sense_key)
        made, unknown = recounted(made, *_known(opened, expert, corpus, reading, pipeline))
        check_senses(made, entries, default)
        if unknown:
            output.note(f"{unknown} labels are of senses that the list does not have, left out")
    else:
        check_known(made, entries)
    opened.save_with(made, into or model)
    said = "as it was learned" if made.learned is None else f"{changes(made)}"
    output.note(f"{found[0]}: {said}; written to {into or model}")
    if any(rule.support != rule.support or rule.gain != rule.gain for rule in made.rules):
        output.note("supports behind a change and gains before it are unknown (--corpus counts)")


def _known(
    model: Model,
    expert: Expert,
    paths: list[str],
    reading: options.Reading,
    pipeline: str | None,
) -> tuple[list[Item], list[tuple[str, ...]], str]:
    """Return the instances of an expert in a corpus, their labels, and what becomes of several."""
    from wsdlist.cli.explain import corpus_of
    from wsdlist.errors import InputError
    from wsdlist.training.prepare import labelled
    from wsdlist.training.shared_forms import over_several

    parts = corpus_of(model, paths, reading, pipeline)
    train = parts.train
    if model.coarse_map is not None:
        train = model.coarse_map.corpus(train)
    words = labelled(train)
    known = {**words, **{name: one.known for name, one in over_several(words).items()}}
    if expert.lexelt not in known:
        raise InputError(
            f"has no instance of {expert.lexelt} with a sense",
            "name the training corpus",
            where=" ".join(paths),
        )
    return (*known[expert.lexelt], model.meta.recipe.multi)


COMMANDS = (replace,)
