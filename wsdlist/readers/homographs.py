"""Wikipedia homographs: quoted, tab-separated, the target between two *byte* offsets.

K. Gorman, G. Mazovetskiy & V. Nikolaev, "Improving homograph disambiguation with machine learning",
LREC 2018.
"""

from __future__ import annotations

from wsdlist.data.corpus import Corpus
from wsdlist.data.numbers import whole
from wsdlist.errors import Fail, InputError
from wsdlist.readers.sources import Source
from wsdlist.readers.words import in_text

NAME = "homographs"
DESCRIPTION = "Wikipedia homographs: homograph, wordid, sentence, start, end (in bytes)"
COLUMNS = ("homograph", "wordid", "sentence", "start", "end")


def sniff(text: str) -> bool:
    """Say whether the header is that of these files."""
    return tuple(_fields(text.partition("\n")[0])) == COLUMNS


def _fields(line: str) -> list[str]:
    """Return the fields of a line without quotation marks; those inside a field are doubled."""
    fields = []
    for field in line.split("\t"):
        quoted = len(field) > 1 and field[0] == field[-1] == '"'
        fields.append(field[1:-1].replace('""', '"') if quoted else field)
    return fields


def read(source: Source, fail: Fail) -> Corpus:
    """Read a file; see :func:`wsdlist.readers.read`.

    Offsets become code points. Ids consist of the name of the file and the line.
    """
    corpus = Corpus(repairs=source.repairs.copy())
    for number, line in source.lines():
        if number == 1 or not line:
            continue
        place = f"{source.name}:{number}"
        fields = _fields(line)
        if len(fields) != len(COLUMNS):
            advice = f"give it {', '.join(COLUMNS)}"
            fail(InputError(f"the row has {len(fields)} values", advice, where=place))
            continue
        word, sense, text, *offsets = fields
        try:
            start, end = (_code_points(text, offset, place) for offset in offsets)
            corpus.instances.append(
                in_text(
                    *(text, [(start, end)]),
                    name=f"{source.stem.removesuffix('.tsv')}:{number}",
                    lexelt=word,
                    senses=(sense,) if sense else (),
                    place=place,
                )
            )
        except InputError as error:
            fail(error)
    return corpus


def _code_points(text: str, offset: str, place: str) -> int:
    """Return an offset in code points for one in bytes of UTF-8."""
    data = text.encode()
    n_bytes = whole(offset)
    if n_bytes is not None:
        if n_bytes > len(data):
            return len(text) + 1  # outside: in_text says so, with both offsets
        try:
            return len(data[:n_bytes].decode())
        except UnicodeDecodeError:
            pass
    raise InputError(
        f"the offset {offset!r} is no number of bytes, or inside a character",
        "count bytes of UTF-8 from 0",
        where=place,
    )
