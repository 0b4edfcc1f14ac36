"""The model file: one SQLite file of experts, with nothing executable in it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wsdlist.data.checks import check_kind
from wsdlist.data.files import write_whole
from wsdlist.errors import ModelError
from wsdlist.inventories.glosses import Inventory
from wsdlist.models.expert import Expert

APPLICATION_ID = 0x77736478  # "wsdx"
FORMAT = 2
LAYOUT = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE expert (shared INTEGER, lexelt TEXT, sha256 TEXT NOT NULL, "
    "PRIMARY KEY (shared, lexelt)) WITHOUT ROWID",
    # the records stand apart, so that opening a model reads none of them
    "CREATE TABLE record (shared INTEGER, lexelt TEXT, record BLOB NOT NULL, "
    "PRIMARY KEY (shared, lexelt)) WITHOUT ROWID",
    "CREATE TABLE form (lexelt TEXT, form TEXT, PRIMARY KEY (lexelt, form)) WITHOUT ROWID",
)
FORMS = "SELECT lexelt, form FROM form ORDER BY lexelt, form"
HASHES = "SELECT shared, lexelt, sha256 FROM expert ORDER BY shared, lexelt"


class Writer:
    """Writes a model, one expert after another; at the end the file appears whole, by a rename.

    Until then ``NAME.part`` holds what is finished, so that an interrupted training can go on.

    Parameters
    ----------
    path
        The model file.
    fingerprint
        A hash of what the experts are learned from and how. An interrupted training with another
        one cannot go on.
    resume
        Whether to go on with an interrupted training, if there is one.

    Raises
    ------
    ModelError
        When the file cannot be written, or the interrupted training has another fingerprint.
    """

    def __init__(self, path: str | Path, fingerprint: str = "", *, resume: bool = False) -> None:
        self.target = Path(path).resolve()  # what a link points to, not the link
        self.part = self.target.with_name(self.target.name + ".part")
        for file in (path, self.part):
            check_target(file)
        with self._failing():
            if not resume:
                self.part.unlink(missing_ok=True)
            self._database = sqlite3.connect(self.part)
            # a killed run can go on all the same; only a failing machine could spoil the part
            self._database.execute("PRAGMA synchronous = OFF")
            begun = self._database.execute("PRAGMA user_version").fetchone()[0]
            if not begun:
                with self._database:  # all of it or nothing
                    self._database.execute("BEGIN")
                    for statement in LAYOUT:
                        self._database.execute(statement)
                    self._database.execute(
                        "INSERT INTO meta VALUES ('fingerprint', ?)", (fingerprint,)
                    )
        if begun not in (0, FORMAT) or self.kept("fingerprint") != fingerprint:
            self._database.close()
            raise ModelError(
                "was begun with another corpus or other parameters",
                "train as then, or leave --resume out to begin anew",
                where=str(self.part),
            )

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise ModelError(
                f"cannot be written: {error}",
                "name a file in a folder you may write to",
                where=str(self.target),
            ) from error

    def keep(self, name: str, value: str) -> None:
        """Keep a value beside the experts until the end."""
        with self._failing(), self._database:
            self._database.execute("INSERT INTO meta VALUES (?, ?)", (name, value))

    def kept(self, name: str) -> str | None:
        """Return a value that was kept, or None."""
        with self._failing():
            cursor = self._database.execute("SELECT value FROM meta WHERE name = ?", (name,))
            row = cursor.fetchone()
        return None if row is None else str(row[0])

    @property
    def finished(self) -> set[str]:
        """The lexelts, and names of shared lists, that are written."""
        with self._failing():
            return {row[0] for row in self._database.execute("SELECT lexelt FROM expert")}

    def add(self, expert: Expert, *, shared: bool = False) -> None:
        """Write an expert, or a list over several lexelts."""
        with self._failing(), self._database:
            _put(self._database, expert, shared=shared)
            if not shared:
                forms = [(expert.lexelt, form) for form in expert.forms]
                self._database.executemany("INSERT INTO form VALUES (?, ?)", forms)

    def finish(self, meta: dict[str, Any], inventory: Inventory) -> None:
        """Write what belongs to all experts, and give the file its name.

        The bytes of the file depend on its content alone, not on how it came about.
        """
        text = _json({**meta, "inventory": inventory.to_record()})
        with self._failing():
            with closing(sqlite3.connect(":memory:")) as database:
                self._database.backup(database)
                _finish(database, text, self.target)
            self._database.close()
            self.part.unlink()


def _put(database: sqlite3.Connection, expert: Expert, *, shared: bool) -> None:
    record = _json(expert.to_record())
    name = (shared, expert.lexelt)
    sha256 = _hash(str(int(shared)), expert.lexelt, record)
    database.execute("REPLACE INTO expert VALUES (?, ?, ?)", (*name, sha256))
    database.execute(
        "REPLACE INTO record VALUES (?, ?, ?)", (*name, zlib.compress(record.encode()))
    )


def _finish(database: sqlite3.Connection, text: str, target: Path) -> None:
    """Write a database in memory as a model with this ``meta``, whole or not at all."""
    of_forms = _hash(*chain.from_iterable(database.execute(FORMS)))
    of_all = _hash(text, of_forms, "\n".join(row[-1] for row in database.execute(HASHES)))
    whole = target.with_name(f"{target.name}.part.whole")
    whole.unlink(missing_ok=True)
    try:
        with database:
            database.execute("DELETE FROM meta")
            database.executemany(
                "INSERT INTO meta VALUES (?, ?)",
                [("meta", text), ("forms", of_forms), ("sha256", of_all)],
            )
        database.execute("VACUUM INTO ?", (str(whole),))
        whole.replace(target)
    finally:
        whole.unlink(missing_ok=True)


def replace_expert(file: ModelFile, expert: Expert, path: str | Path) -> None:
    """Write a model file with another expert in place of that of the same lexelt.

    Parameters
    ----------
    file
        The model; it may be the one at ``path``.
    expert
        The new expert, of a lexelt or a list over several that the model has.
    path
        The file to write, which appears whole or not at all.

    Raises
    ------
    ModelError
        When the file cannot be written, or another file that is no model has its name.
    """
    check_target(path)
    target = Path(path).resolve()
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(file.to_bytes())
            with database:
                _put(database, expert, shared=bool(expert.over))
            # vacuuming counts the version up, and the bytes are to depend on the experts alone
            (version,) = database.execute("PRAGMA schema_version").fetchone()
            database.execute(f"PRAGMA schema_version = {version - 1}")
            (text,) = database.execute("SELECT value FROM meta WHERE name = 'meta'").fetchone()
            _finish(database, text, target)
    except (OSError, sqlite3.Error) as error:
        raise ModelError(
            f"cannot be written: {error}",
            "name a file in a folder you may write to",
            where=str(path),
        ) from error


def replace_file(path: str | Path, data: bytes) -> None:
    """Write the bytes of a model to a file that appears whole, see :func:`write_whole`.

    Raises
    ------
    ModelError
        When the file cannot be written, or another file that is no model has its name.
    """
    check_target(path)
    try:
        write_whole({Path(path): data})
    except OSError as error:
        raise ModelError(
            f"cannot be written: {error.strerror}",
            "name a file in a folder you may write to",
            where=str(path),
        ) from error


def is_model(path: str | Path) -> bool:
    """Say whether a file begins as models do."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:] == APPLICATION_ID.to_bytes(4, "big")


