"""Sense keys: what WordNet's keys say of themselves, and what other strings do not."""

from __future__ import annotations

import pytest

from wsdlist.data.sense_keys import (
    SUPERSENSES,
    lemma_of,
    lexelt_of,
    part_of_speech_of,
    supersense,
    synset_type,
    without_satellite,
)


@pytest.mark.parametrize(
    ("key", "lemma", "synset", "part", "name"),
    [
        ("bank%1:14:00::", "bank", "n", "n", "noun.group"),
        ("call_up%2:32:00::", "call_up", "v", "v", "verb.communication"),
        ("odd%3:00:00::", "odd", "a", "a", "adj.all"),
        ("well%4:02:01::", "well", "r", "r", "adv.all"),
        ("odd%5:00:00:strange:00", "odd", "s", "a", "adj.all"),
        ("participial%3:44:00::", "participial", "a", "a", "adj.ppl"),
    ],
)
def test_a_key_names_its_lemma_type_and_file(
    key: str, lemma: str, synset: str, part: str, name: str
) -> None:
    assert (lemma_of(key), synset_type(key), part_of_speech_of(key)) == (lemma, synset, part)
    assert supersense(key) == name


@pytest.mark.parametrize("other", ["100001", "bank", "50%", "5%9:00:00::", "bank%1:99:00::", ""])
def test_what_is_no_key_has_no_supersense_and_stays_as_it_is(other: str) -> None:
    assert supersense(other) is None
    assert without_satellite(other) == other


@pytest.mark.parametrize("other", ["100001", "bank", "50%", "5%9:00:00::", ""])
def test_what_is_no_key_has_no_part_of_speech(other: str) -> None:
    assert synset_type(other) is None
    assert part_of_speech_of(other) is None


def test_only_the_type_of_a_satellite_changes() -> None:
    assert without_satellite("a%5:00:00:b:00") == "a%3:00:00:b:00"
    assert without_satellite("a%3:00:00:b:00") == "a%3:00:00:b:00"


def test_keys_decide_the_part_of_speech_before_the_tag_if_they_agree() -> None:
    assert lexelt_of("odd", "RB", ["odd%3:00:00::", "odd%5:00:00:strange:00"]) == "odd.a"
    assert lexelt_of("light", "NN", ["light%1:00:00::", "light%2:00:00::"]) == "light.n"
    assert lexelt_of("call up", None, ["call_up%2:32:00::"]) == "call_up.v"
    assert lexelt_of("of", "IN") == lexelt_of("of", None) == "of"


def test_wordnet_has_45_lexicographer_files() -> None:
    assert len(set(SUPERSENSES)) == 45
