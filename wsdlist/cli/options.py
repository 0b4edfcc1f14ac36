"""Options that several commands have, declared once."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

Corpora: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS...",
        help="Files, folders, zip archives, - for stdin, or nltk:senseval. A folder's test part is "
        "told by its name.",
        show_default=False,
    ),
]
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
    float | None,
    typer.Option(
        "--discount", help="d of absolute discounting.", show_default="the learner's, 0.9"
    ),
]
Epsilon: TypeAlias = Annotated[
    float | None,
    typer.Option("--epsilon", help="Bits that a rule must save.", show_default="the learner's, 3"),
]
Reestimate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--reestimate",
        help="none, default or rules: whose distribution is estimated again from what reaches it.",
        show_default="none",
    ),
]
ClassName: TypeAlias = Annotated[
    str | None,
    typer.Option("--class", help="Attribute of a table to learn.", show_default="the last"),
]
Jobs: TypeAlias = Annotated[int, typer.Option("--jobs", help="Processes; the result is the same.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Of the dealing into folds.")]


def parameters(
    discount: float | None, epsilon: float | None, reestimate: str | None
) -> dict[str, Any]:
    """Return those that were given."""
    given = {"discount": discount, "epsilon": epsilon, "reestimate": reestimate}
    return {name: value for name, value in given.items() if value is not None}
