"""The model file: round trips, damage, interruption."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import LEXICAL_SAMPLE, ROOT, Run
from wsdlist.data.corpus import Corpus, Instance
from wsdlist.errors import ModelError
from wsdlist.models.model import Model, load
from wsdlist.models.recipe import Recipe
from wsdlist.models.storage import FORMAT
from wsdlist.readers import read
from wsdlist.training.train import train


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read(LEXICAL_SAMPLE).train


@pytest.fixture(scope="module")
def model(corpus: Corpus) -> Model:
    return train(corpus, features="light", discount=0.9, epsilon=3.0)


@pytest.fixture(scope="module")
def saved(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.wsd"
    model.save(path)
    return path


def said(model: Model, corpus: Corpus) -> str:
    answers = model.answer(corpus.instances[::7])
    tags = model.tag("A crane by the bank; sharp light on a plant.")
    return json.dumps([*((a.sense, a.distribution, a.rule) for a in answers), *map(repr, tags)])


def test_what_is_loaded_is_what_was_saved(model: Model, saved: Path, corpus: Corpus) -> None:
    loaded = load(saved)
    assert list(loaded) == list(model)
    assert loaded.meta == model.meta
    for word, expert in loaded.items():
        assert expert.to_record() == model[word].to_record()
    assert said(loaded, corpus) == said(model, corpus)
    again = saved.with_name("again.wsd")
    loaded.save(again)
    assert again.read_bytes() == saved.read_bytes()
    assert sorted(path.name for path in saved.parent.iterdir()) == ["again.wsd", "m.wsd"]


@pytest.mark.slow
def test_a_damaged_file_is_refused_or_answers_as_before(
    saved: Path, model: Model, corpus: Corpus, tmp_path: Path
) -> None:
    """A thousand ways: bits flipped anywhere, cuts, stretches of zeros."""
    data = saved.read_bytes()
    before = said(model, corpus)
    rng = np.random.default_rng(0)
    path = tmp_path / "damaged.wsd"
    refused = 0
    for number in range(1000):
        damaged = bytearray(data)
        at = int(rng.integers(len(data)))
        if number % 10 == 0:
            damaged = damaged[:at]
        elif number % 10 == 1:
            damaged[at : at + 64] = bytes(len(damaged[at : at + 64]))
        else:
            damaged[at] ^= 1 << int(rng.integers(8))
        path.unlink(missing_ok=True)
        path.write_bytes(damaged)
        try:
            answers = said(load(path), corpus)
        except ModelError as error:
            answers = str(error)
        assert answers == before or answers.startswith(f"{path}: ")
        refused += answers != before
    assert refused > 300  # many bytes of so small a file mean nothing


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"no model", b"\0" * 5000])
def test_what_is_no_model_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.wsd"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"x\.wsd: "):
        load(path)
    with pytest.raises(ModelError, match="no such model"):
        load(tmp_path / "y.wsd")
    with pytest.raises(ModelError):
        load(tmp_path)


def altered(saved: Path, path: Path, statement: str) -> Path:
    path.write_bytes(saved.read_bytes())
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)
    return path


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (f"PRAGMA user_version = {FORMAT + 1}", "newer than this wsdlist reads"),
        ("PRAGMA application_id = 7", "not a wsdlist model"),
        ("UPDATE record SET record = zeroblob(9)", "was altered"),
        ("UPDATE expert SET lexelt = 'x.n' WHERE lexelt = 'bank.n'", "."),
        ("DELETE FROM expert WHERE lexelt = 'bank.n'", "do not belong together"),
        ("UPDATE meta SET value = x'00' WHERE name = 'meta'", "damaged"),
        ("DROP TABLE meta", "damaged"),
        ("DELETE FROM meta", "damaged"),
    ],
)
def test_an_altered_file_is_refused(
    saved: Path, tmp_path: Path, corpus: Corpus, statement: str, expected: str
) -> None:
    path = altered(saved, tmp_path / "m.wsd", statement)
    with pytest.raises(ModelError, match=expected):
        said(load(path), corpus)


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.wsd"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE expert (lexelt TEXT)")
    with pytest.raises(ModelError, match="is not a wsdlist model"):
        load(path)


def test_odd_names_of_files(model: Model, tmp_path: Path) -> None:
    for name in ("a b%20?#.wsd", "岸.wsd", "m.wsd?mode=rw"):
        model.save(tmp_path / name)
        assert len(load(tmp_path / name)) == len(model)


def test_eight_threads_and_other_processes_answer_alike(
    saved: Path, model: Model, corpus: Corpus
) -> None:
    loaded = load(saved)
    barrier = threading.Barrier(8)

    def ask(_: int) -> str:
        barrier.wait()
        return said(loaded, corpus)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {said(model, corpus)}
    assert said(pickle.loads(pickle.dumps(loaded)), corpus) == said(model, corpus)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_fork_and_spawn(saved: Path, method: str) -> None:
    """A model opened before the processes start is used in them."""
    if method == "fork" and not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    code = f"""
