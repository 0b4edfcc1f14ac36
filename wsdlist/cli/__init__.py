"""The command line. Results go to stdout, all else to stderr; commands import what they need."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

import wsdlist
from wsdlist.errors import WsdlistError

app = typer.Typer(
    name="wsdlist",
    help="Word sense disambiguation with decision lists one can read.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
_state = {"debug": False}


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
    """Word sense disambiguation with decision lists one can read."""
    _state["debug"] = debug


def main() -> None:
    """Run the command line; errors of input and parameters become one line and status 2."""
    from wsdlist.cli import inspect, learn

    learn.register(app)
    inspect.register(app)
    try:
        app(standalone_mode=False)
        sys.stdout.flush()
    except WsdlistError as error:
        if _state["debug"]:
            raise
        _end(2, f"error: {error}")
    except BrokenPipeError:
        _end(0)
    except KeyboardInterrupt:
        _end(130, "interrupted")
    except OSError as error:
        if _state["debug"]:
            raise
        _end(2, f"error: {error.filename or 'output'}: {error.strerror}; check the file or device")
    except typer.Exit as error:
        _end(error.exit_code)
    except Exception as error:
        shown = getattr(error, "show", None)  # click's own: usage and what is wrong with it
        if shown is None:
            if type(error).__name__ == "Abort":
                _end(130, "interrupted")
            raise
        shown()
        _end(getattr(error, "exit_code", 2))


def _end(status: int, message: str = "") -> None:
    if message:
        print(message, file=sys.stderr)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        # the reader has left or the device is full: what is buffered cannot be written at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
