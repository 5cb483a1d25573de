"""Stories of whole quorums, told in text: what nodes say to each other, and how they stand then.

595-01 to 595-10, 996-01, 996-02, 853-01, 630-04 to 630-13; `story.py` says how they are written.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .story import Story, told_anew

STORIES = sorted((Path(__file__).parent / "stories").glob("*.txt"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_goes_as_it_is_told(path: Path) -> None:
    """Goal: each message and each standing is the one that the file says."""
    told = path.read_text()
    assert told_anew(told).splitlines() == told.splitlines()


def test_there_are_stories() -> None:
    """Goal: elections, logs that part, snapshots, voters that change, majorities that are lost."""
    assert len(STORIES) >= 5


def test_what_is_no_command_is_an_error() -> None:
    """Goal: a slip of the pen in a story does not pass for a line without output."""
    with pytest.raises(AttributeError):
        Story().run("elct 1")
