"""The settings about the quorum: its voters, where to ask for it first, and where this node
listens."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.primitives import ZERO_UUID, uuid_from_text

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.raft.voters import Voter, VoterAddress, Voters

STATIC: Final = "controller.quorum.voters"
INITIAL: Final = "controller.quorum.initial.voters"
BOOTSTRAP: Final = "controller.quorum.bootstrap.servers"
LISTENER_NAME: Final = "CONTROLLER"

_WILDCARDS: Final = ("", "0.0.0.0", "::")


def parse_address(text: str, setting: str) -> tuple[str, int]:
    """`host:port`, the host in brackets if it is an IPv6 address. Raises ConfigError."""
    host, colon, port = text.strip().rpartition(":")
    host = host.strip("[]")
    if not colon or not host or not _is_port(port):
        raise ConfigError(setting, text, "must be host:port, the port from 1 to 65535")
    return host, int(port)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and 0 < int(text) <= 65_535


def bootstrap_servers(config: BrokerConfig) -> tuple[tuple[str, int], ...]:
    """The addresses at which to ask for the quorum first. Raises ConfigError."""
    return tuple(
        parse_address(text, BOOTSTRAP) for text in config.controller_quorum_bootstrap_servers
    )


def static_voters(config: BrokerConfig) -> Voters | None:
    """The voters of a quorum that never changes; None if the settings name none.

    Their directories are not known (zero). Raises ConfigError.
    """
    texts = config.controller_quorum_voters
    if not texts:
        return None
    name = _listener_name(config)
    members = []
    for text in texts:
        voter_id, _, rest = text.strip().partition("@")
        address = parse_address(rest, STATIC)
        number = _number(voter_id, STATIC, text, "id@host:port")
        members.append(Voter(number, ZERO_UUID, (VoterAddress(name, *address),), 0, 0))
    return _checked(members, STATIC)


def initial_voters(config: BrokerConfig) -> Voters | None:
    """The first voters of a new quorum that may change; None if the settings name none.

    Raises ConfigError.
    """
    texts = config.controller_quorum_initial_voters
    if not texts:
        return None
    name = _listener_name(config)
    shape = "id@host:port:directory.id"
    members = []
    for text in texts:
        voter_id, _, rest = text.strip().partition("@")
        place, _, directory = rest.rpartition(":")
        try:
            directory_id = uuid_from_text(directory)
        except ValueError as error:
            raise ConfigError(INITIAL, text, f"must be {shape}; directory.id {error}") from None
        address = parse_address(place, INITIAL)
        number = _number(voter_id, INITIAL, text, shape)
        members.append(Voter(number, directory_id, (VoterAddress(name, *address),)))
    return _checked(members, INITIAL)


def _number(text: str, setting: str, whole: str, shape: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise ConfigError(setting, whole, f"must be {shape}, with a number before the @")
    return int(text)


def _checked(members: list[Voter], setting: str) -> Voters:
    ids = [one.voter_id for one in members]
    if len({*ids}) != len(ids):
        raise ConfigError(setting, ids, "names a node twice")
    return Voters(tuple(members))


def _listener_name(config: BrokerConfig) -> str:
    names = config.controller_listener_names
    return names[0] if names else LISTENER_NAME


def own_addresses(config: BrokerConfig) -> tuple[VoterAddress, ...]:
    """The addresses at which others reach this node's controller; none for a node that is a broker
    only."""
    if not config.is_controller:
        return ()
    names = config.controller_listener_names
    found: dict[str, VoterAddress] = {}
    for text in (*config.listeners, *config.advertised_listeners):
        name, _, address = text.partition("://")
        host, _, port = address.rpartition(":")
        if name in names and port.isdecimal():
            host = "localhost" if host in _WILDCARDS else host.strip("[]")
            found[name] = VoterAddress(name, host, int(port))
    return tuple(found[name] for name in names if name in found)


def is_standalone(config: BrokerConfig) -> bool:
    """Whether an empty directory is to become a quorum of this node alone."""
    if config.controller_quorum_voters or config.controller_quorum_initial_voters:
        return False
    servers = bootstrap_servers(config)
    own = [(one.host, one.port) for one in own_addresses(config)]
    return config.is_controller and all(server in own for server in servers)


def check_roles(config: BrokerConfig, node_id: int) -> None:
    """Raise ConfigError unless voters have the role of a controller, and controllers can become
    voters."""
    voters = static_voters(config)
    if voters is not None and (node_id in voters.ids) != config.is_controller:
        problem = (
            f"must name node {node_id}, whose process.roles has controller"
            if config.is_controller
            else f"must not name node {node_id}, whose process.roles lacks controller"
        )
        raise ConfigError(STATIC, ",".join(config.controller_quorum_voters), problem)
    if not config.is_controller and not (voters or bootstrap_servers(config)):
        raise ConfigError(
            BOOTSTRAP, None, "must say where the quorum is, for process.roles lacks controller"
        )
