"""Files of answers scored against a key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wsdlist.errors import InputError
from wsdlist.evaluation.official_scorers.keys import read_file, rules_of
from wsdlist.evaluation.official_scorers.scoring import ScoreReport, score
from wsdlist.evaluation.official_scorers.sense_map import read_sense_map


def score_files(
    key: str | Path,
    answers: Sequence[str | Path],
    *,
    rules: str | None = None,
    grain: str = "fine",
    sense_map: str | Path | None = None,
    minimal: bool = False,
) -> list[ScoreReport]:
    """Return the score of each file of answers against a gold key.

    Parameters
    ----------
    key, answers
        Files.
    rules
        ``unified`` or ``senseval``; by default those of the key's columns.
    grain, minimal
        See :func:`wsdlist.evaluation.official_scorers.score`.
    sense_map
        The file of Senseval's sense map.

    Raises
    ------
    InputError
        When a file cannot be read, the key has no senses, or answers have no id of the key.
    ParameterError
        When there are no such rules or grain.
    """
    chosen = rules or rules_of([str(key)])
    groups = None if sense_map is None else read_sense_map(str(sense_map))
    gold = read_file(str(key), chosen)
    if not any(line.tags for line in gold.lines.values()):
        raise InputError(
            "holds no instance with a sense", "name the gold key first", where=str(key)
        )
    reports = []
    for path in answers:
        answered = read_file(str(path), chosen)
        if answered.lines and not answered.lines.keys() & gold.lines.keys():
            raise InputError(
                f"has no id of the key, read by the {chosen} rules",
                "see that both are of one style, or say --rules",
                where=str(path),
            )
        reports.append(
            score(gold, answered, chosen, grain=grain, sense_map=groups, minimal=minimal)
        )
    return reports
