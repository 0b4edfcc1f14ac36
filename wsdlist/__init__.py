"""Word sense disambiguation with decision lists that you can read.

Learn and keep a model (:func:`train`, :func:`load`), use it (:class:`Model`: ``tag``, ``answer``,
``explain``), measure it (:func:`evaluate`, :func:`crossval`), read and check corpora
(:func:`read`, :func:`validate`). The names below are the public face: they follow the policy of
docs/api.md. All else may change with any version.

>>> import wsdlist
>>> model = wsdlist.train("corpora/lexical-sample")
>>> model["crane.n"].rules[0].sense
'machine'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wsdlist.version import __version__

__all__ = [
    "ANNOTATIONS",
    "LEARNERS",
    "Annotation",
    "Answer",
    "CoarseMap",
    "Condition",
    "ConfusionSets",
    "Corpus",
    "DecisionList",
    "Evidence",
    "Expert",
    "Explanation",
    "FeatureSet",
    "Fitted",
    "Format",
    "InputError",
    "Instance",
    "Inventory",
    "Kind",
    "Meta",
    "Model",
    "ModelError",
    "ParameterError",
    "Parts",
    "Preparation",
    "Question",
    "QuestionMatrix",
    "Recipe",
    "Row",
    "Rule",
    "Source",
    "Tag",
    "Text",
    "Token",
    "WsdlistError",
    "__version__",
    "ask",
    "coarse_map",
    "compare",
    "crossval",
    "evaluate",
    "extract",
    "feature_set",
    "from_bytes",
    "inventory_of",
    "learn",
    "learner",
    "load",
    "page",
    "prepare",
    "read",
    "read_texts",
    "recipe_of",
    "save",
    "score",
    "score_files",
    "suggest",
    "summary",
    "train",
    "tune_words",
    "validate",
]

if TYPE_CHECKING:
    from wsdlist.data.corpus import Corpus, Instance, Kind, Row, Text, Token
    from wsdlist.errors import InputError, ModelError, ParameterError, WsdlistError
    from wsdlist.evaluation.crossval import crossval
    from wsdlist.evaluation.evaluate import evaluate, summary
    from wsdlist.evaluation.official_scorers import compare, score, score_files
    from wsdlist.evaluation.suggest import suggest
    from wsdlist.evaluation.validation import validate
    from wsdlist.features import ask, extract
    from wsdlist.features.annotations import ANNOTATIONS, Annotation
    from wsdlist.features.matrix import QuestionMatrix
    from wsdlist.features.questions import Condition, Question
    from wsdlist.features.sets import FeatureSet, feature_set
    from wsdlist.inventories.coarse import CoarseMap, coarse_map
    from wsdlist.inventories.glosses import Inventory, inventory_of
    from wsdlist.learners import LEARNERS, learner
    from wsdlist.learners.fitted.base import Answer, Evidence, Fitted
    from wsdlist.learners.fitted.decision_list import DecisionList
    from wsdlist.learners.fitted.rules import Rule
    from wsdlist.models.expert import Expert
    from wsdlist.models.explain import Explanation
    from wsdlist.models.meta import Meta, Preparation
    from wsdlist.models.model import Model, from_bytes, load
    from wsdlist.models.recipe import Recipe, recipe_of
    from wsdlist.models.tagging import Tag
    from wsdlist.readers import Format, Parts, read
    from wsdlist.readers.confusion_sets import ConfusionSets
    from wsdlist.readers.sources import Source
    from wsdlist.readers.writing import save
    from wsdlist.reporting.page import page
    from wsdlist.training.prepare import prepare
    from wsdlist.training.texts import read_texts
    from wsdlist.training.train import learn, train, tune_words

_HOMES = {
    "data.corpus": ("Corpus", "Instance", "Kind", "Row", "Text", "Token"),
    "errors": ("InputError", "ModelError", "ParameterError", "WsdlistError"),
    "evaluation.crossval": ("crossval",),
    "evaluation.evaluate": ("evaluate", "summary"),
    "evaluation.official_scorers": ("compare", "score", "score_files"),
    "evaluation.suggest": ("suggest",),
    "evaluation.validation": ("validate",),
    "features": ("ask", "extract"),
    "features.annotations": ("ANNOTATIONS", "Annotation"),
    "features.matrix": ("QuestionMatrix",),
    "features.questions": ("Condition", "Question"),
    "features.sets": ("FeatureSet", "feature_set"),
    "inventories.coarse": ("CoarseMap", "coarse_map"),
    "inventories.glosses": ("Inventory", "inventory_of"),
    "learners": ("LEARNERS", "learner"),
    "learners.fitted.base": ("Answer", "Evidence", "Fitted"),
    "learners.fitted.decision_list": ("DecisionList",),
    "learners.fitted.rules": ("Rule",),
    "models.expert": ("Expert",),
    "models.explain": ("Explanation",),
    "models.meta": ("Meta", "Preparation"),
    "models.model": ("Model", "from_bytes", "load"),
    "models.recipe": ("Recipe", "recipe_of"),
    "models.tagging": ("Tag",),
    "readers": ("Format", "Parts", "read"),
    "readers.confusion_sets": ("ConfusionSets",),
    "readers.sources": ("Source",),
    "readers.writing": ("save",),
    "reporting.page": ("page",),
    "training.prepare": ("prepare",),
    "training.texts": ("read_texts",),
    "training.train": ("learn", "train", "tune_words"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # a type checker knows the names above, and no others

    def __getattr__(name):
        # imported when asked for, so that `import wsdlist` and `wsdlist --help` stay quick
        if name in _HOME_OF:
            return getattr(import_module(f"wsdlist.{_HOME_OF[name]}"), name)
        raise AttributeError(f"module 'wsdlist' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
