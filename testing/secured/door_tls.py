"""TLS at the doors of an in-process cluster (`relay.py`).

A door reads client ids and holds bytes back, so TLS cannot pass through it: it ends at the door,
which has the node's own key, and begins anew towards the node. There the door shows the
certificate of whoever knocked, if that is a node: the door has the keys of all of them.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any, Final

from barnabas.tls import Own, Trust, client_context, key_and_chain, read_pem, server_context

from .node_settings import CLIENTS, node_of_subject

if TYPE_CHECKING:
    from .folder import SecurityFolder

_VERSIONS: Final = ("TLSv1.2", "TLSv1.3")


class DoorTls:
    """The contexts of one listener's door."""

    def __init__(self, folder: SecurityFolder, owner: int, listener: str) -> None:
        """Reads the keys of node `owner`, and later those of other nodes. Raises TlsError."""
        self._folder = folder
        self.is_for_nodes = listener != CLIENTS
        """Whether whoever knocks shows a certificate."""
        path = str(folder.keystore_of(owner))
        self._trust = Trust(file=str(folder.ca))
        self.server = server_context(
            Own(key_and_chain(read_pem(path), path)),
            self._trust,
            client_auth="required" if self.is_for_nodes else "none",
            versions=_VERSIONS,
            ciphers=(),
        )
        self._towards: dict[int | None, ssl.SSLContext] = {}

    @staticmethod
    def node_of(tls: Any) -> int | None:
        """Whose certificate it is, by the SSL object of a connection; None: no node's."""
        subject = (tls.getpeercert() or {}).get("subject", ())
        names = [value for part in subject for key, value in part if key == "commonName"]
        return node_of_subject(names[0]) if names else None

    def towards(self, node: int | None) -> ssl.SSLContext:
        """To connect to the owner, as this node or as nobody. Raises SecurityFolderError."""
        if node not in self._towards:
            self._towards[node] = (
                client_context(None, self._trust)
                if node is None
                else self._folder.context_of_node(node)
            )
        return self._towards[node]
