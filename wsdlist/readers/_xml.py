"""Well-formed XML as events with their lines; entities are refused before they are expanded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.entities import html5
from typing import NamedTuple
from xml.parsers import expat

from wsdlist.errors import InputError
from wsdlist.readers.sources import Source


class Event(NamedTuple):
    """A start tag (``+``), an end tag (``-``), or text (``.``), with its line, from 1.

    ``name`` is the name of the element, or the text itself.
    """

    kind: str
    name: str
    attributes: dict[str, str]
    line: int


def events(source: Source, repairs: Counter[str]) -> Iterator[Event]:
    """Yield the events of a document.

    A DOCTYPE is read, but its DTD is not fetched. References to entities of HTML become their
    characters; references to other entities, which only a DTD would know, stay as written. Both
    are counted in ``repairs``.

    Raises
    ------
    InputError
        When it is not well-formed, or declares entities of its own.
    """
    found: list[Event] = []
    # the text is Unicode by now, whatever encoding its XML declaration names
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.specified_attributes = True  # not those that a DTD would add
    parser.UseForeignDTD(True)  # so that an unknown entity is skipped, not fatal

    def declared(name: str, *_: object) -> None:
        raise InputError(
            f"declares an entity of its own, {name!r}",
            "replace it by what it stands for",
            where=f"{source.name}:{parser.CurrentLineNumber}",
        )

    def unknown(name: str, is_parameter: bool) -> None:
        if is_parameter:
            return
        known = html5.get(f"{name};")
        kind = "resolved" if known else "of no entity kept as written"
        repairs[f"character references {kind}"] += 1
        found.append(Event(".", known or f"&{name};", {}, parser.CurrentLineNumber))

    parser.EntityDeclHandler = declared
    parser.SkippedEntityHandler = unknown
    parser.ExternalEntityRefHandler = lambda *_: 1  # nothing is fetched
    parser.StartElementHandler = lambda name, given: found.append(
        Event("+", name, given, parser.CurrentLineNumber)
    )
    parser.EndElementHandler = lambda name: found.append(
        Event("-", name, {}, parser.CurrentLineNumber)
    )
    parser.CharacterDataHandler = lambda text: found.append(
        Event(".", text, {}, parser.CurrentLineNumber)
    )
    text, step = source.text, 1 << 16
    try:
        for start in range(0, max(len(text), 1), step):
            parser.Parse(text[start : start + step], start + step >= len(text))
            yield from found
            found.clear()
    except expat.ExpatError as error:
        raise InputError(
            f"is not well-formed: {expat.ErrorString(error.code)}",
            "mend the markup there",
            where=f"{source.name}:{error.lineno}",
        ) from None
    except ValueError as error:  # half a surrogate pair, a NUL
        raise InputError(f"is not XML: {error}", "save it as UTF-8", where=source.name) from None
