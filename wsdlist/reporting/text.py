"""Text for people: tables with aligned columns, and decision lists as IF, ELSE IF, ELSE.

The shape of the text never depends on a terminal. Nothing is taken for markup: what a corpus says
is printed as it is.
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
from wsdlist.learners.fitted.base import RuleTable
from wsdlist.models.editing import changes
from wsdlist.models.expert import Expert
from wsdlist.models.meta import Meta
from wsdlist.models.recipe import Recipe
from wsdlist.training.trials import TuningTable

QUESTION_WIDTH = 44
BAR = 40
MANY, MOST = 100, 20  # of more than MANY words, only the MOST frequent are shown

HEADER = (
    *("lexelt", "senses", "train", "tested", "accuracy %", "mfs %", "macro-F1 %"),
    *("bits", "mfs bits", "rules", "conditions"),
)


def results(rows: Sequence[Result]) -> list[str]:
    """Return the results of words as a table; the last line is all words together.

    If there are very many words, only those with the most instances are shown.
    """
    if len(rows) == 1:
        return table(HEADER, [_result(row) for row in rows])
    shown = list(rows)
    if len(rows) > MANY:
        most = sorted(rows, key=lambda row: (-row.score.instances, row.lexelt))[:MOST]
        shown = sorted(most, key=lambda row: row.lexelt)
    lines = table(HEADER, [_result(row) for row in (*shown, summary(rows))])
    if len(rows) > MANY:
        line = f"... {len(rows) - MOST} more words, with fewer instances (all with --json)"
        lines.insert(-1, line)
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
    """Say which gold senses and words the model does not know, or nothing."""
    score = row.score
    parts = []
    if score.unknown:
        parts.append(
            f"{score.unknown} of {score.gold_senses} gold senses unknown to the model: "
            "left out of bits (with them, infinite)"
        )
    if score.backed_off:
        parts.append(f"{score.backed_off} of {score.answered} answers by back-off, without bits")
    if score.answered < score.instances:
        parts.append(
            f"{score.instances - score.answered} instances of words that were never trained"
        )
    return "; ".join(parts)


def comparison(crossed: Sequence[Crossed]) -> list[str]:
    """Return a table of learners over all words, with paired tests against the first."""
    rows = []
    for run in crossed:
        first, *others = _result(summary(run.results))[3:]
        tests = p_values(crossed, run)
        p = ("-" if run is crossed[0] or np.isnan(p) else f"{p:.4f}" for p in tests)
        accuracy, *others = others
        rows.append((run.recipe.learner, first, accuracy, percent(run.deviation), *others, *p))
    header = ("learner", *HEADER[3:5], "sd", *HEADER[5:], "p McNemar", "t-test", "sign test")
    return table(header, rows)


def p_values(crossed: Sequence[Crossed], run: Crossed) -> tuple[float, float, float]:
    """Return p of McNemar's exact test, the corrected t-test and the sign test against the first.

    McNemar's test is over the instances of the first repetition, the others are over folds or
    splits.
    """
    return (
        paired(crossed[0].right, run.right),
        *paired_rounds(crossed[0].rounds, run.rounds, run.test_to_train),
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
    """Return a table of how often each sense (a line) got each answer (a column)."""
    senses = sorted({sense for pair in counted for sense in pair})
    rows = [(gold, *(str(counted[gold, answer]) for answer in senses)) for gold in senses]
    return table(("is / answered", *senses), rows)


def recipe(meta: Meta, used: Mapping[str, Any] | None = None) -> str:
    """Return one line on how a model, or one expert with the parameters ``used``, was learned."""
    return recipe_line(meta.recipe, (meta.tuning or {}).get("best", {}), used)


def recipe_line(
    learned_by: Recipe,
    tuned: Mapping[str, Any] | None = None,
    used: Mapping[str, Any] | None = None,
) -> str:
    """Return one line on how experts are learned, with the parameters that tuning chose."""
    tuned = tuned or {}
    given = {**learned_by.to_record()["parameters"], **tuned, **(used or {})}
    parameters = [
        f"{name} {value}{' (tuned)' if name in tuned else ''}"
        for name, value in given.items()
        if value not in ("none", None) and value is not False
    ]
    return ", ".join([learned_by.learner, *parameters, f"features {learned_by.features.name}"])


def trials(tried: TuningTable) -> list[str]:
    """Return the trials of a table, the best one starred."""
    best = tried.best
    names = list(tried.trials[0].parameters) if tried.trials else []
    rows = []
    for trial in tried.trials:
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
    header = (*names, "held-out bits", "accuracy %", "macro-F1 %", "rules per word", "")
    return table(header, rows, left=0)


def curve(tried: TuningTable) -> list[str]:
    """Draw held-out bits against epsilon and size, at the best discount, as bars of text.

    Nothing is drawn if fewer than two values of epsilon were tried.
    """
    best = {name: value for name, value in tried.best.items() if name != "epsilon"}
    at_best = [
        trial
        for trial in tried.trials
        if {n: v for n, v in trial.parameters.items() if n != "epsilon"} == best
    ]
    if len(at_best) < 2 or "epsilon" not in at_best[0].parameters:
        return []
    bits = [trial.bits / trial.instances for trial in at_best]
    finite = [value for value in bits if value < float("inf")]
    if not finite:
        return []
    low, high = min(finite), max(finite)
    rows = []
    for trial, value in zip(at_best, bits, strict=True):
        share = (min(value, high) - low) / (high - low) if high > low else 0.0
        rows.append(
            (
                f"epsilon {trial.parameters['epsilon']}",
                f"{trial.rules / trial.words:.0f} rules per word",
                number(value),
                "#" * (1 + round(BAR * share)),
            )
        )
    named = ", ".join(f"{name} {value}" for name, value in best.items())
    head = f"held-out bits against epsilon and size{', ' + named if named else ''}"
    return [head, *columns(rows, left=4)]


def expert(
    word: Expert,
    meta: Meta,
    inventory: Inventory,
    top: int | None = None,
    grown: RuleTable | None = None,
) -> list[str]:
    """Return what was learned for a word as people read it: how, its senses, its rules.

    Parameters
    ----------
    word
        The expert of the word.
    meta, inventory
        The meta of its model, and the glosses of its senses.
    top
        How many rules are shown; None for all.
    grown
        Rules that were grown for certain instances, to be shown instead.
    """
    fitted = word.fitted
    counts = fitted.sense_counts()
    rules = "" if counts is None else f", {fitted.n_rules} rules"
    lines = [
        f"{plain(word.lexelt)}: {len(word.senses)} senses, {word.instances} instances{rules} "
        f"({recipe(meta, word.parameters)})",
        *fitted.notes,
    ]
    if word.learned is not None:
        lines.append(f"edited by hand: {changes(word)} (as it was learned: show --learned)")
    if fitted.is_set_by_hand:
        lines.append("* probability stated by hand")
    if counts is not None:
        lines += [*_senses(word, counts, inventory), ""]
    return lines + rule_table(fitted.table(top) if grown is None else grown)


def _senses(word: Expert, counts: Mapping[str, float], inventory: Inventory) -> list[str]:
    """Return the senses with their shares of the training instances, the most frequent first."""
    total = sum(counts.values())
    rows = [
        (
            f"  {sense}",
            f"{100 * counts[sense] / total:.1f}%",
            inventory.gloss(word.lexelt, sense),
        )
        for sense in sorted(word.senses, key=lambda sense: (-counts[sense], sense))
    ]
    return [line.rstrip() for line in columns(rows, left=3)]


def rule_table(rules: RuleTable) -> list[str]:
    """Return what was learned as aligned text.

    A question too long for its column gets a line of its own.
    """
    header = [rules.header] if rules.header else []
    body: list[Sequence[str]] = [*header, *rules.rows]
    long = rules.long_column
    wide = [long is not None and width(plain(row[long])) > QUESTION_WIDTH for row in body]
    short = [
        [cell if n != long or not is_wide else "" for n, cell in enumerate(row)]
        for row, is_wide in zip(body, wide, strict=True)
    ]
    left_out = [f"... {rules.left_out} more rules"] if rules.left_out else []
    lines = [plain(line) for line in rules.before]
    for place, (line, row, is_wide) in enumerate(
        zip(columns(short, rules.left), body, wide, strict=True), start=1
    ):
        if rules.ends_in_default and place == len(body):
            lines += left_out
            left_out = []
        if is_wide:
            lines.append(f"{pad(row[0], 7)}  {plain(row[long or 0])}")
            line = " " * 7 + line[7:]
        lines.append(line)
    return [*lines, *left_out, *(plain(line) for line in rules.after)]


def coverage(word: Expert) -> list[str]:
    """Return a table of how complete and how consistent the rules of each sense are in training.

    Complete: the share of the instances of the sense that its rules are true of (in a list: that
    they answer). Consistent: the share of the instances that its rules are true of (answer) that
    have the sense.

    Raises
    ------
    ParameterError
        When the rules were not made for senses.
    """
    rules = word.fitted.coverage()
    if rules is None:
        raise ParameterError(
            f"{word.lexelt} has no rules that were made for a sense", "leave --coverage out"
        )
    targets, covered, prior = rules.target_sense, rules.covered, rules.prior
    rows = []
    for y, sense in enumerate(word.senses):
        own, total = covered[y, y], covered[y].sum()
        rows.append(
            (
                sense,
                weight(prior[y]),
                str(int((targets == y).sum())),
                weight(total),
                percent(own / prior[y]),
                percent(own / total) if total else "-",
            )
        )
    own, total = np.trace(covered), covered.sum()
    rows.append(
        (
            "all",
            weight(prior.sum()),
            str(len(targets)),
            weight(total),
            percent(own / prior.sum()),
            percent(own / total) if total else "-",
        )
    )
    return table(("sense", "instances", "rules", "covered", "complete %", "consistent %"), rows)
