"""Covering learners: the worked examples of the slides and of the book, number by number."""

from __future__ import annotations

import dataclasses
from itertools import combinations
from math import factorial, isclose, log, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import TABLES
from wsdlist.data.corpus import Row
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.tables import TableQuestions, ask_rows, extract_rows
from wsdlist.learners import from_record, learner, parameters
from wsdlist.learners.covering import (
    SEARCH,
    Target,
    bidirectional,
    bottom_up,
    grow,
    prune_final,
    refinements,
    without_needless,
)
from wsdlist.learners.fitted.rule_set import RuleSet
from wsdlist.learners.fitted.sense_rules import Learned, SenseRules, assemble_rules
from wsdlist.learners.heuristics import HEURISTICS, Counts, surprise
from wsdlist.learners.ripper import exception_bits, subset_bits, theory_bits
from wsdlist.learners.search.bits import Cases, cases_of, count
from wsdlist.readers import read

RECIPES = ("prism", "cn2", "cn2-unordered", "ripper", "elem2", "covering")


def rows_of(path: Path) -> list[Row]:
    return [row for row in read(path).train if isinstance(row, Row)]


def answers_of(path: Path) -> QuestionMatrix:
    rows = rows_of(path)
    return extract_rows(rows, [row.senses for row in rows], TableQuestions("="))


@pytest.fixture(scope="module")
def lenses() -> QuestionMatrix:
    return answers_of(TABLES / "contact-lenses.arff")


@pytest.fixture(scope="module")
def car() -> QuestionMatrix:
    return answers_of(TABLES / "car.csv")


def target_of(answers: QuestionMatrix, sense: str) -> Target:
    cases = cases_of(answers)
    own = cases.classes[answers.senses.index(sense)]
    return Target(cases, own, cases.everyone & ~own)


def number_of(answers: QuestionMatrix, text: str) -> int:
    (found,) = [n for n, question in enumerate(answers.questions) if str(question) == text]
    return found


def step(answers: QuestionMatrix, target: Target, *chosen: str) -> dict[str, Counts]:
    """Return what each refinement of a rule covers, by the text of the test that is added."""
    cover = target.cases.cover([number_of(answers, text) for text in chosen])
    before = target.counts(cover)
    tests, left = refinements(target, cover)
    return {
        str(answers.questions[test]): target.counts(one, (float(before.p), float(before.n)))
        for test, one in zip(tests.tolist(), left, strict=True)
    }


# The slides' rules for hard lenses (slides 16 to 22; PAPERS.md 6.3): p/t and FOIL's gain
ASTIGMATISM, NORMAL, MYOPE = (
    "astigmatism=yes",
    "tear-prod-rate=normal",
    "spectacle-prescrip=myope",
)
HARD = [
    (
        (),
        {
            "age=young": (2, 8, 1.170),
            "age=pre-presbyopic": (1, 8, -0.415),
            "age=presbyopic": (1, 8, -0.415),
            MYOPE: (3, 12, 1.755),
            "spectacle-prescrip=hypermetrope": (1, 12, -1),
            ASTIGMATISM: (4, 12, 4),
            NORMAL: (4, 12, 4),
        },
    ),
    (
        (ASTIGMATISM,),
        {
            "age=young": (2, 4, 1.170),
            "age=pre-presbyopic": (1, 4, -0.415),
            "age=presbyopic": (1, 4, -0.415),
            MYOPE: (3, 6, 1.755),
            "spectacle-prescrip=hypermetrope": (1, 6, -1),
            NORMAL: (4, 6, 4),
        },
    ),
    (
        (ASTIGMATISM, NORMAL),
        {
            "age=young": (2, 2, 1.170),
            "age=pre-presbyopic": (1, 2, -0.415),
            "age=presbyopic": (1, 2, -0.415),
            MYOPE: (3, 3, 1.755),
            "spectacle-prescrip=hypermetrope": (1, 3, -1),
        },
    ),
]


