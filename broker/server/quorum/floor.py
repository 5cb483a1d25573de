"""What a disk is known to have had of the metadata log: the file `metadata-log-floor`.

It lies beside `meta.properties`, where Apache Kafka looks at no file that it does not know, and not
beside the log, with which it would be lost. It says below which offset everything was committed and
durable on this disk, as of `EVERY_MS` ago at the latest, and whether this voter abstains since its
log was found without that (`core/raft/lost_writes.py`). Whoever removes it while the node is down
makes the node vote with what it has.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from barnabas.protocol.primitives import uuid_to_text

from ...core.ports import Env

FILE_NAME: Final = "metadata-log-floor"
EVERY_MS: Final = 1000
"""The file is written at most this often; a loss of what was committed since then may go
unnoticed."""
_VERSION: Final = 0


class Floor(NamedTuple):
    """The content of the file; the defaults stand for a missing file."""

    offset: int = 0
    abstains: bool = False


def read_floor(env: Env, directory: str, directory_id: bytes, notes: list[str]) -> Floor:
    """What is known; of a directory with another id it says nothing. Raises OSError.

    One that cannot be read may have said that this voter abstains: then it does, with a note.
    """
    path = f"{directory}/{FILE_NAME}"
    if not env.disk.exists(path):
        return Floor()
    try:
        fields = json.loads(env.disk.read_file(path))
        if fields["directory.id"] != uuid_to_text(directory_id):
            return Floor()
        return Floor(int(fields["offset"]), bool(fields["abstains"]))
    except (ValueError, TypeError, KeyError) as error:
        notes.append(f"{path} is damaged ({error!r}): this voter abstains until it has caught up")
        return Floor(0, abstains=True)


def write_floor(env: Env, directory: str, directory_id: bytes, floor: Floor) -> None:
    """Make the floor durable. Blocks. Raises OSError."""
    fields = {
        "version": _VERSION,
        "directory.id": uuid_to_text(directory_id),
        "offset": floor.offset,
        "abstains": floor.abstains,
    }
    content = json.dumps(fields, separators=(",", ":")).encode()
    env.disk.write_file_atomically(f"{directory}/{FILE_NAME}", content)


class FloorKeeper:
    """Keeps the file of one node that may vote."""

    def __init__(self, env: Env, directory: str, directory_id: bytes, floor: Floor) -> None:
        self._env = env
        self._directory = directory
        self._directory_id = directory_id
        self._known = floor
        self._after_ms = 0.0

    def write(self, floor: Floor) -> None:
        """Blocks; one call at a time. Raises OSError."""
        write_floor(self._env, self._directory, self._directory_id, floor)

    def take(self, offset: int, now_ms: float, *, at_once: bool = False) -> Floor | None:
        """Everything below `offset` is committed and durable: the floor to write, if it is time
        to."""
        if offset <= self._known.offset or (now_ms < self._after_ms and not at_once):
            return None
        self._after_ms = now_ms + EVERY_MS
        self._known = self._known._replace(offset=offset)
        return self._known

    def note(self, *, abstains: bool) -> Floor | None:
        """Whether the voter abstains has changed: the floor to write, or None if it has not."""
        if abstains == self._known.abstains:
            return None
        self._known = self._known._replace(abstains=abstains)
        return self._known

    def explain(self, end_offset: int) -> str:
        """What an operator must know about a voter that abstains."""
        path = f"{self._directory}/{FILE_NAME}"
        return (
            f"the metadata log of this voter has lost committed records (it ends at {end_offset},"
            f" and once held all before {self._known.offset}): it neither votes nor stands until it"
            " has caught up with a leader. Only if none can be elected, because too many voters are"
            f" like this: stop it, remove {path}, and start it, the voter with the longest log"
            " first; what no log has is lost then"
        )
