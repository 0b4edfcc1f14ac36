"""The experiment of Goodman (2002, section 4) on confusion sets from plain text.

    python bench/goodman.py --data DIR [--part table|brown|accents] [--json FILE]
                            [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. One thread, CPU time. The
text is read once; the matrices of a set are shared by all systems.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import lzma
import resource
import sys
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import cpu, run_parts
from tables import markdown

from wsdlist.data.arrays import Floats, Ints
from wsdlist.data.corpus import Instance
from wsdlist.data.tokens import TOKEN
from wsdlist.evaluation.evaluate import evaluate
from wsdlist.features import ask, extract
from wsdlist.features.matrix import QuestionMatrix
from wsdlist.features.sets import SETS
from wsdlist.learners import learner
from wsdlist.models.recipe import Recipe
from wsdlist.readers.confusion_sets import HOLE, ConfusionSets, Texts, member, parse
from wsdlist.training.fit import tune_word, with_own_estimate
from wsdlist.training.texts import read_texts
from wsdlist.training.train import settle, train

SIZES = {"1M": 1_000_000, "5M": 5_000_000, "all": 10**12}
TUNED_ON = ["quiet,quite", "passed,past", "raise,rise", "lead,led", "begin,being"]
LIGHT = SETS["light"].around()
BOOTSTRAP = 1000
FLOOR = 0.01  # per cent: a set without an error has no logarithm
GIVEN = {"discount": 0.7, "epsilon": 3.0}
# name, learner, its parameters; "others": discount and epsilon from other sets, "own": from its own
SYSTEMS: list[tuple[str, str, dict[str, Any], str]] = [
    ("MFS", "mfs", {}, ""),
    ("sorted", "sorted", {"discount": 0.7}, ""),
    ("sorted, epsilon 0", "compromise", {"discount": 0.7, "epsilon": 0.0}, ""),
    ("compromise, epsilon 3", "compromise", GIVEN, ""),
    ("compromise, d and epsilon of other sets", "compromise", {}, "others"),
    ("prepend, epsilon 3", "prepend", GIVEN, ""),
    ("prepend, epsilon 3, default re-estimated", "prepend", {**GIVEN, "reestimate": "default"}, ""),
    ("prepend, epsilon 3, rules re-estimated", "prepend", {**GIVEN, "reestimate": "rules"}, ""),
    ("prepend, epsilon 3, re-estimated: auto", "prepend", {**GIVEN, "reestimate": "auto"}, "own"),
    ("prepend, d and epsilon of other sets", "prepend", {}, "others"),
    (
        "prepend, all tuned on its own set",
        "prepend",
        {"discount": "auto", "epsilon": "auto", "reestimate": "auto"},
        "own",
    ),
    ("transformation-based", "tbl", {}, ""),
    ("naive Bayes", "naive-bayes", {}, ""),
    ("naive Bayes, tuned", "naive-bayes", {}, "own"),
    ("perceptron", "perceptron", {}, ""),
    ("logistic", "logistic", {}, ""),
    ("logistic, tuned", "logistic", {}, "own"),
]
GRIDS: dict[str, dict[str, Any]] = {
    "naive-bayes": {"alpha": [0.01, 0.1, 0.3, 1.0, 3.0]},
    "logistic": {"variance": [0.1, 0.3, 1.0, 3.0]},
}
NO_BITS = {"transformation-based", "perceptron"}
# Goodman (2002), Figures 5 to 7, at 1 and 10 million words of another text, with tags
PAPER = {
    "sorted": ((14.27, 8.88), (1065, 10388), (0.91, 0.70)),
    "sorted, epsilon 0": ((13.16, 8.43), (831, 8293), (0.81, 0.64)),
    "compromise, epsilon 3": ((10.23, 6.30), (45, 462), (0.47, 0.43)),
    "prepend, epsilon 3": ((10.80, 6.33), (21, 126), (0.49, 0.36)),
    "transformation-based": ((10.36, 5.14), (15, 77), None),
    "logistic": ((8.60, 4.42), (1363, 12872), (0.44, 0.27)),
    "perceptron": ((8.22, 3.96), (1363, 12872), None),
}
# drafts and peers on this very text, at 1, 5 and 15.1 million words: error, size, bits
DRAFTS = {
    "sorted": ((15.07, 11.58, 8.68), (1187, 5190, 13088), (0.788, 0.693, 0.559)),
    "sorted, epsilon 0": ((14.98, 11.30, 8.42), (757, 3556, 9445), (0.708, 0.625, 0.505)),
    "compromise, epsilon 3": ((13.72, 9.94, 7.40), (53, 216, 694), (0.546, 0.467, 0.364)),
    "prepend, epsilon 3": ((15.39, 10.55, 8.19), (29, 105, 252), (0.539, 0.409, 0.327)),
    "prepend, epsilon 3, default re-estimated": (
        (13.44, 9.32, 7.30),
        (29, 105, 252),
        (0.550, 0.430, 0.325),
    ),
    "naive Bayes, tuned": ((9.79, 6.15, 4.44), (2899, 12584, 31145), (0.824, 0.497, 0.405)),
    "logistic, tuned": ((10.60, 6.90, 4.65), (1449, 6292, 15573), (0.422, 0.291, 0.213)),
}


@dataclass
class Sample:
    """Instances of text, the number of words before each, and the names of documents."""

    instances: dict[str, list[Instance]] = field(default_factory=dict)
    before: dict[str, list[int]] = field(default_factory=dict)
    words: int = 0

    def upto(self, lexelt: str, words: int) -> list[Instance]:
        """Return the instances of the first so many words."""
        pairs = zip(self.instances[lexelt], self.before[lexelt], strict=True)
        return [instance for instance, before in pairs if before < words]


def documents(path: Path) -> Iterator[tuple[str, list[str]]]:
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        for chunk in stream.read().split("\f")[1:]:
            name, _, text = chunk.partition("\n")
            yield name, text.split("\n")[:-1]


def sample(folder: Path, part: str, sets: ConfusionSets) -> Sample:
    """Read the text of a part once."""
    made = Sample()
    intern: dict[str, str] = {}
    reach = LIGHT.reach or 0
    for path in sorted(folder.glob(f"{part}-*.txt.xz")):
        for name, paragraphs in documents(path):
            for paragraph in paragraphs:
                for _, instance in sets.instances(paragraph, reach, document=name):
                    forms = tuple([intern.setdefault(form, form) for form in instance.forms])
                    made.instances.setdefault(instance.lexelt, []).append(
                        replace(instance, forms=forms)
                    )
                    made.before.setdefault(instance.lexelt, []).append(made.words)
                tokens = TOKEN.findall(paragraph)
                made.words += sum(any(map(str.isalnum, token)) for token in tokens)
    return made


def tuned(name: str, words: dict[str, list[Instance]]) -> dict[str, Any]:
    """Choose discount and epsilon on other sets, all of them together."""
    settings = Recipe(name, LIGHT, {"discount": "auto", "epsilon": "auto"})
    known = {word: (items, [i.senses for i in items]) for word, items in words.items()}
    return settle(settings, known)[0].parameters  # type: ignore[arg-type]


def errors_by_document(
    P: Floats, gold: Ints, documents_of: Ints, n_documents: int
) -> tuple[Ints, Ints]:
    wrong = (P.argmax(axis=1) != gold).astype(np.int64)
    return (
        np.bincount(documents_of, wrong, n_documents).astype(np.int64),
        np.bincount(documents_of, minlength=n_documents),
    )


def table(data: Path, cache: Path) -> dict[str, Any]:
    """Learn the ten sets of Banko & Brill with all systems, at three sizes."""
    folder = data / "text" / "confusion"
    sets, others = parse(["banko-brill10"]), parse(TUNED_ON)
    (known, seconds) = cpu(sample, folder, "train", sets)
    tests = sample(folder, "test", sets)
    for_tuning = sample(folder, "train", others)
    names = sorted({i.document or "" for items in tests.instances.values() for i in items})
    number = {name: n for n, name in enumerate(names)}
    rng = np.random.default_rng(0)
    resampled = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), BOOTSTRAP)
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    for size, words in SIZES.items():
        chosen = {
            name: tuned(
                name, {word: for_tuning.upto(word, words) for word in others.lexelt.values()}
            )
            for name in ("compromise", "prepend")
        }
        of_system: dict[str, list[tuple[Ints, Ints]]] = {}
        for lexelt in dict.fromkeys(sets.lexelt.values()):
            items, held = known.upto(lexelt, words), tests.instances[lexelt]
            labels = [item.senses for item in items]
            answers, reading = cpu(extract, items, labels, LIGHT)
            asked = ask(held, answers.questions)
            # shared by all systems, and not in their times
            ordered, _ = answers.in_order()
            for made in (answers, ordered, asked):
                made.by_question  # noqa: B018
            gold = np.array([answers.senses.index(item.senses[0]) for item in held])
            place = np.array([number[item.document or ""] for item in held])
            for system, kind, parameters, how in SYSTEMS:
                given = {**parameters, **(chosen[kind] if how == "others" else {})}
                fitted, spent = cpu(fit, kind, given, how, lexelt, items, labels, answers)
                P = fitted.predict_proba(asked)
                of_system.setdefault(system, []).append(
                    errors_by_document(P, gold, place, len(names))
                )
                rows.append(
                    {
                        "size": size,
                        "set": lexelt,
                        "system": system,
                        "train": len(items),
                        "test": len(held),
                        "questions": answers.n_questions,
                        "error": 100 * float((P.argmax(axis=1) != gold).mean()),
                        "bits": float(-np.log2(P[np.arange(len(gold)), gold]).mean()),
                        "rules": fitted.n_rules,
                        "seconds": spent,
                        "extract_seconds": reading,
                    }
                )
                print(size, lexelt, system, rows[-1]["error"], spent, file=sys.stderr, flush=True)
        for system, by_set in of_system.items():
            mine = [r for r in rows if r["size"] == size and r["system"] == system]
            rates = np.array([(resampled @ w) / (resampled @ n) for w, n in by_set])
            spread = np.exp(np.log(np.maximum(100 * rates, FLOOR)).mean(axis=0))
            totals.append(
                {
                    "size": size,
                    "system": system,
                    "error": geometric([max(r["error"], FLOOR) for r in mine]),
                    "interval": np.percentile(spread, [2.5, 97.5]).tolist(),
                    "rules": geometric([r["rules"] for r in mine]),
                    "bits": float(np.mean([r["bits"] for r in mine])),
                    "seconds": sum(r["seconds"] for r in mine),
                    "chosen": chosen.get(system.partition(",")[0], {}),
                }
            )
    return {
        "rows": rows,
        "totals": totals,
        "words": [known.words, tests.words],
        "documents": len(names),
        "reading_seconds": seconds,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def fit(
    kind: str,
    given: dict[str, Any],
    how: str,
    lexelt: str,
    items: list[Instance],
    labels: list[tuple[str, ...]],
    answers: QuestionMatrix,
) -> Any:
    if how == "own":
        settings = Recipe(kind, LIGHT, given, grid=GRIDS.get(kind, {}))
        own = with_own_estimate(settings, lexelt, items, labels)
        given = settings.settled(
            tune_word(own, lexelt, items, labels, None, answers).best
        ).parameters
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an optimiser that stopped at its limit
        return learner(kind, **given).fit(answers)


def geometric(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values)))) if min(values) > 0 else 0.0


def print_table(figures: dict[str, Any]) -> str:
    sizes = list(SIZES)
    named = {name: f"{name} words" for name in sizes}
    totals = {(t["size"], t["system"]): t for t in figures["totals"]}
    made = [
        f"{figures['words'][0]:,} words to learn from, {figures['words'][1]:,} in "
        f"{figures['documents']} documents to test on. Reading the text and finding the instances "
        f"took {figures['reading_seconds']:.0f} CPU s; the whole run at most "
        f"{figures['peak_mib']:,.0f} MiB. Questions `light` around the word. In brackets 95% "
        "bootstrap intervals over documents."
    ]
    rows = []
    for system, *_ in SYSTEMS:
        cells = [totals[size, system] for size in sizes]
        errors = [
            f"{c['error']:.2f} [{c['interval'][0]:.1f}, {c['interval'][1]:.1f}]" for c in cells
        ]
        size = [f"{c['rules']:,.0f}" for c in cells]
        bits = ["-" if system in NO_BITS else f"{c['bits']:.3f}" for c in cells]
        seconds = f"{cells[-1]['seconds']:.1f}"
        rows.append([system, *errors, *size, *bits, seconds])
    header = ["system", *(f"error %, {n}" for n in sizes), *(f"size, {n}" for n in sizes)]
    header += [*(f"bits, {n}" for n in sizes), "CPU s to fit, all"]
    made.append("Geometric mean of error and of size, arithmetic mean of bits.")
    made.append(markdown(header, rows))
    against = []
    for system in (
        "compromise, epsilon 3",
        "prepend, epsilon 3",
        "prepend, epsilon 3, re-estimated: auto",
    ):
        cells = [(totals[size, system], totals[size, "sorted"]) for size in sizes]
        against.append(
            [
                system,
                *(f"{100 * (1 - one['error'] / base['error']):.0f}%" for one, base in cells),
                *(f"{100 * (1 - one['bits'] / base['bits']):.0f}%" for one, base in cells),
                *(f"{base['rules'] / one['rules']:.0f}" for one, base in cells),
            ]
        )
    against += [
        [f"the paper's {name} (1M, 10M, 50M words)", *cells.split()]
        for name, cells in (
            ("compromise", "28% 29% 37% 48% 39% 47% 24 22 19"),
            ("prepend", "24% 29% 34% 46% 49% 55% 51 82 91"),
        )
    ]
    columns = ["fewer errors", "fewer bits", "times smaller"]
    made.append("Against the classic sorted list.")
    made.append(markdown(["list", *(f"{c}, {n}" for c in columns for n in sizes)], against))
    made.append("The same of our drafts and peers on this very text, at 1M, 5M and all words.")
    made.append(
        markdown(
            header[:-1],
            [
                [s, *(f"{v:.2f}" for v in e), *(f"{v:,}" for v in n), *(f"{v:.3f}" for v in b)]
                for s, (e, n, b) in DRAFTS.items()
            ],
        )
    )
    made.append("The paper's figures, of another text and with tags, at 1 and 10 million words.")
    made.append(
        markdown(
            ["system", "error %, 1M", "10M", "size, 1M", "10M", "bits, 1M", "10M"],
            [[s, *e, *(f"{v:,}" for v in n), *(b or ("-", "-"))] for s, (e, n, b) in PAPER.items()],
        )
    )
    shown: tuple[str, ...] = ("MFS", "sorted", "compromise, epsilon 3", "prepend, epsilon 3")
    shown += (
        "prepend, epsilon 3, re-estimated: auto",
        "transformation-based",
        "naive Bayes, tuned",
    )
    shown += ("perceptron", "logistic, tuned")
    for at in sizes:
        made.append(f"By set, {named[at]}: error % / bits / size.")
        body = []
        for lexelt in dict.fromkeys(r["set"] for r in figures["rows"]):
            mine = {
                r["system"]: r for r in figures["rows"] if (r["set"], r["size"]) == (lexelt, at)
            }
            cells = [
                f"{mine[s]['error']:.2f} / "
                f"{'-' if s in NO_BITS else format(mine[s]['bits'], '.3f')} / {mine[s]['rules']:,}"
                for s in shown
            ]
            name = lexelt.replace("|", ", ")
            any_row = mine["sorted"]
            body.append([name, f"{any_row['train']:,}", f"{any_row['test']:,}", *cells])
        made.append(markdown(["set", "train", "test", *shown], body))
    return "\n\n".join(made)


# Golding & Schabes (1996): per cent right on their test part; T tags, B Bayes, TB Tribayes
GOLDING = {
    "their|there|they're": (56.8, 97.6, 94.4, 97.6),
    "than|then": (63.4, 94.9, 93.2, 94.9),
    "its|it's": (91.3, 98.1, 95.9, 98.1),
    "your|you're": (89.3, 98.9, 89.8, 98.9),
    "begin|being": (93.2, 97.3, 91.8, 97.3),
    "passed|past": (68.9, 95.9, 89.2, 95.9),
    "quiet|quite": (83.3, 95.5, 89.4, 95.5),
    "weather|whether": (86.9, 93.4, 96.7, 93.4),
    "accept|except": (70.0, 82.0, 88.0, 82.0),
    "lead|led": (46.9, 83.7, 79.6, 83.7),
    "cite|sight|site": (64.7, 70.6, 73.5, 70.6),
    "principal|principle": (58.8, 88.2, 85.3, 88.2),
    "raise|rise": (64.1, 64.1, 74.4, 76.9),
    "affect|effect": (91.8, 93.9, 95.9, 95.9),
    "peace|piece": (44.0, 44.0, 90.0, 90.0),
    "country|county": (91.9, 91.9, 85.5, 85.5),
    "amount|number": (71.5, 73.2, 82.9, 82.9),
    "among|between": (71.5, 71.5, 75.3, 75.3),
}


def brown_instances(data: Path, sets: ConfusionSets) -> dict[str, list[Instance]]:
    """Return the words of the sets in Brown, with its own tags around them."""
    made: dict[str, list[Instance]] = {lexelt: [] for lexelt in sets.lexelt.values()}
    with zipfile.ZipFile(data / "text" / "brown" / "brown.zip") as archive:
        for name in sorted(n for n in archive.namelist() if n[-4:-2].isdigit() or n[-2:].isdigit()):
            for line in archive.read(name).decode().split("\n"):
                pairs = [token.rpartition("/") for token in line.split()]
                forms = [form for form, _, _ in pairs]
                tags = [tag for _, _, tag in pairs]
                for place, form in enumerate(forms):
                    lexelt = sets.lexelt.get(member(form))
                    if lexelt is not None:
                        around = (*forms[:place], HOLE, *forms[place + 1 :])
                        of_tags = (*tags[:place], HOLE, *tags[place + 1 :])
                        made[lexelt].append(
                            Instance(
                                *("", lexelt, around, (place, place + 1), (member(form),)),
                                tags=of_tags,
                                document=name,
                            )
                        )
    return made


def brown(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Learn Golding's eighteen sets on four fifths of Brown, five times."""
    sets = parse(["golding18"])
    figures = []
    goodman = SETS["goodman"].around()
    for lexelt, items in brown_instances(data, sets).items():
        right: dict[str, list[float]] = {}
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(items))
            cut = int(0.8 * len(items))
            known, held = [items[i] for i in order[:cut]], [items[i] for i in order[cut:]]
            labels = [i.senses for i in known]
            answers = extract(known, labels, goodman)
            asked = ask(held, answers.questions)
            gold = [i.senses[0] for i in held]
            for system, kind, parameters in (
                ("MFS", "mfs", {}),
                ("sorted", "sorted", {"discount": 0.7}),
                ("compromise", "compromise", GIVEN),
                ("prepend", "prepend", GIVEN),
                ("naive Bayes", "naive-bayes", {}),
                ("logistic", "logistic", {}),
            ):
                fitted = learner(kind, **parameters).fit(answers)
                best = fitted.predict_proba(asked).argmax(axis=1)
                share = np.mean([fitted.senses[b] == g for b, g in zip(best, gold, strict=True)])
                right.setdefault(system, []).append(100 * float(share))
        figures.append({"set": lexelt, "instances": len(items), **right})
    return figures


