"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path


def write_whole(files: Mapping[Path, bytes]) -> list[Path]:
    """Write files, each of which appears whole or not at all; return what links point to.

    All contents are written to temporary files beside their targets, whose names begin with a
    dot and end with ``.part``. Only when all of them are complete do they take the names of the
    targets, by a rename. So whoever has an old file open goes on to read the old one, and when
    writing fails or is interrupted every target is as it was. Only a rename that fails after
    another one, which is rare, leaves some targets new and others old. The temporary files are
    removed whatever happens.

    A symbolic link stays, and the file it points to is replaced. A file that is replaced hands
    down its permissions, and its owner where the system allows that; a hard link to it keeps the
    old content. Nothing is flushed to the disk: this guards against failures of the program, not
    of the machine.

    Parameters
    ----------
    files
        The content of each file. What is there already must be a regular file.

    Raises
    ------
    OSError
        When one cannot be written; ``filename`` is its path as it was given.
    """
    renames: list[tuple[Path, Path, Path]] = []
    try:
        for path, data in files.items():
            with _blaming(path):
                target = path.resolve()
                temporary = target.with_name(f".{secrets.token_hex(8)}.part")
                renames.append((path, temporary, target))
                with temporary.open("xb") as stream:
                    _inherit(temporary, target)  # first, lest others read what is secret
                    stream.write(data)
        for path, temporary, target in renames:
            with _blaming(path):
                temporary.replace(target)
    finally:
        for _, temporary, _ in renames:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    return list(dict.fromkeys(target for _, _, target in renames))


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """Name a path in errors of the system, not the temporary file that stands for it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _inherit(temporary: Path, target: Path) -> None:
    """Give a file the owner and the permissions of the one it will replace, if there is one."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return
    new = temporary.stat()
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):  # only root may give files away
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(old.st_mode & 0o777)
