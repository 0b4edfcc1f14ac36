"""Lists over lexelts that share a form, which decide in text without tags."""

from __future__ import annotations

from dataclasses import dataclass

from wsdlist.data.corpus import Corpus, Instance, Item
from wsdlist.models.tagging import OVER, Lexicon, words_of
from wsdlist.training.prepare import Known, Words, labelled


@dataclass(frozen=True)
class Several:
    """What a list over several lexelts is learned from.

    Parameters
    ----------
    over
        The lexelts.
    known
        The instances, and the labels of each.
    labels
        The lexelt and the sense that each label means.
    """

    over: tuple[str, ...]
    known: Known
    labels: dict[str, tuple[str, str]]


def over_several(words: Words) -> dict[str, Several]:
    """Return what the lists over lexelts that share a form are learned from, by their names.

    In text without tags they decide. So each is learned from the instances whose form is shared.
    """
    forms = {
        (lexelt, " ".join(words_of(item.target_form)))
        for lexelt, (items, _) in words.items()
        for item in items
        if isinstance(item, Instance)
    }
    lists: dict[str, Several] = {}
    for lexelts, shared in sorted(Lexicon(sorted(forms)).shared().items()):
        items: list[Item] = []
        labels: list[tuple[str, ...]] = []
        pairs: dict[str, tuple[str, str]] = {}
        for lexelt in lexelts:
            for item, gold in zip(*words[lexelt], strict=True):
                if isinstance(item, Instance) and words_of(item.target_form) in shared:
                    items.append(item)
                    labels.append(tuple(_label(pairs, lexelt, sense) for sense in gold))
        name = OVER.join(lexelts)
        everyone = {item.lexelt for item in items} == {*lexelts}
        if everyone and name not in words and name not in lists:
            lists[name] = Several(lexelts, (items, labels), pairs)
    return lists


def learned_from(lexelt: str, corpus: Corpus) -> Known | None:
    """Return the instances of a training corpus that a list is learned from, and their senses.

    Parameters
    ----------
    lexelt
        The name of the list: a lexelt, or several joined with ``|``.
    corpus
        With groups for senses if groups were learned.

    Returns
    -------
    tuple or None
        None if the corpus has no instance of the list with a sense.
    """
    words = labelled(corpus)
    if lexelt in words:
        return words[lexelt]
    several = over_several(words).get(lexelt)
    return None if several is None else several.known


def _label(pairs: dict[str, tuple[str, str]], lexelt: str, sense: str) -> str:
    """Return the label of a sense of a lexelt: ``lexelt/sense``, unless another pair has it."""
    label = f"{lexelt}/{sense}"
    while pairs.setdefault(label, (lexelt, sense)) != (lexelt, sense):
        label += "'"
    return label