def print_brown(figures: list[dict[str, Any]]) -> str:
    systems = ("MFS", "sorted", "compromise", "prepend", "naive Bayes", "logistic")
    rows = [
        [
            f["set"].replace("|", ", "),
            f["instances"],
            *(f"{np.mean(f[s]):.1f}" for s in systems),
            *GOLDING[f["set"]],
        ]
        for f in figures
    ]
    means = [np.mean([np.mean(f[s]) for f in figures]) for s in systems]
    published = np.mean(list(GOLDING.values()), axis=0)
    rows.append(["mean", "", *(f"{v:.1f}" for v in means), *(f"{v:.1f}" for v in published)])
    header = ["set", "instances", *systems, "their base", "T", "B", "TB"]
    return (
        "Per cent right, mean of five random 80/20 splits; questions `goodman` around the word "
        "with Brown's tags; d 0.7, epsilon 3. To the right Golding & Schabes (1996) on their own "
        "split: tag trigrams, Bayes, Tribayes.\n\n" + markdown(header, rows)
    )


def accents(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Restore accents in four languages."""
    folder = data / "text" / "accent"
    figures = []
    for language in ("fr", "es", "ro", "cs"):
        files = [folder / f"{language}-train.txt.xz"]
        parts, sets = read_texts(files, None, LIGHT, by_line=True)
        tests = Texts(sets, LIGHT.reach or 0, by_line=True).read(folder / f"{language}-test.txt.xz")
        for system, kind, parameters in (
            ("compromise", "compromise", GIVEN),
            ("prepend", "prepend", GIVEN),
        ):
            model, seconds = cpu(
                lambda k=kind, p=parameters, known=parts, s=sets: train(
                    known.train, learner=k, features=LIGHT, confusion=s, **p
                )
            )
            rows = evaluate(model, tests)
            n = sum(r.score.instances for r in rows)
            figures.append(
                {
                    "language": language,
                    "system": system,
                    "sets": len(rows),
                    "train": len(parts.train),
                    "test": n,
                    "right": 100
                    * sum(round(r.score.accuracy * r.score.instances) for r in rows)
                    / n,
                    "mfs": 100 * sum(round(r.mfs.accuracy * r.mfs.instances) for r in rows) / n,
                    "bits": sum(r.score.bits * r.score.instances for r in rows) / n,
                    "mfs_bits": sum(r.mfs.bits * r.mfs.instances for r in rows) / n,
                    "rules": sum(r.rules for r in rows) / len(rows),
                    "seconds": seconds,
                }
            )
    return figures


def print_accents(figures: list[dict[str, Any]]) -> str:
    rows = [
        [
            f["language"],
            f["system"],
            f["sets"],
            f"{f['train']:,}",
            f"{f['test']:,}",
            f"{f['mfs']:.2f}",
            f"{f['right']:.2f}",
            f"{f['mfs_bits']:.3f}",
            f"{f['bits']:.3f}",
            f"{f['rules']:.0f}",
            f"{f['seconds']:.1f}",
        ]
        for f in figures
    ]
    header = ["language", "list", "sets", "train", "test", "mfs %", "right %", "mfs bits", "bits"]
    header += ["rules a set", "CPU s to learn"]
    return (
        "Words of novels that differ by their diacritics alone, 50 and more of each in the "
        "training part; questions `light` around the word, d 0.7, epsilon 3. Yarowsky (1994), "
        "Spanish news, all ambiguous words: 98 per cent right, most frequent form 93 (the four "
        "types of words he lists give 87).\n\n" + markdown(header, rows)
    )


if __name__ == "__main__":
    run_parts(
        "goodman",
        {
            "table": (table, print_table),
            "brown": (brown, print_brown),
            "accents": (accents, print_accents),
        },
        __doc__,
    )
