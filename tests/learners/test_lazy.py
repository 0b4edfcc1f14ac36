"""LazyRule: the paper's Table 1 step by step, leaving one out by leaving out, and the cache."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import TABLES, seed_records
from wsdlist.data.corpus import Corpus, Instance, Row
from wsdlist.errors import ParameterError
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.positions import Column
from wsdlist.features.questions import Condition, Question
from wsdlist.features.tables import TableQuestions, ask_rows, extract_rows
from wsdlist.learners import from_record, learner, parameters
from wsdlist.learners._lazy_growth import Antecedent, Growth, PaperWays, WekaWays, sign_test
from wsdlist.learners._local import ListBase, MajorityBase, NaiveBayesBase, NeighboursBase, Problem
from wsdlist.learners.fitted.base import Size
from wsdlist.learners.fitted.lazy_rules import LazyRules
from wsdlist.learners.smoothing import discounted
from wsdlist.training.train import train

LAZY = ("lazy-nb", "lazy-nb-weka", "lazy-mv", "lazy-knn", "lazy-list")


def problem(seed: int, n: int = 40) -> Problem:
    rng = np.random.default_rng(seed)
    n_values = rng.integers(2, 4, 3)
    codes = np.stack([rng.integers(-1, size, n) for size in n_values], axis=1)
    return Problem(codes, n_values, rng.integers(0, 3, n), 3)


def posterior(
    p: Problem, rows: Any, used: list[int], case: int, base: NaiveBayesBase
) -> list[float]:
    """Naive Bayes as one writes it down, p_v with ``case`` in, the counts without it."""
    everyone = [int(row) for row in rows]
    known = [row for row in everyone if row != case]
    scores = []
    for c in range(p.n_classes):
        n_c = sum(p.outcome[row] == c for row in known)
        score = log((n_c + 1) / (len(known) + p.n_classes))
        for a in used:
            v, V = p.codes[case, a], int(p.n_values[a])
            if v < 0:
                continue
            n_vc = sum(p.outcome[row] == c and p.codes[row, a] == v for row in known)
            n_v = sum(p.codes[row, a] == v for row in everyone)
            if base.estimate == "m":
                score += log((n_vc + base.m * (n_v + 1) / (len(everyone) + V)) / (n_c + base.m))
            else:
                score += log((n_vc + 1) / (n_c + V))
        scores.append(round(score, 9))
    return scores


@pytest.mark.parametrize(
    "base", [NaiveBayesBase(), NaiveBayesBase("laplace"), NaiveBayesBase("m", 0.5)]
)
def test_leaving_one_out_is_learning_without_it(base: NaiveBayesBase) -> None:
    for seed in range(12):
        p = problem(seed)
        rows = np.flatnonzero(np.random.default_rng(seed).random(len(p.outcome)) < 0.7)
        for attributes in ([0, 1, 2], [0, 2], [1], []):
            used = np.isin(p.attribute, attributes)
            wrong = base.learn(p, rows, used).wrong
            expected = [
                int(np.argmax(posterior(p, rows, attributes, row, base))) != p.outcome[row]
                for row in rows.tolist()
            ]
            assert wrong.tolist() == expected


def test_majority_and_neighbours_leave_the_case_out_too() -> None:
    for seed in range(12):
        p = problem(seed)
        rows = np.arange(0, len(p.outcome), 2)
        used = np.ones(p.shown.shape[1], dtype=bool)
        wrong = MajorityBase().learn(p, rows, used).wrong
        near = NeighboursBase(3).learn(p, rows, used).wrong
        for number, row in enumerate(rows.tolist()):
            others = [other for other in rows.tolist() if other != row]
            votes = np.bincount(p.outcome[others], minlength=3)
            assert wrong[number] == (votes.argmax() != p.outcome[row])
            alike = {
                other: sum(a == b >= 0 for a, b in zip(p.codes[row], p.codes[other], strict=True))
                for other in others
            }
            kth = sorted(alike.values(), reverse=True)[2]
            votes = np.bincount(
                [p.outcome[other] for other in others if alike[other] >= kth], minlength=3
            )
            assert near[number] == (votes.argmax() != p.outcome[row])


def test_a_case_that_is_the_only_one_of_its_class_is_left_out_too() -> None:
    """Its class then has no case."""
    for seed in range(40):
        p = problem(seed, n=12)
        outcome = np.where(p.outcome == 2, 0, p.outcome)
        outcome[0] = 2
        p = replace(p, outcome=outcome)
        base = NaiveBayesBase("m", 0.5)
        rows, used = np.arange(12), np.ones(p.shown.shape[1], dtype=bool)
        scores = posterior(p, rows, [0, 1, 2], 0, base)
        assert base.learn(p, rows, used).wrong[0] == (int(np.argmax(scores)) != 2)


def test_more_neighbours_than_there_are_is_all_others() -> None:
    for seed in range(12):
        p = problem(seed)
        rows, used = np.arange(40), np.ones(p.shown.shape[1], dtype=bool)
        counts = np.bincount(p.outcome, minlength=3)
        wrong = NeighboursBase(99).learn(p, rows, used).wrong
        assert wrong.tolist() == MajorityBase().learn(p, rows, used).wrong.tolist()
        assert NeighboursBase(99).learn(p, rows, used).distribution(p.codes[0]) == pytest.approx(
            discounted(counts, counts / 40, 0.5)
        )


def test_the_nearest_of_many_cases_are_those_that_share_most() -> None:
    p = problem(3, n=400)
    rows, used = np.arange(400), np.ones(p.shown.shape[1], dtype=bool)
    prior = np.bincount(p.outcome, minlength=3) / 400
    for k, row in product((1, 7, 60, 399), range(20)):
        alike = ((p.codes == p.codes[row]) & (p.codes >= 0)).sum(axis=1)
        near = alike >= np.sort(alike)[-k]
        votes = np.bincount(p.outcome[near], minlength=3)
        local = NeighboursBase(k).learn(p, rows, used)
        assert local.distribution(p.codes[row]) == pytest.approx(discounted(votes, prior, 0.5))


def test_the_nearest_cases_of_a_new_one_vote_and_all_that_are_as_near() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, -1]])
    p = Problem(codes, np.array([2, 2, 2]), np.array([0, 1, 1, 0, 0]), 2)
    everything = np.ones(6, dtype=bool)
    prior = np.array([0.6, 0.4])
    for k, votes in ((1, [1, 0]), (2, [1, 2]), (3, [1, 2]), (4, [3, 2]), (9, [3, 2])):
        local = NeighboursBase(k).learn(p, np.arange(5), everything)
        expected = [
            (max(n - 0.5, 0) + sum(min(v, 0.5) for v in votes) * P) / sum(votes)
            for n, P in zip(votes, prior, strict=True)
        ]
        assert local.distribution(np.array([0, 0, 0])) == pytest.approx(expected)


def test_a_missing_value_is_no_condition() -> None:
    """Where a is missing the class is not b, else it is; only naive Bayes may see that."""
    rows = switched()
    rows = [
        replace(row, values=(None if row.values[0] == "1" else "0", *row.values[1:]))
        for row in rows
    ]
    made = fit("lazy-nb", rows)
    grown = made.antecedents(ask_rows(rows, made.questions))
    assert all(value >= 0 for antecedent in grown for _, value in antecedent)
    assert any(antecedent for antecedent in grown)


def test_a_rule_grows_from_as_many_cases_as_it_needs() -> None:
    rows = switched(60)
    case = fit("lazy-nb", rows).problem.codes[0]
    assert fit("lazy-nb", rows, min_cases=60).grow(case).antecedent
    assert not fit("lazy-nb", rows, min_cases=61).grow(case).antecedent


def test_the_sign_test_is_one_tailed_and_of_pairs() -> None:
    for b, c in ((0, 0), (0, 4), (0, 5), (2, 9), (9, 2), (3, 3)):
        tail = sum(comb(b + c, k) for k in range(b + 1)) / 2 ** (b + c)
        assert sign_test(b, c) == pytest.approx(tail)
    assert sign_test(0, 4) > 0.05 > sign_test(0, 5)


def switched(n: int = 240, seed: int = 0) -> list[Row]:
    """Where a is 0 the class is b, where a is 1 it is not: naive Bayes alone cannot know."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(n):
        a, b, c = (int(rng.integers(2)) for _ in range(3))
        said = (a ^ b) if rng.random() > 0.05 else int(rng.integers(2))
        values = (str(a), str(b), None if rng.random() < 0.1 else str(c))
        made.append(Row(f"r{number}", "t", tuple("abc"), values, (f"s{said}",)))
    return made


