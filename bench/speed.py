"""Speed and memory, each beside its peer in the same run on the same data.

    python bench/speed.py --data DIR [--part learning|growth|forms|tbl|questions|text]
                          [--json FILE] [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. CPU time of one thread,
unless a table says otherwise; peak memory is that of a process of its own.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

sys.path.insert(0, str(Path(__file__).parent))
from goodman import LIGHT, sample
from lexical_sample import cpu, run_parts
from tables import markdown

from wsdlist.data.corpus import Instance
from wsdlist.data.tokens import normal
from wsdlist.features import extract
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.sets import SETS
from wsdlist.learners import learner
from wsdlist.readers import read
from wsdlist.readers.confusion_sets import parse
from wsdlist.training.texts import read_texts
from wsdlist.training.train import train

RULES = 2000
CALL = "import sys; sys.path.insert(0, {folder!r}); import speed; speed.{what}_alone(*sys.argv[1:])"
GIVEN: dict[str, Any] = {"discount": 0.7, "epsilon": 3.0}


def synthetic(n_rows: int) -> tuple[csr_array, Any]:
    """Make the matrix of PEERS: 55 true questions a row, values by Zipf's law, seen twice kept."""
    rng = np.random.default_rng(0)
    sizes = [12_000] * 50 + [30_000] * 5
    starts = np.cumsum([0, *sizes])
    ids = np.stack(
        [start + rng.zipf(1.3, n_rows) % size for start, size in zip(starts, sizes, strict=False)],
        axis=1,
    )
    counts = np.bincount(ids.ravel(), minlength=int(starts[-1]))
    number = np.where(counts >= 2, np.cumsum(counts >= 2) - 1, -1)
    flat = number[ids.ravel()]
    rows = np.repeat(np.arange(n_rows, dtype=np.int32), 55)[flat >= 0]
    X = csr_array(
        (np.ones(len(rows), np.int8), (rows, flat[flat >= 0].astype(np.int32))),
        shape=(n_rows, int((counts >= 2).sum())),
    )
    weights = np.where(rng.random(X.shape[1]) < 0.02, rng.normal(0, 1, X.shape[1]), 0)
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-(X @ weights)))).astype(np.int64)


def from_matrix(X: csr_array, y: Any) -> QuestionMatrix:
    return QuestionMatrix.from_matrix(X, y, ["a", "b"])


def theirs(data: Path) -> list[Instance]:
    return sample(data / "text" / "confusion", "train", parse(["their,there"])).instances[
        "their|there"
    ]


def fresh(answers: QuestionMatrix) -> QuestionMatrix:
    """Return the answers without what was derived from them."""
    return answers.take(np.arange(answers.n_rows))


def peers(X: csr_array, y: Any, rounds: int) -> dict[str, list[float]]:
    from sklearn.linear_model import LogisticRegression, SGDClassifier

    Xf = X.astype(np.float64)
    times: dict[str, list[float]] = {"SGDClassifier, 5 epochs": [], "LogisticRegression": []}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it stops at its 100 iterations
        for number in range(rounds):
            sgd = SGDClassifier(loss="log_loss", max_iter=5, tol=None, random_state=number)
            times["SGDClassifier, 5 epochs"].append(cpu(sgd.fit, Xf, y)[1])
            if number < 2:
                logistic = LogisticRegression(max_iter=100)
                times["LogisticRegression"].append(cpu(logistic.fit, Xf, y)[1])
    return times


