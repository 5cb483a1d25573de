"""Users of SCRAM: made, changed, described, and there from the beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.server.first_users import first_users
from barnabas.protocol.messages.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from barnabas.protocol.sasl.scram import MECHANISMS, keys_of, salted_password

from .nodes import serving

SHA256, SHA512 = MECHANISMS
SALTED = salted_password(SHA256, "pw", b"salt", 4096)


def upsertion(
    name: str, mechanism: int = 1, iterations: int = 4096, salted: bytes = SALTED
) -> ScramCredentialUpsertion:
    return ScramCredentialUpsertion(
        name=name,
        mechanism=mechanism,
        iterations=iterations,
        salt=b"salt",
        salted_password=salted,
    )


def deletion(name: str, mechanism: int = 1) -> ScramCredentialDeletion:
    return ScramCredentialDeletion(name=name, mechanism=mechanism)


async def test_users_come_and_go(tmp_path: Path) -> None:
    """SASL-28..30: only keys are stored; each user has a code of its own."""
    async with serving(tmp_path) as (node, client):
        answer = await client.ask(
            AlterUserScramCredentialsRequest(
                deletions=[deletion("gone"), deletion("both")],
                upsertions=[
                    upsertion("a"),
                    upsertion("twice"),
                    upsertion("twice", 2),
                    upsertion("both"),
                    upsertion(""),
                    upsertion("few", iterations=4095),
                    upsertion("many", iterations=16385),
                    upsertion("other", 3),
                    upsertion("empty", salted=b""),
                ],
            ),
            0,
        )
        codes = {one.user: one.error_code for one in answer.results}
        assert codes == {
            "gone": 91,
            "both": 92,
            "a": 0,
            "twice": 92,
            "": 93,
            "few": 93,
            "many": 93,
            "other": 33,
            "empty": -1,
        }
        record = node.image.security.credentials["a", 1]
        assert (bytes(record.stored_key), bytes(record.server_key)) == keys_of(SHA256, SALTED)
        more = AlterUserScramCredentialsRequest(upsertions=[upsertion("a", 2, 8192)])
        await client.ask(more, 0)
        users = [UserName(name=name) for name in ("a", "b", "c", "c")]
        told = await client.ask(DescribeUserScramCredentialsRequest(users=users), 0)
        assert [(one.user, one.error_code) for one in told.results] == [
            ("a", 0),
            ("b", 91),
            ("c", 92),
        ]
        found = [(one.mechanism, one.iterations) for one in told.results[0].credential_infos]
        assert found == [(1, 4096), (2, 8192)]
        gone = AlterUserScramCredentialsRequest(deletions=[deletion("a")])
        assert (await client.ask(gone, 0)).results[0].error_code == 0
        everybody: list[UserName] | None
        for everybody in (None, []):
            told = await client.ask(DescribeUserScramCredentialsRequest(users=everybody), 0)
            infos = {one.user: one.credential_infos[0].mechanism for one in told.results}
            assert (told.error_code, infos) == (0, {"a": 2})


async def test_the_first_users_are_there(tmp_path: Path) -> None:
    """SASL-33, SEC-01: with the first record of the cluster, once; nobody is shown how."""
    text = 'SCRAM-SHA-256=[name=a,password="b,]c"] SCRAM-SHA-512=[name=a,password=d]'
    async with serving(tmp_path, metadata_bootstrap_scram=text) as (node, client):
        known = node.image.security.credentials
        assert sorted(known) == [("a", 1), ("a", 2)]
        record = known["a", 1]
        salted = salted_password(SHA256, "b,]c", bytes(record.salt), 4096)
        assert bytes(record.stored_key) == keys_of(SHA256, salted)[0]
        resource = DescribeConfigsResource(
            resource_type=4, resource_name=str(node.node_id), configuration_keys=None
        )
        answer = await client.ask(
            DescribeConfigsRequest(resources=[resource], include_synonyms=True), 4
        )
        (row,) = (
            one for one in answer.results[0].configs if one.name == "metadata.bootstrap.scram"
        )
        assert (row.value, row.is_sensitive, row.config_type) == (None, True, 9)
        assert all(one.value is None for one in row.synonyms)
    async with serving(tmp_path, metadata_bootstrap_scram="not looked at") as (node, _):
        assert len(node.image.security.credentials) == 2


def test_salt_and_salted_password() -> None:
    """SASL-33: as tools of Kafka take them."""
    (record,) = first_users(
        "SCRAM-SHA-256=[name=alice,salt=c2FsdA==,iterations=8192,saltedpassword=c2FsdGVk]"
    )
    assert (record.name, bytes(record.salt), record.iterations) == ("alice", b"salt", 8192)
    assert bytes(record.stored_key) == keys_of(SHA256, b"salted")[0]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("alice", "at character 1"),
        ("SCRAM-SHA-1=[name=a,password=hidden]", "at character 1"),
        ("SCRAM-SHA-256=[password=hidden]", "must name each user"),
        ("SCRAM-SHA-256=[name=a]", "either password or saltedpassword"),
        ("SCRAM-SHA-256=[name=a,saltedpassword=c2FsdA==]", "must have the salt"),
        ("SCRAM-SHA-256=[name=a,password=hidden,iterations=1]", "4096 to 16384"),
        ("SCRAM-SHA-256=[name=a,password=hidden,iterations=x]", "a number of iterations"),
        ("SCRAM-SHA-256=[name=a,password=hidden,more=x]", "each once"),
        ("SCRAM-SHA-256=[name=a,name=b,password=hidden]", "each once"),
        ("SCRAM-SHA-256=[name=a,password=hidden,salt=#]", "in base64"),
    ],
)
def test_first_users_that_are_none(text: str, what: str) -> None:
    """SASL-33, SEC-04: unknown parts refuse, and no password is repeated."""
    with pytest.raises(ConfigError, match=what) as caught:
        first_users(text)
    assert "hidden" not in str(caught.value)
