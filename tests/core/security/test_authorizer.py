"""Decisions about rights, against what Kafka's rules say one by one and against a plain reading."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.security.acl import Acl, AclFilter
from barnabas.broker.core.security.acl_index import AclIndex
from barnabas.broker.core.security.authorizer import (
    NAME_REMEMBERED_MAX,
    Authorizer,
    all_operations,
)
from barnabas.broker.core.security.principal import ANONYMOUS, THIS_NODE, Principal
from barnabas.broker.core.security.resources import (
    CLUSTER,
    Operation,
    PatternType,
    Permission,
    Resource,
    ResourceType,
)
from barnabas.broker.core.security.resources import group_resource as group
from barnabas.broker.core.security.resources import topic_resource as topic

ALICE = Principal("User", "alice")
HOST = "10.0.0.1"
ANY = AclFilter(1, None, 1, None, None, 1, 1)
L, P = PatternType.LITERAL, PatternType.PREFIXED
ALLOW, DENY = Permission.ALLOW, Permission.DENY


def acl(
    name: str,
    operation: int,
    *,
    kind: int = ResourceType.TOPIC,
    pattern: int = L,
    principal: str = "User:alice",
    host: str = "*",
    permission: int = ALLOW,
) -> Acl:
    return Acl(kind, name, pattern, principal, host, operation, permission)


def index_of(*acls: Acl) -> AclIndex:
    index = AclIndex()
    for number, one in enumerate(acls):
        index.add(number.to_bytes(16, "big"), one)
    return index


def authorizer(*acls: Acl, super_users: tuple[str, ...] = (), default: bool = False) -> Authorizer:
    index = index_of(*acls)
    return Authorizer(lambda: index, super_users=super_users, allows_without_acl=default)


@pytest.mark.parametrize(
    ("pattern", "name", "asked", "expected"),
    [
        (L, "walk", "walk", True),
        (L, "walk", "walk.t", False),
        (L, "*", "anything", True),
        (P, "walk.t", "walk.t", True),
        (P, "walk.t", "walk.tt", True),
        (P, "walk.tt", "walk.t", False),
        (P, "*", "anything", False),
        (P, "*", "*a", True),
        (P, "team-a", "team-ab", True),
        (P, "team-a", "team", False),
    ],
)
def test_resources_match(pattern: int, name: str, asked: str, expected: bool) -> None:
    """ACL-03, ATK-33: literal names, the star, and prefixes."""
    found = authorizer(acl(name, Operation.READ, pattern=pattern))
    assert found.may(ALICE, HOST, Operation.READ, topic(asked)) is expected


@pytest.mark.parametrize(
    ("principal", "asker", "expected"),
    [
        ("User:alice", ALICE, True),
        ("user:alice", ALICE, False),
        ("User:Alice", ALICE, False),
        ("Group:alice", ALICE, False),
        ("User:*", ALICE, True),
        ("User:*", ANONYMOUS, True),
        ("User:*", Principal("Service", "x"), True),
        ("User:ANONYMOUS", ANONYMOUS, True),
    ],
)
def test_principals_match(principal: str, asker: Principal, expected: bool) -> None:
    """ACL-04, ACL-17: letter by letter; `User:*` is everybody."""
    found = authorizer(acl("t", Operation.READ, principal=principal))
    assert found.may(asker, HOST, Operation.READ, topic("t")) is expected


@pytest.mark.parametrize(
    ("host", "asker", "expected"),
    [
        ("*", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("localhost", "127.0.0.1", False),
        ("::1", "127.0.0.1", False),
        ("0:0:0:0:0:0:0:1", "::1", True),
        ("127.0.0.1", "::ffff:127.0.0.1", True),
        ("10.0.0.0/8", "10.0.0.1", False),
        ("no:address", "no:address", True),
    ],
)
def test_hosts_match(host: str, asker: str, expected: bool) -> None:
    """ACL-05: addresses, in whichever of their texts; no names and no ranges."""
    found = authorizer(acl("t", Operation.READ, host=host))
    assert found.may(ALICE, asker, Operation.READ, topic("t")) is expected


def test_implied_operations() -> None:
    """ACL-07: what an ALLOW gives besides, and that a DENY is exact."""
    implied = {
        Operation.READ: {Operation.DESCRIBE},
        Operation.WRITE: {Operation.DESCRIBE},
        Operation.DELETE: {Operation.DESCRIBE},
        Operation.ALTER: {Operation.DESCRIBE},
        Operation.ALTER_CONFIGS: {Operation.DESCRIBE_CONFIGS},
        Operation.ALL: set(list(Operation)[3:]),
    }
    for given_, asked in itertools.product(list(Operation)[2:], list(Operation)[3:]):
        may = authorizer(acl("t", given_)).may(ALICE, HOST, asked, topic("t"))
        assert may is (asked == given_ or asked in implied.get(given_, ())), (given_, asked)
    read, deny_read = acl("t", Operation.READ), acl("t", Operation.READ, permission=DENY)
    deny_describe = acl("t", Operation.DESCRIBE, permission=DENY)
    deny_all = acl("t", Operation.ALL, permission=DENY)
    assert authorizer(read, deny_read).may(ALICE, HOST, Operation.DESCRIBE, topic("t"))
    assert not authorizer(read, deny_describe).may(ALICE, HOST, Operation.DESCRIBE, topic("t"))
    assert not authorizer(read, deny_all).may(ALICE, HOST, Operation.DESCRIBE, topic("t"))


def test_a_denial_beats_what_is_more_exact() -> None:
    """ACL-06, ATK-34: a prefixed DENY against a literal ALLOW, and a DENY of one address."""
    allowed = acl("walk.t", Operation.READ)
    denied = acl("walk", Operation.READ, pattern=P, permission=DENY)
    assert not authorizer(allowed, denied).may(ALICE, HOST, Operation.READ, topic("walk.t"))
    elsewhere = acl("walk.t", Operation.READ, permission=DENY, host="10.0.0.2")
    assert authorizer(allowed, elsewhere).may(ALICE, HOST, Operation.READ, topic("walk.t"))
    assert not authorizer(allowed, elsewhere).may(
        ALICE, "10.0.0.2", Operation.READ, topic("walk.t")
    )


def test_open_without_entries() -> None:
    """ACL-08: the default ends for everybody with any entry that covers the resource."""
    somebody = acl("wa", Operation.READ, pattern=P, principal="User:other")
    found = authorizer(somebody, default=True)
    assert found.may(ALICE, HOST, Operation.WRITE, topic("free"))
    assert found.may(ALICE, HOST, Operation.ALTER, CLUSTER)
    assert not found.may(ALICE, HOST, Operation.WRITE, topic("walk"))
    assert not authorizer(somebody).may(ALICE, HOST, Operation.WRITE, topic("free"))


def test_super_users() -> None:
    """ACL-09: they pass every denial; so does the node itself, which no connection can be."""
    denied = acl("*", Operation.ALL, principal="User:*", permission=DENY)
    found = authorizer(denied, super_users=("User:alice",))
    assert found.decide(ALICE, HOST, Operation.WRITE, topic("t")) == (True, "SuperUser")
    assert found.may(THIS_NODE, "", Operation.WRITE, topic("t"))
    assert not found.may(Principal("Node", "this"), "", Operation.WRITE, topic("t"))
    assert not found.may(Principal("User", "bob"), HOST, Operation.WRITE, topic("t"))


@pytest.mark.parametrize(
    ("acls", "expected"),
    [
        ([], False),
        ([acl("abc", Operation.WRITE)], True),
        ([acl("abc", Operation.ALL, pattern=P)], True),
        ([acl("abc", Operation.READ)], False),
        ([acl("abc", Operation.WRITE, kind=ResourceType.GROUP)], False),
        ([acl("abc", Operation.WRITE), acl("*", Operation.WRITE, permission=DENY)], False),
        ([acl("abc", Operation.WRITE), acl("abc", Operation.WRITE, permission=DENY)], False),
        (
            [
                acl("abc", Operation.WRITE, pattern=P),
                acl("ab", Operation.WRITE, pattern=P, permission=DENY),
            ],
            False,
        ),
        (
            [
                acl("abc", Operation.WRITE, pattern=P),
                acl("abc", Operation.WRITE, permission=DENY),
            ],
            True,
        ),
    ],
)
def test_something_of_a_kind(acls: list[Acl], expected: bool) -> None:
    """ACL-11: whether there can be a topic that somebody may write to."""
    found = authorizer(*acls)
    for _ in range(2):  # the second answer is the remembered one
        assert found.may_on_any(ALICE, HOST, Operation.WRITE, ResourceType.TOPIC) is expected
    assert not found.may_on_any(ANONYMOUS, HOST, Operation.WRITE, ResourceType.TOPIC)


def test_authorized_operations() -> None:
    """ACL-12: bits by the numbers of operations, of those that the kind has."""
    assert all_operations(ResourceType.TOPIC) == 3576
    assert all_operations(ResourceType.GROUP) == 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11
    assert all_operations(ResourceType.CLUSTER) == 8096
    found = authorizer(acl("kafka-cluster", Operation.DESCRIBE, kind=ResourceType.CLUSTER))
    assert found.operations(ALICE, HOST, CLUSTER) == 256


def test_answers_are_forgotten() -> None:
    """ACL-21: an entry that comes or goes counts at once, and so does another index."""
    index = AclIndex()
    indexes = [index]
    found = Authorizer(lambda: indexes[-1])
    rules = found.rules
    assert not found.may(ALICE, HOST, Operation.READ, topic("t"))
    assert found.rules is rules
    index.add(bytes(16), acl("t", Operation.READ))
    assert found.may(ALICE, HOST, Operation.READ, topic("t"))
    assert found.rules is not rules
    index.remove(bytes(16))
    assert not found.may(ALICE, HOST, Operation.READ, topic("t"))
    indexes.append(index_of(acl("t", Operation.READ)))
    assert found.may(ALICE, HOST, Operation.READ, topic("t"))


def test_memory_of_answers_is_bounded() -> None:
    """ACL-21: asking about ever new names forgets older answers, and changes none."""
    index = index_of(acl("t", Operation.READ, pattern=P))
    found = Authorizer(lambda: index, remembered_max=8)
    for number in range(50):
        assert found.may(ALICE, HOST, Operation.READ, topic(f"t{number}"))
    kept = sum(len(names) for slots in found._by_peer.values() for names in slots.values())
    assert kept <= 8
    long = "t" * (NAME_REMEMBERED_MAX + 1)
    for name in (long, long[1:]):
        assert found.may(ALICE, HOST, Operation.READ, topic(name))
    names = {name for slots in found._by_peer.values() for kept in slots.values() for name in kept}
    assert long[1:] in names
    assert long not in names


def test_filters() -> None:
    """ACL-14: patterns one by one, ANY, and MATCH for what would apply to a name."""
    acls = [
        acl("walk.t", Operation.READ),
        acl("walk", Operation.READ, pattern=P),
        acl("*", Operation.READ),
        acl("*", Operation.READ, principal="User:*"),
        acl("walk.t", Operation.WRITE, kind=ResourceType.GROUP),
    ]
    index = index_of(*acls)

    def find(**changes: object) -> list[int]:
        wanted = ANY._replace(**changes)  # type: ignore[arg-type]  # by name
        return [number[-1] for number, _ in index.matching(wanted)]

    assert find() == [0, 1, 2, 3, 4]
    assert find(kind=ResourceType.TOPIC, name="walk.t", pattern=PatternType.MATCH) == [0, 1, 2, 3]
    assert find(name="walk.t", pattern=PatternType.ANY) == [0, 4]
    assert find(name="walk.t", pattern=L) == [0, 4]
    assert find(name="walk.t", pattern=P) == []
    assert find(principal="User:*") == [3]
    assert find(operation=Operation.WRITE) == [4]
    assert find(permission=DENY) == []
    assert find(host="1.1.1.1") == []


NAMES = st.sampled_from(["a", "ab", "abc", "b", "*", "*a"])
ACLS = st.builds(
    Acl,
    st.sampled_from([ResourceType.TOPIC, ResourceType.GROUP]),
    NAMES,
    st.sampled_from([L, P]),
    st.sampled_from(["User:alice", "User:*", "User:bob"]),
    st.sampled_from(["*", HOST, "10.0.0.2"]),
    st.sampled_from([Operation.ALL, Operation.READ, Operation.WRITE, Operation.DESCRIBE]),
    st.sampled_from([ALLOW, DENY]),
)


def plainly(acls: list[Acl], operation: Operation, resource: Resource, default: bool) -> bool:
    """ACL-06 as it is written, entry by entry, for Alice at HOST."""
    about = [
        one
        for one in acls
        if one.kind == resource.kind
        and (
            one.name in (resource.name, "*")
            if one.pattern == L
            else resource.name.startswith(one.name)
        )
    ]
    mine = [
        one
        for one in about
        if one.principal in ("User:alice", "User:*") and one.host in ("*", HOST)
    ]
    enough = {Operation.ALL, operation}
    if any(one.permission == DENY and one.operation in enough for one in mine):
        return False
    if operation == Operation.DESCRIBE:
        enough |= {Operation.READ, Operation.WRITE, Operation.DELETE, Operation.ALTER}
    if any(one.permission == ALLOW and one.operation in enough for one in mine):
        return True
    return default and not about


@given(st.lists(ACLS, max_size=12), st.lists(st.integers(0, 11), max_size=6), st.booleans())
def test_decisions_are_those_of_the_rules(acls: list[Acl], gone: list[int], default: bool) -> None:
    """ACL-06: whatever came and went, each answer is that of a plain reading of what is left."""
    index = index_of(*acls)
    if gone:
        index = index.copy()
    for number in gone:
        index.remove(number.to_bytes(16, "big"))
    left = [one for number, one in enumerate(acls) if number not in gone]
    found = Authorizer(lambda: index, allows_without_acl=default)
    for make, name, operation in itertools.product(
        (topic, group),
        ("a", "ab", "abcd", "*", "*ab", "c"),
        (Operation.READ, Operation.DESCRIBE),
    ):
        resource = make(name)
        expected = plainly(left, operation, resource, default)
        assert found.may(ALICE, HOST, operation, resource) is expected
    assert index == index.copy()
    assert len(index) == len(left)


def test_numbers_are_those_of_the_log() -> None:
    """ACL-02: kinds, patterns, operations and permissions, as Kafka's records and requests have
    them; 0 and 1 are for filters."""
    of_filters = {"UNKNOWN": 0, "ANY": 1}
    kinds = "TOPIC GROUP CLUSTER TRANSACTIONAL_ID DELEGATION_TOKEN USER"
    operations = (
        "ALL READ WRITE CREATE DELETE ALTER DESCRIBE CLUSTER_ACTION DESCRIBE_CONFIGS ALTER_CONFIGS "
        "IDEMPOTENT_WRITE CREATE_TOKENS DESCRIBE_TOKENS TWO_PHASE_COMMIT"
    )
    for kind, names in (
        (ResourceType, kinds),
        (PatternType, "MATCH LITERAL PREFIXED"),
        (Operation, operations),
        (Permission, "DENY ALLOW"),
    ):
        numbers = {name: number for number, name in enumerate(names.split(), 2)}
        assert {one.name: one.value for one in kind} == of_filters | numbers
