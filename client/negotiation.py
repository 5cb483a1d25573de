"""Connecting: the socket, then which versions of each API the broker serves (KIP-35, KIP-511)."""

from __future__ import annotations

import asyncio
import os
from typing import ClassVar

import barnabas
from barnabas.dialling import dial
from barnabas.protocol.errors import DecodeError, ErrorCode
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.api_versions_response import ApiVersionsResponse

from .config import ClientConfig
from .connection import Connection
from .errors import ConnectionFailedError, NotABrokerError, error_of

FIRST_VERSION = 3
"""The version to ask with first; brokers since 2.4 know it, older ones answer as in version 0."""


class VersionsAnswer:
    """Decodes an answer to ApiVersions, which is of version 0 where the broker refused ours."""

    NAME: ClassVar[str] = "ApiVersionsResponse"

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ApiVersionsResponse, int]:
        code = int.from_bytes(data[offset : offset + 2], "big", signed=True)
        if code == ErrorCode.UNSUPPORTED_VERSION:
            version = 0
        response, end = ApiVersionsResponse.decode_at(data, offset, version)
        if code == 0 and not response.api_keys:
            raise DecodeError("a list of API versions without an entry")
        return response, end


async def connect(host: str, port: int, config: ClientConfig) -> Connection:
    """Open a connection and agree on versions, within the time that is set for both.

    Raises:
        NotABrokerError: something else than a broker answers there.
        ConnectionFailedError: nothing answers there, or it stopped answering.
    """
    timeout_s = config.socket_connection_setup_timeout_ms / 1000
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout_s
    connection = await open_socket(host, port, config, timeout_s)
    try:
        await negotiate(connection, max(0.001, deadline - loop.time()))
    except BaseException:
        connection.close()
        raise
    return connection


async def open_socket(host: str, port: int, config: ClientConfig, timeout_s: float) -> Connection:
    """The TCP connection alone."""

    def make() -> Connection:
        return Connection(host, port, config.client_id, config.receive_message_max_bytes)

    try:
        async with asyncio.timeout(timeout_s):
            return await dial(make, host, port)
    except TimeoutError as error:
        raise ConnectionFailedError(
            f"{host}:{port} did not accept a connection within {timeout_s:g} s"
        ) from error
    except OSError as error:
        # asyncio's own text repeats the address and leaves the reason out.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise ConnectionFailedError(f"cannot connect to {host}:{port}: {reason}") from error
    except (ValueError, OverflowError) as error:
        # Metadata can name any host and port; these are none that a socket takes.
        raise ConnectionFailedError(f"cannot connect to {host!r}:{port}: {error}") from error


async def negotiate(connection: Connection, timeout_s: float) -> None:
    """Ask for the versions that the broker serves; ask again in an older version if refused."""
    version = FIRST_VERSION
    while True:
        request = ApiVersionsRequest()
        if version >= 3:
            request.client_software_name = "barnabas"
            request.client_software_version = barnabas.__version__
        response = await connection.send(request, VersionsAnswer, version, timeout_s)
        if response.error_code != ErrorCode.UNSUPPORTED_VERSION:
            break
        offered = [
            each.max_version
            for each in response.api_keys
            if each.api_key == ApiVersionsRequest.API_KEY
        ]
        lower = min(version - 1, max(offered, default=0))
        if lower < 0:
            raise NotABrokerError(f"{connection} refuses every version of ApiVersions")
        version = lower
    if response.error_code:
        raise ConnectionFailedError(
            f"{connection} answered ApiVersions with an error"
        ) from error_of(response.error_code)
    connection.versions = {
        each.api_key: (each.min_version, each.max_version) for each in response.api_keys
    }
