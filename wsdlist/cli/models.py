"""Models that commands open, and the words of them that they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wsdlist.models.expert import Expert
    from wsdlist.models.model import Model


def open_model(path: str, back_off: str | None = None) -> Model:
    """Open a model, with what answers for words that were never trained."""
    from wsdlist.inventories.wordnet import find
    from wsdlist.models.model import load

    model = load(path)
    model.back_off = None if back_off is None else find(back_off)
    return model


def lexelts_of(model: Model, words: Sequence[str], path: str) -> list[str]:
    """Return the lexelts of a model that words name, each once.

    Raises
    ------
    ParameterError
        When the model, which was read from ``path``, has no such word.
    """
    from wsdlist.errors import ParameterError

    found: dict[str, None] = {}
    for word in words:
        lexelts = model.lexelts_of(word)
        if not lexelts:
            known = ", ".join(list(model)[:8]) + (", ..." if len(model) > 8 else "")
            raise ParameterError(f"the model has no word {word!r}", f"it has {known}", where=path)
        found.update(dict.fromkeys(lexelts))
    return list(found)


def one_lexelt(model: Model, word: str, path: str) -> str:
    """Return the lexelt of a model that a word names.

    Raises
    ------
    ParameterError
        When there is none, or there are several.
    """
    from wsdlist.errors import ParameterError

    lexelts = lexelts_of(model, [word], path)
    if len(lexelts) > 1:
        raise ParameterError(f"{word} is {' and '.join(lexelts)}", "name one of them")
    return lexelts[0]


def list_of(model: Model, lexelt: str) -> Expert:
    """Return the expert of a lexelt, or of several joined with ``|``, that the model has."""
    return model[lexelt] if lexelt in model else model.shared[lexelt]