def check_target(path: str | Path) -> None:
    """Refuse to write a model over anything but a model.

    Raises
    ------
    ModelError
        When the path is a device, a folder, another file, or ``-``.
    """
    target = Path(path)
    if str(path) == "-":
        raise ModelError("a model is not written to standard output", "name a file", where="-")
    if not target.exists():
        return
    if not target.is_file():
        raise ModelError("is no file", "name a file to write the model to", where=str(path))
    if target.stat().st_size and not is_model(target):
        raise ModelError("is there already and is no model", "name another file", where=str(path))


class ModelFile:
    """A model file that is read, by one connection for each process and thread.

    Parameters
    ----------
    path
        The file, or a name for messages if there are ``data``.
    of_all
        The hash of the file that was opened before in another process; None if none was.
    data
        The bytes of the file, if it is not read from ``path``.

    Raises
    ------
    ModelError
        When the file is no model, damaged, of another format, or of a training that did not end.
    """

    def __init__(
        self, path: str | Path, of_all: str | None = None, data: bytes | None = None
    ) -> None:
        check_kind("path", path, (str, Path), "give the path of a model")
        check_kind("data", data, (bytes, type(None)), "give the bytes of a model")
        self.path = path = Path(path)
        self._of_all = of_all
        self._data = data
        self._local = threading.local()
        if data is None and not path.is_file():
            what = "is a folder" if path.is_dir() else "there is no such model"
            raise ModelError(what, "check the path", where=str(path))
        if data == b"":
            raise ModelError("is empty", "give the bytes of a model", where=str(path))
        try:
            application = self._pragma("application_id")
            version = self._pragma("user_version")
            if application != APPLICATION_ID:
                raise ModelError("is not a wsdlist model", "train one", where=str(path))
            if version != FORMAT:
                how, advice = (
                    ("newer than", "upgrade wsdlist")
                    if version > FORMAT
                    else ("older than", "train it anew")
                )
                raise ModelError(
                    f"has format {version}, {how} this wsdlist reads ({FORMAT})",
                    advice,
                    where=str(path),
                )
            rows = dict(self.connection().execute("SELECT name, value FROM meta"))
            if "meta" not in rows and "fingerprint" in rows:
                raise ModelError(
                    "is of a training that did not end", "go on with --resume", where=str(path)
                )
            hashes = list(self.connection().execute(HASHES))
            if rows.get("sha256") != _hash(
                rows["meta"], rows["forms"], "\n".join(row[2] for row in hashes)
            ):
                raise self.damaged("its parts do not belong together")
            self.hashes: tuple[dict[str, str], dict[str, str]] = ({}, {})
            for shared, name, sha256 in hashes:
                if shared not in (0, 1):
                    raise self.damaged("an expert is of no kind")
                self.hashes[shared][name] = sha256
            self._of_forms, self._of_all = rows["forms"], rows["sha256"]
            self.meta: dict[str, Any] = json.loads(rows["meta"])
        except (sqlite3.Error, KeyError, ValueError, TypeError, AttributeError) as error:
            raise self.damaged(str(error)) from error

    def damaged(self, why: str) -> ModelError:
        """Return the error that says why the file cannot be read."""
        return ModelError(
            f"is damaged or no model ({why})", "train or fetch it again", where=str(self.path)
        )

    def connection(self) -> sqlite3.Connection:
        """Return the connection of this process and thread, opened if there is none.

        Raises
        ------
        ModelError
            When the file was replaced since it was opened.
        """
        mine = getattr(self._local, "mine", None)
        if mine is None or mine[0] != os.getpid():
            if self._data is not None:
                mine = (os.getpid(), sqlite3.connect(":memory:"))
                mine[1].deserialize(self._data)
            else:
                uri = f"file:{quote(str(self.path.resolve()))}?mode=ro&immutable=1"
                mine = (os.getpid(), sqlite3.connect(uri, uri=True))
            mine[1].execute("PRAGMA trusted_schema = OFF")
            if self._of_all is not None:
                row = mine[1].execute("SELECT value FROM meta WHERE name = 'sha256'").fetchone()
                if row is None or row[0] != self._of_all:
                    raise ModelError(
                        "was replaced since it was opened", "open it again", where=str(self.path)
                    )
            self._local.mine = mine
        connection: sqlite3.Connection = mine[1]
        return connection

    def _pragma(self, name: str) -> int:
        return int(self.connection().execute(f"PRAGMA {name}").fetchone()[0])

    def expert(self, name: str, *, shared: bool) -> Expert:
        """Read an expert, or a list over several lexelts.

        Raises
        ------
        KeyError
            When the model has none of that name.
        ModelError
            When the record was altered.
        """
        query = "SELECT record FROM record WHERE shared = ? AND lexelt = ?"
        try:
            row = self.connection().execute(query, (shared, name)).fetchone()
            if row is None and name not in self.hashes[shared]:
                raise KeyError(name)
            record = zlib.decompress(row[0]).decode()
        except (sqlite3.Error, zlib.error, TypeError, UnicodeDecodeError) as error:
            raise self.damaged(f"the expert of {name} was altered: {error}") from error
        if _hash(str(int(shared)), name, record) != self.hashes[shared].get(name):
            raise self.damaged(f"the expert of {name} was altered")
        return Expert.from_record(json.loads(record))

    def forms(self) -> list[tuple[str, str]]:
        """Read ``(lexelt, form)`` of all words.

        Raises
        ------
        ModelError
            When the forms were altered.
        """
        try:
            forms = list(self.connection().execute(FORMS))
            if _hash(*chain.from_iterable(forms)) != self._of_forms:
                raise self.damaged("the forms of its words were altered")
        except (sqlite3.Error, AttributeError) as error:
            raise self.damaged(str(error)) from error
        return forms

    def to_bytes(self) -> bytes:
        """Return the bytes of the file."""
        return self.connection().serialize() if self._data is None else self._data

    def __reduce__(self) -> tuple[object, ...]:
        return ModelFile, (self.path, self._of_all, self._data)  # opened anew in the other process


class Stored(Mapping[str, Expert]):
    """The experts of a file, or its lists over several lexelts, each read when first asked for."""

    def __init__(self, file: ModelFile, *, shared: bool) -> None:
        self.file, self.shared = file, shared
        self._cache: dict[str, Expert] = {}

    def __getitem__(self, lexelt: str) -> Expert:
        if lexelt not in self._cache:
            self._cache[lexelt] = self.file.expert(lexelt, shared=self.shared)
        return self._cache[lexelt]

    def __contains__(self, lexelt: object) -> bool:
        return lexelt in self.file.hashes[self.shared]

    def __iter__(self) -> Iterator[str]:
        return iter(self.file.hashes[self.shared])

    def __len__(self) -> int:
        return len(self.file.hashes[self.shared])

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": {}}


def _json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
