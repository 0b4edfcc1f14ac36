"""Learners by name; each is imported when asked for."""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

from wsdlist.data.records import RecordError, fields_from_record
from wsdlist.errors import ModelError, ParameterError
from wsdlist.learners.base import Learner
from wsdlist.learners.fitted.base import Fitted

LEARNERS = {
    "prepend": "wsdlist.learners.prepend:Prepend",
    "compromise": "wsdlist.learners.compromise:Compromise",
    "sorted": "wsdlist.learners.entropy_sort:EntropySort",
    "yarowsky": "wsdlist.learners.yarowsky:Yarowsky",
    "mfs": "wsdlist.learners.baselines:MostFrequentSense",
    "evidence": "wsdlist.learners.evidence:Evidence",
    "backoff": "wsdlist.learners.backoff:Backoff",
    "append": "wsdlist.learners.webb:Append",
    "append-p2": "wsdlist.learners.webb:AppendP2",
    "webb-prepend": "wsdlist.learners.webb:WebbPrepend",
    "webb-prepend-p2": "wsdlist.learners.webb:WebbPrependP2",
    "webb-prepend-i": "wsdlist.learners.webb:WebbPrependI",
    "webb-prepend-ip2": "wsdlist.learners.webb:WebbPrependIP2",
    "covering": "wsdlist.learners.covering:Covering",
    "prism": "wsdlist.learners.prism:Prism",
    "cn2": "wsdlist.learners.cn2:CN2",
    "cn2-unordered": "wsdlist.learners.cn2:UnorderedCN2",
    "ripper": "wsdlist.learners.ripper:Ripper",
    "elem2": "wsdlist.learners.elem2:Elem2",
    "lazy-nb": "wsdlist.learners.lazy:LazyNaiveBayes",
    "lazy-nb-weka": "wsdlist.learners.lazy:WekaLazyNaiveBayes",
    "lazy-mv": "wsdlist.learners.lazy:LazyMajority",
    "lazy-knn": "wsdlist.learners.lazy:LazyNeighbours",
    "lazy-list": "wsdlist.learners.lazy:LazyList",
    "tbl": "wsdlist.learners.tbl:TransformationBased",
    "naive-bayes": "wsdlist.learners.linear:NaiveBayes",
    "logistic": "wsdlist.learners.linear:Logistic",
    "perceptron": "wsdlist.learners.linear:Perceptron",
}

FITTED = {
    "decision-list": "wsdlist.learners.fitted.decision_list:DecisionList",
    "sense-rules": "wsdlist.learners.fitted.sense_rules:SenseRules",
    "transformations": "wsdlist.learners.fitted.transformations:Transformations",
    "linear": "wsdlist.learners.fitted.linear:Linear",
    "rule-set": "wsdlist.learners.fitted.rule_set:RuleSet",
    "voting-rules": "wsdlist.learners.fitted.voting_rules:VotingRules",
    "backoff-list": "wsdlist.learners.fitted.backoff_list:BackoffList",
    "lazy-rule": "wsdlist.learners.fitted.lazy_rules:LazyRules",
}

__all__ = [
    "FITTED",
    "LEARNERS",
    "Fitted",
    "Learner",
    "from_record",
    "learner",
    "learner_class",
    "parameters",
]


def from_record(record: dict[str, Any]) -> Fitted:
    """Read what was fitted from its record, whose ``kind`` names the class.

    Raises
    ------
    ModelError
        When the record is of no kind that is known, or damaged.
    """
    kind, default = record.get("kind"), record.get("default")
    if kind == "decision-list" and isinstance(default, dict) and "said" in default:
        kind = "sense-rules"  # in files and for those who read them both are decision lists
    if not isinstance(kind, str) or kind not in FITTED:
        raise ModelError(f"{kind!r} is no kind of list", "upgrade wsdlist, or train anew")
    try:
        senses = fields_from_record(_SensesRecord, record).senses
        if not senses or len(set(senses)) < len(senses):
            raise RecordError("are none, or hold one of them twice", "senses")
        fitted: Fitted = _find(FITTED[kind]).from_record(record)
    except RecordError as error:
        raise ModelError(f"a record cannot be read: {error}", "train it anew") from None
    return fitted


@dataclass(frozen=True)
class _SensesRecord:
    senses: tuple[str, ...]


def _find(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def learner_class(name: str) -> Any:
    """Return the class of a learner.

    Raises
    ------
    ParameterError
        When there is none.
    """
    if name not in LEARNERS:
        raise ParameterError(f"there is no learner {name!r}", f"say one of {', '.join(LEARNERS)}")
    return _find(LEARNERS[name])


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
    learner: Learner = learner_class(name)(**given)
    return learner
