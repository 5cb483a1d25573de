"""What whoever asks may do: handlers require a right, or ask for it, before they look further.

A refusal is a KafkaError with the code of the resource's kind: 29 topic, 30 group, 31 cluster, 53
transactional id. Without an authorizer nobody is refused anything (ACL-10).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import RequestHeader

from ..core.security.authorizer import Authorizer, Decision, Rules, all_operations
from ..core.security.principal import THIS_NODE, Principal
from ..core.security.resources import (
    CLUSTER,
    REFUSAL_OF,
    Operation,
    Resource,
    ResourceType,
)
from ..observe.audit import Audit, Fields

DECIDED_MAX: Final = 10_000
"""Names of one request whose decisions are kept; a request may have any number of them."""

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


class _Decided:
    """What was decided of one name in a request."""

    __slots__ = ("found", "references")

    def __init__(self, found: Decision) -> None:
        self.found = found
        self.references = 0
        """How often the request has asked since the audit was told."""


class LimitedRights(Rights):
    """Of one request, as the authorizer decides.

    However often a request names the same thing, it is decided once, and the audit has one line of
    it, with the number of references (ACL-20): it is told when the present step of the request is
    over.
    """

    __slots__ = ("_access", "_asker", "_decided", "_principal", "_rules", "_untold")

    def __init__(self, access: AccessControl, asker: Asker) -> None:
        self._access = access
        self._asker = asker
        self._decided: dict[tuple[Operation, Resource], _Decided] = {}
        self._principal = asker.principal
        self._rules: Rules | None = None
        """By which entries, and of whom, stands in `_decided`."""
        self._untold: dict[tuple[Operation, Resource], _Decided] = {}

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
        rules = access.authorizer.rules
        if rules is not self._rules or principal is not self._principal:
            self._forget()
            self._rules, self._principal = rules, principal
        key = operation, resource
        decided = self._decided.get(key)
        if decided is None:
            found = access.authorizer.decide(principal, asker.client_host, operation, resource)
            if len(self._decided) >= DECIDED_MAX:
                self._forget()
            decided = self._decided[key] = _Decided(found)
        is_allowed = decided.found.is_allowed
        if is_audited and (not is_allowed or access.audits_allowed):
            self._note(key, decided)
        return is_allowed

    def _note(self, key: tuple[Operation, Resource], decided: _Decided) -> None:
        """The audit shall hear of it."""
        if self._access.audit is None:
            return
        is_first = not self._untold
        self._untold[key] = decided
        decided.references += 1
        if is_first:
            self._access.soon(self._tell)

    def _forget(self) -> None:
        self._tell()
        self._decided.clear()

    def _tell(self) -> None:
        """Write what was decided since the last time."""
        untold, self._untold = self._untold, {}
        for (operation, resource), decided in untold.items():
            self._audit(
                ALLOWED if decided.found.is_allowed else DENIED,
                partial(_told_of_decision, operation, resource, decided.found, decided.references),
            )
            decided.references = 0

    def may_on_any(self, operation: Operation, kind: ResourceType) -> bool:
        asker = self._asker
        return self._access.authorizer.may_on_any(
            asker.principal, asker.client_host, operation, kind
        )

    def operations(self, resource: Resource) -> int:
        asker = self._asker
        return self._access.authorizer.operations(asker.principal, asker.client_host, resource)

    def note_change(self, what: str, **fields: object) -> None:
        self._tell()
        self._audit(what, lambda: fields)

    def _audit(self, outcome: str, fields_of: Callable[[], Fields]) -> None:
        audit, asker = self._access.audit, self._asker
        if audit is not None:
            name = api(asker.header.api_key).name
            audit.write(
                str(asker.principal), name, outcome, lambda: {**_told_of(asker), **fields_of()}
            )


def _told_of_decision(
    operation: Operation, resource: Resource, found: Decision, references: int
) -> Fields:
    return {
        "operation": operation.name,
        "resource": str(resource),
        "references": references,
        "rule": found.rule,
    }


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


Soon = Callable[[Callable[[], object]], object]


def _at_once(work: Callable[[], object]) -> None:
    work()


class AccessControl:
    """The authorizer of a node, and what it tells the audit."""

    __slots__ = ("_is_loaded", "audit", "audits_allowed", "authorizer", "soon")

    def __init__(
        self,
        authorizer: Authorizer,
        audit: Audit | None = None,
        *,
        audits_allowed: bool = False,
        is_loaded: Callable[[], bool] = lambda: True,
        soon: Soon = _at_once,
    ) -> None:
        """`is_loaded`: whether the entries are known; before, super users alone are served. `soon`
        runs something when the present step of a request is over."""
        self.authorizer = authorizer
        self.audit = audit
        self.audits_allowed = audits_allowed
        self._is_loaded = is_loaded
        self.soon = soon

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
