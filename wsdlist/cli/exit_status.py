"""How commands end: an error of input or parameters is one line and status 2."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable

import typer

from wsdlist.errors import WsdlistError, plain

debug = False


def open_streams() -> None:
    """Write UTF-8 whatever the locale, and nowhere where a stream was closed by the caller."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that its failures end as users expect them to."""

    @functools.wraps(command)
    def run(*args: object, **kwargs: object) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError as error:  # the reader has seen enough
            _drop_output()
            raise typer.Exit(0) from error
        except (WsdlistError, OSError) as error:
            if debug:
                raise
            raise typer.Exit(fail(error)) from error

    return run


def fail(error: WsdlistError | OSError) -> int:
    """Say in one line what is wrong; return the exit status."""
    _drop_output()
    if isinstance(error, OSError):
        where = error.filename or "<stdout>"
        error = WsdlistError(error.strerror or str(error), "check it", where=str(where))
    print(f"error: {plain(str(error))}", file=sys.stderr)
    return 2


def _drop_output() -> None:
    """Forget output that could not be written, else Python tries again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
