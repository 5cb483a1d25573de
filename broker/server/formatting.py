"""Whose directories these are, and what an empty one gets: as `kafka-storage format` leaves it.

A formatted directory has `meta.properties` (cluster, node, its own id). The one of the metadata log
also has `bootstrap.checkpoint` (the features of a new cluster) and, in `__cluster_metadata-0`, a
first snapshot that names the voters: this node alone, or those of
`controller.quorum.initial.voters`. Where the settings name voters that never change, or servers
that know the quorum, there is no such snapshot. `meta.properties` is written last: without it,
nothing is formatted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from barnabas.protocol.message import Message
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord
from barnabas.protocol.messages.k_raft_version_record import KRaftVersionRecord
from barnabas.protocol.primitives import uuid_from_text, uuid_to_text

from ..core.cluster.commands import Bootstrap
from ..core.cluster.features import FINALISED_AT_FIRST
from ..core.cluster.ids import random_uuid
from ..core.cluster.image import ClusterImage
from ..core.cluster.record_versions import METADATA_VERSION_MAX
from ..core.cluster.topic_image import METADATA_TOPIC_ID
from ..core.config.broker import BrokerConfig
from ..core.log.file_names import CLUSTER_METADATA_FOLDER
from ..core.log.identity import MetaProperties, write_meta_properties, write_topic_id
from ..core.log.log_directory import LogDirectory
from ..core.ports import Env
from ..core.raft.snapshot_file import (
    BOOTSTRAP_FILE,
    DamagedSnapshotError,
    SnapshotId,
    decode_snapshot,
    encode_snapshot,
)
from ..core.raft.voters import Voter, VoterAddress, Voters
from .first_users import first_users
from .quorum.configured import (
    INITIAL,
    check_roles,
    initial_voters,
    is_standalone,
    own_addresses,
)

FIRST_NODE_ID: Final = 1
CONTROLLER_LISTENER: Final = VoterAddress("CONTROLLER", "localhost", 9093)
"""Told as the voter's address when no controller listener is configured: nobody will dial it."""


class MetadataError(Exception):
    """The node cannot start from these directories; the text says which and why."""


class Identity(NamedTuple):
    """Who this node is, by its directories."""

    cluster_id: str
    node_id: int
    directory_ids: tuple[bytes, ...]  # in the order of the directories
    metadata_directory: str

    @property
    def metadata_directory_id(self) -> bytes:
        """Id of the directory with the metadata log; with the node's number it is the voter."""
        return self.directory_ids[0]


def identify(config: BrokerConfig, env: Env, directories: Sequence[LogDirectory]) -> Identity:
    """Read who this node is; directories that are empty are formatted.

    Raises MetadataError if they contradict each other or the configuration, OSError.
    """
    formatted = [one for one in directories if one.meta is not None]
    if formatted:
        cluster_id, node_id = _agreed(config, formatted)
    else:
        if not is_standalone(config):
            _check_named(config)
        cluster_id = config.cluster_id or uuid_to_text(random_uuid(env))
        node_id = FIRST_NODE_ID if config.node_id < 0 else config.node_id
    check_roles(config, node_id)
    home = config.metadata_directory
    first = [one for one in directories if one.path == home]
    if not first:
        raise MetadataError(f"metadata.log.dir {home} must be one of log.dirs")
    ordered = [*first, *(one for one in directories if one.path != home)]
    ids = [_directory_id(one, env) for one in ordered]
    if not formatted:
        ids[0] = _named_directory_id(config, node_id) or ids[0]
    identity = Identity(cluster_id, node_id, tuple(ids), home)
    if not formatted:
        _format_metadata(config, env, identity)
    for directory, directory_id in zip(ordered, ids, strict=True):
        meta = directory.meta
        if meta is None or meta.directory_id is None:
            directory.meta = MetaProperties(cluster_id, node_id, uuid_to_text(directory_id))
            write_meta_properties(env.disk, directory.path, directory.meta)
    return identity


def _agreed(config: BrokerConfig, directories: Sequence[LogDirectory]) -> tuple[str, int]:
    first = directories[0]
    assert first.meta is not None
    for other in directories[1:]:
        assert other.meta is not None
        if (other.meta.cluster_id, other.meta.node_id) != (
            first.meta.cluster_id,
            first.meta.node_id,
        ):
            raise MetadataError(
                f"{first.path} is of node {first.meta.node_id} in cluster "
                f"{first.meta.cluster_id}, but {other.path} of node {other.meta.node_id} in "
                f"cluster {other.meta.cluster_id}"
            )
    if config.node_id not in (-1, first.meta.node_id):
        raise MetadataError(
            f"node.id is {config.node_id}, but {first.path} belongs to node {first.meta.node_id}"
        )
    if config.cluster_id not in (None, first.meta.cluster_id):
        raise MetadataError(
            f"cluster.id is {config.cluster_id}, but {first.path} belongs to cluster "
            f"{first.meta.cluster_id}"
        )
    return first.meta.cluster_id, first.meta.node_id


