"""UpdateFeatures as the controller decides it: all updates or none.

A level is finalised if this controller, every registered controller and every registered broker can
work at it. Levels rise with an upgrade and fall with a downgrade, never the other way. The metadata
version falls only where no record would lose anything by it.

`kraft.version` is the quorum's own: no record of the image has it. It rises once every voter can do
with it, before the other levels change, and never falls (KIP-853).

With eligible leader replicas switched on, `min.insync.replicas` is one value of the whole cluster,
since ELRs are judged by it; switched off, those who are eligible become the ISR where it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .broker_image import FeatureRange
from .commands import UNSAFE_DOWNGRADE, UPGRADE, Decision, FeatureUpdate, UpdateFeatures
from .config_changes import MIN_INSYNC_REPLICAS
from .features import SUPPORTED
from .image import (
    ELIGIBLE_LEADER_REPLICAS,
    KRAFT_VERSION,
    METADATA_VERSION,
    RESOURCE_BROKER,
    ClusterImage,
)
from .record_versions import ELIGIBLE_LEADER_REPLICAS_MIN, LOSING_DOWNGRADES
from .situation import QuorumFeature, Situation


def decide_update_features(command: UpdateFeatures, situation: Situation) -> Decision[None]:
    """A record for each level that changes, and for what must change with it.

    Raises KafkaError INVALID_UPDATE_VERSION (95), or INVALID_REQUEST (42) for a feature that is
    named twice; the message names the feature.
    """
    image = situation.image
    levels = {**image.features, KRAFT_VERSION: situation.quorum.kraft_version}
    kraft_version: int | None = None
    records: list[Message] = []
    seen: set[str] = set()
    for update in command.updates:
        if update.name in seen:
            raise KafkaError(ErrorCode.INVALID_REQUEST, f"Duplicate feature {update.name}.")
        seen.add(update.name)
        _check(update, levels.get(update.name, 0), image)
        if update.name == KRAFT_VERSION:
            kraft_version = _raised(update, situation.quorum)
        elif update.level != levels.get(update.name, 0):
            levels[update.name] = update.level
            records.append(FeatureLevelRecord(name=update.name, feature_level=update.level))
    has_elr = levels.get(ELIGIBLE_LEADER_REPLICAS, 0) > 0
    if has_elr and levels[METADATA_VERSION] < ELIGIBLE_LEADER_REPLICAS_MIN:
        _refuse(
            ELIGIBLE_LEADER_REPLICAS,
            levels[ELIGIBLE_LEADER_REPLICAS],
            f"It needs {METADATA_VERSION} {ELIGIBLE_LEADER_REPLICAS_MIN} or higher.",
        )
    if has_elr and not image.is_elr_enabled:
        records += _one_min_insync(situation)
    elif image.is_elr_enabled and not has_elr:
        records = [*_without_elr(image), *records]
    return Decision([], None) if command.validate_only else Decision(records, None, kraft_version)


def _refuse(name: str, level: int, reason: str) -> NoReturn:
    raise KafkaError(
        ErrorCode.INVALID_UPDATE_VERSION,
        "The update failed for all features since the following feature had an error: "
        f"Invalid update version {level} for feature {name}. {reason}",
    )


def _check(update: FeatureUpdate, present: int, image: ClusterImage) -> None:
    name, level = update.name, update.level
    if not UPGRADE <= update.upgrade_type <= UNSAFE_DOWNGRADE:
        _refuse(name, level, "The controller does not support the given upgrade type.")
    if level < 0:
        _refuse(name, level, "A feature version cannot be less than 0.")
    for kind, ranges in _nodes(image):
        _check_node(update, kind, ranges)
    if level < present and update.upgrade_type == UPGRADE:
        _refuse(
            name,
            level,
            "Can't downgrade the version of this feature without setting the upgrade type to "
            "either safe or unsafe downgrade.",
        )
    if level > present and update.upgrade_type != UPGRADE:
        _refuse(name, level, "Can't downgrade to a newer version.")
    if name == METADATA_VERSION and any(level < one <= present for one in LOSING_DOWNGRADES):
        _refuse(
            name,
            level,
            "Refusing to perform the requested downgrade because it might delete metadata "
            "information.",
        )


def _raised(update: FeatureUpdate, quorum: QuorumFeature) -> int | None:
    """The level to which the quorum is to raise its feature; None if it is there already."""
    name, level, present = update.name, update.level, quorum.kraft_version
    if level < present:
        _refuse(name, level, "Can't downgrade the version of this feature.")
    obstacle = quorum.kraft_version_obstacle(level) if level != present else None
    if obstacle is not None:
        _refuse(name, level, obstacle)
    return level if level != present else None


def _nodes(image: ClusterImage) -> Iterator[tuple[str, Iterable[FeatureRange]]]:
    yield "The active controller", SUPPORTED
    for controller_id in sorted(image.controllers):
        yield f"Controller {controller_id}", image.controllers[controller_id].features
    for broker_id in sorted(image.brokers):
        yield f"Broker {broker_id}", image.brokers[broker_id].features


def _check_node(update: FeatureUpdate, node: str, ranges: Iterable[FeatureRange]) -> None:
    if update.level == 0 and update.name != METADATA_VERSION:
        return  # a feature that is off restricts nobody
    known = next((one for one in ranges if one.name == update.name), None)
    if known is None:
        _refuse(update.name, update.level, f"{node} does not support this feature.")
    if not known.minimum <= update.level <= known.maximum:
        _refuse(
            update.name,
            update.level,
            f"{node} only supports versions {known.minimum}-{known.maximum}",
        )


def _one_min_insync(situation: Situation) -> Iterator[Message]:
    image = situation.image
    if MIN_INSYNC_REPLICAS not in image.config_of(RESOURCE_BROKER, ""):
        yield ConfigRecord(
            resource_type=RESOURCE_BROKER,
            resource_name="",
            name=MIN_INSYNC_REPLICAS,
            value=str(situation.static.min_insync_replicas),
        )
    for (kind, name), values in image.configs.items():
        if kind == RESOURCE_BROKER and name and MIN_INSYNC_REPLICAS in values:
            yield ConfigRecord(
                resource_type=kind, resource_name=name, name=MIN_INSYNC_REPLICAS, value=None
            )


def _without_elr(image: ClusterImage) -> Iterator[Message]:
    for topic in image.topics_by_id.values():
        for number, partition in topic.partitions.items():
            if partition.elr or partition.last_known_elr:
                change = PartitionChangeRecord(
                    topic_id=topic.topic_id,
                    partition_id=number,
                    eligible_leader_replicas=[],
                    last_known_elr=[],
                )
                if not partition.isr:
                    known = partition.elr or partition.last_known_elr
                    change.isr = [one for one in known if one in partition.replicas]
                yield change
