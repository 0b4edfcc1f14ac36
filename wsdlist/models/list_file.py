"""A decision list as TOML, to be edited by hand, and back: every line is checked."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wsdlist.data.corpus import Kind
from wsdlist.errors import InputError, ParameterError
from wsdlist.features.annotations import ANNOTATIONS
from wsdlist.features.positions import Column
from wsdlist.features.questions import EDGE, MISSING, Condition, Question
from wsdlist.features.sets import FeatureSet
from wsdlist.learners.fitted.rules import Rule, exact
from wsdlist.models.editing import EditedRule, by_question, spread
from wsdlist.models.expert import Expert

NUMBERS = ("probability", "counts", "support", "gain")
FIELDS = ("if", "sense", "stated", *NUMBERS)
HEADER = re.compile(r"\s*\[\[\s*rule\s*\]\]")
DEFAULT = re.compile(r"\s*\[\s*default\s*\]")
HELP = """\
# The list of {lexelt}: the first rule whose conditions all hold answers, else the default.
# Delete, move or add [[rule]] blocks, then put the list back:
#     wsdlist replace MODEL {lexelt} THIS_FILE
# A new rule has if and sense. What it is worth is counted with --corpus, or said by
# stated = 0.9, the probability of its sense; so is another sense for a rule or the default.
"""


def to_toml(expert: Expert) -> str:
    """Return the list of an expert as TOML, for :func:`from_toml`.

    Raises
    ------
    ParameterError
        When the learner makes no list.
    """
    fitted = expert.decision_list
    if len(set(map(str, fitted.questions))) < fitted.n_rules:
        raise ParameterError(
            f"the list of {expert.lexelt} has two questions that read alike", "it cannot be edited"
        )
    senses = ", ".join(map(_string, fitted.senses))
    lines = [
        HELP.format(lexelt=_comment(expert.lexelt)),
        f"lexelt = {_string(expert.lexelt)}",
        f"senses = [{senses}]",
    ]
    for rule in fitted.rules:
        conditions = ", ".join(_string(str(condition)) for condition in rule.question.conditions)
        lines += ["", "[[rule]]", f"if = [{conditions}]", *_numbers(rule)]
    lines += ["", "[default]", *_numbers(fitted.default)]
    return "\n".join(lines) + "\n"


def _numbers(rule: Rule) -> list[str]:
    lines = [f"sense = {_string(rule.sense)}"]
    lines.append(f"{'stated' if rule.set_by_hand else 'probability'} = {rule.probability!r}")
    if rule.count == rule.count:
        counts = ((sense, count) for sense, count in rule.counts.items() if count)
        lines.append(f"counts = {{ {', '.join(f'{_string(s)} = {exact(C)}' for s, C in counts)} }}")
    if rule.support == rule.support:
        lines.append(f"support = {exact(rule.support)}")
    if rule.question.conditions and rule.gain == rule.gain:
        lines.append(f"gain = {rule.gain!r}")
    return lines


def _string(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def from_toml(
    text: str, path: str, expert: Expert, features: FeatureSet, *, counted: bool = False
) -> tuple[list[EditedRule], EditedRule]:
    """Read a list that was edited, for :func:`edited`; every rule is checked.

    Parameters
    ----------
    text, path
        The content and the name of the file.
    expert
        The expert that the list is of. The numbers of its rules may not be changed.
    features
        The feature set of the model; new rules ask only about what is in it.
    counted
        Whether the senses of rules without a stated probability will be counted in a corpus.

    Returns
    -------
    tuple
        The rules, the first to be asked first, and the default.

    Raises
    ------
    InputError
        When the file is no TOML or of another word, or a rule is impossible. It names the line.
    """
    record = _parsed(text, path)
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines, start=1) if HEADER.match(line)]
    last = next((n for n, line in enumerate(lines, start=1) if DEFAULT.match(line)), 1)
    check = _Check(expert, features, path, lines, counted)
    check.head(record)
    rules, default = record.get("rule", []), record.get("default")
    if not isinstance(rules, list) or len(rules) != len(starts):
        raise check.error(1, "rule", "the rules are not blocks", "begin each with [[rule]]")
    if not isinstance(default, dict):
        raise check.error(len(lines), "", "there is no default", "put [default] back")
    entries = [check.entry(rule, line) for rule, line in zip(rules, starts, strict=True)]
    seen: dict[Question, int] = {}
    for entry, line in zip(entries, starts, strict=True):
        if entry.question in seen:
            what = f"the question stands in line {seen[entry.question]} already"
            raise check.error(line, "if", what, "leave one of the two out")
        seen[entry.question] = line
    if "if" in default:
        raise check.error(last, "if", "the default asks nothing", "take 'if' out")
    return entries, check.entry({**default, "if": []}, last, default=True)


def _parsed(text: str, path: str) -> dict[str, Any]:
    """Return the content of a TOML file; an error names the line."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("is nested too deeply", "print the list again", where=path) from None
    except tomllib.TOMLDecodeError as error:
        at_line = re.search(r"\(at line (\d+)", str(error))
        position = f"{path}:{at_line[1] if at_line else text.rstrip().count(chr(10)) + 1}"
        problem = re.sub(r" \(at .*\)", "", str(error))
        raise InputError(f"is not TOML: {problem}", "correct the line", where=position) from None
    except ValueError:
        raise InputError("holds a number too long", "print the list again", where=path) from None