def fit(name: str, rows: list[Row], **given: Any) -> LazyRules:
    answers = extract_rows(rows, [row.senses for row in rows], TableQuestions("="))
    made = learner(name, **given).fit(answers)
    assert isinstance(made, LazyRules)
    return made


def literal(made: LazyRules, case: Any) -> Antecedent:
    """Table 1 of the paper, nothing kept between cases."""
    p = made.problem
    left = list(range(len(p.n_values)))
    rows = np.arange(len(p.outcome))
    antecedent: Antecedent = ()

    def used() -> Any:
        return np.isin(p.attribute, left)

    wrong = made.base.learn(p, rows, used()).wrong
    while len(rows) >= made.min_cases:
        best, chosen = len(rows) + 1, None
        for a in list(left):
            v = int(case[a])
            if v < 0:
                continue
            inside = p.codes[rows, a] == v
            if not inside.any():
                continue
            left.remove(a)
            temp = made.base.learn(p, rows[inside], used()).wrong
            left.insert(0, a)
            left.sort()
            together = wrong.copy()
            together[inside] = temp
            b = int((together & ~wrong).sum())
            c = int((wrong & ~together).sum())
            if together.sum() < best and sign_test(b, c) < 0.05:
                best, chosen, kept = int(together.sum()), (a, v), (rows[inside], temp)
        if chosen is None:
            break
        antecedent = (*antecedent, chosen)
        left.remove(chosen[0])
        rows, wrong = kept
    return antecedent


