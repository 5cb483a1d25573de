"""What is served: by brokers, and by the listeners of controllers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..handlers import (
    add_offsets_to_txn,
    add_partitions_to_txn,
    add_raft_voter,
    alter_client_quotas,
    alter_configs,
    alter_partition_reassignments,
    alter_replica_log_dirs,
    alter_user_scram_credentials,
    api_versions,
    consumer_group_describe,
    consumer_group_heartbeat,
    create_acls,
    create_partitions,
    create_topics,
    delete_acls,
    delete_groups,
    delete_records,
    delete_topics,
    describe_acls,
    describe_client_quotas,
    describe_cluster,
    describe_configs,
    describe_groups,
    describe_log_dirs,
    describe_producers,
    describe_quorum,
    describe_topic_partitions,
    describe_transactions,
    describe_user_scram_credentials,
    elect_leaders,
    end_txn,
    fetch,
    find_coordinator,
    heartbeat,
    incremental_alter_configs,
    init_producer_id,
    join_group,
    leave_group,
    list_config_resources,
    list_groups,
    list_offsets,
    list_partition_reassignments,
    list_transactions,
    metadata,
    offset_commit,
    offset_delete,
    offset_fetch,
    offset_for_leader_epoch,
    produce,
    remove_raft_voter,
    sasl_authenticate,
    sasl_handshake,
    sync_group,
    txn_offset_commit,
    unregister_broker,
    update_features,
    write_txn_markers,
)
from ..handlers.controller import (
    allocate_producer_ids,
    alter_partition,
    assign_replicas_to_dirs,
    begin_quorum_epoch,
    broker_heartbeat,
    broker_registration,
    controller_registration,
    end_quorum_epoch,
    envelope,
    fetch_snapshot,
    update_raft_voter,
    vote,
)
from ..handlers.controller import (
    describe_cluster as describe_controllers,
)
from ..handlers.controller import (
    fetch as quorum_fetch,
)
from ..serving.context import BrokerContext, NodeContext
from ..serving.handler import ContextT, Handler


def _by_key(handlers: Iterable[Handler[ContextT]]) -> Mapping[int, Handler[ContextT]]:
    return {handler.api.key: handler for handler in handlers}


_OF_BOTH: Final[tuple[Handler[NodeContext], ...]] = (
    add_raft_voter.HANDLER,
    alter_client_quotas.HANDLER,
    alter_configs.HANDLER,
    alter_partition_reassignments.HANDLER,
    alter_user_scram_credentials.HANDLER,
    api_versions.HANDLER,
    create_acls.HANDLER,
    create_partitions.HANDLER,
    create_topics.HANDLER,
    delete_acls.HANDLER,
    delete_topics.HANDLER,
    describe_acls.HANDLER,
    describe_configs.HANDLER,
    describe_quorum.HANDLER,
    describe_user_scram_credentials.HANDLER,
    elect_leaders.HANDLER,
    incremental_alter_configs.HANDLER,
    list_partition_reassignments.HANDLER,
    remove_raft_voter.HANDLER,
    sasl_authenticate.HANDLER,
    sasl_handshake.HANDLER,
    unregister_broker.HANDLER,
    update_features.HANDLER,
)
"""Those whose schema names the listeners of controllers too; but DescribeCluster and Fetch, others
there."""

OF_BROKERS: Final[Mapping[int, Handler[BrokerContext]]] = _by_key(
    (
        *_OF_BOTH,
        add_offsets_to_txn.HANDLER,
        add_partitions_to_txn.HANDLER,
        alter_replica_log_dirs.HANDLER,
        consumer_group_describe.HANDLER,
        consumer_group_heartbeat.HANDLER,
        delete_groups.HANDLER,
        delete_records.HANDLER,
        describe_client_quotas.HANDLER,
        describe_cluster.HANDLER,
        describe_groups.HANDLER,
        describe_log_dirs.HANDLER,
        describe_producers.HANDLER,
        describe_topic_partitions.HANDLER,
        describe_transactions.HANDLER,
        end_txn.HANDLER,
        fetch.HANDLER,
        find_coordinator.HANDLER,
        heartbeat.HANDLER,
        init_producer_id.HANDLER,
        join_group.HANDLER,
        leave_group.HANDLER,
        list_config_resources.HANDLER,
        list_groups.HANDLER,
        list_offsets.HANDLER,
        list_transactions.HANDLER,
        metadata.HANDLER,
        offset_commit.HANDLER,
        offset_delete.HANDLER,
        offset_fetch.HANDLER,
        offset_for_leader_epoch.HANDLER,
        produce.HANDLER,
        sync_group.HANDLER,
        txn_offset_commit.HANDLER,
        write_txn_markers.HANDLER,
    )
)
"""API key -> handler of what brokers serve."""

OF_CONTROLLERS: Final[Mapping[int, Handler[NodeContext]]] = _by_key(
    (
        *_OF_BOTH,
        allocate_producer_ids.HANDLER,
        alter_partition.HANDLER,
        assign_replicas_to_dirs.HANDLER,
        begin_quorum_epoch.HANDLER,
        broker_heartbeat.HANDLER,
        broker_registration.HANDLER,
        controller_registration.HANDLER,
        describe_controllers.HANDLER,
        end_quorum_epoch.HANDLER,
        envelope.HANDLER,
        quorum_fetch.HANDLER,
        fetch_snapshot.HANDLER,
        update_raft_voter.HANDLER,
        vote.HANDLER,
    )
)
"""API key -> handler of what controllers serve to brokers, to each other and to tools."""
