"""Rule learners beside the field on Webb's twelve tables: accuracy, bits, size, time.

    python bench/rules.py --data DIR [--systems a,b] [--json FILE] [--docs docs/benchmarks.md]

DIR holds the third-party tables as docs/benchmarks.md describes them. Splits 10 to 19 of those
that all peers have (0 to 9 were looked at when defaults were chosen); Orange, which is slow, has
three of them. wittgenstein, imodels, Orange and Weka (a jar named by --weka) are left out, and
named, where they are not installed. One thread; CPU time per fit, Weka's as it prints it.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

sys.path.insert(0, str(Path(__file__).parent))
from tables import keep, markdown, publish
from uci import names, split, table, write_arff

from wsdlist.data.corpus import Row
from wsdlist.features import ask
from wsdlist.features.sets import SETS
from wsdlist.learners import learner
from wsdlist.models.recipe import Recipe
from wsdlist.training.fit import question_matrix

RUNS = "rules, runs"
SPLITS = range(10, 20)
FEW = range(10, 13)
OURS = (
    *("webb-prepend-ip2", "append-p2", "prism", "cn2", "cn2-unordered", "ripper", "elem2"),
    *("prepend", "compromise", "sorted", "naive-bayes"),
)
WEKA = {
    "Weka JRip": "weka.classifiers.rules.JRip",
    "Weka PART": "weka.classifiers.rules.PART",
    "Weka Prism": "weka.classifiers.rules.Prism",
    "Weka J48": "weka.classifiers.trees.J48",
}
# learner: what it is good for, what it asks of tables, its source
CHOOSER = {
    "prepend": ("senses; probabilities one can trust", "pairs", "Goodman 2002"),
    "compromise": ("the same, longer lists, fewer errors on some words", "pairs", "Goodman 2002"),
    "sorted": ("the classic, to compare with", "pairs", "Yarowsky 1994"),
    "webb-prepend-ip2": ("short lists for tables, exact", "!=", "Webb 1994"),
    "append-p2": ("to compare prepending with", "!=", "Webb 1994"),
    "ripper": ("fewest rules; noise", "=", "Cohen 1995"),
    "cn2": ("lists that read from the surest rule on", "=", "Clark & Niblett 1989"),
    "cn2-unordered": ("rules that stand for themselves", "=", "Clark & Boswell 1991"),
    "prism": ("teaching; data without noise", "=", "Cendrowska 1987"),
    "elem2": ("rules that vote, partial matches", "=", "An & Cercone 1998"),
    "naive-bayes": ("no rules: a baseline", "pairs", "see linear.py"),
}
Figures = dict[str, float | None]
Known = list[Row]


def bits(P: Any, classes: list[str], test: Known) -> float:
    """Return the mean -log2 P of the right class, of those that training showed."""
    with np.errstate(divide="ignore"):
        costs = -np.log2(np.asarray(P))
    known = [(n, classes.index(r.senses[0])) for n, r in enumerate(test) if r.senses[0] in classes]
    return float(np.mean([costs[row, column] for row, column in known]))


def ours(name: str, train: Known, test: Known) -> Figures:
    parameters = {"discount": 0.7, "epsilon": 3.0} if name in ("prepend", "compromise") else {}
    settings = Recipe(name, SETS["table"], parameters=parameters, missing="value", min_count=1)
    answers = question_matrix(
        settings, train, [row.senses for row in train]
    )  # as peers get coded data
    began = time.process_time()
    fitted = learner(name, **parameters).fit(answers)
    seconds = time.process_time() - began
    P = fitted.predict_proba(ask(test, fitted.questions))
    right = [
        fitted.senses[best] in row.senses for best, row in zip(P.argmax(axis=1), test, strict=True)
    ]
    return {
        "accuracy": 100 * float(np.mean(right)),
        "bits": bits(P, list(fitted.senses), test),
        "rules": fitted.size.rules,
        "conditions": fitted.size.conditions,
        "seconds": seconds,
    }


def arrays(train: Known, test: Known) -> tuple[Any, list[str], Any, list[str]]:
    def values(rows: Known) -> Any:
        return np.array([["?" if v is None else v for v in row.values] for row in rows], object)

    return (
        values(train),
        [r.senses[0] for r in train],
        values(test),
        [r.senses[0] for r in test],
    )


def scikit(name: str, train: Known, test: Known) -> Figures:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    X, y, X_test, y_test = arrays(train, test)
    coded = OneHotEncoder(handle_unknown="ignore").fit(X)
    A = coded.transform(X)
    made: Any = (
        DecisionTreeClassifier(random_state=0)
        if name == "sklearn tree"
        else LogisticRegression(max_iter=1000)
    )
    began = time.process_time()
    made.fit(A, y)
    seconds = time.process_time() - began
    P = made.predict_proba(coded.transform(X_test))
    right = made.classes_[P.argmax(axis=1)] == np.array(y_test)
    return {
        "accuracy": 100 * float(right.mean()),
        "bits": bits(P, list(made.classes_), test),
        "rules": float(made.get_n_leaves()) if name == "sklearn tree" else None,
        "conditions": None,
        "seconds": seconds,
    }


def wittgenstein(name: str, train: Known, test: Known) -> Figures | None:
    import pandas as pd
    from wittgenstein import RIPPER

    X, y, X_test, y_test = arrays(train, test)
    classes = sorted(set(y))
    if len(classes) > 2:
        return None
    rare = min(classes, key=y.count)
    frame = pd.DataFrame(X, columns=[f"a{n}" for n in range(X.shape[1])])
    frame["class"] = y
    made = RIPPER(random_state=0)
    began = time.process_time()
    made.fit(frame, class_feat="class", pos_class=rare)
    seconds = time.process_time() - began
    asked = pd.DataFrame(X_test, columns=frame.columns[:-1])
    right = [p == (gold == rare) for p, gold in zip(made.predict(asked), y_test, strict=True)]
    rules = made.ruleset_.rules
    return {
        "accuracy": 100 * float(np.mean(right)),
        "bits": None,
        "rules": float(len(rules)),
        "conditions": float(sum(len(rule.conds) for rule in rules)),
        "seconds": seconds,
    }


def orange(name: str, train: Known, test: Known) -> Figures:
    from Orange.classification.rules import CN2Learner, CN2UnorderedLearner
    from Orange.data import DiscreteVariable, Domain, Table

    rows = [*train, *test]
    columns = list(zip(*(row.values for row in rows), strict=True))
    variables = [
        DiscreteVariable(f"a{n}", sorted({v for v in column if v is not None}) or ["?"])
        for n, column in enumerate(columns)
    ]
    target = DiscreteVariable("class", sorted({row.senses[0] for row in rows}))
    domain = Domain(variables, target)

    def data(part: Known) -> Any:
        return Table.from_list(
            domain,
            [[*("?" if v is None else v for v in row.values), row.senses[0]] for row in part],
        )

    maker = CN2Learner() if name == "Orange CN2" else CN2UnorderedLearner()
    known, asked = data(train), data(test)
    began = time.process_time()
    made = maker(known)
    seconds = time.process_time() - began
    P = np.asarray(made(asked, 1))
    right = P.argmax(axis=1) == asked.Y
    return {
        "accuracy": 100 * float(right.mean()),
        "bits": bits(P, list(target.values), test),
        "rules": float(len(made.sense_rules)),
        "conditions": float(sum(len(rule.selectors) for rule in made.sense_rules)),
        "seconds": seconds,
    }


def imodels(name: str, train: Known, test: Known) -> Figures | None:
    from imodels import GreedyRuleListClassifier
    from sklearn.preprocessing import OneHotEncoder

    X, y, X_test, y_test = arrays(train, test)
    classes = sorted(set(y))
    if len(classes) > 2:
        return None
    coded = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X)
    A, outcome = coded.transform(X), np.array([classes.index(one) for one in y])
    made = GreedyRuleListClassifier()
    began = time.process_time()
    made.fit(A, outcome)
    seconds = time.process_time() - began
    said = made.predict(coded.transform(X_test))
    right = [classes[int(s)] == gold for s, gold in zip(said, y_test, strict=True)]
    return {
        "accuracy": 100 * float(np.mean(right)),
        "bits": None,
        "rules": None,
        "conditions": None,
        "seconds": seconds,
    }


def weka(jar: str) -> Callable[[str, Known, Known], Figures]:
    def run(name: str, train: Known, test: Known) -> Figures:
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
            for file, part in zip(files, (train, test), strict=True):
                write_arff(file, train, test, part, missing=name != "Weka Prism")
            command = ["java", "-cp", jar, WEKA[name], "-t", str(files[0]), "-T", str(files[1])]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        out = done.stdout
        tested = out.partition("Error on test data")[2]
        right = re.search(r"Correctly Classified Instances\s+(\d+)", tested)
        taken = re.search(r"Time taken to build model: ([\d.]+) seconds", out)
        sizes = re.search(r"Number of (?:Rules|Leaves)\s*:\s*(\d+)", out)
        rules = int(sizes[1]) if sizes else len(re.findall(r"^If ", out, re.M))
        assert right
        assert taken
        return {
            "accuracy": 100 * int(right[1]) / len(test),
            "bits": None,
            "rules": float(rules),
            "conditions": None,
            "seconds": float(taken[1]),
        }

    return run


def installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def systems(jar: str | None) -> tuple[dict[str, Callable[..., Figures | None]], list[str]]:
    """Return what is compared, and a line for each peer that is not installed."""
    found: dict[str, Callable[..., Figures | None]] = dict.fromkeys(OURS, ours)
    found |= dict.fromkeys(("sklearn tree", "sklearn logistic"), scikit)
    absent = []
    for package, named, run in (
        ("wittgenstein", ("wittgenstein RIPPER",), wittgenstein),
        ("imodels", ("imodels greedy list",), imodels),
        ("Orange3", ("Orange CN2", "Orange CN2 unordered"), orange),
    ):
        if installed(package):
            found |= dict.fromkeys(named, run)
        else:
            absent.append(f"{package} is not installed: left out")
    if jar and Path(jar.split(":")[0]).exists():
        found |= dict.fromkeys(WEKA, weka(jar))
    else:
        absent.append("Weka is not there (name its jar with --weka): left out")
    return found, absent


def value(runs: dict[str, Any], system: str, name: str, what: str) -> float | None:
    """Return the mean over the splits that a system has of a table; None where it has none."""
    found = [runs.get(f"{system}/{name}/{number}") for number in SPLITS]
    values = [one[what] for one in found if one and one[what] is not None]
    return statistics.mean(values) if values else None


def accuracies(runs: dict[str, Any], used: list[str], shown: list[str]) -> str:
    rows = []
    for name in used:
        cells = [value(runs, system, name, "accuracy") for system in shown]
        rows.append((name, *("-" if cell is None else f"{cell:.1f}" for cell in cells)))
    return markdown(("table", *shown), rows)


def together(runs: dict[str, Any], used: list[str], shown: list[str]) -> str:
    """Print means over all tables, and paired intervals against the first system."""
    rows = []
    for system in shown:
        means = {
            what: [value(runs, system, name, what) for name in used]
            for what in ("accuracy", "bits", "rules", "conditions", "seconds")
        }
        tables = [n for n, cell in enumerate(means["accuracy"]) if cell is not None]
        cells = []
        for what, digits in (("accuracy", 1), ("bits", 3), ("rules", 1), ("conditions", 1)):
            found = [means[what][n] for n in tables]
            whole = [one for one in found if one is not None]
            cells.append(
                f"{statistics.mean(whole):.{digits}f}" if len(whole) == len(found) else "-"
            )
        times = [max(means["seconds"][n] or 0, 1e-3) for n in tables]
        milliseconds = 1000 * math.exp(statistics.mean(map(math.log, times)))
        rows.append(
            (system, len(tables), *cells, f"{milliseconds:.0f}", paired(runs, used, system))
        )
    header = (
        *("system", "tables", "accuracy %", "bits", "rules", "conditions"),
        *("ms per fit (geometric mean)", f"accuracy less {OURS[0]}'s (95%)"),
    )
    return markdown(header, rows)


def chooser(runs: dict[str, Any], used: list[str]) -> str:
    rows = []
    for system, (good_for, asks, source) in CHOOSER.items():
        cells = []
        for what, digits in (("accuracy", 1), ("bits", 2), ("rules", 0)):
            found = [v for n in used if (v := value(runs, system, n, what)) is not None]
            cells.append(f"{statistics.mean(found):.{digits}f}")
        times = [max(value(runs, system, n, "seconds") or 0, 1e-3) for n in used]
        cells.append(f"{1000 * math.exp(statistics.mean(map(math.log, times))):.0f}")
        rows.append((f"`{system}`", good_for, f"`{asks}`" if "=" in asks else asks, source, *cells))
    header = ("learner", "good for", "asks", "source", "accuracy %", "bits", "rules", "ms per fit")
    return markdown(header, rows)


def paired(runs: dict[str, Any], used: list[str], system: str) -> str:
    """Return the mean difference to the first system with its interval, over common splits."""
    differences = []
    for number in SPLITS:
        pairs = [
            (runs.get(f"{system}/{n}/{number}"), runs.get(f"{OURS[0]}/{n}/{number}")) for n in used
        ]
        both = [(a["accuracy"], b["accuracy"]) for a, b in pairs if a and b]
        if both:
            differences.append(statistics.mean(a - b for a, b in both))
    if system == OURS[0] or len(differences) < 2:
        return "-"
    spread = statistics.stdev(differences) / math.sqrt(len(differences))
    half = float(student.ppf(0.975, len(differences) - 1)) * spread
    return f"{statistics.mean(differences):+.1f} ± {half:.1f}"


def ratios(runs: dict[str, Any], used: list[str]) -> dict[str, float]:
    """Return how many times as long peers take for a fit, in the geometric mean over tables."""
    made = {}
    for peer, mine in (
        ("wittgenstein RIPPER", "ripper"),
        ("Orange CN2", "cn2"),
        ("Orange CN2 unordered", "cn2-unordered"),
    ):
        pairs = [[value(runs, system, n, "seconds") for system in (peer, mine)] for n in used]
        logs = [math.log(max(a, 1e-3) / max(b, 1e-3)) for a, b in pairs if a and b]
        if logs:
            made[f"{peer} / {mine}"] = math.exp(statistics.mean(logs))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--systems", help="some of the systems, parted by commas")
    parser.add_argument("--weka", help="the class path of Weka 3.6")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    folder = given.data / "uci"
    known, absent = systems(given.weka)
    for line in absent:
        print(line, file=sys.stderr)
    chosen = given.systems.split(",") if given.systems else list(known)
    runs: dict[str, Any] = {}
    if given.json and given.json.exists():
        runs = json.loads(given.json.read_text(encoding="utf-8")).get(RUNS, {})
    used = names(folder, "webb1994")
    for number in SPLITS:
        for name in used:
            rows = table(folder, "webb1994", name)
            train, test = ([rows[n] for n in part] for part in split(len(rows), number))
            for system in chosen:
                key = f"{system}/{name}/{number}"
                if key in runs or (system.startswith("Orange") and number not in FEW):
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # iterations, divisions: the peers' own
                    runs[key] = known[system](system, train, test)
            keep(given.json, RUNS, runs)
    said = [f"{name}: {ratio:.0f} times as long" for name, ratio in ratios(runs, used).items()]
    packages = ("numpy", "scikit-learn", "wittgenstein", "imodels", "Orange3")
    found = ", ".join(f"{one} {version(one)}" for one in packages if installed(one))
    parts = {
        "rules, together": together(runs, used, chosen) + "\n\nTime per fit, geometric mean over "
        f"tables: {'; '.join(said) or 'no peer'}.",
        "rules, accuracy": accuracies(runs, used, chosen),
    }
    for section, text in parts.items():
        publish(section, f"{text}\n\n{found}.", given.docs)
    if {*CHOOSER} <= {*chosen}:
        page = given.docs.parent / "learners.md" if given.docs else None
        publish("rules, chooser", chooser(runs, used), page)


if __name__ == "__main__":
    main()