@pytest.mark.parametrize(("chosen", "expected"), HARD)
def test_hard_lenses_step_by_step(
    lenses: QuestionMatrix, chosen: tuple[str, ...], expected: dict[str, tuple[int, int, float]]
) -> None:
    found = step(lenses, target_of(lenses, "hard"), *chosen)
    assert {text: (int(c.p), int(c.p + c.n)) for text, c in found.items()} == {
        text: (p, t) for text, (p, t, _) in expected.items()
    }
    for text, (_, _, gain) in expected.items():
        assert float(HEURISTICS["foil-gain"](found[text])) == pytest.approx(gain, abs=5e-4)


def test_prism_on_contact_lenses(lenses: QuestionMatrix) -> None:
    """The slides' two rules for hard; for soft and none those of PAPERS.md 6.3."""
    made = learner("prism").fit(lenses)
    assert isinstance(made, SenseRules)
    by_sense: dict[str, list[set[str]]] = {}
    for rule in made.rules:
        by_sense.setdefault(rule.sense, []).append(set(str(rule.question).split(" & ")))
    assert by_sense["hard"] == [
        {ASTIGMATISM, NORMAL, MYOPE},
        {"age=young", ASTIGMATISM, NORMAL},
    ]
    # of equals the slides take young first, whose values stand by age; ours by the alphabet
    assert by_sense["soft"] == [
        {"astigmatism=no", NORMAL, "spectacle-prescrip=hypermetrope"},
        {"astigmatism=no", NORMAL, "age=pre-presbyopic"},
        {"astigmatism=no", NORMAL, "age=young"},
    ]
    assert by_sense["none"][0] == {"tear-prod-rate=reduced"}
    assert [rule.counts[rule.sense] for rule in made.rules if rule.sense == "none"] == [12, 1, 2, 2]
    assert (made.predict_proba(lenses).argmax(axis=1) == lenses.outcome).all()


def test_elem2_values_of_the_hard_rule(lenses: QuestionMatrix) -> None:
    target = target_of(lenses, "hard")
    chosen: list[int] = []
    for text, value in ((ASTIGMATISM, 2.58), (NORMAL, 4.20), (MYOPE, 4.56)):
        chosen.append(number_of(lenses, text))
        found = target.counts(target.cases.cover(chosen))
        assert float(HEURISTICS["quality"](found)) == pytest.approx(value, abs=5e-3)
    assert without_needless(target, chosen, HEURISTICS["quality"]) == tuple(chosen)


# The book's Table 2.4 (PAPERS.md 6.1): refinements of has_children=yes for family
TABLE_2_4 = {
    "education=primary": (1, 1, 0, 0.4375, 0.5, 0.5),
    "education=secondary": (1, 2, -1, 0.3750, 1 / 3, 0.4),
    "marital_status=married": (2, 2, 0, 0.8750, 0.5, 0.5),
    "sex=male": (2, 2, 0, 0.8750, 0.5, 0.5),
}
WITHOUT_POSITIVES = {  # of no use to a learner, but they stand in the table
    "education=university": (0, 3, -3, -0.1875, 0.0, 0.2),
    "marital_status=single": (0, 4, -4, -0.2500, 0.0, 1 / 6),
    "sex=female": (0, 4, -4, -0.2500, 0.0, 1 / 6),
}


def test_table_2_4_of_the_book(car: QuestionMatrix) -> None:
    target = target_of(car, "family")
    found = step(car, target, "has_children=yes")
    assert set(found) == set(TABLE_2_4)
    cover = target.cases.cover([number_of(car, "has_children=yes")])
    for text in WITHOUT_POSITIVES:
        found[text] = target.counts(cover & target.cases.tests[number_of(car, text)])
    for text, (p, n, *values) in {**TABLE_2_4, **WITHOUT_POSITIVES}.items():
        counts = found[text]
        assert (int(counts.p), int(counts.n)) == (p, n)
        for name, value in zip(
            ("coverage-difference", "rate-difference", "precision", "laplace-2"),
            values,
            strict=True,
        ):
            assert float(HEURISTICS[name](counts)) == pytest.approx(value)


