"""Modules that the end of another node needs, loaded before it comes.

A node starts with the little that it needs (its start is measured), and loads the rest when it is
asked for it. What is first asked for when leaders move would be loaded while producers wait: on a
busy machine ten times the few milliseconds that the hand-over itself takes. So it is loaded on
another thread, a while after the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from ..core.config.broker import BrokerConfig
from ..observe.logging import Logger

WARM_UP_MS: Final = 1000
"""How long after its start a node does this."""

_MESSAGES: Final = "barnabas.protocol.messages"
_BROKER: Final = "barnabas.broker"

OF_BROKERS: Final = (
    *(
        f"{_MESSAGES}.{name}"
        for name in (
            "alter_partition_request",
            "alter_partition_response",
            "api_versions_response",
            "fetch_response",
            "metadata_response",
            "no_op_record",
            "partition_change_record",
            "produce_request",
            "produce_response",
        )
    ),
    *(
        f"{_BROKER}.{name}"
        for name in (
            "core.log.validation",
            "handlers.api_versions",
            "handlers.fetch",
            "handlers.fetch_followers",
            "handlers.fetch_in_session",
            "handlers.fetch_reading",
            "handlers.fetch_rows",
            "handlers.fetch_rules",
            "handlers.fetch_waiting",
            "handlers.leader_hints",
            "handlers.metadata",
            "handlers.offset_for_leader_epoch",
            "handlers.produce",
            "server.peer_channel",
            "server.replication.fetcher",
        )
    ),
)
"""A leader refuses and names another one; another one leads and is followed."""

OF_CONTROLLERS: Final = (
    *(
        f"{_MESSAGES}.{name}"
        for name in (
            "begin_quorum_epoch_request",
            "begin_quorum_epoch_response",
            "end_quorum_epoch_request",
            "end_quorum_epoch_response",
            "producer_ids_record",
            "vote_request",
            "vote_response",
        )
    ),
    *(
        f"{_BROKER}.{name}"
        for name in (
            "core.cluster.alter_partition",
            "core.cluster.elections",
            "core.cluster.liveness",
            "core.cluster.partition_commands",
            "core.cluster.producer_ids",
            "handlers.controller.allocate_producer_ids",
            "handlers.controller.alter_partition",
            "handlers.controller.begin_quorum_epoch",
            "handlers.controller.broker_heartbeat",
            "handlers.controller.end_quorum_epoch",
            "handlers.controller.fetch",
            "handlers.controller.vote",
            "server.quorum.peers",
            "server.quorum.serving",
        )
    ),
)
"""The quorum elects another leader, who fences, elects and hands out."""


def modules_of(config: BrokerConfig) -> Sequence[str]:
    """What a node with these roles loads; nothing for one that has no cluster."""
    alone = config.is_controller and len(config.controller_quorum_voters) <= 1
    if alone and not config.controller_quorum_bootstrap_servers:
        return ()
    found = OF_BROKERS if config.is_broker else ()
    return (*found, *OF_CONTROLLERS) if config.is_controller else found


def warm_up(config: BrokerConfig, log: Logger) -> bool:
    """Load all of it, and what the node's log needs; for another thread.

    False if that could not be, for want of descriptors as a rule: it should be tried again.
    """
    try:
        for name in modules_of(config):
            import_module(name)
    except OSError as error:
        log.warning("what a hand-over needs cannot be loaded yet", error=str(error))
        return False
    log.warm_up()
    return True
