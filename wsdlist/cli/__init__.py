"""The command line. Results go to stdout, all else to stderr; commands import what they need."""

from __future__ import annotations

from typing import Annotated

import typer

import wsdlist
from wsdlist.cli import (
    compare,
    convert,
    crossval,
    evaluate,
    exit_status,
    explain,
    lists,
    proof,
    replace,
    report,
    score,
    show,
    suggest,
    tag,
    train,
    tune,
    validate,
)
from wsdlist.cli._groups import with_groups

app = typer.Typer(
    name="wsdlist",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"wsdlist {wsdlist.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Word sense disambiguation with decision lists that you can read."""
    exit_status.debug = debug


COMMANDS = (
    *(train.train, tune.tune, evaluate.evaluate, crossval.crossval, tag.tag, explain.explain),
    *(proof.proof, show.show, validate.validate, lists.learners, lists.features),
    *(replace.replace, suggest.suggest, report.report, convert.convert, lists.formats),
    *(score.score, compare.compare),
)
for command in COMMANDS:
    app.command()(with_groups(exit_status.guarded(command)))


def main() -> None:
    """Run the command line."""
    exit_status.open_streams()
    try:
        app()
    except OSError as error:  # help or version on a full device
        if exit_status.debug:
            raise
        raise SystemExit(exit_status.fail(error)) from error
