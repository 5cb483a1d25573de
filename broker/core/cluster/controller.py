"""The controller: `decide(command, now)` says what should be so, `apply(record)` makes it so.

`decide` changes nothing of the image; its records do, once they are in the metadata log, by the
same `apply` on every node and at start. The controller's image runs ahead of what is durable by the
records that it has just decided, so that several commands can share one write and one fsync;
answers are given, and brokers told, only after that.

What is never written: who was heard when (`sessions`), of one reign of one active controller, which
`begin_reign` starts anew; and who gave which leadership away (`relinquished`), over all reigns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..config.broker import BrokerConfig
from . import commands
from .commands import Decision
from .effective import broker_config, topic_defaults, with_overrides
from .features import decide_bootstrap
from .heartbeats import BrokerSessions
from .image import ClusterImage
from .leaders import Rules, RulesOf
from .registration import (
    decide_fence_broker,
    decide_register_broker,
    decide_register_controller,
    decide_stop_broker,
    decide_unfence_broker,
    decide_unregister_broker,
)
from .relinquishing import Relinquished
from .situation import FixedQuorum, QuorumFeature, Situation

if TYPE_CHECKING:
    from collections.abc import Callable

    from barnabas.protocol.message import Message

    from ..ports import Env
    from .topic_creation import Context

    Decide = Callable[[Any, Situation], Decision]


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
        """`quorum`: whose own feature may be raised; without it that stays as it is.

        `relinquished`: what is known of hand-overs already (501-13).
        """
        self.image = image
        self._quorum = quorum or FixedQuorum()
        self.sessions = BrokerSessions(
            static.broker_session_timeout_ms, static.broker_connection_loss_grace_ms
        )
        cooldown_ms = static.follower_fetch_relinquish_cooldown_ms
        self.relinquished = Relinquished(cooldown_ms) if relinquished is None else relinquished
        self._static = static
        self._env = env
        self._node_id = node_id
        # What no start needs is imported with the first command that does.
        self._decide: dict[type, Decide] = {
            commands.Bootstrap: lambda command, _: decide_bootstrap(command, image, static),
            commands.RegisterController: lambda command, _: decide_register_controller(
                command, image
            ),
            commands.RegisterBroker: decide_register_broker,
            commands.UnfenceBroker: decide_unfence_broker,
            commands.FenceBroker: decide_fence_broker,
            commands.StopBroker: decide_stop_broker,
            commands.UnregisterBroker: decide_unregister_broker,
            commands.BrokerHeartbeat: _heartbeat,
            commands.FenceExpired: _fence_expired,
            commands.WriteNoOp: _write_no_op,
            commands.CreateTopics: self._create_topics,
            commands.CreatePartitions: self._create_partitions,
            commands.DeleteTopics: _delete_topics,
            commands.AlterConfigs: self._alter_configs,
            commands.UpdateFeatures: _update_features,
            commands.AllocateProducerIds: _allocate_producer_ids,
        }

    def begin_reign(self, now_ms: float, suspect: int = -1) -> None:
        """This controller is the active one from now on; `now_ms` is of the monotonic clock.

        `suspect`: the node that was the active one before, -1 for none.
        """
        self.sessions.begin_reign(self.image, now_ms, suspect)

    def decide(self, command: Any, now_ms: float) -> Decision:
        """The records that carry out `command`, and its answer.

        `now_ms` is the monotonic clock; decisions about liveness depend on it.
        Raises KafkaError when the command is refused as a whole.
        """
        situation = self._situation(self.image, now_ms)
        decide = self._decide.get(type(command))
        if decide is None:
            from .partition_decisions import DECIDE

            self._decide.update(DECIDE)
            decide = self._decide[type(command)]
        return decide(command, situation)

    def apply(self, record: Message, offset: int) -> None:
        """Take in a record that was decided here or read from the log."""
        self.image.apply(record, offset)

    def _situation(self, image: ClusterImage, now_ms: float) -> Situation:
        rules_of = self._rules_of(image)
        return Situation(
            image, self._static, self.sessions, self.relinquished, rules_of, now_ms, self._quorum
        )

    def _rules_of(self, image: ClusterImage) -> RulesOf:
        """What holds for partitions of a topic when leaders are chosen."""
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

    def _context(self) -> Context:
        from .topic_creation import Context

        return Context(self.image, self._effective(), self._env)

    def _create_topics(self, command: commands.CreateTopics, _: Situation) -> Decision:
        from .topic_creation import decide_create_topics

        return decide_create_topics(command, self._context())

    def _create_partitions(self, command: commands.CreatePartitions, _: Situation) -> Decision:
        from .topic_creation import decide_create_partitions

        return decide_create_partitions(command, self._context())

    def _alter_configs(self, command: commands.AlterConfigs, situation: Situation) -> Decision:
        from .config_changes import allows_unclean_elections, decide_alter_configs

        decision = decide_alter_configs(command, self.image, self._effective())
        if not allows_unclean_elections(decision.records):
            return decision
        # Whoever allows them has partitions without a leader, and does not want to wait (966-05).
        from .elections import decide_elect_unclean_leaders
        from .partition_commands import ElectUncleanLeaders

        ahead = self.image.copy()
        for offset, record in enumerate(decision.records, ahead.last_offset + 1):
            ahead.apply(record, offset)
        elected = decide_elect_unclean_leaders(
            ElectUncleanLeaders(), self._situation(ahead, situation.now_ms)
        )
        return Decision([*decision.records, *elected.records], decision.answer)


def _heartbeat(command: commands.BrokerHeartbeat, situation: Situation) -> Decision:
    from .liveness import decide_heartbeat

    return decide_heartbeat(command, situation)


def _fence_expired(command: commands.FenceExpired, situation: Situation) -> Decision:
    from .liveness import decide_fence_expired

    return decide_fence_expired(command, situation)


def _write_no_op(command: commands.WriteNoOp, situation: Situation) -> Decision:
    from barnabas.protocol.messages.no_op_record import NoOpRecord

    del command, situation
    return Decision([NoOpRecord()])


def _delete_topics(command: commands.DeleteTopics, situation: Situation) -> Decision:
    from .topic_deletion import decide_delete_topics

    return decide_delete_topics(command, situation.image)


def _update_features(command: commands.UpdateFeatures, situation: Situation) -> Decision:
    from .feature_updates import decide_update_features

    return decide_update_features(command, situation)


def _allocate_producer_ids(command: commands.AllocateProducerIds, situation: Situation) -> Decision:
    from .producer_ids import decide_allocate_producer_ids

    return decide_allocate_producer_ids(command, situation.image)