def learning(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Time learners on the synthetic and on a real matrix, and the inverted index alone."""
    items = theirs(data)
    real = extract(items, [i.senses for i in items], LIGHT)
    X, y = synthetic(300_000)
    figures = []
    matrices: list[tuple[str, Callable[[], QuestionMatrix], csr_array, Any]] = [
        ("synthetic", lambda: from_matrix(X, y), X, y),
        ("their/there", lambda: fresh(real), real.by_row, real.outcome),
    ]
    for name, make, matrix, outcome in matrices:
        times: dict[str, list[float]] = {}
        rules = 0
        for _ in range(3):
            for system, kind, given in (
                (f"prepend, {RULES:,} rules", "prepend", {**GIVEN, "max_rules": RULES}),
                ("prepend, to epsilon 3", "prepend", GIVEN),
                ("compromise, epsilon 3", "compromise", GIVEN),
                ("sorted", "sorted", {"discount": 0.7}),
            ):
                answers = make()
                fitted, seconds = cpu(learner(kind, **given).fit, answers)
                times.setdefault(system, []).append(seconds)
                if system == "prepend, to epsilon 3":
                    rules = len(fitted.questions)
            times.setdefault("inverted index alone", []).append(cpu(matrix.tocsc)[1])
        times |= peers(matrix, outcome, 3)
        figures.append(
            {
                "matrix": name,
                "rows": matrix.shape[0],
                "columns": matrix.shape[1],
                "ones": int(matrix.nnz),
                "rules": rules,
                "seconds": {system: statistics.median(values) for system, values in times.items()},
                "memory": peak("learn", name, data) if name == "synthetic" else None,
            }
        )
    return figures


def print_learning(figures: list[dict[str, Any]]) -> str:
    made = []
    for f in figures:
        base = f["seconds"][f"prepend, {RULES:,} rules"]
        rows = [
            [system, f"{seconds:.2f}", f"{seconds / base:.2f}"]
            for system, seconds in f["seconds"].items()
        ]
        made.append(
            f"**{f['matrix']}**: {f['rows']:,} rows, {f['columns']:,} questions, {f['ones']:,} "
            f"ones; {f['rules']:,} rules to epsilon 3. Median of three (LogisticRegression: two), "
            "the matrix given, counting included."
        )
        made.append(markdown(["system", "CPU s", "to prepend"], rows))
        if f["memory"]:
            made.append(
                f"Peak memory of prepend beyond the matrix itself: {f['memory']['ratio']:.1f} "
                "times the matrix as CSR with one byte a value."
            )
    return "\n\n".join(made)


def peak(what: str, *arguments: object) -> dict[str, Any]:
    """Measure in a process of its own."""
    code = CALL.format(folder=str(Path(__file__).parent), what=what)
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    words = done.stdout.split()
    return dict(zip(words[::2], map(float, words[1::2]), strict=True))


def reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def learn_alone(name: str, data: str) -> None:
    X, y = synthetic(300_000)
    size = (X.nnz * (1 + X.indices.itemsize) + X.indptr.nbytes) / 2**20
    answers = from_matrix(X, y)
    del X
    before = now_and_peak()[0]
    reset_peak()
    learner("prepend", **{**GIVEN, "max_rules": RULES}).fit(answers)
    print("ratio", (now_and_peak()[1] - before) / size, "csr", size)


def now_and_peak() -> tuple[float, float]:
    """Return the resident memory and its peak since it was reset, in MiB."""
    fields = dict(
        line.split(":", 1)
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        if ":" in line
    )
    return int(fields["VmRSS"].split()[0]) / 1024, int(fields["VmHWM"].split()[0]) / 1024


def growth_alone(n_rows: str) -> None:
    X, y = synthetic(int(n_rows))
    size = (X.nnz * (1 + X.indices.itemsize) + X.indptr.nbytes) / 2**20
    answers = from_matrix(X, y)
    del X
    before = now_and_peak()[0]
    reset_peak()
    given = {**GIVEN, "max_rules": RULES}
    seconds = cpu(learner("prepend", **given).fit, answers)[1]
    print("seconds", seconds, "mib", now_and_peak()[1] - before, "csr", size)


def growth(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Learn from more and more rows of the synthetic matrix."""
    return [{"rows": n, **peak("growth", n)} for n in (30_000, 100_000, 300_000, 1_000_000)]


def print_growth(figures: list[dict[str, Any]]) -> str:
    rows = [
        [f"{f['rows']:,}", f"{f['seconds']:.2f}", f"{f['mib']:,.0f}", f"{f['csr']:,.0f}"]
        for f in figures
    ]
    logs = np.log([[f["rows"], f["seconds"]] for f in figures])
    slope = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    return (
        f"Prepend, {RULES:,} rules at the most, synthetic matrix. The exponent of CPU time is "
        f"{slope:.2f}.\n\n"
        + markdown(["rows", "CPU s", "peak beyond the matrix, MiB", "matrix, MiB"], rows)
    )


def naive(answers: QuestionMatrix, discount: float, epsilon: float) -> int:
    """Learn as Goodman's Figure 1 says: cost every question anew before each step."""
    from wsdlist.learners.smoothing import cost, discounted, unigram

    ordered, counts = answers.in_order()
    prior = unigram(answers.prior_counts())
    costs = cost(discounted(counts, prior, discount))
    current = cost(prior)[answers.outcome]
    columns = ordered.by_question
    owner = np.repeat(np.arange(ordered.n_questions), np.diff(columns.indptr))
    rows, weight = columns.indices, answers.weight
    new = costs[owner, answers.outcome[rows]]
    steps = 0
    while True:
        gain = np.bincount(owner, weight[rows] * (current[rows] - new), ordered.n_questions)
        best = int(gain.argmax())
        if gain[best] < epsilon:
            return steps
        span = slice(columns.indptr[best], columns.indptr[best + 1])
        current[rows[span]] = new[span]
        steps += 1


def forms_alone(form: str, words: str, data: str) -> None:
    chosen = sample(Path(data) / "text" / "confusion", "train", parse(["their,there"]))
    items = chosen.upto("their|there", int(words))
    answers = extract(items, [i.senses for i in items], LIGHT)
    before = now_and_peak()[0]
    reset_peak()
    if form == "naive":
        seconds = cpu(naive, answers, 0.7, 3.0)[1]
    else:
        given = {**GIVEN, "save_space": form == "saving"}
        seconds = cpu(learner("prepend", **given).fit, answers)[1]
    print("seconds", seconds, "mib", now_and_peak()[1] - before, "rows", len(items))


def forms(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Goodman's three forms of the incremental learner, on their/there."""
    return [
        {"form": form, "words": words, **peak("forms", form, words, data)}
        for words in (1_000_000, 15_000_000)
        for form in ("naive", "incremental", "saving")
    ]


def print_forms(figures: list[dict[str, Any]]) -> str:
    rows = [
        [
            {
                "naive": "naive (Figure 1)",
                "incremental": "incremental (Figure 2)",
                "saving": "space-saving (section 2.2.1)",
            }[f["form"]],
            f"{f['rows']:,.0f}",
            f"{f['seconds']:.2f}",
            f"{f['mib']:,.0f}",
        ]
        for f in figures
    ]
    return "their/there, d 0.7, epsilon 3: the same list, bit for bit (a test).\n\n" + markdown(
        ["form", "instances", "CPU s", "peak beyond the conditions, MiB"], rows
    )


def tbl(data: Path, cache: Path) -> dict[str, Any]:
    """Transformation-based learning beside nltk's, on the questions of hard."""
    from nltk.tag import RegexpTagger
    from nltk.tag.brill import Word
    from nltk.tag.brill_trainer import BrillTaggerTrainer
    from nltk.tbl.template import Template

    items = read(data / "wsd" / "nltk" / "senseval.zip").train.by_lexelt()["hard.a"]
    order = np.random.default_rng(0).permutation(len(items))
    chosen = [items[i] for i in order[: int(0.8 * len(items))]]
    answers = extract(chosen, [i.senses for i in chosen], SETS["goodman"])
    ours = statistics.median(
        cpu(learner("tbl", min_gain=2).fit, fresh(answers))[1] for _ in range(5)
    )
    fitted = learner("tbl", min_gain=2).fit(answers)
    initial = answers.senses[int(answers.prior_counts().argmax())]
    matrix = answers.by_row
    sentences = []
    for row, outcome in enumerate(answers.outcome.tolist()):
        true = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
        sentences.append(
            [("*", answers.senses[outcome]), *((f"q{question}", "-") for question in true)]
        )
    longest = max(map(len, sentences))
    tagger = RegexpTagger([(r"\*", initial), (r".*", "-")])
    trainer = BrillTaggerTrainer(
        tagger, [Template(Word(list(range(1, longest))))], deterministic=True
    )
    made, theirs_ = cpu(trainer.train, sentences, max_rules=500, min_score=2)
    return {
        "ours": ours,
        "nltk": theirs_,
        "our_rules": fitted.size.rules,
        "nltk_rules": len(made.rules()),
        "rows": answers.n_rows,
        "questions": answers.n_questions,
    }


def print_tbl(f: dict[str, Any]) -> str:
    rows = [
        ["tbl", f["our_rules"], f"{f['ours']:.3f}", "1"],
        ["nltk.tbl", f["nltk_rules"], f"{f['nltk']:.1f}", f"{f['nltk'] / f['ours']:,.0f}"],
    ]
    return (
        f"hard.a, {f['rows']:,} rows, {f['questions']:,} questions, at least 2 errors less a rule. "
        "In nltk.tbl an instance is a sentence whose first token is the target and whose others "
        "are its true questions.\n\n" + markdown(["system", "rules", "CPU s", "ratio"], rows)
    )


def as_dict(forms: tuple[str, ...], target: int) -> dict[str, int]:
    """Return the questions of `light` around a target as a dict, as one writes it by hand."""
    at = {
        offset: normal(forms[target + offset])
        for offset in (-2, -1, 1, 2)
        if 0 <= target + offset < len(forms)
    }
    made = {f"w{offset}={form}": 1 for offset, form in at.items()}
    offsets = list(at)
    for first, one in enumerate(offsets):
        for other in offsets[first + 1 :]:
            made[f"w{one}={at[one]}&w{other}={at[other]}"] = 1
    for place in range(max(target - 9, 0), min(target + 10, len(forms))):
        if place != target:
            made[f"near={normal(forms[place])}"] = 1
    return made


def questions(data: Path, cache: Path) -> dict[str, Any]:
    """Turn tokens into a matrix: ours beside a dict an instance and DictVectorizer."""
    from sklearn.feature_extraction import DictVectorizer

    items = theirs(data)
    labels = [i.senses for i in items]
    ours = [cpu(lambda: extract(items, labels, LIGHT).by_row)[1] for _ in range(5)]
    some = items[:20_000]

    def by_dicts() -> Any:
        return DictVectorizer(dtype=np.int8).fit_transform(
            as_dict(i.forms, i.target[0]) for i in some
        )

    theirs_ = [cpu(by_dicts)[1] for _ in range(3)]
    return {
        "instances": len(items),
        "ours": len(items) / statistics.median(ours),
        "dicts": len(some) / statistics.median(theirs_),
    }


def print_questions(f: dict[str, Any]) -> str:
    rows = [
        ["wsdlist, minimum count 2", f"{f['instances']:,}", f"{f['ours']:,.0f}", "1"],
        [
            "a dict an instance, DictVectorizer",
            "20,000",
            f"{f['dicts']:,.0f}",
            f"{f['dicts'] / f['ours']:.3f}",
        ],
    ]
    return (
        f"Tokens to matrix, `light` around their/there: {f['ours'] / f['dicts']:.1f} times as "
        "fast.\n\n" + markdown(["how", "instances", "instances a CPU s", "ratio"], rows)
    )


def text_alone(jobs: str, model: str, *files: str) -> None:
    parts, sets = read_texts(list(files), parse(["banko-brill10"]), "light", jobs=int(jobs))
    train(parts.train, features="light", confusion=sets, jobs=int(jobs), path=model, **GIVEN)


def text(data: Path, cache: Path) -> list[dict[str, Any]]:
    """One pass over all the training text: ten sets, read, learned, written."""
    folder = data / "text" / "confusion"
    files = [str(path) for path in sorted(folder.glob("train-*.txt.xz"))]
    figures = []
    with tempfile.TemporaryDirectory() as scratch:
        models = []
        for jobs in (1, 2):
            model = Path(scratch) / f"{jobs}.wsd"
            code = CALL.format(folder=str(Path(__file__).parent), what="text")
            begun = time.perf_counter()
            child = subprocess.Popen([sys.executable, "-c", code, str(jobs), str(model), *files])
            peak_mib = 0.0
            while child.poll() is None:
                peak_mib = max(peak_mib, tree_mib(child.pid))
                time.sleep(0.2)
            assert child.returncode == 0
            figures.append({"jobs": jobs, "seconds": time.perf_counter() - begun, "mib": peak_mib})
            models.append(model.read_bytes())
        assert models[0] == models[1]
    return figures


def tree_mib(pid: int) -> float:
    """Return the memory of a process and those it began, shared pages in proportion (PSS)."""
    total = 0.0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            name = int(status.parent.name)
            parent = int(fields[1])
            if pid in (name, parent):
                smaps = (status.parent / "smaps_rollup").read_text(encoding="ascii")
                total += int(smaps.partition("Pss:")[2].split()[0]) / 1024
        except (OSError, ValueError, IndexError):
            continue
    return total


def print_text(figures: list[dict[str, Any]]) -> str:
    rows = [[f["jobs"], f"{f['seconds']:.0f}", f"{f['mib']:,.0f}"] for f in figures]
    return (
        "All five training files, the ten sets of Banko & Brill, questions `light`, d 0.7, epsilon "
        "3: read, learned, written. Wall time of one process tree; the models are equal byte for "
        "byte.\n\n" + markdown(["--jobs", "wall s", "peak memory (PSS), MiB"], rows)
    )


if __name__ == "__main__":
    run_parts(
        "speed",
        {
            "learning": (learning, print_learning),
            "growth": (growth, print_growth),
            "forms": (forms, print_forms),
            "tbl": (tbl, print_tbl),
            "questions": (questions, print_questions),
            "text": (text, print_text),
        },
        __doc__,
    )
