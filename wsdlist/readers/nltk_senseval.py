"""The NLTK form of Senseval-like corpora: ``hard``, ``interest``, ``line``, ``serve``.

Tokens have tags, ``<wf pos="NN">word</wf>``, and those of the target are inside ``<head>``. The
lexelt ``hard-a`` of these files becomes ``hard.a``, as in every other format.
"""

from __future__ import annotations

import re
from collections import Counter

from wsdlist.data.corpus import Corpus, Instance
from wsdlist.data.tokens import sentence_starts
from wsdlist.errors import Fail, InputError, WsdlistError
from wsdlist.readers.senseval import resolve, scan
from wsdlist.readers.sources import Source, decode

NAME = "nltk-senseval"
DESCRIPTION = "NLTK's senseval .pos files, from a path, their zip, or nltk:senseval where installed"

PIECE = re.compile(r"<(/?)head\b[^<>]*>|<wf\s+pos=\"([^\"]*)\"\s*>([^<]*)</wf>")
HYPHENATED = re.compile(r"(.+)-([nvars])")
CORPORA = ("hard", "interest", "line", "serve")


def sniff(text: str) -> bool:
    """Say whether the beginning of a file looks like NLTK's senseval form."""
    return "<instance" in text and "<wf pos=" in text


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`. The first head is the target."""
    corpus = Corpus()
    corpus.repairs += source.repairs
    for raw in scan(source, fail):
        assert raw.context is not None
        repairs: Counter[str] = Counter()
        forms: list[str] = []
        tags: list[str] = []
        spans: list[list[int]] = []
        for match in PIECE.finditer(source.text, *raw.context):
            if match[3] is not None:
                forms.append(resolve(match[3].strip(), repairs))
                tags.append(resolve(match[2], repairs))
            elif not match[1]:
                spans.append([len(forms)])
            elif spans:
                spans[-1].append(len(forms))
        heads = tuple((s[0], s[1]) for s in spans if len(s) == 2 and s[0] < s[1])
        place = source.place(raw.start)
        if not heads:
            fail(InputError(f"instance {raw.id!r} has no head", "mark its target", where=place))
            continue
        corpus.repairs += repairs
        corpus.instances.append(
            Instance(
                id=raw.id,
                lexelt=lexelt_of_item(raw.lexelt),
                forms=tuple(forms),
                target=heads[0],
                senses=tuple(raw.senses),
                tags=tuple(tags),
                heads=heads,
                sentences=sentence_starts(forms),
                document=raw.document,
                place=place,
            )
        )
    return corpus


def lexelt_of_item(item: str) -> str:
    """Return the lexelt for a word as these files call it.

    >>> lexelt_of_item("hard-a")
    'hard.a'
    """
    name = HYPHENATED.fullmatch(item)
    return f"{name[1]}.{name[2]}" if name else item


def installed(name: str) -> list[Source]:
    """Return the files that ``nltk:NAME`` stands for, from NLTK's data folders.

    NLTK finds the files and :func:`read` reads them, because NLTK's own reader loses character
    references.

    Parameters
    ----------
    name
        ``senseval``, or one of its words, for example ``hard``.

    Raises
    ------
    InputError
        When there is no such corpus.
    WsdlistError
        When its data are not installed.
    """
    import nltk.data

    if name != "senseval" and name not in CORPORA:
        known = ", ".join(f"nltk:{word}" for word in ("senseval", *CORPORA))
        raise InputError(f"nltk:{name} is not known", f"say one of {known}")
    words = CORPORA if name == "senseval" else (name,)
    sources = []
    for word in words:
        try:
            pointer = nltk.data.find(f"corpora/senseval.zip/senseval/{word}.pos")
        except LookupError:
            try:
                pointer = nltk.data.find(f"corpora/senseval/{word}.pos")
            except LookupError:
                raise WsdlistError(
                    "NLTK's senseval corpus is not installed",
                    "run: python -m nltk.downloader senseval",
                    where=f"nltk:{name}",
                ) from None
        with pointer.open() as stream:
            data = stream.read()
        sources.append(decode(data, f"nltk:{word}"))
    return sources
