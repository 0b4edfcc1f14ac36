"""The formats: one a module, found from what a file holds.

A module has ``NAME``, ``DESCRIPTION``, ``sniff(text) -> bool`` and ``read(source, fail) -> Corpus |
Table``; perhaps ``companions(name)``, the names of files that belong to a file, and
``write(corpus)``, the files of a corpus by the ends of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from wsdlist.data.corpus import Corpus, Table
from wsdlist.errors import InputError, ParameterError
from wsdlist.readers import (
    arff,
    coarsewsd,
    concordance,
    conllu,
    csv_table,
    docbin,
    homographs,
    jsonl,
    nltk_senseval,
    noad,
    ru_labeled,
    russe,
    semcor,
    senseval,
    ufsac,
    unified,
)
from wsdlist.readers.sources import Source

SNIFFED = 1 << 16


@dataclass(frozen=True)
class Format:
    """What a module of this package offers.

    ``running`` says that its instances stand in running text, ``own_ids`` that other files may
    have the same ids.
    """

    name: str
    description: str
    sniff: Callable[[str], bool]
    read: Callable[[Source, Callable[[InputError], None]], Corpus | Table]
    write: Callable[..., Mapping[str, str | bytes]] | None = None
    companions: Callable[[str], Iterable[str]] = lambda _: ()
    running: bool = False
    own_ids: bool = False


RUNNING = (unified, semcor, noad, ufsac, conllu, docbin)
OWN_IDS = (*RUNNING, russe, ru_labeled, concordance, homographs, coarsewsd)


def _format(module: ModuleType) -> Format:
    more: dict[str, Any] = {
        name: getattr(module, name) for name in ("write", "companions") if hasattr(module, name)
    }
    return Format(
        *(module.NAME, module.DESCRIPTION, module.sniff, module.read),
        running=module in RUNNING,
        own_ids=module in OWN_IDS,
        **more,
    )


FORMATS = tuple(  # in the order in which they are asked
    _format(module)
    for module in (
        *(nltk_senseval, semcor, noad, ufsac, unified, senseval, ru_labeled, jsonl, arff, conllu),
        *(homographs, russe, coarsewsd, concordance, docbin, csv_table),
    )
)


def format_of(name: str, *, writes: bool = False) -> Format:
    """Return a format by its name.

    Raises
    ------
    ParameterError
        When there is none, or (``writes``) it is one that is only read.
    """
    known = [one for one in FORMATS if one.write is not None or not writes]
    for one in known:
        if one.name == name:
            return one
    kind = "that wsdlist writes" if writes else ""
    names = ", ".join(one.name for one in known)
    raise ParameterError(f"there is no format {name!r} {kind}".rstrip(), f"say one of {names}")


def sniff(source: Source) -> Format | None:
    """Return the format that the content of a file looks like, or None."""
    head = source.text[:SNIFFED]
    return next((known for known in FORMATS if known.sniff(head)), None)
