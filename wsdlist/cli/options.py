"""Options that several commands have, declared once: alone, or in groups that go together.

A command takes a group, a frozen dataclass, as one parameter; see :mod:`wsdlist.cli._groups`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from wsdlist.cli._groups import leave_out

if TYPE_CHECKING:
    from wsdlist.evaluation.official_scorers import ScoreReport
    from wsdlist.inventories.coarse import CoarseMap
    from wsdlist.models.recipe import Recipe
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
KeyFile: TypeAlias = Annotated[str, typer.Argument(metavar="KEY", help="The gold key.")]
ModelPath: TypeAlias = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", help="Format of the corpus; found from its content by default."),
]
OnError: TypeAlias = Annotated[
    str, typer.Option("--on-error", help="stop, or skip records that cannot be read.")
]
SenseKey: TypeAlias = Annotated[
    str, typer.Option("--sense-key", help="Key of the sense in the MISC column of CoNLL-U.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Pipeline: TypeAlias = Annotated[
    str | None,
    typer.Option("--pipeline", help="spaCy pipeline for tags and lemmas that the corpus lacks."),
]
Learner: TypeAlias = Annotated[str, typer.Option("--learner", help="See `wsdlist learners`.")]
Map: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="NAME",
        help="Coarse senses: supersenses, satellites (%5 as %3 in keys), or a file "
        "whose lines hold a sense and its group.",
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
Jobs: TypeAlias = Annotated[int, typer.Option("--jobs", help="Processes; the result is the same.")]


@dataclass(frozen=True)
class CorpusOptions:
    """How corpora are read."""

    class_name: Annotated[
        str | None,
        typer.Option("--class", help="Attribute of a table to learn.", show_default="the last"),
    ] = None
    column: Annotated[
        list[str],
        typer.Option(
            "--column",
            metavar="NAME=KIND",
            help="What a column is: of a table numeric, nominal, or skip to leave it out; of a "
            "concordance text, left, target, right, sense ..., see `formats`.",
        ),
    ] = field(default_factory=list)
    sense_key: SenseKey = "Sense"
    format: Format = None
    key: Annotated[
        list[str],
        typer.Option(
            "--key", help="Senseval key file with the answers of instances that have none."
        ),
    ] = field(default_factory=list)
    on_error: OnError = "stop"

    def reading(self) -> dict[str, Any]:
        """Return the options as keywords of :func:`wsdlist.readers.read`."""
        from wsdlist.cli.values import named

        return {
            "format": self.format,
            "on_error": self.on_error,
            "keys": self.key,
            "class_name": self.class_name,
            "columns": named("--column", self.column),
            "sense_key": self.sense_key,
        }

    def read(self, corpora: Sequence[str]) -> Parts:
        """Read corpora."""
        from wsdlist.readers import read

        return read(corpora, **self.reading())

    def refuse_for_plain_text(self) -> None:
        """Refuse what says nothing of plain text.

        Raises
        ------
        ParameterError
            When such an option was given.
        """
        from wsdlist.errors import ParameterError

        if self.format or self.key or self.class_name or self.column or self.sense_key != "Sense":
            raise ParameterError(
                "--format, --key, --class, --column and --sense-key say nothing of plain text",
                "leave them out",
            )


# of commands that stop at the first record that cannot be read
StrictCorpusOptions: TypeAlias = Annotated[CorpusOptions, leave_out("on_error")]


@dataclass(frozen=True)
class TextOptions:
    """Which words of plain text are told apart."""

    confusion: Annotated[
        list[str],
        typer.Option(
            "--confusion",
            metavar="A,B,...",
            help="Learn from plain text to tell these words apart; golding18 and banko-brill10 are "
            "known sets.",
        ),
    ] = field(default_factory=list)
    confusion_file: Annotated[
        str | None, typer.Option("--confusion-file", help="File with such sets, one a line.")
    ] = None
    accents: Annotated[
        bool,
        typer.Option("--accents", help="Words of the text that differ by their diacritics alone."),
    ] = False
    lines: Annotated[
        bool, typer.Option("--lines", help="Each line of plain text is a paragraph of its own.")
    ] = False

    @property
    def given(self) -> bool:
        """Whether plain text is read, not a corpus."""
        return bool(self.accents or self.confusion or self.confusion_file is not None)

    def sets(self) -> ConfusionSets | None:
        """Return the confusion sets; None if they are to be found in the text, or not asked for.

        Raises
        ------
        InputError, ParameterError
            When the file cannot be read, a set is none, or options contradict one another.
        """
        from wsdlist.errors import ParameterError
        from wsdlist.readers.confusion_file import read_confusion_file
        from wsdlist.readers.confusion_sets import parse

        if self.accents and (self.confusion or self.confusion_file):
            raise ParameterError("--accents finds its own sets", "leave --confusion out")
        if self.lines and not self.given:
            raise ParameterError("--lines is for plain text", "say --confusion or --accents")
        sets = list(self.confusion)
        if self.confusion_file is not None:
            sets += read_confusion_file(self.confusion_file)
            if not sets:
                raise ParameterError("the file of confusion sets is empty", "write a,b a line")
        return parse(sets) if sets else None


@dataclass(frozen=True)
class LearningOptions:
    """How experts are learned: what becomes a recipe."""

    features: Annotated[
        str, typer.Option("--features", help="A feature set, or a TOML file with one's own.")
    ] = "goodman"
    discount: Annotated[
        str,
        typer.Option(
            "--discount", help="d of absolute discounting, or auto: chosen on held-out data."
        ),
    ] = "auto"
    epsilon: Annotated[
        str,
        typer.Option(
            "--epsilon", help="Bits that a rule must save, or auto: chosen on held-out data."
        ),
    ] = "auto"
    reestimate: Annotated[
        str | None,
        typer.Option(
            "--reestimate",
            help="none, default or rules: whose distribution is estimated again from what reaches "
            "it; auto: chosen on held-out data.",
            show_default="none",
        ),
    ] = None
    parameter: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Another parameter of the learner, see `learners`."
        ),
    ] = field(default_factory=list)
    grid: Annotated[
        list[str],
        typer.Option(
            "--grid", metavar="NAME=A,B,C", help="Values of a parameter to try on held-out data."
        ),
    ] = field(default_factory=list)
    tune_for: Annotated[
        str,
        typer.Option("--tune-for", help="What held-out data choose by: bits, accuracy, macro-f1."),
    ] = "bits"
    share_tuning: Annotated[
        bool,
        typer.Option(
            "--share-tuning/--no-share-tuning", help="The same for all words, or each its own."
        ),
    ] = True
    min_count: Annotated[
        int, typer.Option("--min-count", help="In how many instances a question must be true.")
    ] = 2
    min_instances: Annotated[
        int,
        typer.Option(
            "--min-instances", help="A word with fewer gets its most frequent sense, no rules."
        ),
    ] = 1
    multi: Annotated[
        str,
        typer.Option("--multi", help="Several gold senses: split their weight, first, or all."),
    ] = "split"
    missing: Annotated[
        str,
        typer.Option(
            "--missing", help="A missing value in a table: none, or value: one of its own."
        ),
    ] = "none"

    def recipe(self, learner: str) -> Recipe:
        """Return the recipe of a learner.

        Raises
        ------
        ParameterError
            When a value is impossible, or the learner has no such parameter.
        """
        (recipe,) = self.recipes([learner])
        return recipe

    def recipes(self, learners: Sequence[str]) -> list[Recipe]:
        """Return the recipe of each learner, with the parameters and grids that it has.

        Raises
        ------
        ParameterError
            When a value is impossible, or no learner has such a parameter.
        """
        from wsdlist.cli import output
        from wsdlist.cli.values import grid_of, parameters_of
        from wsdlist.errors import ParameterError
        from wsdlist.features.sets import feature_set
        from wsdlist.learners import parameters
        from wsdlist.models.recipe import Recipe

        features = feature_set(self.features)
        given = parameters_of(self.discount, self.epsilon, self.reestimate, self.parameter)
        grid = grid_of(self.grid)
        known = [parameters(name) for name in learners]
        for name, value in {**given, **grid}.items():
            if value != "auto" and not any(name in has for has in known):
                raise ParameterError(
                    f"no parameter of {' or '.join(learners)} is {name!r}", f"leave {name} out"
                )
        for name, value in {**given, **grid}.items():
            lacking = [
                learner for learner, has in zip(learners, known, strict=True) if name not in has
            ]
            if value != "auto" and lacking:
                output.note(f"{name} is no parameter of {' or '.join(lacking)}: not used there")
        return [
            Recipe(
                learner,
                features,
                {name: value for name, value in given.items() if name in has},
                self.min_count,
                self.multi,
                {name: values for name, values in grid.items() if name in has},
                self.tune_for,
                self.share_tuning,
                self.missing,
                self.min_instances,
            )
            for learner, has in zip(learners, known, strict=True)
        ]


# of commands that keep no model, so that words with few instances are no matter
MeasuredLearningOptions: TypeAlias = Annotated[LearningOptions, leave_out("min_instances")]


@dataclass(frozen=True)
class ScoringOptions:
    """By which rules answers are scored."""

    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            help="unified or senseval; told by the key by default: Senseval's has the word.",
        ),
    ] = None
    grain: Annotated[
        str, typer.Option("--grain", help="fine; with a sense map also mixed or coarse.")
    ] = "fine"
    sense_map: Annotated[str | None, typer.Option("--sense-map", help="Senseval's sense map.")] = (
        None
    )
    minimal: Annotated[
        bool, typer.Option("--minimal", help="Leave out instances with several gold senses.")
    ] = False

    def scored(self, key: str, answers: Sequence[str]) -> list[ScoreReport]:
        """Score files of answers against a key."""
        from wsdlist.evaluation.official_scorers import score_files

        return score_files(
            key,
            answers,
            rules=self.rules,
            grain=self.grain,
            sense_map=self.sense_map,
            minimal=self.minimal,
        )

    def refuse_for_models(self) -> None:
        """Refuse rules by which models are not scored.

        Raises
        ------
        ParameterError
            When such an option was given.
        """
        from wsdlist.errors import ParameterError

        if self.rules or self.sense_map or self.grain != "fine":
            raise ParameterError("models are scored fine, by the unified rules", "name no others")


def coarse_map_of(name: str | None) -> CoarseMap | None:
    """Return the coarse map of a name."""
    from wsdlist.inventories.coarse import coarse_map

    return None if name is None else coarse_map(name)
