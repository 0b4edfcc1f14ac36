"""Build the API reference from the docstrings, as HTML: ``python docs/reference.py FOLDER``."""

from __future__ import annotations

import pkgutil
import sys
import warnings
from pathlib import Path

import pdoc
import pdoc.render

import wsdlist


def build(folder: Path) -> None:
    """Write the pages: the public face first, then the rooms."""
    for name in wsdlist.__all__:  # pdoc looks at what is there, and these come when asked for
        setattr(wsdlist, name, getattr(wsdlist, name))
    rooms = pkgutil.iter_modules(wsdlist.__path__, "wsdlist.")
    modules = [room.name for room in rooms if room.name != "wsdlist.__main__"]
    # a dataclass repeats the types of its base, whose imports stand in another module
    warnings.filterwarnings("ignore", "Error parsing type annotation")
    pdoc.render.configure(docformat="numpy", footer_text=f"wsdlist {wsdlist.__version__}")
    pdoc.pdoc("wsdlist", *modules, output_directory=folder)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
