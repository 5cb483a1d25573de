"""`barnabas cluster up --secure` as a user types it, and clients that read what it wrote."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiokafka
import confluent_kafka
import kafka
import pytest
from aiokafka.helpers import create_ssl_context

from barnabas.properties import parse_properties

pytestmark = pytest.mark.slow


def barnabas(*arguments: str, status: int = 0, **variables: str) -> str:
    """What it printed; both streams, so that errors can be looked at."""
    kept = {name: one for name, one in os.environ.items() if not name.startswith("BARNABAS_")}
    done = subprocess.run(
        [sys.executable, "-m", "barnabas.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        env={**kept, **variables},
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("secured") / "c"
    barnabas("cluster", "up", "--secure", "--brokers", "1", "--detach", "--dir", str(found))
    yield found
    barnabas("cluster", "down", "--dir", str(found))


@pytest.fixture
def admin(directory: Path) -> str:
    return str(directory / "security" / "admin.properties")


@pytest.fixture
def app(directory: Path) -> str:
    return str(directory / "security" / "app.properties")


def options_of(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "security" / "app.json").read_text())
    return found


def test_the_application_may_do_what_is_promised_and_no_more(
    directory: Path, admin: str, app: str
) -> None:
    """ACL-06, ACL-08: what begins with `app-` is its own; all else is refused to it, and to
    whoever does not log in at all."""
    as_app, as_admin = ("--client-config", app), ("--client-config", admin)
    barnabas("topic", "create", "app-orders", "-p", "1", *as_app)
    barnabas("produce", "app-orders", "x", *as_app)
    assert barnabas("consume", "app-orders", "-e", "-g", "app-readers", *as_app) == "x\n"
    assert "AUTHORIZATION_FAILED" in barnabas("topic", "create", "mine", *as_app, status=1)
    refused = barnabas("consume", "app-orders", "-e", "-g", "readers", *as_app, status=1)
    assert "GROUP_AUTHORIZATION_FAILED" in refused
    barnabas("topic", "create", "mine", "-p", "1", *as_admin)
    rows = json.loads(barnabas("acl", "list", "--json", *as_admin))
    kinds = sorted(row["resource_type"] for row in rows)
    assert kinds == ["group", "topic", "transactional_id"]
    assert {row["principal"] for row in rows} == {"User:app"}


def test_without_a_login_the_command_says_what_to_add(directory: Path, admin: str) -> None:
    """Goal: who finds the cluster by its folder alone is told the option, and the variable."""
    here = {"BARNABAS_CLUSTER_DIR": str(directory)}
    told = barnabas("topic", "list", status=1, **here)
    assert f"add --client-config {admin}, or set BARNABAS_CLIENT_CONFIG" in told
    assert "Traceback" not in told
    barnabas("topic", "list", BARNABAS_CLIENT_CONFIG=admin)


def test_confluent_kafka_reads_its_file(directory: Path, app: str) -> None:
    """SASL-22..25, TLS-16: librdkafka with the file as it was written."""
    barnabas("topic", "create", "app-confluent", "-p", "1", "--client-config", app)
    text = (directory / "security" / "app.librdkafka.conf").read_text()
    config = parse_properties(text)
    producer = confluent_kafka.Producer(config)
    producer.produce("app-confluent", b"from librdkafka")
    assert producer.flush(30) == 0
    consumer = confluent_kafka.Consumer(
        {**config, "group.id": "app-confluent", "auto.offset.reset": "earliest"}
    )
    try:
        consumer.subscribe(["app-confluent"])
        message = consumer.poll(30)
        assert message is not None
        assert message.error() is None
        assert message.value() == b"from librdkafka"
    finally:
        consumer.close()


async def test_aiokafka_as_it_is_printed(directory: Path, app: str) -> None:
    """SASL-22..25, CLI-02: the keyword arguments, with a context for the authority's file."""
    barnabas("topic", "create", "app-aiokafka", "-p", "1", "--client-config", app)
    options = options_of(directory)
    options["ssl_context"] = create_ssl_context(cafile=options.pop("ssl_cafile"))
    async with aiokafka.AIOKafkaProducer(**options) as producer:
        sent = await producer.send_and_wait("app-aiokafka", b"x")
    assert sent.offset == 0


def test_kafka_python_takes_the_arguments(directory: Path, app: str) -> None:
    """SASL-22..25: the file is its keyword arguments."""
    barnabas("topic", "create", "app-kafka-python", "-p", "1", "--client-config", app)
    producer = kafka.KafkaProducer(**options_of(directory))
    try:
        sent = producer.send("app-kafka-python", b"x").get(timeout=30)
        assert sent.offset == 0
    finally:
        producer.close()


def test_no_password_is_in_the_process_list_or_a_log(directory: Path) -> None:
    """SEC-04: neither arguments nor output of a node have one."""
    users = json.loads((directory / "security" / "users.json").read_text())["users"]
    (pid,) = json.loads((directory / "cluster.json").read_text())["pids"].values()
    seen = Path(f"/proc/{pid['number']}/cmdline").read_bytes().decode()
    seen += (directory / "node-1.log").read_text() + (directory / "cluster.json").read_text()
    assert not [name for name, password in users.items() if password in seen]