def test_the_first_step_for_family_takes_children(car: QuestionMatrix) -> None:
    found = step(car, target_of(car, "family"))
    shares = {text: c.p / (c.p + c.n) for text, c in found.items()}
    assert max(shares, key=lambda text: shares[text]) == "has_children=yes"
    assert shares["has_children=yes"] == 0.25
    assert shares["marital_status=married"] == shares["sex=male"] == pytest.approx(2 / 9)


def test_the_space_has_109_rules_and_576_paths(car: QuestionMatrix) -> None:
    values: dict[str, int] = {}
    for question in car.questions:
        name = str(question).partition("=")[0]
        values[name] = values.get(name, 0) + 1
    sizes = [
        sum(int(np.prod([values[name] for name in names])) for names in combinations(values, n))
        for n in range(5)
    ]
    assert sizes == [1, 9, 30, 44, 24]
    assert sum(sizes) + 1 == 109  # and the rule that is never true
    assert sizes[4] * factorial(4) == 576
    cases = cases_of(car)
    true = {
        frozenset(c)
        for n in range(5)
        for c in combinations(range(9), n)
        if len({str(car.questions[t]).partition("=")[0] for t in c}) == n
    }
    assert len(true) + 1 == 109
    assert count(cases.everyone) == 18


def test_figure_2_4b_as_a_decision_list(car: QuestionMatrix) -> None:
    """Two rules and a default: errs on #13 in training, on #20 of the test cases."""
    cases = cases_of(car)
    sense = car.senses.index
    rules = [
        Learned(
            tuple(
                number_of(car, t)
                for t in ("marital_status=married", "sex=male", "has_children=yes")
            ),
            sense("family"),
            1.0,
        ),
        Learned(
            tuple(number_of(car, t) for t in ("sex=male", "has_children=no")), sense("sports"), 1.0
        ),
    ]
    made = assemble_rules(car, cases, rules, sense("mini"), "precision")
    assert made.reached_counts is not None
    order = [sense(name) for name in ("sports", "mini", "family")]
    assert made.reached_counts[:, order].tolist() == [[0, 0, 2], [4, 1, 0], [0, 11, 0]]
    wrong = np.flatnonzero(made.predict_proba(car).argmax(axis=1) != car.outcome) + 1
    assert wrong.tolist() == [13]
    new = rows_of(TABLES / "car-test.csv")
    answers = made.predict_proba(ask_rows(new, made.questions)).argmax(axis=1)
    wrong_new = [n + 19 for n, row in enumerate(new) if made.senses[answers[n]] not in row.senses]
    assert wrong_new == [20]


def test_the_book_covers_family_with_one_rule(car: QuestionMatrix) -> None:
    """By rate difference, which has no three-way tie: married, male, children."""
    tests = grow(target_of(car, "family"), HEURISTICS["rate-difference"])
    names = {str(car.questions[test]) for test in tests}
    assert names == {"marital_status=married", "sex=male", "has_children=yes"}


def test_precision_is_fragile() -> None:
    for p, before, after in ((1, 1.0, 0.5), (99, 1.0, 0.99)):
        assert float(HEURISTICS["precision"](Counts(p, 0, 99, 99))) == before
        assert float(HEURISTICS["precision"](Counts(p, 1, 99, 99))) == pytest.approx(
            after, abs=1e-3
        )


