"""The spaCy component ``wsdlist``: senses on tokens, and on spans if they are of several words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from spacy import registry, util
from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.training import Example

import wsdlist
from wsdlist.data.corpus import Text
from wsdlist.data.tokens import sentence_starts
from wsdlist.errors import ModelError, ParameterError
from wsdlist.inventories.wordnet import find
from wsdlist.models.model import Model, from_bytes, load
from wsdlist.models.tagging import Tag, others
from wsdlist.readers.conllu import UPOS

FILE = "model.wsd"
PARTS = ("probability", "rule", "gloss", "lexelt")  # beside the sense, named SENSE_probability ...
UNSET = (None, None, None, None)  # an extension's default, method, getter and setter


@registry.scorers("wsdlist.sense_scorer.v1")  # type: ignore[untyped-decorator]
def make_scorer() -> Callable[..., Any]:
    """Return the scorer of ``nlp.evaluate``."""
    return score_senses


@Language.factory(  # type: ignore[untyped-decorator]
    "wsdlist",
    assigns=["token._.sense", "doc.spans"],
    default_config={
        "model": None,
        "targets": None,
        "back_off": None,
        "extension": "sense",
        "spans_key": "senses",
        "scorer": {"@scorers": "wsdlist.sense_scorer.v1"},
    },
    default_score_weights={"sense_f": 1.0, "sense_p": None, "sense_r": None},
)
def make_component(
    nlp: Language,
    name: str,
    model: str | None,
    targets: list[str] | None,
    back_off: str | None,
    extension: str,
    spans_key: str,
    scorer: Callable[..., Any] | None,
) -> SenseTagger:
    """Make the component, as ``nlp.add_pipe("wsdlist", config={...})`` does."""
    # `spacy package` is to require this package, however it was installed
    required = nlp.meta.get("requirements", ())
    needed = [package for package in required if not package.startswith("wsdlist")]
    nlp.meta["requirements"] = [*needed, f"wsdlist>={wsdlist.__version__}"]
    return SenseTagger(
        name,
        model,
        targets=targets,
        back_off=back_off,
        extension=extension,
        spans_key=spans_key,
        scorer=scorer,
    )


class SenseTagger:
    """Tells the senses of words that a model was trained on.

    The sense of a word is ``token._.sense``. Beside it stand ``token._.sense_probability``,
    ``token._.sense_rule`` (its number; None for the default), ``token._.sense_gloss`` and
    ``token._.sense_lexelt``: strings, numbers or None. An occurrence of several words is a span of
    ``doc.spans["senses"]`` with the sense as label and the lexelt as ``kb_id``. The probabilities
    of spans are ``doc.spans["senses"].attrs["scores"]``. A word that has a sense already keeps it.

    Parameters
    ----------
    name
        The name of the component.
    model
        A model, or the path of its file, which is opened when it is first needed.
    targets
        Parts of speech (``token.pos_``) to tag, or None for all.
    back_off
        What answers for nouns, verbs, adjectives and adverbs (among the targets) that the model
        leaves alone: ``"wordnet"`` for the first sense of an installed WordNet (its group, if the
        model learned groups), None for nothing. Its answers have no probability.
    extension
        The name of the extension of tokens.
    spans_key
        The name of the group of spans.
    scorer
        The function that ``nlp.evaluate`` calls.

    Raises
    ------
    ParameterError
        For impossible values, or when another package has set an extension of that name.
    """

    def __init__(
        self,
        name: str,
        model: str | Model | None = None,
        *,
        targets: Sequence[str] | None = None,
        back_off: str | None = None,
        extension: str = "sense",
        spans_key: str = "senses",
        scorer: Callable[..., Any] | None = None,
    ) -> None:
        if back_off not in (None, "wordnet"):
            raise ParameterError(f"back_off is {back_off!r}", "say wordnet, or null")
        for target in targets or ():
            if target not in UPOS or target == "_":
                known = ", ".join(sorted(UPOS - {"_"}))
                raise ParameterError(f"there is no target {target!r}", f"say some of {known}")
        if not extension.isidentifier():
            raise ParameterError(f"extension is {extension!r}", "say a name such as sense")
        self.name, self.extension, self.spans_key = name, extension, spans_key
        self.targets = None if targets is None else frozenset(targets)
        self.back_off, self.scorer = back_off, scorer
        self._given = model
        self._set_extensions()

    def _set_extensions(self) -> None:
        for name in (self.extension, *(f"{self.extension}_{part}" for part in PARTS)):
            if Token.has_extension(name) and Token.get_extension(name) != UNSET:
                raise ParameterError(
                    f"another package has set the extension {name!r} of tokens",
                    'name yours with config={"extension": ...}',
                )
            if not Token.has_extension(name):
                Token.set_extension(name, default=None)

    def opened(self) -> Model:
        """Return the model.

        Raises
        ------
        ModelError
            When none is named, or it cannot be opened.
        """
        if self._given is None:
            raise ModelError(
                f"the component {self.name!r} has no model",
                'name its file: nlp.add_pipe("wsdlist", config={"model": "my.wsd"})',
            )
        if not isinstance(self._given, Model):
            self._given = load(self._given)
        return self._given

    def initialize(self, get_examples: Any = None, nlp: Language | None = None) -> None:
        """Open the model; it is trained by :func:`wsdlist.train`, not here."""
        self.opened()

    def __call__(self, doc: Doc) -> Doc:
        """Tag a document."""
        return next(self._one_by_one([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Tag documents in batches, in order."""
        for docs in util.minibatch(stream, size=batch_size):
            batch = list(docs)
            try:
                self.annotate(batch)
            except Exception:  # one document after another, so that only those that fail are lost
                yield from self._one_by_one(batch)
                continue
            yield from batch

    def _one_by_one(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        for doc in docs:
            try:
                self.annotate([doc])
            except Exception as error:
                self.get_error_handler()(self.name, self, [doc], error)
                continue
            yield doc

    def set_error_handler(self, handler: Callable[..., Any]) -> None:
        """Set the function called with the name, the component, the documents and the error."""
        self._handler = handler

    def get_error_handler(self) -> Callable[..., Any]:
        """Return the function that was set, or one that raises the error."""
        handler: Callable[..., Any] = getattr(self, "_handler", util.raise_error)
        return handler

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Put the senses of their words into documents.

        Raises
        ------
        ModelError
            When there is no model.
        ParameterError
            When a document lacks tags, lemmas or parts of speech that are needed.
        """
        texts = [self._text(doc) for doc in docs]
        for doc, text, tags in zip(docs, texts, self.opened().tag_many(texts), strict=True):
            self._put(doc, tags, text)

    def _text(self, doc: Doc) -> Text:
        """Return a document as a text, in which tokens that are not to be tagged are taken."""
        model = self.opened()
        tagged = doc.has_annotation("TAG") or doc.has_annotation("POS")
        lemmatized = doc.has_annotation("LEMMA")
        asked = {
            "tags": "tags" in model.needs and not tagged,
            "lemmas": "lemmas" in model.needs and not lemmatized,
            "parts of speech": not doc.has_annotation("POS")
            and (self.targets is not None or self.back_off is not None),
        }
        for layer, missing in asked.items():
            if missing and len(doc):
                raise ParameterError(
                    f"the component {self.name!r} asks for {layer}, which the document has not",
                    "put a component that gives them before it",
                )
        kept = bytearray(len(doc))
        for span in doc.spans.get(self.spans_key, ()):
            kept[span.start : span.end] = b"\1" * len(span)
        has_senses = bool(doc.user_data)
        forms, tags, lemmas, taken = [], [], [], []
        for number, token in enumerate(doc):
            forms.append(token.text)
            tags.append(token.tag_ or token.pos_ or "_")
            lemmas.append(token.lemma_ or token.lower_)
            if (
                kept[number]
                or token.is_space
                or (self.targets is not None and token.pos_ not in self.targets)
                or (has_senses and token._.get(self.extension) is not None)
            ):
                taken.append((number, number + 1))
        starts = sentence_starts(forms)
        if doc.has_annotation("SENT_START"):
            starts = tuple(sentence.start for sentence in doc.sents) or (0,)
        # annotations that a document lacks are unknown, and the model's pipeline must not add them
        fill = model.meta.pipeline is not None
        return Text(
            tuple(forms),
            tuple(pairwise(range(len(forms) + 1))),
            tags=tuple(tags) if tagged or fill else None,
            lemmas=tuple(lemmas) if lemmatized or fill else None,
            sentences=starts,
            taken=tuple(taken),
        )

    def _put(self, doc: Doc, tags: Sequence[Tag], text: Text) -> None:
        """Write tags into a document."""
        spans = list(doc.spans.get(self.spans_key, ()))
        attributes = dict(doc.spans[self.spans_key].attrs) if spans else {}
        scores = list(attributes.get("scores", [None] * len(spans)))
        inventory = self.opened().inventory
        for tag in tags:
            if tag.sense is None:
                continue
            if tag.end - tag.start > 1:
                spans.append(Span(doc, tag.start, tag.end, label=tag.sense, kb_id=tag.lexelt))
                scores.append(tag.probability)
                continue
            gloss = inventory.gloss(tag.lexelt, tag.sense) or None
            values = (tag.probability, tag.rule, gloss, tag.lexelt)
            self._set(doc[tag.start], tag.sense, values)
        if self.back_off is not None:
            self._back_off(doc, text, tags)
        doc.spans[self.spans_key] = spans
        if scores:
            attributes["scores"] = scores
        doc.spans[self.spans_key].attrs.update(attributes)

    def _set(self, token: Token, sense: str, values: Sequence[Any]) -> None:
        token._.set(self.extension, sense)
        for part, value in zip(PARTS, values, strict=True):
            token._.set(f"{self.extension}_{part}", value)

    def _back_off(self, doc: Doc, text: Text, tags: Sequence[Tag]) -> None:
        """Write the answers of back-off into a document, for words that have no sense yet."""
        # a copy, because the model may be the caller's own
        model = copy(self.opened())
        model.back_off = wordnet = find("wordnet")
        tagged = [(tag.start, tag.end) for tag in tags if tag.sense is not None]
        # universal tags, because the tag set of the document may be unknown here
        words = replace(
            text,
            tags=tuple(token.pos_ or token.tag_ for token in doc),
            lemmas=tuple(token.lemma_ or token.lower_ for token in doc),
            taken=(*text.taken, *tagged),
        )
        for word in others(words, ()):
            sense = model.untrained(word.lexelt).sense
            if sense is not None:
                gloss = wordnet.gloss(sense) or None
                self._set(doc[word.start], sense, (None, None, gloss, word.lexelt))

    def score(self, examples: Iterable[Example], **options: Any) -> dict[str, Any]:
        """Return precision, recall and F1 of the senses, see :func:`score_senses`."""
        if self.scorer is None:
            return {}
        return dict(self.scorer(examples, extension=self.extension, spans_key=self.spans_key))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        if "model" in exclude:
            return
        if self._given is None:
            (folder / FILE).unlink(missing_ok=True)
        else:
            self.opened().copy(folder / FILE)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> SenseTagger:
        """Open the model of a folder."""
        file = Path(path) / FILE
        if "model" not in exclude and file.is_file():
            self._given = load(file)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the bytes of the model's file."""
        return b"" if self._given is None or "model" in exclude else self.opened().to_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> SenseTagger:
        """Open a model from the bytes of its file."""
        if data and "model" not in exclude:
            self._given = from_bytes(data)
        return self


def score_senses(
    examples: Iterable[Example], extension: str = "sense", spans_key: str = "senses"
) -> dict[str, float | None]:
    """Return ``sense_p``, ``sense_r`` and ``sense_f``, 0 to 1: precision, recall and F1.

    Their names begin with that of the extension. Only words with a gold sense count. Gold senses
    stand in the reference documents at the place where the component puts its own; a word with
    several has a list of them. An answer is right if it is one of these. Without gold senses all
    values are None.
    """
    names = [f"{extension}_{letter}" for letter in "prf"]
    right = answered = gold = 0
    for example in examples:
        known = _senses(example.reference, extension, spans_key)
        predicted = _senses(example.predicted, extension, spans_key)
        for place, senses in known.items():
            gold += 1
            if place in predicted:
                answered += 1
                right += bool(senses & predicted[place])
    if not gold:
        return dict.fromkeys(names)
    p, r = right / answered if answered else 0.0, right / gold
    return dict(zip(names, (p, r, 2 * p * r / (p + r) if right else 0.0), strict=True))


def _senses(doc: Doc, extension: str, spans_key: str) -> Mapping[tuple[int, int], set[str]]:
    """Return the senses of a document by start and end of their words, in code points."""
    senses: dict[tuple[int, int], set[str]] = {}
    if Token.has_extension(extension):
        for token in doc:
            value = token._.get(extension)
            if value is not None:
                several = [value] if isinstance(value, str) else value
                senses[token.idx, token.idx + len(token)] = set(several)
    for span in doc.spans.get(spans_key, ()):
        senses.setdefault((span.start_char, span.end_char), set()).add(span.label_)
    return senses
