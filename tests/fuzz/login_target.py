"""What a fuzzer feeds to a listener that wants a login: a stream of bytes, cut anywhere.

The connection, the login's driver and its mechanisms are those of a broker; only the socket is not
there. Nobody can log in, for nobody knows the password, and no key has signed anything.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from concurrent.futures import Executor, Future
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Any, Final

from kit.broker import Bench, running
from kit.secured import fields_of
from kit.tokens import bearer, jwks

from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.server.listener import Listener

NAME: Final = "SASL_PLAINTEXT"
ANSWER_BYTES_MAX: Final = 4096
"""Of one answer before the login: those of ApiVersions are the longest."""

_TURNS: Final = 30
_FRAME_BYTES_MIN: Final = 4


class Inline(Executor):
    """Runs at once what should run in a thread, so that inputs can be repeated."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        made: Future[Any] = Future()
        try:
            made.set_result(fn(*args, **kwargs))
        except Exception as error:
            made.set_exception(error)
        return made


class Socket(asyncio.Transport):
    """Takes what is sent, and can be closed."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.sent: list[bytes] = []
        self.is_over = False

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        self.sent += map(bytes, list_of_data)

    def close(self) -> None:
        self.is_over = True

    def abort(self) -> None:
        self.is_over = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        del high, low

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


class Door:
    """A broker on a loop of its own, which runs only while an input is looked at."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._directory = tempfile.TemporaryDirectory()
        self._bench, self._listener = self._loop.run_until_complete(self._open())

    async def _open(self) -> tuple[Bench, Listener]:
        folder = Path(self._directory.name)
        (folder / "keys.json").write_bytes(jwks())
        user = f'user_alice="{secrets.token_hex()}"'
        module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        prefix = f"listener.name.{NAME.lower()}."
        settings = {
            "listeners": f"PLAINTEXT://:0,{NAME}://:0",
            **bearer(NAME, (folder / "keys.json").as_uri()),
            f"{prefix}sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
            f"{prefix}plain.sasl.jaas.config": f"{module} required {user};",
            "connection.failed.authentication.delay.ms": "0",
            "audit.enable": "false",
        }
        bench = await self._stack.enter_async_context(
            running(folder / "data", **fields_of(settings))
        )
        listener = await bench.broker.bind(NAME, "127.0.0.1", 0)
        assert listener.security.sasl is not None
        listener.security.sasl = listener.security.sasl._replace(threads=Inline())
        return bench, listener

    def close(self) -> None:
        """End the broker, and remove what it wrote."""
        self._loop.run_until_complete(self._stack.aclose())
        self._loop.close()
        self._directory.cleanup()

    def take(self, pieces: list[bytes]) -> None:
        """Somebody connects and says this. Raises AssertionError for a finding."""
        self._loop.run_until_complete(self._take(pieces))

    async def _take(self, pieces: list[bytes]) -> None:
        connection, socket = self._listener.new_connection(), Socket()
        connection.connection_made(socket)
        for piece in pieces:
            at = 0
            while at < len(piece) and not socket.is_over:
                buffer = connection.get_buffer(-1)
                size = min(len(buffer), len(piece) - at)
                buffer[:size] = piece[at : at + size]
                at += size
                connection.buffer_updated(size)
                await asyncio.sleep(0)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        assert connection.principal is ANONYMOUS, "somebody was let in"
        assert connection.login is not None, "the login was over"
        frames = sum(map(len, pieces)) // _FRAME_BYTES_MIN + 1
        assert sum(map(len, socket.sent)) <= frames * ANSWER_BYTES_MAX, "answers too long"
        connection.connection_lost(None)
        log = self._bench.log.lines
        bugs = [line for line in log if line[0] == "error"]
        log.clear()
        assert not bugs, bugs


@cache
def door() -> Door:
    """One for a whole process."""
    return Door()


def close_door() -> None:
    """End it, if there is one; before the interpreter ends, when no thread can be started."""
    if door.cache_info().currsize:
        door().close()
        door.cache_clear()


def logins(data: bytes) -> None:
    """The first byte says how the stream is cut: not at all, or into pieces of that size."""
    if not data:
        return
    size, stream = data[0], data[1:]
    step = size or len(stream) or 1
    door().take([stream[at : at + step] for at in range(0, len(stream), step)])
