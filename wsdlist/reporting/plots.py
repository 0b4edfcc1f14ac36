"""Pictures, with matplotlib (extra ``plot``)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from wsdlist.errors import ParameterError
from wsdlist.training.trials import TuningTable


def check(path: str | Path) -> None:
    """Refuse the name of a picture that cannot be drawn.

    Raises
    ------
    ParameterError
        When it ends in neither ``.svg`` nor ``.png``, or matplotlib is not installed.
    """
    if Path(path).suffix not in (".svg", ".png"):
        raise ParameterError(f"{path} is no picture", "end its name in .svg or .png")
    if find_spec("matplotlib") is None:
        raise ParameterError("matplotlib is not installed", "pip install 'wsdlist[plot]'")


def tuning(table: TuningTable, path: str | Path) -> None:
    """Draw held-out bits per instance against epsilon and against size, a line for each discount.

    Parameters
    ----------
    table
        Trials of several epsilons, and perhaps of several discounts.
    path
        The picture to write; its name ends in ``.svg`` or ``.png``.

    Raises
    ------
    ParameterError
        When the name ends otherwise, matplotlib is not installed, or there is no epsilon.
    """
    check(path)
    if not table.trials or "epsilon" not in table.trials[0].parameters:
        raise ParameterError("there are no trials over epsilon to draw", "let epsilon be tuned")
    import matplotlib
    from matplotlib.figure import Figure

    lines: dict[str, list[tuple[float, float, float]]] = {}
    for trial in table.trials:
        others = {n: v for n, v in trial.parameters.items() if n != "epsilon"}
        name = ", ".join(f"{n} {v}" for n, v in others.items()) or "held-out"
        epsilon = float(trial.parameters["epsilon"])
        point = (epsilon, trial.rules / trial.words, trial.bits / trial.instances)
        lines.setdefault(name, []).append(point)
    with matplotlib.rc_context({"svg.hashsalt": "wsdlist"}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for name, points in lines.items():
            epsilon_, rules, bits = zip(*sorted(points), strict=True)
            left.plot(epsilon_, bits, marker="o", label=name)
            right.plot(rules, bits, marker="o")
        left.set_xlabel("epsilon, bits")
        left.set_ylabel("held-out bits an instance")
        right.set_xlabel("rules per word")
        figure.legend(loc="outside right upper", fontsize="small")
        kind = Path(path).suffix[1:]
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(path, format=kind, metadata=metadata)
