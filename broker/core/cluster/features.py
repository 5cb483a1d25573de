"""Features of the cluster: which levels a node can work at, and what a new cluster begins with.

Names and levels are Kafka 4.3.1's, so that a directory of ours boots in Kafka and the other way.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.message import Message
from barnabas.protocol.messages.begin_transaction_record import BeginTransactionRecord
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.end_transaction_record import EndTransactionRecord
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord

from ..config.broker import BrokerConfig
from .broker_image import FeatureRange
from .commands import Bootstrap, Decision
from .image import RESOURCE_BROKER, ClusterImage
from .record_versions import METADATA_VERSION_MAX, METADATA_VERSION_MIN

TRANSACTION_VERSION: Final = "transaction.version"

SUPPORTED: Final = (
    FeatureRange("eligible.leader.replicas.version", 0, 1),
    FeatureRange("group.version", 0, 1),
    FeatureRange("kraft.version", 0, 1),
    FeatureRange("metadata.version", METADATA_VERSION_MIN, METADATA_VERSION_MAX),
    FeatureRange("share.version", 0, 1),
    FeatureRange("streams.version", 0, 1),
    FeatureRange(TRANSACTION_VERSION, 0, 2),
)

FINALISED_AT_FIRST: Final[tuple[tuple[str, int], ...]] = (
    ("metadata.version", METADATA_VERSION_MAX),
    ("eligible.leader.replicas.version", 1),
    ("group.version", 1),
    ("share.version", 1),
    ("streams.version", 1),
    (TRANSACTION_VERSION, 2),
)
"""What Kafka 4.3.1's `format` finalises, in its order."""


class UnsupportedFeatureError(Exception):
    """The cluster works at a level of a feature that this node does not know."""


def check_supported(image: ClusterImage) -> None:
    """Raise `UnsupportedFeatureError` unless this node can work at all finalised levels."""
    known = {feature.name: feature for feature in SUPPORTED}
    for name, level in image.features.items():
        feature = known.get(name)
        if feature is None or not feature.minimum <= level <= feature.maximum:
            allowed = (
                "does not know it"
                if feature is None
                else f"knows {feature.minimum} to {feature.maximum}"
            )
            raise UnsupportedFeatureError(
                f"the cluster has {name} at level {level}, and barnabas {allowed}"
            )


def decide_bootstrap(
    command: Bootstrap, image: ClusterImage, static: BrokerConfig
) -> Decision[None]:
    """The first records of a new cluster, as a metadata transaction; none if it is not new."""
    if image.features:
        return Decision([], None)
    records: list[Message] = [BeginTransactionRecord(name="Bootstrap records")]
    records += [
        FeatureLevelRecord(name=name, feature_level=level) for name, level in command.features
    ]
    records.append(
        ConfigRecord(
            resource_type=RESOURCE_BROKER,
            resource_name="",
            name="min.insync.replicas",
            value=str(static.min_insync_replicas),
        )
    )
    records += command.credentials
    records.append(EndTransactionRecord())
    return Decision(records, None)
