"""Commands that use a model beside tag: explain, proof."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.models.model import Model
    from wsdlist.models.proofreading import Suspicion
    from wsdlist.models.tagging import Occurrence
    from wsdlist.readers import Parts


def explain(
    model: options.ModelPath,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="A sentence, or - for stdin.")
    ] = None,
    instance: Annotated[
        str | None, typer.Option("--instance", help="Id of an instance of the corpus instead.")
    ] = None,
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", help="The training corpus: show the instances behind a rule."),
    ] = [],  # noqa: B006
    pipeline: options.Pipeline = None,
    class_name: options.ClassName = None,
    column: options.ColumnKinds = [],  # noqa: B006
    sense_key: options.SenseKey = "Sense",
    format: options.Format = None,
    key: options.Keys = [],  # noqa: B006
    json: options.Json = False,
) -> None:
    """Say why a word gets its sense: the rule, its counts and arithmetic, what came next.

    Every trained word of the sentence is explained, or one instance of the corpus.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.models.model import load

    if (text is None) == (instance is None):
        raise ParameterError(
            "explain takes a sentence, or an instance of a corpus",
            "give one of them: a sentence, or --instance with --corpus",
        )
    if instance is not None and not corpus:
        raise ParameterError(f"where is the instance {instance!r}?", "name its --corpus")
    loaded = load(model)
    parts = None
    if corpus:
        reading = options.Reading(format, "stop", key, class_name, column, sense_key)
        parts = corpus_of(loaded, corpus, reading, pipeline)
    training = parts.train if parts else None
    left_alone: list[Occurrence] = []
    if parts is not None and instance is not None:
        found = [i for part in (parts.train, parts.test or ()) for i in part if i.id == instance]
        if not found:
            example = next(iter(parts.train)).id
            raise ParameterError(
                f"the corpus has no instance {instance!r}", f"name one like {example!r}"
            )
    else:
        sentence = _stdin() if text == "-" else str(text)
        occurrences = loaded.find(sentence, pipeline=pipeline)
        found = [one.instance for one in occurrences if one.instance is not None]
        left_alone = [one for one in occurrences if one.instance is None]
    for number, one in enumerate(found):
        explanation = loaded.explain(one, training)
        if json:
            output.jsonl([explanation.to_record()])
            continue
        if number:
            print()
        output.lines(explanation.lines())
    for other in left_alone:
        output.note(f"{other.text} is left alone: {other.reason}")
    if not found and not left_alone:
        output.note("no word of the text was trained")


def _stdin() -> str:
    from wsdlist.readers.decoding import opened
    from wsdlist.readers.plain import lines

    with opened("-") as stream:
        return "".join(lines(stream, "<stdin>", Counter()))


def corpus_of(
    model: Model,
    paths: list[str],
    reading: options.Reading,
    pipeline: str | None = None,
) -> Parts:
    """Read a corpus as the model was trained on it."""
    from dataclasses import replace

    from wsdlist.cli import output
    from wsdlist.training.prepare import prepare_for
    from wsdlist.training.texts import read_texts

    features = model.features
    named = pipeline or model.meta.pipeline
    if model.confusion is not None:
        parts, _ = read_texts(
            paths, model.confusion, features, pipeline=named, by_line=model.by_line
        )
    else:
        target = reading.class_name or model.meta.class_name
        parts = replace(reading, class_name=target).parts(paths)
    output.about(parts)
    where = " ".join(paths)
    test = None if parts.test is None else prepare_for(features, parts.test, named, where)
    return replace(parts, train=prepare_for(features, parts.train, named, where), test=test)


def proof(
    model: options.ModelPath,
    texts: Annotated[
        list[str],
        typer.Argument(metavar="TEXT...", help="Text files, - for stdin.", show_default=False),
    ],
    min_prob: Annotated[
        float, typer.Option("--min-prob", help="Another word must be more probable than this.")
    ] = 0.9,
    fix: Annotated[bool, typer.Option("--fix", help="Show the corrections as a diff.")] = False,
    write: Annotated[bool, typer.Option("--write", help="With --fix: write them.")] = False,
    pipeline: options.Pipeline = None,
    output_format: Annotated[
        str, typer.Option("--output", help="text, json (an object a word) or github.")
    ] = "text",
) -> None:
    """Find words that should probably be another of their confusion set.

    The model is one that was trained with --confusion or --accents. Exit status 1 if something is
    found.
    """
    from wsdlist.cli import output
    from wsdlist.errors import ParameterError
    from wsdlist.models.model import load
    from wsdlist.models.proofreading import check_model, corrected, suspicions, write_corrected
    from wsdlist.readers.decoding import is_compressed, opened
    from wsdlist.readers.plain import blocks

    if output_format not in SHOW:
        raise ParameterError(f"output is {output_format!r}", f"say one of {', '.join(SHOW)}")
    if write and not fix:
        raise ParameterError("--write writes what --fix corrects", "say both")
    if fix and output_format != "text":
        raise ParameterError("--fix shows a diff", "leave --output out")
    loaded = load(model)
    check_model(loaded, min_prob)
    for path in texts if fix else ():
        if path == "-" or is_compressed(path):
            raise ParameterError(
                f"{path} cannot be corrected in place", "unpack it, or leave --fix out"
            )
    count = 0
    if fix:
        made = [corrected(loaded, path, min_prob=min_prob, pipeline=pipeline) for path in texts]
        changed = [one for one in made if one.before != one.after]
        count = len(changed)
        if write:  # before anything is shown, which may fail
            write_corrected(changed)
        for one in changed:
            output.lines(plain_line(line) for line in one.diff())
        if count:
            done = "corrected" if write else "to correct (write them with --write)"
            output.note(f"{count} of {len(made)} files {done}")
    else:
        repairs: Counter[str] = Counter()
        for path in texts:
            name = "<stdin>" if path == "-" else path
            with opened(path) as stream:
                text = blocks(stream, name, repairs, by_line=loaded.by_line)
                for found in suspicions(loaded, text, min_prob=min_prob, pipeline=pipeline):
                    count += 1
                    print(SHOW[output_format](found))
        for kind, times in sorted(repairs.items()):
            output.note(f"{times} {kind}")
    if count:
        raise typer.Exit(1)


def _as_text(found: Suspicion) -> str:
    why = "" if found.question is None else "; by default"
    if found.rule is not None:
        why = f"; rule {found.rule}: {found.question}"
    place = f"{found.file}:{found.line}:{found.column}"
    return plain_line(f"{place}: {found.word} -> {found.suggestion} ({found.probability:.3f}{why})")


def _as_json(found: Suspicion) -> str:
    import json

    return json.dumps(found.to_record(), ensure_ascii=False)


def _as_github(found: Suspicion) -> str:
    def escaped(text: str, more: str = "") -> str:
        for character in ("%", "\r", "\n", *more):
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    why = "" if found.question is None else f"; {found.question}"
    message = f"{found.word}: {found.suggestion}? ({found.probability:.3f}{why})"
    place = f"file={escaped(found.file, ':,')},line={found.line},col={found.column}"
    return f"::warning {place}::{escaped(message)}"


def plain_line(text: str) -> str:
    """Return a line that cannot move the cursor of a terminal."""
    from wsdlist.errors import plain

    return plain(text)


SHOW = {"text": _as_text, "json": _as_json, "github": _as_github}
COMMANDS = (explain, proof)
