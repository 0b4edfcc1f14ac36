"""Google's texts annotated with NOAD senses: ``<word text lemma pos sense break_level/>``.

D. Yuan et al., "Semi-supervised word sense disambiguation with neural models", COLING 2016.
"""

from __future__ import annotations

from wsdlist.data.corpus import Corpus
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers._xml import events
from wsdlist.readers.sources import Source
from wsdlist.readers.words import Building, Mark

NAME = "noad"
DESCRIPTION = "Google's texts with NOAD senses, a <word> a token"
BREAKS = ("SENTENCE_BREAK", "PARAGRAPH_BREAK")


def sniff(text: str) -> bool:
    """Say whether the beginning of a file has the element of these texts."""
    return "<SimpleWsdDoc" in text


def read(source: Source, fail: Fail) -> Corpus:
    """Read a text; see :func:`wsdlist.readers.read`.

    Ids consist of the name of the text and the number of the first token.

    Raises
    ------
    InputError
        When the XML cannot be read; ``fail`` gets the errors of words.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    text: Building | None = None
    for kind, name, given, line in events(source, corpus.repairs):
        place = f"{source.name}:{line}"
        if kind == "+" and name == "SimpleWsdDoc":
            text = Building(given.get("name") or source.stem)
        elif kind == "-" and name == "SimpleWsdDoc" and text is not None:
            text.finish(corpus, place)
        elif kind == "+" and name == "word" and text is not None:
            if given.get("break_level") in BREAKS or not text.forms:
                text.sentence()
            forms = given.get("text", "").split()
            if not forms:
                fail(InputError("a word has no text", "give it one", where=place))
                continue
            lemma, sense = given.get("lemma"), given.get("sense")
            span = text.add(forms, lemma, given.get("pos"))
            if sense and not lemma:
                fail(InputError("a word has a sense and no lemma", "give it one", where=place))
            elif sense and lemma:
                number = f"{text.name}.t{span[0]:04d}"
                lexelt = lexelt_of(lemma, given.get("pos"))
                text.marks.append(Mark(span, number, lexelt, (sense,), place))
    return corpus
