"""Text for people: tables with aligned columns, and decision lists as IF, ELSE IF, ELSE.

The shape of the text never depends on a terminal. Nothing here is markup: what a corpus says is
printed as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wsdlist.errors import ParameterError, plain
from wsdlist.evaluation.crossval import Crossed
from wsdlist.evaluation.evaluate import Result, summary
from wsdlist.evaluation.official_scorers import Scored
from wsdlist.evaluation.significance import paired, paired_rounds
from wsdlist.inventories.glosses import Inventory
from wsdlist.layout import columns, number, pad, percent, table, weight, width
from wsdlist.learners.fitted.decision_list import DecisionList, Rule
from wsdlist.learners.fitted.lazy_rules import LazyRules
from wsdlist.learners.fitted.linear import Linear
from wsdlist.learners.fitted.rule_set import RuleSet
from wsdlist.learners.fitted.transformations import Transformations
from wsdlist.learners.lazy_growth import Antecedent
from wsdlist.models.editing import changes
from wsdlist.models.expert import Expert
from wsdlist.training.tuning import TuningTable

QUESTION_WIDTH = 44
WEIGHTS = 20  # shown of a linear model
BAR = 40
MANY, MOST = 100, 20  # words: when not all are shown, and how many then


HEADER = (
    *("lexelt", "senses", "train", "tested", "accuracy %", "mfs %", "macro-F1 %"),
    *("bits", "mfs bits", "rules", "conditions"),
)


def results(rows: Sequence[Result]) -> list[str]:
    """Return the results of words as a table; the last line is all words together.

    Of very many words only those with the most instances are shown.
    """
    if len(rows) == 1:
        return table(HEADER, [_result(row) for row in rows])
    shown = list(rows)
    if len(rows) > MANY:
        most = sorted(rows, key=lambda row: (-row.score.instances, row.lexelt))[:MOST]
        shown = sorted(most, key=lambda row: row.lexelt)
    lines = table(HEADER, [_result(row) for row in (*shown, summary(rows))])
    if len(rows) > MANY:
        said = f"... {len(rows) - MOST} more words, with fewer instances (all with --json)"
        lines.insert(-1, said)
    return lines


def _result(row: Result) -> tuple[str, ...]:
    return (
        row.lexelt,
        str(row.senses),
        str(row.trained_on),
        str(row.score.instances),
        percent(row.score.accuracy),
        percent(row.mfs.accuracy),
        percent(row.score.macro_f1),
        number(row.score.bits),
        number(row.mfs.bits),
        f"{row.rules:.0f}",
        f"{row.conditions:.0f}",
    )


def unknown(row: Result) -> str:
    """Say which gold senses a model cannot know, or nothing."""
    score = row.score
    said = []
    if score.unknown:
        said.append(
            f"{score.unknown} of {score.gold_senses} gold senses unknown to the model: "
            "left out of bits (with them, infinite)"
        )
    if score.backed_off:
        said.append(f"{score.backed_off} of {score.answered} answers by back-off, without bits")
    if score.answered < score.instances:
        said.append(
            f"{score.instances - score.answered} instances of words that were never trained"
        )
    return "; ".join(said)


def comparison(crossed: Sequence[Crossed]) -> list[str]:
    """Return learners side by side over all words, with paired tests against the first."""
    rows = []
    for one in crossed:
        first, *others = _result(summary(one.results))[3:]
        tests = p_values(crossed, one)
        p = ("-" if one is crossed[0] or np.isnan(p) else f"{p:.4f}" for p in tests)
        accuracy, *others = others
        rows.append((one.settings.learner, first, accuracy, percent(one.deviation), *others, *p))
    header = ("learner", *HEADER[3:5], "sd", *HEADER[5:], "p McNemar", "t-test", "sign test")
    return table(header, rows)


def p_values(crossed: Sequence[Crossed], one: Crossed) -> tuple[float, float, float]:
    """Return p of McNemar's exact test, of the t-test and the sign test against the first learner.

    McNemar's is over the instances of the first repetition, the others over folds or splits.
    """
    return (
        paired(crossed[0].right, one.right),
        *paired_rounds(crossed[0].rounds, one.rounds),
    )


def official(scored: Scored) -> tuple[str, ...]:
    """Return an official score as the cells of a table."""
    shares = (scored.precision, scored.recall, scored.f1)
    return (
        str(scored.instances),
        str(scored.answered),
        weight(scored.attempted),
        weight(scored.correct),
        *("-" if share != share else percent(share) for share in shares),
    )


def confusion(counted: Counter[tuple[str, str]]) -> list[str]:
    """Return how often each sense (a line) got each answer (a column)."""
    senses = sorted({sense for pair in counted for sense in pair})
    rows = [(gold, *(str(counted[gold, answer]) for answer in senses)) for gold in senses]
    return table(("is / answered", *senses), rows)


def settings(meta: dict[str, Any], used: dict[str, Any] | None = None) -> str:
    """Return one line on how a model, or one expert with the parameters ``used``, was learned."""
    best = (meta.get("tuning") or {}).get("best", {})
    parameters = [
        f"{name} {value}{' (tuned)' if name in best else ''}"
        for name, value in {**meta["parameters"], **best, **(used or {})}.items()
        if value not in ("none", None) and value is not False
    ]
    return ", ".join([meta["learner"], *parameters, f"features {meta['features']['name']}"])


def trials(table_: TuningTable) -> list[str]:
    """Return the trials of a table, the best one starred."""
    best = table_.best
    names = list(table_.trials[0].parameters) if table_.trials else []
    rows = []
    for trial in table_.trials:
        record = trial.to_record()
        rows.append(
            (
                *(f"{trial.parameters[name]}" for name in names),
                number(trial.bits / trial.instances),
                percent(record["accuracy"]),
                percent(record["macro_f1"]),
                f"{record['rules']:.0f}",
                "*" if trial.parameters == best else "",
            )
        )
    header = (*names, "held-out bits", "accuracy %", "macro-F1 %", "rules a word", "")
    return table(header, rows, left=0)


def curve(table_: TuningTable) -> list[str]:
    """Draw held-out bits against epsilon and size, at the best discount, as bars of text."""
    best = {name: value for name, value in table_.best.items() if name != "epsilon"}
    line = [
        trial
        for trial in table_.trials
        if {n: v for n, v in trial.parameters.items() if n != "epsilon"} == best
    ]
    if len(line) < 2 or "epsilon" not in line[0].parameters:
        return []
    bits = [trial.bits / trial.instances for trial in line]
    finite = [value for value in bits if value < float("inf")]
    if not finite:
        return []
    low, high = min(finite), max(finite)
    rows = []
    for trial, value in zip(line, bits, strict=True):
        share = (min(value, high) - low) / (high - low) if high > low else 0.0
        rows.append(
            (
                f"epsilon {trial.parameters['epsilon']}",
                f"{trial.rules / trial.words:.0f} rules a word",
                number(value),
                "#" * (1 + round(BAR * share)),
            )
        )
    named = ", ".join(f"{name} {value}" for name, value in best.items())
    head = f"held-out bits against epsilon and size{', ' + named if named else ''}"
    return [head, *columns(rows, left=4)]


def expert(
    expert: Expert,
    meta: dict[str, Any],
    inventory: Inventory,
    top: int | None = None,
    grown: Mapping[Antecedent, int] | None = None,
) -> list[str]:
    """Return what was learned for a word as one reads it, whatever the learner.

    ``grown`` are the rules that a lazy learner grew for some cases.
    """
    fitted = expert.fitted
    if isinstance(fitted, DecisionList):
        return decision_list(expert, meta, inventory, top)
    head = (
        f"{plain(expert.lexelt)}: {len(expert.senses)} senses, {expert.instances} instances "
        f"({settings(meta, expert.parameters)})"
    )
    if isinstance(fitted, Transformations):
        rules = fitted.to_record()["rules"]
        rows = [
            (r["text"], f"{r['from']} -> {r['then']}", f"{r['net']:g} errors less")
            for r in rules[:top]
        ]
        left_out = len(rules) - len(rows)
        more = [f"... {left_out} more rules"] if left_out else []
        start = f"all start as {plain(fitted.senses[fitted.initial])}; then, in this order:"
        return [head, start, *columns(rows, left=2), *more]
    if isinstance(fitted, RuleSet):
        return [head, *rule_set(fitted, top)]
    if isinstance(fitted, LazyRules):
        return [head, *lazy_rules(fitted, top, grown)]
    assert isinstance(fitted, Linear)
    shown = WEIGHTS if top is None else top
    lines = [head, f"the {shown} greatest weights of {fitted.n_rules:,}"]
    spread = fitted.weights - fitted.weights.mean(axis=1, keepdims=True)
    order = np.argsort(-np.abs(spread).max(axis=1, initial=0), kind="stable")[:shown]
    weights = []
    for n in order.tolist():
        pairs = zip(fitted.senses, spread[n], strict=True)
        weights.append((str(fitted.questions[n]), *(f"{s} {w:+.2f}" for s, w in pairs)))
    return lines + columns(weights, left=1)


VOTES = {
    "counts": "the counts of all rules that are true are added up",
    "score": "the values of all rules that are true are added up",
    "best": "the true rule of greatest value answers",
}


def rule_set(fitted: RuleSet, top: int | None = None) -> list[str]:
    """Return a set of rules as one reads it."""
    rows: list[tuple[str, ...]] = [("", "question", "sense", fitted.measure, "counts")]
    rules = zip(
        fitted.conjunctions, fitted.said.tolist(), fitted.counts, fitted.values, strict=False
    )
    for question, said, counts, value in list(rules)[:top]:
        found = [f"{s} {weight(C)}" for s, C in zip(fitted.senses, counts, strict=True) if C]
        rows.append(("IF", str(question), fitted.senses[said], number(value, 2), ", ".join(found)))
    left_out = fitted.n_rules - (len(rows) - 1)
    more = [f"... {left_out} more rules"] if left_out else []
    none = f"none is true: {plain(fitted.senses[fitted.default])}"
    if fitted.resolve != "counts":
        none = "none is true: each counts by the share of its conditions that hold"
    return [f"{fitted.n_rules} rules; {VOTES[fitted.resolve]}", *columns(rows, left=3), *more, none]


def lazy_rules(
    fitted: LazyRules, top: int | None = None, grown: Mapping[Antecedent, int] | None = None
) -> list[str]:
    """Return the rules grown for some cases, as :meth:`LazyRules.grown` gives them."""
    grown = grown or {}
    cases, attributes = fitted.problem.codes.shape
    lines = [f"{cases} cases of {attributes} attributes; a rule is grown for each case asked"]
    rows = [(fitted.text(antecedent), f"{uses}") for antecedent, uses in grown.items()][:top]
    if not rows:
        return [*lines, "none was grown yet"]
    asked = f"{len(grown)} grown for {sum(grown.values())} cases"
    left_out = len(grown) - len(rows)
    more = [f"... {left_out} more rules"] if left_out else []
    return [*lines, asked, *columns([("rule", "cases"), *rows], left=1), *more]


def coverage(expert: Expert) -> list[str]:
    """Return, for each sense, how complete and how consistent its rules are on what they learned.

    Complete: how many of its instances its rules are true of (in a list: answer). Consistent: how
    many of the instances that they are true of (answer) have it.

    Raises
    ------
    ParameterError
        When what was learned has no rules for senses.
    """
    fitted = expert.fitted
    if isinstance(fitted, RuleSet):
        said, covered, prior = fitted.said, fitted.covered, fitted.counts[-1]
    elif isinstance(fitted, DecisionList) and fitted.said is not None:
        assert fitted.residues is not None
        said, prior = fitted.said[:-1], fitted.counts[-1]
        of = range(len(fitted.senses))
        covered = np.array([fitted.residues[:-1][said == sense].sum(axis=0) for sense in of])
    else:
        raise ParameterError(
            f"{expert.lexelt} has no rules that were made for a sense", "leave --coverage out"
        )
    rows = []
    for number_, sense in enumerate(fitted.senses):
        own, every = covered[number_, number_], covered[number_].sum()
        rows.append(
            (
                sense,
                weight(prior[number_]),
                str(int((said == number_).sum())),
                weight(every),
                percent(own / prior[number_]),
                percent(own / every) if every else "-",
            )
        )
    own, every = np.trace(covered), covered.sum()
    total = ("all", weight(prior.sum()), str(len(said)), weight(every))
    rows.append((*total, percent(own / prior.sum()), percent(own / every) if every else "-"))
    return table(("sense", "instances", "rules", "covered", "complete %", "consistent %"), rows)


def decision_list(
    expert: Expert, meta: dict[str, Any], inventory: Inventory, top: int | None = None
) -> list[str]:
    """Return a list as one reads it: what it is, its senses, then IF, ELSE IF, ELSE."""
    n_rules = len(expert.rules)
    lines = [
        f"{plain(expert.lexelt)}: {len(expert.senses)} senses, {expert.instances} instances, "
        f"{n_rules} rules ({settings(meta, expert.parameters)})"
    ]
    if expert.decision_list.note:
        lines.append(expert.decision_list.note)
    if expert.learned is not None:
        lines.append(f"edited by hand: {changes(expert)} (as it was learned: show --learned)")
    if any(rule.stated for rule in (*expert.rules, expert.decision_list.default)):
        lines.append("* probability stated by hand")
    default = expert.decision_list.default
    rows = [
        (
            f"  {sense}",
            f"{100 * default.counts[sense] / default.count:.1f}%",
            inventory.gloss(expert.lexelt, sense),
        )
        for sense in sorted(expert.senses, key=lambda sense: (-default.counts[sense], sense))
    ]
    lines += [line.rstrip() for line in columns(rows, left=3)]
    shown = expert.rules if top is None else expert.rules[:top]
    body: list[tuple[str, ...]] = [
        ("", "question", "sense", "probability", "count", "support", expert.decision_list.measure)
    ]
    body += [
        _rule("ELSE IF" if place else "IF", rule, str(rule.question))
        for place, rule in enumerate(shown)
    ]
    left_out = len(expert.rules) - len(shown)
    body.append(_rule("ELSE", default, ""))
    long = [width(plain(row[1])) > QUESTION_WIDTH for row in body]
    # a question too long for its column gets a line of its own
    short = [
        (row[0], "" if wide else row[1], *row[2:]) for row, wide in zip(body, long, strict=True)
    ]
    aligned = columns(short, left=3)
    lines.append("")
    for line, row, wide in zip(aligned, body, long, strict=True):
        if row[0] == "ELSE" and left_out:
            lines.append(f"... {left_out} more rules")
        if wide:
            lines.append(f"{pad(row[0], 7)}  {plain(row[1])}")
            line = " " * 7 + line[7:]
        lines.append(line)
    return lines


def _rule(word: str, rule: Rule, question: str) -> tuple[str, ...]:
    return (
        word,
        question,
        rule.sense,
        number(rule.probability) + "*" * rule.stated,
        weight(rule.count),
        weight(rule.support),
        number(rule.gain, 2) if question else "",
    )
