"""What a node of the quorum must not forget: epoch, leader, and whom it voted for (595-01).

The file `quorum-state` is one line of JSON, Kafka's `QuorumStateData`. It is on disk before a vote
is given or asked for, and before a leader appends; the epoch never goes back.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from barnabas.protocol.primitives import ZERO_UUID, uuid_from_text, uuid_to_text

FILE_NAME: Final = "quorum-state"
_VERSION: Final = 1
NOBODY: Final = -1
EPOCH_LAST: Final = (1 << 31) - 2
"""The last epoch of all. An epoch is an int32, and who stands needs one above those it knows."""


class DamagedQuorumStateError(Exception):
    """The file `quorum-state` cannot be what it should be."""


class QuorumState(NamedTuple):
    """One node's view of its quorum."""

    leader_epoch: int = 0
    leader_id: int = NOBODY
    voted_id: int = NOBODY
    voted_directory_id: bytes = ZERO_UUID
    static_voters: tuple[int, ...] = ()  # only files of version 0 name them; not written

    def encode(self) -> bytes:
        """The file's content."""
        fields = {
            "leaderId": self.leader_id,
            "leaderEpoch": self.leader_epoch,
            "votedId": self.voted_id,
            "votedDirectoryId": uuid_to_text(self.voted_directory_id),
            "data_version": _VERSION,
        }
        return json.dumps(fields, separators=(",", ":")).encode()

    @classmethod
    def decode(cls, content: bytes) -> QuorumState:
        """Read version 0 (static voters) or 1; raises `DamagedQuorumStateError`."""
        try:
            fields = json.loads(content)
        except ValueError as error:
            raise DamagedQuorumStateError(f"no JSON: {error}") from None
        try:
            if fields["data_version"] not in (0, _VERSION):
                raise DamagedQuorumStateError(
                    f"data_version {fields['data_version']}, known are 0 and {_VERSION}"
                )
            voters = fields.get("currentVoters") or []
            epoch = int(fields["leaderEpoch"])
            if not 0 <= epoch <= EPOCH_LAST:
                raise DamagedQuorumStateError(
                    f"leaderEpoch {epoch}, where 0 to {EPOCH_LAST} can be; with all nodes of the"
                    " cluster stopped, this file may be removed at each of them: their logs name"
                    " the epochs in which there were leaders"
                )
            return cls(
                leader_epoch=epoch,
                leader_id=int(fields["leaderId"]),
                voted_id=int(fields["votedId"]),
                voted_directory_id=uuid_from_text(
                    fields.get("votedDirectoryId", uuid_to_text(ZERO_UUID))
                ),
                static_voters=tuple(int(voter["voterId"]) for voter in voters),
            )
        except KeyError as error:
            raise DamagedQuorumStateError(f"{error} is missing") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise DamagedQuorumStateError(f"a value is none that it can have: {error}") from None
