"""New certificates for a node that runs: when files or settings change (TLS-18..21).

What is new is read on a thread, and is checked before it takes the place of the old: all of it or
nothing. It is for new connections; those that there are go on.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any  # Any: what coroutines are sent

from barnabas.config_providers import ConfigProviders, ProviderError

from ...core.cluster.changes import Changes
from ...core.cluster.image import RESOURCE_BROKER, ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.config.field import DAY_MS, ConfigError
from ...core.config.listeners import PREFIX, canonical
from ...core.config.live_overrides import certificate_of, overrides_of
from ...observe.logging import Logger
from .listener_security import ListenerSecurity
from .loading import Loaded, check_in_its_place, load, source_of
from .material import Warn
from .peer_security import PeerSecurity


@dataclass(slots=True)
class Used:
    """The certificates of one listener, and whoever uses them."""

    name: str
    loaded: Loaded
    serves: bool
    dials: bool
    listeners: list[ListenerSecurity] = field(default_factory=list)
    peers: list[PeerSecurity] = field(default_factory=list)
    told: str = ""
    """Why the last change was refused, so that it is logged once."""


def _nothing(event: str, **fields: object) -> None:
    """Warnings were given at the start."""
    del event, fields


class Certificates:
    """Of all listeners with TLS that this node has or dials."""

    def __init__(self, config: BrokerConfig) -> None:
        """`config` is the node's own: what was set on brokers since comes by `start`."""
        self._config = config
        self._used: dict[str, Used] = {}
        self._node_id = -1
        self._image_of: Callable[[], ClusterImage] = ClusterImage
        self._log: Logger | None = None
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def use(self, name: str, warn: Warn, *, serves: bool = False, dials: bool = False) -> Used:
        """Read a listener's certificates, if nobody has before. Raises ConfigError."""
        key = canonical(name)
        used = self._used.get(key)
        if used is None or (serves and not used.serves) or (dials and not used.dials):
            serves |= used is not None and used.serves
            dials |= used is not None and used.dials
            loaded = load(self._config, name, warn, serves=serves, dials=dials)
            if used is None:
                used = self._used[key] = Used(name, loaded, serves, dials)
            used.loaded, used.serves, used.dials = loaded, serves, dials
        return used

    @property
    def are_used(self) -> bool:
        """Whether the node has anything to do with TLS."""
        return bool(self._used)

    def figures(self, now_ms: float) -> dict[str, float]:
        """Days that the certificate of each listener is still good for; negative when it is over.
        `now_ms`: time of day, in milliseconds since 1970."""
        return {
            f"ssl.certificate-days-left.{used.name}": (
                facts.not_after.timestamp() * 1000.0 - now_ms
            )
            / DAY_MS
            for used in self._used.values()
            if (facts := used.loaded.facts) is not None
        }

    # --- while the node runs ------------------------------------------------------------------

    def start(self, node_id: int, image_of: Callable[[], ClusterImage], log: Logger) -> None:
        """Look at files from now on, and at this node's settings in the metadata."""
        self._node_id, self._image_of, self._log = node_id, image_of, log
        interval_ms = self._config.ssl_reload_interval_ms
        if self._used and interval_ms:
            self._begin(self._watch(interval_ms / 1000.0))

    async def stop(self) -> None:
        """Look no more."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """Settings may have changed; also to what they were, for files that have changed."""
        del image
        if (RESOURCE_BROKER, str(self._node_id)) in changes.configs:
            self._begin(self.renew())

    async def renew(self) -> None:
        """Load what is not as settings and files say; what is refused is logged."""
        async with self._lock:
            try:
                config = await self._effective({})
            except ConfigError as error:
                for used in self._used.values():
                    self._refuse(used, str(error))
                return
            for used in self._used.values():
                await self._renew(used, config)

    async def refusal(self, changes: Mapping[str, str | None]) -> str | None:
        """Why this node cannot take these settings of its certificates; None if it can, or if
        none of them is about certificates. None as a value takes a setting away."""
        try:
            named = {
                override.listener
                for name, value in changes.items()
                if (override := certificate_of(name, value or "")) is not None
            }
            async with self._lock:
                config = await self._effective(changes)
                for name in sorted(named):
                    used = self._used.get(name)
                    if used is None:
                        return f"listener {name} of this node has no TLS"
                    await self._load(used, config)
        except ConfigError as error:
            return str(error)
        return None

    async def _watch(self, interval_s: float) -> None:
        while True:
            await asyncio.sleep(interval_s)
            await self.renew()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- inside -------------------------------------------------------------------------------

    async def _effective(self, changes: Mapping[str, str | None]) -> BrokerConfig:
        """The settings that hold: those of the node's file, then those set on it since, with what
        they refer to (SEC-03). Raises ConfigError for a reference that leads nowhere."""
        resource = (RESOURCE_BROKER, str(self._node_id))
        since = dict(self._image_of().config_of(*resource))
        for name, value in changes.items():
            if value is None:
                since.pop(name, None)
            else:
                since[name] = value
        since = {name: text for name, text in since.items() if canonical(name).startswith(PREFIX)}
        found = overrides_of(await asyncio.to_thread(self._resolved, since), certificate_of)
        if not found:
            return self._config
        return replace(self._config, listener_overrides=(*self._config.listener_overrides, *found))

    def _resolved(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Files are read anew each time. Raises ConfigError."""
        try:
            providers = ConfigProviders(dict(self._config.provider_settings), os.environ)
            return {name: providers.resolve(name, text) for name, text in settings.items()}
        except ProviderError as error:
            raise ConfigError(error.name, None, error.reason) from None

    async def _renew(self, used: Used, config: BrokerConfig) -> None:
        source = await asyncio.to_thread(source_of, config, used.name)
        if source == used.loaded.source:
            used.told = ""
            return
        try:
            loaded = await self._load(used, config)
        except ConfigError as error:
            self._refuse(used, str(error))
            return
        used.loaded, used.told = loaded, ""
        for listener in used.listeners:
            assert loaded.server is not None
            listener.renew(loaded.server)
        for peer in used.peers:
            peer.tls = loaded.client
        self._say("new certificates", used, "")

    def _refuse(self, used: Used, reason: str) -> None:
        """Say it once."""
        if reason != used.told:
            used.told = reason
            self._say("new certificates are refused: the old ones stay", used, reason)

    async def _load(self, used: Used, config: BrokerConfig) -> Loaded:
        """Raises ConfigError: it cannot be read, or not take the place of what there is."""

        def work() -> Loaded:
            loaded = load(config, used.name, _nothing, serves=used.serves, dials=used.dials)
            check_in_its_place(config, used.name, used.loaded, loaded)
            return loaded

        return await asyncio.to_thread(work)

    def _say(self, event: str, used: Used, reason: str) -> None:
        if self._log is None:
            return
        if reason:
            self._log.error(event, listener=used.name, reason=reason)
            return
        facts = used.loaded.facts
        until = "" if facts is None else facts.not_after.isoformat()
        self._log.info(event, listener=used.name, not_after=until)
