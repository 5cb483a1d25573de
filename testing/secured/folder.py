"""The folder `security` of a secured cluster: its authority, its nodes' keys, its first users.

`users.json`, `ca.*` and `node-N.pem` are made once, together. All else follows from them, and is
written again whenever the cluster is started: the nodes' settings, and each user's properties.
Nobody but the owner may read any of it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from barnabas.private_files import write_private
from barnabas.tls import Own, TlsError, Trust, client_context, key_and_chain, read_pem

from . import client_files
from .client_files import Access
from .node_settings import as_toml, principal_of_node, security_settings, subject_of_node

if TYPE_CHECKING:
    from ..cluster_layout import ClusterLayout, NodeLayout

FOLDER: Final = "security"
ADMIN: Final = "admin"
"""The user who may do everything."""

APPLICATION: Final = "app"
"""The user who may do what `grants.PREFIX` says, and nothing else."""

_USERS: Final = "users.json"
_PASSWORD_BYTES: Final = 24
_WRITTEN: Final = "Written by `barnabas cluster up`, and anew each time: change a copy."
_FILES: Final[Mapping[str, tuple[str, Callable[[Access], str], str]]] = {
    "java": ("{}.properties", client_files.java, "# "),
    "librdkafka": ("{}.librdkafka.conf", client_files.librdkafka, "# "),
    "python": ("{}.json", client_files.python, ""),
}
"""Kind of client -> name of a user's file, what is in it, and how a comment begins."""


class SecurityFolderError(RuntimeError):
    """Keys or users of a cluster cannot be made or read; the text says which, for the user."""


class SecurityFolder:
    """The keys and users of the cluster in `directory`."""

    def __init__(self, directory: Path, layout: ClusterLayout) -> None:
        self.layout = layout
        self._directory = directory
        self.path = directory / FOLDER

    # --- making -------------------------------------------------------------------------------

    def ensure(self) -> None:
        """Make what a new cluster lacks, and write what follows from it.

        Raises SecurityFolderError: the keys of a cluster that has run before are gone; or there is
        no `cryptography` to make them with. OSError: the folder cannot be written to.
        """
        if not self.path.exists():
            ran = [one for one in self.layout.nodes if self._data_of(one).exists()]
            if ran:
                raise SecurityFolderError(
                    f"{self.path} is gone, and with it the keys and passwords of a cluster that"
                    " has run: put it back, or take another --dir"
                )
            self._make()
        self._write_settings()
        self._write_clients()

    def _data_of(self, node: NodeLayout) -> Path:
        return self._directory / f"node-{node.id}"

    def _make(self) -> None:
        """All at once or not at all: it is put in place when it is complete."""
        try:
            from barnabas.authority import issue, new_authority
        except ImportError:
            raise SecurityFolderError(
                "certificates are made with the package cryptography, which is not installed:"
                " pip install cryptography"
            ) from None
        draft = self._directory / f"{FOLDER}.part"
        if draft.exists():
            shutil.rmtree(draft)  # of an `up` that was ended half-way
        draft.mkdir(mode=0o700)
        authority = new_authority(f"barnabas cluster {self.layout.cluster_id}")
        write_private(draft / "ca.key", authority.key)
        write_private(draft / "ca.pem", authority.certificate)
        hosts = list(dict.fromkeys((self.layout.host, "localhost")))
        for node in self.layout.nodes:
            name = subject_of_node(node.id)
            write_private(draft / f"{name}.pem", issue(authority, name, hosts).pem)
        passwords = {name: secrets.token_urlsafe(_PASSWORD_BYTES) for name in (ADMIN, APPLICATION)}
        write_private(draft / _USERS, _as_json({"users": passwords, "granted": False}))
        os.replace(draft, self.path)

    def _write_settings(self) -> None:
        passwords = self._state()["users"]
        for node in self.layout.nodes:
            settings = security_settings(
                listeners=self.layout.listeners_of(node),
                keystore=self.keystore_of(node.id),
                truststore=self.ca,
                nodes=[one.id for one in self.layout.nodes],
                admin=ADMIN,
                first_users=passwords,
            )
            if not node.is_voter:
                del settings["metadata.bootstrap.scram"]
            write_private(self.settings_of(node.id), as_toml(settings, _WRITTEN))

    def _write_clients(self) -> None:
        for user in self.users:
            for kind, (_, text_of, comment) in _FILES.items():
                head = f"{comment}{_WRITTEN}\n" if comment else ""
                write_private(self.client_file(user, kind), head + text_of(self.access_of(user)))

    # --- looking ------------------------------------------------------------------------------

    @property
    def ca(self) -> Path:
        """The authority's certificate."""
        return self.path / "ca.pem"

    def keystore_of(self, node_id: int) -> Path:
        """A node's key and certificate."""
        return self.path / f"{subject_of_node(node_id)}.pem"

    def settings_of(self, node_id: int) -> Path:
        """The file with a node's settings of security."""
        return self.path / f"{subject_of_node(node_id)}.toml"

    def client_file(self, user: str, kind: str) -> Path:
        """A user's properties for clients of a kind: `java`, `librdkafka` or `python`."""
        return self.path / _FILES[kind][0].format(user)

    @property
    def users(self) -> list[str]:
        """Names of the first users. Raises SecurityFolderError."""
        return list(self._state()["users"])

    def access_of(self, user: str) -> Access:
        """How this user connects. Raises SecurityFolderError."""
        password = self._state()["users"][user]
        return Access(self.layout.bootstrap, str(self.ca), user, password)

    def context_of_node(self, node_id: int) -> ssl.SSLContext:
        """TLS of a node as it connects to others. Raises SecurityFolderError."""
        path = str(self.keystore_of(node_id))
        try:
            own = Own(key_and_chain(read_pem(path), path))
            return client_context(own, Trust(file=str(self.ca)))
        except TlsError as error:
            raise SecurityFolderError(str(error)) from None

    @property
    def has_granted(self) -> bool:
        """Whether the application user was given its rights. Raises SecurityFolderError."""
        return bool(self._state()["granted"])

    def note_granted(self) -> None:
        """The application user has its rights: they are not given again, should somebody take
        them away."""
        write_private(self.path / _USERS, _as_json({**self._state(), "granted": True}))

    def describe(self) -> dict[str, Any]:
        """Where everything is; no secret is among it."""
        return {
            "ca": str(self.ca),
            "nodes": [principal_of_node(one.id) for one in self.layout.nodes],
            "users": {
                user: {kind: str(self.client_file(user, kind)) for kind in _FILES}
                for user in self.users
            },
        }

    def _state(self) -> dict[str, Any]:
        path = self.path / _USERS
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if not {ADMIN, APPLICATION} <= set(found["users"]) or "granted" not in found:
                raise ValueError("a user is missing")
        except FileNotFoundError:
            raise SecurityFolderError(f"{path} is missing: it has the users' passwords") from None
        except (ValueError, KeyError, TypeError):
            raise SecurityFolderError(f"{path} is damaged") from None
        return found


def _as_json(found: Mapping[str, Any]) -> str:
    return json.dumps(found, indent=2) + "\n"
