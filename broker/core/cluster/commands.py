"""What a controller can be asked to do, and what it answers; plain values.

A command goes through `decide(command, now)`, which gives a `Decision`: the records that make it
so, and the answer for when they are durable. A command that is refused as a whole raises
`KafkaError`; one that names several things answers each of them with its own code.

Commands about partitions that exist (ISR, elections, reassignments) are in `partition_commands`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, Self, TypeVar

from barnabas.protocol.errors import ErrorCode, bounded
from barnabas.protocol.message import Message
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord

from ..quotas.mutations import MutationCharge
from ..security.enveloped import ForwardedClient
from .broker_image import Endpoint, FeatureRange

AnswerT = TypeVar("AnswerT")
AnswerT_co = TypeVar("AnswerT_co", covariant=True)


class Command(Generic[AnswerT_co]):
    """A request to the controller. The type in brackets is the type of its answer."""

    __slots__ = ()


class Decision(NamedTuple, Generic[AnswerT_co]):
    """Records to append as one batch, all or none, and the answer for when they are applied."""

    records: list[Message]
    answer: AnswerT_co
    kraft_version: int | None = None
    """The level to which the quorum is to raise `kraft.version` before the records (KIP-853)."""


class Registered(NamedTuple):
    """The broker's epoch: the offset of its registration."""

    broker_epoch: int


@dataclass(frozen=True, slots=True)
class RegisterBroker(Command[Registered]):
    """A broker process has started; the answer is `Registered`."""

    broker_id: int
    incarnation_id: bytes
    cluster_id: str
    endpoints: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...]
    log_dirs: tuple[bytes, ...]
    rack: str | None = None
    previous_epoch: int = -1  # epoch at its last clean shutdown; -1 if it was not clean (966-03)


@dataclass(frozen=True, slots=True)
class UnfenceBroker(Command[None]):
    """A broker has caught up and may serve; its partitions get leaders."""

    broker_id: int
    broker_epoch: int


@dataclass(frozen=True, slots=True)
class FenceBroker(Command[None]):
    """A broker has died; its partitions get other leaders."""

    broker_id: int
    broker_epoch: int


@dataclass(frozen=True, slots=True)
class StopBroker(Command[None]):
    """A broker wants to stop: it gives its leaderships away (631-03)."""

    broker_id: int
    broker_epoch: int


class HeartbeatAnswer(NamedTuple):
    """What a broker is told about itself (631-02, 631-03)."""

    is_caught_up: bool
    is_fenced: bool
    should_shut_down: bool
    in_controlled_shutdown: bool = False


@dataclass(frozen=True, slots=True)
class BrokerHeartbeat(Command[HeartbeatAnswer]):
    """A broker is alive, and reports its progress and wishes; the answer is `HeartbeatAnswer`."""

    broker_id: int
    broker_epoch: int
    metadata_offset: int  # all records up to this one are applied there
    wants_fence: bool = False
    wants_shutdown: bool = False
    offline_log_dirs: tuple[bytes, ...] = ()
    cordoned_log_dirs: tuple[bytes, ...] | None = None  # None: as before


@dataclass(frozen=True, slots=True)
class FenceExpired(Command[tuple[int, ...]]):
    """Fence every broker whose session is over; the answer is a tuple of their ids, in order."""


@dataclass(frozen=True, slots=True)
class WriteNoOp(Command[None]):
    """A record that changes nothing, so that high watermark and clocks advance in an idle
    cluster."""


@dataclass(frozen=True, slots=True)
class UnregisterBroker(Command[None]):
    """Remove the registration of a broker that will not come back."""

    broker_id: int


@dataclass(frozen=True, slots=True)
class RegisterController(Command[None]):
    """A controller process has started."""

    controller_id: int
    incarnation_id: bytes
    endpoints: tuple[Endpoint, ...]
    features: tuple[FeatureRange, ...]


@dataclass(frozen=True, slots=True)
class Bootstrap(Command[None]):
    """First records of a new cluster: its features, settings and users."""

    features: tuple[tuple[str, int], ...]
    credentials: tuple[UserScramCredentialRecord, ...] = ()


class NewTopic(NamedTuple):
    """A topic to create. -1 stands for the cluster's default."""

    name: str
    num_partitions: int = -1
    replication_factor: int = -1
    assignments: tuple[tuple[int, tuple[int, ...]], ...] = ()  # partition, brokers
    configs: tuple[tuple[str, str | None], ...] = ()


