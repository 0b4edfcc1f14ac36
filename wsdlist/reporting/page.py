"""The report as one HTML page: an index of words, and for each word its list and its scores.

The page needs nothing but itself: no network, no script, no framework. Every text is escaped.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from wsdlist.data.arrays import Floats
from wsdlist.data.checks import A_CORPUS, check_kind
from wsdlist.data.corpus import Corpus, Item, Kind
from wsdlist.errors import plain
from wsdlist.evaluation.evaluate import Result, evaluate, summary
from wsdlist.evaluation.scores import confusion
from wsdlist.layout import number, percent
from wsdlist.learners import learner_class
from wsdlist.models.editing import changes
from wsdlist.models.expert import Expert
from wsdlist.models.explain import keyword_in_context
from wsdlist.models.model import Model
from wsdlist.reporting import charts
from wsdlist.reporting import text as report
from wsdlist.version import __version__

GENERATOR = "wsdlist report"
WORDS = 100  # on a page, unless somebody names them
SIDE = 60  # characters of context to either side
CLASSES = 25  # senses in a confusion matrix, at most
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #5b6470;
  --line: #d5dae0; --tint: #f3f5f8; --own: #0b5cad; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --paper: #14171b; --soft: #a3adb8;
  --line: #3a424c; --tint: #1e2329; --own: #7db7f5; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 74rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 0; }
a { color: var(--own); } a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--own);
  outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
.soft { color: var(--soft); } .bad { color: var(--bad); }
section { border-top: 2px solid var(--line); margin-top: 2.5rem; padding-top: 1.25rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
thead th { background: var(--tint); white-space: nowrap; }
.n { text-align: right; white-space: nowrap; } .right { background: var(--tint); font-weight: 600; }
td:first-child { white-space: nowrap; } td.q { min-width: 10rem; } td.kwic { min-width: 16rem; }
td.q, td.kwic { font-family: ui-monospace, monospace; font-size: .9rem; overflow-wrap: anywhere; }
tr:target { background: var(--tint); outline: 2px solid var(--own); }
tfoot td { font-weight: 600; }
.wide { overflow-x: auto; max-width: 100%; margin: 1rem 0; }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; max-width: 23rem; }
svg { width: 100%; height: auto; color: var(--ink); }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
mark { background: none; color: var(--own); font-weight: 700; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; --paper: #fff; --ink: #000; }
  section { break-before: page; } tr, figure { break-inside: avoid; } .wide { overflow: visible; }
  thead { display: table-header-group; } .skip, .top { display: none; } }
"""


@dataclass(frozen=True)
class _Word:
    """A word of the page: its expert, and its answers in the corpus.

    ``P`` is ``(n_items, n_senses)``, the probabilities that the expert gives to the items.
    """

    expert: Expert
    anchor: str
    result: Result | None = None
    items: Sequence[Item] = ()
    gold: Sequence[tuple[str, ...]] = ()
    P: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def answers(self) -> list[str]:
        return [self.expert.senses[best] for best in self.P.argmax(axis=1)] if len(self.P) else []


def page(
    model: Model,
    corpus: Corpus | None = None,
    *,
    words: Iterable[str] | None = None,
    limit: int = 30,
    title: str = "wsdlist",
) -> str:
    """Return a report on a model as an HTML page.

    Parameters
    ----------
    model
        The model to show.
    corpus
        The corpus that it is scored on. Its gold senses are mapped as those of the training corpus
        were.
    words
        The lexelts that are shown; without it the hundred with the most instances.
    limit
        How many rules and how many wrong answers of each word are shown, at most.
    title
        The title of the page.
    """
    if corpus is not None:
        check_kind("corpus", corpus, Corpus, f"give {A_CORPUS}")
    results = {row.lexelt: row for row in evaluate(model, corpus)} if corpus else {}
    if corpus is not None and model.coarse_map is not None:
        corpus = model.coarse_map.corpus(corpus)
    named = list(model) if words is None else list(words)
    left_out = 0
    if words is None and len(named) > WORDS:
        left_out = len(named) - WORDS
        named.sort(key=lambda name: (-_size(results.get(name)), -model[name].instances, name))
        named = sorted(named[:WORDS])
    instances = {} if corpus is None else corpus.by_lexelt()
    shown = [
        _word(model, name, f"w{place}", results, instances)
        for place, name in enumerate(named, start=1)
    ]
    body = [
        '<a class="skip" href="#words">Skip to the index of words</a>',
        f"<header><h1>{_html(title)}</h1>",
        f"<p>{_html(report.recipe(model.meta))}; {len(model)} words. "
        f"Made by wsdlist {_html(__version__)}.</p>",
        _legend(corpus is not None, any(word.expert.fitted.is_ordered for word in shown)),
        "</header><main>",
        *_index(shown, list(results.values()), left_out),
        *(line for word in shown for line in _section(word, model, limit)),
        "</main>",
    ]
    return _document(title, body)


def _document(title: str, body: Iterable[str]) -> str:
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta name="generator" content="{GENERATOR}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{_html(title)}</title><style>{STYLE}</style></head><body>",
            *body,
            "</body></html>\n",
        ]
    )


