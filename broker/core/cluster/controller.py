"""The controller: `decide(command, now)` says what should be so, `apply(record)` makes it so.

`decide` never changes anything; its records do, once they are in the metadata log, by the same
`apply` on every node and at start. The controller's image runs ahead of what is durable by the
records that it has just decided, so that several commands can share one write and one fsync;
answers are given, and brokers told, only after that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..config.broker import BrokerConfig
from . import commands
from .commands import Decision
from .effective import broker_config, topic_defaults, with_overrides
from .features import decide_bootstrap
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from barnabas.protocol.message import Message

    from ..ports import Env
    from .topic_creation import Context


class Controller:
    """Decides over one image of the cluster."""

    def __init__(self, image: ClusterImage, static: BrokerConfig, env: Env, node_id: int) -> None:
        self.image = image
        self._static = static
        self._env = env
        self._node_id = node_id
        self._active_since = image.last_offset + 1
        self._decide: dict[type, Callable[[Any], Decision]] = {
            commands.Bootstrap: lambda command: decide_bootstrap(command, image, static),
            commands.RegisterController: decide_register_controller,
            commands.RegisterBroker: self._register_broker,
            commands.UnfenceBroker: self._with_rules(decide_unfence_broker),
            commands.FenceBroker: self._with_rules(decide_fence_broker),
            commands.StopBroker: self._with_rules(decide_stop_broker),
            commands.UnregisterBroker: self._with_rules(decide_unregister_broker),
            commands.CreateTopics: self._create_topics,
            commands.CreatePartitions: self._create_partitions,
            commands.DeleteTopics: self._delete_topics,
            commands.AlterConfigs: self._alter_configs,
            commands.AllocateProducerIds: self._allocate_producer_ids,
        }

    def decide(self, command: Any, now_ms: float) -> Decision:
        """The records that carry out `command`, and its answer.

        `now_ms` is the monotonic clock; decisions about liveness depend on it.
        Raises KafkaError when the command is refused as a whole.
        """
        del now_ms
        return self._decide[type(command)](command)

    def apply(self, record: Message, offset: int) -> None:
        """Take in a record that was decided here or read from the log."""
        self.image.apply(record, offset)

    def rules_of(self) -> RulesOf:
        """What holds for partitions of a topic when leaders are chosen."""
        defaults = topic_defaults(self._static, self.image, self._node_id)

        def rules(topic: str) -> Rules:
            config = with_overrides(defaults, self.image, topic)
            return Rules(
                elr=self.image.is_elr_enabled,
                unclean=config.unclean_leader_election_enable,
                min_insync_replicas=config.min_insync_replicas,
            )

        return rules

    def _effective(self) -> BrokerConfig:
        return broker_config(self._static, self.image, self._node_id)

    # What no start needs is imported with the first command that does.

    def _context(self) -> Context:
        from .topic_creation import Context

        return Context(self.image, self._effective(), self._env)

    def _create_topics(self, command: commands.CreateTopics) -> Decision:
        from .topic_creation import decide_create_topics

        return decide_create_topics(command, self._context())

    def _create_partitions(self, command: commands.CreatePartitions) -> Decision:
        from .topic_creation import decide_create_partitions

        return decide_create_partitions(command, self._context())

    def _delete_topics(self, command: commands.DeleteTopics) -> Decision:
        from .topic_deletion import decide_delete_topics

        return decide_delete_topics(command, self.image)

    def _alter_configs(self, command: commands.AlterConfigs) -> Decision:
        from .config_changes import decide_alter_configs

        return decide_alter_configs(command, self.image, self._effective())

    def _allocate_producer_ids(self, command: commands.AllocateProducerIds) -> Decision:
        from .producer_ids import decide_allocate_producer_ids

        return decide_allocate_producer_ids(command, self.image)

    def _register_broker(self, command: commands.RegisterBroker) -> Decision:
        return decide_register_broker(command, self.image, self._active_since, self.rules_of())

    def _with_rules(
        self, decide: Callable[[Any, ClusterImage, RulesOf], Decision]
    ) -> Callable[[Any], Decision]:
        return lambda command: decide(command, self.image, self.rules_of())
