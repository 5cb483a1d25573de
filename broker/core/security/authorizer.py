"""Who may do what: Kafka's StandardAuthorizer over the entries of the metadata log (ACL-06).

Order, exactness and kind of pattern give no precedence among entries: any DENY that matches beats
every ALLOW. Answers are remembered for each (principal, host), and forgotten whenever an entry
comes or goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from .acl import ANY_PRINCIPAL, WILDCARD, Acl, normal_host
from .acl_index import AclIndex, Entries
from .principal import THIS_NODE, Principal
from .resources import (
    OPERATIONS_OF,
    Operation,
    PatternType,
    Permission,
    Resource,
    ResourceType,
)

REMEMBERED_MAX: Final = 65_536
"""Answers that are remembered at most; asking about ever new names must not fill the memory."""

NAME_REMEMBERED_MAX: Final = 255
"""Answers about longer names are not remembered: no topic has one, and requests can ask about names
of 32 KB each."""

_IMPLIED_BY: Final[Mapping[int, frozenset[int]]] = {
    Operation.DESCRIBE: frozenset(
        (Operation.READ, Operation.WRITE, Operation.DELETE, Operation.ALTER)
    ),
    Operation.DESCRIBE_CONFIGS: frozenset((Operation.ALTER_CONFIGS,)),
}
"""What else an ALLOW may say that gives the right (ACL-07); a DENY is exact."""

_Peer = tuple[Principal, str]

_ON_ANY: Final = 1 << 16
"""Marks what is remembered of `may_on_any`."""

_ANYTHING: Final = "hardcode"
"""The name by which Kafka asks whether something is allowed whatever the name (ACL-11)."""


class Decision(NamedTuple):
    """An answer, and the rule that gave it."""

    is_allowed: bool
    rule: str


_SUPER_USER: Final = Decision(True, "SuperUser")
_THIS_NODE: Final = Decision(True, "ThisNode")
_DEFAULT_ALLOW: Final = Decision(True, "DefaultAllow")
_DEFAULT_DENY: Final = Decision(False, "DefaultDeny")


class Rules(NamedTuple):
    """One state of the entries: as long as it is the same, so is every answer."""

    acls: AclIndex
    version: int


class Authorizer:
    """Decides by the entries that `acls` returns at the time."""

    __slots__ = (
        "_acls",
        "_allows_without_acl",
        "_by_peer",
        "_left",
        "_remembered_max",
        "_rules",
        "allowed",
        "denied",
        "super_users",
    )

    def __init__(
        self,
        acls: Callable[[], AclIndex],
        *,
        super_users: Iterable[str] = (),
        allows_without_acl: bool = False,
        remembered_max: int = REMEMBERED_MAX,
    ) -> None:
        """`allows_without_acl`: what no entry is about is open to everybody (ACL-08)."""
        self._acls = acls
        self._allows_without_acl = allows_without_acl
        self.super_users = frozenset(super_users)
        self.allowed = 0
        """Answers of `decide` so far that were yes, and in `denied` those that were no (SEC-07)."""
        self.denied = 0
        self._by_peer: dict[_Peer, dict[int, dict[str, Decision]]] = {}
        self._left = self._remembered_max = remembered_max
        index = acls()
        self._rules = Rules(index, index.version)

    @property
    def rules(self) -> Rules:
        """The present state of the entries; another object when any has come or gone."""
        rules = self._rules
        index = self._acls()
        if rules.acls is not index or rules.version != index.version:
            self._forget()
            rules = self._rules = Rules(index, index.version)
        return rules

    @property
    def acl_count(self) -> int:
        """How many entries there are."""
        return len(self._acls())

    def _forget(self) -> None:
        self._by_peer.clear()
        self._left = self._remembered_max

    def is_unlimited(self, principal: Principal) -> bool:
        """Whether no entry counts for `principal`: a super user, or this node itself."""
        return principal is THIS_NODE or str(principal) in self.super_users

    def decide(
        self, principal: Principal, host: str, operation: Operation, resource: Resource
    ) -> Decision:
        """Whether `principal`, who is at the address `host`, may do that (ACL-06)."""
        found = self.look_up(principal, host, operation, resource)
        if principal is THIS_NODE:
            return found
        if found.is_allowed:
            self.allowed += 1
        else:
            self.denied += 1
        return found

    def look_up(
        self, principal: Principal, host: str, operation: Operation, resource: Resource
    ) -> Decision:
        """The same, and it is not counted as a decision: it is taken elsewhere, or was before."""
        if principal is THIS_NODE:  # the object, not its name: no peer can have it
            return _THIS_NODE
        rules = self.rules
        kind, name = resource
        peer = (principal, host)
        slot = kind << 4 | operation
        try:
            found = self._by_peer[peer][slot][name]
        except KeyError:
            found = self._decide(rules.acls, principal, normal_host(host), operation, resource)
            self._remember(peer, slot, name, found)
        return found

    def may(
        self, principal: Principal, host: str, operation: Operation, resource: Resource
    ) -> bool:
        """The same, without the reason."""
        return self.decide(principal, host, operation, resource).is_allowed

    def _decide(
        self,
        index: AclIndex,
        principal: Principal,
        host: str,
        operation: Operation,
        resource: Resource,
    ) -> Decision:
        who = str(principal)
        if who in self.super_users:
            return _SUPER_USER
        is_named = False
        allowed: Acl | None = None
        for entries in index.about(resource):
            is_named = True
            for acl in _entries_for(entries, who, host):
                if _is_denied_by(acl, operation):
                    return Decision(False, f"MatchingAcl({acl})")
                if _is_allowed_by(acl, operation):
                    allowed = acl
        if allowed is not None:
            return Decision(True, f"MatchingAcl({allowed})")
        if self._allows_without_acl and not is_named:
            return _DEFAULT_ALLOW
        return _DEFAULT_DENY

    def may_on_any(
        self, principal: Principal, host: str, operation: Operation, kind: ResourceType
    ) -> bool:
        """Whether there can be a resource of this kind on which that is allowed (ACL-11).

        Nothing is implied here: the operation itself, or ALL, must be allowed.
        """
        rules = self.rules
        peer, slot = (principal, host), _ON_ANY | kind << 4 | operation
        found = self._by_peer.get(peer, {}).get(slot, {}).get("")
        if found is None:
            is_allowed = self.may(
                principal, host, operation, Resource(kind, _ANYTHING)
            ) or _is_on_any(rules.acls, str(principal), normal_host(host), operation, kind)
            found = Decision(is_allowed, "ByResourceType")
            self._remember(peer, slot, "", found)
        return found.is_allowed

    def _remember(self, peer: _Peer, slot: int, name: str, found: Decision) -> None:
        if len(name) > NAME_REMEMBERED_MAX:
            return
        if not self._left:
            self._forget()
        self._left -= 1
        self._by_peer.setdefault(peer, {}).setdefault(slot, {})[name] = found

    def operations(self, principal: Principal, host: str, resource: Resource) -> int:
        """The allowed operations on a resource, as bits by their numbers (ACL-12)."""
        return sum(
            1 << operation
            for operation in OPERATIONS_OF[resource.kind]
            if self.may(principal, host, operation, resource)
        )


def all_operations(kind: ResourceType) -> int:
    """What is told where nobody is refused anything: all operations of the kind, as bits."""
    return sum(1 << operation for operation in OPERATIONS_OF[kind])


def _entries_for(entries: Entries, principal: str, host: str) -> Iterator[Acl]:
    """Those that speak of this principal at this address (ACL-04, ACL-05)."""
    for who in (principal, ANY_PRINCIPAL):
        for acl in entries.get(who, ()):
            if acl.host in (WILDCARD, host) or normal_host(acl.host) == host:
                yield acl


def _is_denied_by(acl: Acl, operation: int) -> bool:
    return acl.permission == Permission.DENY and acl.operation in (operation, Operation.ALL)


def _is_allowed_by(acl: Acl, operation: int) -> bool:
    return acl.permission == Permission.ALLOW and (
        acl.operation in (operation, Operation.ALL)
        or acl.operation in _IMPLIED_BY.get(operation, ())
    )


def _is_on_any(
    index: AclIndex, principal: str, host: str, operation: Operation, kind: ResourceType
) -> bool:
    """Whether an entry allows it that no other denies as a whole."""
    about_it = [
        acl
        for entries in index.of_kind(kind)
        for acl in _entries_for(entries, principal, host)
        if acl.operation in (operation, Operation.ALL)
    ]
    denied = {(acl.pattern, acl.name) for acl in about_it if acl.permission == Permission.DENY}
    if (PatternType.LITERAL, WILDCARD) in denied:
        return False
    lengths = {len(name) for pattern, name in denied if pattern == PatternType.PREFIXED}

    def is_dominated(acl: Acl) -> bool:
        if acl.pattern == PatternType.LITERAL and acl.name == WILDCARD:
            return False
        if acl.pattern == PatternType.LITERAL and (acl.pattern, acl.name) in denied:
            return True
        return any((PatternType.PREFIXED, acl.name[:length]) in denied for length in lengths)

    return any(acl.permission == Permission.ALLOW and not is_dominated(acl) for acl in about_it)
