"""Settings of who may do what, and of the audit that tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .field import ConfigError, Names, Password, Settings, setting

STANDARD_AUTHORIZER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


@dataclass(frozen=True, init=False, repr=False, eq=False)
class AuthorizationSettings(Settings):
    """The authorizer, and its audit."""

    authorizer_class_name: str = setting(
        "",
        doc="Who decides what a client may do: empty for nobody, which allows everything, or "
        f"{STANDARD_AUTHORIZER}, which decides by the access control entries of the cluster.",
    )
    super_users: Password = setting(
        "",
        doc="Principals that may do everything: User:name; User:name; …. Brokers and controllers "
        "must be among them.",
    )
    allow_everyone_if_no_acl_found: bool = setting(
        False, doc="Whether everybody may use what no access control entry is about."
    )
    early_start_listeners: Names = setting(
        (),
        doc="Listeners that are served before the access control entries are loaded. Here those "
        "of brokers never are, and those of controllers always, for super users alone.",
        has_effect=False,
    )
    audit_enable: bool = setting(
        True, doc="Whether refusals and changes of rights are written to the audit."
    )
    audit_allowed_enable: bool = setting(
        False, doc="Whether the audit also tells what was allowed."
    )
    audit_max_lines_per_minute: int = setting(
        60,
        unit="1/min",
        minimum=1,
        doc="Most lines of the audit for one principal, API and outcome; then they are counted.",
    )


def super_users_of(config: AuthorizationSettings) -> tuple[str, ...]:
    """The principals of `super.users` (ACL-09). Raises ConfigError for one without a type."""
    found = tuple(part.strip() for part in config.super_users.split(";") if part.strip())
    for number, one in enumerate(found, 1):
        kind, colon, name = one.partition(":")
        if not (kind and colon and name):
            raise ConfigError(
                "super.users", None, f"entry {number} must be TYPE:NAME, such as User:admin"
            )
    return found


def check_authorization(config: AuthorizationSettings) -> None:
    """Raise ConfigError for another authorizer than Kafka's own, and for bad super users."""
    name = config.authorizer_class_name
    if name not in ("", STANDARD_AUTHORIZER):
        raise ConfigError(
            "authorizer.class.name",
            name,
            f"must be {STANDARD_AUTHORIZER}, or empty; other classes are not run here",
        )
    super_users_of(config)
