"""All words: a model of SemCor on the sets of the unified framework, and what was tried for it.

    python bench/all_words.py --data DIR [--part sets|tried] [--json FILE]
                              [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them; a WordNet 3.0 is installed.
The first part trains on all of SemCor with two jobs, from the command line. The second chose what
the first uses: it learns from four fifths of SemCor's documents and is tested on the others, and
never sees the sets.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import argparse
import hashlib
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

sys.path.insert(0, str(Path(__file__).parent))
from tables import keep, markdown, publish, versions

from wsdlist.data.corpus import Instance
from wsdlist.data.pos import split_lexelt
from wsdlist.evaluation.evaluate import answer_lines
from wsdlist.evaluation.official_scorers import compare, read_file, score
from wsdlist.features.sets import SETS
from wsdlist.inventories.wordnet import find, first_sense
from wsdlist.models.model import load
from wsdlist.models.recipe import Recipe
from wsdlist.readers import read
from wsdlist.readers.words import only_words
from wsdlist.training.fit import fit

SETS_OF = ("senseval2", "senseval3", "semeval2007", "semeval2013", "semeval2015", "ALL")
HOW = ("--features", "all-words", "--discount", "0.8", "--epsilon", "8")
RUNS = 5
Words = dict[str, list[Instance]]


def unpack(data: Path, folder: Path) -> None:
    for archive in ("raganato2017/raganato2017.tar.xz", "semcor3.0/semcor3.0.tar.xz"):
        with tarfile.open(data / "wsd" / archive) as packed:
            packed.extractall(folder, filter="data")


def sets(folder: Path) -> dict[str, Any]:
    """Train, and answer each set."""
    path = folder / "semcor.wsd"
    began = time.perf_counter()
    wsdlist = str(Path(sys.executable).with_name("wsdlist"))
    command = [wsdlist, "train", str(folder / "semcor3.0"), *HOW]
    subprocess.run([*command, "--jobs", "2", "--model", str(path)], check=True, capture_output=True)
    made: dict[str, Any] = {"train": time.perf_counter() - began, "MB": path.stat().st_size / 1e6}
    opening = []
    for _ in range(RUNS):
        began = time.perf_counter()
        model = load(path)
        opening.append(time.perf_counter() - began)
    wordnet = find()
    made |= {"open": statistics.median(opening), "lexelts": len(model), "sets": []}
    made["rules"] = sum(model[lexelt].size.rules for lexelt in model)
    made["with_rules"] = sum(model[lexelt].size.rules > 0 for lexelt in model)
    made["wordnet"] = f"{wordnet.name} {wordnet.version}"
    for name in SETS_OF:
        base = folder / "raganato2017" / "Evaluation_Datasets" / name / name
        corpus = read(f"{base}.data.xml").train
        gold = read_file(f"{base}.gold.key.txt", "unified")
        items = only_words(corpus)
        model.back_off = wordnet
        answers = model.answer(items)
        own, first = folder / "own.key", folder / "first.key"
        own.write_text(answer_lines(corpus, answers), encoding="utf-8")
        senses = [first_sense(wordnet, *split_lexelt(item.lexelt)) for item in items]
        lines = [f"{i.id} {sense}\n" for i, sense in zip(items, senses, strict=True) if sense]
        first.write_text("".join(lines), encoding="utf-8")
        scored = [score(gold, read_file(str(file), "unified"), "unified") for file in (first, own)]
        beside = compare(scored[0], scored[1])
        made["sets"].append(
            {
                "set": name,
                "instances": scored[1].total.instances,
                "backed_off": sum(answer.backed_off for answer in answers),
                "by_rule": sum(answer.rule is not None for answer in answers),
                "first": 100 * scored[0].total.f1,
                "f1": 100 * scored[1].total.f1,
                "difference": 100 * beside.difference,
                "low": 100 * beside.low,
                "high": 100 * beside.high,
            }
        )
    texts = list(corpus.texts.values())
    speeds = []
    for _ in range(RUNS):
        began = time.perf_counter()
        tags_made = sum(map(len, model.tag_many(texts)))
        speeds.append(sum(len(text.forms) for text in texts) / (time.perf_counter() - began))
    made |= {"tokens_s": statistics.median(speeds[1:]), "tags": tags_made}
    return made


def print_sets(f: dict[str, Any]) -> str:
    rows = [
        (
            one["set"],
            f"{one['instances']:,}",
            f"{one['by_rule']:,}",
            f"{one['backed_off']:,}",
            f"{one['first']:.1f}",
            f"{one['f1']:.1f}",
            f"{one['difference']:+.1f} ({one['low']:+.1f} to {one['high']:+.1f})",
        )
        for one in f["sets"]
    ]
    header = ("set", "instances", "answered by a rule", "by back-off", "first sense, F1 %")
    return (
        f"`train SEMCOR {' '.join(HOW)} --jobs 2`: {f['train']:.0f} s with reading and the report, "
        f"{f['lexelts']:,} words, {f['with_rules']:,} of them with rules, {f['rules']:,} rules, "
        f"{f['MB']:.1f} MB; it opens in {f['open']:.3f} s and tags {f['tokens_s']:,.0f} tokens a "
        f"second. Back-off: the first sense of {f['wordnet']}. In brackets the 95% interval of the "
        "paired bootstrap.\n\n" + markdown((*header, "wsdlist, F1 %", "difference"), rows)
    )


def documents(folder: Path) -> tuple[Words, Words]:
    """Return the instances of four fifths of the documents, and of the others, by lexelt."""
    parts: tuple[Words, Words] = defaultdict(list), defaultdict(list)
    for item in only_words(read(folder / "semcor3.0").train):
        digest = hashlib.sha256((item.document or "").encode()).hexdigest()
        parts[int(digest, 16) % 5 == 0][item.lexelt].append(item)
    return parts


def synonyms(learned: Words) -> Words:
    """Return instances of the other words of each sense's synset, as many as it has itself."""
    wordnet = find()
    of_synset: dict[str | None, list[Instance]] = defaultdict(list)
    for items in learned.values():
        for item in items:
            of_synset[wordnet.synset(item.senses[0])].append(item)
    made: Words = {}
    for lexelt, items in learned.items():
        made[lexelt] = list(items)
        for sense, count in Counter(item.senses[0] for item in items).items():
            synset = wordnet.synset(sense)
            more = [i for i in of_synset[synset] if i.lexelt != lexelt] if synset else []
            more.sort(key=lambda i: hashlib.sha256(i.id.encode()).hexdigest())
            made[lexelt] += [replace(item, senses=(sense,)) for item in more[:count]]
    return made


