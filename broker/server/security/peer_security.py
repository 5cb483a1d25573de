"""How this node makes itself and other nodes sure of each other, where it connects to them."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from barnabas.protocol.sasl.client import SaslClient

Login = Callable[[], SaslClient]
"""Makes a login for one connection."""


@dataclass(slots=True)
class PeerSecurity:
    """TLS and login towards one kind of listener; None: none.

    Another `tls` may take its place while the node runs: it is read for each connection.
    """

    tls: ssl.SSLContext | None = None
    login: Login | None = None


OPEN: Final = PeerSecurity()
"""Neither: PLAINTEXT. It never changes."""
