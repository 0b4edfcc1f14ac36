"""The command replace: put an edited list back into its model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
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
    *,
    training: Annotated[
        list[str],
        typer.Option("--corpus", help="Count the rules anew in this corpus: the training corpus."),
    ] = [],  # noqa: B006
    into: Annotated[
        str | None,
        typer.Option("--model", "-m", help="File to write to.", show_default="MODEL itself"),
    ] = None,
    pipeline: options.Pipeline = None,
    corpus: options.StrictCorpusOptions,
) -> None:
    """Put back a list that was edited; the model keeps the learned one beside it.

    Every line is checked. Counts and probabilities are those that were learned, or are counted
    anew with --corpus; a rule that is new, or says another sense, states its probability
    (stated = 0.9) or is counted so. `show --learned` shows the list as it was learned.
    """
    from wsdlist.cli import output
    from wsdlist.cli.models import list_of, one_lexelt
    from wsdlist.models.editing import changes, check_known, check_senses, edited, recounted
    from wsdlist.models.list_file import from_toml
    from wsdlist.models.model import load

    opened = load(model)
    lexelt = one_lexelt(opened, word, model)
    expert = list_of(opened, lexelt)
    name = output.name_of(file)
    entries, default = from_toml(
        _text_of(file), name, expert, opened.features, counted=bool(training)
    )
    changed = edited(expert, entries, default)
    if training:
        known = _learned_from(opened, lexelt, training, corpus, pipeline)
        changed, unknown = recounted(changed, *known, opened.meta.recipe.multi)
        check_senses(changed, entries, default)
        if unknown:
            output.note(f"{unknown} labels are of senses that the list does not have, left out")
    else:
        check_known(changed, entries)
    opened.save_with(changed, into or model)
    said = "as it was learned" if changed.learned is None else f"{changes(changed)}"
    output.note(f"{lexelt}: {said}; written to {into or model}")
    if _has_unknown_numbers(changed):
        output.note("supports behind a change and gains before it are unknown (--corpus counts)")


def _text_of(file: str) -> str:
    """Return the text of a list.

    Raises
    ------
    InputError
        When it is not UTF-8.
    """
    from wsdlist.errors import InputError

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        place = f"{file}:{error.object.count(10, 0, error.start) + 1}"
        raise InputError("is not UTF-8", "save it as UTF-8", where=place) from None


def _learned_from(
    model: Model,
    lexelt: str,
    paths: Sequence[str],
    corpus: options.CorpusOptions,
    pipeline: str | None,
) -> tuple[list[Item], list[tuple[str, ...]]]:
    """Return the instances of a list in its training corpus, and their senses."""
    from wsdlist.cli.corpora import read_for
    from wsdlist.errors import InputError
    from wsdlist.training.shared_forms import learned_from

    train = read_for(model, paths, corpus, pipeline).train
    if model.coarse_map is not None:
        train = model.coarse_map.corpus(train)
    known = learned_from(lexelt, train)
    if known is None:
        raise InputError(
            f"has no instance of {lexelt} with a sense",
            "name the training corpus",
            where=" ".join(paths),
        )
    return known


def _has_unknown_numbers(expert: Expert) -> bool:
    return any(rule.support != rule.support or rule.gain != rule.gain for rule in expert.rules)
