"""Scoring by the rules of the official scorers: Senseval's scorer2, and the unified framework's.

docs/scoring.md has the rules in one table.
"""

from wsdlist.evaluation.official_scorers.comparison import Compared, compare
from wsdlist.evaluation.official_scorers.files import score_files
from wsdlist.evaluation.official_scorers.keys import (
    BACK_OFF,
    AnswerFile,
    Line,
    read_file,
    rules_of,
)
from wsdlist.evaluation.official_scorers.rules import GRAINS, RULES, weights_of
from wsdlist.evaluation.official_scorers.scoring import Scored, ScoreReport, score
from wsdlist.evaluation.official_scorers.sense_map import SenseMap, read_sense_map

__all__ = [
    "BACK_OFF",
    "GRAINS",
    "RULES",
    "AnswerFile",
    "Compared",
    "Line",
    "ScoreReport",
    "Scored",
    "SenseMap",
    "compare",
    "read_file",
    "read_sense_map",
    "rules_of",
    "score",
    "score_files",
    "weights_of",
]
