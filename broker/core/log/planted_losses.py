"""Files that a log's opening must be able to do without; the simulator takes some away."""

from __future__ import annotations

from ..ports import Env
from . import file_names


def lose_what_can_be_made_again(env: Env, folder: str) -> None:
    """In the simulator: remove some of them, as it says. Raises OSError."""
    for name in env.disk.list_directory(folder):
        if (
            (name.endswith(file_names.OFFSET_INDEX) and env.maybe("index-lost"))
            or (name.endswith(file_names.TIME_INDEX) and env.maybe("time-index-lost"))
            or (name.endswith(file_names.PRODUCER_SNAPSHOT) and env.maybe("producer-snapshot-lost"))
            or (name == file_names.LEADER_EPOCHS and env.maybe("leader-epochs-lost"))
        ):
            env.disk.remove(f"{folder}/{name}")
