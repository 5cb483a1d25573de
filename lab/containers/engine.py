"""The container engine and Compose, by their commands."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

COMMAND_TIMEOUT_S: Final = 1800.0
"""For one command; the first build of the image compiles, and downloads what it stands on."""
WAIT_TIMEOUT_S: Final = 120.0
POLL_S: Final = 0.25


class CheckFailedError(AssertionError):
    """The text says what was not as it should be."""


async def run(*command: str, given: str | None = None) -> str:
    """What a command prints. Raises CheckFailedError with all it said if its status is not 0."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(COMMAND_TIMEOUT_S):
            out, said = await process.communicate(None if given is None else given.encode())
    except TimeoutError:
        process.kill()
        raise CheckFailedError(f"{' '.join(command)}: not done in {COMMAND_TIMEOUT_S} s") from None
    if process.returncode:
        text = (said + out).decode(errors="replace")[-4000:]
        raise CheckFailedError(f"{' '.join(command)}: status {process.returncode}\n{text}")
    return out.decode(errors="replace")


async def wait_until(what: str, condition: Callable[[], object]) -> float:
    """Look again and again; seconds it took. The condition may be a coroutine function."""
    began = time.monotonic()
    while True:
        found = condition()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return time.monotonic() - began
        if time.monotonic() - began > WAIT_TIMEOUT_S:
            raise CheckFailedError(f"{what}: not within {WAIT_TIMEOUT_S:g} s")
        await asyncio.sleep(POLL_S)


class Compose:
    """One project of a compose file, as it is."""

    def __init__(self, file: Path, project: str) -> None:
        self.project = project
        self.network = f"{project}_default"
        self.logs: list[str] = []
        """What containers that are gone wrote."""
        program = ("docker-compose",) if shutil.which("docker-compose") else ("docker", "compose")
        self._command = (*program, "--project-name", project, "--file", str(file))
        self._ids: dict[str, str] = {}

    async def call(self, *arguments: str) -> str:
        """A subcommand of Compose."""
        return await run(*self._command, *arguments)

    async def up(self, *options: str) -> None:
        """Start what is not there, in the background."""
        await self.call("up", "--detach", *options)
        self._ids.clear()

    async def down(self, *options: str) -> None:
        """Stop and remove the containers; what they wrote is kept here."""
        self.logs.append(await self.call("logs", "--no-color"))
        await self.call("down", *options)
        self._ids.clear()

    async def id_of(self, service: str) -> str:
        """The container of a service."""
        if service not in self._ids:
            self._ids[service] = (await self.call("ps", "--quiet", service)).strip()
        return self._ids[service]

    async def ask(self, service: str, template: str) -> str:
        """What the engine knows of a service's container: `{{.State.Pid}}`."""
        return (await run("docker", "inspect", "-f", template, await self.id_of(service))).strip()

    async def is_healthy(self, *services: str) -> bool:
        """Whether the health checks of all of them say so."""
        states = [await self.ask(one, "{{.State.Health.Status}}") for one in services]
        return all(state == "healthy" for state in states)