def test_merits_are_their_formulas() -> None:
    c = Counts(6, 2, 10, 30, (8.0, 12.0), n_classes=4, m=3.0)
    assert float(HEURISTICS["laplace"](c)) == 7 / 12
    assert float(HEURISTICS["m-estimate"](c)) == (6 + 3 * 10 / 40) / 11
    assert float(HEURISTICS["foil-gain"](c)) == pytest.approx(6 * (log2(6 / 8) - log2(8 / 20)))
    ratio = 2 * (6 * log(6 / 2) + 2 * log(2 / 6))
    assert float(HEURISTICS["likelihood-ratio"](c)) == pytest.approx(ratio)
    assert float(surprise(np.array([6.0, 2.0]), np.array([10.0, 30.0]))) == pytest.approx(ratio)
    odds = (6.5 * 28.5) / (2.5 * 4.5)
    assert float(HEURISTICS["quality"](c)) == pytest.approx(log(odds))


def test_what_is_as_all_is_no_surprise() -> None:
    assert float(surprise(np.array([5.0, 15.0]), np.array([10.0, 30.0]))) == pytest.approx(0)
    for name in ("likelihood-ratio", "rate-difference"):
        assert float(HEURISTICS[name](Counts(5, 15, 10, 30))) == pytest.approx(0)


def test_significance_cuts_what_chance_explains() -> None:
    """One positive of one: with two equal classes 2 ln 2 = 1.39, below 3.84 (95%)."""
    rows = [Row(f"r{n}", "t", ("a",), (str(n),), ("xy"[n % 2],)) for n in range(8)]
    answers = extract_rows(rows, [row.senses for row in rows], TableQuestions("="))
    fine = learner("cn2", alpha=0.0).fit(answers)
    strict = learner("cn2", alpha=0.05).fit(answers)
    assert fine.n_rules >= 7
    assert strict.n_rules == 0


