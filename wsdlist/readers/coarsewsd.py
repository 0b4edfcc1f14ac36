"""CoarseWSD-20: a folder per word, with tokens in one file and numbers of senses in another.

D. Loureiro et al., "Analysis and evaluation of language models for word sense disambiguation", CL
2021.
"""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import PurePosixPath

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.numbers import whole
from wsdlist.data.tokens import sentence_starts
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import PLAIN, Options, Source, decode, has_surrogate
from wsdlist.readers.words import cannot, only_words

NAME = "coarsewsd"
DESCRIPTION = "CoarseWSD-20: train.data.txt with train.gold.txt and classes_map.txt beside it"
DATA, GOLD, CLASSES = ".data.txt", ".gold.txt", "classes_map.txt"
LINE = re.compile(r"[0-9]+\t[^\t\n]*\S")


def sniff(text: str) -> bool:
    """Say whether each of the first lines is a token number and tokens."""
    lines = text.split("\n")[:-1][:20] or [text]
    return all(LINE.fullmatch(line) for line in lines)


def companions(name: str) -> tuple[str, ...]:
    """Return the names of the files that belong to a file of this format."""
    return (name.removesuffix(DATA) + GOLD, CLASSES) if name.endswith(DATA) else ()


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file, with the senses in the file beside it if any; see :func:`wsdlist.readers.read`.

    The lexelt is the name of the folder. Ids consist of the lexelt, the part and the line.

    Raises
    ------
    InputError
        When the files beside it do not fit it; ``fail`` gets the errors of lines.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    part = source.stem.removesuffix(DATA)
    path = PurePosixPath(source.name.replace("\\", "/"))
    word = path.parent.name or part
    gold = source.beside(part + GOLD)
    numbers = [] if gold is None else [line.strip() for _, line in gold.lines()]
    map_file = source.beside(CLASSES)
    names = {} if map_file is None else _names(map_file)
    rows = list(source.lines())
    if gold is not None and len(numbers) != len(rows):
        raise InputError(
            f"has {len(numbers)} senses for {len(rows)} contexts", "align it", where=gold.name
        )
    for line, text in rows:
        place = f"{source.name}:{line}"
        target, _, context = text.partition("\t")
        forms = tuple(context.split())
        if (number := whole(target)) is None or number >= len(forms):
            fail(
                InputError(
                    f"the token number {target!r} is none of the {len(forms)} tokens",
                    "write number, tab, tokens",
                    where=place,
                )
            )
            continue
        sense = numbers[line - 1] if numbers else ""
        if sense and names and sense not in names:
            fail(
                InputError(
                    f"the sense {sense!r} is not in {CLASSES}",
                    "add it",
                    where=f"{source.name}:{line}",
                )
            )
            continue
        span = (number, number + 1)
        corpus.instances.append(
            Instance(
                f"{word}.{part}:{line}",
                word,
                forms,
                span,
                (names.get(sense, sense),) if sense else (),
                heads=(span,),
                sentences=sentence_starts(forms),
                place=place,
            )
        )
    return corpus


def _names(source: Source) -> dict[str, str]:
    """Return the sense that a map gives to each number."""
    try:
        names = json.loads(source.text)
    except (ValueError, RecursionError):
        names = None
    if (
        not isinstance(names, dict)
        or not all(isinstance(name, str) for name in names.values())
        or has_surrogate(names)
    ):
        raise InputError("is no map of numbers to senses", 'write {"0": ...}', where=source.name)
    return names


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return the files of one word by the ends of their names.

    Senses keep the numbers of the map that is there already, for train and test share it.

    Raises
    ------
    InputError
        When there are several words, or an instance has several senses or tokens.
    """
    instances = only_words(corpus)
    there = options.files(CLASSES)
    names = {} if there is None else _names(decode(there, CLASSES))
    number = {sense: n for n, sense in names.items()}
    for sense in sorted({sense for i in instances for sense in i.senses} - {*number}):
        n = next(str(n) for n in count() if str(n) not in names)
        number[sense], names[n] = n, sense
    for i in instances:
        if i.lexelt != instances[0].lexelt:
            raise cannot(NAME, "a second word", i)
        if len(i.senses) != 1 or i.target[1] - i.target[0] != 1:
            raise cannot(NAME, "other than one sense and one token", i)
    return {
        DATA: "".join(f"{i.target[0]}\t{' '.join(i.forms)}\n" for i in instances),
        GOLD: "".join(f"{number[i.senses[0]]}\n" for i in instances),
        CLASSES: json.dumps(names, ensure_ascii=False),
    }