def _check_named(config: BrokerConfig) -> None:
    """A node of a cluster of several cannot make up who it is."""
    for name, is_missing in (
        ("cluster.id", config.cluster_id is None),
        ("node.id", config.node_id < 0),
    ):
        if is_missing:
            raise MetadataError(
                f"{config.metadata_directory} is empty and the settings name other nodes of a "
                f"quorum: set {name} too, as all nodes of the cluster must agree on it"
            )


def _named_directory_id(config: BrokerConfig, node_id: int) -> bytes | None:
    """The id that `controller.quorum.initial.voters` gives this node's metadata directory."""
    voters = initial_voters(config)
    if voters is None or not config.is_controller:
        return None
    for voter in voters.members:
        if voter.voter_id == node_id:
            return voter.directory_id
    raise MetadataError(
        f"{config.metadata_directory} is empty and {INITIAL} does not name node {node_id}: "
        "add it there, or leave the setting out to join a quorum that is there"
    )


def _directory_id(directory: LogDirectory, env: Env) -> bytes:
    if directory.meta is None or directory.meta.directory_id is None:
        return random_uuid(env)
    try:
        return uuid_from_text(directory.meta.directory_id)
    except ValueError as error:
        raise MetadataError(f"{directory.path}/meta.properties: directory.id {error}") from None


def _format_metadata(config: BrokerConfig, env: Env, identity: Identity) -> None:
    disk = env.disk
    now_ms = env.clock.wall_ms()
    features: list[Message] = [
        FeatureLevelRecord(name=name, feature_level=level) for name, level in FINALISED_AT_FIRST
    ]
    features += first_users(config.metadata_bootstrap_scram or "")
    bootstrap = encode_snapshot(
        features,
        metadata_version=METADATA_VERSION_MAX,
        epoch=0,
        last_timestamp=0,
        now_ms=now_ms,
    )
    folder = f"{identity.metadata_directory}/{CLUSTER_METADATA_FOLDER}"
    disk.make_directory(folder)
    write_topic_id(disk, folder, METADATA_TOPIC_ID)
    voters = _first_voters(config, identity)
    if voters is not None:
        first_snapshot = encode_snapshot(
            (),
            control=[KRaftVersionRecord(k_raft_version=1), voters.record()],
            metadata_version=METADATA_VERSION_MAX,
            epoch=0,
            last_timestamp=now_ms,
            now_ms=now_ms,
        )
        disk.write_file_atomically(f"{folder}/{SnapshotId(0, 0).file_name}", first_snapshot)
    if config.is_controller:
        path = f"{identity.metadata_directory}/{BOOTSTRAP_FILE}"
        disk.write_file_atomically(path, bootstrap)


def _first_voters(config: BrokerConfig, identity: Identity) -> Voters | None:
    """The voters that formatting writes down (853-01); None where it writes none."""
    if config.is_controller and config.controller_quorum_initial_voters:
        return initial_voters(config)
    return voters_of(config, identity) if is_standalone(config) else None


def first_records(env: Env, directory: str) -> Bootstrap:
    """The features and users that a log directory was formatted with, for a new cluster.

    Raises MetadataError, OSError.
    """
    image = _bootstrap_image(env, f"{directory}/{BOOTSTRAP_FILE}")
    features = tuple(image.features.items()) or FINALISED_AT_FIRST
    return Bootstrap(features, tuple(image.security.credentials.values()))


def _bootstrap_image(env: Env, path: str) -> ClusterImage:
    """What a directory was formatted with; empty if it does not say."""
    image = ClusterImage()
    if not env.disk.exists(path):
        return image
    try:
        records = decode_snapshot(env.disk.read_file(path)).records
    except DamagedSnapshotError as error:
        raise MetadataError(f"{path}: {error}") from None
    for offset, record in enumerate(records):
        image.apply(record, offset)
    return image


def voters_of(config: BrokerConfig, identity: Identity) -> Voters:
    """The voters of a quorum that begins with this node alone."""
    address = controller_address(config)
    voter = Voter(identity.node_id, identity.metadata_directory_id, (address,))
    return Voters((voter,))


def controller_address(config: BrokerConfig) -> VoterAddress:
    """Where this node's controller listens, by the configuration."""
    addresses = own_addresses(config)
    return addresses[0] if addresses else CONTROLLER_LISTENER
