"""The model file: one SQLite file of experts, nothing executable in it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wsdlist.corpus import Item
from wsdlist.errors import ModelError
from wsdlist.expert import Answer, Expert
from wsdlist.features import are_rows
from wsdlist.inventory import Inventory

APPLICATION_ID = 0x77736478  # "wsdx"
FORMAT = 1
LAYOUT = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE expert (lexelt TEXT PRIMARY KEY, record TEXT NOT NULL, sha256 TEXT NOT NULL) "
    "WITHOUT ROWID",
)


class Model(Mapping[str, Expert]):
    """Experts by lexelt, in memory or in a file that is read as experts are asked for.

    Parameters
    ----------
    experts
        What was learned; the lexelt is the key.
    meta
        JSON data: learner, parameters, features, multi, markers and more.
    inventory
        Glosses and keys.
    """

    def __init__(
        self,
        experts: Mapping[str, Expert],
        meta: dict[str, Any],
        inventory: Inventory | None = None,
    ) -> None:
        self._experts = experts
        self.meta = meta
        self.inventory = Inventory() if inventory is None else inventory

    def __getitem__(self, lexelt: str) -> Expert:
        return self._experts[lexelt]

    def __iter__(self) -> Iterator[str]:
        return iter(self._experts)

    def __len__(self) -> int:
        return len(self._experts)

    def __repr__(self) -> str:
        return f"<Model of {len(self)} lexelts, learned by {self.meta['learner']}>"

    def expert(self, lexelt: str, instances: Sequence[Item]) -> Expert | None:
        """Return the expert for these instances, or None where the word was never trained.

        A model of one table answers the rows of any: their file has another name as often as not.
        """
        if lexelt in self:
            return self[lexelt]
        if are_rows(instances) and len(self) == 1:
            return next(iter(self.values()))
        return None

    def answer(self, instances: Sequence[Item]) -> list[Answer]:
        """Answer instances of any lexelts, in order; an untrained word gets no sense."""
        answers: list[Answer] = [
            Answer(None, None, reason=f"{instance.lexelt} was never trained")
            for instance in instances
        ]
        words: dict[str, list[int]] = {}
        for row, instance in enumerate(instances):
            words.setdefault(instance.lexelt, []).append(row)
        for lexelt, rows in words.items():
            expert = self.expert(lexelt, [instances[row] for row in rows])
            if expert is None:
                continue
            made = expert.answer([instances[row] for row in rows])
            for row, answer in zip(rows, made, strict=True):
                answers[row] = answer
        return answers

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears whole or not at all.

        Raises
        ------
        ModelError
            When it cannot be written.
        """
        writer = Writer(path)
        for lexelt in self:
            writer.add(self[lexelt])
        writer.finish(self.meta, self.inventory)


