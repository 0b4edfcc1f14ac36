"""SemCor's tag files: ``<wf cmd=done pos=NN lemma=bank wnsn=1 lexsn=1:17:01::>bank</wf>``.

S. Landes, C. Leacock & R. Tengi, "Building semantic concordances", 1998. SGML with or without
quotation marks around values, so it is scanned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from wsdlist.data.corpus import Corpus
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import InputError
from wsdlist.readers.senseval import resolve
from wsdlist.readers.sources import Source
from wsdlist.readers.words import Building, Mark

NAME = "semcor"
DESCRIPTION = "SemCor's tag files"

ELEMENT = re.compile(r"<(context|s|wf|punc)\b([^<>]*)>(?:([^<>]*)</(?:wf|punc)>)?")
ATTRIBUTE = re.compile(r"(\w+)=(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
HEAD_MARK = re.compile(r"\((?:a|p|ip)\)")  # where an adjective may stand


def sniff(text: str) -> bool:
    """Say whether the beginning of a file looks like a tag file."""
    return "<contextfile" in text and "<wf" in text


def read(source: Source, fail: Callable[[InputError], None]) -> Corpus:
    """Read a tag file; see :func:`wsdlist.readers.read`.

    A word is an instance when it has a sense (``wnsn`` above 0) of WordNet, several where they are
    joined by ``;``; the sense is its key, ``lemma%lexsn``, without the mark of adjectives'
    syntax. Multiwords are as many tokens as they are joined of by ``_``. Ids are made of the file,
    the sentence and the number of the word in it.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    text = Building(source.stem)
    sentence, number = "", 0
    for match in ELEMENT.finditer(source.text):
        given = {m[1]: m[2] or m[3] or m[4] or "" for m in ATTRIBUTE.finditer(match[2])}
        if match[1] == "context":
            if text.forms:  # files one behind another
                text.finish(corpus, source.place(match.start()))
                text = Building(source.stem)
            text.name = given.get("filename", text.name)
            continue
        if match[1] == "s":
            text.sentence()
            sentence, number = given.get("snum", str(len(text.sentences))), 0
            continue
        number += 1
        place = source.place(match.start())
        if match[3] is None:
            fail(InputError(f"a <{match[1]}> is not closed", "close it", where=place))
            continue
        written = resolve(match[3], corpus.repairs).strip()
        forms = [part for part in written.split("_") if part] or [written]
        if not written:
            fail(InputError(f"a <{match[1]}> has no word", "give it one", where=place))
            continue
        lemma = given.get("lemma")
        span = text.add(forms, lemma, given.get("pos"))
        if lemma is None or "lexsn" not in given:
            continue
        numbers, lexical = given.get("wnsn", "1").split(";"), given["lexsn"].split(";")
        if len(numbers) == 1:
            numbers *= len(lexical)
        if len(numbers) != len(lexical):
            what = f"there are {len(numbers)} wnsn for {len(lexical)} lexsn"
            fail(InputError(what, "give each its own", where=place))
            continue
        senses = _senses(lemma, zip(numbers, lexical, strict=True), corpus)
        if senses:
            name = f"{text.name}.s{sentence}.t{number}"
            lexelt = lexelt_of(lemma, given.get("pos"), senses)
            text.marks.append(Mark(span, name, lexelt, senses, place))
        else:
            corpus.repairs["words without a sense in WordNet (wnsn=0) left as context"] += 1
    text.finish(corpus, source.place(len(source.text)))
    return corpus


def _senses(lemma: str, pairs: Iterable[tuple[str, str]], corpus: Corpus) -> tuple[str, ...]:
    """Return the keys of the senses of a word that are in WordNet, of ``(wnsn, lexsn)``."""
    made = []
    for number, sense in pairs:
        if number not in ("0", "-1") and sense:
            kept, marks = HEAD_MARK.subn("", sense)
            if marks:
                corpus.repairs["marks of syntax dropped from sense keys"] += marks
            made.append(f"{lemma}%{kept}")
    return tuple(dict.fromkeys(made))
