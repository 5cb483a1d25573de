"""Classic groups under any sequence of requests, time, failed appends and moves of the shard."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from kit.classic_groups import Counted, Scene, subscription
from kit.examples import examples

from barnabas.broker.core.coordination.groups.classic.classic_group import ClassicGroup
from barnabas.broker.core.coordination.groups.classic.states import GroupState
from barnabas.protocol.errors import ErrorCode

LONG_MS = 20_000
LONGEST_MS = 4_000_000

PROTOCOLS = st.sampled_from(
    [
        {"range": subscription("t")},
        {"range": subscription("t", "u"), "sticky": b"s"},
        {"sticky": b"s", "range": subscription("t")},
        {"other": b""},
    ]
)
SESSIONS_MS = st.sampled_from([6_000, 30_000])
REBALANCES_MS = st.sampled_from([0, 1_000, 40_000])
GROUPS = st.sampled_from(["g", "h"])
CODES = st.sampled_from([ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.UNKNOWN_SERVER_ERROR])


class ClassicModel(RuleBasedStateMachine):
    """A shard, and clients that know whatever they were told, however long ago."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene(group_max_size=4)
        self.scene.shard.commits_at_once = False
        self.replies: list[Counted[Any]] = []
        self.ids: list[tuple[str, str]] = [("g", "nobody"), ("h", "nobody")]
        """Group and member id, of all answers that there were."""
        self.generations: dict[ClassicGroup, int] = {}
        self.has_lost = False
        """A record was lost: an empty group may be known to nobody but this coordinator."""

    def _learn(self) -> None:
        for group in self._groups():
            for known in (*group.roster.pending, *(one.member_id for one in group.roster)):
                if (group.group_id, known) not in self.ids:
                    self.ids.append((group.group_id, known))

    def _groups(self) -> list[ClassicGroup]:
        found = self.scene.around.groups.values()
        return [one for one in found if isinstance(one, ClassicGroup)]

    def _known(self, data: st.DataObject) -> tuple[str, str]:
        return data.draw(st.sampled_from(self.ids[-12:]))

    def _generation(self, group_id: str, data: st.DataObject) -> int:
        found = self.scene.classic.find(group_id)
        return (0 if found is None else found.generation) + data.draw(
            st.sampled_from([0, 0, 0, -1])
        )

    # --- requests -------------------------------------------------------------------------------

    @rule(
        group=GROUPS,
        instance=st.sampled_from([None, None, "i", "j"]),
        version=st.sampled_from([0, 3, 4, 8, 9]),
        protocols=PROTOCOLS,
        session_ms=SESSIONS_MS,
        rebalance_ms=REBALANCES_MS,
    )
    def join_unknown(self, version: int, **fields: Any) -> None:
        self.replies.append(self.scene.join(version=version, **fields))
        self._learn()

    @rule(data=st.data(), protocols=PROTOCOLS, session_ms=SESSIONS_MS, rebalance_ms=REBALANCES_MS)
    def join_known(self, data: st.DataObject, **fields: Any) -> None:
        group, member_id = self._known(data)
        self.replies.append(self.scene.join(member_id, group=group, **fields))

    @rule(group=GROUPS)
    def all_join(self, group: str) -> None:
        """What well-behaved clients do: all of them come, pending ones too."""
        found = self.scene.classic.find(group)
        if found is None:
            return
        for member in list(found.roster):
            protocols = dict(member.terms.protocols)
            self.replies.append(self.scene.join(member.member_id, group=group, protocols=protocols))
        for member_id in list(found.roster.pending):
            self.replies.append(self.scene.join(member_id, group=group))

    @rule(group=GROUPS)
    def all_sync(self, group: str) -> None:
        """The same for SyncGroup; the leader assigns something new."""
        found = self.scene.classic.find(group)
        if found is None:
            return
        ids = [one.member_id for one in found.roster]
        plan = {one: f"{found.generation} {one}".encode() for one in ids}
        for one in ids:
            reply = self.scene.sync(
                one, found.generation, plan, group=group, protocol=found.protocol_name
            )
            self.replies.append(reply)

    @rule(group=GROUPS, is_committed=st.sampled_from([True, True, False]))
    def settle(self, group: str, *, is_committed: bool) -> None:
        """All goes well for a while, so that much begins from a stable group."""
        for instance in ("i", None):
            if self.scene.classic.find(group) is None or instance is not None:
                self.replies.append(self.scene.join(group=group, instance=instance, version=9))
        self.scene.advance(6_000)
        self.all_join(group)
        self.scene.shard.commit()
        self.all_sync(group)
        if is_committed:
            self.scene.shard.commit()
        self._learn()

    @rule(group=GROUPS, instance=st.sampled_from(["i", "j"]), version=st.sampled_from([8, 9]))
    def static_member_starts_again(self, group: str, instance: str, version: int) -> None:
        self.replies.append(self.scene.join(group=group, instance=instance, version=version))
        self._learn()

    @rule(data=st.data())
    def sync(self, data: st.DataObject) -> None:
        group, member_id = self._known(data)
        generation = self._generation(group, data)
        self.replies.append(self.scene.sync(member_id, generation, {}, group=group, protocol=None))

    @rule(data=st.data())
    def heartbeat(self, data: st.DataObject) -> None:
        group, member_id = self._known(data)
        code = self.scene.heartbeat(member_id, self._generation(group, data), group=group)
        assert code in (0, 22, 25, 27)

    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        group, member_id = self._known(data)
        assert self.scene.leave(member_id, group=group)[0] in (0, 25)

    @rule(group=GROUPS)
    def leave_by_instance(self, group: str) -> None:
        assert self.scene.leave(("", "i"), ("", "j"), group=group)

    # --- what happens to it ---------------------------------------------------------------------

    @rule(by_ms=st.sampled_from([0, 500, 3_000, 6_000, LONG_MS]))
    def advance(self, by_ms: int) -> None:
        self.scene.advance(by_ms)

    @rule()
    def committed(self) -> None:
        self.scene.shard.commit()

    @precondition(lambda self: self.scene.shard.committed < len(self.scene.shard.log))
    @rule(code=CODES)
    def lost(self, code: ErrorCode) -> None:
        self.has_lost = True
        self.scene.shard.fail(code)

    @rule(really=st.sampled_from([True, False, False]))
    def moved(self, *, really: bool) -> None:
        """The shard goes to another broker, with what is committed."""
        if not really:
            return
        self.scene.shard.fail(ErrorCode.NOT_COORDINATOR)
        self.scene.machine.on_unloaded()
        assert all(one.count == 1 for one in self.replies)
        assert not self.scene.shard.timers.due
        self.scene = self.scene.restarted(group_max_size=4)
        self.scene.shard.commits_at_once = False
        self.has_lost = False

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def nobody_is_answered_twice(self) -> None:
        assert all(one.count <= 1 for one in self.replies)

    @invariant()
    def waiting_is_counted(self) -> None:
        waiting = sum(1 for one in self.replies if not one.count)
        kept = [m for g in self._groups() for m in g.roster]
        assert waiting == sum((m.joining is not None) + (m.syncing is not None) for m in kept)

    @invariant()
    def groups_are_whole(self) -> None:
        for group in self._groups():
            _check_members(group)
            _check_timers(group, self.scene)
            assert self.generations.get(group, 0) <= group.generation
            self.generations[group] = group.generation

    @invariant()
    def log_says_the_same(self) -> None:
        """A stable group is in the log as it is here; an empty one too, unless that was lost."""
        if self.scene.shard.committed < len(self.scene.shard.log):
            return
        states = (GroupState.STABLE,) if self.has_lost else (GroupState.STABLE, GroupState.EMPTY)
        settled = [group for group in self._groups() if group.state in states]
        if not settled:
            return
        other = self.scene.restarted()
        for group in settled:
            there, here = other.described(group.group_id), self.scene.described(group.group_id)
            there.members.sort(key=lambda one: one.member_id)
            here.members.sort(key=lambda one: one.member_id)
            assert there == here
            assert other.group(group.group_id).generation == group.generation

    def teardown(self) -> None:
        """Everybody falls silent: in the end all are answered, and all groups are empty."""
        self.scene.shard.commit()
        self.scene.shard.commits_at_once = True
        self.scene.advance(LONGEST_MS)
        assert all(one.count == 1 for one in self.replies)
        assert all(group.state is GroupState.EMPTY for group in self._groups())
        assert all(not group.roster.weight_bytes for group in self._groups())
        assert not self.scene.shard.timers.due


