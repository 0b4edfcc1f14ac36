"""The charts of the page, as SVG: accuracy against rules, reliability.

Their colours are those of the page's style. They hold no text of a corpus.
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
    """Return ``(n_rules + 1,)`` the accuracy, 0 to 1, with 0, 1, 2 ... of the rules.

    The default always stays. The array is empty if there are no rules to take one after another.

    Parameters
    ----------
    expert, items, gold
        The expert, the instances it answers, and the gold senses of each.
    from_the_end
        Whether the last rules are taken first, because they were learned first.
    """
    answers = expert.fitted.by_size(expert.ask(items), from_the_end=from_the_end)
    right = np.array([[sense in senses for sense in expert.senses] for senses in gold], dtype=bool)
    rows = np.arange(len(gold))
    return np.array([right[rows, senses].mean() for senses in answers or ()])


def curve(accuracy: Floats, *, from_the_end: bool) -> str:
    """Draw what :func:`accuracy_by_rules` gives, if there is at least one rule."""
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
    """Draw how often answers of each probability are right.

    On the diagonal they are right as often as their probability says.

    Parameters
    ----------
    P
        ``(n,)`` the probability of each answer.
    right
        ``(n,)`` whether each answer is right.
    """
    bins = np.minimum((P * BINS).astype(int), BINS - 1)
    shapes = [*_ticks(0, 1, 100)]
    shapes.append(
        f'<path d="M{_at(0, 0)}L{_at(1, 1)}" stroke="currentColor" '
        'stroke-opacity=".4" stroke-dasharray="4 4"/>'
    )
    gap = 0.0
    for number in sorted(set(bins.tolist())):
        in_bin = bins == number
        probability, accuracy = float(P[in_bin].mean()), float(right[in_bin].mean())
        gap += in_bin.sum() / len(P) * abs(probability - accuracy)
        x, y = _at(probability, accuracy).split(",")
        size = 3 + 9 * float(np.sqrt(in_bin.sum() / len(P)))
        shapes.append(
            f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="var(--own)" fill-opacity=".75">'
            f"<title>{in_bin.sum()} answers of {percent(probability)} %: "
            f"{percent(accuracy)} % right</title></circle>"
        )
    label = f"Reliability: on average {percent(gap)} points between what is said and what is right"
    return _svg(label, shapes, "probability of the answer, %", "right %")


def _svg(label: str, shapes: Sequence[str], x: str, y: str) -> str:
    """Return a chart of 320 x 240, whose area goes from (40, 10) to (310, 200)."""
    frame = (
        '<path d="M40 10V200H310" fill="none" stroke="currentColor" stroke-opacity=".5"/>'
        f'<text x="175" y="235" text-anchor="middle">{x}</text>'
        f'<text x="12" y="105" text-anchor="middle" transform="rotate(-90 12 105)">{y}</text>'
    )
    return (
        f'<figure><figcaption class="soft">{label}</figcaption>'
        f'<svg viewBox="0 0 320 240" role="img" aria-label="{label}">{frame}{"".join(shapes)}</svg>'
        "</figure>"
    )


def _at(x: float, y: float) -> str:
    """Return the point of the chart's area at these shares, 0 to 1, of its width and height."""
    return f"{40 + 270 * x:.1f},{200 - 190 * y:.1f}"


def _ticks(low: float, high: float, most: int) -> list[str]:
    ticks = []
    for share in (0.0, 0.5, 1.0):
        _, y = _at(0, share).split(",")
        ticks.append(
            f'<text x="36" y="{float(y) + 4:.1f}" text-anchor="end">'
            f"{100 * (low + share * (high - low)):.0f}</text>"
        )
    for value in sorted({0, most // 2, most}):
        x, _ = _at(value / most, 0).split(",")
        ticks.append(f'<text x="{x}" y="214" text-anchor="middle">{value}</text>')
    return ticks
