"""Word sense disambiguation with decision lists one can read.

>>> import wsdlist
>>> model = wsdlist.train("corpora/lexical-sample")
>>> model["crane.n"].rules[0].sense
'machine'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Corpus",
    "Instance",
    "Model",
    "WsdlistError",
    "__version__",
    "crossval",
    "evaluate",
    "load",
    "read",
    "train",
]

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus, Instance
    from wsdlist.errors import WsdlistError
    from wsdlist.evaluation.crossval import crossval
    from wsdlist.evaluation.evaluate import evaluate
    from wsdlist.models.model import Model, load
    from wsdlist.readers import read
    from wsdlist.training.train import train

_HOMES = {
    "Corpus": "data.corpus",
    "Instance": "data.corpus",
    "WsdlistError": "errors",
    "Model": "models.model",
    "load": "models.model",
    "read": "readers",
    "train": "training.train",
    "evaluate": "evaluation.evaluate",
    "crossval": "evaluation.crossval",
}


def __getattr__(name: str) -> Any:
    # imported when asked for, so that `import wsdlist` and `wsdlist --help` stay quick
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"wsdlist.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'wsdlist' has no attribute {name!r}")
