"""What changes credentials, quotas and settings is told to the audit: names, never values."""

from __future__ import annotations

from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_TOPIC,
)
from barnabas.broker.core.security.authorizer import Authorizer
from barnabas.broker.observe.audit import Audit
from barnabas.broker.serving.rights import AccessControl
from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from barnabas.protocol.messages.alter_configs_request import (
    AlterableConfig as WholeConfig,
)
from barnabas.protocol.messages.alter_configs_request import (
    AlterConfigsRequest,
)
from barnabas.protocol.messages.alter_configs_request import (
    AlterConfigsResource as WholeResource,
)
from barnabas.protocol.messages.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

from .asking import Asking

SALT, SALTED = b"grain-of-salt", b"stewed-password"


def asking() -> tuple[Asking, ListLogger]:
    """A controller with an authorizer, asked by a super user; and its audit."""
    found, log = Asking(1), ListLogger()
    acls = found.cluster.image.security.acls
    authorizer = Authorizer(lambda: acls, super_users=("User:ANONYMOUS",))
    found.guard(AccessControl(authorizer, Audit(log, lambda: 0.0, 1000)))
    return found, log


def upsertion(name: str, iterations: int = 4096) -> ScramCredentialUpsertion:
    return ScramCredentialUpsertion(
        name=name, mechanism=1, iterations=iterations, salt=SALT, salted_password=SALTED
    )


async def test_credentials() -> None:
    """SEC-06, SEC-04: whose, of which mechanism, set or removed; nothing of what was refused."""
    at, log = asking()
    request = AlterUserScramCredentialsRequest(upsertions=[upsertion("ann"), upsertion("bob", 1)])
    await at.ask(request, 0)
    ((_, event, fields),) = log.lines
    assert event == "credential set"
    assert (fields["user"], fields["mechanism"]) == ("ann", "SCRAM-SHA-256")
    assert fields["principal"] == "User:ANONYMOUS"
    deletion = ScramCredentialDeletion(name="ann", mechanism=1)
    await at.ask(AlterUserScramCredentialsRequest(deletions=[deletion]), 0)
    (fields,) = log.events("credential removed")
    assert fields["user"] == "ann"
    assert not any(one in str(log.lines) for one in (SALT.decode(), SALTED.decode()))


async def test_quotas() -> None:
    """SEC-06: of whom, and which; a request that only asks changes nothing."""
    at, log = asking()
    parts = [
        EntityData(entity_type="user", entity_name="ann"),
        EntityData(entity_type="client-id", entity_name=None),
    ]
    limits = [
        OpData(key="producer_byte_rate", value=123456.0),
        OpData(key="consumer_byte_rate", remove=True),
    ]
    refused = EntryData(entity=[EntityData(entity_type="moon", entity_name="x")], ops=limits)
    entries = [EntryData(entity=parts, ops=limits), refused]
    await at.ask(AlterClientQuotasRequest(entries=entries, validate_only=True), 1)
    assert not log.lines
    await at.ask(AlterClientQuotasRequest(entries=entries), 1)
    ((_, event, fields),) = log.lines
    assert event == "quotas"
    assert fields["entity"] == "user=ann, client-id=<default>"
    assert fields["names"] == ["producer_byte_rate", "consumer_byte_rate"]
    assert "123456" not in str(log.lines)


async def test_settings() -> None:
    """SEC-06: of what, and their names; values may be secrets."""
    at, log = asking()
    secret = AlterableConfig(name="some.plugin.password", config_operation=0, value="hunter2")
    own = AlterConfigsResource(resource_type=RESOURCE_BROKER, resource_name="1", configs=[secret])
    unknown = AlterConfigsResource(
        resource_type=RESOURCE_TOPIC, resource_name="no-such-topic", configs=[secret]
    )
    request = IncrementalAlterConfigsRequest(resources=[own, unknown], validate_only=True)
    await at.ask(request, 1)
    assert not log.lines
    await at.ask(IncrementalAlterConfigsRequest(resources=[own, unknown]), 1)
    ((_, event, fields),) = log.lines
    assert (event, fields["resource"]) == ("settings", "Broker:1")
    assert fields["names"] == ["some.plugin.password"]
    assert "hunter2" not in str(log.lines)


async def test_settings_of_the_old_kind_and_levels() -> None:
    """SEC-06: AlterConfigs too, however many it names; and levels, which say what is logged."""
    at, log = asking()
    many = [WholeConfig(name=f"a.setting.{number}", value="x") for number in range(100)]
    whole = WholeResource(resource_type=RESOURCE_BROKER, resource_name="1", configs=many)
    await at.ask(AlterConfigsRequest(resources=[whole]), 2)
    (fields,) = log.events("settings")
    assert fields["names"] == [one.name for one in many[:32]]
    assert fields["others"] == 68
    level = AlterableConfig(name="root", config_operation=0, value="ERROR")
    logger = AlterConfigsResource(
        resource_type=RESOURCE_BROKER_LOGGER, resource_name="1", configs=[level]
    )
    await at.ask(IncrementalAlterConfigsRequest(resources=[logger]), 1)
    assert log.events("settings")[1]["resource"] == "BrokerLogger:1"
