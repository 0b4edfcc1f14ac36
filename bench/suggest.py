"""What `suggest` saves: accuracy after so many annotations, chosen or at random.

    python bench/suggest.py --data DIR [--json FILE] [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. Of hard, line, interest and
serve a fifth is tested; of the others 50 at random are annotated first, then 25 at a time, after
each of which the list is learned anew. Means over ten draws.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

sys.path.insert(0, str(Path(__file__).parent))
from tables import keep, markdown, publish

from wsdlist.data.corpus import Instance
from wsdlist.evaluation.suggest import suggest
from wsdlist.features.sets import SETS
from wsdlist.models.meta import Meta
from wsdlist.models.model import Model
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.readers.words import only_words
from wsdlist.training.fit import fit

FIRST, STEP = 50, 25
AFTER = (0, 50, 100, 200, 400)
DRAWS = 10
SETTINGS = Recipe("prepend", SETS["light"], {"discount": 0.9, "epsilon": 1.0})
WAYS = ("random", "least sure", "suggest")


def run(items: list[Instance], how: str, draw: int) -> list[float]:
    """Return the accuracy after so many annotations."""
    order = np.random.default_rng(draw).permutation(len(items)).tolist()
    tested = [items[n] for n in order[: len(items) // 5]]
    pool = {items[n].id: items[n] for n in order[len(items) // 5 :]}
    known = list(pool)[:FIRST]
    made = []
    for after in AFTER:
        while len(known) < FIRST + after:
            known += choose(how, pool, known)
        expert = learn(pool, known)[items[0].lexelt]
        answers = expert.answer(tested)
        right = (a.sense in i.senses for a, i in zip(answers, tested, strict=True))
        made.append(100 * float(np.mean(list(right))))
    return made


def learn(pool: dict[str, Instance], known: list[str]) -> Model:
    items = [pool[name] for name in known]
    expert = fit(SETTINGS, items[0].lexelt, items, [item.senses for item in items])
    return Model({expert.lexelt: expert}, Meta(SETTINGS))


def choose(how: str, pool: dict[str, Instance], known: list[str]) -> list[str]:
    """Return the ids of the next to be annotated."""
    left = [name for name in pool if name not in set(known)]
    if how == "random":
        return left[:STEP]
    model = learn(pool, known)
    if how == "suggest":
        some = [pool[name] for name in known]
        some += [replace(pool[name], senses=()) for name in left]
        return [one.instance.id for one in suggest(model, some, STEP)]
    (expert,) = model.values()
    P = expert.predict_proba([pool[name] for name in left])
    doubt = -(P * np.log2(np.where(P > 0, P, 1))).sum(axis=1)
    return [left[n] for n in np.argsort(-doubt, kind="stable")[:STEP]]


def measure(data: Path) -> list[dict[str, Any]]:
    words = read(data / "wsd" / "nltk" / "senseval.zip").train.by_lexelt()
    runs = [(word, how, draw) for word in sorted(words) for how in WAYS for draw in range(DRAWS)]
    figures = Parallel(n_jobs=2)(
        delayed(run)(only_words(words[word]), how, draw)  # type: ignore[arg-type]
        for word, how, draw in runs
    )
    return [
        {"word": word, "how": how, "draw": draw, "accuracy": accuracy}
        for (word, how, draw), accuracy in zip(runs, figures, strict=True)
    ]


def shown(figures: list[dict[str, Any]]) -> str:
    rows = []
    for word in [*dict.fromkeys(f["word"] for f in figures), "all four"]:
        for how in WAYS:
            some = [
                f["accuracy"]
                for f in figures
                if f["how"] == how and word in (f["word"], "all four")
            ]
            rows.append((word, how, *(f"{value:.1f}" for value in np.mean(some, axis=0))))
    header = ("word", "annotated next", *(f"accuracy % after {n}" for n in AFTER))
    return markdown(header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    figures = measure(given.data)
    keep(given.json, "suggest", figures)
    publish("suggest", shown(figures), given.docs)


if __name__ == "__main__":
    main()
