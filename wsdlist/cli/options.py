"""Options that several commands have, declared once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

if TYPE_CHECKING:
    from wsdlist.inventories.coarse import CoarseMap
    from wsdlist.models.model import Model
    from wsdlist.readers import Parts
    from wsdlist.readers.confusion_sets import ConfusionSets

Corpora: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS...",
        help="Files, folders, zip archives, - for stdin, or nltk:senseval. A folder's test part is "
        "told by its name.",
        show_default=False,
    ),
]
ModelPath: TypeAlias = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", help="Format of the corpus; found from its content by default."),
]
Keys: TypeAlias = Annotated[
    list[str],
    typer.Option("--key", help="Senseval key file with the answers of instances that have none."),
]
OnError: TypeAlias = Annotated[
    str, typer.Option("--on-error", help="stop, or skip records that cannot be read.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Features: TypeAlias = Annotated[
    str, typer.Option("--features", help="A feature set, or a TOML file with one's own.")
]
Pipeline: TypeAlias = Annotated[
    str | None,
    typer.Option("--pipeline", help="spaCy pipeline for tags and lemmas that the corpus lacks."),
]
MinCount: TypeAlias = Annotated[
    int, typer.Option("--min-count", help="In how many instances a question must be true.")
]
Multi: TypeAlias = Annotated[
    str,
    typer.Option("--multi", help="Several gold senses: split their weight, first, or all."),
]
Discount: TypeAlias = Annotated[
    str,
    typer.Option("--discount", help="d of absolute discounting, or auto: chosen on held-out data."),
]
Epsilon: TypeAlias = Annotated[
    str,
    typer.Option("--epsilon", help="Bits that a rule must save, or auto: chosen on held-out data."),
]
Grid: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--grid", metavar="NAME=A,B,C", help="Values of a parameter to try on held-out data."
    ),
]
TuneFor: TypeAlias = Annotated[
    str, typer.Option("--tune-for", help="What held-out data choose by: bits, accuracy, macro-f1.")
]
ShareTuning: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--share-tuning/--no-share-tuning",
        help="The same for all words, or each its own.",
    ),
]
Reestimate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--reestimate",
        help="none, default or rules: whose distribution is estimated again from what reaches it; "
        "auto: chosen on held-out data.",
        show_default="none",
    ),
]
Confusion: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--confusion",
        metavar="A,B,...",
        help="Learn from plain text to tell these words apart; golding18 and banko-brill10 are "
        "known sets.",
    ),
]
ConfusionFile: TypeAlias = Annotated[
    str | None, typer.Option("--confusion-file", help="File with such sets, one a line.")
]
Accents: TypeAlias = Annotated[
    bool,
    typer.Option("--accents", help="Words of the text that differ by their diacritics alone."),
]
Lines: TypeAlias = Annotated[
    bool, typer.Option("--lines", help="Each line of plain text is a paragraph of its own.")
]
ClassName: TypeAlias = Annotated[
    str | None,
    typer.Option("--class", help="Attribute of a table to learn.", show_default="the last"),
]
ColumnKinds: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--column",
        metavar="NAME=KIND",
        help="What a column is: of a table numeric, nominal, or skip to leave it out; of a "
        "concordance text, left, target, right, sense ..., see `formats`.",
    ),
]
SenseKey: TypeAlias = Annotated[
    str, typer.Option("--sense-key", help="Key of the sense in the MISC column of CoNLL-U.")
]
Map: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="NAME",
        help="Coarse senses: supersenses, satellites (%5 as %3 in keys), or a file, a sense and "
        "its group a line.",
    ),
]
InventoryName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--inventory",
        metavar="NAME",
        help="Where senses are explained: a file like senses.tsv, wordnet, nltk:wordnet31, "
        "wn:oewn:2024, or a folder with WordNet's files.",
    ),
]
BackOff: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--back-off",
        metavar="NAME",
        help="A WordNet whose first sense answers for words never trained: wordnet, "
        "nltk:wordnet31, wn:oewn:2024, or a folder with WordNet's files.",
    ),
]
Missing: TypeAlias = Annotated[
    str,
    typer.Option("--missing", help="A missing value in a table: none, or value: one of its own."),
]
Set: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Another parameter of the learner, see `learners`."
    ),
]
Jobs: TypeAlias = Annotated[int, typer.Option("--jobs", help="Processes; the result is the same.")]
Scheduler: TypeAlias = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Dask scheduler to work on (extra dask)."),
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Of the dealing into folds.")]


def parameters(
    discount: str, epsilon: str, reestimate: str | None, more: list[str]
) -> dict[str, Any]:
    """Return those that were given, and ``auto``."""
    given = {"discount": value("discount", discount), "epsilon": value("epsilon", epsilon)}
    given |= {} if reestimate is None else {"reestimate": reestimate}
    return {**given, **{name: value(name, text) for name, text in named("--set", more).items()}}


def named(option: str, given: Sequence[str]) -> dict[str, str]:
    """Turn each ``name=value`` of an option into values by name.

    Raises
    ------
    ParameterError
        When one is not of that form.
    """
    from wsdlist.errors import ParameterError

    made = {}
    for text in given:
        name, mark, right = text.rpartition("=")
        if not (mark and name and right):
            raise ParameterError(f"{option} {text!r} says nothing", "write name=value")
        made[name] = right
    return made


def value(name: str, text: str) -> Any:
    """Turn the text of a parameter's value into what it means.

    Raises
    ------
    ParameterError
        When a discount or epsilon is neither a number nor ``auto``.
    """
    from wsdlist.errors import ParameterError

    is_real = name in ("discount", "epsilon")
    for number in (float,) if is_real else (int, float):
        with suppress(ValueError):
            return number(text)
    if is_real and text != "auto":
        raise ParameterError(f"{name} is {text!r}", "say a number, or auto")
    return {"true": True, "false": False}.get(text, text)


def grid(given: list[str]) -> dict[str, list[Any]]:
    """Turn ``name=a,b,c`` into values by name.

    Raises
    ------
    ParameterError
        When one is not of that form.
    """
    from wsdlist.errors import ParameterError

    made = {}
    for text in given:
        name, mark, values = text.partition("=")
        if not mark or not all(values.split(",")):
            raise ParameterError(f"--grid {text!r} is no grid", "write name=a,b,c")
        made[name] = [value(name, one) for one in values.split(",")]
    return made


def tuning(given: list[str], tune_for: str, share_tuning: bool, missing: str) -> dict[str, Any]:
    """Return how to tune and to ask, as :class:`wsdlist.training.recipe.Settings` takes it."""
    return {
        "grid": grid(given),
        "tune_for": tune_for,
        "share_tuning": share_tuning,
        "missing": missing,
    }


@dataclass(frozen=True)
class Reading:
    """How corpora are to be read."""

    format: str | None = None
    on_error: str = "stop"
    key: Sequence[str] = ()
    class_name: str | None = None
    column: Sequence[str] = ()
    sense_key: str = "Sense"

    def parts(self, corpora: list[str]) -> Parts:
        """Read corpora."""
        from wsdlist.readers import read

        return read(
            corpora,
            format=self.format,
            on_error=self.on_error,
            keys=self.key,
            class_name=self.class_name,
            columns=named("--column", self.column),
            sense_key=self.sense_key,
        )

    def refuse(self) -> None:
        """Refuse what says nothing of plain text."""
        from wsdlist.errors import ParameterError

        if self.format or self.key or self.class_name or self.column or self.sense_key != "Sense":
            raise ParameterError(
                "--format, --key, --class, --column and --sense-key say nothing of plain text",
                "leave them out",
            )


def opened(path: str, back_off: str | None) -> Model:
    """Open a model, with what answers for words that were never trained."""
    from wsdlist.inventories.wordnet import find
    from wsdlist.models.model import load

    model = load(path)
    model.back_off = None if back_off is None else find(back_off)
    return model


def check_out(path: str, inputs: list[str]) -> None:
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
    if path == "-" or not target.exists():
        return
    read = (Path(one) for one in inputs)
    if is_model(target) or any(one.exists() and target.samefile(one) for one in read):
        raise ParameterError("is read, or is a model", "name another file to write", where=path)


def lexelts(model: Model, word: str, path: str) -> list[str]:
    """Return the lexelts of a model that a word names, or the list over several that it names.

    Raises
    ------
    ParameterError
        When there is none.
    """
    from wsdlist.errors import ParameterError

    if word in model or word in model.shared:
        return [word]
    found = [name for name in model if word == name.rpartition(".")[0]]
    if not found:
        known = ", ".join(list(model)[:8]) + (", ..." if len(model) > 8 else "")
        raise ParameterError(f"the model has no word {word!r}", f"it has {known}", where=path)
    return found


def coarse_map(name: str | None) -> CoarseMap | None:
    """Return the coarse map of a name."""
    from wsdlist.inventories import coarse

    return None if name is None else coarse.coarse_map(name)


def say_ungrouped(parts: Parts, groups: CoarseMap | None) -> None:
    """Say which senses of corpora are in no group of a coarse map."""
    from wsdlist.cli import output

    if groups is not None and (said := groups.check([*parts.train, *(parts.test or ())])):
        output.note(said)


@dataclass(frozen=True)
class PlainText:
    """What is looked for in plain text: confusion sets, or (None) accents; line by line or not."""

    sets: ConfusionSets | None
    lines: bool


def text(given: list[str], file: str | None, accents: bool, lines: bool) -> PlainText | None:
    """Return what is looked for in plain text; None where no option speaks of it.

    Raises
    ------
    InputError, ParameterError
        When the file cannot be read, or a set is none.
    """
    from wsdlist.errors import InputError, ParameterError
    from wsdlist.readers.confusion_sets import parse
    from wsdlist.readers.sources import NoText, load

    if accents and (given or file):
        raise ParameterError("--accents finds its own sets", "leave --confusion out")
    sets = list(given)
    if file is not None:
        for source in load(file):
            if isinstance(source, NoText):
                raise source.error
            for number, line in source.lines():
                if line.strip() and line[:1] != "#":
                    try:
                        parse([line])
                    except ParameterError as error:
                        raise InputError(
                            error.what, error.advice, where=f"{source.name}:{number}"
                        ) from error
                    sets.append(line)
        if not sets:
            raise ParameterError("the file of confusion sets is empty", "write a,b a line")
    if not (accents or sets):
        if lines:
            raise ParameterError("--lines is for plain text", "say --confusion or --accents")
        return None
    return PlainText(None if accents else parse(sets), lines)
