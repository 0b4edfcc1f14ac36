"""The command that says what to annotate next: suggest."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.data.corpus import Instance, Text
    from wsdlist.models.model import Model

COLUMNS = (
    *("id", "lexelt", "sense", "left", "target", "right", "document"),
    *("guess", "probability", "entropy", "rule"),
)
FEW = 10  # words whose senses are listed
TABLES = ("csv", "arff")  # what text may look like, and is text here
SIDE, TOKENS = 400, 60  # characters of a text, or its tokens, shown to either side
Context: TypeAlias = tuple[str, str, str]
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
    from wsdlist.data.corpus import Kind
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.evaluation.suggest import suggest
    from wsdlist.models.model import load

    loaded = load(model)
    if loaded.confusion is not None or loaded.meta.kind is Kind.TABLE:
        raise ParameterError("the model is not of words with senses", "name another", where=model)
    wanted = {name for word in words for name in options.lexelts(loaded, word, model)}
    found = [
        one
        for path in texts
        for one in _instances(loaded, path, pipeline, format)
        if not wanted or one[0].lexelt in wanted
    ]
    instances = [instance for instance, _ in found]
    written = {id(instance): context for instance, context in found}
    if instances and not any(one.lexelt in loaded for one in instances):
        words_there = output.some(sorted({one.lexelt for one in instances}), 3)
        raise InputError(
            f"has {words_there}, and none of the model's words",
            f"the model has {output.some(list(loaded), 3)}",
            where=" ".join(texts),
        )
    made = suggest(loaded, instances, number)
    if json:
        output.jsonl(
            {
                "id": one.instance.id,
                "lexelt": one.instance.lexelt,
                "tokens": list(one.instance.forms),
                "target": list(one.instance.target),
                "document": one.instance.document,
                "guess": one.answer.sense,
                "probability": one.answer.probability,
                "entropy": one.entropy,
                "rule": one.answer.rule,
            }
            for one in made
        )
    else:
        print("\t".join(COLUMNS))
        for one in made:
            instance, answer = one.instance, one.answer
            left, target, right = written[id(instance)]
            context = left.lstrip(), target, right.rstrip()
            rule = "default" if answer.rule is None else str(answer.question)
            rule = "-" if answer.question is None else rule
            cells = (
                *(instance.id, instance.lexelt, "", *context, instance.document or ""),
                *(answer.sense or "", f"{answer.probability:.3f}", f"{one.entropy:.3f}", rule),
            )
            print("\t".join(map(_cell, cells)))
    open_ = sum(not one.senses for one in instances)
    output.note(f"{len(made)} of {open_} occurrences without a sense")
    lexelts = dict.fromkeys(one.instance.lexelt for one in made)
    for lexelt in lexelts if len(lexelts) <= FEW else ():
        glosses = [
            f"{sense} ({gloss})" if (gloss := loaded.inventory.gloss(lexelt, sense)) else sense
            for sense in loaded[lexelt].senses
        ]
        output.note(f"{lexelt}: {'; '.join(glosses)}")


def _cell(text: str) -> str:
    plain = " ".join(text.split())
    if text[:1].isspace() and plain:
        plain = f" {plain}"  # so that what stands beside the target is not glued to it
    if text[-1:].isspace() and plain:
        plain += " "
    return f" {plain}" if plain.startswith(SPECIAL) else plain


def _instances(
    model: Model, path: str, pipeline: str | None, format: str | None
) -> Iterator[tuple[Instance, Context]]:
    """Yield the occurrences of trained words in a text, or the instances of a corpus.

    Beside each stands what is written before it, it, and what is written after it.
    """
    from wsdlist.cli import output
    from wsdlist.cli.explain import corpus_of
    from wsdlist.errors import InputError
    from wsdlist.readers import conllu
    from wsdlist.readers.formats import sniff
    from wsdlist.readers.plain import blocks
    from wsdlist.readers.sources import NoText, load
    from wsdlist.readers.words import only_words

    def fail(error: InputError) -> None:
        raise error

    found = [] if Path(path).is_dir() else list(load(path))
    source = found[0] if len(found) == 1 else None
    if isinstance(source, NoText):
        raise source.error
    known = None if source is None else sniff(source)
    if source is not None and format in (None, conllu.NAME) and known and known.name == conllu.NAME:
        before = 0
        for text, _ in conllu.to_tag(source, fail):
            yield from _of_text(model, text, pipeline, source.name, before)
            before += len(text.forms)
    elif source is not None and format is None and (known is None or known.name in TABLES):
        stream = io.BufferedReader(io.BytesIO(source.text.encode("utf-8", "replace")))
        for block in blocks(stream, source.name, source.repairs):
            yield from _of_text(model, block.text, pipeline, source.name, block.start)
        for kind, count in sorted(source.repairs.items()):
            output.note(f"{count} {kind}")
    else:
        parts = corpus_of(model, [path], options.Reading(format), pipeline)
        for part in (parts.train, parts.test):
            for instance in () if part is None else only_words(part):
                if instance.text is not None and instance.characters is not None:
                    yield instance, _around(instance.text, *instance.characters)
                else:
                    yield instance, _parted(instance.forms, *instance.target)


def _of_text(
    model: Model, text: str | Text, pipeline: str | None, name: str, before: int = 0
) -> Iterator[tuple[Instance, Context]]:
    """Yield the occurrences of trained words; a list over several of them cannot be annotated."""
    for one in model.find(text, pipeline=pipeline):
        if one.instance is not None and one.lexelt in model:
            name_of = f"{name}:{before + one.start}"
            if isinstance(text, str):
                context = _around(text, one.start, one.end)
            else:
                context = _parted(text.forms, one.start, one.end)
            yield replace(one.instance, id=name_of, document=name), context


def _parted(forms: Sequence[str], start: int, end: int) -> Context:
    left, right = forms[max(start - TOKENS, 0) : start], forms[end : end + TOKENS]
    return " ".join(left), " ".join(forms[start:end]), " ".join(right)


def _around(text: str, start: int, end: int) -> Context:
    left, right = text[max(start - SIDE, 0) : start], text[end : end + SIDE]
    if start > SIDE and " " in left[:-1]:
        left = left.partition(" ")[2]
    if len(text) - end > SIDE and " " in right[1:]:
        right = right.rpartition(" ")[0]
    return left, text[start:end], right


COMMANDS = (suggest,)
