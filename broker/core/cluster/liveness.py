"""What brokers bring about by their heartbeats, and by missing them: 631-02, 631-03.

| the broker is | and asks for | then it is |
|---|---|---|
| fenced | to shut down | fenced, and may go at once |
| fenced | to be unfenced, having applied its own registration | unfenced |
| unfenced | to be fenced | fenced |
| unfenced | to shut down, leading something | in controlled shutdown: leaderships move |
| unfenced | to shut down, leading nothing | fenced, and may go |
| shutting down | to shut down, and active brokers have applied the move | fenced, and may go |

Log directories that fail take their replicas out of ISRs and leaderships, in the same change.
"""

from __future__ import annotations

from barnabas.protocol.message import Message

from .broker_image import BrokerImage
from .commands import BrokerHeartbeat, Decision, FenceExpired, HeartbeatAnswer
from .image import ClusterImage
from .leaders import changes_after, has_leaderships
from .record_versions import CORDONED_DIRECTORIES_MIN
from .registration import registration_change
from .situation import Situation


def decide_heartbeat(command: BrokerHeartbeat, situation: Situation) -> Decision[HeartbeatAnswer]:
    """Note that the broker is alive, and do what its heartbeat asks for.

    Raises KafkaError STALE_BROKER_EPOCH (77) for an old epoch or a broker that is not registered.
    """
    image, sessions = situation.image, situation.sessions
    before = situation.asking_broker(command.broker_id, command.broker_epoch)
    sessions.touch(before, situation.now_ms, command.metadata_offset)
    after, may_go = _next_state(command, _with_directories(command, before, image), situation)
    records: list[Message] = []
    change = registration_change(before, after)
    if change is not None:
        records = [*changes_after(image, [after], situation.rules_of), change]
    elif after.in_controlled_shutdown and has_leaderships(image, before.broker_id):
        records = [*changes_after(image, [after], situation.rules_of)]
    if records and after.in_controlled_shutdown and not after.fenced:
        sessions.begin_shutdown(before, image.last_offset + len(records), situation.now_ms)
    if after.fenced and not before.fenced:
        sessions.end(before.broker_id)
    answer = HeartbeatAnswer(
        is_caught_up=command.metadata_offset >= before.epoch,
        is_fenced=after.fenced,
        should_shut_down=may_go,
        in_controlled_shutdown=after.in_controlled_shutdown,
    )
    return Decision(records, answer)


def _with_directories(
    command: BrokerHeartbeat, broker: BrokerImage, image: ClusterImage
) -> BrokerImage:
    cordoned = command.cordoned_log_dirs
    if image.metadata_version < CORDONED_DIRECTORIES_MIN:
        cordoned = None  # not every node could read the record
    if cordoned is not None and set(cordoned) != set(broker.cordoned_log_dirs or ()):
        broker = broker._replace(cordoned_log_dirs=tuple(sorted(cordoned)))
    online = tuple(one for one in broker.log_dirs if one not in command.offline_log_dirs)
    if online:
        return broker._replace(log_dirs=online)
    # No directory is left to serve from. They stay in the record, which must name at least one.
    return broker._replace(fenced=True) if broker.log_dirs else broker


def _next_state(
    command: BrokerHeartbeat, broker: BrokerImage, situation: Situation
) -> tuple[BrokerImage, bool]:
    """The broker after this heartbeat, and whether it may shut down."""
    fenced = broker._replace(fenced=True)
    if broker.fenced:
        is_wanted = not (command.wants_fence or command.wants_shutdown)
        all_offline = broker.log_dirs and set(broker.log_dirs) <= set(command.offline_log_dirs)
        if is_wanted and not all_offline and command.metadata_offset >= broker.epoch:
            return broker._replace(fenced=False), False
        return broker, command.wants_shutdown
    if command.wants_fence:
        return fenced, command.wants_shutdown
    if not command.wants_shutdown:
        return broker, False
    if broker.in_controlled_shutdown:
        may_go = situation.sessions.may_shut_down(broker, situation.image)
        may_go = may_go and not has_leaderships(situation.image, broker.broker_id)
        return (fenced, True) if may_go else (broker, False)
    if has_leaderships(situation.image, broker.broker_id):
        return broker._replace(in_controlled_shutdown=True), False
    return fenced, True


def decide_fence_expired(command: FenceExpired, situation: Situation) -> Decision[tuple[int, ...]]:
    """Fence the brokers whose sessions are over, all in one change (631-02)."""
    del command
    image = situation.image
    ids = situation.sessions.expired(image, situation.now_ms)
    if not ids:
        return Decision([], ids)
    fenced = [image.brokers[broker_id]._replace(fenced=True) for broker_id in ids]
    records: list[Message] = list(changes_after(image, fenced, situation.rules_of))
    for broker in fenced:
        change = registration_change(image.brokers[broker.broker_id], broker)
        assert change is not None, "only unfenced brokers expire"
        records.append(change)
        situation.sessions.end(broker.broker_id)
    return Decision(records, ids)
