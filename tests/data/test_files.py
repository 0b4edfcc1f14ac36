"""Files appear whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wsdlist.data.files import write_whole

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
OLD, NEW = b"old", b"new" * 1000


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """Let writing fail in the middle of a file, as on a full device: after so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_several_files_are_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    written = write_whole({tmp_path / "a": NEW, tmp_path / "b": b""})
    assert written == [tmp_path / "a", tmp_path / "b"]
    assert contents(tmp_path) == {"a": NEW, "b": b""}


def test_a_failure_in_the_middle_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    (tmp_path / "b").write_bytes(OLD)
    files = {tmp_path / "a": b"short", tmp_path / "b": NEW, tmp_path / "c": NEW}
    with files_end_at(1000), pytest.raises(OSError) as failed:
        write_whole(files)
    assert (failed.value.errno, failed.value.filename) == (errno.EFBIG, str(tmp_path / "b"))
    assert contents(tmp_path) == {"a": OLD, "b": OLD}


class Interrupted(dict[Path, bytes]):
    """Files of which the second is interrupted by the user."""

    def items(self) -> Iterator[tuple[Path, bytes]]:  # type: ignore[override]
        yield next(iter(super().items()))
        raise KeyboardInterrupt


def test_an_interrupt_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    with pytest.raises(KeyboardInterrupt):
        write_whole(Interrupted({tmp_path / "a": NEW}))
    assert contents(tmp_path) == {"a": OLD}


def test_a_missing_folder_is_named_by_the_path_that_was_given(tmp_path: Path) -> None:
    path = tmp_path / "no" / "file"
    with pytest.raises(FileNotFoundError) as failed:
        write_whole({path: NEW})
    assert failed.value.filename == str(path)


def test_a_file_in_place_of_a_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    with pytest.raises(NotADirectoryError):
        write_whole({tmp_path / "a" / "b": NEW})
    assert contents(tmp_path) == {"a": OLD}


@pytest.mark.skipif(AS_ROOT, reason="root may write anywhere")
def test_a_read_only_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            write_whole({tmp_path / "a": NEW})
        assert contents(tmp_path) == {"a": OLD}
    finally:
        tmp_path.chmod(0o700)


def test_links_stay_and_what_they_point_to_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "real").write_bytes(OLD)
    (tmp_path / "link").symlink_to(folder / "real")
    assert write_whole({tmp_path / "link": NEW}) == [folder / "real"]
    assert (tmp_path / "link").is_symlink()
    assert contents(folder) == {"real": NEW}


def test_who_reads_the_old_file_goes_on_to(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    with path.open("rb") as stream:
        write_whole({path: NEW})
        assert stream.read() == OLD


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_are_handed_down(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    path.chmod(mode)
    write_whole({path: NEW})
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_whole({tmp_path / "a": NEW})
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(not AS_ROOT, reason="only root gives files away")
def test_the_owner_is_handed_down(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    os.chown(path, 1234, 4321)
    write_whole({path: NEW})
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_whole({path: NEW})
    assert path.read_bytes() == NEW