@pytest.mark.parametrize("name", ["lazy-nb", "lazy-mv", "lazy-knn", "lazy-list"])
def test_each_rule_is_that_of_the_paper(name: str) -> None:
    made = fit(name, switched())
    new = switched(40, seed=1)
    codes = made.codes(ask_rows(new, made.questions))
    grown = [made.grow(case).antecedent for case in codes]
    assert grown == [literal(made, case) for case in codes]
    if name == "lazy-nb":
        assert any(grown), "no rule was grown at all"


def test_of_conditions_with_as_few_errors_the_first_is_taken() -> None:
    rows = [
        replace(row, names=tuple("abcd"), values=(*row.values, row.values[0])) for row in switched()
    ]
    made = fit("lazy-nb", rows)
    codes = made.problem.codes
    (first, twin) = (a for a in range(4) if ((codes == codes[:, [a]]).all(axis=0)).sum() == 2)
    added = {attribute for case in codes for attribute, _ in made.grow(case).antecedent}
    assert first in added
    assert twin not in added


def test_a_rule_makes_naive_bayes_see_what_it_cannot() -> None:
    made, new = fit("lazy-nb", switched()), switched(200, seed=2)
    plain = learner("naive-bayes").fit(
        extract_rows(switched(), [row.senses for row in switched()], TableQuestions("="))
    )

    def right(fitted: Any) -> float:
        P = fitted.predict_proba(ask_rows(new, fitted.questions))
        pairs = zip(P.argmax(axis=1), new, strict=True)
        return float(np.mean([fitted.senses[best] in row.senses for best, row in pairs]))

    assert right(made) > 0.9 > right(plain) + 0.2


def test_the_story_of_a_rule_says_its_errors_before_and_after() -> None:
    made = fit("lazy-nb", switched())
    new = ask_rows(switched(20, seed=1), made.questions)
    grown = [made.grow(case).antecedent for case in made.codes(new)]
    row = next(n for n, antecedent in enumerate(grown) if len(antecedent) == 1)
    node = made.grow(made.codes(new)[row])
    lines = made.story(new, row)
    assert lines[0].startswith(f"rule grown: {made.text(node.antecedent)} ({len(node.rows)} of 240")
    root = made.grow(np.full(3, -1))  # nothing is known of it: no rule
    before = int(root.local.wrong.sum())
    after = int(node.local.wrong.sum()) + int(
        root.local.wrong[~np.isin(root.rows, node.rows)].sum()
    )
    assert f"errors {before} -> {after} of 240" in lines[1]
    assert any(line.startswith("local prior: s0 ") for line in lines)