import multiprocessing, sys
from tests.models.test_model import said
from wsdlist.models.model import load
from wsdlist.readers import read
if __name__ == "__main__":
    corpus = read({str(LEXICAL_SAMPLE)!r}).train
    model = load({str(saved)!r})
    model["bank.n"]
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        made = pool.starmap(said, [(model, corpus)] * 2)
    print(len(set(made)), made[0] == said(model, corpus))
"""
    script = saved.with_name(f"{method}.py")
    script.write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.stdout.split() == ["1", "True"], done.stderr


def test_an_interruption_at_the_very_end_loses_nothing(corpus: Corpus, tmp_path: Path) -> None:
    given: dict[str, Any] = {"features": "light", "discount": 0.9, "epsilon": 3.0}
    path = tmp_path / "m.wsd"

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            train(corpus, path=path, **given)
    assert [p.name for p in tmp_path.iterdir()] == ["m.wsd.part"]
    whole = train(corpus, path=path, resume=True, **given)
    assert len(whole) == 8
    assert [p.name for p in tmp_path.iterdir()] == ["m.wsd"]


def test_a_part_that_is_something_else_is_left_alone(model: Model, tmp_path: Path) -> None:
    part = tmp_path / "m.wsd.part"
    part.write_text("precious notes")
    with pytest.raises(ModelError, match="is there already and is no model"):
        model.save(tmp_path / "m.wsd")
    assert part.read_text() == "precious notes"
    part.unlink()
    with closing(sqlite3.connect(part)) as database, database:
        database.execute("CREATE TABLE mine (x)")
    with pytest.raises(ModelError, match="is no model"):
        model.save(tmp_path / "m.wsd")


SLOW_TRAINING = """
import sys, time
from wsdlist.training import train as training
from wsdlist.cli import main
fit, sign = training.fit, sys.argv[1]
def slow(recipe, lexelt, *data):
    if lexelt > "d":
        open(sign, "w").close()
        time.sleep(60)
    return fit(recipe, lexelt, *data)
training.fit = slow
sys.argv = ["wsdlist", *sys.argv[2:]]
main()
"""


def interrupt(folder: Path, arguments: list[str]) -> None:
    """Kill a training in its middle, when four words are finished."""
    sign = folder / "in the middle"
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW_TRAINING, str(sign), *arguments], stderr=subprocess.DEVNULL
    )
    while not sign.exists() and child.poll() is None:
        pass
    os.kill(child.pid, signal.SIGKILL)
    child.wait()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_training_is_taken_up(wsdlist: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.wsd"
    call: list[Any] = ["train", LEXICAL_SAMPLE, "--features", "light", "--model", model]
    interrupt(tmp_path, [str(part) for part in call])
    part = tmp_path / "m.wsd.part"
    assert part.exists()
    assert not model.exists()
    with closing(sqlite3.connect(part)) as database:
        finished = {row[0] for row in database.execute("SELECT lexelt FROM expert")}
    assert finished == {"bank.n", "bass.n", "charge.n", "crane.n"}

    refused = wsdlist(*call, "--resume", "--min-count", "3")
    assert refused.returncode == 2
    assert "was begun with another corpus or other parameters" in refused.stderr

    from wsdlist.training import train as training
    from wsdlist.training.fit import fit

    learned = []

    def counting(recipe: Recipe, lexelt: str, *data: Any) -> Any:
        learned.append(lexelt)
        return fit(recipe, lexelt, *data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "fit", counting)
        patch.setattr(training, "tune_word", None)  # the table was kept
        assert wsdlist(*call, "--resume").returncode == 0
    assert learned == ["draw.v", "light.a", "plant.n", "sharp.a"]
    assert not part.exists()
    whole = tmp_path / "whole.wsd"
    assert wsdlist(*call[:-1], whole).returncode == 0
    assert model.read_bytes() == whole.read_bytes()


def test_lists_asked_together_answer_as_each_does_by_itself() -> None:
    parts = read(LEXICAL_SAMPLE)
    model = train(parts.train, discount=0.9, epsilon=1.0)
    assert parts.test is not None
    items = [item for item in parts.test if isinstance(item, Instance)]
    expected = {item.id: model[item.lexelt].answer([item])[0] for item in items}
    rng = np.random.default_rng(0)
    for n in (1, 2, 7, 60, len(items)):  # new words come in, known ones come again
        some = [items[row] for row in rng.permutation(len(items))[:n]]
        assert model.answer(some) == [expected[item.id] for item in some]
    unknown = replace(items[0], lexelt="zebra.n")
    answers = model.answer([unknown, *items[:3]])
    assert answers[0].reason == "zebra.n was never trained"
    assert answers[1:] == [expected[item.id] for item in items[:3]]