class Writer:
    """Writes a model an expert at a time; the file appears whole, by a rename, at the end.

    Until then ``NAME.part`` holds what is finished, so that an interrupted training can be taken
    up again.

    Parameters
    ----------
    path
        The model file to be.
    fingerprint
        What the experts are learned from and how; a part with another one is not taken up.
    resume
        Whether to go on with the part of an interrupted run, if there is one.

    Raises
    ------
    ModelError
        When the file cannot be written, or its part was begun with something else.
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
            begun = self._database.execute("PRAGMA user_version").fetchone()[0]
            if not begun:
                with self._database:  # all of it or nothing
                    self._database.execute("BEGIN")
                    for statement in LAYOUT:
                        self._database.execute(statement)
                    self._database.execute(
                        "INSERT INTO meta VALUES ('fingerprint', ?)", (fingerprint,)
                    )
        if self.kept("fingerprint") != fingerprint:
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
        """Keep something beside the experts until the end."""
        with self._failing(), self._database:
            self._database.execute("INSERT INTO meta VALUES (?, ?)", (name, value))

    def kept(self, name: str) -> str | None:
        """Return what was kept, or None."""
        with self._failing():
            found = self._database.execute("SELECT value FROM meta WHERE name = ?", (name,))
            row = found.fetchone()
        return None if row is None else str(row[0])

    @property
    def finished(self) -> set[str]:
        """The lexelts that are written."""
        with self._failing():
            return {row[0] for row in self._database.execute("SELECT lexelt FROM expert")}

    def add(self, expert: Expert) -> None:
        """Write an expert."""
        record = _json(expert.to_record())
        with self._failing(), self._database:
            self._database.execute(
                "INSERT INTO expert VALUES (?, ?, ?)",
                (expert.lexelt, record, _hash(expert.lexelt, record)),
            )

    def finish(self, meta: dict[str, Any], inventory: Inventory) -> None:
        """Write what belongs to all experts, and give the file its name.

        Its bytes depend on what is in it, not on how it came about.
        """
        text = _json({**meta, "inventory": inventory.to_record()})
        whole = self.part.with_name(self.part.name + ".whole")
        with self._failing():
            hashes = self._database.execute("SELECT sha256 FROM expert ORDER BY lexelt")
            of_all = _hash(text, *(row[0] for row in hashes))
            whole.unlink(missing_ok=True)
            try:  # the part stays as it is until the model has its name
                with closing(sqlite3.connect(":memory:")) as database:
                    self._database.backup(database)
                    with database:
                        database.execute("DELETE FROM meta")
                        database.executemany(
                            "INSERT INTO meta VALUES (?, ?)", [("meta", text), ("sha256", of_all)]
                        )
                    database.execute("VACUUM INTO ?", (str(whole),))
                self._database.close()
                whole.replace(self.target)
            finally:
                whole.unlink(missing_ok=True)
            self.part.unlink()


def load(path: str | Path) -> Model:
    """Open a model; experts are read when first asked for.

    Raises
    ------
    ModelError
        When the file is no model, damaged, or of a newer format.
    """
    experts = _Stored(Path(path))
    meta = experts.meta
    return Model(experts, meta, Inventory.from_record(meta.pop("inventory", [])))


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


class _Stored(Mapping[str, Expert]):
    """The experts of a file: a connection a process and thread, opened when needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open()

    def _open(self) -> None:
        path = self.path
        self._local = threading.local()
        self._cache: dict[str, Expert] = {}
        if not path.is_file():
            raise ModelError("there is no such model", "check the path", where=str(path))
        try:
            application = self._one("PRAGMA application_id")
            version = self._one("PRAGMA user_version")
            if application != APPLICATION_ID:
                raise ModelError("is not a wsdlist model", "train one", where=str(path))
            if version > FORMAT:
                raise ModelError(
                    f"has format {version}, newer than this wsdlist reads ({FORMAT})",
                    "upgrade wsdlist",
                    where=str(path),
                )
            rows = dict(self._connection().execute("SELECT name, value FROM meta"))
            hashes = self._connection().execute("SELECT lexelt, sha256 FROM expert ORDER BY lexelt")
            self._hashes: dict[str, str] = dict(hashes)
            if rows.get("sha256") != _hash(rows["meta"], *self._hashes.values()):
                raise self._damaged("its parts do not belong together")
            self.meta: dict[str, Any] = json.loads(rows["meta"])
        except (sqlite3.Error, KeyError, ValueError, TypeError, AttributeError) as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> ModelError:
        return ModelError(
            f"is damaged or no model ({why})", "train or fetch it again", where=str(self.path)
        )

    def _connection(self) -> sqlite3.Connection:
        mine = getattr(self._local, "mine", None)
        if mine is None or mine[0] != os.getpid():
            uri = f"file:{quote(str(self.path.resolve()))}?mode=ro&immutable=1"
            mine = (os.getpid(), sqlite3.connect(uri, uri=True))
            mine[1].execute("PRAGMA trusted_schema = OFF")
            self._local.mine = mine
        connection: sqlite3.Connection = mine[1]
        return connection

    def _one(self, query: str) -> int:
        return int(self._connection().execute(query).fetchone()[0])

    def __getitem__(self, lexelt: str) -> Expert:
        if lexelt not in self._cache:
            try:
                row = (
                    self._connection()
                    .execute("SELECT record FROM expert WHERE lexelt = ?", (lexelt,))
                    .fetchone()
                )
            except sqlite3.Error as error:
                raise self._damaged(str(error)) from error
            if row is None:
                raise KeyError(lexelt)
            if not isinstance(row[0], str) or _hash(lexelt, row[0]) != self._hashes.get(lexelt):
                raise self._damaged(f"the expert of {lexelt} was altered")
            self._cache[lexelt] = Expert.from_record(json.loads(row[0]))
        return self._cache[lexelt]

    def __iter__(self) -> Iterator[str]:
        return iter(self._hashes)

    def __len__(self) -> int:
        return len(self._hashes)

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.path = state["path"]
        self._open()  # anew in the other process


def _json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
