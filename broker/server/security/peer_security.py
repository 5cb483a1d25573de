"""How this node makes itself and other nodes sure of each other, where it connects to them."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Final, NamedTuple

from barnabas.protocol.sasl.client import SaslClient

Login = Callable[[], SaslClient]
"""Makes a login for one connection."""


class PeerSecurity(NamedTuple):
    """TLS and login towards one kind of listener; None: none."""

    tls: ssl.SSLContext | None = None
    login: Login | None = None


OPEN: Final = PeerSecurity()
"""Neither: PLAINTEXT."""
