"""A cluster of processes whose every connection goes through a relay of this program."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from barnabas.testing.cluster_layout import ClusterLayout, NodeLayout
from barnabas.testing.links import Links
from barnabas.testing.relay import HOST, Passage, Relay

_DOORS: Final = {"PLAINTEXT": "port", "CONTROLLER": "controller_port"}


@dataclass(frozen=True, slots=True)
class RelayedLayout(ClusterLayout):
    """Everybody dials the ports of the relays; the nodes listen on others."""

    targets: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """By node and listener: where the node listens."""

    def settings_of(self, node: NodeLayout) -> dict[str, str]:
        settings = ClusterLayout.settings_of(self, node)
        targets = self.targets[node.id]
        settings["advertised.listeners"] = settings["listeners"]
        settings["listeners"] = ",".join(
            f"{name}://{HOST}:{port}" for name, port in targets.items()
        )
        return settings


@dataclass(slots=True)
class Weather:
    """How slow all links are."""

    delay_s: float = 0.0
    jitter_s: float = 0.0
    bytes_per_s: float = 0.0
    """Of each direction of a connection; 0: no limit."""


class SlowPassage(Passage):
    """Bytes come later, in the order in which they were sent."""

    def __init__(self, relay: SlowRelay) -> None:
        super().__init__(relay)
        self._weather = relay.weather
        self._due: dict[int, float] = {}

    def received(self, end: Any, data: bytes) -> None:
        """Bytes came from one side."""
        weather = self._weather
        loop = asyncio.get_running_loop()
        begins = self._due.get(id(end), 0.0)
        now = loop.time()
        if not weather.delay_s and begins <= now:
            super().received(end, data)
            return
        swing = weather.jitter_s * ((len(data) * 7919 + len(self._due)) % 200 - 100) / 100
        due = max(begins, now + weather.delay_s + swing)
        if weather.bytes_per_s:
            due += len(data) / weather.bytes_per_s
        self._due[id(end)] = due
        loop.call_at(due, super().received, end, data)

    def ended(self, end: Any) -> None:
        """One side has closed: the other hears of it behind all bytes."""
        loop = asyncio.get_running_loop()
        loop.call_at(self._due.get(id(end), 0.0), super().ended, end)


class SlowRelay(Relay):
    """A relay whose passages have weather."""

    def __init__(self, owner: int, links: Links, weather: Weather) -> None:
        super().__init__(owner, links)
        self.weather = weather

    def new_passage(self) -> Passage:
        """For a connection that comes."""
        return SlowPassage(self)


class Relays:
    """All relays of one cluster."""

    def __init__(self, layout: ClusterLayout) -> None:
        self.links = Links()
        self.weather = Weather()
        self._relays = {
            node.id: {
                name: SlowRelay(node.id, self.links, self.weather)
                for name, attribute in _DOORS.items()
                if getattr(node, attribute)
            }
            for node in layout.nodes
        }
        self.layout = RelayedLayout(
            layout.cluster_id,
            tuple(map(self._with_doors, layout.nodes)),
            layout.settings,
            layout.host,
            targets={
                node_id: {name: one.target_port for name, one in doors.items()}
                for node_id, doors in self._relays.items()
            },
        )

    def _with_doors(self, node: NodeLayout) -> NodeLayout:
        doors = self._relays[node.id]
        ports = {_DOORS[name]: one.port for name, one in doors.items()}
        return replace(
            node,
            port=ports.get("port", 0),
            controller_port=ports.get("controller_port", 0),
        )

    async def open(self) -> None:
        """Take connections."""
        for doors in self._relays.values():
            for one in doors.values():
                await one.open()

    def break_off(self, node_id: int, others: Iterable[int]) -> None:
        """Reset what connects this node with the others, whoever made the connections."""
        for other in others:
            for one in self._relays[node_id].values():
                one.break_off(other)
            for one in self._relays[other].values():
                one.break_off(node_id)

    def close(self) -> None:
        """Break everything."""
        for doors in self._relays.values():
            for one in doors.values():
                one.dispose()
