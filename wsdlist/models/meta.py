"""What a model remembers beside its experts: its recipe, how its corpus was prepared, and more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wsdlist.data.corpus import Kind
from wsdlist.data.records import RecordError, fields_from_record, fields_to_record, key
from wsdlist.errors import ModelError, WsdlistError
from wsdlist.inventories.coarse import CoarseMap
from wsdlist.models.recipe import Recipe


@dataclass(frozen=True)
class Preparation:
    """How a corpus is made ready before it is learned from or asked.

    Parameters
    ----------
    pipeline
        The spaCy pipeline that gives tags and lemmas to instances without them.
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
        How the experts were learned, with the features that were used.
    preparation
        How the corpus was made ready.
    markers
        Labels that say that no sense was given, see :class:`wsdlist.data.corpus.Corpus`.
    class_name
        The attribute of a table that is the class.
    fell_back_from
        The name of the feature set that was wanted, if the corpus lacked what it needs.
    tuning
        The table of trials of all words together, as JSON data; None if each word had its own.
    lost_edits
        A line for each edit by hand that could not be made again.
    sense_inventory
        Name and version of the inventory that the glosses are from.
    version
        The version of wsdlist that learned the model.
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
        """The spaCy pipeline of the training corpus, if questions ask for its tags or lemmas."""
        return self.preparation.pipeline

    def to_record(self) -> dict[str, Any]:
        """Return the meta as JSON data."""
        ready = self.preparation
        record = _MetaRecord(
            self.tuning,
            ready.pipeline,
            tuple(sorted(self.markers)),
            self.version,
            self.fell_back_from,
            self.lost_edits,
            self.sense_inventory,
            ready.coarse_map,
            ready.confusion,
            ready.by_line,
            self.class_name,
        )
        return {**self.recipe.to_record(), **fields_to_record(record)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Meta:
        """Make the meta of what :meth:`to_record` gives.

        Raises
        ------
        ModelError
            When the record is something else.
        """
        try:
            read = fields_from_record(_MetaRecord, record)
            recipe = Recipe.from_record(record)
        except (RecordError, WsdlistError) as error:
            raise ModelError(
                f"what belongs to all experts cannot be read: {error}", "train it anew"
            ) from None
        return cls(
            recipe,
            Preparation(read.pipeline, read.coarse_map, read.confusion, read.by_line),
            frozenset(read.markers),
            read.class_name,
            read.fell_back_from,
            read.tuning,
            read.lost_edits,
            read.sense_inventory,
            read.version,
        )


@dataclass(frozen=True)
class _MetaRecord:
    """The meta as model files have it. The fields of the recipe stand beside these."""

    tuning: dict[str, Any] | None
    pipeline: str | None
    markers: tuple[str, ...]
    version: str = field(metadata=key("wsdlist"))
    fell_back_from: str | None = None
    lost_edits: tuple[str, ...] = ()
    sense_inventory: tuple[str, str] | None = None
    coarse_map: CoarseMap | None = field(default=None, metadata=key("map"))
    confusion: tuple[tuple[str, ...], ...] | None = None
    by_line: bool = False
    class_name: str | None = field(default=None, metadata=key("class"))
