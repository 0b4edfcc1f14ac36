"""UFSAC: ``<word surface_form lemma pos wn30_key="a;b"/>`` in documents, paragraphs, sentences.

L. Vial, B. Lecouteux & D. Schwab, "UFSAC: unification of sense annotated corpora and tools", LREC
2018.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import quoteattr

from wsdlist.data.corpus import Corpus
from wsdlist.data.pos import split_lexelt
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers._xml import events
from wsdlist.readers.sources import PLAIN, Options, Source
from wsdlist.readers.words import Building, Mark, cannot, passages

NAME = "ufsac"
DESCRIPTION = "UFSAC XML, a <word> a token, several senses joined by ;"
SENSES = re.compile(r"wn\d+_key|sense_key")
WRITTEN = "wn30_key"


def sniff(text: str) -> bool:
    """Say whether the beginning of a file has a word as these corpora write it."""
    return "<word " in text and "surface_form=" in text


def read(source: Source, fail: Fail) -> Corpus:
    """Read a corpus; see :func:`wsdlist.readers.read`.

    The senses are those of ``wn30_key``, or of the first attribute of another version of WordNet.
    The lexelt is the attribute ``lexelt``, or else lemma and part of speech. The id of a word
    without ``id`` consists of the document, the sentence and the number of the word there.

    Raises
    ------
    InputError
        When the XML cannot be read; ``fail`` gets the errors of words.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    text: Building | None = None
    number = 0
    for kind, name, given, line in events(source, corpus.repairs):
        place = f"{source.name}:{line}"
        if name == "document" and kind == "+":
            document = given.get("id") or f"{source.stem}.d{len(corpus.texts)}"
            text = Building(document, whole=True)
        elif name == "document" and kind == "-" and text is not None:
            text.finish(corpus, place)
            text = None
        elif kind == "+" and name == "sentence" and text is not None:
            text.sentence()
            number = 0
        elif kind == "+" and name == "word" and text is not None:
            number += 1
            written = given.get("surface_form", "")
            forms = written.replace("_", " ").split() or written.split()
            if not forms:
                fail(InputError("a word has no surface_form", "give it one", where=place))
                continue
            lemma = given.get("lemma")
            span = text.add(forms, lemma, given.get("pos"))
            keys = given.get(WRITTEN) or next((v for k, v in given.items() if SENSES.match(k)), "")
            senses = tuple(dict.fromkeys(key for key in keys.split(";") if key))
            if not senses and "lexelt" not in given:
                continue
            if lemma is None and "lexelt" not in given:
                fail(InputError("a word has senses and no lemma", "give it one", where=place))
                continue
            lexelt = given.get("lexelt") or lexelt_of(lemma or "", given.get("pos"), senses)
            name_ = given.get("id") or f"{text.name}.s{len(text.sentences)}.t{number}"
            text.marks.append(Mark(span, name_, lexelt, senses, place))
    return corpus


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, str]:
    """Return a corpus as UFSAC; attributes ``id`` and ``lexelt`` keep those of instances.

    Senses are written as ``wn30_key``, even if they are no sense keys.

    Raises
    ------
    InputError
        When an instance crosses a sentence or overlaps another one.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<corpus>"]
    for passage in passages(corpus):
        text = passage.text
        lines += [f"<document id={quoteattr(passage.name)}>", "<paragraph>"]
        for start, end, marks in passage.sentences():
            lines.append("<sentence>")
            at = start
            for span, instance in [*marks, ((end, end), None)]:
                if span[0] < at or span[1] > end:
                    assert instance is not None
                    raise cannot(NAME, "words that overlap, or cross a sentence", instance)
                words = [(n, n + 1) for n in range(at, span[0])]
                for first, last in [*words, *([span] if instance is not None else [])]:
                    given = {"surface_form": "_".join(text.forms[first:last])}
                    if instance is not None and (first, last) == span:
                        word, part = split_lexelt(instance.lexelt)
                        given["lemma"] = instance.lexelt if part is None else word.replace(" ", "_")
                        given |= {"lexelt": instance.lexelt, "id": instance.id}
                        given |= {WRITTEN: ";".join(instance.senses)} if instance.senses else {}
                    elif text.lemmas is not None:
                        given["lemma"] = text.lemmas[first]
                    if text.tags is not None:
                        given["pos"] = text.tags[first]
                    shown = "".join(f" {key}={quoteattr(value)}" for key, value in given.items())
                    lines.append(f"<word{shown}/>")
                at = span[1]
            lines.append("</sentence>")
        lines += ["</paragraph>", "</document>"]
    return {"": "\n".join([*lines, "</corpus>"]) + "\n"}
