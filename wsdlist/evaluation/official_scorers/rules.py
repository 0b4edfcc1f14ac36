"""The two rules: how the answers to an instance share its one point, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from wsdlist.errors import ParameterError
from wsdlist.evaluation.official_scorers.keys import Line
from wsdlist.evaluation.official_scorers.sense_map import SenseMap

RULES = ("unified", "senseval")
GRAINS = ("fine", "mixed", "coarse")
Weighted: TypeAlias = tuple[str, float]


def check_rules(rules: str, grain: str, sense_map: SenseMap | None) -> None:
    """Refuse unknown rules, an unknown grain, and a grain that lacks its sense map.

    Raises
    ------
    ParameterError
        When they are refused.
    """
    if rules not in RULES or grain not in GRAINS:
        known = RULES if rules not in RULES else GRAINS
        raise ParameterError(f"{rules!r}, {grain!r} is unknown", f"say one of {', '.join(known)}")
    if grain != "fine" and (sense_map is None or rules != "senseval"):
        raise ParameterError(f"the grain {grain} needs a sense map", "name it with --sense-map")


def attempted(line: Line | None, rules: str, regroup: Callable[[str], str] = str) -> list[Weighted]:
    """Return the answers of a line with their weights; by the unified rules all weigh the same."""
    if line is None:
        return []
    if rules == "senseval":
        return weights_of(line, regroup)
    senses = list(dict.fromkeys(sense for sense, _ in line.tags))
    return [(sense, 1 / len(senses)) for sense in senses]


def weights_of(line: Line, regroup: Callable[[str], str] = str) -> list[Weighted]:
    """Return the answers of a line with the weights that scorer2 gives them.

    If one has no weight, all weigh the same. If the weights sum to more than 1, they are divided
    by the sum; if they sum to less, the rest is not attempted.

    Parameters
    ----------
    line
        Of a file of answers.
    regroup
        Gives the group of a sense; the weights of a group are added up.

    >>> weights_of(Line("i", "w", [("a", None), ("b", 0.5)], ""))
    [('a', 0.5), ('b', 0.5)]
    >>> weights_of(Line("i", "w", [("a", 0.4), ("b", 0.2)], ""))
    [('a', 0.4), ('b', 0.2)]
    """
    if not line.tags:
        return []
    alike = any(weight is None for _, weight in line.tags)
    given = [(sense, 1.0 if alike or weight is None else weight) for sense, weight in line.tags]
    total = sum(weight for _, weight in given)
    merged: dict[str, float] = {}
    for sense, weight in given:
        group = regroup(sense)
        merged[group] = merged.get(group, 0.0) + (weight / total if total > 1 else weight)
    return list(merged.items())


def correct(
    answers: Sequence[Weighted], gold: Sequence[str], sense_map: SenseMap, grain: str
) -> float:
    """Return what the answers to an instance are worth, at most 1.

    Parameters
    ----------
    answers
        Senses (or groups) and their weights.
    gold
        The gold senses (or groups).
    sense_map
        Which senses stand above which; only the grain ``mixed`` looks there.
    grain
        ``mixed``, by which a sense above or below a gold sense is worth something; ``fine`` and
        ``coarse``, by which it must be one of them.
    """

    def worth(sense: str) -> float:
        if grain == "mixed":
            return min(1.0, sum(sense_map.credit(sense, right) for right in gold))
        return float(sense in gold)

    return min(1.0, sum(weight * worth(sense) for sense, weight in answers))
