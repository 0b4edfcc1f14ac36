"""What the spaCy component adds to a pipeline, and what reading and converting takes.

    python bench/pipelines.py --data DIR [--part component|formats] [--json FILE]
                              [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. One thread, CPU time, each
figure the median of five runs, the pipeline and the component in turn.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import argparse
import statistics
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import PIPELINE
from tables import keep, markdown, publish, versions

from wsdlist.data.corpus import Corpus
from wsdlist.integrations.spacy import SenseTagger
from wsdlist.readers import read
from wsdlist.readers.words import only_words
from wsdlist.readers.writing import files_of
from wsdlist.training.train import train

RUNS = 5
FORMATS = ("unified", "ufsac", "conllu", "jsonl", "docbin")


def component(data: Path, folder: Path) -> list[dict[str, Any]]:
    """Time tagger, parser and lemmatizer, and the senses behind them."""
    from importlib import import_module

    figures = []
    texts = [
        " ".join(i.forms)
        for i in only_words(read(data / "wsd" / "senseval3-en-ls" / "EnglishLS.test.xz").train)[::8]
    ]
    bundled = "corpora/lexical-sample"
    corpora: dict[str, Any] = {
        "8 words (bundled corpus)": read(bundled).train,
        "57 words (Senseval-3)": read(
            data / "wsd" / "senseval3-en-ls" / "EnglishLS.train.xz",
            keys=[data / "wsd" / "senseval3-en-ls" / "EnglishLS.train.key.xz"],
        ).train,
        "SemCor, brown1": semcor(data, folder),
    }
    for name, corpus in corpora.items():
        path = folder / "m.wsd"
        model = train(corpus, features="light", discount=0.9, epsilon=3.0, path=path)
        nlp = import_module(PIPELINE).load(exclude=["ner"])
        senses = SenseTagger("wsdlist", str(path))
        without, added = [], []
        docs: list[Any] = []
        for _ in range(RUNS + 1):  # the first one opens the model, and is not counted
            began = time.process_time()
            docs = list(nlp.pipe(texts))
            between = time.process_time()
            for _ in senses.pipe(docs):
                pass
            without.append(between - began)
            added.append(time.process_time() - between)
        found = sum(token._.sense is not None for doc in docs for token in doc)
        words = sum(map(len, docs))
        base, mine = (statistics.median(times[1:]) for times in (without, added))
        figures.append(
            {
                "model": name,
                "lexelts": len(model),
                "words": words,
                "found": found,
                "words_s": words / mine,
                "added": 100 * mine / base,
            }
        )
    return figures


def semcor(data: Path, folder: Path) -> Corpus:
    with tarfile.open(data / "wsd" / "semcor3.0" / "semcor3.0.tar.xz") as packed:
        packed.extractall(folder / "semcor", filter="data")
    return read(folder / "semcor" / "semcor3.0" / "brown1").train


def print_component(figures: list[dict[str, Any]]) -> str:
    rows = [
        (
            f["model"],
            f["lexelts"],
            f"{f['words']:,}",
            f"{f['found']:,}",
            f"{f['words_s']:,.0f}",
            f"{f['added']:.1f}",
        )
        for f in figures
    ]
    header = ("model", "lexelts", "tokens", "senses told", "tokens a second", "% of their time")
    return (
        "The component by itself, on what tagger, parser and lemmatizer of spaCy's small English "
        f"pipeline made of every eighth test context of Senseval-3.\n\n{markdown(header, rows)}"
    )


def formats(folder: Path) -> list[dict[str, Any]]:
    """Time reading SemCor's first part, and each format that holds it, checked."""
    began = time.process_time()
    corpus = read(folder / "semcor" / "semcor3.0" / "brown1").train
    figures = [{"format": "semcor", "read": time.process_time() - began, "n": len(corpus)}]
    for name in FORMATS:
        began = time.process_time()
        files = files_of(corpus, folder / "made", name)
        seconds = time.process_time() - began
        size = sum(map(len, files.values()))
        figures.append({"format": name, "write": seconds, "bytes": size, "n": len(corpus)})
    return figures


def print_formats(figures: list[dict[str, Any]]) -> str:
    rows = [
        (
            f["format"],
            f"{f['n'] / f['read']:,.0f}" if "read" in f else "-",
            f"{f['n'] / f['write']:,.0f}" if "write" in f else "-",
            f"{f['bytes'] / 1e6:.1f}" if "bytes" in f else "-",
        )
        for f in figures
    ]
    header = ("format", "read, instances/s", "written and read back, instances/s", "MB")
    return f"{figures[0]['n']:,} instances of SemCor's first part.\n\n{markdown(header, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", choices=("component", "formats"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        semcor(given.data, folder)
        if given.part != "formats":
            measured = component(given.data, folder)
            keep(given.json, "pipelines, component", measured)
            shown = print_component(measured)
            publish("pipelines, component", f"{shown}\n\n{versions()}", given.docs)
        if given.part != "component":
            written = formats(folder)
            keep(given.json, "pipelines, formats", written)
            publish("pipelines, formats", f"{print_formats(written)}\n\n{versions()}", given.docs)


if __name__ == "__main__":
    main()
