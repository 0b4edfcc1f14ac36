"""Webb's decision lists: the exact search, the loops, the examples (PAPERS.md 5.1)."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from wsdlist.data.corpus import Row
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Column
from wsdlist.features.questions import Condition, Question
from wsdlist.features.tables import TableQuestions, extract_rows
from wsdlist.learners import from_record, learner, parameters
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules, favour
from wsdlist.learners.search.bits import cases_of, count, pack, unpack
from wsdlist.learners.search.exact import Budget, Candidate, Search, two_class_laplace
from wsdlist.learners.webb import Append

IS_YES = Condition(Column("a"), "value", "yes")
FAMILY = ("append", "append-p2", "webb-prepend", "webb-prepend-p2", "webb-prepend-ip2")


def random_rows(seed: int, missing: float = 0.1) -> list[Row]:
    """A small table: up to 24 rows, 2 or 3 attributes of 2 or 3 values, 2 to 4 classes."""
    rng = np.random.default_rng(seed)
    n, n_attributes = int(rng.integers(4, 25)), int(rng.integers(2, 4))
    sizes = rng.integers(2, 4, n_attributes)
    n_classes = int(rng.integers(2, 5))
    names = tuple("abc"[:n_attributes])
    rows = []
    for number in range(n):
        values = tuple(
            None if rng.random() < missing else str(rng.integers(size)) for size in sizes
        )
        sense = f"c{rng.integers(n_classes)}"
        rows.append(Row(f"r{number}", "t", names, values, (sense,)))
    return rows


def answers_of(rows: list[Row], missing: str = "none") -> QuestionMatrix:
    return extract_rows(rows, [row.senses for row in rows], TableQuestions("!=", missing))


def every_conjunction(true: np.ndarray, most: int) -> list[tuple[tuple[int, ...], np.ndarray]]:
    return [
        (tests, np.asarray(true[list(tests)].all(axis=0)))
        for size in range(min(most, len(true)) + 1)
        for tests in combinations(range(len(true)), size)
    ]


@pytest.mark.parametrize("limit", [None, 1, 2, 3])
@pytest.mark.parametrize("larger", [False, True])
def test_the_search_finds_what_exhaustion_finds(limit: int | None, larger: bool) -> None:
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n, m = int(rng.integers(3, 40)), int(rng.integers(1, 8))
        true = rng.random((m, n)) < rng.choice([0.4, 0.7, 0.9])
        kind = rng.integers(0, 3, n)  # for, against, of no account
        pos, neg = kind == 0, kind == 1
        if not pos.any():
            continue
        scored = [
            (two_class_laplace(p, q), p, len(tests), tests)
            for tests, cover in every_conjunction(true, m if limit is None else limit)
            if (p := int((cover & pos).sum())) and (q := int((cover & neg).sum())) >= 0
        ]
        value = max(scored)[0]
        best = [one for one in scored if one[0] == value]
        if larger:
            best = [one for one in best if one[1] == max(best, key=lambda one: one[1])[1]]
        _, p, _, tests = min(best, key=lambda one: (one[2], -one[1], one[3]))
        search = Search(pack(true), limit, Budget(10**6))
        found = search.best(pack(pos), pack(neg), Candidate(0.0, 0, 0), larger=larger)
        assert found.value == value
        short = search.shortest(pack(pos), pack(neg), found, larger=larger)
        assert (short.tests, short.pos) == (tests, p)
        above = Candidate(value, 0, 0)
        if not larger:
            assert search.best(pack(pos), pack(neg), above) is above


def test_bits_are_counted_and_come_back() -> None:
    given = np.random.default_rng(0).random((3, 130)) < 0.5
    assert (unpack(pack(given))[:, :130] == given).all()
    assert (count(pack(given)) == given.sum(axis=1)).all()


def literal(
    rows: list[Row], answers: QuestionMatrix, kind: str, cut: float
) -> tuple[list[str], str]:
    """Webb's loops as printed, by exhaustion: rules as text, the first to be asked first."""
    single = [str(question) for question in answers.questions]
    true = answers.by_row.toarray().astype(bool).T
    conjunctions = every_conjunction(true, len(true))
    senses = list(answers.senses)
    outcome = answers.outcome
    default = int(np.bincount(outcome, minlength=len(senses)).argmax())

    def best(pos_of: list[np.ndarray], neg_of: list[np.ndarray]) -> Any:
        keys = [
            (-two_class_laplace(p, q), len(tests), -p, tests, sense)
            for tests, cover in conjunctions
            for sense in range(len(senses))
            if (p := int((cover & pos_of[sense]).sum()))
            and (q := int((cover & neg_of[sense]).sum())) >= 0
        ]
        return min(keys) if keys and -min(keys)[0] > cut else None

    def best_of_all_places(listed: list[tuple[tuple[int, ...], int]]) -> Any:
        """Places count from the end; of equally good ones the deepest comes first."""
        place, said = np.zeros(len(outcome), dtype=int), np.full(len(outcome), default)
        for number, (tests, sense) in enumerate(reversed(listed), start=1):
            covered = true[list(tests)].all(axis=0)
            place[covered], said[covered] = number, sense
        right = said == outcome
        keys = [
            (-two_class_laplace(p, q), len(tests), -p, tests, at, sense)
            for tests, cover in conjunctions
            for at in range(1, len(listed) + 2)
            for sense in range(len(senses))
            if (p := int((cover & (place < at) & ~right & (outcome == sense)).sum()))
            and (q := int((cover & (place < at) & right & (outcome != sense)).sum())) >= 0
        ]
        return min(keys) if keys and -min(keys)[0] > cut else None

    rules: list[tuple[tuple[int, ...], int]] = []
    if kind == "append":
        left = np.ones(len(outcome), dtype=bool)
        while left.any():
            found = best(
                [left & (outcome == s) for s in range(len(senses))],
                [left & (outcome != s) for s in range(len(senses))],
            )
            if found is None:
                break
            rules.append((found[3], found[4]))
            left &= ~true[list(found[3])].all(axis=0)
    else:
        while True:

            def answer(listed: list[tuple[tuple[int, ...], int]]) -> np.ndarray:
                made = np.full(len(outcome), default)
                for tests, sense in reversed(listed):
                    made[true[list(tests)].all(axis=0)] = sense
                return made

            right = answer(rules) == outcome
            found = best(
                [~right & (outcome == s) for s in range(len(senses))],
                [right & (outcome != s) for s in range(len(senses))],
            )
            if kind == "every":
                found = best_of_all_places(rules)
            if found is None or -found[0] <= 0.5:
                break
            rule = (found[3], found[4] if kind != "every" else found[5])
            places = [0]
            if kind == "intern":
                scores = [
                    (answer([*rules[:at], rule, *rules[at:]]) == outcome).sum()
                    for at in range(len(rules) + 1)
                ]
                places = [at for at, score in enumerate(scores) if score >= scores[0]]
            if kind == "every":
                places = [len(rules) + 1 - found[4]]
            rules.insert(places[-1], rule)
    texts = [
        " & ".join(single[test] for test in tests) + f" -> {senses[sense]}"
        for tests, sense in rules
    ]
    return texts, senses[default]


