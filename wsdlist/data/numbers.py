"""Numbers as people write them in files and on the command line: one rule for all."""

from __future__ import annotations

import math
import re

# Python also reads 1_0, full-width digits, inf and nan; no other program that writes tables does
REAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
WHOLE = re.compile(r"[0-9]{1,18}")  # fits into 64 bits


def real(text: str) -> float | None:
    """Return the finite number that a text writes with ASCII digits; None if it writes none.

    >>> [real(text) for text in ("-.5", "1e5", "+3")], [real(text) for text in ("1_0", "1e999")]
    ([-0.5, 100000.0, 3.0], [None, None])
    """
    value = float(text) if REAL.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def whole(text: str) -> int | None:
    """Return the whole number of 0 or more that a text writes; None if it writes none.

    >>> whole("007"), whole("1.0"), whole("-1")
    (7, None, None)
    """
    return int(text) if WHOLE.fullmatch(text) else None
