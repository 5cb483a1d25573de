"""What whoever asks may do: handlers require a right, or ask for it, before they look further.

A refusal is a KafkaError with the code of the resource's kind: 29 topic, 30 group, 31 cluster, 53
transactional id. Without an authorizer nobody is refused anything (ACL-10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import RequestHeader

from ..core.security.authorizer import Authorizer, all_operations
from ..core.security.principal import THIS_NODE, Principal
from ..core.security.resources import (
    CLUSTER,
    REFUSAL_OF,
    Operation,
    Resource,
    ResourceType,
)
from ..observe.audit import Audit, Fields

ALLOWED: Final = "allowed"
DENIED: Final = "denied"


class Asker(Protocol):
    """Who asks: the context of a request."""

    @property
    def header(self) -> RequestHeader: ...

    @property
    def principal(self) -> Principal: ...

    @property
    def client_host(self) -> str: ...

    @property
    def listener_name(self) -> str: ...

    @property
    def forwarded_by(self) -> str | None: ...


class Rights:
    """Of somebody whom nobody limits: everything is allowed."""

    __slots__ = ()

    @property
    def is_limited(self) -> bool:
        """Whether there is an authorizer at all."""
        return False

    @property
    def state(self) -> object:
        """Equal as long as no answer changes: what was remembered of another state is void."""
        return None

    def may(self, operation: Operation, resource: Resource, *, is_audited: bool = True) -> bool:
        """Whether that is allowed. `is_audited`: a refusal is one, not only something left out."""
        del operation, resource, is_audited
        return True

    def require(self, operation: Operation, resource: Resource) -> None:
        """Raise KafkaError with the code of the resource's kind unless that is allowed."""
        if not self.may(operation, resource):
            raise KafkaError(REFUSAL_OF[resource.kind], refusal_text(resource.kind))

    def may_on_any(self, operation: Operation, kind: ResourceType) -> bool:
        """Whether that is allowed on any resource of this kind at all (ACL-11)."""
        del operation, kind
        return True

    def operations(self, resource: Resource) -> int:
        """The operations that are allowed, as bits (ACL-12)."""
        return all_operations(resource.kind)

    def cluster_operations(self) -> int:
        """The same of the cluster; 0 if it may not be described (ACL-12)."""
        if not self.may(Operation.DESCRIBE, CLUSTER, is_audited=False):
            return 0
        return self.operations(CLUSTER)

    def note_change(self, what: str, **fields: object) -> None:
        """Tell the audit of a change that was carried out (SEC-06)."""


EVERYTHING: Final = Rights()
"""Of everybody, where there is no authorizer."""


class LimitedRights(Rights):
    """Of one request, as the authorizer decides."""

    __slots__ = ("_access", "_asker")

    def __init__(self, access: AccessControl, asker: Asker) -> None:
        self._access = access
        self._asker = asker

    @property
    def is_limited(self) -> bool:
        return True

    @property
    def state(self) -> object:
        return self._asker.principal, self._asker.client_host, self._access.authorizer.rules

    def may(self, operation: Operation, resource: Resource, *, is_audited: bool = True) -> bool:
        asker, access = self._asker, self._access
        principal = asker.principal
        if principal is THIS_NODE:
            return True  # and no line of the audit: it is nobody's request
        if not access.is_ready(principal):
            raise KafkaError(ErrorCode.NOT_CONTROLLER, "the rights are not loaded yet")
        found = access.authorizer.decide(principal, asker.client_host, operation, resource)
        if is_audited and (not found.is_allowed or access.audits_allowed):
            self._audit(
                ALLOWED if found.is_allowed else DENIED,
                lambda: {
                    "operation": operation.name,
                    "resource": str(resource),
                    "rule": found.rule,
                },
            )
        return found.is_allowed

    def may_on_any(self, operation: Operation, kind: ResourceType) -> bool:
        asker = self._asker
        return self._access.authorizer.may_on_any(
            asker.principal, asker.client_host, operation, kind
        )

    def operations(self, resource: Resource) -> int:
        asker = self._asker
        return self._access.authorizer.operations(asker.principal, asker.client_host, resource)

    def note_change(self, what: str, **fields: object) -> None:
        self._audit(what, lambda: fields)

    def _audit(self, outcome: str, fields_of: Callable[[], Fields]) -> None:
        audit, asker = self._access.audit, self._asker
        if audit is not None:
            name = api(asker.header.api_key).name
            audit.write(
                str(asker.principal), name, outcome, lambda: {**_told_of(asker), **fields_of()}
            )


def _told_of(asker: Asker) -> Fields:
    """What every line of the audit has."""
    header = asker.header
    found: dict[str, object] = {
        "version": header.api_version,
        "correlation_id": header.correlation_id,
        "client_id": header.client_id,
        "address": asker.client_host,
        "listener": asker.listener_name,
    }
    if asker.forwarded_by is not None:
        found["forwarded_by"] = asker.forwarded_by
    return found


class AccessControl:
    """The authorizer of a node, and what it tells the audit."""

    __slots__ = ("_is_loaded", "audit", "audits_allowed", "authorizer")

    def __init__(
        self,
        authorizer: Authorizer,
        audit: Audit | None = None,
        *,
        audits_allowed: bool = False,
        is_loaded: Callable[[], bool] = lambda: True,
    ) -> None:
        """`is_loaded`: whether the entries are known; before, super users alone are served."""
        self.authorizer = authorizer
        self.audit = audit
        self.audits_allowed = audits_allowed
        self._is_loaded = is_loaded

    def is_ready(self, principal: Principal) -> bool:
        """Whether what the authorizer says of `principal` can be relied on (ACL-22)."""
        return self._is_loaded() or self.authorizer.is_unlimited(principal)

    def rights_of(self, asker: Asker) -> Rights:
        """What this request may do."""
        return LimitedRights(self, asker)


def require_authorizer(rights: Rights) -> None:
    """Raise KafkaError SECURITY_DISABLED (54) where there is none (ACL-10)."""
    if not rights.is_limited:
        raise KafkaError(
            ErrorCode.SECURITY_DISABLED, "No authorizer is configured: authorizer.class.name"
        )


def refusal_text(kind: ResourceType) -> str:
    """What is told to whoever lacks a right: its kind, and nothing of what there is."""
    return f"{kind.name.replace('_', ' ').capitalize()} authorization failed."
