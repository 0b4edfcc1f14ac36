"""The model file: what is altered is refused; its bytes depend on nothing but its content."""

from __future__ import annotations

import json
import pickle
import sqlite3
import threading
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SEED
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import ModelError
from wsdlist.models.expert import Expert
from wsdlist.models.model import Model, from_bytes, load
from wsdlist.models.storage import (
    APPLICATION_ID,
    FORMAT,
    ModelFile,
    Stored,
    Writer,
    check_target,
    is_model,
    replace_expert,
    replace_file,
)
from wsdlist.training.train import train

OVER = "bank.n|bank.v"


def instances() -> list[Instance]:
    """SEED three times: as a noun, as a verb of the same form, and as another noun."""
    return [
        Instance(f"{lexelt}{n:02d}", lexelt, tokens, (at, at + 1), (sense,))
        for lexelt, form in (("bank.n", "bank"), ("bank.v", "bank"), ("edge.n", "edge"))
        for n, (text, at, sense) in enumerate(SEED)
        for tokens in [(*text.split()[:at], form, *text.split()[at + 1 :])]
    ]


@pytest.fixture(scope="module")
def model() -> Model:
    trained = train(Corpus([*instances()]), features="light", epsilon=0.5, discount=0.9)
    assert [*trained] == ["bank.n", "bank.v", "edge.n"]
    assert [*trained.shared] == [OVER]
    return trained


@pytest.fixture
def saved(model: Model, tmp_path: Path) -> Path:
    model.save(tmp_path / "m.wsd")
    return tmp_path / "m.wsd"


def run(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path)) as database, database:
        return database.execute(statement, values).fetchall()


def altered_record(path: Path, lexelt: str, alter: Callable[[dict[str, Any]], None]) -> None:
    """Alter a record so that it can still be unpacked and read."""
    ((packed,),) = run(path, "SELECT record FROM record WHERE lexelt = ?", lexelt)
    record = json.loads(zlib.decompress(packed))
    alter(record)
    Expert.from_record(record)
    packed = zlib.compress(json.dumps(record, sort_keys=True).encode())
    run(path, "UPDATE record SET record = ? WHERE lexelt = ?", packed, lexelt)


# -- what was altered --


@pytest.mark.parametrize("lexelt", ["bank.n", OVER])
def test_a_record_that_was_altered_and_packed_again_is_refused(saved: Path, lexelt: str) -> None:
    def one_more(record: dict[str, Any]) -> None:
        record["instances"] += 1

    altered_record(saved, lexelt, one_more)
    file = ModelFile(saved)  # it opens, for opening reads no record
    with pytest.raises(ModelError, match=r"the expert of bank\.n.* was altered"):
        file.expert(lexelt, shared=lexelt == OVER)
    assert file.expert("edge.n", shared=False).lexelt == "edge.n"


def test_a_record_packed_again_as_it_was_is_read(saved: Path, model: Model) -> None:
    """So the test above sees what was altered, not how it was packed."""
    ((packed,),) = run(saved, "SELECT record FROM record WHERE lexelt = 'bank.n'")
    again = zlib.compress(zlib.decompress(packed), 1)
    assert again != packed
    run(saved, "UPDATE record SET record = ? WHERE lexelt = 'bank.n'", again)
    assert load(saved)["bank.n"].to_record() == model["bank.n"].to_record()


def test_the_record_of_another_lexelt_is_refused(saved: Path) -> None:
    """It is whole, and of this model."""
    other = "(SELECT record FROM record WHERE lexelt = 'edge.n')"
    run(saved, f"UPDATE record SET record = {other} WHERE lexelt = 'bank.n'")
    with pytest.raises(ModelError, match=r"the expert of bank\.n was altered"):
        load(saved)["bank.n"]