def _word(
    model: Model,
    name: str,
    anchor: str,
    results: Mapping[str, Result],
    instances: Mapping[str, Sequence[Item]],
) -> _Word:
    """Return a word of the page with its answers; in the corpus a table may have another name."""
    expert = model[name] if name in model else model.shared[name]
    result, items = results.get(name), instances.get(name, ())
    if result is None and model.meta.kind is Kind.TABLE and len(model) == len(results) == 1:
        (result,), (items,) = results.values(), instances.values()
    items = [item for item in items if item.senses]
    if result is None or not items:
        return _Word(expert, anchor)
    gold = [item.senses for item in items]
    return _Word(expert, anchor, result, items, gold, expert.predict_proba(items))


def _size(result: Result | None) -> int:
    return 0 if result is None else result.score.instances


def _legend(scored: bool, are_lists: bool) -> str:
    legend = ""
    if are_lists:
        legend = (
            "The first rule whose question is true answers. <b>Count</b>: training instances of "
            "which it is true; <b>support</b>: those it answers at its place; <b>gain</b>: what "
            "its learner gave it for, bits where nothing else is said. "
        )
    if scored:
        legend += (
            "<b>mfs</b>: what the most frequent sense of training reaches; <b>bits</b>: mean "
            "code length of the gold senses, less is better."
        )
    return f'<p class="soft">{legend}</p>'


def _table(
    caption: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int = 1,
    foot: Sequence[str] | None = None,
    ids: Sequence[str] = (),
) -> list[str]:
    """Return a table of cells that are HTML already; the first ``left`` are aligned to the left."""
    numeric = ' class="n"'

    def cells(row: Sequence[str]) -> str:
        return "".join(
            cell if cell.startswith("<t") else f"<td{numeric if place >= left else ''}>{cell}</td>"
            for place, cell in enumerate(row)
        )

    heads = "".join(
        f'<th scope="col"{numeric if place >= left else ""}>{name}</th>'
        for place, name in enumerate(header)
    )
    names = [f' id="{name}"' for name in ids]
    lines = [
        f'<div class="wide" tabindex="0" role="region" aria-label="{caption}">',
        f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>",
    ]
    for place, row in enumerate(rows):
        lines.append(f"<tr{names[place] if place < len(names) else ''}>{cells(row)}</tr>")
    lines.append("</tbody>")
    if foot is not None:
        lines.append(f"<tfoot><tr>{cells(foot)}</tr></tfoot>")
    return [*lines, "</table></div>"]


def _index(shown: Sequence[_Word], results: list[Result], left_out: int) -> list[str]:
    scored = bool(results)
    header = ["word", "senses", "trained on", "rules"]
    if scored:
        header += ["tested", "accuracy %", "mfs %", "bits", "mfs bits"]
    rows = []
    for word in shown:
        link = f'<a href="#{word.anchor}">{_html(word.expert.lexelt)}</a>'
        expert = word.expert
        row = [link, str(len(expert.senses)), str(expert.instances), str(expert.size.rules)]
        rows.append([*row, *(_scores(word.result) if scored else ())])
    foot = None
    if scored:
        together = summary(results)
        foot = ["all words of the corpus", "", "", "", *_scores(together)]
    lines = ['<h2 id="words">Words</h2>', *_table("Words", header, rows, foot=foot)]
    if left_out:
        lines.append(f'<p class="soft">{left_out} words with fewer instances are left out.</p>')
    return lines


def _scores(result: Result | None) -> list[str]:
    if result is None:
        return ["0", "-", "-", "-", "-"]
    return [
        str(result.score.instances),
        percent(result.score.accuracy),
        percent(result.mfs.accuracy),
        number(result.score.bits),
        number(result.mfs.bits),
    ]


