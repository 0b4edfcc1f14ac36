"""Goodman's three learners: the papers' examples, and their invariants over random problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import TABLES
from tests.problems import problems, readable, truth, vars_of
from wsdlist.data.arrays import Floats
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.sets import SETS
from wsdlist.learners import LEARNERS, learner, learner_class, parameters
from wsdlist.learners.fitted.decision_list import DecisionList, bits
from wsdlist.learners.prepend import _Conditions, _Postings, list_of, path
from wsdlist.learners.smoothing import cost, discounted, entropy, unigram
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.fit import question_matrix
from wsdlist.training.train import train


def lists_equal(one: DecisionList, other: DecisionList) -> None:
    """Rule by rule and bit by bit."""
    assert list(one.questions) == list(other.questions)
    for name in ("probabilities", "counts", "supports", "gains"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


# -- the parable of the two weathermen (Goodman 2002, section 2.2; the right numbers) --


def weathermen() -> QuestionMatrix:
    """98 days without wind, all rain; 2 with wind, one of them dry."""
    rows = read([TABLES / "weathermen.csv"]).train.instances
    return question_matrix(Recipe(features=SETS["table"]), rows, [row.senses for row in rows])


def fit(name: str, answers: QuestionMatrix, **given: Any) -> DecisionList:
    made = learner(name, **given).fit(answers)
    assert isinstance(made, DecisionList)
    return made


def numbers(fitted: DecisionList) -> list[int]:
    """Random problems have numbers for questions."""
    return list(cast("Sequence[int]", fitted.questions))


def names(fitted: Any) -> list[str]:
    return [str(question) for question in fitted.questions]


@pytest.mark.parametrize(
    ("discount", "wind", "no_wind", "left"),
    [(0.0, 4.6584, 1.4210, 2.0000), (0.7, 3.7408, 1.4109, 2.9277)],
)
def test_the_incremental_weatherman_asks_for_wind_first(
    discount: float, wind: float, no_wind: float, left: float
) -> None:
    days = weathermen()
    fitted = fit("prepend", days, discount=discount, epsilon=0.0)
    assert names(fitted) == ["wind=no", "wind=yes"]  # WIND was put in front first
    assert fitted.gains.tolist() == pytest.approx([no_wind, wind], abs=5e-5)
    assert bits(days, fitted.predict_proba(days)) == pytest.approx(left, abs=5e-5)


@pytest.mark.parametrize(("discount", "left"), [(0.0, 6.6584), (0.7, 6.6685)])
@pytest.mark.parametrize("name", ["sorted", "compromise"])
def test_the_other_weatherman_never_asks_for_wind(name: str, discount: float, left: float) -> None:
    days = weathermen()
    given = {} if name == "sorted" else {"epsilon": 0.0}
    fitted = fit(name, days, discount=discount, **given)
    assert names(fitted) == ["wind=no"]
    # 98 costs of 2**-21 bit too much or too little make up to 5e-5
    assert bits(days, fitted.predict_proba(days)) == pytest.approx(left, abs=1e-4)


def test_at_three_bits_only_wind_is_worth_asking() -> None:
    fitted = fit("prepend", weathermen(), discount=0.7, epsilon=3.0)
    assert names(fitted) == ["wind=yes"]


def test_the_default_costs_what_the_forecast_says() -> None:
    days = weathermen()
    fitted = fit("mfs", days)
    assert bits(days, fitted.predict_proba(days)) == pytest.approx(8.0793, abs=5e-5)


def test_probabilities_of_wind() -> None:
    fitted = fit("prepend", weathermen(), discount=0.7, epsilon=0.0)
    without, wind = (rule.probabilities["rain"] for rule in fitted.rules)
    assert wind == pytest.approx(0.843)
    assert without == pytest.approx(0.999929, abs=5e-7)


# -- the edges: a gain of exactly epsilon, and equal gains --


def test_a_rule_must_save_epsilon_bits_and_no_more() -> None:
    days = weathermen()
    gain = float(fit("prepend", days, epsilon=0.0).gains[-1])  # of the rule that came first
    assert len(fit("prepend", days, epsilon=gain).questions) == 1
    assert len(fit("prepend", days, epsilon=np.nextafter(gain, np.inf)).questions) == 0


def test_the_run_ends_when_nothing_is_saved() -> None:
    """At epsilon 0 too: question 0 says nothing of the outcome, question 1 all of it."""
    matrix = [[1, 0], [1, 1], [1, 0], [1, 1]]
    fitted = fit(
        "prepend", QuestionMatrix.from_matrix(matrix, [0, 1, 0, 1], "ab"), discount=0.0, epsilon=0.0
    )
    assert numbers(fitted) == [1]


def test_of_equal_gains_the_question_of_fewer_conditions_comes_first_whatever_its_count() -> None:
    """Four a at 1 bit each save as much as two b at 2 bits each."""
    outcome = [0, 0, 0, 0, 1, 1, 2, 2]
    single = [0, 0, 0, 0, 1, 1, 0, 0]
    first, second = [1, 1, 1, 1, 0, 0, 1, 0], [1, 1, 1, 1, 1, 0, 0, 0]
    answers = QuestionMatrix.from_matrix(
        np.array([single, first, second]).T, outcome, "abc", members=[[1, 2], [0, -1]]
    )
    fitted = fit("prepend", answers, discount=0.0, epsilon=0.0)
    assert fitted.gains.tolist() == [4.0, 4.0]
    assert numbers(fitted) == [0, 1]  # the conjunction, of four rows, was put in front later


# -- random problems --

discounts = st.sampled_from([0.0, 0.3, 0.7, 0.9, 1.0, 1.7])
epsilons = st.sampled_from([0.0, 0.25, 1.0, 3.0])


def naive(answers: QuestionMatrix, discount: float, epsilon: float) -> list[tuple[int, float]]:
    """Figure 1: try every question in front of the list, prepend the best, again and again."""
    true = truth(answers)
    C = np.array(
        [
            [answers.weight[true[:, q] & (answers.outcome == y)].sum() for y in range(K)]
            for K in [len(answers.senses)]
            for q in range(answers.n_questions)
        ]
    )
    prior = unigram(answers.prior_counts())
    costs = cost(discounted(C, prior, discount))
    default = cost(prior)
    order = sorted(
        (q for q in range(answers.n_questions) if C[q].sum() > 0),
        key=lambda q: (answers.sizes[q], -C[q].sum(), q),
    )

    def entropy_of(questions: list[int]) -> float:
        total = 0.0
        for row in range(answers.n_rows):
            y = answers.outcome[row]
            first = next((q for q in questions if true[row, q]), None)
            total += answers.weight[row] * (default[y] if first is None else costs[first, y])
        return float(total)

    made: list[tuple[int, float]] = []  # front to back
    while True:
        now = entropy_of([q for q, _ in made])
        gains = [now - entropy_of([q, *(p for p, _ in made)]) for q in order]
        if not gains or max(gains) < epsilon or max(gains) <= 0:
            return made
        best = order[gains.index(max(gains))]
        earlier = sum(gain for q, gain in made if q == best)
        made = [(q, gain) for q, gain in made if q != best]
        made.insert(0, (best, max(gains) + earlier))


@given(problems(), discounts, epsilons)
@settings(max_examples=250, deadline=None)
def test_three_forms_of_prepend_give_the_same_list(
    answers: QuestionMatrix, discount: float, epsilon: float
) -> None:
    by_hand = naive(answers, discount, epsilon)
    fitted = fit("prepend", answers, discount=discount, epsilon=epsilon)
    assert list(zip(numbers(fitted), fitted.gains.tolist(), strict=True)) == by_hand
    fresh = QuestionMatrix(**vars_of(answers))
    lists_equal(fitted, fit("prepend", fresh, discount=discount, epsilon=epsilon, save_space=True))
    assert "by_row" not in fresh.__dict__, "the space-saving form made the matrix of questions"


@given(problems(), discounts, epsilons)
@settings(max_examples=150, deadline=None)
def test_bits_of_the_list_are_those_of_the_default_less_the_gains(
    answers: QuestionMatrix, discount: float, epsilon: float
) -> None:
    for name in ("prepend", "compromise"):
        fitted = fit(name, answers, discount=discount, epsilon=epsilon)
        _check_gains(answers, fitted)
    _check_gains(answers, learner("sorted", discount=discount).fit(answers))


def _check_gains(answers: QuestionMatrix, fitted: Any) -> None:
    default = bits(answers, np.tile(fitted.probabilities[-1], (answers.n_rows, 1)))
    assert bits(answers, fitted.predict_proba(answers)) == default - fitted.gains.sum()
    assert fitted.supports.sum() == answers.weight.sum()


@given(problems(), discounts)
@settings(max_examples=100, deadline=None)
def test_one_run_gives_every_epsilon(answers: QuestionMatrix, discount: float) -> None:
    ordered, counts = answers.in_order()
    steps = list(path(ordered, counts, discount))
    for epsilon in (0.0, 0.5, 1.0, 2.0, 3.0):
        below = [n for n, step in enumerate(steps) if step.gain < epsilon]
        prefix = steps[: below[0]] if below else steps
        separate = fit("prepend", answers, discount=discount, epsilon=epsilon)
        lists_equal(list_of(ordered, counts, prefix, discount), separate)


@given(problems(), discounts)
@settings(max_examples=100, deadline=None)
def test_sorted_is_by_predicted_entropy_and_never_behind_true(
    answers: QuestionMatrix, discount: float
) -> None:
    fitted = fit("sorted", answers, discount=discount)
    H = entropy(fitted.probabilities)
    assert (np.diff(H[:-1]) >= 0).all()
    assert (H[-1] >= H).all()
    P = discounted(answers.counts(), unigram(answers.prior_counts()), discount)
    sure_enough = (entropy(P) <= H[-1]) & (answers.counts().sum(axis=1) > 0)
    assert set(numbers(fitted)) == set(np.flatnonzero(sure_enough).tolist())


@given(problems(), discounts)
@settings(max_examples=60, deadline=None)
def test_compromise_without_threshold_is_sorted(answers: QuestionMatrix, discount: float) -> None:
    kept = fit("compromise", answers, discount=discount, epsilon=-np.inf)
    every = fit("sorted", answers, discount=discount)
    lists_equal(kept, every)


@given(problems(), discounts)
@settings(max_examples=100, deadline=None)
def test_ties_of_sorted(answers: QuestionMatrix, discount: float) -> None:
    """Of equally sure questions: more conditions first, then larger count, then their order."""
    C = answers.counts()
    H = entropy(discounted(C, unigram(answers.prior_counts()), discount))
    default = entropy(unigram(answers.prior_counts()))
    kept = [q for q in range(answers.n_questions) if C[q].sum() > 0 and H[q] <= default]
    by_key = sorted(kept, key=lambda q: (H[q], -answers.sizes[q], -C[q].sum(), q))
    assert numbers(fit("sorted", answers, discount=discount)) == by_key


def literal_compromise(answers: QuestionMatrix, discount: float, epsilon: float) -> list[int]:
    """Figure 3, instance by instance."""
    sorted_list = fit("sorted", answers, discount=discount)
    true = truth(answers)
    prior = cost(unigram(answers.prior_counts()))
    P = cost(discounted(answers.counts(), unigram(answers.prior_counts()), discount))
    current = [prior[y] for y in answers.outcome]
    kept: list[int] = []
    for question in reversed(numbers(sorted_list)):
        rows = [row for row in range(answers.n_rows) if true[row, question]]
        saved = sum(
            answers.weight[r] * (current[r] - P[question, answers.outcome[r]]) for r in rows
        )
        if saved >= epsilon:
            kept.insert(0, question)
            for row in rows:
                current[row] = P[question, answers.outcome[row]]
    return kept


@given(problems(), discounts, epsilons)
@settings(max_examples=100, deadline=None)
def test_compromise_is_figure_3(answers: QuestionMatrix, discount: float, epsilon: float) -> None:
    fitted = fit("compromise", answers, discount=discount, epsilon=epsilon)
    assert numbers(fitted) == literal_compromise(answers, discount, epsilon)


@given(problems(), st.sampled_from(["sorted", "compromise", "prepend"]))
@settings(max_examples=100, deadline=None)
def test_the_order_of_rows_does_not_matter(answers: QuestionMatrix, name: str) -> None:
    order = np.random.default_rng(0).permutation(answers.n_rows)
    one = fit(name, answers)
    other = fit(name, answers.take(order))
    lists_equal(one, other)


@given(problems(), st.sampled_from(["sorted", "compromise", "prepend"]))
@settings(max_examples=100, deadline=None)
def test_a_weight_is_that_many_rows(answers: QuestionMatrix, name: str) -> None:
    times = 1 + np.arange(answers.n_rows) % 3
    weighted = QuestionMatrix(**{**vars_of(answers), "weight": times.astype(float)})
    plain = QuestionMatrix(**{**vars_of(answers), "weight": np.ones(answers.n_rows)})
    one = fit(name, weighted)
    other = fit(name, plain.take(np.repeat(np.arange(answers.n_rows), times)))
    lists_equal(one, other)


@given(problems(), st.sampled_from(sorted(set(LEARNERS))), st.sampled_from(["default", "rules"]))
@settings(max_examples=200, deadline=None)
def test_rows_sum_to_1(answers: QuestionMatrix, name: str, reestimate: str) -> None:
    given_ = {"reestimate": reestimate} if "reestimate" in parameters(name) else {}
    answers = readable(answers)
    P = learner(name, **given_).fit(answers).predict_proba(answers)
    assert P.shape == (answers.n_rows, len(answers.senses))
    assert P.sum(axis=1) == pytest.approx(1)


def test_a_rule_chosen_again_moves_to_the_front() -> None:
    """q is taken first, p takes part of it over, then q is worth asking again before p."""
    rng = np.random.default_rng(5)
    for _ in range(2000):
        matrix = rng.random((12, 4)) < 0.5
        answers = QuestionMatrix.from_matrix(matrix, rng.integers(0, 3, 12), "abc")
        ordered, counts = answers.in_order()
        steps = list(path(ordered, counts, 0.3))
        chosen = [step.question for step in steps]
        if len(set(chosen)) < len(chosen):
            break
    else:
        pytest.fail("no random problem chose a question twice")
    made = list_of(ordered, counts, steps, 0.3)
    assert len(made.questions) == len(set(chosen))
    moved = next(q for q in chosen if chosen.count(q) > 1)
    place = [ordered.questions[q] for q in dict.fromkeys(reversed(chosen))]
    assert list(made.questions) == place
    gain = sum(step.gain for step in steps if step.question == moved)
    assert made.gains[place.index(ordered.questions[moved])] == gain


def test_reestimation_of_the_default_looks_at_what_reaches_it() -> None:
    """Of ten rows one rule takes six; of the four that are left three are b."""
    answers = QuestionMatrix.from_matrix([[1]] * 6 + [[0]] * 4, [0] * 6 + [1, 1, 1, 0], "ab")
    plain = fit("prepend", answers, epsilon=0.0)
    again = fit("prepend", answers, epsilon=0.0, reestimate="default")
    assert plain.probabilities[-1].tolist() == [0.7, 0.3]
    m = 30
    assert again.probabilities[-1].tolist() == [(1 + m * 0.7) / (4 + m), (3 + m * 0.3) / (4 + m)]
    assert again.probabilities[:-1].tobytes() == plain.probabilities[:-1].tobytes()


@pytest.mark.parametrize(
    ("name", "given_"),
    [
        ("prepend", {"epsilon": float("inf")}),
        ("prepend", {"epsilon": -1.0}),
        ("prepend", {"epsilon": float("nan")}),
        ("prepend", {"discount": -0.1}),
        ("prepend", {"discount": float("nan")}),
        ("prepend", {"reestimate": "all"}),
        ("prepend", {"max_rules": -1}),
        ("compromise", {"epsilon": float("inf")}),
        ("compromise", {"discount": -0.1}),
        ("compromise", {"reestimate": "all"}),
        ("sorted", {"discount": -0.1}),
        ("sorted", {"reestimate": "all"}),
        ("compromise", {"epsilon": float("nan")}),
        ("sorted", {"epsilon": 3.0}),
        ("nobody", {}),
    ],
)
def test_impossible_parameters(name: str, given_: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        learner(name, **given_).fit(weathermen())


@pytest.mark.parametrize("epsilon", [-np.inf, -1.0, 0.0])
def test_compromise_takes_any_epsilon_below(epsilon: float) -> None:
    assert names(fit("compromise", weathermen(), epsilon=epsilon))[0] == "wind=no"


def test_contact_lenses() -> None:
    """Twelve of 24 have too few tears for any; *hard* would need three conditions."""
    rows = read([TABLES / "contact-lenses.arff"]).train
    model = train(rows, min_count=1, discount=0.9, epsilon=0.0)
    right = [answer.sense for answer in model.answer(rows.instances)]
    assert sum(a in row.senses for a, row in zip(right, rows.instances, strict=True)) == 21
    first_chosen = model["contact-lenses"].rules[-1]
    assert str(first_chosen.question) == "tear-prod-rate=reduced"
    assert (first_chosen.sense, first_chosen.count) == ("none", 12)


def test_costs_of_a_known_label_are_finite_unless_nothing_is_discounted() -> None:
    P: Floats = discounted([2.0, 0.0], [0.5, 0.5], 0.7)
    assert np.isfinite(cost(P)).all()
    assert np.isinf(cost(discounted([2.0, 0.0], [0.5, 0.5], 0.0))[1])


def test_the_defaults_are_those_of_the_documentation() -> None:
    common = {"discount": 0.9, "reestimate": "none"}
    assert parameters("sorted") == common
    assert parameters("compromise") == {**common, "epsilon": 3.0}
    others = {"epsilon": 3.0, "max_rules": None, "save_space": False}
    assert parameters("prepend") == {**common, **others}


@given(problems(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_answers_of_fewer_rules_are_those_of_a_shorter_list(
    answers: QuestionMatrix, from_the_end: bool
) -> None:
    """The default alone comes first, then one rule more each time, from either end."""
    fitted = fit("prepend", readable(answers), discount=0.7, epsilon=0.0)
    rules, default = fitted.rules, fitted.default
    by_size = list(fitted.by_size(readable(answers), from_the_end=from_the_end))
    assert len(by_size) == fitted.n_rules + 1
    for size, senses in enumerate(by_size):
        kept = rules[len(rules) - size :] if from_the_end else rules[:size]
        shorter = fitted.with_rules(kept, default)
        expected = [answer.sense for answer in shorter.answer(readable(answers))]
        assert [fitted.senses[sense] for sense in senses.tolist()] == expected


@given(problems(), discounts, st.sampled_from(["none", "default", "rules"]))
@settings(max_examples=60, deadline=None)
def test_the_arithmetic_of_a_rule_comes_to_its_probabilities(
    answers: QuestionMatrix, discount: float, reestimate: str
) -> None:
    answers = readable(answers)
    fitted = fit("prepend", answers, discount=discount, epsilon=0.0, reestimate=reestimate)
    for place, rule in enumerate((*fitted.rules, fitted.default)):
        for sense, P in rule.probabilities.items():
            said, _, formula = fitted.arithmetic(place, sense).partition(" = ")
            assert said == f"P({sense})"
            assert eval(formula) == pytest.approx(P, abs=1e-9)


@given(problems())
@settings(max_examples=60, deadline=None)
def test_an_answer_names_its_rule_or_the_default(answers: QuestionMatrix) -> None:
    answers = readable(answers)
    fitted = fit("prepend", answers, discount=0.7, epsilon=0.0)
    true = truth(answers.asked(fitted.questions)) if fitted.n_rules else np.zeros((99, 0))
    for row, answer in enumerate(fitted.answer(answers)):
        first = next(iter(np.flatnonzero(true[row]).tolist()), None)
        rule = fitted.default if first is None else fitted.rules[first]
        assert answer.rule == (None if first is None else first + 1)
        assert answer.reason == ("the default answered" if first is None else "")
        assert (answer.question, answer.sense) == (rule.question, rule.sense)
        assert answer.distribution == rule.probabilities
        places = np.flatnonzero(true[row]).tolist()
        assert fitted.true(answers, row) == [*places, fitted.n_rules]
        evidence = fitted.evidence(answers, row)
        assert [number for number, _ in evidence.rules] == [*(p + 1 for p in places), None]
        assert evidence.n_rules == fitted.n_rules


def test_the_size_of_a_list_is_its_rules_and_their_conditions() -> None:
    matrix = [[1, 1]] * 5 + [[1, 0], [0, 1]] * 3
    outcome = [0] * 5 + [1] * 6
    answers = QuestionMatrix.from_matrix(matrix, outcome, "ab", members=[[0, 1]])
    fitted = fit("prepend", readable(answers), epsilon=0.5)
    assert (fitted.size.rules, fitted.size.conditions) == (1, 2)
    assert fitted.n_rules == 1


def test_a_list_says_whether_a_person_set_a_probability() -> None:
    fitted = fit("prepend", weathermen(), epsilon=0.5)
    assert not fitted.is_set_by_hand
    by_hand = replace(fitted.rules[0], set_by_hand=True, probabilities={"dry": 0.25, "rain": 0.75})
    other = fitted.with_rules([by_hand, *fitted.rules[1:]], fitted.default)
    assert other.is_set_by_hand
    assert other.arithmetic(0, "dry") == "P(dry) = 0.25 by hand"
    assert other.rules[0].cells()[2] == "0.750*"
    assert not other.rules[-1].set_by_hand


def test_a_list_is_printed_from_if_to_else() -> None:
    """The default stands last, however many rules are shown."""
    days = weathermen()
    fitted = fit("prepend", days, discount=0.7, epsilon=0.0)
    table = fitted.table(1)
    assert [row[:3] for row in table.rows] == [("IF", "wind=no", "rain"), ("ELSE", "", "rain")]
    assert (table.left_out, table.ends_in_default) == (1, True)
    assert [row[0] for row in fitted.table().rows] == ["IF", "ELSE IF", "ELSE"]
    assert fitted.table().header[-1] == "gain (bits)"
    assert fitted.sense_counts() == {"dry": 1, "rain": 99}
    assert fitted.answered is not None
    assert fitted.without_training_rows().answered is None


@pytest.mark.parametrize("reestimate", ["none", "default", "rules"])
@pytest.mark.parametrize("epsilon", [0.0, 3.0])
def test_counted_again_in_its_training_data_a_list_stays_as_it_is(
    reestimate: str, epsilon: float
) -> None:
    """Also one of a single rule."""
    days = weathermen()
    fitted = fit("prepend", days, discount=0.7, epsilon=epsilon, reestimate=reestimate)
    assert fitted.n_rules == (1 if epsilon else 2)
    assert fitted.answered is not None
    reached = np.zeros_like(fitted.counts)
    np.add.at(reached, (fitted.answered, days.outcome), days.weight)
    again = fitted.recounted(fitted.counts, reached, lambda _: fitted.gains)
    lists_equal(again, fitted)
    for rule, other in zip(again.rules, fitted.rules, strict=True):
        assert rule.reached_counts == other.reached_counts
    assert (again.default.reached_counts is None) == (reestimate == "none")


@given(problems(), discounts, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_a_limit_of_rules_ends_the_run_before_one_rule_more(
    answers: QuestionMatrix, discount: float, most: int
) -> None:
    """A rule that moves to the front makes the list no longer."""
    ordered, counts = answers.in_order()
    steps = list(path(ordered, counts, discount))
    sizes = [len({step.question for step in steps[: n + 1]}) for n in range(len(steps))]
    within = steps[: sum(size <= most for size in sizes)]
    limited = fit("prepend", answers, discount=discount, epsilon=0.0, max_rules=most)
    lists_equal(limited, list_of(ordered, counts, within, discount))


@given(problems(), discounts)
@settings(max_examples=60, deadline=None)
def test_conditions_that_no_question_asks_change_nothing(
    answers: QuestionMatrix, discount: float
) -> None:
    """Each question is one condition, every second condition is not asked."""
    dense = answers.conditions.toarray()
    dense = np.hstack([dense, dense[:, ::-1]])
    known = answers.outcome, answers.senses
    some = range(1, dense.shape[1], 2)
    asked = QuestionMatrix.from_matrix(
        dense, *known, weight=answers.weight, members=[[n] for n in some]
    )
    alone = QuestionMatrix.from_matrix(dense[:, some], *known, weight=answers.weight)
    for name in ("prepend", "sorted", "compromise"):
        lists_equal(fit(name, asked, discount=discount), fit(name, alone, discount=discount))


def test_a_condition_that_is_not_asked_gives_no_question_its_gain() -> None:
    """There are as many questions as rows, and fewer than conditions."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        matrix, outcome = rng.random((6, 9)) < 0.5, rng.integers(0, 2, 6)
        asked = QuestionMatrix.from_matrix(matrix, outcome, "ab", members=[[n] for n in range(6)])
        alone = QuestionMatrix.from_matrix(matrix[:, :6], outcome, "ab")
        given_ = {"discount": 0.3, "epsilon": 0.0}
        lists_equal(fit("prepend", asked, **given_), fit("prepend", alone, **given_))


def test_both_forms_of_prepend_can_ask_what_is_always_true() -> None:
    """TRUE is worth a rule if the default is not that of the training data left; here never."""
    answers = QuestionMatrix.from_matrix(
        [[1, 1], [1, 1], [0, 1], [0, 0]], [0, 0, 1, 1], "ab", members=[[-1, -1], [0, 1]]
    )
    ordered, counts = answers.in_order()
    assert counts.sum(axis=1).tolist() == [4, 2]
    plain, spare = _Postings(ordered), _Conditions(ordered)
    for question in (0, 1):
        assert sorted(plain.rows(question)) == sorted(spare.rows(question))
    lists_equal(
        fit("prepend", answers, epsilon=0.0), fit("prepend", answers, epsilon=0.0, save_space=True)
    )


def test_which_lists_are_made_from_their_end() -> None:
    """Their last rules alone are what an earlier stop would have left."""
    names = {name for name in LEARNERS if getattr(learner_class(name), "from_the_end", False)}
    webb = {name for name in LEARNERS if name.startswith("webb-prepend")}
    assert names == {"prepend", "compromise", "backoff"} | webb