def test_a_certificate_is_renewed_by_commands(directory: Path, admin: str) -> None:
    """TLS-18..20: made anew in its place, loaded at once; of another authority it is refused; a
    name that is misspelt is told."""
    login = ("--client-config", admin)
    name = "listener.name.clients.ssl.keystore.location"
    keys, hosts = directory / "security", "127.0.0.1,localhost"
    barnabas("certificates", str(keys), "--for", f"node-1={hosts}", "--renew")
    setting = f"{name}={keys / 'node-1.pem'}"
    assert barnabas("config", "alter", "--broker", "1", setting, *login) == "changed\n"
    other = directory.parent / "other"
    barnabas("certificates", str(other), "--for", f"node-1={hosts}", "--for", f"x={hosts}")
    for listener, file, reason in (
        ("clients", "x.pem", "is CN=x's, not CN=node-1's"),
        ("brokers", "node-1.pem", "the own certificate does not pass"),
    ):
        setting = f"listener.name.{listener}.ssl.keystore.location={other / file}"
        told = barnabas("config", "alter", "--broker", "1", setting, *login, status=1)
        assert reason in told
    told = barnabas("config", "alter", "--broker", "1", f"{name}s=x", *login, status=1)
    assert f"is called {name}s" in told
    told = barnabas("topic", "list", "--json", *login)
    assert "app-" in told or told == "[]\n"


def test_the_same_folder_again(directory: Path) -> None:
    """Goal: it runs already; and afterwards everything is as it was."""
    where = ("--dir", str(directory))
    before = (directory / "security" / "users.json").read_bytes()
    assert "runs already" in barnabas("cluster", "up", "--secure", *where, status=1)
    found = json.loads(barnabas("cluster", "status", "--json", *where))
    assert found["security"]["users"]["app"]["java"].endswith("/security/app.properties")
    assert (directory / "security" / "users.json").read_bytes() == before


def test_three_brokers_and_controllers_of_their_own(tmp_path: Path) -> None:
    """TLS-03, TLS-04, ACL-22: nodes know each other by certificates; one is killed and comes
    back; after a stop the same users log in."""
    where = ("--dir", str(tmp_path / "c"))
    shape = ("--brokers", "2", "--controllers", "1")
    login = ("--client-config", str(tmp_path / "c" / "security" / "app.properties"))
    try:
        barnabas("cluster", "up", "--secure", *shape, "--detach", *where)
        barnabas("topic", "create", "app-t", "-p", "2", "-r", "2", *login)
        barnabas("produce", "app-t", "before", *login)
        barnabas("cluster", "kill", "2", *where)
        barnabas("produce", "app-t", "during", *login)
        barnabas("cluster", "restart", "2", *where)
        barnabas("cluster", "down", *where)
        # It starts as it was made; what it was made with may be said again.
        barnabas("cluster", "up", "--detach", *where)
        found = barnabas("consume", "app-t", "-e", *login).split()
        assert sorted(found) == ["before", "during"]
    finally:
        barnabas("cluster", "down", *where)


def test_what_is_refused(tmp_path: Path) -> None:
    """Goal: one line each, and what is there stays as it is."""
    where = ("--dir", str(tmp_path / "c"))
    for setting in ("super.users=User:me", "ssl.keystore.location=x", "listener.name.a.ssl.x=y"):
        told = barnabas("cluster", "up", "--secure", "--set", setting, *where, status=1)
        assert f"--secure says what {setting.partition('=')[0]} is" in told
        assert len(told.splitlines()) == 1
    assert not (tmp_path / "c").exists()
    (tmp_path / "file").write_text("")
    told = barnabas("cluster", "up", "--secure", "--dir", str(tmp_path / "file" / "c"), status=1)
    assert len(told.splitlines()) == 1


def test_a_folder_without_security_stays_so(tmp_path: Path) -> None:
    """Goal: an older cluster is not secured by the way; its files are as before."""
    where = ("--dir", str(tmp_path / "c"))
    barnabas("cluster", "up", "--brokers", "1", "--detach", *where)
    barnabas("cluster", "down", *where)
    state = json.loads((tmp_path / "c" / "cluster.json").read_text())
    del state["secured"]  # as a version wrote it that did not know of it
    for node in state["nodes"]:
        del node["broker_port"]
    (tmp_path / "c" / "cluster.json").write_text(json.dumps(state))
    told = barnabas("cluster", "up", "--secure", *where, status=1)
    assert "made with other options: start it without --secure, or take another --dir" in told
    assert not (tmp_path / "c" / "security").exists()
    barnabas("cluster", "up", "--detach", *where)
    barnabas("cluster", "down", *where)


def test_ctrl_c_half_way_loses_nothing(tmp_path: Path) -> None:
    """Goal: nodes that were started are ended, and the same command goes on from there."""
    where = ("--dir", str(tmp_path / "c"))
    up = ("cluster", "up", "--secure", "--brokers", "1", "--detach", *where)
    running = subprocess.Popen(
        # As from a terminal, also where these tests are a background job, which ignores SIGINT.
        ["env", "--default-signal=INT", sys.executable, "-m", "barnabas.cli.main", *up],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    keys = tmp_path / "c" / "security" / "node-1.toml"
    while running.poll() is None and not keys.exists():
        pass
    os.kill(running.pid, signal.SIGINT)
    running.communicate(timeout=60)
    assert running.returncode == 130
    users = (tmp_path / "c" / "security" / "users.json").read_bytes()
    try:
        barnabas(*up)
        assert (
            json.loads(users)["users"]
            == json.loads((tmp_path / "c" / "security" / "users.json").read_bytes())["users"]
        )
        login = ("--client-config", str(tmp_path / "c" / "security" / "app.properties"))
        barnabas("topic", "create", "app-t", "-p", "1", *login)
    finally:
        barnabas("cluster", "down", *where)
