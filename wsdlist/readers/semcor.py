"""SemCor's tag files: ``<wf cmd=done pos=NN lemma=bank wnsn=1 lexsn=1:17:01::>bank</wf>``.

S. Landes, C. Leacock & R. Tengi, "Building semantic concordances", 1998. The files are SGML, in
which values may lack quotation marks, so no XML parser reads them.
"""

from __future__ import annotations

import re
from collections import Counter

from wsdlist.data.corpus import Corpus
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers.senseval import resolve
from wsdlist.readers.sources import Source
from wsdlist.readers.words import Building, Mark

NAME = "semcor"
DESCRIPTION = "SemCor's tag files"

ELEMENT = re.compile(r"<(context|s|wf|punc)\b([^<>]*)>(?:([^<>]*)</(?:wf|punc)>)?")
ATTRIBUTE = re.compile(r"(\w+)=(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
HEAD_MARK = re.compile(r"\((?:a|p|ip)\)")  # the positions an adjective may be in


def sniff(text: str) -> bool:
    """Say whether the beginning of a file looks like a tag file."""
    return "<contextfile" in text and "<wf" in text


def read(source: Source, fail: Fail) -> Corpus:
    """Read a tag file; see :func:`wsdlist.readers.read`.

    A word is an instance if it has a sense of WordNet (``wnsn`` above 0), or several joined by
    ``;``. The sense is its key, ``lemma%lexsn``, without the mark for the syntax of adjectives.
    Multiwords, whose words are joined by ``_``, are several tokens. Ids consist of the name of the
    text, the number of the sentence and that of the word in it.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    text = Building(source.stem)
    sentence, number = "", 0
    for match in ELEMENT.finditer(source.text):
        given = {m[1]: m[2] or m[3] or m[4] or "" for m in ATTRIBUTE.finditer(match[2])}
        if match[1] == "context":
            if text.forms:  # several files in one
                text.finish(corpus, source.place(match.start()))
                text = Building(source.stem)
            text.name = given.get("filename", text.name)
            continue
        if match[1] == "s":
            text.sentence()
            sentence, number = given.get("snum", str(len(text.sentences))), 0
            continue
        number += 1
        name, place = f"{text.name}.s{sentence}.t{number}", source.place(match.start())
        try:
            forms = _forms(match, place, corpus.repairs)
            span = text.add(forms, given.get("lemma"), given.get("pos"))
            if "lemma" in given and "lexsn" in given:
                senses = _senses(given, place, corpus.repairs)
                if senses:
                    lexelt = lexelt_of(given["lemma"], given.get("pos"), senses)
                    text.marks.append(Mark(span, name, lexelt, senses, place))
        except InputError as error:
            fail(error)
    text.finish(corpus, source.place(len(source.text)))
    return corpus


def _forms(match: re.Match[str], place: str, repairs: Counter[str]) -> list[str]:
    """Return the tokens of a word."""
    if match[3] is None:
        raise InputError(f"a <{match[1]}> is not closed", "close it", where=place)
    written = resolve(match[3], repairs).strip()
    if not written:
        raise InputError(f"a <{match[1]}> has no word", "give it one", where=place)
    return [part for part in written.split("_") if part] or [written]


def _senses(given: dict[str, str], place: str, repairs: Counter[str]) -> tuple[str, ...]:
    """Return the keys of the senses of a word that are in WordNet."""
    numbers, lexical = given.get("wnsn", "1").split(";"), given["lexsn"].split(";")
    if len(numbers) == 1:
        numbers *= len(lexical)
    if len(numbers) != len(lexical):
        what = f"there are {len(numbers)} wnsn for {len(lexical)} lexsn"
        raise InputError(what, "give each its own", where=place)
    keys = []
    for number, sense in zip(numbers, lexical, strict=True):
        if number not in ("0", "-1") and sense:
            kept, marks = HEAD_MARK.subn("", sense)
            if marks:
                repairs["marks of syntax dropped from sense keys"] += marks
            keys.append(f"{given['lemma']}%{kept}")
    if not keys:
        repairs["words without a sense in WordNet (wnsn=0) left as context"] += 1
    return tuple(dict.fromkeys(keys))
