"""Commands that list what there is to choose from: learners, features, formats."""

from __future__ import annotations

from typing import Annotated

import typer

from wsdlist.cli import options


def learners(json: options.Json = False) -> None:
    """List the learners and their parameters."""
    from wsdlist.cli import output
    from wsdlist.layout import table
    from wsdlist.learners import LEARNERS, learner_class, parameters

    about = {name: (learner_class(name).__doc__ or "").strip().split("\n")[0] for name in LEARNERS}
    if json:
        output.jsonl(
            {"learner": name, "about": about[name], "parameters": parameters(name)}
            for name in LEARNERS
        )
        return
    rows = [
        (name, ", ".join(f"{p}={v}" for p, v in parameters(name).items()) or "-", about[name])
        for name in LEARNERS
    ]
    output.lines(table(("learner", "parameters", "what it does"), rows, left=3))


def features(
    name: Annotated[
        str | None, typer.Argument(metavar="[SET]", help="A set, or a TOML file.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the feature sets, or the templates of one."""
    from wsdlist.cli import output
    from wsdlist.features.sets import SETS, feature_set
    from wsdlist.layout import table

    if json:
        chosen = SETS.values() if name is None else [feature_set(name)]
        output.jsonl({**set_.to_record(), "templates": set_.template_texts()} for set_ in chosen)
        return
    if name is not None:
        set_ = feature_set(name)
        print(f"{set_.name}, version {set_.version}: {len(set_.templates)} templates")
        output.lines(f"  {text}" for text in set_.template_texts())
        return
    rows = [
        (set_.name, str(len(set_.templates)), ", ".join(set_.needs()) or "-", set_.about)
        for set_ in SETS.values()
    ]
    output.lines(table(("set", "templates", "needs", "what it asks about"), rows, left=4))


def formats(json: options.Json = False) -> None:
    """List the formats, what they are, and which of them are written too."""
    from wsdlist.cli import output
    from wsdlist.layout import table
    from wsdlist.readers import FORMATS

    if json:
        output.jsonl(
            {"format": form.name, "about": form.description, "written": form.write is not None}
            for form in FORMATS
        )
        return
    rows = [(form.name, "yes" if form.write else "-", form.description) for form in FORMATS]
    output.lines(table(("format", "written", "what it is"), rows, left=3))