def test_a_record_under_another_name_is_refused(saved: Path) -> None:
    """The order of the lexelts stays, and with it the hash of all."""
    for table in ("expert", "record"):
        run(saved, f"UPDATE {table} SET lexelt = 'edge.v' WHERE lexelt = 'edge.n'")
    with pytest.raises(ModelError, match=r"the expert of edge\.v was altered"):
        load(saved)["edge.v"]


def test_a_lexelt_that_is_made_a_list_over_several_is_refused(saved: Path) -> None:
    run(saved, "DELETE FROM form WHERE lexelt = 'x'")
    for table in ("expert", "record"):
        run(saved, f"UPDATE {table} SET shared = 0 WHERE lexelt = ?", OVER)
    file = ModelFile(Path(saved), data=_with_hashes(saved))
    with pytest.raises(ModelError, match="was altered"):
        file.expert(OVER, shared=False)


def _with_hashes(path: Path) -> bytes:
    """Return the bytes of a file whose hash of all is made anew."""
    from wsdlist.models.storage import HASHES, _hash

    rows = dict(run(path, "SELECT name, value FROM meta"))
    of_all = _hash(rows["meta"], rows["forms"], "\n".join(row[2] for row in run(path, HASHES)))
    run(path, "UPDATE meta SET value = ? WHERE name = 'sha256'", of_all)
    return path.read_bytes()


def test_an_expert_of_no_kind_is_refused(saved: Path) -> None:
    run(saved, "UPDATE expert SET shared = 2 WHERE lexelt = ?", OVER)
    with pytest.raises(ModelError, match="an expert is of no kind"):
        load(saved)
    run(saved, "UPDATE expert SET shared = -1 WHERE lexelt = ?", OVER)
    data = _with_hashes(saved)
    with pytest.raises(ModelError, match="an expert is of no kind"):
        from_bytes(data)


def test_a_record_with_another_hash_is_refused_when_the_file_is_opened(saved: Path) -> None:
    run(saved, "UPDATE expert SET sha256 = replace(sha256, '0', '1') WHERE lexelt = 'edge.n'")
    with pytest.raises(ModelError, match="its parts do not belong together"):
        load(saved)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE form SET form = 'banks' WHERE lexelt = 'bank.n'",
        "UPDATE form SET lexelt = 'bank.x' WHERE lexelt = 'bank.v'",
        "DELETE FROM form WHERE lexelt = 'edge.n'",
        "INSERT INTO form VALUES ('edge.n', 'rim')",
    ],
)
def test_forms_that_were_altered_are_refused(saved: Path, statement: str) -> None:
    run(saved, statement)
    opened = load(saved)
    assert opened["bank.n"].forms == ("bank",)
    with pytest.raises(ModelError, match=r"m\.wsd: .*the forms of its words were altered"):
        opened.tag("By the bank.")


@pytest.mark.parametrize("name", ["meta", "forms"])
def test_what_belongs_to_all_is_refused_if_altered(saved: Path, name: str) -> None:
    run(saved, "UPDATE meta SET value = value || ' ' WHERE name = ?", name)
    with pytest.raises(ModelError, match="its parts do not belong together"):
        load(saved)


def test_a_record_that_is_missing_is_no_unknown_word(saved: Path) -> None:
    run(saved, "DELETE FROM record WHERE lexelt = 'bank.n'")
    opened = load(saved)
    assert "bank.n" in opened
    with pytest.raises(ModelError, match=r"the expert of bank\.n was altered"):
        opened["bank.n"]
    with pytest.raises(KeyError, match=r"bank\.x"):
        opened["bank.x"]


