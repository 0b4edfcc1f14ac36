"""The command crossval: cross-validate learners, and compare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from wsdlist.cli import options

if TYPE_CHECKING:
    from wsdlist.evaluation.crossval import Crossed


@dataclass(frozen=True)
class RoundOptions:
    """How often, and on which instances, is learned and tested."""

    folds: Annotated[int, typer.Option("--folds", help="How many parts.")] = 10
    repeat: Annotated[int, typer.Option("--repeat", help="How many times, dealt anew.")] = 1
    splits: Annotated[
        int | None,
        typer.Option("--splits", help="Random splits instead of folds.", show_default="none"),
    ] = None
    share: Annotated[
        float | None,
        typer.Option("--train", help="The share of a split to learn from.", show_default="0.8"),
    ] = None
    seed: Annotated[int, typer.Option("--seed", help="Of the dealing into folds.")] = 0

    @property
    def train_share(self) -> float:
        """The share of a random split that is learned from."""
        return 0.8 if self.share is None else self.share

    @property
    def how(self) -> str:
        """What the instances are divided into, in words."""
        if self.splits is not None:
            return f"{self.splits} splits, {self.train_share:g} learned from"
        return f"{self.folds} folds" + (f", {self.repeat} times" if self.repeat > 1 else "")

    def check(self) -> None:
        """Refuse a share of no split."""
        from wsdlist.errors import ParameterError

        if self.share is not None and self.splits is None:
            raise ParameterError("--train is the share of a random split", "say --splits too")


def crossval(
    corpora: options.Corpora,
    *,
    learner: Annotated[
        list[str], typer.Option("--learner", help="A learner; several are compared.")
    ] = ["prepend"],  # noqa: B006
    learning: options.MeasuredLearningOptions,
    pipeline: options.Pipeline = None,
    map_: options.Map = None,
    rounds: RoundOptions,
    text: options.TextOptions,
    corpus: options.CorpusOptions,
    jobs: options.Jobs = 1,
    json: options.Json = False,
) -> None:
    """Cross-validate one or more learners on the same folds, or on the same random splits.

    Only the training part of a folder is used. A parameter goes to those learners that have it.
    Each p is against the first learner: McNemar's exact test over the instances of the first
    repetition, the paired t-test (corrected for training sets that overlap) and the sign test
    over folds or splits.
    """
    from dataclasses import replace

    from wsdlist.cli import output
    from wsdlist.cli.corpora import read_to_learn, say_folds
    from wsdlist.data.checks import check_whole
    from wsdlist.errors import InputError
    from wsdlist.evaluation.crossval import crossval
    from wsdlist.evaluation.evaluate import summary
    from wsdlist.reporting import text as report

    rounds.check()
    check_whole("jobs", jobs)
    recipes = learning.recipes(learner)
    _, prepared = read_to_learn(corpora, recipes[0], corpus, text, pipeline, map_, jobs)
    with output.progress() as progress:
        crossed = crossval(
            prepared.corpus,
            [replace(recipe, features=prepared.recipe.features) for recipe in recipes],
            folds=rounds.folds,
            repeat=rounds.repeat,
            seed=rounds.seed,
            splits=rounds.splits,
            train_share=rounds.train_share,
            jobs=jobs,
            progress=progress,
        )
    results = crossed[0].results
    if not results:
        what = "no word has two different contexts with a sense"
        raise InputError(what, "give it more", where=" ".join(corpora))
    if rounds.splits is None:
        say_folds(prepared.corpus, results, rounds.folds)
    if json:
        _print_json(crossed)
        return
    _print_tables(crossed, rounds.how)
    if said := report.unknown(summary(results)):
        output.note(said)


def _print_json(crossed: Sequence[Crossed]) -> None:
    from wsdlist.cli import output
    from wsdlist.evaluation.evaluate import summary
    from wsdlist.reporting.text import p_values
    from wsdlist.training.trials import as_number

    names = ("p", "p_t_test", "p_sign_test")
    for of_learner in crossed:
        p: list[float | None] = [None] * len(names)
        if of_learner is not crossed[0]:
            p = [as_number(value) for value in p_values(crossed, of_learner)]
        tests = dict(zip(names, p, strict=True))
        rounds = {"rounds": of_learner.rounds, **tests}
        output.jsonl(
            {"learner": of_learner.recipe.learner, **row.to_record(), **rounds}
            for row in [*of_learner.results, summary(of_learner.results)]
        )


def _print_tables(crossed: Sequence[Crossed], how: str) -> None:
    """Print the results of one learner, or several side by side; of one word also confusion."""
    from wsdlist.cli import output
    from wsdlist.reporting import text as report

    first = crossed[0]
    if len(crossed) == 1:
        output.lines([f"{report.recipe_line(first.recipe)}; {how}"])
        output.lines(report.results(first.results))
        if len(first.rounds) > 1:
            output.lines([f"standard deviation of the accuracy: {100 * first.deviation:.1f}"])
    else:
        output.lines([f"features {first.recipe.features.name}; {how}"])
        output.lines(report.comparison(crossed))
    if len(first.results) == 1:
        for of_learner in crossed:
            output.lines(["", of_learner.recipe.learner])
            output.lines(report.confusion(next(iter(of_learner.confusion.values()))))