@pytest.mark.parametrize(
    ("name", "kind", "cut"),
    [
        ("append", "append", 0.0),
        ("append-p2", "append", 0.75),
        ("webb-prepend", "front", 0.0),
        ("webb-prepend-p2", "front", 0.75),
        ("webb-prepend-i", "intern", 0.0),
        ("webb-prepend-ip2", "intern", 0.75),
    ],
)
@pytest.mark.parametrize("missing", ["none", "value"])
def test_each_learner_is_the_printed_loop(name: str, kind: str, cut: float, missing: str) -> None:
    for seed in range(14):
        rows = random_rows(seed)
        answers = answers_of(rows, missing)
        made = learner(name).fit(answers)
        assert isinstance(made, SenseRules)
        texts, default = literal(rows, answers, kind, cut)
        shown = [f"{r.question if r.question.conditions else ''} -> {r.sense}" for r in made.rules]
        assert shown == texts
        assert made.default.sense == default
        assert made.notes == ()


def test_bbg_looks_for_the_best_rule_at_every_place() -> None:
    for seed in range(25):
        rows = random_rows(seed)
        answers = answers_of(rows)
        made = learner("webb-prepend", insert="every").fit(answers)
        assert isinstance(made, SenseRules)
        texts, _ = literal(rows, answers, "every", 0.0)
        shown = [f"{r.question if r.question.conditions else ''} -> {r.sense}" for r in made.rules]
        assert shown == texts


def test_of_equally_good_rules_the_shorter_is_taken_whatever_its_sense() -> None:
    """In these tables a rule for another sense has as good a value, more tests, more positives."""
    for seed in (84, 85, 441, 509, 792):
        rows = random_rows(seed)
        answers = answers_of(rows)
        made = learner("append").fit(answers)
        assert isinstance(made, SenseRules)
        texts, _ = literal(rows, answers, "append", 0.0)
        rule = made.rules[0]
        assert f"{rule.question if rule.question.conditions else ''} -> {rule.sense}" == texts[0]


