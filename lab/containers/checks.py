"""What is checked, in order: each takes the cluster on from where the one before left it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Final

from barnabas.client import Admin, Consumer, NewTopic
from barnabas.client.errors import ClientError

from .engine import CheckFailedError, Compose, run, wait_until
from .ledger import Ledger

SERVICES: Final = ("broker-1", "broker-2", "broker-3")
OUTSIDE: Final = "localhost:19092,localhost:29092,localhost:39092"
INSIDE: Final = "broker-1:9094,broker-2:9094,broker-3:9094"
IMAGE: Final = "barnabas"
TOPIC: Final = "kept"
CUT_S: Final = 12.0
ALONE_S: Final = 15.0
"""How long one broker looks for names that nobody knows: longer than its time to connect."""
_BAD_LINE: Final = re.compile(r".*(?:never retrieved|Traceback|Unknown configuration).*")

Check = Callable[["Trial"], Awaitable[str]]


class Trial:
    """What the checks share: the project, and who writes to it."""

    def __init__(self, compose: Compose, *, as_built: bool) -> None:
        self.compose = compose
        self.up_options = () if as_built else ("--build",)
        self.ledger = Ledger(OUTSIDE, TOPIC)
        self.cluster_id: str | None = None
        self.single: str | None = None

    async def healthy(self) -> float:
        """Wait for the health checks of all three; seconds."""
        return await wait_until("three healthy brokers", self._are_healthy)

    async def _are_healthy(self) -> bool:
        return await self.compose.is_healthy(*SERVICES)

    async def whole(self) -> float:
        """Wait until every partition has its three replicas in sync; seconds."""
        return await wait_until("all replicas in sync", self._is_whole)

    async def _is_whole(self) -> bool:
        with contextlib.suppress(ClientError, OSError, TimeoutError):
            async with Admin(bootstrap_servers=OUTSIDE) as admin:
                topic = (await admin.describe_topics([TOPIC]))[TOPIC]
            return all(len(one.isr) == len(SERVICES) for one in topic.partitions)
        return False

    async def leader(self) -> str:
        """The service whose broker leads the first partition."""
        async with Admin(bootstrap_servers=OUTSIDE) as admin:
            topic = (await admin.describe_topics([TOPIC]))[TOPIC]
        return f"broker-{topic.partitions[0].leader}"

    async def id_of_the_cluster(self) -> str | None:
        async with Admin(bootstrap_servers=OUTSIDE) as admin:
            return (await admin.describe_cluster()).cluster_id

    async def acked_anew(self, count: int = 50) -> None:
        """Wait until so many more records are acknowledged."""
        aim = len(self.ledger.acked) + count
        await wait_until(f"{count} more records", lambda: len(self.ledger.acked) >= aim)


async def comes_up(trial: Trial) -> str:
    began = time.monotonic()
    await trial.compose.up(*trial.up_options)
    built_s = time.monotonic() - began
    healthy_s = await trial.healthy()
    trial.cluster_id = await trial.id_of_the_cluster()
    return f"built and created in {built_s:.0f} s, three healthy {healthy_s:.1f} s later"


async def serves_the_host(trial: Trial) -> str:
    async with Admin(bootstrap_servers=OUTSIDE) as admin:
        await admin.create_topics([NewTopic(TOPIC, 3, 3)])
    await trial.ledger.__aenter__()
    await trial.acked_anew()
    for place in OUTSIDE.split(","):
        async with Consumer(bootstrap_servers=place) as consumer:
            consumer.assign(await consumer.all_partitions(TOPIC))
            await consumer.seek_to_beginning()
            async with asyncio.timeout(30):
                await consumer.getone()
    return f"{len(trial.ledger.acked)} records written, read through each of the three ports"


async def serves_its_network(trial: Trial) -> str:
    inside = ["docker", "run", "--rm", "--interactive", "--network", trial.compose.network]
    inside += ["--env", f"BARNABAS_BOOTSTRAP_SERVER={INSIDE}", IMAGE]
    lines = [f"line {number}" for number in range(100)]
    await run(*inside, "topic", "create", "inside", "-p", "1", "-r", "3")
    await run(*inside, "produce", "inside", given="".join(f"{line}\n" for line in lines))
    read = await run(*inside, "consume", "inside", "-o", "beginning", "-e", "-f", "%v\\n")
    if read.splitlines() != lines:
        raise CheckFailedError(f"other lines were read: {read[:200]!r}")
    return "100 records written and read by containers beside it"


async def restarts_after_a_crash(trial: Trial) -> str:
    leader = await trial.leader()
    trial.ledger.take_gap_s()
    os.kill(int(await trial.compose.ask(leader, "{{.State.Pid}}")), signal.SIGKILL)

    async def is_back() -> bool:
        return await trial.compose.ask(leader, "{{.RestartCount}} {{.State.Running}}") == "1 true"

    await wait_until(f"{leader} is restarted", is_back)
    await trial.healthy()
    whole_s = await trial.whole()
    await trial.acked_anew()
    return f"{leader}: gap {trial.ledger.take_gap_s():.2f} s, in sync {whole_s:.1f} s after healthy"


async def survives_docker_kill(trial: Trial) -> str:
    leader = await trial.leader()
    trial.ledger.take_gap_s()
    await run("docker", "kill", await trial.compose.id_of(leader))
    await trial.acked_anew()
    gap_s = trial.ledger.take_gap_s()
    # To the engine that is a stop by hand, which no restart policy undoes.
    await run("docker", "start", await trial.compose.id_of(leader))
    await trial.healthy()
    await trial.whole()
    return f"{leader}: gap {gap_s:.2f} s; started by hand, in sync again"


async def survives_a_cut(trial: Trial) -> str:
    leader, network = await trial.leader(), trial.compose.network
    container = await trial.compose.id_of(leader)
    trial.ledger.take_gap_s()
    await run("docker", "network", "disconnect", network, container)
    await asyncio.sleep(CUT_S)
    await trial.acked_anew()
    gap_s = trial.ledger.take_gap_s()
    await run("docker", "network", "connect", "--alias", leader, network, container)
    await trial.healthy()
    whole_s = await trial.whole()
    return f"{leader} for {CUT_S:g} s: gap {gap_s:.2f} s, in sync {whole_s:.1f} s after"


async def stops_in_time(trial: Trial) -> str:
    leader = await trial.leader()
    container = await trial.compose.id_of(leader)
    trial.ledger.take_gap_s()
    began = time.monotonic()
    await run("docker", "stop", container)  # SIGKILL, status 137, after the grace period
    took_s = time.monotonic() - began
    status = await trial.compose.ask(leader, "{{.State.ExitCode}}")
    if status != "0":
        raise CheckFailedError(f"{leader} ended with status {status} after {took_s:.1f} s")
    await trial.acked_anew()
    gap_s = trial.ledger.take_gap_s()
    await run("docker", "start", container)
    await trial.healthy()
    await trial.whole()
    return f"{leader}: status 0 after {took_s:.1f} s, gap {gap_s:.2f} s"


async def waits_for_names(trial: Trial) -> str:
    containers = [await trial.compose.id_of(one) for one in SERVICES]
    await run("docker", "stop", *containers)
    await run("docker", "start", containers[0])
    await asyncio.sleep(ALONE_S)
    state = await trial.compose.ask(SERVICES[0], "{{.State.Running}} {{.State.Health.Status}}")
    if not state.startswith("true") or "healthy" in state.split():
        raise CheckFailedError(f"{SERVICES[0]} alone, whose peers have no name: {state}")
    await run("docker", "start", *containers[1:])
    healthy_s = await trial.healthy()
    await trial.whole()
    await trial.acked_anew()
    return f"{ALONE_S:g} s alone and not healthy; all healthy {healthy_s:.1f} s after the others"


async def keeps_its_volumes(trial: Trial) -> str:
    await trial.compose.down()
    await trial.compose.up()
    await trial.healthy()
    await trial.whole()
    found = await trial.id_of_the_cluster()
    if found != trial.cluster_id:
        raise CheckFailedError(f"cluster {trial.cluster_id} became {found}")
    return f"cluster {found} before and after"


async def lost_nothing(trial: Trial) -> str:
    return await trial.ledger.close()


async def runs_alone(trial: Trial) -> str:
    port = _free_port(9092)
    options = ["--publish", f"{port}:9092"]
    if port != 9092:
        place = f"PLAINTEXT://localhost:{port}"
        options += ["--env", f"BARNABAS_ADVERTISED_LISTENERS={place}"]
    # Beside a Service called barnabas.
    for variable in ("PORT=tcp://10.96.0.7:9092", "PORT_9092_TCP_ADDR=10.96.0.7"):
        options += ["--env", f"BARNABAS_{variable}"]
    trial.single = (await run("docker", "run", "--detach", *options, IMAGE)).strip()
    await wait_until("a healthy broker", lambda: _is_healthy(trial.single))
    async with Ledger(f"localhost:{port}", "alone") as ledger:
        await wait_until("50 records", lambda: len(ledger.acked) >= 50)
        told = await ledger.close()
    return f"on port {port}, beside variables of Kubernetes: {told}"


async def _is_healthy(container: str | None) -> bool:
    found = await run("docker", "inspect", "-f", "{{.State.Health.Status}}", str(container))
    return found.strip() == "healthy"


def _free_port(wanted: int) -> int:
    """The port, or another if somebody has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", wanted))
        except OSError:
            probe.bind(("0.0.0.0", 0))
        number: int = probe.getsockname()[1]
        return number


async def logged_no_surprise(trial: Trial) -> str:
    logs = [*trial.compose.logs, await trial.compose.call("logs", "--no-color")]
    if trial.single is not None:
        logs.append(await run("sh", "-c", f"docker logs {trial.single} 2>&1"))
    lines = [line for text in logs for line in text.splitlines()]
    bad = [line for line in lines if _BAD_LINE.fullmatch(line)]
    if bad:
        raise CheckFailedError("\n".join(bad[:20]))
    return f"{len(lines)} lines, no exception among them"


CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("up, from the compose file as it is", comes_up),
    ("written and read from the host", serves_the_host),
    ("written and read in its network", serves_its_network),
    ("a leader that crashes is restarted", restarts_after_a_crash),
    ("docker kill of a leader", survives_docker_kill),
    ("a leader cut off from the network", survives_a_cut),
    ("docker stop within its grace", stops_in_time),
    ("names that are not known for a while", waits_for_names),
    ("down, and up with the same volumes", keeps_its_volumes),
    ("nothing lost", lost_nothing),
    ("docker run -p 9092:9092", runs_alone),
    ("logs", logged_no_surprise),
)
