"""Changes of SCRAM credentials, as the controller decides them (SASL-28, SASL-29).

A user is changed completely or not at all, and has a result code of its own. The salted password
comes from the administrator; only keys that are derived from it are stored.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.remove_user_scram_credential_record import (
    RemoveUserScramCredentialRecord,
)
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.sasl.scram import BY_NUMBER, ITERATIONS_MAX, ITERATIONS_MIN, keys_of

from .commands import AlterScramCredentials, Decision, Outcome, ScramDeletion, ScramUpsertion
from .image import ClusterImage

_NONE: Final = Outcome(ErrorCode.NONE, None)


def decide_alter_scram_credentials(
    command: AlterScramCredentials, image: ClusterImage
) -> Decision[dict[str, Outcome]]:
    """The records, and an outcome for each user."""
    changes: list[ScramDeletion | ScramUpsertion] = [*command.deletions, *command.upsertions]
    times = Counter(change.name for change in changes)
    records: list[Message] = []
    outcomes: dict[str, Outcome] = {}
    for change in changes:
        if times[change.name] > 1:
            text = "A user credential cannot be altered twice in the same request"
            outcomes[change.name] = Outcome(ErrorCode.DUPLICATE_RESOURCE, text)
            continue
        fault = _fault(change, image)
        outcomes[change.name] = fault or _NONE
        if fault is None:
            records.append(_record(change))
    return Decision(records, outcomes)


def _fault(change: ScramDeletion | ScramUpsertion, image: ClusterImage) -> Outcome | None:
    if not change.name:
        return Outcome(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Username must not be empty")
    if change.mechanism not in BY_NUMBER:
        return Outcome(ErrorCode.UNSUPPORTED_SASL_MECHANISM, "Unknown SCRAM mechanism")
    if isinstance(change, ScramDeletion):
        if (change.name, change.mechanism) in image.security.credentials:
            return None
        text = "Attempt to delete a user credential that does not exist"
        return Outcome(ErrorCode.RESOURCE_NOT_FOUND, text)
    if change.iterations < ITERATIONS_MIN:
        return Outcome(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too few iterations")
    if change.iterations > ITERATIONS_MAX:
        return Outcome(ErrorCode.UNACCEPTABLE_CREDENTIAL, "Too many iterations")
    if not change.salted_password:
        return Outcome(ErrorCode.UNKNOWN_SERVER_ERROR, "Empty salted password")
    return None


def _record(change: ScramDeletion | ScramUpsertion) -> Message:
    if isinstance(change, ScramDeletion):
        return RemoveUserScramCredentialRecord(name=change.name, mechanism=change.mechanism)
    stored_key, server_key = keys_of(BY_NUMBER[change.mechanism], change.salted_password)
    return UserScramCredentialRecord(
        name=change.name,
        mechanism=change.mechanism,
        salt=change.salt,
        stored_key=stored_key,
        server_key=server_key,
        iterations=change.iterations,
    )
