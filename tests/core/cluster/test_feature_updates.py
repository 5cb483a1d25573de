"""UpdateFeatures: all or none, at levels that every node knows (KIP-584, KIP-778)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kit.controllers import Cluster, register

from barnabas.broker.core.cluster.broker_image import Endpoint, FeatureRange
from barnabas.broker.core.cluster.commands import (
    SAFE_DOWNGRADE,
    SET,
    UNSAFE_DOWNGRADE,
    UPGRADE,
    AlterConfigs,
    ConfigChange,
    FeatureUpdate,
    RegisterController,
    ResourceChange,
    UpdateFeatures,
)
from barnabas.broker.core.cluster.controller import Controller
from barnabas.broker.core.cluster.features import SUPPORTED
from barnabas.broker.core.cluster.partition_commands import ElectLeaders
from barnabas.broker.core.cluster.topic_image import NO_LEADER, RECOVERING
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

ELR = "eligible.leader.replicas.version"
OLD = tuple(
    one._replace(maximum=0) if one.name == "transaction.version" else one for one in SUPPORTED
)


def update(name: str, level: int, kind: int = UPGRADE) -> UpdateFeatures:
    return UpdateFeatures((FeatureUpdate(name, level, kind),))


def reason(cluster: Cluster, command: UpdateFeatures) -> str:
    with pytest.raises(KafkaError) as caught:
        cluster.decide(command)
    assert caught.value.code == ErrorCode.INVALID_UPDATE_VERSION
    return caught.value.message or ""


def test_a_level_goes_down_and_up() -> None:
    cluster = Cluster(1)
    cluster.do(update("transaction.version", 0, SAFE_DOWNGRADE))
    assert "transaction.version" not in cluster.image.features
    cluster.do(update("group.version", 0, UNSAFE_DOWNGRADE))
    assert "group.version" not in cluster.image.features
    cluster.do(update("transaction.version", 1))
    assert cluster.image.features["transaction.version"] == 1
    assert cluster.decide(update("transaction.version", 1))[0] == []


def test_transactions_begin_at_level_2_and_change_step_by_step() -> None:
    """As a new cluster of Kafka 4.3 has it; down to either level and up again (KIP-890)."""
    cluster = Cluster(1)
    assert cluster.image.features["transaction.version"] == 2
    for level, kind in ((1, SAFE_DOWNGRADE), (2, UPGRADE), (0, UNSAFE_DOWNGRADE), (2, UPGRADE)):
        cluster.do(update("transaction.version", level, kind))
        assert cluster.image.features.get("transaction.version", 0) == level
    assert "versions 0-2" in reason(cluster, update("transaction.version", 3))


def test_only_checking_writes_nothing() -> None:
    cluster = Cluster(1)
    command = replace(update("group.version", 0, SAFE_DOWNGRADE), validate_only=True)
    assert cluster.decide(command)[0] == []


def test_the_kind_of_change_must_be_right() -> None:
    cluster = Cluster(1)
    assert "without setting the upgrade type" in reason(cluster, update("transaction.version", 0))
    cluster.do(update("transaction.version", 0, SAFE_DOWNGRADE))
    assert "newer version" in reason(cluster, update("transaction.version", 1, SAFE_DOWNGRADE))
    assert "given upgrade type" in reason(cluster, update("transaction.version", 1, 9))
    assert "less than 0" in reason(cluster, update("transaction.version", -1, SAFE_DOWNGRADE))


@pytest.mark.parametrize("kind", [UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE])
@pytest.mark.parametrize(("name", "level"), [("metadata.version", 0), ("kraft.version", 9)])
def test_what_nobody_knows_is_said_first(name: str, level: int, kind: int) -> None:
    """Whether it goes up or down does not matter then."""
    assert "only supports versions" in reason(Cluster(1), update(name, level, kind))


def test_one_bad_update_refuses_all() -> None:
    cluster = Cluster(1)
    good = FeatureUpdate("group.version", 0, SAFE_DOWNGRADE)
    unknown = FeatureUpdate("no.such.version", 1)
    assert "does not support" in reason(cluster, UpdateFeatures((good, unknown)))
    assert cluster.refusal(UpdateFeatures((good, good))) == ErrorCode.INVALID_REQUEST
    assert cluster.image.features["group.version"] == 1


def test_every_registered_node_must_know_the_level() -> None:
    """Brokers that are fenced count as well, and controllers: they come back."""
    raised = update("transaction.version", 1)
    cluster = Cluster(1)
    cluster.do(update("transaction.version", 0, SAFE_DOWNGRADE))
    cluster.do(replace(register(2), features=OLD))
    assert reason(cluster, raised).endswith("Broker 2 only supports versions 0-0")
    other = Cluster(1)
    other.do(update("transaction.version", 0, SAFE_DOWNGRADE))
    endpoint = Endpoint("CONTROLLER", "localhost", 9093)
    other.do(RegisterController(7, b"i" * 16, (endpoint,), OLD))
    assert reason(other, raised).endswith("Controller 7 only supports versions 0-0")


def test_who_cannot_work_at_the_levels_may_not_join() -> None:
    """A broker or controller that does not know a finalised level is refused (35)."""
    cluster = Cluster(1)
    assert cluster.refusal(replace(register(2), features=OLD)) == ErrorCode.UNSUPPORTED_VERSION
    without = tuple(one for one in SUPPORTED if one.name != "metadata.version")
    assert cluster.refusal(replace(register(2), features=without)) == ErrorCode.UNSUPPORTED_VERSION
    controller = RegisterController(7, b"i" * 16, (), (FeatureRange("group.version", 0, 1),))
    assert cluster.refusal(controller) == ErrorCode.UNSUPPORTED_VERSION


def test_a_controller_that_says_the_same_again_writes_nothing() -> None:
    cluster = Cluster(1)
    controller = RegisterController(7, b"i" * 16, (), SUPPORTED)
    cluster.do(controller)
    assert cluster.decide(controller)[0] == []
    assert len(cluster.decide(replace(controller, incarnation_id=b"j" * 16))[0]) == 1


def test_the_metadata_version_does_not_drop_what_is_written() -> None:
    cluster = Cluster(1)
    level = cluster.image.metadata_version
    for kind in (SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        text = reason(cluster, update("metadata.version", level - 1, kind))
        assert "might delete metadata" in text
    assert "only supports versions" in reason(cluster, update("metadata.version", level + 1))


def test_with_elr_min_insync_is_one_value_of_the_cluster() -> None:
    """966-02: switched on, the brokers' own values go and the cluster's is written down."""
    cluster = Cluster(1, elr=False)
    change = ConfigChange("min.insync.replicas", SET, "2")
    cluster.do(AlterConfigs((ResourceChange(4, "1", (change,)),)))
    cluster.do(update(ELR, 1))
    assert cluster.image.is_elr_enabled
    assert cluster.image.config_of(4, "")["min.insync.replicas"] == "1"
    assert cluster.image.config_of(4, "1") == {}


def test_switched_off_the_eligible_are_the_isr() -> None:
    """966-04: what was complete still is; the first of them to come back leads."""
    cluster = Cluster(2, min_insync_replicas=2)
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(1, 2)
    assert (cluster.partition().isr, cluster.partition().elr) == ((), (1, 2))
    cluster.do(update(ELR, 0, SAFE_DOWNGRADE))
    assert (cluster.partition().isr, cluster.partition().elr) == ((1, 2), ())
    cluster.unfence(2)
    assert (cluster.partition().leader, cluster.partition().isr) == (2, (2,))
    assert cluster.replayed() == cluster.image


def test_switched_off_the_last_known_leader_is_the_isr_where_nobody_is_eligible() -> None:
    """966-03, 966-04: after an unclean stop it is the only candidate, and remains it."""
    cluster = Cluster(2)
    cluster.create("t", assignments=((0, (1,)),))
    cluster.fence(1)
    cluster.do(register(1, incarnation=9))
    before = cluster.partition()
    assert (before.isr, before.elr, before.last_known_elr) == ((), (), (1,))
    cluster.do(update(ELR, 0, SAFE_DOWNGRADE))
    now = cluster.partition()
    assert (now.isr, now.elr, now.last_known_elr) == ((1,), (), ())
    cluster.unfence(1)
    assert (cluster.partition().leader, cluster.partition().isr) == (1, (1,))
    assert cluster.replayed() == cluster.image


def test_switched_on_an_unclean_stop_leaves_the_last_known_leader() -> None:
    """966-03, 966-04: the last member, which stayed in the ISR while ELR was off, loses that place
    when it registers; it is still who led last, and leads in recovery."""
    cluster = Cluster(2, elr=False)
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(2, 1)
    assert cluster.partition().isr == (1,)
    cluster.do(update(ELR, 1))
    cluster.do(register(1, incarnation=9))
    now = cluster.partition()
    assert (now.isr, now.elr, now.last_known_elr) == ((), (), (1,))
    cluster.unfence(2)
    assert cluster.partition().leader == NO_LEADER, "it may lack records"
    cluster.unfence(1)
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (1, (1,), RECOVERING)
    assert cluster.replayed() == cluster.image


def test_switched_on_a_clean_stop_leaves_an_eligible_replica() -> None:
    """966-02: nothing was lost."""
    cluster = Cluster(1, elr=False)
    cluster.create("t", assignments=((0, (1,)),))
    cluster.fence(1)
    cluster.do(update(ELR, 1))
    cluster.do(register(1, incarnation=9, previous_epoch=cluster.epoch(1)))
    assert cluster.partition().elr == (1,)
    cluster.unfence(1)
    assert (cluster.partition().leader, cluster.partition().isr) == (1, (1,))


def test_without_elr_nobody_gets_into_an_isr_in_which_nobody_is() -> None:
    """966-05: a partition whose candidates are all unknown, as another controller may leave it,
    gets a leader by an unclean election alone."""
    cluster = Cluster(2, elr=False)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(1, 2)
    nobody = PartitionChangeRecord(partition_id=0, topic_id=topic_id, isr=[])
    cluster.controller.apply(nobody, cluster.image.last_offset + 1)
    for _ in range(2):
        cluster.unfence(1, 2)
        assert (cluster.partition().leader, cluster.partition().isr) == (NO_LEADER, ())
        cluster.fence(1, 2)
    cluster.unfence(2)
    cluster.do(ElectLeaders(1, (("t", 0),)))
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (2, (2,), RECOVERING)


class FakeQuorum:
    """The quorum at a level; `in_the_way` says why it cannot rise."""

    def __init__(self, level: int, in_the_way: str | None = None) -> None:
        self.kraft_version = level
        self.in_the_way = in_the_way

    def kraft_version_obstacle(self, level: int) -> str | None:
        assert level > self.kraft_version
        return self.in_the_way


def over(quorum: FakeQuorum) -> Cluster:
    """A cluster whose controller goes by that quorum."""
    cluster = Cluster(1)
    cluster.controller = Controller(cluster.image, cluster.config, cluster.env, 1, quorum)
    return cluster


def test_kraft_version_is_raised_by_the_quorum() -> None:
    """853-01: no record says it; other levels change after it."""
    command = UpdateFeatures(
        (FeatureUpdate("kraft.version", 1), FeatureUpdate("group.version", 0, SAFE_DOWNGRADE))
    )
    controller = over(FakeQuorum(0)).controller
    decision = controller.decide(command, 0.0)
    assert (len(decision.records), decision.kraft_version) == (1, 1)
    checked = controller.decide(replace(command, validate_only=True), 0.0)
    assert (checked.records, checked.kraft_version) == ([], None)


def test_what_is_in_the_quorums_way_refuses_all() -> None:
    """853-01: INVALID_UPDATE_VERSION (95) with the quorum's own words."""
    cluster = over(FakeQuorum(0, "Voter 3 sleeps."))
    assert "Voter 3 sleeps." in reason(cluster, update("kraft.version", 1))


def test_kraft_version_never_falls() -> None:
    """853-01: as in Kafka, whatever kind of downgrade is meant; the level that stands is fine."""
    cluster = over(FakeQuorum(1))
    assert "upgrade type" in reason(cluster, update("kraft.version", 0))
    for kind in (SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        assert "Can't downgrade" in reason(cluster, update("kraft.version", 0, kind))
    decision = cluster.controller.decide(update("kraft.version", 1), 0.0)
    assert (decision.records, decision.kraft_version) == ([], None)
