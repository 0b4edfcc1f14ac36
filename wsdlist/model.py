"""The model file: one SQLite file of experts, nothing executable in it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from wsdlist.confusion import ConfusionSets
from wsdlist.corpus import Corpus, Instance, Item, Text
from wsdlist.errors import ModelError, ParameterError
from wsdlist.expert import Answer, Expert
from wsdlist.explain import Explanation, explain, keyword_in_context
from wsdlist.features import are_rows
from wsdlist.features.sets import from_record
from wsdlist.inventory import Inventory
from wsdlist.tagging import OVER, Lexicon, Occurrence, Tag, occurrences, words_of
from wsdlist.tokens import CONTEXT, annotate, text_of

APPLICATION_ID = 0x77736478  # "wsdx"
FORMAT = 2
LAYOUT = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE expert (shared INTEGER, lexelt TEXT, sha256 TEXT NOT NULL, "
    "PRIMARY KEY (shared, lexelt)) WITHOUT ROWID",
    # apart, so that opening a model reads none of them
    "CREATE TABLE record (shared INTEGER, lexelt TEXT, record BLOB NOT NULL, "
    "PRIMARY KEY (shared, lexelt)) WITHOUT ROWID",
    "CREATE TABLE form (lexelt TEXT, form TEXT, PRIMARY KEY (lexelt, form)) WITHOUT ROWID",
)
OCCURRENCES = 4096  # answered together
LONG_BATCH = 1 << 18  # code points that end a batch of texts
CHARACTERS = 6  # of a token, about
FORMS = "SELECT lexelt, form FROM form ORDER BY lexelt, form"
HASHES = "SELECT shared, lexelt, sha256 FROM expert ORDER BY shared, lexelt"


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
    shared
        The lists over several lexelts that share a form, by these lexelts joined with ``|``; they
        decide in text where no tag does.
    """

    def __init__(
        self,
        experts: Mapping[str, Expert],
        meta: dict[str, Any],
        inventory: Inventory | None = None,
        shared: Mapping[str, Expert] | None = None,
    ) -> None:
        self._experts = experts
        self.meta = meta
        self.inventory = Inventory() if inventory is None else inventory
        self.shared = {} if shared is None else shared

    def __getitem__(self, lexelt: str) -> Expert:
        return self._experts[lexelt]

    def __contains__(self, lexelt: object) -> bool:
        return lexelt in self._experts  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._experts)

    def __len__(self) -> int:
        return len(self._experts)

    def __repr__(self) -> str:
        return f"<Model of {len(self)} lexelts, learned by {self.meta['learner']}>"

    @cached_property
    def confusion(self) -> ConfusionSets | None:
        """The confusion sets whose words the model tells apart, if it is of such."""
        sets = self.meta.get("confusion")
        return None if sets is None else ConfusionSets(sets)

    @cached_property
    def lexicon(self) -> Lexicon:
        """Which words of a text may be which lexelts."""
        if isinstance(self._experts, _Stored):
            return Lexicon(self._experts.file.forms())
        return Lexicon(_forms(self._experts))

    def expert(self, lexelt: str, instances: Sequence[Item]) -> Expert | None:
        """Return the expert for these instances, or None where the word was never trained.

        A model of one table answers the rows of any: their file has another name as often as not.
        """
        if lexelt in self:
            return self[lexelt]
        if lexelt in self.shared:
            return self.shared[lexelt]
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

    def tag(self, text: str | Text, *, pipeline: str | None = None) -> list[Tag]:
        """Find the words that were trained in a text, and tell their senses.

        >>> import wsdlist
        >>> model = wsdlist.train("corpora/lexical-sample", discount=0.9, epsilon=3.0)
        >>> for tag in model.tag("Two cranes stood among the reeds."):
        ...     print(
        ...         tag.start, tag.end, tag.text, tag.lexelt, tag.sense, round(tag.probability, 3)
        ...     )
        4 10 cranes crane.n bird 0.815
        """
        return next(iter(self.tag_many([text], pipeline=pipeline)))

    def tag_many(
        self, texts: Iterable[str | Text], *, pipeline: str | None = None, batch_size: int = 512
    ) -> Iterator[list[Tag]]:
        """Yield what :meth:`tag` returns for each text, in order; never holds all of them.

        Parameters
        ----------
        texts
            Texts, or texts as tokens.
        pipeline
            The spaCy pipeline that tags words and finds their lemmas; by default the one that the
            model was trained with. With it words are found by their lemmas too, and of lexelts
            that share a form those that the tag allows.
        batch_size
            Texts that are tagged together.

        Raises
        ------
        ParameterError
            When the model asks for tags or lemmas, and no pipeline is named.
        """
        if batch_size < 1:
            raise ParameterError(f"batch_size is {batch_size}", "say 1 or more")
        if isinstance(texts, str):
            raise ParameterError("tag_many takes texts, and was given one", "use tag")
        for batch in _batches(texts, batch_size):
            found = self._found(batch, pipeline)
            tags: list[list[Tag]] = [[] for _ in batch]
            while some := list(islice(found, OCCURRENCES)):
                answers = iter(self.answer([one.instance for _, one in some if one.instance]))
                for number, one in some:
                    tags[number].append(self._tag(one, next(answers) if one.instance else None))
            yield from tags

    def _tag(self, found: Occurrence, answer: Answer | None) -> Tag:
        place = found.start, found.end, found.text
        if answer is None or answer.sense is None:
            return Tag(*place, found.lexelt, None, None, reason=found.reason)
        lexelt, sense = found.lexelt, answer.sense
        if found.reason:  # a list over several lexelts
            lexelt, sense = self.shared[lexelt].labels[sense]
        return Tag(*place, lexelt, sense, answer.probability, answer.rule, found.reason)

    def find(self, text: str | Text, *, pipeline: str | None = None) -> list[Occurrence]:
        """Return the occurrences of trained words in a text, in order.

        Their instances are for :meth:`answer` and :meth:`explain`; one that is left alone has none.

        Raises
        ------
        ParameterError
            As :meth:`tag_many` does. Unlike that it also takes a model of confusion sets.
        """
        if self.confusion is not None:
            whole = text if isinstance(text, str) else " ".join(text.forms)
            features = from_record(self.meta["features"])
            found = list(self.confusion.instances(whole, features.reach or CONTEXT))
            instances = [instance for _, instance in found]
            if features.needs() and (pipeline or self.meta["pipeline"]):
                instances = list(annotate(instances, pipeline or self.meta["pipeline"]))
            return [
                Occurrence(f.start, f.end, whole[f.start : f.end], f.lexelt, instance)
                for (f, _), instance in zip(found, instances, strict=True)
            ]
        return [one for _, one in self._found([text], pipeline)]

    def _found(
        self, texts: Sequence[str | Text], pipeline: str | None
    ) -> Iterator[tuple[int, Occurrence]]:
        """Yield the number of a text and an occurrence in it."""
        if self.confusion is not None:
            raise ParameterError(
                "the model tells the words of confusion sets apart", "use wsdlist proof"
            )
        if self.meta["features"]["name"] == "table":
            raise ParameterError("the model is of a table", "tag text with a model of words")
        made = [text if isinstance(text, Text) else text_of(text) for text in texts]
        pipeline = pipeline or self.meta["pipeline"]
        if pipeline is not None:
            made = list(annotate(made, pipeline))
        for number, text in enumerate(made):
            lacking = [layer for layer in self.needs if getattr(text, layer) is None]
            if lacking:
                raise ParameterError(
                    f"the model asks for {' and '.join(lacking)}, which the text does not have",
                    "name a spaCy pipeline that gives them",
                )
            for one in occurrences(text, self.lexicon, self._list_over):
                yield number, one

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The annotations (``tags``, ``lemmas``) that the questions ask about."""
        return from_record(self.meta["features"]).needs()

    def _list_over(self, lexelts: list[str]) -> str | None:
        name = OVER.join(lexelts)
        known = name in self.shared and self.shared[name].over == tuple(lexelts)
        return name if known else None

    def explain(self, instance: Item, corpus: Corpus | None = None) -> Explanation:
        """Say why an instance gets the sense that :meth:`answer` gives it.

        Parameters
        ----------
        instance
            An instance of any lexelt; :meth:`find` makes those of a sentence.
        corpus
            The training corpus, to show the instances behind the rule.

        >>> import wsdlist
        >>> model = wsdlist.train("corpora/lexical-sample", discount=0.9, epsilon=3.0)
        >>> (crane,) = model.find("A crane stood among the reeds.")
        >>> print(model.explain(crane.instance).arithmetic[0])
        P(bird) = (max(3 - 0.9, 0) + 0.9 * 70 / 183) / 3
        """
        expert = self.expert(instance.lexelt, [instance])
        if expert is None:
            (answer,) = self.answer([instance])
            return Explanation(instance.lexelt, keyword_in_context(instance), answer)
        if corpus is None:
            return explain(expert, instance)
        return explain(expert, instance, [i for i in corpus if self._learned(expert, i, corpus)])

    def _learned(self, expert: Expert, item: Item, corpus: Corpus) -> bool:
        """Say whether an expert learned from an instance of its training corpus."""
        if not corpus.labels(item):
            return False
        if not expert.over or not isinstance(item, Instance):
            return self.expert(item.lexelt, [item]) is expert
        form = " ".join(words_of(item.target_form))
        return item.lexelt in expert.over and form in expert.forms

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
        for name in self.shared:
            writer.add(self.shared[name], shared=True)
        writer.finish(self.meta, self.inventory)


def _batches(texts: Iterable[str | Text], most: int) -> Iterator[list[str | Text]]:
    """Yield texts in batches of so many, or fewer where they are long."""
    batch: list[str | Text] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text) if isinstance(text, str) else CHARACTERS * len(text.forms)
        if len(batch) == most or size >= LONG_BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _forms(experts: Mapping[str, Expert]) -> Iterator[tuple[str, str]]:
    for lexelt, expert in experts.items():
        for form in expert.forms:
            yield lexelt, form


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
        """The lexelts, and names of shared lists, that are written."""
        with self._failing():
            return {row[0] for row in self._database.execute("SELECT lexelt FROM expert")}

    def add(self, expert: Expert, *, shared: bool = False) -> None:
        """Write an expert, or a list over several lexelts."""
        record = _json(expert.to_record())
        with self._failing(), self._database:
            name = (shared, expert.lexelt)
            sha256 = _hash(str(int(shared)), expert.lexelt, record)
            self._database.execute("INSERT INTO expert VALUES (?, ?, ?)", (*name, sha256))
            self._database.execute(
                "INSERT INTO record VALUES (?, ?, ?)", (*name, zlib.compress(record.encode()))
            )
            if not shared:
                forms = [(expert.lexelt, form) for form in expert.forms]
                self._database.executemany("INSERT INTO form VALUES (?, ?)", forms)

    def finish(self, meta: dict[str, Any], inventory: Inventory) -> None:
        """Write what belongs to all experts, and give the file its name.

        Its bytes depend on what is in it, not on how it came about.
        """
        text = _json({**meta, "inventory": inventory.to_record()})
        whole = self.part.with_name(self.part.name + ".whole")
        with self._failing():
            of_forms = _hash(*chain.from_iterable(self._database.execute(FORMS)))
            hashes = self._database.execute(HASHES)
            of_all = _hash(text, of_forms, "\n".join(row[-1] for row in hashes))
            whole.unlink(missing_ok=True)
            try:  # the part stays as it is until the model has its name
                with closing(sqlite3.connect(":memory:")) as database:
                    self._database.backup(database)
                    with database:
                        database.execute("DELETE FROM meta")
                        database.executemany(
                            "INSERT INTO meta VALUES (?, ?)",
                            [("meta", text), ("forms", of_forms), ("sha256", of_all)],
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
    file = _File(Path(path))
    meta = file.meta
    inventory = Inventory.from_record(meta.pop("inventory", []))
    return Model(_Stored(file, shared=False), meta, inventory, _Stored(file, shared=True))


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


class _File:
    """A model file that is read: a connection a process and thread, opened when needed."""

    def __init__(self, path: Path, of_all: str | None = None) -> None:
        self.path = path
        self._of_all = of_all  # the hash of what was opened before, if it was
        self._local = threading.local()
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "there is no such model"
            raise ModelError(what, "check the path", where=str(path))
        try:
            application = self._one("PRAGMA application_id")
            version = self._one("PRAGMA user_version")
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
        return ModelError(
            f"is damaged or no model ({why})", "train or fetch it again", where=str(self.path)
        )

    def connection(self) -> sqlite3.Connection:
        mine = getattr(self._local, "mine", None)
        if mine is None or mine[0] != os.getpid():
            uri = f"file:{quote(str(self.path.resolve()))}?mode=ro&immutable=1"
            mine = (os.getpid(), sqlite3.connect(uri, uri=True))
            mine[1].execute("PRAGMA trusted_schema = OFF")
            if self._of_all is not None:
                found = mine[1].execute("SELECT value FROM meta WHERE name = 'sha256'").fetchone()
                if found is None or found[0] != self._of_all:
                    raise ModelError(
                        "was replaced since it was opened", "open it again", where=str(self.path)
                    )
            self._local.mine = mine
        connection: sqlite3.Connection = mine[1]
        return connection

    def _one(self, query: str) -> int:
        return int(self.connection().execute(query).fetchone()[0])

    def expert(self, name: str, *, shared: bool) -> Expert:
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
        try:
            made = list(self.connection().execute(FORMS))
            if _hash(*chain.from_iterable(made)) != self._of_forms:
                raise self.damaged("the forms of its words were altered")
        except (sqlite3.Error, AttributeError) as error:
            raise self.damaged(str(error)) from error
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _File, (self.path, self._of_all)  # opened anew in the other process


class _Stored(Mapping[str, Expert]):
    """The experts of a file, or its lists over several lexelts, each read when first asked for."""

    def __init__(self, file: _File, *, shared: bool) -> None:
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
