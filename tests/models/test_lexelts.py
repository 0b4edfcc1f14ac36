"""Which lexelts of a model a word names."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import jsonl, seed_records
from wsdlist.readers import read
from wsdlist.training.train import train


def test_a_word_names_its_lexelts_and_a_lexelt_itself(tmp_path: Path) -> None:
    records = seed_records()
    verbs = [{**record, "id": f"v{record['id']}", "lexelt": "bank.v"} for record in records]
    (tmp_path / "both.jsonl").write_text(jsonl([*records, *verbs]), encoding="utf-8")
    model = train(read(tmp_path / "both.jsonl").train, learner="mfs", features="light")
    assert model.lexelts_of("bank") == ["bank.n", "bank.v"]
    assert model.lexelts_of("bank.v") == ["bank.v"]
    assert model.lexelts_of("bank.n|bank.v") == ["bank.n|bank.v"]
    assert model.lexelts_of("ban") == model.lexelts_of("n") == []
