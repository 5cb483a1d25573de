"""A node's authorizer and its audit, as its settings want them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..core.config.authorization import super_users_of
from ..core.config.broker import BrokerConfig
from ..core.ports import Env
from ..core.security.acl_index import AclIndex
from ..core.security.authorizer import Authorizer
from ..observe.audit import Audit
from ..observe.logging import Logger
from ..observe.metrics import Metrics
from ..serving.rights import AccessControl


def open_audit(config: BrokerConfig, env: Env) -> Audit | None:
    """None without `audit.enable`."""
    if not config.audit_enable:
        return None
    log = Logger("json", log="audit", node=config.node_id)
    return Audit(log, env.clock.monotonic_ms, config.audit_max_lines_per_minute)


def open_access(
    config: BrokerConfig,
    audit: Audit | None,
    acls: Callable[[], AclIndex],
    metrics: Metrics,
    is_loaded: Callable[[], bool] = lambda: True,
) -> AccessControl | None:
    """None without `authorizer.class.name` (ACL-10). `acls`: the entries as they are at a time;
    `metrics` tells of what is decided."""
    if not config.authorizer_class_name:
        return None
    authorizer = Authorizer(
        acls,
        super_users=super_users_of(config),
        allows_without_acl=config.allow_everyone_if_no_acl_found,
    )
    metrics.authorizers.append(authorizer)
    return AccessControl(
        authorizer,
        audit,
        audits_allowed=config.audit_allowed_enable,
        is_loaded=is_loaded,
        soon=asyncio.get_running_loop().call_soon,
    )
