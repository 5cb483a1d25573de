"""`barnabas acl` against a node with an authorizer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator

import pytest

from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

Barnabas = Callable[..., "subprocess.CompletedProcess[str]"]

AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """Everybody may do everything there, and there are entries all the same."""
    settings = {"authorizer.class.name": AUTHORIZER, "super.users": "User:ANONYMOUS"}
    with NodeProcess(tmp_path_factory.mktemp("guarded") / "data", settings=settings) as process:
        yield process


def test_entries_come_and_go(barnabas: Barnabas) -> None:
    """Goal: what was added is listed, by what it is about and by whom, until it is removed."""
    who = ("-p", "User:alice", "-o", "read", "-o", "Describe")
    added = barnabas("acl", "add", "-t", "flights", *who, "--json").stdout
    assert [one["operation"] for one in json.loads(added)] == ["read", "describe"]
    barnabas("acl", "add", "-g", "team-", "--prefixed", "-p", "User:bob", "-o", "all", "--deny")
    barnabas("acl", "add", "--cluster", "-p", "User:bob", "-o", "alter-configs")
    listed = json.loads(barnabas("acl", "list", "--json").stdout)
    assert len(listed) == 4
    (denied,) = json.loads(barnabas("acl", "list", "--deny", "--json").stdout)
    assert denied == {
        "resource_type": "group",
        "resource_name": "team-",
        "pattern_type": "prefixed",
        "principal": "User:bob",
        "host": "*",
        "operation": "all",
        "permission": "deny",
    }
    assert "flights" in barnabas("acl", "list", "-t", "flights").stdout
    for more in ((), ("--deny",), ("--prefixed", "--deny")):
        barnabas("acl", "add", "-t", "pay", "-p", "User:eve", "-o", "read", *more)
    exact = ("-t", "pay", "-p", "User:eve", "-o", "read")
    assert "1 entry removed" in barnabas("acl", "remove", *exact).stdout
    left = json.loads(barnabas("acl", "list", "-p", "User:eve", "--json").stdout)
    assert [one["permission"] for one in left] == ["deny", "deny"]
    assert "1 entry removed" in barnabas("acl", "remove", *exact, "--deny").stdout
    assert "1 entry removed" in barnabas("acl", "remove", "-t", "pay").stdout
    removed = barnabas("acl", "remove", "-p", "User:bob").stdout
    assert "2 entries removed" in removed
    assert len(json.loads(barnabas("acl", "list", "--json").stdout)) == 2
    barnabas("acl", "remove", "--all")
    assert barnabas("acl", "list").stdout == "0 entries\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("add", "-t", "x"), "--principal"),
        (("add", "-t", "x", "-g", "y", "-p", "User:a", "-o", "read"), "one of"),
        (("add", "-t", "x", "-p", "User:a", "-o", "fly"), "'fly'"),
        (("add", "-t", "x", "-p", "User:a", "-o", "read", "--host", "a.b"), "no IP address"),
        (("remove",), "--all"),
    ],
)
def test_called_wrongly(barnabas: Barnabas, arguments: tuple[str, ...], reason: str) -> None:
    """Goal: one line that says what is missing, and status 2."""
    assert reason in barnabas("acl", *arguments, status=2).stderr


def test_what_the_controller_refuses(barnabas: Barnabas) -> None:
    """Goal: its reason is told, in one line."""
    error = barnabas("acl", "add", "-t", "x", "-p", "alice", "-o", "read", status=1).stderr
    assert "TYPE:NAME" in error
    assert len(error.splitlines()) == 1
