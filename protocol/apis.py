"""Every API there is a schema for: key, versions, header versions, request and response classes.

This is the one place that loads modules late: `message_class` imports the module of a message when
its class is first asked for by name, of the 179 that there are. Everything else is imported at the
top of its file.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from .errors import ProtocolError
from .message import Message
from .messages.index import APIS as _ROWS
from .messages.index import MODULES

API_VERSIONS_KEY: Final = 18
NEVER: Final = 1 << 15
"""Higher than any version."""


class Api:
    """One API. Its classes are imported when they are first asked for."""

    __slots__ = (
        "_flexible_answers_from",
        "_flexible_from",
        "_request",
        "_response",
        "flexible_since",
        "key",
        "latest_version_unstable",
        "listeners",
        "max_version",
        "min_version",
        "name",
    )

    def __init__(
        self,
        key: int,
        name: str,
        versions: tuple[int, int],
        flexible_since: int | None,
        latest_version_unstable: bool,
        listeners: tuple[str, ...],
    ) -> None:
        self.key = key
        self.name = name
        self.min_version, self.max_version = versions
        self.flexible_since = flexible_since
        self.latest_version_unstable = latest_version_unstable
        self.listeners = listeners
        self._flexible_from = NEVER if flexible_since is None else flexible_since
        # ApiVersions keeps the oldest: its answer must be readable before versions are agreed on.
        self._flexible_answers_from = NEVER if key == API_VERSIONS_KEY else self._flexible_from
        self._request: type[Message] | None = None
        self._response: type[Message] | None = None

    @property
    def request(self) -> type[Message]:
        """The class of the request."""
        if self._request is None:
            self._request = message_class(f"{self.name}Request")
        return self._request

    @property
    def response(self) -> type[Message]:
        """The class of the response."""
        if self._response is None:
            self._response = message_class(f"{self.name}Response")
        return self._response

    def is_flexible(self, version: int) -> bool:
        """Whether `version` has tagged fields; versions beyond the newest count as it does."""
        return version >= self._flexible_from

    def request_header_version(self, version: int) -> int:
        """Version of the request header in front of this version (ENV-02)."""
        return 2 if self.is_flexible(version) else 1

    def response_header_version(self, version: int) -> int:
        """Version of the response header (ENV-02)."""
        return 1 if version >= self._flexible_answers_from else 0

    def __repr__(self) -> str:
        return f"<Api {self.key} {self.name} {self.min_version}-{self.max_version}>"


APIS: Final[dict[int, Api]] = {
    key: Api(key, name, (lowest, highest), since, unstable, listeners)
    for key, name, lowest, highest, since, unstable, listeners in _ROWS
}


def api(key: int) -> Api:
    """The API of this key; ProtocolError when there is none (ENV-05: close the connection)."""
    found = APIS.get(key)
    if found is None:
        raise ProtocolError(f"unknown api key {key}")
    return found


def message_class(name: str) -> type[Message]:
    """The class of a message by its schema's name; KeyError when there is no such schema."""
    module = import_module(f".messages.{MODULES[name]}", __package__)
    found: type[Message] = getattr(module, name)
    return found
