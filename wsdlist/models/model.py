"""The model: experts by lexelt, and their answers for instances and for text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from wsdlist.data.checks import check_kind, check_whole
from wsdlist.data.corpus import Corpus, Instance, Item, Kind, Text, check_item
from wsdlist.data.names import canonical
from wsdlist.data.pos import split_lexelt
from wsdlist.data.tokens import CONTEXT, annotate, text_of
from wsdlist.errors import ParameterError
from wsdlist.features.sets import FeatureSet
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.inventories.glosses import Inventory
from wsdlist.inventories.wordnet import WordNet, first_sense
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.expert import Expert, Lists
from wsdlist.models.explain import Explanation, explain, keyword_in_context
from wsdlist.models.meta import Meta
from wsdlist.models.storage import ModelFile, Stored, Writer, replace_expert, replace_file
from wsdlist.models.tagging import (
    OVER,
    Lexicon,
    Occurrence,
    Tag,
    batches,
    occurrences,
    others,
    words_of,
)
from wsdlist.readers.confusion_sets import ConfusionSets

OCCURRENCES = 4096  # how many are answered together
_NONE = Answer(None, None)


class Model(Mapping[str, Expert]):
    """Experts by lexelt, in memory or in a file from which each is read when it is asked for.

    Parameters
    ----------
    experts
        The experts; the lexelt is the key.
    meta
        The recipe, how the corpus was made ready, and more.
    inventory
        Glosses and keys.
    shared
        The lists over several lexelts that share a form, by these lexelts joined with ``|``. In
        text they decide if no tag does.

    Attributes
    ----------
    back_off
        A WordNet (:func:`wsdlist.inventories.wordnet.find`). Its first sense answers for words that
        were never trained, if their part of speech is known. None, as in a model that was just
        opened: nothing answers for them. It is not kept with the model.
    """

    def __init__(
        self,
        experts: Mapping[str, Expert],
        meta: Meta,
        inventory: Inventory | None = None,
        shared: Mapping[str, Expert] | None = None,
    ) -> None:
        self._experts = experts
        self.meta = meta
        self.inventory = Inventory() if inventory is None else inventory
        self.shared = {} if shared is None else shared
        self._lists: Lists | None = None
        self.back_off: WordNet | None = None

    def __getitem__(self, lexelt: str) -> Expert:
        return self._experts[lexelt if lexelt in self._experts else canonical(lexelt)]

    def __contains__(self, lexelt: object) -> bool:
        return lexelt in self._experts or canonical(str(lexelt)) in self._experts

    def __iter__(self) -> Iterator[str]:
        return iter(self._experts)

    def __len__(self) -> int:
        return len(self._experts)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lists": None}  # laid out again when it is needed

    def __repr__(self) -> str:
        return f"<Model of {len(self)} lexelts, learned by {self.meta.recipe.learner}>"

    @property
    def features(self) -> FeatureSet:
        """The feature set of its questions."""
        return self.meta.recipe.features

    @property
    def by_line(self) -> bool:
        """Whether it was learned from plain text in which every line is a paragraph."""
        return self.meta.preparation.by_line

    @property
    def coarse_map(self) -> CoarseMap | None:
        """The coarse map whose groups were learned, if they were."""
        return self.meta.preparation.coarse_map

    @cached_property
    def confusion(self) -> ConfusionSets | None:
        """The confusion sets whose words the model tells apart; None for other models."""
        sets = self.meta.preparation.confusion
        return None if sets is None else ConfusionSets(sets)

    @cached_property
    def lexicon(self) -> Lexicon:
        """What finds the words of a text that may be its lexelts."""
        if isinstance(self._experts, Stored):
            return Lexicon(self._experts.file.forms())
        return Lexicon(_forms(self._experts))

    def expert(self, lexelt: str) -> Expert | None:
        """Return the expert of a lexelt, or None if the lexelt was never trained.

        A model of one table answers the rows of any table, because their file often has another
        name.
        """
        if lexelt in self:
            return self[lexelt]
        if canonical(lexelt) in self.shared:
            return self.shared[canonical(lexelt)]
        if self.meta.kind is Kind.TABLE and len(self) == 1:
            return next(iter(self.values()))
        return None

    def lexelts_of(self, word: str) -> list[str]:
        """Return the lexelts that a word names: with its ending one, without it perhaps several.

        The name of a list over several lexelts is itself. If nothing is so called, there are none.
        """
        if (word := canonical(word)) in self or word in self.shared:
            return [word]
        return [lexelt for lexelt in self if lexelt.rpartition(".")[0] == word]

    def answer(self, instances: Sequence[Item]) -> list[Answer]:
        """Answer instances of any lexelts, in order; back-off answers for untrained words."""
        words: dict[str, list[int]] = {}
        for row, instance in enumerate(instances):
            check_item(row, instance, self.meta.kind)
            words.setdefault(instance.lexelt, []).append(row)
        several = self.meta.kind is Kind.WORDS and len(words) > 1
        answers: list[Answer] = [_NONE] * len(instances)
        together: dict[str, Expert] = {}
        for lexelt, rows in words.items():
            expert = self.expert(lexelt)
            if expert is None:
                untrained = self.untrained(lexelt)
                for row in rows:
                    answers[row] = untrained
            elif several and expert.fitted.is_ordered and expert.lexelt == lexelt:
                together[lexelt] = expert
            else:
                _fill(answers, rows, expert.answer([instances[row] for row in rows]))
        if together:
            rows = [row for lexelt in together for row in words[lexelt]]
            of_lists = [cast("Instance", instances[row]) for row in rows]
            _fill(answers, rows, self._lists_of(together).answer(of_lists))
        return answers

    def untrained(self, lexelt: str) -> Answer:
        """Return the answer to every instance of a lexelt that was never trained."""
        word, part = split_lexelt(lexelt)
        if self.back_off is not None and part is not None:
            sense = first_sense(self.back_off, word, part)
            if sense is not None:
                if self.coarse_map is not None:
                    sense = self.coarse_map(sense)
                wordnet = f"{self.back_off.name} {self.back_off.version}".strip()
                return Answer(sense, None, reason=f"back-off: the first sense of {wordnet}")
        return Answer(None, None, reason=f"{lexelt} was never trained")

    def _lists_of(self, experts: Mapping[str, Expert]) -> Lists:
        """Return the lists of these lexelts at least; they are laid out anew for new lexelts."""
        if self._lists is None or not experts.keys() <= self._lists.experts.keys():
            known = {} if self._lists is None else self._lists.experts
            self._lists = Lists({**known, **experts})
        return self._lists

    def tag(self, text: str | Text, *, pipeline: str | None = None) -> list[Tag]:
        """Find the words that were trained in a text, and tell their senses.

        The parameters and errors are those of :meth:`tag_many`.

        >>> import wsdlist
        >>> model = wsdlist.train("corpora/lexical-sample", discount=0.9, epsilon=3.0)
        >>> for tag in model.tag("Two cranes stood among the reeds."):
        ...     print(
        ...         tag.start, tag.end, tag.text, tag.lexelt, tag.sense, round(tag.probability, 3)
        ...     )
        4 10 cranes crane.n bird 0.815
        """
        return next(iter(self.tag_many([text], pipeline=pipeline)))

    def tag_many(
        self, texts: Iterable[str | Text], *, pipeline: str | None = None, batch_size: int = 512
    ) -> Iterator[list[Tag]]:
        """Yield what :meth:`tag` returns for each text, in order, without holding all of them.

        Parameters
        ----------
        texts
            Texts, or texts as tokens.
        pipeline
            The spaCy pipeline that tags words and finds their lemmas; by default the one that the
            model was trained with. With it words are found by their lemmas too, and tags decide
            between lexelts that share a form. With a :attr:`back_off`, all other nouns, verbs,
            adjectives and adverbs that it has are found as well.
        batch_size
            How many texts are tagged together.

        Raises
        ------
        ParameterError
            When the model or its back-off asks for tags or lemmas and no pipeline is named, or the
            model is of a table or of confusion sets.
        """
        check_whole("batch_size", batch_size)
        if isinstance(texts, str | Text):
            raise ParameterError("tag_many takes texts, and was given one", "use tag")
        return self._tag_batches(batches(texts, batch_size), pipeline)

    def _tag_batches(
        self, in_batches: Iterable[list[str | Text]], pipeline: str | None
    ) -> Iterator[list[Tag]]:
        for batch in in_batches:
            found = self._found(batch, pipeline)
            tags: list[list[Tag]] = [[] for _ in batch]
            while words := list(islice(found, OCCURRENCES)):
                answers = iter(self.answer([word.instance for _, word in words if word.instance]))
                for number, word in words:
                    tags[number].append(self._tag(word, next(answers) if word.instance else None))
            yield from tags

    def _tag(self, word: Occurrence, answer: Answer | None) -> Tag:
        place = word.start, word.end, word.text
        if answer is None or answer.sense is None:
            return Tag(*place, word.lexelt, None, None, reason=word.reason)
        lexelt, sense = word.lexelt, answer.sense
        if word.reason:  # a list over several lexelts
            lexelt, sense = self.shared[lexelt].labels[sense]
        reason = answer.reason if answer.backed_off else word.reason
        return Tag(*place, lexelt, sense, answer.probability, answer.rule, reason)

    def find(self, text: str | Text, *, pipeline: str | None = None) -> list[Occurrence]:
        """Return the occurrences of trained words in a text, in order.

        Their instances are for :meth:`answer` and :meth:`explain`. An occurrence that is left alone
        has no instance.

        Raises
        ------
        ParameterError
            As :meth:`tag_many` does, but models of confusion sets are allowed.
        """
        check_kind("text", text, (str, Text), "give a str, or a wsdlist.Text")
        if self.confusion is not None:
            whole = text if isinstance(text, str) else " ".join(text.forms)
            words = list(self.confusion.instances(whole, self.features.reach or CONTEXT))
            instances = [instance for _, instance in words]
            named = pipeline or self.meta.pipeline
            if self.needs and named:
                instances = list(annotate(instances, named))
            return [
                Occurrence(
                    word.start, word.end, whole[word.start : word.end], word.lexelt, instance
                )
                for (word, _), instance in zip(words, instances, strict=True)
            ]
        return [word for _, word in self._found([text], pipeline)]

    def _found(
        self, texts: Sequence[str | Text], pipeline: str | None
    ) -> Iterator[tuple[int, Occurrence]]:
        """Yield the occurrences in texts, each after the number of its text."""
        if self.confusion is not None:
            raise ParameterError(
                "the model tells the words of confusion sets apart", "use wsdlist proof"
            )
        if self.meta.kind is Kind.TABLE:
            raise ParameterError("the model is of a table", "tag text with a model of words")
        tokenized = [text if isinstance(text, Text) else text_of(text) for text in texts]
        pipeline = pipeline or self.meta.pipeline
        if pipeline is not None:
            tokenized = list(annotate(tokenized, pipeline))
        for number, text in enumerate(tokenized):
            lacking = [layer for layer in self.needs if getattr(text, layer) is None]
            if lacking:
                raise ParameterError(
                    f"the model asks for {' and '.join(lacking)}, which the text does not have",
                    "name a spaCy pipeline that gives them",
                )
            trained = list(occurrences(text, self.lexicon, self._list_over))
            if self.back_off is not None:
                more = [w for w in others(text, trained) if self.untrained(w.lexelt).sense]
                starts = {word.start for word in more}
                trained = [word for word in trained if word.instance or word.start not in starts]
                trained = sorted((*trained, *more), key=lambda word: word.start)
            for word in trained:
                yield number, word

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The annotations (``tags``, ``lemmas``) that the questions ask about."""
        return self.features.needs()

    def _list_over(self, lexelts: tuple[str, ...]) -> str | None:
        name = OVER.join(lexelts)
        known = name in self.shared and self.shared[name].over == lexelts
        return name if known else None

    def explain(self, instance: Item, corpus: Corpus | None = None) -> Explanation:
        """Say why an instance gets the sense that :meth:`answer` gives it.

        Parameters
        ----------
        instance
            An instance of any lexelt; :meth:`find` makes those of a sentence.
        corpus
            The training corpus, to show the instances that the rule was learned from.

        >>> import wsdlist
        >>> model = wsdlist.train("corpora/lexical-sample", discount=0.9, epsilon=3.0)
        >>> (crane,) = model.find("A crane stood among the reeds.")
        >>> print(model.explain(crane.instance).arithmetic[0])
        P(bird) = (max(3 - 0.9, 0) + 0.9 * 70 / 183) / 3
        """
        expert = self.expert(instance.lexelt)
        if expert is None:
            (answer,) = self.answer([instance])
            return Explanation(instance.lexelt, keyword_in_context(instance), answer)
        if corpus is None:
            return explain(expert, instance)
        return explain(expert, instance, [i for i in corpus if self._learned(expert, i, corpus)])

    def _learned(self, expert: Expert, item: Item, corpus: Corpus) -> bool:
        """Say whether an expert learned from an instance of its training corpus."""
        if not corpus.labels(item):
            return False
        if not expert.over or not isinstance(item, Instance):
            return self.expert(item.lexelt) is expert
        form = " ".join(words_of(item.target_form))
        return item.lexelt in expert.over and form in expert.forms

    def save(self, path: str | Path) -> None:
        """Write the model to a file, which appears whole or not at all.

        Raises
        ------
        ModelError
            When it cannot be written.
        """
        writer = Writer(path)
        for lexelt in self:
            writer.add(self[lexelt])
        for name in self.shared:
            writer.add(self.shared[name], shared=True)
        writer.finish(self.meta.to_record(), self.inventory)

    def save_with(self, expert: Expert, path: str | Path) -> None:
        """Write the model to a file with another expert in place of that of the same lexelt.

        Raises
        ------
        KeyError
            When the model has no expert of that lexelt.
        ModelError
            When the file cannot be written.
        """
        mine = self.shared if expert.over else self._experts
        if expert.lexelt not in mine:
            raise KeyError(expert.lexelt)
        if isinstance(mine, Stored):
            replace_expert(mine.file, expert, path)
            return
        both = dict(self._experts), dict(self.shared)
        both[bool(expert.over)][expert.lexelt] = expert
        Model(both[0], self.meta, self.inventory, both[1]).save(path)

    def copy(self, path: str | Path) -> None:
        """Write the bytes of :meth:`to_bytes` to a file, which appears whole or not at all.

        Raises
        ------
        ModelError
            When it cannot be written.
        """
        replace_file(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """Return the bytes of the model's file, for :func:`from_bytes`."""
        if isinstance(self._experts, Stored):
            return self._experts.file.to_bytes()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.wsd"
            self.save(path)
            return path.read_bytes()


def _fill(answers: list[Answer], rows: Sequence[int], given: Sequence[Answer]) -> None:
    for row, answer in zip(rows, given, strict=True):
        answers[row] = answer


def _forms(experts: Mapping[str, Expert]) -> Iterator[tuple[str, str]]:
    for lexelt, expert in experts.items():
        for form in expert.forms:
            yield lexelt, form


def load(path: str | Path) -> Model:
    """Open a model; each expert is read when it is first asked for.

    Raises
    ------
    ModelError
        When the file is no model, damaged, or of a newer format.
    """
    return _of(ModelFile(path))


def from_bytes(data: bytes) -> Model:
    """Open a model of the bytes of its file, see :meth:`Model.to_bytes`.

    Raises
    ------
    ModelError
        When they are no model, damaged, or of a newer format.
    """
    return _of(ModelFile("<bytes>", data=data))


def _of(file: ModelFile) -> Model:
    inventory = Inventory.from_record(file.meta.get("inventory", []))
    meta = Meta.from_record(file.meta)
    inventory.name, inventory.version = meta.sense_inventory or ("", "")
    return Model(Stored(file, shared=False), meta, inventory, Stored(file, shared=True))