def test_bbg_puts_each_rule_where_it_is_worth_most() -> None:
    for seed in range(40):
        rows = random_rows(seed)
        answers = answers_of(rows)
        made = learner("webb-prepend", insert="every").fit(answers)
        front = learner("webb-prepend").fit(answers)
        assert isinstance(made, SenseRules)
        right = (made.predict_proba(answers).argmax(axis=1) == answers.outcome).sum()
        assert right >= (answers.outcome == answers.prior_counts().argmax()).sum()
        assert isinstance(front, SenseRules)
        if made.n_rules and front.n_rules:  # the first rule has one place
            first = {str(rule.question) for rule in made.rules}
            assert str(front.rules[-1].question) in first


def test_every_rule_gives_its_own_sense_the_greatest_probability() -> None:
    for name in FAMILY:
        for seed in range(20):
            answers = answers_of(random_rows(seed))
            made = learner(name).fit(answers)
            assert isinstance(made, SenseRules)
            P = made.predict_proba(answers)
            place = made.first_true(answers)
            rules = [*made.rules, made.default]
            assert np.allclose(P.sum(axis=1), 1)
            for row, number in enumerate(place.tolist()):
                assert made.senses[int(P[row].argmax())] == rules[number].sense
            assert sum(rule.support for rule in rules) == answers.n_rows
            for number, rule in enumerate(rules):
                for sense in made.senses:
                    _, _, right = made.arithmetic(number, sense).partition(" = ")
                    close = abs(eval(right) - rule.probabilities[sense])
                    assert close <= len(made.senses) * 2.0**-30 + 1e-12


def test_records_come_back() -> None:
    answers = answers_of(random_rows(3))
    made = learner("webb-prepend-ip2", cut_off=0).fit(answers)
    again = from_record(made.to_record())
    assert again.to_record() == made.to_record()
    assert (again.predict_proba(answers) == made.predict_proba(answers)).all()


def test_the_order_of_rows_does_not_matter() -> None:
    for seed in range(20):
        rows = random_rows(seed)
        one = learner("webb-prepend-ip2", cut_off=0).fit(answers_of(rows))
        other = learner("webb-prepend-ip2", cut_off=0).fit(answers_of(rows[::-1]))
        assert one.to_record() == other.to_record()


def test_as_many_tests_as_say_the_same_cover_the_same_positives() -> None:
    for seed in range(15):
        answers = answers_of(random_rows(seed, missing=0.0))
        few = learner("append", ties="fewest").fit(answers)
        many = learner("append", ties="most").fit(answers)
        assert isinstance(few, SenseRules)
        assert isinstance(many, SenseRules)
        if few.n_rules:
            short, long = few.rules[0], many.rules[0]
            assert len(long.question.conditions) >= len(short.question.conditions)
            assert long.counts[long.sense] == short.counts[short.sense]


@pytest.mark.parametrize("ties", ["fewest", "cover", "most"])
@pytest.mark.parametrize("cut_off", [0, 1, 2, 3, 0.6])
def test_no_rule_is_worth_the_cut_off_or_less(ties: str, cut_off: float) -> None:
    worth = float(two_class_laplace(cut_off, 0)) if cut_off >= 1 else cut_off
    met = 0
    for seed in range(15):
        answers = answers_of(random_rows(seed))
        for name in ("append", "webb-prepend-i"):
            made = learner(name, ties=ties, cut_off=cut_off).fit(answers)
            assert isinstance(made, SenseRules)
            assert all(rule.gain > worth for rule in made.rules)
            met += made.n_rules
    assert met, "no rule was learned at all"


def test_a_search_that_was_cut_short_without_a_rule_is_said_too() -> None:
    for seed in range(60):
        answers = answers_of(random_rows(seed))
        exact = learner("webb-prepend-ip2", cut_off=1).fit(answers)
        short = learner("webb-prepend-ip2", cut_off=1, max_nodes=1).fit(answers)
        assert isinstance(short, SenseRules)
        if exact.to_record()["rules"] != short.to_record()["rules"]:
            assert "cut short" in short.notes[0]


def test_an_attribute_with_many_values_is_no_trouble() -> None:
    """More tests in one rule than Python may call functions in one another."""
    rows = [Row(f"r{n}", "t", ("a",), (f"v{n}",), ("ab"[n % 13 > 2],)) for n in range(1200)]
    made = learner("append-p2", top=2000).fit(answers_of(rows))
    assert made.n_rules
    assert made.size.conditions > 200


def test_a_search_that_was_cut_short_is_said() -> None:
    answers = answers_of(random_rows(11))
    made = learner("append", max_nodes=1).fit(answers)
    assert isinstance(made, SenseRules)
    assert re.fullmatch(r"\d+ searches for a rule were cut short by max_nodes 1", made.notes[0])
    once = Append(max_nodes=7)._note(1)
    assert once == "1 search for a rule was cut short by max_nodes 7"
    assert from_record(made.to_record()).notes == made.notes


