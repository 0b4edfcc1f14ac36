"""The charts of the page, as SVG: accuracy against rules, reliability.

Colours are those of the page's style; no text of a corpus stands in them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wsdlist.data.arrays import Bools, Floats
from wsdlist.data.corpus import Item
from wsdlist.layout import percent
from wsdlist.models.expert import Expert

BINS = 10  # of the reliability diagram


def accuracy_by_rules(
    expert: Expert, items: Sequence[Item], gold: Sequence[tuple[str, ...]], *, from_the_end: bool
) -> Floats:
    """Return ``(n_rules + 1,)`` the accuracy with 0, 1, 2 ... of the rules.

    Nothing is returned for what has no rules to take one after another. ``from_the_end`` takes the
    last ones, for a learner that makes its list so; else the first ones are taken. The default
    always stays.
    """
    answers = expert.fitted.by_size(expert.ask(items), from_the_end=from_the_end)
    right = np.array([[sense in senses for sense in expert.senses] for senses in gold], dtype=bool)
    rows = np.arange(len(gold))
    return np.array([right[rows, senses].mean() for senses in answers or ()])


def curve(accuracy: Floats, *, from_the_end: bool) -> str:
    """Draw what :func:`accuracy_by_rules` gives, of one rule at least."""
    low, high = float(accuracy.min()), float(accuracy.max())
    low, high = max(low - 0.02, 0.0), min(high + 0.02, 1.0)
    n = len(accuracy) - 1
    points = " ".join(
        _at(k / n, (value - low) / (high - low)) for k, value in enumerate(accuracy.tolist())
    )
    which = "the last rules, made first" if from_the_end else "the first rules"
    line = f'<polyline points="{points}" fill="none" stroke="var(--own)" stroke-width="2"/>'
    label = (
        f"Accuracy with {which}: from {percent(accuracy[0])} % with none to "
        f"{percent(accuracy[-1])} % with all {n}"
    )
    return _svg(label, [*_ticks(low, high, n), line], "rules", "accuracy %")


def reliability(P: Floats, right: Bools) -> str:
    """Draw how often answers of a probability are right: on the diagonal, as often as it says.

    ``P`` is ``(n,)`` the probability of each answer, ``right`` whether it is right.
    """
    bins = np.minimum((P * BINS).astype(int), BINS - 1)
    parts = [*_ticks(0, 1, 100)]
    parts.append(
        f'<path d="M{_at(0, 0)}L{_at(1, 1)}" stroke="currentColor" '
        'stroke-opacity=".4" stroke-dasharray="4 4"/>'
    )
    gap = 0.0
    for one in sorted(set(bins.tolist())):
        mine = bins == one
        said, was = float(P[mine].mean()), float(right[mine].mean())
        gap += mine.sum() / len(P) * abs(said - was)
        x, y = _at(said, was).split(",")
        size = 3 + 9 * float(np.sqrt(mine.sum() / len(P)))
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="var(--own)" fill-opacity=".75">'
            f"<title>{mine.sum()} answers of {percent(said)} %: {percent(was)} % right</title>"
            "</circle>"
        )
    label = f"Reliability: on average {percent(gap)} points between what is said and what is right"
    return _svg(label, parts, "probability of the answer, %", "right %")


def _svg(label: str, parts: Sequence[str], x: str, y: str) -> str:
    """Return a chart of 320 x 240, its area from (40, 10) to (310, 200)."""
    frame = (
        '<path d="M40 10V200H310" fill="none" stroke="currentColor" stroke-opacity=".5"/>'
        f'<text x="175" y="235" text-anchor="middle">{x}</text>'
        f'<text x="12" y="105" text-anchor="middle" transform="rotate(-90 12 105)">{y}</text>'
    )
    return (
        f'<figure><figcaption class="soft">{label}</figcaption>'
        f'<svg viewBox="0 0 320 240" role="img" aria-label="{label}">{frame}{"".join(parts)}</svg>'
        "</figure>"
    )


def _at(x: float, y: float) -> str:
    """Return the point of the chart's area at two shares of it."""
    return f"{40 + 270 * x:.1f},{200 - 190 * y:.1f}"


def _ticks(low: float, high: float, most: int) -> list[str]:
    made = []
    for share in (0.0, 0.5, 1.0):
        _, y = _at(0, share).split(",")
        made.append(
            f'<text x="36" y="{float(y) + 4:.1f}" text-anchor="end">'
            f"{100 * (low + share * (high - low)):.0f}</text>"
        )
    for value in sorted({0, most // 2, most}):
        x, _ = _at(value / most, 0).split(",")
        made.append(f'<text x="{x}" y="214" text-anchor="middle">{value}</text>')
    return made
