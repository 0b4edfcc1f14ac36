"""Webb's Tables 2 and 3 (1994) again: accuracy and number of rules on his twelve tables.

    python bench/webb.py --data DIR [--full] [--tables a,b] [--json FILE]
                         [--docs docs/benchmarks.md]

DIR holds the third-party tables as docs/benchmarks.md describes them. 20 random splits, 100 with
--full; figures in FILE are not made again, so a run can be broken off and taken up. The order among
equal Laplace values is chosen on splits 0 to 9 and reported on the others. One thread, CPU time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

sys.path.insert(0, str(Path(__file__).parent))
from tables import keep, markdown, publish, versions
from uci import names, split, table

from wsdlist.features.sets import SETS
from wsdlist.models.recipe import Recipe
from wsdlist.training.fit import fit

LEARNERS = ("webb-prepend-ip2", "append-p2", "append")
TIES = ("fewest", "cover", "most")
RUNS = "webb, runs"
# Tables 2 and 3: mean and standard deviation of accuracy and number of rules; prepend-ip2's with
# the default
PUBLISHED = {
    "audiology": ((77.2, 5.4, 10.7), (68.9, 5.4, 12.7), (71.6, 5.7, 25.6)),
    "breast-cancer": ((61.2, 5.6, 9.6), (64.8, 5.9, 16.3), (64.5, 6.2, 19.9)),
    "house-votes-84": ((94.9, 2.5, 5.0), (94.6, 2.6, 8.3), (94.5, 2.6, 10.7)),
    "lymphography": ((84.3, 7.4, 5.1), (81.4, 7.5, 7.3), (81.2, 7.7, 9.1)),
    "monk1": ((100.0, 0.0, 4.7), (100.0, 0.0, 6.0), (100.0, 0.0, 6.0)),
    "monk2": ((99.1, 1.5, 15.8), (98.1, 2.0, 25.1), (98.2, 1.9, 25.6)),
    "monk3": ((97.9, 1.2, 4.9), (97.5, 1.4, 10.3), (97.3, 1.3, 12.8)),
    "multiplexer": ((98.3, 3.0, 11.9), (99.1, 1.5, 15.6), (99.2, 1.4, 15.8)),
    "mushroom": ((100.0, 0.0, 4.0), (100.0, 0.0, 4.0), (100.0, 0.0, 4.0)),
    "primary-tumor": ((39.1, 5.3, 16.8), (35.6, 4.7, 25.8), (37.3, 4.7, 81.3)),
    "soybean-large": ((83.6, 5.3, 20.7), (78.9, 6.0, 24.0), (79.8, 5.9, 27.3)),
    "tic-tac-toe": ((96.9, 1.0, 12.0), (98.7, 2.0, 16.3), (98.7, 1.9, 16.6)),
}


def run(rows: list[Any], number: int, learner: str, ties: str) -> list[float]:
    """Return accuracy (%), rules as Webb counts them, seconds, searches cut short."""
    train, test = split(len(rows), number)
    known = [rows[row] for row in train]
    settings = Recipe(
        learner, SETS["table"], parameters={"ties": ties}, missing="value", min_count=1
    )
    began = time.process_time()
    expert = fit(settings, rows[0].lexelt, known, [row.senses for row in known])
    seconds = time.process_time() - began
    asked = [rows[row] for row in test]
    right = [a.sense in row.senses for a, row in zip(expert.answer(asked), asked, strict=True)]
    counted = expert.size.rules + learner.startswith("webb-prepend")
    cut_short = "".join(expert.fitted.notes).split(" ")[0]
    return [100 * float(np.mean(right)), counted, seconds, float(cut_short or 0)]


def figures(runs: dict[str, list[float]], *key: str, splits: Any, column: int = 0) -> list[float]:
    return [runs["/".join((*key, str(number)))][column] for number in splits]


def mean(runs: dict[str, list[float]], *key: str, splits: Any, column: int = 0) -> float:
    return statistics.mean(figures(runs, *key, splits=splits, column=column))


def orders(runs: dict[str, list[float]], used: list[str], n_splits: int) -> str:
    """Print what each order reaches, on the splits it is chosen on and on the others."""
    rows = []
    for learner in LEARNERS:
        for ties in TIES:
            cells = [
                statistics.mean(
                    mean(runs, name, learner, ties, splits=splits, column=column) for name in used
                )
                for column in (0, 1)
                for splits in (range(10), range(10, n_splits))
            ]
            rows.append((learner, ties, *(f"{cell:.2f}" for cell in cells)))
    header = ("learner", "ties", "accuracy %, splits 0-9", "others", "rules, splits 0-9", "others")
    return markdown(header, rows)


def reproduced(runs: dict[str, list[float]], used: list[str], n_splits: int) -> str:
    """Print ours beside the published means, with the paired t-tests between ours."""
    others, rows, far = range(10, n_splits), [], []
    wins = {learner: [0, 0] for learner in LEARNERS[1:]}
    for name in used:
        best = figures(runs, name, LEARNERS[0], "fewest", splits=others)
        cells: list[str] = []
        for number, learner in enumerate(LEARNERS):
            mine = figures(runs, name, learner, "fewest", splits=others)
            rules = mean(runs, name, learner, "fewest", splits=others, column=1)
            accuracy, p = statistics.mean(mine), ""
            if number and mine != best:
                value = float(ttest_rel(best, mine).pvalue)
                p = f"; {value:.2f}".replace("0.", ".")
                if value < 0.05:
                    wins[learner][int(statistics.mean(best) < accuracy)] += 1
            text = f"{accuracy:.1f} ({statistics.pstdev(mine):.1f}{p})"
            published, deviation, published_rules = PUBLISHED[name][number]
            text += f" / {published:.1f} ({deviation:.1f})"
            cells += [text, f"{rules:.1f} / {published_rules:.1f}"]
            if abs(accuracy - published) > max(deviation, 0.05):
                far.append(f"{name}, {learner}: {accuracy - published:+.1f}")
        rows.append((name, *cells))
    averages: list[str] = []
    for number, learner in enumerate(LEARNERS):
        for column in (0, 1):
            ours = statistics.mean(
                mean(runs, name, learner, "fewest", splits=others, column=column) for name in used
            )
            theirs = statistics.mean(PUBLISHED[name][number][2 * column] for name in used)
            averages.append(f"{ours:.1f} / {theirs:.1f}")
    rows.append(("mean", *averages))
    header = ["table"]
    for learner in LEARNERS:
        header += [f"{learner}, accuracy %", "rules"]
    said = "; ".join(f"{learner} {won}/{lost}" for learner, (won, lost) in wins.items())
    return (
        f"Ours / Webb's, mean (standard deviation; p of the paired t-test against {LEARNERS[0]}) "
        f"of splits 10 to {n_splits - 1}, ties `fewest`; his are means of 100 splits of his own. "
        f"Rules of {LEARNERS[0]} with the default.\n\n{markdown(header, rows)}\n\n"
        f"Significant (p < .05) wins/losses of {LEARNERS[0]}: {said}. Means further than one "
        f"published standard deviation from his: {'; '.join(far) or 'none'}."
    )


def cost(runs: dict[str, list[float]], used: list[str], n_splits: int) -> str:
    """Print the time per fit, and whether the search was exact."""
    rows = []
    for name in used:
        cells = []
        for learner in LEARNERS:
            seconds = figures(runs, name, learner, "fewest", splits=range(n_splits), column=2)
            cut = figures(runs, name, learner, "fewest", splits=range(n_splits), column=3)
            text = f"{statistics.median(seconds):.2f} ({max(seconds):.2f})"
            cells.append(text + (f"; cut short in {sum(map(bool, cut))}" if any(cut) else ""))
        rows.append((name, *cells))
    return (
        "CPU s per fit, median (greatest); searches are exact where nothing else is said.\n\n"
        + markdown(("table", *LEARNERS), rows)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--full", action="store_true", help="100 splits")
    parser.add_argument("--tables", help="some of the tables, parted by commas")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    folder, n_splits = given.data / "uci", 100 if given.full else 20
    runs: dict[str, list[float]] = {}
    if given.json and given.json.exists():
        runs = json.loads(given.json.read_text(encoding="utf-8")).get(RUNS, {})
    used = given.tables.split(",") if given.tables else names(folder, "webb1994")
    for number in range(n_splits):
        for name in used:
            rows = table(folder, "webb1994", name)
            for learner in LEARNERS:
                for ties in TIES:
                    key = f"{name}/{learner}/{ties}/{number}"
                    if key not in runs:
                        runs[key] = run(rows, number, learner, ties)
            keep(given.json, RUNS, runs)
    for section, show in (("orders", orders), ("tables 2 and 3", reproduced), ("cost", cost)):
        text = show(runs, used, n_splits)
        publish(f"webb, {section}", f"{text}\n\n{versions()}", given.docs)


if __name__ == "__main__":
    main()
