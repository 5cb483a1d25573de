"""A voter that lacks what it had acknowledged: its disk lost writes, or was put back from a copy.

A majority was counted with that voter, so records that are committed may now lie on fewer disks
than they should, and fewer failures may lose them. The leader can only see it within its own reign,
and only for the same disk: KIP-853 names it by node and directory id, and a disk that is new has
another id. Nothing else follows from it here: the voter fetches on from where it says.
"""

from __future__ import annotations

from barnabas.protocol.primitives import uuid_to_text

from .messages import Fetch
from .states import Leader, Progress, Replica


def watch(replica: Replica, role: Leader, progress: Progress, request: Fetch) -> None:
    """Compare a Fetch with what this very disk had acknowledged; once for each of them."""
    key = request.replica
    if role.voters.get(key.node_id) is not progress or not any(key.directory_id):
        return  # nobody counts on an observer; an old version does not say which disk it is
    if progress.directory_id != key.directory_id:
        progress.directory_id = key.directory_id
        progress.is_suspect = False
        return
    if request.offset < progress.end_offset and not progress.is_suspect:
        progress.is_suspect = True
        replica.ready.alarms.append(
            f"voter {key.node_id} (directory.id {uuid_to_text(key.directory_id)}) asks for offset"
            f" {request.offset} after it had acknowledged all below {progress.end_offset} in epoch"
            f" {replica.epoch}: its disk lost writes, or is an older copy"
        )
