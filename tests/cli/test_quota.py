"""`barnabas quota` as a user types it."""

from __future__ import annotations

import json

import pytest

from .conftest import Barnabas

pytestmark = pytest.mark.slow


def test_quotas_are_set_listed_and_removed(barnabas: Barnabas) -> None:
    """QTA-04, QTA-05: in words and as JSON; refusals name what is wrong."""
    assert "no quotas" in barnabas("quota", "list").stdout
    done = barnabas("quota", "set", "--user", "alice", "producer-byte-rate=1048576")
    assert done.stdout == "changed\n"
    done = barnabas("quota", "set", "--client-id", "default", "request_percentage=25.5", "--json")
    assert json.loads(done.stdout) == {
        "entity": {"client_id": None},
        "limits": {"request_percentage": 25.5},
        "validate_only": False,
    }
    listed = barnabas("quota", "list").stdout
    assert "user alice" in listed
    assert "1048576" in listed
    assert "default client-id" in listed
    found = json.loads(barnabas("quota", "list", "--user", "alice", "--json").stdout)
    assert found == [{"entity": {"user": "alice"}, "limits": {"producer_byte_rate": 1048576.0}}]
    refused = barnabas("quota", "set", "--ip", "localhost", "connection-creation-rate=1", status=1)
    assert "localhost is not a valid IP address" in refused.stderr
    assert "give --user" in barnabas("quota", "set", "a=1", status=2).stderr
    assert "no number" in barnabas("quota", "set", "--user", "a", "b=nan", status=2).stderr
    missing = barnabas("quota", "remove", "--user", "alice", "request-percentage", status=1)
    assert "user alice has no request_percentage" in missing.stderr
    done = barnabas("quota", "remove", "--user", "alice", "--json")
    assert json.loads(done.stdout)["removed"] == ["producer_byte_rate"]
    barnabas("quota", "remove", "--client-id", "default")
    assert json.loads(barnabas("quota", "list", "--json").stdout) == []
