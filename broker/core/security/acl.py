"""One access control entry, and the filters that find entries."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from .resources import Operation, PatternType, Permission, ResourceType

WILDCARD: Final = "*"
"""Any name of a literal pattern, any host."""

ANY_PRINCIPAL: Final = "User:*"
"""Everybody, principals of other types too (ACL-04)."""


class Acl(NamedTuple):
    """A right given or denied: to whom, from where, for which operation on which resources.

    The numbers are those of the metadata log. One that this version does not know matches no
    request, but is kept and shown.
    """

    kind: int
    name: str
    pattern: int
    principal: str
    host: str
    operation: int
    permission: int

    def __str__(self) -> str:
        """For the audit: what it says, in Kafka's words."""
        return (
            f"{name_of(Permission, self.permission)} {self.principal} from {self.host} to "
            f"{name_of(Operation, self.operation)} on {name_of(ResourceType, self.kind)}:"
            f"{name_of(PatternType, self.pattern)}:{self.name}"
        )


class AclFilter(NamedTuple):
    """Which entries are meant (ACL-14); None stands for any name, principal or host."""

    kind: int
    name: str | None
    pattern: int
    principal: str | None
    host: str | None
    operation: int
    permission: int

    def matches(self, acl: Acl) -> bool:
        """Whether `acl` is one of those."""
        return (
            self.kind in (ResourceType.ANY, acl.kind)
            and self.operation in (Operation.ANY, acl.operation)
            and self.permission in (Permission.ANY, acl.permission)
            and self.principal in (None, acl.principal)
            and self.host in (None, acl.host)
            and self._matches_name(acl)
        )

    def _matches_name(self, acl: Acl) -> bool:
        if self.pattern not in (PatternType.ANY, PatternType.MATCH, acl.pattern):
            return False
        if self.name is None or self.name == acl.name:
            return True
        if self.pattern != PatternType.MATCH:
            return False
        if acl.pattern == PatternType.PREFIXED:
            return self.name.startswith(acl.name)
        return acl.name == WILDCARD

    @property
    def has_unknown(self) -> bool:
        """Whether a field has the code 0, which stands for nothing (ACL-13)."""
        return 0 in (self.kind, self.pattern, self.operation, self.permission)


def name_of(kind: type[ResourceType | PatternType | Operation | Permission], number: int) -> str:
    """The name of a number, or the number itself if this version does not know it."""
    try:
        return kind(number).name
    except ValueError:
        return str(number)


def normal_host(host: str) -> str:
    """The one text of an IP address that has several; other texts as they are (ACL-05).

    Java writes `0:0:0:0:0:0:0:1` where others write `::1`; an IPv4 address by way of an IPv6 socket
    is the IPv4 address.
    """
    if ":" not in host:
        return host
    try:
        address = ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(address if mapped is None else mapped)


def is_host(text: str) -> bool:
    """Whether an entry with this host can ever match: it is `*`, or an IP address (ACL-05)."""
    try:
        return text == WILDCARD or bool(ip_address(text))
    except ValueError:
        return False
