"""The command suggest: what to annotate next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.evaluation.candidates import Candidate
    from wsdlist.evaluation.suggest import Suggestion
    from wsdlist.models.model import Model

COLUMNS = (
    *("id", "lexelt", "sense", "left", "target", "right", "document"),
    *("guess", "probability", "entropy", "rule"),
)
FEW = 10  # words whose senses are listed
SPECIAL = ("=", "+", "-", "@", '"')  # of a spreadsheet, or a quotation; a space before it helps


def suggest(
    model: options.ModelPath,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...",
            help="Text, CoNLL-U, or a corpus: its instances without a sense.",
            show_default=False,
        ),
    ],
    number: Annotated[int, typer.Option("--number", help="How many.")] = 50,
    words: Annotated[
        list[str],
        typer.Option(
            "--words",
            metavar="WORD",
            help="Only of this word; say it again for more.",
            show_default="all",
        ),
    ] = [],  # noqa: B006
    pipeline: options.Pipeline = None,
    format: options.Format = None,
    json: options.Json = False,
) -> None:
    """Choose the occurrences that are most worth annotating next.

    The result is a table (TSV) for a spreadsheet: fill in the column sense and give the file to
    `train` beside the rest. Chosen is what the model is least sure of, spread over different rules
    and contexts. Instances of a TEXT that have a sense already say what was annotated.
    """
    from wsdlist.cli import output
    from wsdlist.cli.models import lexelts_of
    from wsdlist.data.corpus import Kind
    from wsdlist.errors import ParameterError
    from wsdlist.evaluation.suggest import suggest
    from wsdlist.models.model import load

    loaded = load(model)
    if loaded.confusion is not None or loaded.meta.kind is Kind.TABLE:
        raise ParameterError("the model is not of words with senses", "name another", where=model)
    lexelts = lexelts_of(loaded, words, model)
    candidates = _candidates(loaded, texts, lexelts, pipeline, format)
    instances = [candidate.instance for candidate in candidates]
    suggestions = suggest(loaded, instances, number)
    if json:
        output.jsonl(suggestion.to_record() for suggestion in suggestions)
    else:
        _print_table(suggestions, {id(candidate.instance): candidate for candidate in candidates})
    n_without = sum(not instance.senses for instance in instances)
    output.note(f"{len(suggestions)} of {n_without} occurrences without a sense")
    _say_senses(loaded, suggestions)


def _candidates(
    model: Model,
    texts: Sequence[str],
    lexelts: Sequence[str],
    pipeline: str | None,
    format: str | None,
) -> list[Candidate]:
    """Return what may be chosen: of some lexelts, or of all if none is named.

    Raises
    ------
    InputError
        When there are instances, and none is of a word of the model.
    """
    from wsdlist.cli import output
    from wsdlist.errors import InputError
    from wsdlist.evaluation.candidates import candidates
    from wsdlist.layout import some

    chosen: list[Candidate] = []
    for path in texts:
        there = candidates(model, path, pipeline=pipeline, format=format, about=output.about)
        output.repairs(there.repairs)
        chosen += [
            candidate
            for candidate in there.found
            if not lexelts or candidate.instance.lexelt in lexelts
        ]
    found = sorted({candidate.instance.lexelt for candidate in chosen})
    if found and not any(lexelt in model for lexelt in found):
        raise InputError(
            f"has {some(found, 3)}, and none of the model's words",
            f"the model has {some(list(model), 3)}",
            where=" ".join(texts),
        )
    return chosen


def _print_table(suggestions: Sequence[Suggestion], candidates: Mapping[int, Candidate]) -> None:
    """Print suggestions as TSV, each with what is written around it."""
    print("\t".join(COLUMNS))
    for suggestion in suggestions:
        instance, answer = suggestion.instance, suggestion.answer
        written = candidates[id(instance)]
        context = written.left.lstrip(), written.target, written.right.rstrip()
        rule = "default" if answer.rule is None else str(answer.question)
        rule = "-" if answer.question is None else rule
        cells = (
            *(instance.id, instance.lexelt, "", *context, instance.document or ""),
            *(answer.sense or "", f"{answer.probability:.3f}", f"{suggestion.entropy:.3f}", rule),
        )
        print("\t".join(map(_cell, cells)))


def _cell(text: str) -> str:
    plain = " ".join(text.split())
    if text[:1].isspace() and plain:
        plain = f" {plain}"  # so that what stands beside the target is not glued to it
    if text[-1:].isspace() and plain:
        plain += " "
    return f" {plain}" if plain.startswith(SPECIAL) else plain


def _say_senses(model: Model, suggestions: Sequence[Suggestion]) -> None:
    """Say which senses the words have, unless there are many words."""
    from wsdlist.cli import output

    lexelts = dict.fromkeys(suggestion.instance.lexelt for suggestion in suggestions)
    for lexelt in lexelts if len(lexelts) <= FEW else ():
        glosses = [
            f"{sense} ({gloss})" if (gloss := model.inventory.gloss(lexelt, sense)) else sense
            for sense in model[lexelt].senses
        ]
        output.note(f"{lexelt}: {'; '.join(glosses)}")
