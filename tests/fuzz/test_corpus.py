"""The fuzzer's corpus and its seeds, replayed without the fuzzer: nothing raises, nothing differs.

Rules ENV-01, ENV-06, ENV-07, ENV-11, ENV-13; F-3.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from . import corpus
from .seeds import seeds
from .targets import TARGETS


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_finds_nothing(target: str) -> None:
    """Goal: every input that ever reached something new is still read, or refused as it should."""
    inputs = list(corpus.read_corpus(target))
    assert inputs
    for data in inputs:
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_the_seeds_find_nothing(target: str) -> None:
    """Goal: what Kafka's own classes wrote is read by all targets without a finding."""
    inputs = list(seeds(target))
    assert inputs
    for data in inputs:
        TARGETS[target](data)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_every_input_can_be_cut_anywhere(target: str) -> None:
    """F-2, small: each tenth input of the corpus, cut at every byte of its first hundred."""
    for data in list(corpus.read_corpus(target))[::10]:
        for cut in range(min(len(data), 100)):
            TARGETS[target](data[:cut])


@pytest.mark.parametrize("target", TARGETS)
def test_a_corpus_comes_back_as_it_was_packed(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: packing loses nothing, and the same inputs give the same file."""
    inputs = sorted(set(seeds(target)), key=lambda data: (len(data), data))
    monkeypatch.setattr(corpus, "CORPUS", tmp_path)
    corpus.write_corpus(target, inputs)
    first = corpus.corpus_file(target).read_bytes()
    assert list(corpus.read_corpus(target)) == inputs
    corpus.write_corpus(target, reversed(inputs))
    assert corpus.corpus_file(target).read_bytes() == first
