"""Access control entries, as the admin takes and gives them."""

from __future__ import annotations

import dataclasses

from barnabas.protocol.acl_codes import (
    Operation as AclOperation,
)
from barnabas.protocol.acl_codes import (
    PatternType as AclPatternType,
)
from barnabas.protocol.acl_codes import (
    Permission as AclPermission,
)
from barnabas.protocol.acl_codes import (
    ResourceType as AclResourceType,
)

__all__ = [
    "AclBinding",
    "AclBindingFilter",
    "AclOperation",
    "AclPatternType",
    "AclPermission",
    "AclResourceType",
]


@dataclasses.dataclass(frozen=True, slots=True)
class AclBinding:
    """A right that is given to a principal, or denied; without `host` from everywhere."""

    resource_type: AclResourceType
    resource_name: str
    principal: str
    operation: AclOperation
    permission: AclPermission = AclPermission.ALLOW
    pattern_type: AclPatternType = AclPatternType.LITERAL
    host: str = "*"


@dataclasses.dataclass(frozen=True, slots=True)
class AclBindingFilter:
    """Which entries are meant: all, but for what is given here. MATCH as pattern type finds the
    entries that apply to `resource_name`."""

    resource_type: AclResourceType = AclResourceType.ANY
    resource_name: str | None = None
    principal: str | None = None
    operation: AclOperation = AclOperation.ANY
    permission: AclPermission = AclPermission.ANY
    pattern_type: AclPatternType = AclPatternType.ANY
    host: str | None = None