def test_whole_weights_are_repeated_cases() -> None:
    rows = random_rows(5)
    answers = answers_of(rows)
    weight = np.random.default_rng(0).integers(1, 4, len(rows))
    weighted = QuestionMatrix(**{**vars_of(answers), "weight": weight.astype(float)})
    repeated = answers_of(
        [row for row, times in zip(rows, weight, strict=True) for _ in range(times)]
    )
    one, other = (learner("webb-prepend-ip2", cut_off=0).fit(a) for a in (weighted, repeated))
    assert one.to_record() == other.to_record()


def vars_of(answers: QuestionMatrix) -> dict[str, Any]:
    names = ("conditions", "members", "questions", "senses", "outcome", "weight", "attributes")
    return {name: getattr(answers, name) for name in names}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cut_off": -1}, "cut_off"),
        ({"cut_off": "many"}, "cut_off"),
        ({"ties": "none"}, "ties"),
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_conditions": 0}, "max_conditions"),
        ({"insert": "back"}, "insert"),
    ],
)
def test_impossible_parameters_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        learner("webb-prepend", **given)


def test_the_sense_of_a_rule_becomes_the_most_probable_one() -> None:
    P = favour(np.array([[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.2, 0.2, 0.6]]), np.array([1, 1, 0]))
    assert P[0].tolist() == [0.3, 0.5, 0.2]  # exchanged
    assert P[1] == pytest.approx([0.4, 0.4, 0.2])  # it gets the least bit from the other
    assert P[1, 1] > 0.4 > P[1, 0]
    assert P[2].tolist() == [0.6, 0.2, 0.2]
    assert P.sum(axis=1).tolist() == [1.0] * 3


def test_the_probability_of_a_rule_is_its_discounted_count() -> None:
    """Three of one sense, no other: half of one is shared out as all senses are distributed."""
    answers = QuestionMatrix.from_matrix(
        [[1]] * 3 + [[0]] * 5, [1] * 3 + [0] * 5, "ab", questions=[Question((IS_YES,))]
    )
    made = learner("append").fit(answers)
    assert isinstance(made, SenseRules)
    assert made.measure == "Laplace value"
    assert made.table().header[-1] == "Laplace value"
    assert made.rule(0).probabilities["b"] == (3 - 0.5 + 0.5 * 3 / 8) / 3
    assert made.arithmetic(0, "b") == "P(b) = (max(3 - 0.5, 0) + 0.5 * 3 / 8) / 3"


def test_equal_probabilities_are_not_said_to_be_exchanged() -> None:
    """A rule for b is true of two of each sense; another for b of two a and one b."""
    questions = [Question((Condition(Column("a"), "value", v),)) for v in ("x", "y")]
    matrix = [[1, 0]] * 4 + [[0, 1]] * 3 + [[0, 0]]
    answers = QuestionMatrix.from_matrix(
        matrix, [0, 0, 1, 1, 0, 0, 1, 1], "ab", questions=questions
    )
    rules = [Learned((test,), 1, 0.5) for test in (0, 1)]
    made = assemble_rules(answers, cases_of(answers), rules, 0, "Laplace value")
    said = [[made.arithmetic(rule, sense).split(" = ")[0] for sense in "ab"] for rule in (0, 1)]
    exchanged = ["P(a), exchanged with that of b", "P(b), exchanged with that of a"]
    assert said == [["P(a)", "P(b)"], exchanged]


def test_coverage_adds_up_to_what_is_not_left_to_the_default() -> None:
    for seed in range(20):
        made = learner("append", cut_off=1).fit(answers_of(random_rows(seed)))
        assert isinstance(made, SenseRules)
        coverage = made.coverage()
        left = made.reached_counts[-1]
        assert (coverage.covered.sum(axis=0) + left == coverage.prior).all()
        for sense, covered in enumerate(coverage.covered):
            own = [rule for rule in made.rules if rule.sense == made.senses[sense]]
            assert covered.sum() == sum(rule.support for rule in own)
        assert len(coverage.target_sense) == made.n_rules


def test_the_defaults_are_those_of_the_documentation() -> None:
    common = {"ties": "fewest", "max_conditions": None, "top": 1000, "max_nodes": 20_000}
    assert parameters("append") == {**common, "cut_off": 0}
    assert parameters("append-p2") == {**common, "cut_off": 2}
    for name, cut_off, insert in (
        ("webb-prepend", 0, "front"),
        ("webb-prepend-p2", 2, "front"),
        ("webb-prepend-i", 0, "intern"),
        ("webb-prepend-ip2", 2, "intern"),
    ):
        assert parameters(name) == {**common, "cut_off": cut_off, "insert": insert}
