"""For NLTK: its Senseval instances and SemCor trees as a corpus, and a tagger of senses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nltk.tag.api import TaggerI
from nltk.tree import Tree

from wsdlist.data.corpus import Corpus, Instance, Text
from wsdlist.data.tokens import sentence_starts
from wsdlist.errors import InputError, ParameterError
from wsdlist.models.model import Model
from wsdlist.readers.nltk_senseval import lexelt_of_item
from wsdlist.readers.words import Building, Mark


def of_senseval(instances: Iterable[Any]) -> Corpus:
    """Return NLTK's ``SensevalInstance`` objects as a corpus.

    Their readers give no ids. An id here is the word and the number of the instance.

    Raises
    ------
    InputError
        When an instance has no token at its position.

    >>> from nltk.corpus.reader.senseval import SensevalInstance
    >>> hard = SensevalInstance(
    ...     "hard-a", 1, [("a", "DT"), ("hard", "JJ"), ("test", "NN")], ["HARD1"]
    ... )
    >>> (one,) = of_senseval([hard])
    >>> one.lexelt, one.target_form, one.tags, one.senses
    ('hard.a', 'hard', ('DT', 'JJ', 'NN'), ('HARD1',))
    """
    corpus = Corpus()
    for number, instance in enumerate(instances, start=1):
        pairs = [pair if isinstance(pair, tuple) else (pair, "_") for pair in instance.context]
        place = f"{instance.word}:{number}"
        if not 0 <= instance.position < len(pairs):
            raise InputError(
                f"the position {instance.position} is none of {len(pairs)} tokens",
                "count from 0",
                where=place,
            )
        forms = tuple(form for form, _ in pairs)
        span = (instance.position, instance.position + 1)
        corpus.instances.append(
            Instance(
                place,
                lexelt_of_item(instance.word),
                forms,
                span,
                tuple(dict.fromkeys(instance.senses)),
                tags=tuple(tag for _, tag in pairs),
                heads=(span,),
                sentences=sentence_starts(forms),
                place=place,
            )
        )
    return corpus


def of_semcor(sentences: Iterable[Iterable[Any]], name: str = "semcor") -> Corpus:
    """Return a corpus of what ``semcor.tagged_sents(tag="sem")``, or ``"both"``, gives.

    The sense of a chunk with a lemma of NLTK's WordNet is its key. Without WordNet, NLTK has a
    string for the lemma, which is then the sense: ``reach.v.02``. If ``2;1`` is in it there are two
    senses; ``00`` is no sense.

    >>> trees = [[["He"], Tree("reach.v.02", [Tree("VBD", ["reached"])]), Tree(".", ["."])]]
    >>> (one,) = of_semcor(trees)
    >>> one.id, one.lexelt, one.target_form, one.senses
    ('semcor.s1.t2', 'reach.v', 'reached', ('reach.v.02',))
    """
    corpus = Corpus()
    text = Building(name)
    for number, sentence in enumerate(sentences, start=1):
        text.sentence()
        for place, chunk in enumerate(sentence, start=1):
            words, tag = list(_leaves(chunk)), _tag(chunk)
            if not words:
                continue
            lexelt, senses = _sense(chunk)
            lemma = lexelt.rpartition(".")[0] if lexelt else None
            span = text.add(words, lemma, tag)
            if senses:
                where = f"{name}.s{number}.t{place}"
                text.marks.append(Mark(span, where, lexelt, senses, where))
    text.finish(corpus, name)
    return corpus


def _leaves(chunk: Any) -> Iterator[str]:
    if isinstance(chunk, str):
        yield chunk
    else:
        for part in chunk:
            yield from _leaves(part)


def _tag(chunk: Any) -> str | None:
    """Return the tag directly above the words of a chunk, if there is one."""
    while isinstance(chunk, Tree):
        if all(isinstance(part, str) for part in chunk):
            label = chunk.label()
            plain = isinstance(label, str) and label != "NE" and "." not in label.strip(".")
            return label if plain else None
        chunk = chunk[0]
    return None


def _sense(chunk: Any) -> tuple[str, tuple[str, ...]]:
    """Return the lexelt and the senses of a chunk; both are empty if it has no sense."""
    label: Any = chunk.label() if isinstance(chunk, Tree) else ""
    if hasattr(label, "key"):  # a lemma of NLTK's WordNet
        part = label.synset().pos().replace("s", "a")
        return f"{label.name()}.{part}", (label.key(),)
    lemma, dot, number = label.rpartition(".")
    word, second, part = lemma.rpartition(".")
    if not (dot and second and word and part in {*"nvars"}):
        return "", ()
    senses = tuple(f"{lemma}.{digits}" for digits in number.split(";") if digits.strip("0"))
    return f"{word}.{part.replace('s', 'a')}", senses


class SenseTagger(TaggerI):  # type: ignore[misc]
    """A tagger of NLTK that gives words their senses, and None to words it leaves alone.

    Parameters
    ----------
    model
        A model, from :func:`wsdlist.train` or :func:`wsdlist.load`.
    pipeline
        The spaCy pipeline for tags and lemmas, if the model needs them and the tokens lack them.

    >>> import wsdlist
    >>> model = wsdlist.train("corpora/lexical-sample", discount=0.9, epsilon=3.0)
    >>> SenseTagger(model).tag(["two", "cranes", "stood", "among", "the", "reeds"])[:2]
    [('two', None), ('cranes', 'bird')]
    """

    def __init__(self, model: Model, pipeline: str | None = None) -> None:
        self.model, self.pipeline = model, pipeline

    def tag(self, tokens: Sequence[Any]) -> list[tuple[str, str | None]]:
        """Return each token with its sense; tokens may be ``(token, part of speech)``.

        Each token of an occurrence of several tokens has its sense.

        Raises
        ------
        ParameterError
            When the tokens are a string, or the model needs tags or lemmas and no pipeline is
            named.
        """
        (tagged,) = self.tag_sents([tokens])
        return tagged

    def tag_sents(self, sentences: Iterable[Sequence[Any]]) -> list[list[tuple[str, str | None]]]:
        """Return :meth:`tag` of each sentence."""
        texts = [_text(sentence) for sentence in sentences]
        tagged = []
        for text, tags in zip(
            texts, self.model.tag_many(texts, pipeline=self.pipeline), strict=True
        ):
            senses: list[str | None] = [None] * len(text.forms)
            for tag in tags:
                senses[tag.start : tag.end] = [tag.sense] * (tag.end - tag.start)
            tagged.append(list(zip(text.forms, senses, strict=True)))
        return tagged


def _text(tokens: Sequence[Any]) -> Text:
    if isinstance(tokens, str):
        raise ParameterError("the tagger takes tokens, and was given a string", "split it")
    tagged = any(isinstance(token, tuple) for token in tokens)
    pairs = [token if isinstance(token, tuple) else (token, "_") for token in tokens]
    forms = tuple(form for form, _ in pairs)
    return Text(
        forms,
        tuple((n, n + 1) for n in range(len(forms))),
        tags=tuple(tag or "_" for _, tag in pairs) if tagged else None,
        sentences=sentence_starts(forms) if forms else (0,),
    )