@pytest.mark.parametrize("name", LAZY)
def test_the_cache_and_the_order_of_cases_change_nothing(name: str) -> None:
    new = switched(60, seed=3)
    rng = np.random.default_rng(0)
    expected = fit(name, switched())
    asked = ask_rows(new, expected.questions)
    P, grown = expected.predict_proba(asked), expected.antecedents(asked)
    for size in (0, 1, 3, None):
        made = fit(name, switched(), cache_size=size)
        order = rng.permutation(len(new))
        shuffled = ask_rows([new[n] for n in order], made.questions)
        assert (made.predict_proba(shuffled) == P[order]).all()
        assert made.antecedents(shuffled) == grown
        assert size is None or len(made.growth.cache) <= size
    assert sum(grown.values()) == len(new)


def test_the_trials_used_last_are_kept() -> None:
    growth = fit("lazy-nb", switched(), cache_size=2).growth
    codes = growth.problem.codes
    one, other = (next(case for case in codes if (case[:2] == value).all()) for value in (0, 1))
    first, second = growth.grow(one).antecedent, growth.grow(other).antecedent
    assert first != second
    assert len(first) == len(second) == 1
    assert list(growth.cache) == [(), second]
    kept = growth.cache[()]
    growth.grow(one)
    assert list(growth.cache) == [(), first]
    assert growth.cache[()] is kept


def test_the_memory_of_a_lazy_learner_is_bounded() -> None:
    assert parameters("lazy-nb")["cache_size"] is not None


def test_the_size_does_not_depend_on_what_was_asked() -> None:
    made, new = fit("lazy-nb", switched()), switched(60, seed=3)
    asked = ask_rows(new, made.questions)
    before = made.to_record()
    assert (made.n_rules, made.size) == (0, Size(0, 0))
    made.predict_proba(asked)
    grown = made.antecedents(asked)
    assert len(grown) > 1
    assert (made.n_rules, made.size) == (0, Size(0, 0))
    assert made.to_record() == before
    made.predict_proba(ask_rows(switched(60, seed=4), made.questions))
    assert made.antecedents(asked) == grown, (
        "asking about other cases changed what is grown for these"
    )


def test_the_rules_grown_for_cases_are_counted_the_most_used_first() -> None:
    made, new = fit("lazy-nb", switched()), switched(60, seed=3)
    asked = ask_rows(new, made.questions)
    antecedents = [made.grow(case).antecedent for case in made.codes(asked)]
    grown = made.antecedents(asked)
    assert grown == Counter(antecedents)
    assert list(grown) == sorted(grown, key=lambda antecedent: (-grown[antecedent], antecedent))
    assert made.antecedents(asked.take(np.arange(0))) == {}


@pytest.mark.parametrize("name", LAZY)
def test_records_come_back(name: str) -> None:
    made = fit(name, switched(80))
    again = from_record(made.to_record())
    assert again.to_record() == made.to_record()
    new = ask_rows(switched(30, seed=5), again.questions)
    assert (again.predict_proba(new) == made.predict_proba(new)).all()


@pytest.mark.parametrize("name", LAZY)
def test_cases_of_which_nothing_is_asked_come_back(name: str) -> None:
    """A word whose training instances share no question has cases without attributes."""
    nothing = QuestionMatrix.from_matrix(np.zeros((4, 0)), [0, 1, 1, 1], "ab")
    made = learner(name).fit(nothing)
    again = from_record(made.to_record())
    assert (again.predict_proba(nothing) == made.predict_proba(nothing)).all()


def test_wekas_ways_are_a_preset() -> None:
    """It goes on below 30 cases and stops below 5 errors."""
    rows = switched(24, seed=4) + switched(24, seed=6)
    ours, weka = fit("lazy-nb", rows), fit("lazy-nb-weka", rows)
    assert (weka.min_cases, weka.min_errors, weka.base.estimate) == (0, 5, "laplace")
    strict = fit("lazy-nb-weka", rows, min_errors=len(rows) + 1)
    assert strict.antecedents(ask_rows(rows, strict.questions)).keys() == {()}
    assert (
        fit("lazy-nb", rows, min_cases=len(rows) + 1).grow(ours.problem.codes[0]).antecedent == ()
    )


