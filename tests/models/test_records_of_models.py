"""What stands in a record of a model is read or refused, whatever it is; nothing breaks later."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import seed_records
from wsdlist.data.corpus import Corpus, Instance, Item, Row
from wsdlist.errors import InputError, ModelError
from wsdlist.features.positions import At, Column
from wsdlist.features.questions import Condition, Question
from wsdlist.models.editing import EditedRule, edited
from wsdlist.models.expert import Expert
from wsdlist.training.train import train

FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "prepend": ("prepend", {"epsilon": 0.5, "discount": 0.9}),
    "prepend, estimated again": ("prepend", {"epsilon": 0.5, "reestimate": "rules"}),
    "compromise": ("compromise", {"epsilon": 0.5, "discount": 0.9}),
    "sorted": ("sorted", {"discount": 0.9}),
    "mfs": ("mfs", {}),
    "webb-prepend-ip2": ("webb-prepend-ip2", {"cut_off": 0}),
    "prism": ("prism", {}),
    "cn2-unordered": ("cn2-unordered", {"alpha": 0.0}),
    "ripper": ("ripper", {}),
    "elem2": ("elem2", {}),
    "tbl": ("tbl", {"min_gain": 1.0}),
    "naive-bayes": ("naive-bayes", {}),
    "logistic": ("logistic", {}),
    "perceptron": ("perceptron", {}),
    "prepend, edited": ("prepend", {"epsilon": 0.5, "discount": 0.9}),
    "webb-prepend-ip2, edited": ("webb-prepend-ip2", {"cut_off": 0}),
    "lazy-nb": ("lazy-nb", {"min_cases": 2, "top": 12}),
    "lazy-knn": ("lazy-knn", {"min_cases": 2, "top": 12}),
    "lazy-list": ("lazy-list", {"min_cases": 2, "top": 12, "epsilon": 0.5}),
}
ODD: list[Any] = [None, True, -1, 0.5, 2, 1e308, "x", [], {}, "long " * 9999, [[1, [0.5]], ["x"]]]

WORDS: list[Item] = [
    Instance(
        r["id"], r["lexelt"], tuple(r["tokens"]), (r["target"], r["target"] + 1), (*r["senses"],)
    )
    for r in seed_records()
]
# outlook, humidity in percent, and whether one plays; some values are missing
PLAY = (
    "sunny 85 no,sunny 90 no,over 86 yes,rain 96 yes,rain 80 yes,rain 70 no,over 65 yes,sunny 95 no"
)
PLAY += ",sunny 70 yes,rain 80 yes,sunny 70 yes,over ? yes,? 75 yes,rain 91 no"
TABLE: list[Item] = [
    Row(
        str(n),
        "play",
        ("outlook", "humidity"),
        tuple(None if value == "?" else value for value in line.split()[:2]),
        (line.split()[2],),
        numeric=frozenset({"humidity"}),
    )
    for n, line in enumerate(PLAY.split(","))
]


def expert_of(family: str, items: Sequence[Item]) -> Expert:
    learner, parameters = FAMILIES[family]
    features = "light" if items is WORDS else "table"
    model = train(Corpus([*items]), learner=learner, features=features, min_count=1, **parameters)
    expert = next(iter(model.values()))
    return by_hand(expert, items) if family.endswith("edited") else expert


def by_hand(expert: Expert, items: Sequence[Item]) -> Expert:
    """Return an expert with a rule in front that nobody learned, and a default set by hand."""
    position, annotation = (At(-1), "word") if items is WORDS else (Column("outlook"), "value")
    new = Question((Condition(position, annotation, "snow"),))
    learned = [EditedRule(rule.question, rule.sense) for rule in expert.rules]
    default = EditedRule(Question(), expert.decision_list.default.sense, 0.75)
    return edited(expert, [EditedRule(new, expert.senses[0], 0.9), *learned], default)


@pytest.fixture(scope="module", params=[*FAMILIES])
def of_words(request: pytest.FixtureRequest) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(expert_of(request.param, WORDS).to_record()))
    return record


@pytest.fixture(scope="module", params=[*FAMILIES])
def of_rows(request: pytest.FixtureRequest) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(expert_of(request.param, TABLE).to_record()))
    return record


def altered(data: st.DataObject, record: Any) -> Any:
    """Return a record in which something, at any depth, is something else."""
    children: list[Any] = []
    if isinstance(record, dict):
        children = sorted(record)
    elif isinstance(record, list):
        children = [*range(len(record))]
    if not children or data.draw(st.integers(0, 5), label="depth") == 0:
        return data.draw(st.sampled_from(ODD), label="odd")
    made = copy.copy(record)
    place = data.draw(st.sampled_from(children), label="place")
    made[place] = altered(data, record[place])
    return made


def check(record: Any, items: Sequence[Item]) -> None:
    """Read a record, and if it can be read let it answer."""
    start = time.process_time()
    try:
        expert = Expert.from_record(record)
    except ModelError:
        expert = None
    if expert is not None:
        try:
            answers = expert.answer(items)
        except InputError as error:  # it asks for another attribute, which the table does not have
            if "the table has no attribute" not in str(error):
                raise
            return
        for answer in answers:
            assert answer.sense in expert.senses
            assert answer.probability == answer.distribution[answer.sense]
            assert [*answer.distribution] == [*expert.senses]
            assert all(0 <= P <= 1 for P in answer.distribution.values())
            assert sum(answer.distribution.values()) == pytest.approx(1, abs=1e-6)
        answer, evidence = expert.answer_with_evidence(items[0])
        evidence.lines(answer.distribution)
        assert expert.most_frequent(2).sum() == pytest.approx(2)
        expert.fitted.table()
        Expert.from_record(json.loads(json.dumps(expert.to_record(), allow_nan=False)))
    assert time.process_time() - start < 1


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_an_odd_record_of_words_is_refused_or_answers(
    of_words: dict[str, Any], data: st.DataObject
) -> None:
    check(altered(data, of_words), WORDS)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_an_odd_record_of_rows_is_refused_or_answers(
    of_rows: dict[str, Any], data: st.DataObject
) -> None:
    check(altered(data, of_rows), TABLE)


def put(record: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a record with a value at a path; what is not there yet is added."""
    if not path:
        return value
    made = copy.copy(record)
    there = isinstance(record, list) or path[0] in record
    made[path[0]] = put(record[path[0]] if there else {}, path[1:], value)
    return made