class TopicCreated(NamedTuple):
    """The result for one topic; only with `code` NONE does it have the other fields."""

    name: str
    code: ErrorCode = ErrorCode.NONE
    message: str | None = None
    topic_id: bytes = bytes(16)
    num_partitions: int = -1
    replication_factor: int = -1


@dataclass(frozen=True, slots=True)
class CreateTopics(Command[list[TopicCreated]]):
    """The answer is a list of `TopicCreated`, one for each topic, in the order of the request."""

    topics: tuple[NewTopic, ...]
    validate_only: bool = False
    charge: MutationCharge | None = None  # who is charged for it; None: nobody
    asker: ForwardedClient | None = None  # the client that needs the topics; None: this node


class _Outcome(NamedTuple):
    code: ErrorCode
    message: str | None


class Outcome(_Outcome):
    """The result for one of several things; the text of its error is bounded."""

    __slots__ = ()

    def __new__(cls, code: ErrorCode = ErrorCode.NONE, message: str | None = None) -> Self:
        return super().__new__(cls, code, bounded(message))


@dataclass(frozen=True, slots=True)
class DeleteTopics(Command[list[Outcome]]):
    """Delete topics by id, each named once; the answer is a list of `Outcome`, in order."""

    topic_ids: tuple[bytes, ...]
    charge: MutationCharge | None = None


class MorePartitions(NamedTuple):
    """A topic that is to have `total` partitions; the assignments, if any, are of the new ones."""

    name: str
    total: int
    assignments: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class CreatePartitions(Command[list[Outcome]]):
    """The answer is a list of `Outcome`, one for each topic, in order."""

    topics: tuple[MorePartitions, ...]
    validate_only: bool = False
    charge: MutationCharge | None = None


SET, DELETE, APPEND, SUBTRACT = range(4)


class ConfigChange(NamedTuple):
    """One setting; `operation` is SET, DELETE, APPEND or SUBTRACT."""

    name: str
    operation: int
    value: str | None


class ResourceChange(NamedTuple):
    """Changes of the settings of one resource (topic, broker, …), all of them or none.

    With `is_whole`, all settings of the resource that the changes do not name are removed.
    """

    resource_type: int
    name: str
    changes: tuple[ConfigChange, ...]
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class AlterConfigs(Command[list[Outcome]]):
    """The answer is a list of `Outcome`, one for each resource, in order."""

    resources: tuple[ResourceChange, ...]
    validate_only: bool = False


class QuotaChange(NamedTuple):
    """Limits of one entity, by key; None removes one. All are changed, or none."""

    entity: tuple[tuple[str, str | None], ...]  # type and name of each part, as they were asked for
    limits: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class AlterClientQuotas(Command[list[Outcome]]):
    """The answer is a list of `Outcome`, one for each entity, in order."""

    changes: tuple[QuotaChange, ...]
    validate_only: bool = False


UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = range(1, 4)


class FeatureUpdate(NamedTuple):
    """A feature and the level at which it is to be finalised; 0 removes it."""

    name: str
    level: int
    upgrade_type: int = UPGRADE  # UPGRADE, SAFE_DOWNGRADE or UNSAFE_DOWNGRADE


@dataclass(frozen=True, slots=True)
class UpdateFeatures(Command[None]):
    """All updates or none: the first that is refused refuses the command. There is no answer."""

    updates: tuple[FeatureUpdate, ...]
    validate_only: bool = False


class ScramDeletion(NamedTuple):
    """Remove a user's credential for one mechanism, given by its number."""

    name: str
    mechanism: int


class ScramUpsertion(NamedTuple):
    """Create or replace a user's credential for one mechanism."""

    name: str
    mechanism: int
    iterations: int
    salt: bytes
    salted_password: bytes


@dataclass(frozen=True, slots=True)
class AlterScramCredentials(Command["dict[str, Outcome]"]):
    """Changes of users' credentials; the answer has an outcome for each user (SASL-28)."""

    deletions: tuple[ScramDeletion, ...]
    upsertions: tuple[ScramUpsertion, ...]

    def __repr__(self) -> str:
        """The representation leaves out what is secret."""
        names = [one.name for one in self.deletions] + [one.name for one in self.upsertions]
        return f"AlterScramCredentials(of {names})"


class ProducerIdBlock(NamedTuple):
    """`size` ids from `first` on, which nobody else gets as long as the cluster exists."""

    first: int
    size: int


@dataclass(frozen=True, slots=True)
class AllocateProducerIds(Command[ProducerIdBlock]):
    """A broker wants a block of producer ids (98-01); the answer is `ProducerIdBlock`."""

    broker_id: int
    broker_epoch: int
