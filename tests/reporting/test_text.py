"""Lists as text: what is printed is what answers."""

from __future__ import annotations

from tests.conftest import TABLES
from wsdlist import read, train
from wsdlist.reporting.text import rule_table


def test_a_rule_that_is_always_true_is_not_taken_for_the_default() -> None:
    model = train(read([TABLES / "contact-lenses.arff"]).train, learner="append", min_count=1)
    table = next(iter(model.values())).fitted.table()
    *rules, last_rule, default = table.rows
    assert last_rule[:2] == ("ELSE IF", "TRUE")
    assert default[:2] == ("ELSE", "")
    assert all(row[1] for row in rules)


def test_rules_that_are_left_out_stand_before_the_default() -> None:
    model = train(read([TABLES / "contact-lenses.arff"]).train, learner="append", min_count=1)
    fitted = next(iter(model.values())).fitted
    lines = rule_table(fitted.table(1))
    assert lines[-2] == f"... {fitted.n_rules - 1} more rules"
    assert lines[-1].startswith("ELSE ")