@pytest.mark.parametrize(
    ("family", "path", "value", "message"),
    [
        ("mfs", "", None, "an expert cannot be read: is None, not an object"),
        ("mfs", "kind", [], "[] is no kind of list"),
        ("mfs", "kind", "poem", "'poem' is no kind of list"),
        ("mfs", "senses", [], "senses are none, or hold one of them twice"),
        ("mfs", "senses", ["money", "money"], "senses are none, or hold one of them twice"),
        ("mfs", "prior", {"money": 7}, "prior has other senses, or no instance"),
        ("mfs", "prior", {"money": 0, "shore": 0}, "prior has other senses, or no instance"),
        ("mfs", "examples", [["s01"]] * 3, "examples are of 3 rules"),
        ("mfs", "over", ["bank.n", "bank.v"], "labels have other senses"),
        ("mfs", "learned", None, "is None, not an object"),
        ("mfs", "default", "said", "default is 'said', not an object"),
        ("mfs", "default counts shore", None, "default.counts are not known, and no person set"),
        ("prepend", "rules 0 counts shore", None, "rules[0].counts are not known, and no person"),
        ("prepend", "rules 0 counts", {"shore": 1}, "rules[0].counts are not of the senses"),
        ("prepend", "rules 0 probabilities shore", 1.5, "rules[0].probabilities['shore'] is 1.5"),
        ("prepend", "rules 0 probabilities shore", 0.5, "rules has probabilities that do not sum"),
        ("prepend", "rules 0 said", "shore", "rules have a target sense, and the default has none"),
        ("prepend", "rules 0 if", 2, "rules[0].if is 2, not a list"),
        ("prepend", "rules 0 if 0", 2, "rules[0].if[0] cannot be read: a condition has no 'what'"),
        ("prepend", "rules 0 if 0 what", "x", "a condition's 'what' is nothing that has a value"),
        (
            "prepend",
            "rules 0 if 0 is",
            2,
            "rules[0].if[0] cannot be read: a condition's 'is' is no",
        ),
        ("prepend", "rules 0 if 0", {"what": "word", "at": True, "is": "a"}, "names no place"),
        ("prepend", "rules 0 if 0", {"what": "word", "at": 10**4, "is": "a"}, "names no place"),
        ("prepend", "rules 0 if 0", {"what": "word", "near": -1, "is": "a"}, "names no place"),
        ("prepend", "rules 0 if 0", {"what": "word", "satellite": 1, "is": "a"}, "names no place"),
        (
            "prepend",
            "rules 0 if 0",
            {"what": "word", "at": 0, "within": "book", "is": "a"},
            "names no place",
        ),
        (
            "prepend",
            "rules 0 if 0",
            {"what": "value", "attribute": "a", "missing": 1, "is": "a"},
            "names no place",
        ),
        (
            "prepend",
            "rules 0 if 0",
            {"what": "word", "attribute": "a", "is": "a"},
            "is nothing that has a value there",
        ),
        (
            "prepend",
            "rules 0 if 0",
            {"what": "value", "attribute": "a", "cuts": [1, "2"], "is": "a"},
            "[1] is '2', not a number",
        ),
        (
            "prepend",
            "rules 0 if 0",
            {"what": "value", "attribute": "a", "cuts": [1, 2, 2], "is": "a"},
            "'cuts' do not rise",
        ),
        ("prepend, estimated again", "default residue", {"shore": 1}, "default.residue are not of"),
        ("prepend, estimated again", "rules 0 residue", {}, "rules[0].residue are not of the"),
        ("webb-prepend-ip2", "rules 0 residue", None, "rules[0] has no 'residue'"),
        ("webb-prepend-ip2", "default residue", None, "default has no 'residue'"),
        ("webb-prepend-ip2", "rules 0 said", "x", "rules[0].said names the sense 'x', which is"),
        (
            "webb-prepend-ip2",
            "default said",
            None,
            "default.said names the sense 'None', which is none",
        ),
        ("elem2", "total", [0, 0], "total has no instance"),
        ("elem2", "total", [1], "counts has the shape (1,), not (2,)"),
        ("elem2", "default", "x", "default names the sense 'x', which is none of the list"),
        ("elem2", "covered", [], "covered has the shape (0,), not (2, 2)"),
        ("elem2", "resolve", "x", "resolve is 'x', not one of counts, score, best"),
        ("tbl", "probabilities 0", [0.5, 0.6], "probabilities has probabilities that do not sum"),
        ("tbl", "initial", "x", "initial names the sense 'x'"),
        ("naive-bayes", "weights", [], "weights has the shape (0,)"),
        ("naive-bayes", "bias", [0], "bias has the shape (1,), not (2,)"),
        (
            "perceptron",
            "calibration 0",
            [0.5, 0.6],
            "calibration has probabilities that do not sum",
        ),
        ("lazy-nb", "base 0", "x", "base[0] is 'x', no local classifier"),
        ("lazy-nb", "base 1 m", "x", "base[1].m is 'x', not a number"),
        ("lazy-nb", "base 1 m", -1, "base[1] is of no use: m is -1"),
        ("lazy-nb", "base 1 m", 1e308, "base[1] is of no use: m is 1e+308"),
        ("lazy-nb", "base 1 estimate", "x", "base[1] is of no use: estimate is 'x'"),
        ("lazy-knn", "base 1 k", 0, "base[1] is of no use: k is 0"),
        ("lazy-list", "base 1 folds", 1, "base[1] is of no use: folds is 1"),
        ("lazy-list", "base 1 epsilon", -1, "base[1] is of no use: epsilon is -1"),
        ("lazy-nb", "outcome", [], "outcome has no case"),
        ("lazy-nb", "outcome 0", 2, "outcome holds a number that nothing has"),
        ("lazy-nb", "outcome 0", -1, "outcome holds a number that nothing has"),
        ("lazy-nb", "codes 0 0", 99, "codes holds a number that nothing has"),
        ("lazy-nb", "codes 0 0", -2, "codes holds a number that nothing has"),
        ("lazy-nb", "attribute 0", 2, "attribute does not give each attribute its questions"),
    ],
)
def test_what_is_odd_is_refused_with_its_place(
    family: str, path: str, value: Any, message: str
) -> None:
    keys = [int(key) if key.isdigit() else key for key in path.split()]
    record = json.loads(json.dumps(expert_of(family, WORDS).to_record()))
    with pytest.raises(ModelError) as refused:
        Expert.from_record(put(record, keys, value))
    assert message in str(refused.value)


def test_a_yes_or_no_attribute_of_a_lazy_learner_is_one_question() -> None:
    record = expert_of("lazy-nb", WORDS).to_record()
    assert not all(record["binary"])
    with pytest.raises(ModelError, match="attribute does not give each attribute its questions"):
        Expert.from_record({**record, "binary": [True] * len(record["binary"])})