def test_formats_older_and_newer_are_refused_with_what_helps(saved: Path) -> None:
    run(saved, f"PRAGMA user_version = {FORMAT - 1}")
    with pytest.raises(ModelError, match="older than this wsdlist reads .*; train it anew"):
        load(saved)
    run(saved, f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(ModelError, match="newer than this wsdlist reads .*; upgrade wsdlist"):
        load(saved)


def test_a_folder_and_nothing_at_all_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(ModelError, match="there is no such model"):
        load(tmp_path / "m.wsd")


def test_a_schema_is_not_trusted(saved: Path) -> None:
    assert ModelFile(saved).connection().execute("PRAGMA trusted_schema").fetchone() == (0,)


# -- a file that is replaced while it is open --


def test_a_file_that_was_replaced_is_not_mixed_with_the_one_that_was_opened(
    saved: Path, model: Model
) -> None:
    opened = load(saved)
    file = ModelFile(saved)
    packed = pickle.dumps(opened)
    other = train(Corpus([*instances()[1:]]), features="light", epsilon=0.5, discount=0.9)
    other.save(saved)
    assert opened["bank.n"].instances == 12  # this connection has the old file
    with pytest.raises(ModelError, match="was replaced since it was opened; open it again"):
        pickle.loads(packed)
    errors: list[Exception] = []

    def ask() -> None:
        try:
            file.expert("bank.n", shared=False)
        except ModelError as error:
            errors.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert len(errors) == 1
    model.save(saved)
    assert pickle.loads(packed)["bank.n"].instances == 12


def test_the_bytes_of_a_file_are_a_model(saved: Path, model: Model) -> None:
    data = load(saved).to_bytes()
    assert data == saved.read_bytes() == model.to_bytes()
    saved.unlink()
    again = from_bytes(data)
    assert [*pickle.loads(pickle.dumps(again))] == [*model]
    assert again.to_bytes() == data
    with pytest.raises(ModelError, match="<bytes>: "):
        from_bytes(data[:5000])


def test_experts_are_read_when_they_are_asked_for_and_once(saved: Path) -> None:
    stored = Stored(ModelFile(saved), shared=False)
    assert ([*stored], len(stored)) == (["bank.n", "bank.v", "edge.n"], 3)
    assert OVER not in stored
    assert OVER in Stored(stored.file, shared=True)
    run(saved, "UPDATE record SET record = zeroblob(9) WHERE lexelt = 'edge.n'")
    stored = Stored(ModelFile(saved), shared=False)
    assert "edge.n" in stored
    assert stored["bank.n"] is stored["bank.n"]
    assert "_cache" in stored.__dict__
    assert len(pickle.loads(pickle.dumps(stored))._cache) == 0


# -- writing --


def test_bytes_do_not_depend_on_the_order_of_writing(
    saved: Path, model: Model, tmp_path: Path
) -> None:
    writer = Writer(tmp_path / "reversed.wsd", "any")
    writer.keep("tuning", "of a training")
    writer.add(model.shared[OVER], shared=True)
    for lexelt in reversed([*model]):
        writer.add(model[lexelt])
    writer.finish(dict(reversed(model.meta.to_record().items())), model.inventory)
    assert (tmp_path / "reversed.wsd").read_bytes() == saved.read_bytes()


def test_an_expert_that_is_replaced_leaves_the_file_that_would_have_been_written(
    saved: Path, model: Model, tmp_path: Path
) -> None:
    expert = replace(model["bank.v"], instances=99)
    other = Model({**model, "bank.v": expert}, model.meta, model.inventory, model.shared)
    other.save(tmp_path / "whole.wsd")
    replace_expert(ModelFile(saved), expert, tmp_path / "n.wsd")
    assert (tmp_path / "n.wsd").read_bytes() == (tmp_path / "whole.wsd").read_bytes()
    before = saved.read_bytes()
    replace_expert(ModelFile(tmp_path / "n.wsd"), model["bank.v"], saved)  # and back, over a model
    assert saved.read_bytes() == before
    over = replace(model.shared[OVER], instances=99)
    replace_expert(ModelFile(saved), over, saved)
    again = load(saved)
    assert again.shared[OVER].instances == 99
    assert again["bank.n"].instances == 12
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.wsd", "n.wsd", "whole.wsd"]


def test_only_what_is_finished_has_the_name(model: Model, tmp_path: Path) -> None:
    path, part = tmp_path / "m.wsd", tmp_path / "m.wsd.part"
    writer = Writer(path, "f")
    writer.add(model["bank.n"])
    assert (path.exists(), part.exists()) == (False, True)
    assert writer.finished == {"bank.n"}
    with pytest.raises(ModelError, match="is of a training that did not end; go on with --resume"):
        load(part)
    (tmp_path / "m.wsd.part.whole").write_text("left by a machine that failed")
    writer.finish(model.meta.to_record(), model.inventory)
    assert [p.name for p in tmp_path.iterdir()] == ["m.wsd"]
    assert [*load(path)] == ["bank.n"]


def test_a_part_is_taken_up_only_if_it_was_begun_alike(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "m.wsd"
    writer = Writer(path, "f")
    writer.add(model["bank.n"])
    writer.keep("tuning", "a table")
    resumed = Writer(path, "f", resume=True)
    assert resumed.finished == {"bank.n"}
    assert (resumed.kept("tuning"), resumed.kept("other")) == ("a table", None)
    with pytest.raises(ModelError, match=r"m\.wsd\.part: was begun with another corpus"):
        Writer(path, "g", resume=True)
    run(tmp_path / "m.wsd.part", f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(ModelError, match="was begun with another corpus"):
        Writer(path, "f", resume=True)
    anew = Writer(path, "f")
    assert (anew.finished, anew.kept("tuning")) == (set(), None)
    assert Writer(tmp_path / "other.wsd", "f", resume=True).finished == set()


def test_a_list_over_several_gives_no_forms(model: Model, saved: Path) -> None:
    assert model.shared[OVER].forms == ("bank",)
    forms = [("bank.n", "bank"), ("bank.v", "bank"), ("edge.n", "edge")]
    assert ModelFile(saved).forms() == forms


def test_a_link_stays_a_link(model: Model, saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.wsd"
    link.symlink_to(saved)
    fewer = Model({"bank.n": model["bank.n"]}, model.meta)
    fewer.save(link)
    assert link.is_symlink()
    assert [*load(saved)] == ["bank.n"]


def writing(model: Model, saved: Path) -> list[Callable[[Path], object]]:
    """The ways to write a model to a path."""
    return [
        model.save,
        lambda path: replace_expert(ModelFile(saved), model["bank.n"], path),
        lambda path: replace_file(path, saved.read_bytes()),
        check_target,
    ]


@pytest.mark.parametrize("way", range(4))
def test_nothing_but_a_model_is_written_over(
    model: Model, saved: Path, tmp_path: Path, way: int
) -> None:
    write = writing(model, saved)[way]
    notes = tmp_path / "notes.wsd"
    notes.write_text("precious")
    for odd, message in ((notes, "is there already and is no model"), (tmp_path, "is no file")):
        with pytest.raises(ModelError, match=message):
            write(odd)
    with pytest.raises(ModelError, match="a model is not written to standard output"):
        write(Path("-"))
    assert notes.read_text() == "precious"
    empty = tmp_path / "empty.wsd"
    empty.touch()
    write(empty)
    write(saved)


@pytest.mark.parametrize("way", range(3))
def test_where_nobody_may_write_the_file_is_named(
    model: Model, saved: Path, tmp_path: Path, way: int
) -> None:
    missing = tmp_path / "no such folder" / "m.wsd"
    with pytest.raises(ModelError, match=r"m\.wsd: cannot be written.*; name a file in a folder"):
        writing(model, saved)[way](missing)


def test_a_file_begins_as_a_model_or_not(saved: Path, tmp_path: Path) -> None:
    assert is_model(saved)
    assert not is_model(tmp_path)
    assert not is_model(tmp_path / "nothing")
    data = saved.read_bytes()
    assert data[68:72] == APPLICATION_ID.to_bytes(4, "big")
    for odd in (data[:71], b"x" + data[1:], data[:68] + b"else" + data[72:]):
        (tmp_path / "odd").write_bytes(odd)
        assert not is_model(tmp_path / "odd")
