"""What a model remembers beside its experts: its recipe, and how its corpus was made ready."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wsdlist.data.corpus import Kind
from wsdlist.errors import ModelError, WsdlistError
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.models.recipe import Recipe


@dataclass(frozen=True)
class Preparation:
    """How a corpus is made ready before it is learned from, or asked.

    Parameters
    ----------
    pipeline
        The spaCy pipeline that gives tags and lemmas to what has none.
    coarse_map
        The coarse map whose groups are learned instead of the senses.
    confusion
        The confusion sets whose words are told apart, each once.
    by_line
        Whether plain text was read with each line as a paragraph.
    """

    pipeline: str | None = None
    coarse_map: CoarseMap | None = None
    confusion: tuple[tuple[str, ...], ...] | None = None
    by_line: bool = False


@dataclass(frozen=True)
class Meta:
    """What belongs to all experts of a model.

    Parameters
    ----------
    recipe
        How the experts were learned; the features are those that were used.
    preparation
        How the corpus was made ready.
    markers
        Labels that say that no sense was given, see :class:`wsdlist.data.corpus.Corpus`.
    class_name
        The attribute of a table that is the class.
    fell_back_from
        The name of the feature set that was wanted, if the corpus lacked what it needs.
    tuning
        The table of the tuning of all words together, as JSON data.
    lost_edits
        A line for each edit by hand that could not be made again.
    sense_inventory
        Name and version of the inventory that the glosses are from.
    version
        The version of wsdlist that learned.
    """

    recipe: Recipe
    preparation: Preparation = field(default_factory=Preparation)
    markers: frozenset[str] = frozenset()
    class_name: str | None = None
    fell_back_from: str | None = None
    tuning: dict[str, Any] | None = None
    lost_edits: tuple[str, ...] = ()
    sense_inventory: tuple[str, str] | None = None
    version: str = ""

    @property
    def kind(self) -> Kind:
        """Whether the model is of words in context or of the rows of a table."""
        return self.recipe.features.kind

    @property
    def pipeline(self) -> str | None:
        """The spaCy pipeline of the training corpus, if the questions ask for what it gives."""
        return self.preparation.pipeline

    def to_record(self) -> dict[str, Any]:
        """Return the meta as JSON data."""
        preparation = self.preparation
        coarse_map, sets = preparation.coarse_map, preparation.confusion
        return {
            **self.recipe.to_record(),
            "tuning": self.tuning,
            "wsdlist": self.version,
            "pipeline": preparation.pipeline,
            "fell_back_from": self.fell_back_from,
            "markers": sorted(self.markers),
            "sense_inventory": None if self.sense_inventory is None else list(self.sense_inventory),
            "lost_edits": list(self.lost_edits),
            "map": None if coarse_map is None else coarse_map.to_record(),
            "confusion": None if sets is None else list(map(list, sets)),
            "by_line": preparation.by_line,
            "class": self.class_name,
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Meta:
        """Make the meta of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        try:
            coarse_map, sets = record.get("map"), record.get("confusion")
            inventory = record.get("sense_inventory")
            return cls(
                Recipe.from_record(record),
                Preparation(
                    record["pipeline"],
                    None if coarse_map is None else CoarseMap(**coarse_map),
                    None if sets is None else tuple(map(tuple, sets)),
                    bool(record.get("by_line")),
                ),
                frozenset(record["markers"]),
                record.get("class"),
                record.get("fell_back_from"),
                record["tuning"],
                tuple(record.get("lost_edits", ())),
                None if inventory is None else (inventory[0], inventory[1]),
                record["wsdlist"],
            )
        except ModelError:
            raise
        except (WsdlistError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(
                f"what belongs to all experts cannot be read: {error}", "train it anew"
            ) from None