@dataclass(frozen=True)
class _Check:
    """The checks of a file; their errors name its lines."""

    expert: Expert
    features: FeatureSet
    path: str
    lines: Sequence[str]
    counted: bool

    @cached_property
    def now(self) -> dict[Question | None, Rule]:
        """The rules as they stand; None is the default."""
        return by_question(self.expert.decision_list)

    @cached_property
    def before(self) -> dict[Question | None, Rule]:
        """The rules as they were learned."""
        learned = self.expert.learned
        return {} if learned is None else by_question(learned.decision_list)

    @cached_property
    def known(self) -> dict[str, Condition]:
        """The conditions of these rules by their texts."""
        questions = [question for question in (*self.now, *self.before) if question is not None]
        conditions = [condition for question in questions for condition in question.conditions]
        return {str(condition): condition for condition in conditions}

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The attributes of a table that they ask about."""
        positions = [condition.position for condition in self.known.values()]
        return {position.name: position for position in positions if isinstance(position, Column)}

    def error(self, start: int, name: str, what: str, advice: str) -> InputError:
        """Return an error at the line of a field, of the block that starts at a line."""
        line = start
        for number in range(start, len(self.lines) + 1):
            text = self.lines[number - 1]
            if number > start and text.lstrip().startswith("["):
                break
            if name and re.match(rf"\s*{re.escape(name)}\s*=", text):
                line = number
                break
        return InputError(what, advice, where=f"{self.path}:{line}")

    def head(self, record: dict[str, Any]) -> None:
        """Refuse a file of another word, with other senses, or with fields that no list has."""
        for name in record:
            if name not in ("lexelt", "senses", "rule", "default"):
                raise self.error(1, name, f"{name!r} is no field of a list", "take it out")
        if record.get("lexelt") != self.expert.lexelt:
            other = repr(record["lexelt"]) if "lexelt" in record else "no word"
            what = f"the list is of {other}, not of {self.expert.lexelt!r}"
            raise self.error(1, "lexelt", what, f"write lexelt = {_string(self.expert.lexelt)}")
        if record.get("senses", list(self.expert.senses)) != list(self.expert.senses):
            known = ", ".join(self.expert.senses)
            raise self.error(1, "senses", f"the senses of the list are {known}", "leave them so")

    def entry(self, record: dict[str, Any], line: int, *, default: bool = False) -> EditedRule:
        """Return a rule, or the default, as it stands in the file."""
        for name in record:
            if name not in FIELDS:
                advice = f"say {', '.join(FIELDS)}"
                raise self.error(line, name, f"{name!r} is no field of a rule", advice)
        question = self.question(record.get("if"), line, default=default)
        key = None if default else question
        current, before = self.now.get(key), self.before.get(key)
        sense, stated = self.sense(record, line), record.get("stated")
        self.untouched(record, [rule for rule in (current, before) if rule is not None], line)
        as_learned = before is not None and _has(record, before)
        as_learned = as_learned and not (current is not None and _has(record, current))
        if current is not None and current.set_by_hand and stated is None:
            current = before  # no longer stated
        if current and current.sense != sense and stated is None and not self.counted:
            what = f"the sense is {current.sense} by what was learned"
            raise self.error(line, "sense", what, "state the probability of another: stated = 0.9")
        place = f"{self.path}:{line}"
        probability = None if stated is None else float(stated)
        return EditedRule(question, sense, probability, as_learned, place)

    def question(self, conditions: Any, line: int, *, default: bool) -> Question:
        """Return the question of a rule, or of the default, from the texts of its conditions."""
        if not isinstance(conditions, list) or not all(isinstance(c, str) for c in conditions):
            raise self.error(line, "if", "'if' is not a list of conditions", 'write ["word-1=of"]')
        if not (conditions or default or Question() in self.now or Question() in self.before):
            what = "a rule without a condition is always true"
            raise self.error(line, "if", what, "edit the default instead")
        question = Question.of([self.condition(text, line) for text in conditions])
        if len(set(question.conditions)) < len(conditions):
            raise self.error(line, "if", "a condition stands here twice", "take one out")
        return question

    def sense(self, record: dict[str, Any], line: int) -> str:
        """Return the sense of a rule; its probability, if it is stated, must allow it."""
        sense, stated = record.get("sense"), record.get("stated")
        if sense is None:
            raise self.error(line, "sense", "the rule has no sense", 'write sense = "..."')
        if sense not in self.expert.senses:
            advice = f"say one of {', '.join(self.expert.senses)}"
            raise self.error(line, "sense", f"{sense!r} is no sense of the list", advice)
        if stated is not None:
            self.stated(stated, sense, line)
        return str(sense)

    def stated(self, stated: Any, sense: str, line: int) -> None:
        """Refuse a stated probability that is impossible or less than that of another sense."""
        if len(self.expert.senses) == 1:
            raise self.error(line, "stated", "there is one sense", "there is nothing to state")
        is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
        if not is_number or not 0 < stated < 1:
            what = f"the stated probability is {str(stated)[:20]}"
            raise self.error(line, "stated", what, "say a number between 0 and 1")
        row = spread(self.expert.decision_list, sense, float(stated))
        if row.argmax() != self.expert.senses.index(sense):
            likelier = self.expert.senses[int(row.argmax())]
            what = f"{likelier} would be more probable than {sense}"
            raise self.error(line, "stated", what, "state more")

    def untouched(self, record: dict[str, Any], rules: Sequence[Rule], line: int) -> None:
        """Refuse numbers that are not those of the rule, as it stands or as it was learned."""
        known = [_numbers_in(rule) for rule in rules]
        for name in NUMBERS:
            if name in record and record[name] not in [numbers[name] for numbers in known]:
                if not known:
                    what = f"the list has no such rule whose {name} is known"
                    raise self.error(line, name, what, "take it out; say stated = 0.9")
                advice = "leave what was learned as it is; a probability is stated by stated = 0.9"
                raise self.error(line, name, f"{name} is changed", advice)

    def condition(self, text: str, line: int) -> Condition:
        """Return a condition, of the list or a new one, from its text."""
        if text in self.known:
            return self.known[text]
        test, sign, value = text.partition("=")
        negated = test.endswith("!")
        name = test.removesuffix("!").strip() if sign else ""
        if self.columns or self.features.kind is Kind.TABLE:
            return Condition(
                self.column(name, text, line),
                "value",
                None if value == MISSING else value,
                negated,
            )
        try:
            position, annotation = self.features.test(name)
        except ParameterError as error:
            raise self.error(line, "if", f"{text!r} is no condition", error.advice) from None
        needed = ANNOTATIONS[annotation].needs()
        if negated or (needed is not None and needed not in self.features.needs()):
            what = f"the questions of {self.features.name} have no {name}"
            raise self.error(line, "if", what, "ask about what they have")
        if value == EDGE:
            return Condition(position, annotation, None)
        normal = ANNOTATIONS[annotation].normal(value.strip())
        if not normal:
            raise self.error(line, "if", f"{text!r} asks for nothing", "say what stands there")
        return Condition(position, annotation, normal)

    def column(self, name: str, text: str, line: int) -> Column:
        """Return the attribute that a new condition asks about; its ranges cannot be new."""
        column = self.columns.get(name)
        if column is None:
            asked = ", ".join(f"{known}=..." for known in self.columns) or "nothing"
            what = f"{text!r} asks about no attribute that the list asks about"
            raise self.error(line, "if", what, f"it asks about {asked}")
        if column.cuts is not None:
            values = sorted(t for t, c in self.known.items() if c.position == column)
            advice = f"say one of {', '.join(values)}"
            raise self.error(line, "if", f"{text!r} is no range of the list", advice)
        return column


def _numbers_in(rule: Rule) -> dict[str, Any]:
    """Return the numbers of a rule as files have them."""
    return {
        "probability": rule.probability,
        "counts": {sense: count for sense, count in rule.counts.items() if count},
        "support": rule.support,
        "gain": rule.gain,
    }


def _has(record: dict[str, Any], rule: Rule) -> bool:
    """Say whether all numbers of a record are those of a rule."""
    numbers = _numbers_in(rule)
    return all(record[name] == numbers[name] for name in NUMBERS if name in record)
