"""Suspicious words: those for which a model of confusion sets prefers another word."""

from __future__ import annotations

import difflib
import errno
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from wsdlist.data.corpus import Instance
from wsdlist.data.files import write_whole
from wsdlist.data.tokens import CONTEXT, annotate
from wsdlist.errors import InputError, ParameterError
from wsdlist.learners.fitted.base import Answer
from wsdlist.models.model import Model
from wsdlist.readers.confusion_sets import ConfusableWord, ConfusionSets
from wsdlist.readers.decoding import byte_order_mark
from wsdlist.readers.plain import Block, blocks

BATCH = 256  # paragraphs that are looked at together


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A word that should perhaps be another one.

    Parameters
    ----------
    file, line, column
        The position of the word. Only line feeds end a line; columns are code points from 1.
    start, end
        The same in code points of the file, from 0.
    word, suggestion
        The word as written, and the other one as it would be written there.
    probability
        The probability of the other word.
    lexelt
        The confusion set.
    rule, question
        The number of the rule that answered, from 1, and its question; None and ``TRUE`` for the
        default; None and None if the learner has no rules.
    occurrence
        The number of the word, from 0, among the words of the sets in the text.
    """

    file: str
    line: int
    column: int
    start: int
    end: int
    word: str
    suggestion: str
    probability: float
    lexelt: str
    rule: int | None = None
    question: str | None = None
    occurrence: int = 0

    def to_record(self) -> dict[str, Any]:
        """Return the suspicion as JSON data."""
        return {name: getattr(self, name) for name in self.__slots__}


def check_model(model: Model, min_prob: float) -> ConfusionSets:
    """Return the confusion sets of a model.

    Raises
    ------
    ParameterError
        When the model is of no confusion sets, or ``min_prob`` is not from 0 to 1.
    """
    if model.confusion is None:
        raise ParameterError(
            "the model is of no confusion sets", "train one with --confusion or --accents"
        )
    if not 0 <= min_prob <= 1:
        raise ParameterError(f"min_prob is {min_prob}", "say a probability, 0 to 1")
    return model.confusion


def suspicions(
    model: Model, text: Iterable[Block], *, min_prob: float = 0.9, pipeline: str | None = None
) -> Iterator[Suspicion]:
    """Yield the words of a text that should probably be others of their set, in order.

    Parameters
    ----------
    model
        A model of confusion sets.
    text
        The paragraphs of the text, see :func:`wsdlist.readers.plain.blocks`. They are read one
        after another and never all held.
    min_prob
        A probability. Another word must be more probable than this.
    pipeline
        The spaCy pipeline for tags, if the model asks for tags; by default the one that it was
        trained with.

    Raises
    ------
    ParameterError
        When the model is of no confusion sets, or ``min_prob`` is not from 0 to 1.
    """
    sets = check_model(model, min_prob)
    named = (pipeline or model.meta.pipeline) if model.needs else None
    paragraphs = iter(text)
    done = 0
    while batch := list(islice(paragraphs, BATCH)):
        words: list[tuple[Block, ConfusableWord]] = []
        instances: list[Instance] = []
        for block in batch:
            for confusable, instance in sets.instances(
                block.text,
                model.features.reach or CONTEXT,
                whole_sentence=named is not None,
                begins=block.begins,
                ends=block.ends,
            ):
                words.append((block, confusable))
                instances.append(instance)
        if named is not None:
            instances = list(annotate(instances, named))
        answers = model.answer(instances)
        for number, ((block, confusable), answer) in enumerate(
            zip(words, answers, strict=True), start=done
        ):
            is_sure = (answer.probability or 0.0) > min_prob
            if is_sure and answer.sense not in (None, confusable.member):
                yield _suspicion(block, confusable, answer, number)
        done += len(words)


def _suspicion(block: Block, confusable: ConfusableWord, answer: Answer, number: int) -> Suspicion:
    """Return the suspicion that a word, the ``number``-th of its text, should be the answer."""
    word = block.text[confusable.start : confusable.end]
    line, column = block.place(confusable.start)
    return Suspicion(
        block.name,
        line,
        column,
        block.start + confusable.start,
        block.start + confusable.end,
        word,
        written_like(word, str(answer.sense), curly="’" in block.text),
        answer.probability or 0.0,
        confusable.lexelt,
        answer.rule,
        None if answer.question is None else str(answer.question),
        number,
    )


def written_like(word: str, other: str, *, curly: bool) -> str:
    """Return another word in the case of the word that stands there.

    >>> written_like("Their", "they're", curly=True), written_like("ITS", "it's", curly=False)
    ('They’re', "IT'S")
    """
    letters = [c for c in word if c.isalpha()]
    if len(letters) > 1 and word.upper() == word:
        other = other.upper()
    elif word[:1].isupper() and word != "I":  # I is a capital wherever it stands
        other = other[:1].upper() + other[1:]
    if other == "i":
        other = "I"
    return other.replace("'", "’") if curly else other


@dataclass(frozen=True)
class Corrected:
    """A file with its suspicious words replaced; ``data`` is what to write."""

    name: str
    before: str
    after: str
    data: bytes

    def diff(self) -> Iterator[str]:
        """Yield the lines of a unified diff."""
        before, after = (text.split("\n") for text in (self.before, self.after))
        yield from difflib.unified_diff(before, after, self.name, self.name, lineterm="")


def corrected(
    model: Model, path: str | Path, *, min_prob: float = 0.9, pipeline: str | None = None
) -> Corrected:
    """Replace the suspicious words of a file, in memory; all else stays byte for byte.

    A word that is suspicious only after another was replaced is replaced too, so that a second run
    corrects nothing more. If a word that was replaced is to be put back, because words around it
    take turns, it stays as it was.

    Parameters
    ----------
    model, min_prob, pipeline
        See :func:`suspicions`.
    path
        The file.

    Raises
    ------
    InputError
        When the file is no text file that can be read.
    ParameterError
        As :func:`suspicions` does.
    """
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        what = error.strerror or str(error)
        raise InputError(f"cannot be read: {what}", "name a text file", where=name) from error
    mark, encoding = byte_order_mark(data)
    try:
        before = data[len(mark) :].decode(encoding, "surrogateescape")
    except UnicodeDecodeError as error:
        raise InputError(f"is not {encoding}", "save it as UTF-8", where=name) from error
    after = before
    written: dict[int, str] = {}  # the words that were replaced, as they were written
    settled: set[int] = set()
    while True:
        stream = io.BufferedReader(io.BytesIO(mark + after.encode(encoding, "surrogateescape")))
        text = blocks(stream, name, Counter(), by_line=model.by_line)
        more = [
            suspicion
            for suspicion in suspicions(model, text, min_prob=min_prob, pipeline=pipeline)
            if suspicion.occurrence not in settled
        ]
        if not more:
            break
        for number, suspicion in enumerate(more):
            if suspicion.occurrence in written:  # it takes turns
                settled.add(suspicion.occurrence)
                more[number] = replace(suspicion, suggestion=written[suspicion.occurrence])
            else:
                written[suspicion.occurrence] = suspicion.word
        after = _replaced(after, more)
    return Corrected(name, before, after, mark + after.encode(encoding, "surrogateescape"))


def write_corrected(files: Iterable[Corrected]) -> None:
    """Write corrected files over their originals: all of them or, if writing fails, none.

    Raises
    ------
    InputError
        When a file cannot be written.
    """
    data = {Path(file.name): file.data for file in files}
    try:
        for path in data:  # a rename would replace what its owner does not want changed
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        write_whole(data)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}",
            "name text files in a folder you may write to",
            where=str(error.filename),
        ) from error


def _replaced(text: str, corrections: Iterable[Suspicion]) -> str:
    pieces, last = [], 0
    for suspicion in corrections:
        pieces += [text[last : suspicion.start], suspicion.suggestion]
        last = suspicion.end
    return "".join([*pieces, text[last:]])
