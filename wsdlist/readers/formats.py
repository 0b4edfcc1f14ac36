"""The formats, each of which has a module; the format of a file is found from its content.

A module has ``NAME``, ``DESCRIPTION``, ``sniff(text) -> bool`` and ``read(source, fail) -> Corpus |
Table``. ``fail`` gets the errors of single records and raises or keeps them; an error of the whole
file is raised. A module may also have ``companions(name)``, the names of other files that belong to
a file, and ``write(corpus, options)``, the contents of the files of a corpus by the ends of their
names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from wsdlist.data.corpus import Corpus, Table
from wsdlist.errors import Fail, ParameterError
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

SNIFFED = 1 << 16  # code points of a file that are looked at
TABLES = (csv_table.NAME, arff.NAME)  # the formats that may as well be plain text


@dataclass(frozen=True)
class Format:
    """What a module of this package offers.

    Parameters
    ----------
    name, description
        What users call it, and a line about it.
    sniff
        Whether the beginning of a text looks like it.
    read, write, companions
        See the docstring of this module; ``write`` is None if the format is only read.
    running
        Whether its instances stand in running text.
    own_ids
        Whether ids are unique only within a file, so that other files may have the same.
    """

    name: str
    description: str
    sniff: Callable[[str], bool]
    read: Callable[[Source, Fail], Corpus | Table]
    write: Callable[..., Mapping[str, str | bytes]] | None = None
    companions: Callable[[str], Iterable[str]] = lambda _: ()
    running: bool = False
    own_ids: bool = False


RUNNING = (unified, semcor, noad, ufsac, conllu, docbin)
OWN_IDS = (*RUNNING, russe, ru_labeled, concordance, homographs, coarsewsd)


def _format(module: ModuleType) -> Format:
    optional: dict[str, Any] = {
        name: getattr(module, name) for name in ("write", "companions") if hasattr(module, name)
    }
    return Format(
        *(module.NAME, module.DESCRIPTION, module.sniff, module.read),
        running=module in RUNNING,
        own_ids=module in OWN_IDS,
        **optional,
    )


FORMATS = tuple(  # in the order in which they are asked
    _format(module)
    for module in (
        *(nltk_senseval, semcor, noad, ufsac, unified, senseval, ru_labeled, jsonl, arff, conllu),
        *(homographs, russe, coarsewsd, concordance, docbin, csv_table),
    )
)


def format_of(name: str, *, writes: bool = False) -> Format:
    """Return a format by its name; with ``writes`` only one that can be written.

    Raises
    ------
    ParameterError
        When there is no such format.
    """
    known = [form for form in FORMATS if form.write is not None or not writes]
    for form in known:
        if form.name == name:
            return form
    kind = "that wsdlist writes" if writes else ""
    names = ", ".join(form.name for form in known)
    raise ParameterError(f"there is no format {name!r} {kind}".rstrip(), f"say one of {names}")


def sniff(source: Source) -> Format | None:
    """Return the first format that the content of a file looks like, or None."""
    head = source.text[:SNIFFED]
    return next((form for form in FORMATS if form.sniff(head)), None)
