"""The controller: `decide(command, now)` returns records, `apply(record)` carries them out.

`decide` changes nothing in the image. Its records do, once they are in the metadata log, by the
same `apply` on every node and at start. The controller's own image is ahead of what is durable by
the records that it has just decided, so several commands can share one write and one fsync; answers
are given, and brokers told, only when those have succeeded.

Two things are never written to the log: when each broker was last heard (`sessions`), which
`begin_reign` starts anew for every active controller, and which leaderships were given away a short
time ago (`relinquished`), which is kept over all reigns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any  # Any: one table for all commands and their answers

from barnabas.protocol.message import Message
from barnabas.protocol.messages.no_op_record import NoOpRecord

from ..config.broker import BrokerConfig
from ..ports import Env
from ..quotas.mutations import MutationCharge, MutationQuotas
from ..quotas.rate import Window
from . import commands, partition_commands
from .acl_changes import CreateAcls, DeleteAcls, decide_create_acls, decide_delete_acls
from .alter_partition import decide_alter_partition
from .commands import AnswerT, Command, Decision
from .config_changes import allows_unclean_elections, decide_alter_configs
from .directories import decide_assign_replicas_to_dirs
from .effective import broker_config, topic_defaults, with_overrides
from .elections import (
    decide_balance_leaders,
    decide_elect_leaders,
    decide_elect_unclean_leaders,
)
from .feature_updates import decide_update_features
from .features import decide_bootstrap
from .heartbeats import BrokerSessions
from .image import ClusterImage
from .leaders import Rules, RulesOf
from .liveness import decide_fence_expired, decide_heartbeat
from .producer_ids import decide_allocate_producer_ids
from .quota_changes import decide_alter_client_quotas
from .reassignments import decide_alter_reassignments, decide_list_reassignments
from .registration import (
    decide_fence_broker,
    decide_register_broker,
    decide_register_controller,
    decide_stop_broker,
    decide_unfence_broker,
    decide_unregister_broker,
)
from .relinquishing import Relinquished
from .scram_changes import decide_alter_scram_credentials
from .situation import FixedQuorum, QuorumFeature, Situation
from .topic_creation import Charge, Context, decide_create_partitions, decide_create_topics
from .topic_deletion import decide_delete_topics

Decide = Callable[[Any, Situation], Decision[Any]]
"""Decides one kind of command."""


class Controller:
    """Decides over one image of the cluster."""

    def __init__(
        self,
        image: ClusterImage,
        static: BrokerConfig,
        env: Env,
        node_id: int,
        quorum: QuorumFeature | None = None,
        relinquished: Relinquished | None = None,
    ) -> None:
        """`quorum` is asked about its own feature, `kraft.version`; without it the level is fixed.

        `relinquished` has the recent hand-overs that are already known (501-13).
        """
        self.image = image
        self._quorum = quorum or FixedQuorum()
        self.sessions = BrokerSessions(
            static.broker_session_timeout_ms, static.broker_connection_loss_grace_ms
        )
        cooldown_ms = static.follower_fetch_relinquish_cooldown_ms
        self.relinquished = Relinquished(cooldown_ms) if relinquished is None else relinquished
        self._mutations = MutationQuotas(
            Window(
                static.controller_quota_window_num,
                static.controller_quota_window_size_seconds * 1000.0,
            ),
            static.quota_counters_max_per_user,
        )
        self._static = static
        self._env = env
        self._node_id = node_id
        self._decide: dict[type, Decide] = {
            commands.RegisterController: lambda command, at: decide_register_controller(
                command, at.image
            ),
            commands.RegisterBroker: decide_register_broker,
            commands.UnfenceBroker: decide_unfence_broker,
            commands.FenceBroker: decide_fence_broker,
            commands.StopBroker: decide_stop_broker,
            commands.UnregisterBroker: decide_unregister_broker,
            commands.BrokerHeartbeat: decide_heartbeat,
            commands.FenceExpired: decide_fence_expired,
            commands.WriteNoOp: lambda _, __: Decision([NoOpRecord()], None),
            commands.DeleteTopics: lambda command, at: decide_delete_topics(
                command, at.image, self._charge(command.charge, at.now_ms)
            ),
            commands.UpdateFeatures: decide_update_features,
            commands.AlterClientQuotas: lambda command, at: decide_alter_client_quotas(
                command, at.image
            ),
            commands.AllocateProducerIds: lambda command, at: decide_allocate_producer_ids(
                command, at.image
            ),
            partition_commands.AlterPartition: decide_alter_partition,
            partition_commands.ElectLeaders: decide_elect_leaders,
            partition_commands.BalanceLeaders: decide_balance_leaders,
            partition_commands.ElectUncleanLeaders: decide_elect_unclean_leaders,
            partition_commands.AlterPartitionReassignments: decide_alter_reassignments,
            partition_commands.ListPartitionReassignments: decide_list_reassignments,
            partition_commands.AssignReplicasToDirs: decide_assign_replicas_to_dirs,
            commands.Bootstrap: lambda command, _: decide_bootstrap(command, image, static),
            commands.AlterScramCredentials: lambda command, at: decide_alter_scram_credentials(
                command, at.image
            ),
            commands.CreateTopics: self._create_topics,
            commands.CreatePartitions: self._create_partitions,
            commands.AlterConfigs: self._alter_configs,
            CreateAcls: lambda command, at: decide_create_acls(command, at.image, env),
            DeleteAcls: lambda command, at: decide_delete_acls(command, at.image),
        }

    def begin_reign(self, now_ms: float, suspect: int = -1) -> None:
        """This controller becomes the active one; `now_ms` is of the monotonic clock.

        `suspect` is the node that was active before it, -1 for none.
        """
        self.sessions.begin_reign(self.image, now_ms, suspect)

    def decide(self, command: Command[AnswerT], now_ms: float) -> Decision[AnswerT]:
        """The records that carry out `command`, and its answer.

        `now_ms` is the monotonic clock; decisions about liveness depend on it.
        Raises KafkaError when the command is refused as a whole.
        """
        situation = self._situation(self.image, now_ms)
        return self._decide[type(command)](command, situation)

    def apply(self, record: Message, offset: int) -> None:
        """Take in a record that was decided here or read from the log."""
        self.image.apply(record, offset)

    def _situation(self, image: ClusterImage, now_ms: float) -> Situation:
        rules_of = self._rules_of(image)
        return Situation(
            image, self._static, self.sessions, self.relinquished, rules_of, now_ms, self._quorum
        )

    def _rules_of(self, image: ClusterImage) -> RulesOf:
        """The rules for the partitions of a topic by which leaders are chosen."""
        known: dict[str, Rules] = {}

        def rules(topic: str) -> Rules:
            if topic not in known:
                defaults = topic_defaults(self._static, image, self._node_id)
                config = with_overrides(defaults, image, topic)
                known[topic] = Rules(
                    elr=image.is_elr_enabled,
                    unclean=config.unclean_leader_election_enable,
                    min_insync_replicas=config.min_insync_replicas,
                )
            return known[topic]

        return rules

    def _effective(self) -> BrokerConfig:
        return broker_config(self._static, self.image, self._node_id)

    def _context(self, charge: MutationCharge | None, now_ms: float) -> Context:
        return Context(self.image, self._effective(), self._env, self._charge(charge, now_ms))

    def _charge(self, charge: MutationCharge | None, now_ms: float) -> Charge:
        if charge is None:
            return lambda count: None
        table = self.image.security.quota_table
        return lambda count: self._mutations.take(charge, count, table, now_ms)

    def _create_topics(
        self, command: commands.CreateTopics, at: Situation
    ) -> Decision[list[commands.TopicCreated]]:
        return decide_create_topics(command, self._context(command.charge, at.now_ms))

    def _create_partitions(
        self, command: commands.CreatePartitions, at: Situation
    ) -> Decision[list[commands.Outcome]]:
        return decide_create_partitions(command, self._context(command.charge, at.now_ms))

    def _alter_configs(
        self, command: commands.AlterConfigs, situation: Situation
    ) -> Decision[list[commands.Outcome]]:
        decision = decide_alter_configs(command, self.image, self._effective())
        if not allows_unclean_elections(decision.records):
            return decision
        # Whoever allows them has partitions without a leader and does not want to wait (966-05).
        ahead = self.image.copy()
        for offset, record in enumerate(decision.records, ahead.last_offset + 1):
            ahead.apply(record, offset)
        elected = decide_elect_unclean_leaders(
            partition_commands.ElectUncleanLeaders(), self._situation(ahead, situation.now_ms)
        )
        return Decision([*decision.records, *elected.records], decision.answer)