def growing(ways: PaperWays) -> Growth:
    """Every case has the value 0 of the second attribute, which has 1000 values.

    Laplace's P(v|c) = (n_c + 1) / (n_c + 1000) speaks for the frequent class. Without that
    attribute naive Bayes answers the rare one where the first attribute is 1: 8 errors fewer, and
    one more.
    """
    cases = [(1, 0, 0)] * 8 + [(0, 0, 0)] * 2 + [(1, 0, 1)] + [(0, 0, 1)] * 199
    table = np.array(cases)
    known = Problem(table[:, :2], np.array([2, 1000]), table[:, 2], 2)
    return Growth(known, NaiveBayesBase("laplace"), 0, 0, ways)


def test_wekas_condition_must_make_the_set_smaller() -> None:
    paper, weka = growing(PaperWays()), growing(WekaWays())
    trial = paper.trial(paper.start, (1, 0))
    assert trial is not None
    assert len(trial.rule.rows) == len(paper.start.rows)
    assert trial.errors == int(paper.start.local.wrong.sum()) - 8 + 1
    assert weka.trial(weka.start, (1, 0)) is None


@pytest.mark.parametrize("weka", [False, True])
def test_wekas_errors_of_cases_left_behind_count_on(weka: bool) -> None:
    growth = fit("lazy-nb", switched(), weka=weka).growth
    rule = growth.grow(growth.problem.codes[0])
    (pair,) = rule.antecedent
    outside = growth.problem.codes[:, pair[0]] != pair[1]
    left_behind = int(growth.start.local.wrong[outside].sum())
    assert left_behind > 0
    assert rule.errors == int(rule.local.wrong.sum()) + (left_behind if weka else 0)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("lazy-nb", {"estimate": "none"}, "estimate"),
        ("lazy-nb", {"m": 0}, "m is 0"),
        ("lazy-nb", {"min_cases": -1}, "min_cases"),
        ("lazy-nb", {"min_errors": -1}, "min_errors"),
        ("lazy-nb", {"cache_size": 1.5}, "cache_size"),
        ("lazy-nb", {"top": 0}, "top"),
        ("lazy-knn", {"top": 0}, "top"),
        ("lazy-knn", {"k": 0}, "k is 0"),
        ("lazy-list", {"top": 0}, "top"),
        ("lazy-list", {"epsilon": -1}, "epsilon is -1"),
        ("lazy-list", {"discount": -1}, "discount is -1"),
        ("lazy-list", {"folds": 1}, "folds is 1"),
    ],
)
def test_impossible_parameters_are_refused(name: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        learner(name, **given)


def test_the_defaults_are_those_of_the_documentation() -> None:
    common = {"min_cases": 30, "min_errors": 0, "weka": False, "cache_size": 1000, "top": 100}
    assert parameters("lazy-mv") == common
    assert parameters("lazy-nb") == {**common, "estimate": "m", "m": 2.0}
    assert parameters("lazy-knn") == {**common, "k": 5}
    assert parameters("lazy-list") == {**common, "discount": 0.9, "epsilon": 3.0, "folds": 5}


def test_places_are_attributes_and_each_word_nearby_is_one_of_its_own() -> None:
    corpus = Corpus(
        [
            Instance(
                r["id"], "bank.n", (*r["tokens"],), (r["target"], r["target"] + 1), (*r["senses"],)
            )
            for r in seed_records()
        ]
    )
    for top in (4, 100):
        expert = train(corpus, learner="lazy-nb", features="light", min_count=1, top=top)["bank.n"]
        made = expert.fitted
        assert isinstance(made, LazyRules)
        positions = [question.conditions[0].position for question in made.questions]
        bags = [position for position in positions if position.many]
        assert made.binary.sum() == len(bags) == min(top, 52)
        places = {attribute: set[Any]() for attribute in made.attribute.tolist()}
        for attribute, position in zip(made.attribute.tolist(), positions, strict=True):
            places[attribute].add(position)
            assert made.binary[attribute] == position.many
        assert all(len(of_one) == 1 for of_one in places.values())
        assert len(places) == len(bags) + len({p for p in positions if not p.many})
        assert made.attribute.tolist() == sorted(made.attribute.tolist())


def test_rows_of_a_small_weight_are_a_case_each_and_of_a_large_one_several() -> None:
    weight = np.array([1 / 4, 1.0, 2.0, 1 / 2])
    answers = QuestionMatrix.from_matrix(
        [[1], [0], [1], [0]],
        [0, 1, 0, 1],
        "ab",
        weight=weight,
        questions=[Question((Condition(Column("a"), "value", "x"),))],
    )
    made = learner("lazy-nb").fit(answers)
    assert isinstance(made, LazyRules)
    assert made.problem.outcome.tolist() == [0, 1, 0, 0, 1]
    assert made.problem.codes[:, 0].tolist() == [0, -1, 0, 0, -1]


def test_a_small_table_grows_no_rule() -> None:
    """24 cases are fewer than 30."""
    from wsdlist.readers import read

    rows = [row for row in read(TABLES / "contact-lenses.arff").train if isinstance(row, Row)]
    made = fit("lazy-nb", rows)
    assert made.antecedents(ask_rows(rows, made.questions)) == {(): 24}


def test_local_lists_are_judged_by_folds_of_which_equal_cases_share_one() -> None:
    for seed in range(6):
        p = problem(seed, n=60)
        rows = np.arange(0, 60, 2)
        used = np.ones(p.shown.shape[1], dtype=bool)
        base = ListBase(folds=3)
        cases = [(int(p.outcome[row]), *p.codes[row].tolist()) for row in rows.tolist()]
        fold = np.array([sorted(set(cases)).index(case) % 3 for case in cases])
        expected = np.ones(len(rows), dtype=bool)
        for part in range(3):
            known, held = rows[fold != part], rows[fold == part]
            answers = QuestionMatrix.from_matrix(p.shown[known], p.outcome[known], ("0", "1", "2"))
            asked = QuestionMatrix.from_matrix(p.shown[held], p.outcome[held], ("0", "1", "2"))
            P = learner("prepend").fit(answers).predict_proba(asked)
            expected[fold == part] = P.argmax(axis=1) != p.outcome[held]
        assert base.learn(p, rows, used).wrong.tolist() == expected.tolist()


@pytest.mark.parametrize("name", LAZY)
def test_no_class_known_from_training_has_no_probability(name: str) -> None:
    made = fit(name, [*switched(), Row("rare", "t", tuple("abc"), ("0", "0", "0"), ("s9",))])
    P = made.predict_proba(ask_rows(switched(40, seed=1), made.questions))
    assert (P > 0).all()
    assert P.sum(axis=1) == pytest.approx(1)


def test_the_story_names_the_rule_of_the_local_list() -> None:
    made = fit("lazy-list", switched())
    new = ask_rows(switched(20, seed=1), made.questions)
    told = [line for row in range(20) for line in made.story(new, row) if "local list" in line]
    assert len(told) == 20
    assert any("its rule 1 of" in line for line in told)


@pytest.mark.parametrize("name", LAZY)
def test_the_number_of_jobs_changes_nothing(name: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"discount": 0.9, "epsilon": 3.0} if name == "lazy-list" else {}
    items = [
        Instance(f"{word}{n}", f"{word}.n", (before, word, after), (1, 2), (sense,))
        for word in ("bank", "line")
        for n, (before, after, sense) in enumerate(
            product(("a", "the", "her"), ("of", "for", "."), ("x", "y", "x"))
        )
    ]
    texts, answers = [], []
    for jobs in (1, 2):
        model = train(Corpus(list(items)), learner=name, features="light", jobs=jobs, **given)
        model.save(tmp_path / f"{jobs}.wsd")
        texts.append((tmp_path / f"{jobs}.wsd").read_bytes())
        answers.append(model.answer(items))
    assert texts[0] == texts[1]
    assert answers[0] == answers[1]
