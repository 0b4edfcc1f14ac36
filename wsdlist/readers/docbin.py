"""spaCy's DocBin (``.spacy``): each document is a text, and its spans are senses.

Spans of the group ``senses`` are instances. Their label is the sense (empty if it is not known),
their ``kb_id`` the lexelt, their ``span_id`` the id. Several spans with the same id are the senses
of one instance.
"""

from __future__ import annotations

from typing import Any

from wsdlist.data.corpus import Corpus, Text
from wsdlist.data.sense_keys import lexelt_of
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import BINARY, PLAIN, Options, Source
from wsdlist.readers.words import Mark, instances, passages

NAME = "docbin"
DESCRIPTION = "spaCy's DocBin (.spacy), the senses as spans of the group `senses`"
GROUP = "senses"


def sniff(text: str) -> bool:
    """Return False: no text is in this format."""
    return False


def read(source: Source, fail: Fail) -> Corpus:
    """Read the bytes of a file (:attr:`Source.data`); see :func:`wsdlist.readers.read`.

    Raises
    ------
    InputError
        When they are no DocBin; ``fail`` gets the errors of documents.
    """
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    corpus = Corpus()
    vocab = Vocab()
    try:
        docs = list(DocBin().from_bytes(source.data).get_docs(vocab))
    except Exception as error:  # damaged bytes may raise anything
        raise InputError(
            f"is no DocBin, or damaged: {type(error).__name__}", "write it again", where=source.name
        ) from None
    for number, doc in enumerate(docs):
        name = doc.user_data.get("id") or f"{source.stem.removesuffix(BINARY)}.d{number}"
        try:
            _read(doc, str(name), f"{source.name}:{number + 1}", corpus)
        except InputError as error:
            fail(error)
    return corpus


def _read(doc: Any, name: str, place: str, corpus: Corpus) -> None:
    """Add a document to a corpus; its tokens that are only space are left out."""
    kept = [token for token in doc if not token.is_space]
    number = {token.i: n for n, token in enumerate(kept)}
    tags = tuple(token.tag_ or token.pos_ or "_" for token in kept)
    lemmas = tuple(token.lemma_ or token.lower_ for token in kept)
    text = Text(
        tuple(token.text for token in kept),
        tuple((token.idx, token.idx + len(token)) for token in kept),
        doc.text,
        tags if any(token.tag_ or token.pos_ for token in kept) else None,
        lemmas if any(token.lemma_ for token in kept) else None,
        tuple(n for n, token in enumerate(kept) if not n or token.is_sent_start),
    )
    marks: dict[str, Mark] = {}
    for n, span in enumerate(doc.spans.get(GROUP, ())):
        inside = [number[token.i] for token in span if token.i in number]
        if not inside:
            raise InputError("a span has no word", "mark its words", where=place)
        id_ = span.id_ or f"{name}.{n}"
        target = (inside[0], inside[-1] + 1)
        senses = (span.label_,) if span.label_ else ()
        if id_ in marks:
            if marks[id_].span != target:
                raise InputError(
                    f"two places have the id {id_!r}", "give each span its own", where=place
                )
            marks[id_].senses = tuple(dict.fromkeys((*marks[id_].senses, *senses)))
            continue
        lexelt = span.kb_id_ or lexelt_of(
            kept[inside[0]].lemma_ or kept[inside[0]].lower_, kept[inside[0]].pos_, senses
        )
        marks[id_] = Mark(target, id_, lexelt, senses, place)
    if name in corpus.texts:
        raise InputError(f"a document has the id {name!r} of another", "rename it", where=place)
    corpus.texts[name] = text
    corpus.instances += instances(text, name, marks.values())


def write(corpus: Corpus, options: Options = PLAIN) -> dict[str, bytes]:
    """Return the texts of a corpus as a DocBin."""
    from spacy.tokens import Doc, DocBin, Span
    from spacy.vocab import Vocab

    vocab = Vocab()
    docs = DocBin(["ORTH", "TAG", "LEMMA", "SENT_START", "SPACY"], store_user_data=True)
    for passage in passages(corpus):
        text = passage.text
        size = len(text.forms)
        spaces = [True] * size
        if text.text is not None:
            ends = [*(start for start, _ in text.spans[1:]), len(text.text)]
            spaces = [end < after for (_, end), after in zip(text.spans, ends, strict=True)]
        doc = Doc(
            vocab,
            words=list(text.forms),
            spaces=spaces,
            tags=None if text.tags is None else list(text.tags),
            lemmas=None if text.lemmas is None else list(text.lemmas),
            sent_starts=[n in text.sentences for n in range(size)],
        )
        doc.user_data["id"] = passage.name
        doc.spans[GROUP] = [
            Span(doc, *span, label=sense, kb_id=instance.lexelt, span_id=instance.id)
            for span, instance in passage.marks
            for sense in (instance.senses or ("",))
        ]
        docs.add(doc)
    return {BINARY: docs.to_bytes()}
