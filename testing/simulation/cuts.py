"""Which links are taken away by a cut, each in one direction."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from .faults import Fault

Link = tuple[str, str]
"""The source and the target of a link."""


class Scene(NamedTuple):
    """The members that exist when a link is cut, all by name."""

    nodes: list[str]
    clients: list[str]
    controller: str
    """The active controller; empty if there is none."""
    leader: str
    """The leader of the partition that the fault concerns."""
    followers: list[str]


def links_of(fault: Fault, name: str, scene: Scene) -> list[Link]:
    """The links that a cut of this kind takes away from the node `name`."""
    others = [other for other in scene.nodes if other != name]
    detail = fault.detail
    if detail == "clients":
        return both_ways(name, scene.clients)
    if detail == "clients-out":
        return [(name, client) for client in scene.clients]
    if detail in ("pair", "follower-of-it"):
        among = others if detail == "pair" else [one for one in scene.followers if one != name]
        return both_ways(name, [Random(fault.number).choice(among)]) if among else []
    if detail in ("split", "bridge"):
        return _sides(fault, name, scene)
    if detail == "followers-in":
        return [(one, name) for one in scene.followers if one != name]
    if detail == "to-leader":
        return [(name, scene.leader)] if scene.leader not in ("", name) else []
    if detail.startswith("controllers"):
        others = [scene.controller] if scene.controller not in ("", name) else []
    inwards = [(other, name) for other in others] if not detail.endswith("-out") else []
    outwards = [(name, other) for other in others] if not detail.endswith("-in") else []
    return inwards + outwards


def both_ways(name: str, others: Iterable[str]) -> list[Link]:
    """The links to and from each of them."""
    return [link for other in others for link in ((other, name), (name, other))]


def _sides(fault: Fault, name: str, scene: Scene) -> list[Link]:
    pick = Random(fault.number)
    side = {other: pick.random() < 0.5 for other in (*scene.nodes, *scene.clients)}
    bridge = name if fault.detail == "bridge" else ""
    return [(a, b) for a in side for b in side if side[a] != side[b] and bridge not in (a, b)]