def _section(word: _Word, model: Model, limit: int) -> list[str]:
    expert = word.expert
    lines = [
        f'<section id="{word.anchor}" aria-labelledby="{word.anchor}-h">',
        f'<h2 id="{word.anchor}-h">{_html(expert.lexelt)}</h2>',
    ]
    if word.result is not None:
        tested, accuracy, mfs, bits, mfs_bits = _scores(word.result)
        lines.append(
            f"<p>{tested} instances: accuracy {accuracy} % (mfs {mfs} %), {bits} bits "
            f"(mfs {mfs_bits}).</p>"
        )
    total = sum(expert.prior.values())
    rows = [
        (
            _html(sense),
            f'<td dir="auto">{_html(model.inventory.gloss(expert.lexelt, sense))}</td>',
            percent(count / total),
        )
        for sense, count in sorted(expert.prior.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    lines += _table(
        f"Senses, {expert.instances} training instances",
        ("sense", "gloss", "share %"),
        rows,
        left=2,
    )
    lines += _rules(word, model, limit)
    if word.items:
        right = [a in g for a, g in zip(word.answers, word.gold, strict=True)]
        drawn = [charts.reliability(word.P.max(axis=1), np.array(right))]
        grown = getattr(learner_class(model.meta.recipe.learner), "from_the_end", False)
        from_the_end = grown and expert.learned is None
        reached = charts.accuracy_by_rules(expert, word.items, word.gold, from_the_end=from_the_end)
        if len(reached) > 1:
            drawn.insert(0, charts.curve(reached, from_the_end=from_the_end))
        lines += ['<div class="charts">', *drawn, "</div>", *_confusion(word)]
        lines += _wrong(word, limit)
    return [*lines, '<p class="top"><a href="#words">Back to the words</a></p>', "</section>"]


def _rules(word: _Word, model: Model, limit: int) -> list[str]:
    expert = word.expert
    if not expert.fitted.is_ordered:
        text = "\n".join(map(_html, report.expert(expert, model.meta, model.inventory, limit)))
        return [f'<pre class="wide" tabindex="0">{text}</pre>']
    notes = [f"<p>{_html(note)}</p>" for note in expert.fitted.notes]
    if expert.learned is not None:
        notes.append(f"<p>Edited by hand: {_html(str(changes(expert)))}.</p>")
    table = expert.fitted.table(limit)
    rows, ids = [], []
    for place, (keyword, question, *cells) in enumerate(table.rows, start=1):
        sense, probability, *numbers = map(_html, cells)
        if probability.endswith("*"):
            probability = probability.removesuffix("*") + " (stated)"
        asked = f'<td class="q" dir="auto">{_html(question)}</td>'
        rows.append((keyword, asked, sense, probability, *numbers))
        ids.append(_anchor(word, place if place < len(table.rows) else None))
    lines = _table("Rules", [*map(_html, table.header)], rows, left=table.left, ids=ids)
    if table.left_out:
        lines.append(f'<p class="soft">{table.left_out} rules before ELSE left out.</p>')
    return [*notes, *lines]


def _anchor(word: _Word, rule: int | None) -> str:
    """Return the id of the row of a rule, counted from 1; None is the default."""
    return f"{word.anchor}-r{word.expert.fitted.n_rules + 1 if rule is None else rule}"


def _confusion(word: _Word) -> list[str]:
    counted = confusion(word.gold, word.answers)
    often = Counter(sense for pair in counted.elements() for sense in pair)
    senses = sorted(sorted(often, key=lambda sense: (-often[sense], sense))[:CLASSES])
    rows = [
        [
            f'<th scope="row">{_html(gold)}</th>',
            *(
                f'<td class="n{" right" if gold == answer else ""}">{counted[gold, answer]}</td>'
                for answer in senses
            ),
        ]
        for gold in senses
    ]
    lines = _table("Is (row) and answered (column)", ["", *map(_html, senses)], rows)
    if len(often) > len(senses):
        lines.append(f'<p class="soft">{len(often) - len(senses)} rarer senses left out.</p>')
    return lines


def _wrong(word: _Word, limit: int) -> list[str]:
    expert = word.expert
    wrong = [
        row
        for row, (answer, gold) in enumerate(zip(word.answers, word.gold, strict=True))
        if answer not in gold
    ]
    if not wrong:
        return ["<p>Every answer is right.</p>"]
    # the surest errors first: they say most about the list
    wrong.sort(key=lambda row: (-float(word.P[row].max()), word.items[row].id))
    items = [word.items[row] for row in wrong[:limit]]
    rows = []
    for row, item, answer in zip(wrong, items, expert.answer(items), strict=False):
        rows.append(
            (
                _html(item.id),
                _context(item),
                _html(" ".join(word.gold[row])),
                f'<td class="bad">{_html(answer.sense or "")}</td>',
                number(answer.probability or 0.0),
                _fired(word, answer.rule, limit),
            )
        )
    header = ("instance", "context", "is", "answered", "probability", "rule")
    caption = f"{len(wrong)} wrong answers, the surest first"
    lines = _table(caption, header, rows, left=4)
    if len(wrong) > limit:
        lines.append(f'<p class="soft">{len(wrong) - limit} more left out.</p>')
    return lines


def _fired(word: _Word, rule: int | None, limit: int) -> str:
    fitted = word.expert.fitted
    if not fitted.is_ordered:
        return "-"
    name = "default" if rule is None else str(rule)
    if rule is not None and rule > limit:
        return f"{name}: {_html(str(fitted.questions[rule - 1]))}"
    return f'<a href="#{_anchor(word, rule)}">{name}</a>'


def _context(item: Item) -> str:
    sentence = keyword_in_context(item)
    left, right = sentence.left, sentence.right
    if len(left) > SIDE:
        left = left[-SIDE:].partition(" ")[2]
    if len(right) > SIDE:
        right = right[:SIDE].rpartition(" ")[0]
    left, right = _html(left), _html(right)
    word = _html(sentence.word)
    if left or right:
        word = f"{left} <mark>{word}</mark> {right}"
    return f'<td class="kwic" dir="auto">{word}</td>'


def _html(text: str) -> str:
    """Return text as HTML that cannot end an element, or turn the direction of what follows."""
    return html.escape(plain(text))
