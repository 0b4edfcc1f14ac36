"""An expert's record holds what was fitted beside what is known of every expert."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.conftest import LEXICAL_SAMPLE
from wsdlist import DecisionList, train


class Greedy(DecisionList):
    """A list whose record takes a name that every expert has."""

    def to_record(self) -> dict[str, Any]:
        return {**super().to_record(), "prior": {}}


def test_no_record_of_what_is_fitted_hides_what_every_expert_has() -> None:
    expert = train(LEXICAL_SAMPLE, learner="mfs", features="light")["bank.n"]
    assert isinstance(expert.fitted, DecisionList)
    greedy = object.__new__(Greedy)
    greedy.__dict__.update(expert.fitted.__dict__)
    with pytest.raises(ValueError, match=r"Greedy.to_record: 'prior' is taken"):
        replace(expert, fitted=greedy).to_record()