def xor_and_noise(n: int = 200, seed: int = 0) -> list[Row]:
    """x is 1 and y is 2, or z is 0, says yes; one in twenty labels is wrong."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        x, y, z = (int(rng.integers(3)) for _ in range(3))
        said = ((x == 1 and y == 2) or z == 0) != (rng.random() < 0.05)
        values = (str(x), str(y), str(z))
        rows.append(Row(f"r{number}", "t", tuple("xyz"), values, ("yes" if said else "no",)))
    return rows


def noisy() -> QuestionMatrix:
    rows = xor_and_noise()
    return extract_rows(rows, [row.senses for row in rows], TableQuestions("="))


def test_ripper_finds_a_short_concept_through_noise() -> None:
    made = learner("ripper").fit(noisy())
    assert isinstance(made, SenseRules)
    assert {str(rule.question) for rule in made.rules} == {"z=0", "y=2 & x=1"}
    assert made.default.sense == "no"
    prism = learner("prism").fit(noisy())
    assert prism.n_rules > 4 * made.n_rules


def test_rippers_description_lengths() -> None:
    assert theory_bits(0, 10) == 0
    assert theory_bits(1, 10) == pytest.approx(0.5 * (log2(10) + 9 * log2(10 / 9)))
    two = 1 + 2 * log2(10 / 2) + 8 * log2(10 / 8)
    assert theory_bits(2, 10) == pytest.approx(0.5 * two)
    four = 2 + 2 * 1 + 4 * log2(10 / 4) + 6 * log2(10 / 6)
    assert theory_bits(4, 10) == pytest.approx(0.5 * four)
    assert subset_bits(8, 2, 0.25) == pytest.approx(2 * 2 + 6 * log2(4 / 3))
    assert exception_bits(10, 5, 0, 0, 0.5) == pytest.approx(log2(16))
    assert exception_bits(5, 10, 5, 0, 0.0) == pytest.approx(log2(16) + 5 + 5)


@pytest.mark.parametrize(
    ("name", "given_"),
    [
        *((name, {}) for name in RECIPES),
        *(("covering", {"search": search}) for search in SEARCH),
        ("covering", {"post_pruning": "held-out"}),
    ],
)
def test_the_order_of_rows_does_not_matter(name: str, given_: dict[str, Any]) -> None:
    rows = xor_and_noise(120)
    labels = [row.senses for row in rows]
    one = learner(name, **given_).fit(extract_rows(rows, labels, TableQuestions("=")))
    other = learner(name, **given_).fit(extract_rows(rows[::-1], labels[::-1], TableQuestions("=")))
    assert one.to_record() == other.to_record()


@pytest.mark.parametrize("name", [*RECIPES])
def test_a_case_without_any_value_does_not_silence_other_classes(name: str) -> None:
    rows = [
        Row(f"r{n}", "t", ("x", "y"), (str(n % 3), str(n % 2)), ("abc"[n % 3],)) for n in range(90)
    ]
    rows.append(Row("odd", "t", ("x", "y"), (None, None), ("a",)))
    answers = extract_rows(rows, [row.senses for row in rows], TableQuestions("="))
    P = learner(name).fit(answers).predict_proba(answers)
    assert (P.argmax(axis=1) == answers.outcome)[:-1].all()


def test_ripper_does_not_lose_a_rare_class() -> None:
    """Two cases of it are never in both the growing and the pruning part with certainty."""
    rows = [Row(f"r{n}", "t", ("x",), (str(n % 3),), ("ab"[n % 3 == 1],)) for n in range(60)]
    rows += [Row(f"o{n}", "t", ("x",), ("rare",), ("c",)) for n in range(2)]
    answers = extract_rows(rows, [row.senses for row in rows], TableQuestions("="))
    made = learner("ripper").fit(answers)
    assert (made.predict_proba(answers).argmax(axis=1) == answers.outcome).all()


@pytest.mark.parametrize("name", [*RECIPES])
def test_records_come_back_and_answer_alike(name: str) -> None:
    answers = noisy()
    made = learner(name).fit(answers)
    again = from_record(made.to_record())
    assert again.to_record() == made.to_record()
    assert (again.predict_proba(answers) == made.predict_proba(answers)).all()
    new = ask_rows(xor_and_noise(50, seed=1), again.questions)
    assert np.allclose(again.predict_proba(new).sum(axis=1), 1)


@pytest.mark.parametrize("search", SEARCH)
@pytest.mark.parametrize("merit", sorted(HEURISTICS))
def test_every_search_and_merit_beats_the_default(search: str, merit: str) -> None:
    answers = noisy()
    made = learner("covering", search=search, merit=merit).fit(answers)
    right = (made.predict_proba(answers).argmax(axis=1) == answers.outcome).mean()
    assert right > answers.prior_counts().max() / answers.n_rows


def test_pre_and_post_pruning_make_fewer_conditions() -> None:
    answers = noisy()
    plain = learner("covering").fit(answers).size.conditions
    for given in (
        {"min_purity": 0.9},
        {"alpha": 0.01},
        {"post_pruning": "quality", "merit": "quality"},
        {"post_pruning": "held-out"},
        {"max_conditions": 1},
    ):
        assert learner("covering", **given).fit(answers).size.conditions < plain


def nested() -> Target:
    """Test 0 is true of the two positives, test 1 of them and of one negative."""
    matrix = [[1, 1], [1, 1], [0, 1], [0, 0]]
    cases = cases_of(QuestionMatrix.from_matrix(matrix, [0, 0, 1, 1], "ab"))
    return Target(cases, cases.classes[0], cases.classes[1])


def test_a_test_whose_loss_changes_nothing_is_dropped() -> None:
    target, precision = nested(), HEURISTICS["precision"]
    assert without_needless(target, (0, 1), precision) == (0,)
    assert bottom_up(target, precision, None) == (0,)


def test_a_test_that_makes_the_rule_no_better_is_not_added() -> None:
    """Both tests are true of as many positives and negatives as one of them, or none."""
    matrix = [[1, 1], [1, 0], [0, 1], [0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]
    cases = cases_of(QuestionMatrix.from_matrix(matrix, [0] * 4 + [1] * 4, "ab"))
    target = Target(cases, cases.classes[0], cases.classes[1])
    assert bidirectional(target, HEURISTICS["precision"], None) == ()


def test_growing_stops_when_the_best_test_gains_nothing() -> None:
    """The only test is true of one of two positives and of one of two negatives."""
    matrix = [[1], [0], [1], [0]]
    cases = cases_of(QuestionMatrix.from_matrix(matrix, [0, 0, 1, 1], "ab"))
    target = Target(cases, cases.classes[0], cases.classes[1])
    gain = HEURISTICS["foil-gain"]
    assert grow(target, gain, until_gain=True) == ()
    assert grow(target, gain) == (0,)


def test_a_rule_of_the_beam_must_be_worth_more_than_no_test_at_all() -> None:
    """Without a test p - n is 3 - 1, with the only one 2 - 0."""
    answers = shares(("x", {"a": 2}), ("y", {"a": 1, "b": 1}))
    alone = answers.take([0, 1, 2, 3]).select(np.array([0]))
    cases = cases_of(alone)
    target = Target(cases, cases.classes[0], cases.classes[1])
    merit = HEURISTICS["coverage-difference"]
    assert merit(target.counts(cases.everyone)) == merit(target.counts(cases.cover((0,)))) == 2
    made = learner("covering", search="beam", merit="coverage-difference")
    assert made._one(target, np.random.default_rng(0)) == ()  # type: ignore[attr-defined]


def test_the_last_test_stays_though_its_loss_changes_nothing() -> None:
    matrix = [[1], [0], [1], [0]]
    cases = cases_of(QuestionMatrix.from_matrix(matrix, [0, 0, 1, 1], "ab"))
    target = Target(cases, cases.classes[0], cases.classes[1])
    assert without_needless(target, (0,), HEURISTICS["precision"]) == (0,)


def test_a_rule_that_covers_nothing_held_out_is_worth_as_much_as_one_of_both() -> None:
    """TRUE covers a positive and a negative there, the rule none: the shorter one is taken."""
    cases = cases_of(QuestionMatrix.from_matrix([[1], [0], [0]], [0, 0, 1], "ab"))
    held = Target(cases, cases.classes[0] & ~cases.cover((0,)), cases.classes[1])
    assert prune_final(held, (0,)) == ()
    assert prune_final(Target(cases, cases.classes[0], cases.classes[1]), (0,)) == (0,)


def shares(*groups: tuple[str, dict[str, int]]) -> QuestionMatrix:
    """A table of one attribute: its values, and how many rows of each class have each."""
    rows = [
        Row(f"{value}{sense}{n}", "t", ("v",), (value,), (sense,))
        for value, counts in groups
        for sense, times in counts.items()
        for n in range(times)
    ]
    return extract_rows(rows, [row.senses for row in rows], TableQuestions("="))


def test_a_rule_of_cn2_must_differ_from_the_cases_left_not_from_all() -> None:
    """Once v=1 is taken out, v=2 and v=3 have b as often as all that is left."""
    answers = shares(("1", {"a": 60}), ("2", {"a": 2, "b": 18}), ("3", {"a": 2, "b": 18}))
    made = learner("cn2", alpha=0.05).fit(answers)
    assert isinstance(made, SenseRules)
    assert [(str(rule.question), rule.sense) for rule in made.rules] == [("v=1", "a")]


def test_a_rule_of_the_unordered_form_must_say_more_than_the_cases_left() -> None:
    answers = shares(("1", {"a": 2, "b": 2}), ("2", {"a": 2, "b": 2}))
    assert learner("cn2-unordered").fit(answers).n_rules == 0


def hand_made(resolve: str, values: tuple[float, float, float] = (1.0, 2.0, 2.5)) -> RuleSet:
    """x=1 & y=2 -> a, z=0 -> b, x=1 -> a."""
    rows = xor_and_noise(20)
    answers = extract_rows(rows, [row.senses for row in rows], TableQuestions("="))
    cases = cases_of(answers)
    by_text = {str(q): n for n, q in enumerate(answers.questions)}
    texts = (("x=1", "y=2"), ("z=0",), ("x=1",))
    from wsdlist.learners.fitted.rule_set import assemble_set

    rules = [
        Learned(tuple(by_text[text] for text in one), said, value)
        for one, said, value in zip(texts, (0, 1, 0), values, strict=True)
    ]
    return assemble_set(answers, cases, rules, 1, resolve, "Q")


def answer(fitted: RuleSet, x: int, y: int, z: int) -> str:
    row = Row("n", "t", tuple("xyz"), (str(x), str(y), str(z)))
    return fitted.senses[int(fitted.predict_proba(ask_rows([row], fitted.questions))[0].argmax())]


def test_the_decision_score_adds_up_and_partial_matches_count_by_share() -> None:
    score = hand_made("score")
    first, second = score.senses
    assert answer(score, 1, 2, 0) == first  # 1 + 2.5 against 2
    assert answer(score, 0, 0, 0) == second
    assert answer(score, 0, 2, 1) == first  # none is true: half of 1 against 0
    assert answer(score, 0, 0, 1) == score.senses[score.default]  # nothing holds at all
    best = hand_made("best", (1.0, 3.0, 2.5))
    assert answer(best, 1, 2, 0) == second  # 3 is the greatest
    assert answer(hand_made("best"), 1, 2, 0) == first


def test_unordered_rules_add_up_their_counts() -> None:
    fitted = hand_made("counts")
    row = Row("n", "t", tuple("xyz"), ("1", "2", "0"))
    summed = fitted.counts[:-1].sum(axis=0)
    P = fitted.predict_proba(ask_rows([row], fitted.questions))[0]
    assert P.argmax() == summed.argmax()
    assert isclose(P.sum(), 1)


@pytest.mark.parametrize(
    ("name", "given_"),
    [
        ("covering", {"merit": "beauty"}),
        ("covering", {"search": "random"}),
        ("covering", {"post_pruning": "some"}),
        ("covering", {"min_purity": 2}),
        ("covering", {"m": -1}),
        ("cn2", {"merit": "beauty"}),
        ("cn2", {"width": 0}),
        ("cn2-unordered", {"alpha": 1.5}),
        ("ripper", {"optimizations": 0.5}),
        ("elem2", {"resolve": "vote"}),
        ("prism", {"top": 0}),
    ],
)
def test_impossible_parameters_are_refused(name: str, given_: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=next(iter(given_))):
        learner(name, **given_)


def test_cases_repeat_whole_weights(car: QuestionMatrix) -> None:
    times = np.arange(18) % 3 + 1
    weighted = dataclasses.replace(car, weight=times.astype(float))
    cases = cases_of(weighted)
    assert isinstance(cases, Cases)
    assert cases.row.tolist() == np.repeat(np.arange(18), times).tolist()
    outcome = car.outcome[cases.row]
    assert count(cases.classes).tolist() == np.bincount(outcome, minlength=3).tolist()


def test_top_keeps_the_tests_that_part_the_cases_most_evenly(car: QuestionMatrix) -> None:
    cases = cases_of(car, top=3)
    found = [str(car.questions[int(n)]) for n in cases.questions]
    assert all(abs(int(count(test)) - 9) <= 1 for test in cases.tests), found


def test_the_defaults_of_covering_are_those_of_the_documentation() -> None:
    assert parameters("covering") == {
        "merit": "laplace-2",
        "search": "hill-climbing",
        "width": 5,
        "min_purity": 1.0,
        "alpha": 0.0,
        "post_pruning": "none",
        "m": 2.0,
        "max_conditions": None,
        "top": 1000,
        "seed": 0,
    }