def _check_members(group: ClassicGroup) -> None:
    roster, state = group.roster, group.state
    members = list(roster)
    assert state is not GroupState.DEAD
    assert roster.joining_count == sum(1 for one in members if one.joining is not None)
    assert roster.weight_bytes == sum(one.weight for one in members)
    assert roster.unsynced <= {one.member_id for one in members}
    assert not set(roster.pending) & {one.member_id for one in members}
    assert state is not GroupState.EMPTY or not members
    assert state not in (GroupState.STABLE, GroupState.COMPLETING) or members
    for one in members:
        assert one.joining is None or one.syncing is None
        assert one.syncing is None or state is GroupState.COMPLETING
        if one.joining is not None:
            # A static member that came back waits for its record in a stable group.
            assert state is GroupState.PREPARING or (one.is_static and state is GroupState.STABLE)
        if one.instance_id is not None:
            assert roster.static_id(one.instance_id) == one.member_id
    if state in (GroupState.STABLE, GroupState.COMPLETING):
        assert roster.get(group.leader_id or "") is not None
        assert all(group.protocol_name in one.terms.protocols for one in members)


def _check_timers(group: ClassicGroup, scene: Scene) -> None:
    due = scene.shard.timers.due
    for member_id in (*group.roster.pending, *(one.member_id for one in group.roster)):
        assert ("session", group.group_id, member_id) in due
    assert (("join", group.group_id) in due) == (group.state is GroupState.PREPARING)
    has_generation = group.state in (GroupState.STABLE, GroupState.COMPLETING)
    if group.roster.unsynced and has_generation:
        assert ("sync", group.group_id) in due


TestClassicModel = ClassicModel.TestCase
TestClassicModel.settings = settings(
    max_examples=examples(60),
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
