"""What tuning on held-out parts buys, and what it costs.

python bench/tuning.py --data DIR [--part four|senseval|cost] [--json FILE]
[--docs docs/benchmarks.md] [--cache DIR]
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import functools
import statistics
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import SENSEVAL, SPLITS, WORDS, annotated, cpu, mean, run_parts
from tables import markdown

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.folds import deal
from wsdlist.evaluation.crossval import crossval
from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.features import extract
from wsdlist.features.labels import label
from wsdlist.features.sets import SETS
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.training.train import train
from wsdlist.training.tuning import tune

FIXED = {"discount": 0.9, "epsilon": 3.0}
AUTO = {"discount": "auto", "epsilon": "auto"}
WAYS: dict[str, dict[str, Any]] = {
    "d .9, epsilon 3": FIXED,
    "tuned for bits, shared": {**AUTO, "share_tuning": True},
    "tuned for bits, each word": {**AUTO, "share_tuning": False},
    "tuned for accuracy, shared": {**AUTO, "share_tuning": True, "tune_for": "accuracy"},
}


def four(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Train on the five splits of the four words, all four words of a split together."""
    words = read(data / "wsd" / "nltk" / "senseval.zip").train.by_lexelt()
    figures = []
    for seed in SPLITS:
        parts: tuple[list[Any], list[Any]] = ([], [])
        for word in WORDS:
            items = words[word]
            order = np.random.default_rng(seed).permutation(len(items))
            cut = int(0.8 * len(items))
            for part, chosen in zip(parts, (order[:cut], order[cut:]), strict=True):
                part += [items[i] for i in chosen]
        for way, given in WAYS.items():
            model, seconds = cpu(train, Corpus(parts[0]), **given)
            for row in evaluate(model, Corpus(parts[1])):
                figures.append(
                    {
                        "split": seed,
                        "word": row.lexelt,
                        "way": way,
                        "accuracy": 100 * row.score.accuracy,
                        "bits": row.score.bits,
                        "rules": row.rules,
                        "chosen": model[row.lexelt].parameters,
                        "seconds": seconds,
                    }
                )
    return figures


def print_four(figures: list[dict[str, Any]]) -> str:
    rows = []
    for way in WAYS:
        cells = [f"{mean(figures, 'accuracy', way=way, word=word):.1f}" for word in WORDS]
        one = {name: mean(figures, name, way=way) for name in ("accuracy", "bits", "rules")}
        cells += [f"{one['accuracy']:.1f}", f"{one['bits']:.3f}", f"{one['rules']:.0f}"]
        rows.append([way, *cells])
    header = ["prepend", *(f"{word} %" for word in WORDS), "mean %", "bits", "rules per word"]
    return markdown(header, rows)


def senseval(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Cross-validate in the training files, which decides, and test on the test files."""
    figures = []
    for title, name in SENSEVAL.items():
        train_part, test_part = annotated(name, data, cache)
        for features in ("light",):
            for way, given in WAYS.items():
                parameters = {k: v for k, v in given.items() if k in FIXED}
                more = {k: v for k, v in given.items() if k not in FIXED}
                settings = Recipe("prepend", SETS[features], parameters, **more)
                inside = summary(crossval(train_part, [settings], folds=3)[0].results)
                model = train(train_part, features=features, **given)
                row = summary(evaluate(model, test_part))
                figures.append(
                    {
                        "corpus": title,
                        "features": features,
                        "way": way,
                        "held_out": 100 * inside.score.accuracy,
                        "held_out_bits": inside.score.bits,
                        "recall": 100 * row.score.accuracy,
                        "bits": row.score.bits,
                        "rules": row.rules / len(model),
                        "chosen": (model.meta.tuning or {}).get("best", {}),
                    }
                )
                print(figures[-1], file=sys.stderr, flush=True)
    return figures


def print_senseval(figures: list[dict[str, Any]]) -> str:
    rows = [
        [
            f["corpus"],
            f["features"],
            f["way"],
            ", ".join(str(value) for value in f["chosen"].values()) or "-",
            f"{f['held_out']:.1f}",
            f"{f['held_out_bits']:.3f}",
            f"{f['recall']:.1f}",
            f"{f['bits']:.3f}",
            f"{f['rules']:.0f}",
        ]
        for f in figures
    ]
    header = ["corpus", "questions", "prepend", "chosen d, epsilon"]
    header += ["3-fold in training %", "its bits", "test recall %", "bits", "rules per word"]
    return markdown(header, rows)


def cost(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Time the whole tuning of one word and one LogisticRegression on the same matrix, in turn."""
    from sklearn.linear_model import LogisticRegression

    words = read(data / "wsd" / "nltk" / "senseval.zip").train.by_lexelt()
    figures = []
    for word in WORDS:
        items = cast("list[Instance]", words[word])
        order = np.random.default_rng(0).permutation(len(items))
        chosen = [items[i] for i in order[: int(0.8 * len(items))]]
        labels = [item.senses for item in chosen]
        made = extract(chosen, labels, SETS["goodman"])
        X = made.by_row.astype(np.float64)
        recipe = Recipe(parameters={"discount": "auto", "epsilon": "auto"})
        rows = label(labels)
        times: dict[str, list[float]] = {"tuning": [], "logistic": []}
        for _ in range(5):
            fresh = made.take(np.arange(made.n_rows))
            fold_of = functools.partial(deal, chosen, labels)
            seconds = cpu(tune, recipe, word, labels, rows, fresh, fold_of)[1]
            times["tuning"].append(seconds)
            peer = LogisticRegression(max_iter=500)
            times["logistic"].append(cpu(peer.fit, X, made.outcome)[1])
        medians = {name: statistics.median(values) for name, values in times.items()}
        figures.append({"word": word, **medians, "ratio": medians["tuning"] / medians["logistic"]})
    return figures


def print_cost(figures: list[dict[str, Any]]) -> str:
    rows = [
        [f["word"], f"{f['tuning']:.2f}", f"{f['logistic']:.2f}", f"{f['ratio']:.2f}"]
        for f in figures
    ]
    ratio = float(np.exp(np.mean(np.log([f["ratio"] for f in figures]))))
    rows.append(["geometric mean", "", "", f"{ratio:.2f}"])
    header = ["word", "tuning, CPU s", "LogisticRegression, CPU s", "tuning / LogisticRegression"]
    return "Median of five runs each, taken in turn.\n\n" + markdown(header, rows)


if __name__ == "__main__":
    run_parts(
        "tuning",
        {
            "four": (four, print_four),
            "senseval": (senseval, print_senseval),
            "cost": (cost, print_cost),
        },
        __doc__,
    )
