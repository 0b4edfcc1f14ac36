"""What a trained model costs in use: answering, tagging, opening, size, memory over a long run.

    python bench/use.py --data DIR [--part speed|opening|memory] [--json FILE]
                        [--docs docs/benchmarks.md]

DIR holds the third-party corpora as docs/benchmarks.md describes them. One thread, CPU time.
"""

from __future__ import annotations

import itertools
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parent))
from lexical_sample import cpu, run_parts
from tables import markdown

from wsdlist.data.corpus import Instance
from wsdlist.models.model import Model, load
from wsdlist.readers import read
from wsdlist.training.train import train

WORDS = 22_000
TEXTS = 1_000_000
BATCH = 4096


def speed(data: Path, cache: Path) -> list[dict[str, Any]]:
    """Answer marked instances, and find and tag words in raw text."""
    figures = []
    for name, path in (
        ("hard, interest, line, serve", data / "wsd" / "nltk" / "senseval.zip"),
        ("Senseval-3", data / "wsd" / "senseval3-en-ls"),
    ):
        parts = read(path)
        model = train(parts.train, features="light")
        instances = [i for i in (parts.test or parts.train) if isinstance(i, Instance)]
        texts = [" ".join(i.forms) for i in instances]
        tokens = sum(len(i.forms) for i in instances)
        batches = [instances[n : n + BATCH] for n in range(0, len(instances), BATCH)]
        answering = [cpu(list, map(model.answer, batches))[1] for _ in range(5)]
        tagged = [cpu(list, model.tag_many(texts)) for _ in range(5)]
        found = sum(map(len, tagged[0][0]))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "m.wsd"
            model.save(file)
            size = file.stat().st_size
        rules = sum(expert.size.rules for expert in model.values())
        figures.append(
            {
                "corpus": name,
                "words": len(model),
                "instances": len(instances),
                "instances_a_second": len(instances) / statistics.median(answering),
                "tokens": tokens,
                "tokens_a_second": tokens / statistics.median(seconds for _, seconds in tagged),
                "found": found,
                "bytes_a_word": size / len(model),
                "bytes_a_rule": size / max(rules, 1),
            }
        )
    return figures


def print_speed(figures: list[dict[str, Any]]) -> str:
    rows = [
        [
            f["corpus"],
            f["words"],
            f"{f['instances']:,}",
            f"{f['instances_a_second']:,.0f}",
            f"{f['tokens']:,}",
            f"{f['found']:,}",
            f"{f['tokens_a_second']:,.0f}",
            f"{f['bytes_a_word'] / 1024:.0f}",
            f"{f['bytes_a_rule']:.0f}",
        ]
        for f in figures
    ]
    header = ["corpus", "words", "instances", "instances a CPU s", "tokens", "tags"]
    header += ["tokens a CPU s", "KiB a word", "bytes a rule"]
    return (
        f"Questions `light`, tuned. Instances in batches of {BATCH:,}, questions answered anew; "
        "tokens: the same contexts as raw text, in which all words of the model are found and "
        "tagged. Median of five.\n\n" + markdown(header, rows)
    )


OPEN = """
import sys, time
import numpy, scipy.sparse
from wsdlist.models.model import load
begun = time.perf_counter()
model = load(sys.argv[1])
opened = time.perf_counter() - begun
assert len(model) == int(sys.argv[2])
model[next(iter(model))]
first = time.perf_counter() - begun
model.lexicon
print(opened, first, time.perf_counter() - begun)
"""


def opening(data: Path, cache: Path) -> dict[str, Any]:
    """Open a model of as many words as WordNet tells apart in running text."""
    parts = read(data / "wsd" / "senseval3-en-ls")
    small = train(parts.train, features="light")
    experts = {}
    for number, expert in zip(range(WORDS), itertools.cycle(small.values()), strict=False):
        word, _, end = expert.lexelt.rpartition(".")
        forms = tuple(f"{form}{number}" for form in expert.forms)
        lexelt = f"{word}{number}.{end}"
        experts[lexelt] = replace(expert, lexelt=lexelt, forms=forms)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.wsd"
        Model(experts, small.meta, small.inventory).save(file)
        call = [sys.executable, "-c", OPEN, str(file), str(WORDS)]
        times = [
            list(map(float, subprocess.run(call, capture_output=True, check=True).stdout.split()))
            for _ in range(7)
        ]
        size = file.stat().st_size
    opened, first, lexicon = (statistics.median(column) for column in zip(*times, strict=True))
    return {"opened": opened, "first": first, "lexicon": lexicon, "mib": size / 2**20}


def print_opening(f: dict[str, Any]) -> str:
    rows = [
        ["opened", f"{f['opened']:.3f}"],
        ["and the first word's list read", f"{f['first']:.3f}"],
        ["and the forms of all words, to tag text", f"{f['lexicon']:.3f}"],
    ]
    return (
        f"A file of {WORDS:,} words, {f['mib']:.0f} MiB (the lists of Senseval-3 again and again). "
        "Median of seven processes, wall time after the imports.\n\n" + markdown(["", "s"], rows)
    )


SERVE = """
import sys, itertools
from wsdlist.models.model import load
def resident():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * 4096
model = load(sys.argv[1])
texts = [line.rstrip("\\n") for line in open(sys.argv[2], encoding="utf-8")]
wanted = int(sys.argv[3])
stream = (f"{number} {text}" for number, text in zip(range(wanted), itertools.cycle(texts)))
for done, _ in enumerate(model.tag_many(stream), start=1):
    if done in (wanted // 100, wanted // 10, wanted):
        print(resident())
"""


def memory(data: Path, cache: Path) -> dict[str, Any]:
    """Tag a million short texts in one process, and look at its memory."""
    parts = read(data / "wsd" / "nltk" / "senseval.zip")
    with tempfile.TemporaryDirectory() as folder:
        file, texts = Path(folder) / "m.wsd", Path(folder) / "texts"
        train(parts.train, features="light", path=file)
        instances = cast("list[Instance]", load(file) and parts.train.instances)
        short = (
            " ".join(i.forms[max(i.target[0] - 10, 0) : i.target[1] + 10]).replace("\n", " ")
            for i in instances
        )
        texts.write_text("\n".join(short), encoding="utf-8")
        call = [sys.executable, "-c", SERVE, str(file), str(texts), str(TEXTS)]
        done = subprocess.run(call, capture_output=True, check=True)
    after = [int(line) / 2**20 for line in done.stdout.split()]
    return {"texts": [TEXTS // 100, TEXTS // 10, TEXTS], "mib": after}


def print_memory(f: dict[str, Any]) -> str:
    rows = [[f"{n:,}", f"{mib:.1f}"] for n, mib in zip(f["texts"], f["mib"], strict=True)]
    return (
        "One process that tags texts of some twenty words, no two of them the same.\n\n"
        + markdown(["texts so far", "resident, MiB"], rows)
    )


if __name__ == "__main__":
    run_parts(
        "use",
        {
            "speed": (speed, print_speed),
            "opening": (opening, print_opening),
            "memory": (memory, print_memory),
        },
        __doc__,
    )
