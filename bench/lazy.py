"""Tables 3 and 4 of "Learning Lazy Rules" (1999) again, the cache, and Weka's LBR beside ours.

    python bench/lazy.py --data DIR [--part tables|speed|growth|words] [--weka JAR] [--json FILE]
                         [--docs docs/benchmarks.md]

DIR holds the third-party tables as docs/benchmarks.md describes them. Two stratified ten-fold
cross-validations, folds as all peers have them, numbers cut on each training part. One thread, CPU
time.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import WORDS, quality
from tables import keep, markdown, publish, versions
from uci import folds, lazy_table, names, write_arff

from wsdlist.data.corpus import Row
from wsdlist.features.sets import SETS
from wsdlist.features.tables import TableQuestions, extract_rows
from wsdlist.learners.fitted.lazy_rules import LazyRules
from wsdlist.models.expert import Expert
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.fit import fit

PRINTED = 60  # cases of which Weka's predictions are compared with ours
NEVER = 10**9  # cases that a rule would need: the base learner alone
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "NB": ("lazy-nb", {"min_cases": NEVER}),
    "LR-NB": ("lazy-nb", {}),
    "MV": ("lazy-mv", {"min_cases": NEVER}),
    "LR-MV": ("lazy-mv", {}),
}
# error % of NB, LR-NB, MV, LR-MV; conditions per rule of LR-NB, LR-MV
PUBLISHED = {
    "annealing": (2.8, 2.7, 23.8, 8.2, 0.20, 1.90),
    "breast-w": (2.7, 2.7, 34.5, 10.3, 0.00, 1.63),
    "kr-vs-kp": (12.2, 2.0, 47.8, 4.5, 4.10, 4.00),
    "credit-australia": (14.0, 14.0, 44.5, 15.0, 0.10, 2.55),
    "house-votes-84": (9.8, 5.6, 38.6, 4.5, 0.90, 2.23),
    "hypothyroid": (1.7, 1.6, 4.7, 2.3, 0.40, 4.21),
    "pima": (25.2, 25.4, 34.9, 26.4, 0.10, 2.13),
    "solar-flare": (19.4, 16.4, 15.7, 15.7, 1.10, 2.65),
    "soybean": (9.2, 5.9, 86.6, 23.2, 0.90, 2.35),
    "splice": (4.4, 4.0, 48.1, 14.7, 0.70, 2.14),
}


def learned(rows: list[Row], missing: str, name: str, given: dict[str, Any]) -> Expert:
    settings = Recipe(name, SETS["table"], parameters=given, missing=missing, min_count=1)
    return fit(settings, "t", rows, [row.senses for row in rows])


def asked(expert: Expert, test: list[Row]) -> tuple[list[bool], float]:
    """Return which cases are answered wrongly, and the CPU time it took."""
    began = time.process_time()
    P = expert.predict_proba(test)
    seconds = time.process_time() - began
    said = [expert.senses[best] for best in P.argmax(axis=1)]
    return [one not in row.senses for one, row in zip(said, test, strict=True)], seconds


def tables(folder: Path) -> list[dict[str, Any]]:
    figures = []
    for name in names(folder, "lazyrule"):
        rows, missing = lazy_table(folder, name)
        of: dict[str, dict[str, float]] = {}
        for system, (learner, given) in SYSTEMS.items():
            wrong, conditions = 0, 0
            for repetition in (0, 1):
                fold = folds(rows, repetition)
                for part in range(10):
                    train = [rows[n] for n in np.flatnonzero(fold != part)]
                    test = [rows[n] for n in np.flatnonzero(fold == part)]
                    expert = learned(train, missing, learner, given)
                    wrong += sum(asked(expert, test)[0])
                    assert isinstance(expert.fitted, LazyRules)
                    grown = expert.fitted.antecedents(expert.ask(test))
                    conditions += sum(len(a) * n for a, n in grown.items())
            of[system] = {
                "error": 100 * wrong / (2 * len(rows)),
                "length": conditions / (2 * len(rows)),
            }
        figures.append({"table": name, "missing": missing, "of": of})
    return figures


def print_tables(figures: list[dict[str, Any]]) -> str:
    rows, far = [], []
    for figure in figures:
        of, published = figure["of"], PUBLISHED[figure["table"]]
        cells = []
        for system, theirs in zip(SYSTEMS, published[:4], strict=True):
            cells.append(f"{of[system]['error']:.1f} / {theirs:.1f}")
            if abs(of[system]["error"] - theirs) > 1:
                far.append(f"{figure['table']}, {system}: {of[system]['error'] - theirs:+.1f}")
        for system, length in zip(("LR-NB", "LR-MV"), published[4:], strict=True):
            cells.append(f"{of[system]['length']:.2f} / {length:.2f}")
        rows.append((figure["table"], *cells))

    def mean(system: str, field: str) -> float:
        return float(statistics.mean(figure["of"][system][field] for figure in figures))

    published_means = [statistics.mean(column) for column in zip(*PUBLISHED.values(), strict=True)]
    rows.append(
        (
            "mean",
            *(
                f"{mean(system, 'error'):.1f} / {theirs:.1f}"
                for system, theirs in zip(SYSTEMS, published_means[:4], strict=True)
            ),
            *(
                f"{mean(system, 'length'):.2f} / {theirs:.2f}"
                for system, theirs in zip(("LR-NB", "LR-MV"), published_means[4:], strict=True)
            ),
        )
    )
    said = []
    for lazy, base in (("LR-NB", "NB"), ("LR-MV", "MV")):
        pairs = [(f["of"][lazy]["error"], f["of"][base]["error"]) for f in figures]
        ratio = float(np.exp(np.mean([np.log(a / b) for a, b in pairs])))
        won, lost = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
        p = binomtest(won, won + lost, 0.5).pvalue if won + lost else 1.0
        said.append(
            f"{lazy} to {base}: geometric mean ratio {ratio:.2f}, {won} better, "
            f"{len(pairs) - won - lost} equal, {lost} worse (two-tailed sign test p = {p:.3f})"
        )
    header = (
        "table",
        *(f"{s}, error %" for s in SYSTEMS),
        "LR-NB, conditions",
        "LR-MV, conditions",
    )
    return (
        f"Ours / the paper's.\n\n{markdown(header, rows)}\n\n{'; '.join(said)}. The paper: "
        "ratios .73 and .32. Further than one point from the published error: "
        f"{'; '.join(far) or 'none'}."
    )


def speed(folder: Path, jar: str | None) -> list[dict[str, Any]]:
    figures = []
    for name in ("kr-vs-kp", "splice"):
        rows, missing = lazy_table(folder, name)
        fold = folds(rows, 0)
        train = [rows[n] for n in np.flatnonzero(fold != 0)]
        test = [rows[n] for n in np.flatnonzero(fold == 0)]
        one: dict[str, Any] = {"table": name, "cases": len(test), "trained_on": len(train)}
        for system, learner, given in (
            ("lazy-nb", "lazy-nb", {}),
            ("lazy-nb, no cache", "lazy-nb", {"cache_size": 1}),
            ("lazy-nb-weka", "lazy-nb-weka", {}),
        ):
            some = test if system != "lazy-nb, no cache" else test[:40]
            times = []
            for _ in range(3 if "no cache" not in system else 1):
                expert = learned(train, missing, learner, given)
                if system == "lazy-nb, no cache":  # each case as if it were the first
                    seconds = 0.0
                    for row in some:
                        assert isinstance(expert.fitted, LazyRules)
                        expert.fitted.growth.cache.clear()
                        seconds += asked(expert, [row])[1]
                else:
                    wrong, seconds = asked(expert, some)
                    one[f"{system}: wrong"] = wrong
                times.append(1000 * seconds / len(some))
            one[system] = statistics.median(times)
        if jar:
            one |= weka(jar, train, test)
        figures.append(one)
    return figures


def weka(jar: str, train: list[Row], test: list[Row]) -> dict[str, Any]:
    """Return CPU ms per case of Weka's LBR, and which cases it answers wrongly."""
    times: list[float] = []
    # one collector of garbage, so that its CPU time is not that of many threads
    command = ["java", "-XX:+UseSerialGC", "-Xmx2g", "-cp", jar, "weka.classifiers.lazy.LBR"]
    with tempfile.TemporaryDirectory() as scratch:
        files = [Path(scratch) / "train.arff", Path(scratch) / "test.arff"]
        named = ["-t", str(files[0]), "-T", str(files[1])]

        def run(part: list[Row], *options: str) -> tuple[str, float]:
            for file, rows in zip(files, (train, part), strict=True):
                write_arff(file, train, test, rows, missing=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [*command, *named, *options], capture_output=True, text=True, check=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            return done.stdout, seconds

        # -v: nothing about the training cases; asked for one case it says what starting costs
        times = [run(part, "-v")[1] for part in (test, test[:1])]
        # printing predictions asks it several times about each case: not timed, and of some alone
        printed = run(test[:PRINTED], "-v", "-p", "0")[0]
        said = re.findall(r"^ +\d+ +\d+:(\S+) +\d+:(\S+)", printed, re.M)
    assert len(said) == PRINTED
    return {
        "Weka LBR": 1000 * (times[0] - times[1]) / (len(test) - 1),
        "Weka LBR: wrong": [gold != answer for gold, answer in said],
    }


def print_speed(figures: list[dict[str, Any]]) -> str:
    rows = []
    for f in figures:
        cached = 100 * (1 - f["lazy-nb"] / f["lazy-nb, no cache"])
        peer, ratio, same = "-", "-", "-"
        if "Weka LBR" in f:
            peer, ratio = f"{f['Weka LBR']:.0f}", f"{f['Weka LBR'] / f['lazy-nb']:.0f}"
            pairs = zip(f["lazy-nb-weka: wrong"], f["Weka LBR: wrong"], strict=False)
            same = f"{100 * statistics.mean(a == b for a, b in pairs):.1f}"
        rows.append(
            (
                f["table"],
                f["cases"],
                f"{f['lazy-nb']:.1f}",
                f"{f['lazy-nb, no cache']:.0f}",
                f"{cached:.0f}",
                f"{f['lazy-nb-weka']:.1f}",
                peer,
                ratio,
                same,
            )
        )
    header = (
        *("table", "cases asked", "lazy-nb, ms per case", "without the cache", "saved %"),
        *("lazy-nb-weka", "Weka LBR", "times as long", f"right where Weka is, of {PRINTED}, %"),
    )
    return (
        "CPU ms for a test case, the first fold, reading and starting left out. Without the cache: "
        f"40 cases, each as if it were the first.\n\n{markdown(header, rows)}"
    )


def first(row: Row, attributes: int) -> Row:
    """Return a row with its first attributes alone."""
    return replace(row, names=row.names[:attributes], values=row.values[:attributes])


def grows(folder: Path) -> list[dict[str, Any]]:
    """Time cases of kr-vs-kp with fewer training cases and fewer attributes."""
    rows, missing = lazy_table(folder, "kr-vs-kp")
    fold = folds(rows, 0)
    train = [rows[n] for n in np.flatnonzero(fold != 0)]
    test = [rows[n] for n in np.flatnonzero(fold == 0)]
    figures = []
    for n, attributes in ((360, 36), (720, 36), (1438, 36), (2876, 36), (2876, 18), (2876, 9)):
        known = [first(row, attributes) for row in train[:: len(train) // n][:n]]
        answers = extract_rows(known, [row.senses for row in known], TableQuestions("=", missing))
        expert = learned(known, missing, "lazy-nb", {})
        _, seconds = asked(expert, [first(row, attributes) for row in test])
        figures.append(
            {
                "cases": len(known),
                "attributes": attributes,
                "values": answers.n_questions,
                "ms": 1000 * seconds / len(test),
            }
        )
    return figures


def print_grows(figures: list[dict[str, Any]]) -> str:
    rows = [(f["cases"], f["attributes"], f["values"], f"{f['ms']:.1f}") for f in figures]
    header = ("training cases", "attributes", "values", "ms per case")
    return f"kr-vs-kp, the first fold.\n\n{markdown(header, rows)}"


ON_WORDS: dict[str, tuple[str, dict[str, Any]]] = {
    "naive Bayes": ("lazy-nb", {"min_cases": NEVER}),
    "lazy-nb": ("lazy-nb", {}),
    "one list of the same conditions": ("lazy-list", {"min_cases": NEVER}),
    "lazy-list": ("lazy-list", {}),
    "prepend": ("prepend", {}),
}


def words(folder: Path) -> list[dict[str, Any]]:
    """Measure lazy rules on the four words, splits 0 to 2 as bench/lexical_sample.py has them."""
    corpus = read(folder / "wsd" / "nltk" / "senseval.zip").train.by_lexelt()
    figures = []
    for lexelt, system, seed in product(WORDS, ON_WORDS, range(3)):
        name, given = ON_WORDS[system]
        items = corpus[lexelt]
        order = np.random.default_rng(seed).permutation(len(items))
        cut = int(0.8 * len(items))
        train, test = ([items[i] for i in part] for part in (order[:cut], order[cut:]))
        listed = {"discount": 0.9, "epsilon": 3.0} if name != "lazy-nb" else {}
        settings = Recipe(name, parameters={**listed, **given}, features=SETS["goodman"])
        expert = fit(settings, lexelt, train, [item.senses for item in train])
        began = time.process_time()
        P = expert.predict_proba(test)
        seconds = time.process_time() - began
        gold = np.array([expert.senses.index(item.senses[0]) for item in test])
        accuracy, bits = quality(P, gold)
        one = {"lexelt": lexelt, "system": system, "accuracy": accuracy, "bits": bits}
        one |= {"ms": 1000 * seconds / len(test), "length": 0.0}
        if isinstance(expert.fitted, LazyRules):
            grown = expert.fitted.antecedents(expert.ask(test))
            one["length"] = sum(len(a) * n for a, n in grown.items()) / len(test)
        figures.append(one)
    return figures


def print_words(figures: list[dict[str, Any]]) -> str:
    def mean(system: str, field: str, lexelt: str | None = None) -> float:
        return float(
            statistics.mean(
                f[field] for f in figures if f["system"] == system and lexelt in (None, f["lexelt"])
            )
        )

    rows = [
        (
            system,
            *(f"{mean(system, 'accuracy', lexelt):.1f}" for lexelt in WORDS),
            *(f"{mean(system, field):.{n}f}" for field, n in (("accuracy", 1), ("bits", 3))),
            f"{mean(system, 'length'):.2f}",
            f"{mean(system, 'ms'):.1f}",
        )
        for system in ON_WORDS
    ]
    header = ("learner", *WORDS, "mean accuracy %", "bits", "conditions per rule", "ms per case")
    return (
        "Accuracy %, splits 0 to 2. Lazy rules see single conditions and the 100 commonest words "
        f"nearby, prepend the whole set.\n\n{markdown(header, rows)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("tables", "speed", "growth", "words"))
    parser.add_argument("--weka", help="the class path of Weka 3.6")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    folder = given.data / "uci"
    parts: dict[str, tuple[Callable[[], Any], Callable[[Any], str]]] = {
        "tables": (lambda: tables(folder), print_tables),
        "speed": (lambda: speed(folder, given.weka), print_speed),
        "growth": (lambda: grows(folder), print_grows),
        "words": (lambda: words(given.data), print_words),
    }
    for name, (measure, show) in parts.items():
        if given.part in (None, name):
            figures = measure()
            keep(given.json, f"lazy, {name}", figures)
            publish(f"lazy, {name}", f"{show(figures)}\n\n{versions()}", given.docs)


if __name__ == "__main__":
    main()