def tried(settings: Recipe, learned: Words, tested: Words, *, discourse: bool) -> dict[str, float]:
    """Score how words are learned, those with several senses."""
    right = mfs = n = rules = 0
    bits = 0.0
    for lexelt, items in tested.items():
        known = learned.get(lexelt, [])
        if len({sense for item in known for sense in item.senses}) < 2:
            continue
        expert = fit(settings, lexelt, known, [item.senses for item in known])
        P, senses = expert.predict_proba(items), expert.senses
        most = max(senses, key=lambda sense: expert.prior[sense])
        if discourse:
            where = np.array([item.document for item in items])
            P = np.array(
                [(p + P[where == d].mean(axis=0)) / 2 for p, d in zip(P, where, strict=True)]
            )
        for p, item in zip(P, items, strict=True):
            found = [senses.index(sense) for sense in item.senses if sense in senses]
            right += senses[int(p.argmax())] in item.senses
            mfs += most in item.senses
            bits += -float(np.log2(p[found]).mean()) if found else 0.0
        n += len(items)
        rules += expert.size.rules
    return {"accuracy": 100 * right / n, "mfs": 100 * mfs / n, "bits": bits / n, "rules": rules}


def all_tried(folder: Path) -> list[dict[str, Any]]:
    learned, tested = documents(folder)
    more = synonyms(learned)

    def way(
        features: str, epsilon: float | None = None, learner: str = "prepend", d: float = 0.8
    ) -> tuple[str, Recipe]:
        given = {} if learner == "naive-bayes" else {"discount": d}
        given |= {} if epsilon is None else {"epsilon": epsilon}
        said = learner + "".join(f", {name} {value:g}" for name, value in given.items())
        return f"{features}: {said}", Recipe(learner, SETS[features], given)

    ways = [
        *(way("all-words", epsilon) for epsilon in (3.0, 5.0, 8.0, 12.0)),
        *(way("all-words", 8.0, d=d) for d in (0.6, 0.95)),
        *(way(name, 8.0) for name in ("light", "goodman", "ims", "rich")),
        way("all-words", 8.0, "compromise"),
        way("all-words", None, "sorted"),
        way("ims", None, "naive-bayes"),
    ]
    runs = [(name, made, learned, False) for name, made in ways]
    name, best = way("all-words", 8.0)
    runs.append((f"{name}, one sense per discourse", best, learned, True))
    runs.append((f"{name}, with instances of synonyms", best, more, False))
    figures = Parallel(n_jobs=2)(
        delayed(tried)(made, known, tested, discourse=discourse)
        for _, made, known, discourse in runs
    )
    return [{"way": run[0], **one} for run, one in zip(runs, figures, strict=True)]


def print_tried(figures: list[dict[str, Any]]) -> str:
    rows = [
        (f["way"], f"{f['accuracy']:.1f}", f"{f['bits']:.3f}", f"{f['rules']:,}") for f in figures
    ]
    return (
        "Words with several senses, learned from four fifths of SemCor's documents and tested on "
        f"the others; the most frequent sense gets {figures[0]['mfs']:.1f} %. Bits: the code "
        "length of senses that were learned, divided by all instances.\n\n"
        + markdown(("features, learner", "accuracy %", "bits", "rules"), rows)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("sets", "tried"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        unpack(given.data, folder)
        if given.part != "tried":
            measured = sets(folder)
            keep(given.json, "all words, sets", measured)
            publish("all words, sets", f"{print_sets(measured)}\n\n{versions()}", given.docs)
        if given.part != "sets":
            found = all_tried(folder)
            keep(given.json, "all words, tried", found)
            publish("all words, tried", print_tried(found), given.docs)


if __name__ == "__main__":
    main()
