"""What is told of logins, to counters, log and audit (SEC-06): who, how, from where, and whether.

Nothing of a password, token or proof is in it. A name that somebody only says to have is `claimed`,
for it may be anything. Failures are counted by address, since names are free to make up.
"""

from __future__ import annotations

from typing import Final

from ...core.security.principal import ANONYMOUS, Principal
from ...observe.audit import Audit
from ...observe.metrics import Metrics
from ...observe.security_metrics import BY_TLS
from ..connection import Connection
from ..peer_log import PeerLog
from .login import LoginEnd

_BY_CERTIFICATE: Final = "certificate"
"""In the place of a mechanism: TLS alone said who it is."""

_API: Final = "SaslAuthenticate"
_HANDSHAKE: Final = "TLS"


class LoginReport:
    """For the logins of one listener."""

    def __init__(
        self, listener: str, metrics: Metrics, peer_log: PeerLog, audit: Audit | None
    ) -> None:
        """`audit` is None where there is none."""
        self._listener = listener
        self._metrics = metrics
        self._figures = metrics.logins_of(listener)
        self._peer_log = peer_log
        self._audit = audit

    def ended(self, connection: Connection, end: LoginEnd) -> None:
        """A login succeeded or failed."""
        has_failed = end.principal is None
        self._figures.ended(end.mechanism, has_failed=has_failed, is_renewal=end.is_renewal)
        if end.principal is not None:
            self._metrics.successful_authentications += 1
            self._note(connection, end, end.principal)
            return
        self._metrics.failed_authentications += 1
        self._peer_log.report(
            connection.client_host, "login failed", reason=end.reason, listener=self._listener
        )
        self._note(connection, end, connection.principal if end.is_renewal else ANONYMOUS)

    def certified(self, connection: Connection) -> None:
        """TLS has come about, and there is no other login; a certificate may say who it is."""
        self._metrics.successful_authentications += 1
        self._figures.ended(BY_TLS, has_failed=False)
        if connection.principal != ANONYMOUS:
            end = LoginEnd(_BY_CERTIFICATE, is_renewal=False, principal=connection.principal)
            self._note(connection, end, connection.principal)

    def handshake_failed(self, host: str, reason: str) -> None:
        """No TLS came about, or a certificate that names nobody (TLS-23)."""
        self._metrics.failed_authentications += 1
        self._figures.ended(BY_TLS, has_failed=True)
        self._peer_log.report(host, "TLS handshake failed", reason=reason, listener=self._listener)
        if self._audit is not None:
            self._audit.write(
                str(ANONYMOUS),
                _HANDSHAKE,
                "login failed",
                lambda: {"address": host, "listener": self._listener, "reason": reason},
                counted_as=host,
            )

    def handshake_took(self, duration_ms: float) -> None:
        """TLS has come about after so long."""
        self._figures.handshake_ms.add(duration_ms)

    def expired(self) -> None:
        """A connection is closed since its login was not renewed in its time."""
        self._figures.expired += 1

    def _note(self, connection: Connection, end: LoginEnd, principal: Principal) -> None:
        if self._audit is None:
            return
        has_failed = end.principal is None

        def fields() -> dict[str, object]:
            tls = connection.tls()
            found: dict[str, object] = {
                "mechanism": end.mechanism or None,
                "address": connection.client_host,
                "listener": self._listener,
                "tls": None if tls is None else tls.version(),
            }
            if has_failed:
                found |= {"claimed": end.claimed, "reason": end.reason}
            return {name: value for name, value in found.items() if value is not None}

        what = "login renewal" if end.is_renewal else "login"
        self._audit.write(
            str(principal),
            _HANDSHAKE if end.mechanism == _BY_CERTIFICATE else _API,
            f"{what} failed" if has_failed else what,
            fields,
            counted_as=connection.client_host if has_failed else None,
        )
