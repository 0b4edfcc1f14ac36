"""Learners by name; each is imported when asked for."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from typing import Any

from wsdlist.errors import ParameterError
from wsdlist.learners.base import Fitted, Learner

LEARNERS = {
    "prepend": "wsdlist.learners.prepend:Prepend",
    "compromise": "wsdlist.learners.compromise:Compromise",
    "sorted": "wsdlist.learners.entropy_sort:EntropySort",
    "mfs": "wsdlist.learners.baselines:MostFrequentSense",
}

__all__ = ["LEARNERS", "Fitted", "Learner", "learner", "learner_class", "parameters"]


def learner_class(name: str) -> Any:
    """Return the class behind a name.

    Raises
    ------
    ParameterError
        When there is none.
    """
    if name not in LEARNERS:
        raise ParameterError(f"there is no learner {name!r}", f"say one of {', '.join(LEARNERS)}")
    module, _, attribute = LEARNERS[name].partition(":")
    return getattr(import_module(module), attribute)


def parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a learner and their defaults.

    >>> parameters("sorted")
    {'discount': 0.9, 'reestimate': 'none'}
    """
    return {field.name: field.default for field in fields(learner_class(name))}


def learner(name: str, **given: Any) -> Learner:
    """Make a learner.

    Raises
    ------
    ParameterError
        For an unknown learner, or a parameter that it does not have.
    """
    known = parameters(name)
    for parameter in given:
        if parameter not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ParameterError(f"the learner {name} has no parameter {parameter!r}", has)
    made: Learner = learner_class(name)(**given)
    return made
