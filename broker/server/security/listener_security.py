"""What one listener asks of those who connect to it."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from secrets import token_urlsafe
from typing import Any, Final  # Any: SSL objects of two event loops

from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.sasl import oauthbearer, plain, scram
from barnabas.protocol.sasl.scram import ScramHash

from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import for_listener, protocol_of
from ...core.ports import Clock
from ...core.security.bearer_server import OauthBearerServer
from ...core.security.distinguished_name import CertificateError, subject_of
from ...core.security.mapping_rules import MappingRuleError, MappingRules
from ...core.security.mechanisms import PlainServer, ScramCredential, ScramServer, ServerMechanism
from ...core.security.principal import ANONYMOUS, USER, Principal
from .jaas_entries import entry_of
from .login import SaslRules
from .material import Warn, client_auth_of
from .password_check import password_check_of
from .token_logins import TokenChecks, token_checks

_NONCE_BYTES: Final = 20
_THREADS: Final = 4
"""That look at tokens, and call the function of PLAIN, for one listener."""


class ListenerSecurity:
    """Protocol, certificates and logins of one listener; made when the node starts."""

    def __init__(
        self,
        config: BrokerConfig,
        name: str,
        tls: ssl.SSLContext | None,
        image_of: Callable[[], ClusterImage],
        clock: Clock,
        warn: Warn,
    ) -> None:
        """`tls` is None for a listener without; another may take its place while the node runs.
        `image_of` gives what the metadata log says now. Raises ConfigError."""
        self.name = name
        self.tls = tls
        self._clock = clock
        self._warn = warn
        self._tokens: TokenChecks | None = None
        self._threads: ThreadPoolExecutor | None = None
        self.protocol = protocol_of(config, name)
        of_this = for_listener(config, name)
        self.handshakes_max = of_this.connections_max_handshakes
        self.timeout_ms = of_this.connections_authentication_timeout_ms
        self._image_of = image_of
        self.client_auth = "none"
        self._drops_untrusted = of_this.ssl_untrusted_clients_disconnect_enable
        self.on_untrusted: Callable[[], object] = lambda: None
        """Called when whoever showed a certificate must connect again (ATK-05)."""
        self.sasl: SaslRules | None = None
        if tls is not None:
            self.client_auth = client_auth_of(config, name, self.protocol, warn)
        try:
            self._rules = MappingRules(of_this.ssl_principal_mapping_rules)
        except MappingRuleError as error:
            raise ConfigError("ssl.principal.mapping.rules", None, str(error)) from None
        if self.protocol in ("SASL_PLAINTEXT", "SASL_SSL"):
            self.sasl = self._sasl_rules(config, of_this)

    def renew(self, tls: ssl.SSLContext) -> None:
        """From now on connections are made with this one; `tls` is not None for this listener."""
        old, self.tls = self.tls, tls
        if old is None or self.client_auth == "none" or not self._drops_untrusted:
            return
        if not set(old.get_ca_certs(True)) <= set(tls.get_ca_certs(True)):
            self.on_untrusted()

    async def start(self, warn: Warn) -> None:
        """Fetch what logins need; `warn` hears of what goes wrong later. Raises ConfigError."""
        if self._tokens is not None:
            await self._tokens.start(warn)

    async def stop(self) -> None:
        """The listener takes no more connections; logins that are under way end with theirs."""
        if self._tokens is not None:
            await self._tokens.stop()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    @property
    def is_authenticating(self) -> bool:
        """Whether everybody must say who they are."""
        return self.sasl is not None or self.client_auth == "required"

    @property
    def readable_mechanisms(self) -> list[str]:
        """Mechanisms whose passwords and tokens pass over this listener as they are (SASL-15)."""
        if self.sasl is None or self.tls is not None:
            return []
        return [one for one in self.sasl.mechanisms if one in (plain.NAME, oauthbearer.NAME)]

    def principal_of(self, tls: Any) -> Principal:
        """Whose certificate that is (TLS-14). Raises CertificateError if no rule gives it a name
        (TLS-15c), and if it has run out since it was looked at."""
        if self.client_auth == "none":
            return ANONYMOUS
        certificate = tls.getpeercert(binary_form=True)
        if certificate is None:
            return ANONYMOUS
        if self._drops_untrusted and tls.context is not self.tls:
            raise CertificateError("the authorities changed during the handshake")
        if tls.session_reused:
            self._check_end(tls.getpeercert())
        if self.protocol != "SSL":
            return ANONYMOUS
        name = self._rules.name_of(subject_of(certificate))
        if name is None:
            raise CertificateError(
                "no rule of ssl.principal.mapping.rules names this certificate's user"
            )
        return Principal(USER, name)

    def _check_end(self, certificate: dict[str, Any]) -> None:
        """OpenSSL looks at a certificate in whole handshakes alone: a session of TLS 1.2 that is
        resumed has the one from then, which may have expired."""
        if self._clock.wall_ms() > ssl.cert_time_to_seconds(certificate["notAfter"]) * 1000:
            raise CertificateError("the certificate of the resumed session has expired")

    def _sasl_rules(self, config: BrokerConfig, of_this: BrokerConfig) -> SaslRules:
        mechanisms = {
            name: self._mechanism(config, name) for name in of_this.sasl_enabled_mechanisms
        }
        return SaslRules(
            mechanisms,
            {
                name: for_listener(config, self.name, name).connections_max_reauth_ms
                for name in mechanisms
            },
            of_this.sasl_server_max_receive_size,
            of_this.connection_failed_authentication_delay_ms,
            self.timeout_ms,
            self._threads,
        )

    def _mechanism(self, config: BrokerConfig, mechanism: str) -> Callable[[], ServerMechanism]:
        if mechanism == oauthbearer.NAME:
            self._tokens = token_checks(config, self.name, self._clock, self._warn)
            self._have_threads()
            return partial(OauthBearerServer, self._tokens.check)
        entry = entry_of(config, self.name, mechanism)
        if mechanism == plain.NAME:
            check = password_check_of(for_listener(config, self.name, mechanism))
            if check is not None:
                self._have_threads()
                return partial(PlainServer, {}, check)
            if entry is None:
                raise ConfigError(
                    "sasl.jaas.config", None, f"must be set for PLAIN on listener {self.name}"
                )
            return partial(PlainServer, entry.users)
        kind = scram.BY_NAME[mechanism]
        secret = "" if entry is None else str(sorted(entry.options.items()))
        return partial(self._scram, kind, secret)

    def _have_threads(self) -> None:
        self._threads = self._threads or ThreadPoolExecutor(_THREADS, "barnabas-logins")

    def _scram(self, kind: ScramHash, secret: str) -> ScramServer:
        # Equal on all nodes and after a restart, and not known to those who cannot log in.
        key = f"{self._image_of().cluster_id}{secret}".encode()
        nonce = token_urlsafe(_NONCE_BYTES)
        return ScramServer(kind, self._credential, key, nonce, self._any_credential)

    def _credential(self, name: str, kind: ScramHash) -> ScramCredential | None:
        record = self._image_of().security.credentials.get((name, kind.number))
        return None if record is None else _credential_of(record)

    def _any_credential(self, kind: ScramHash) -> ScramCredential | None:
        for (_, number), record in self._image_of().security.credentials.items():
            if number == kind.number:
                return _credential_of(record)
        return None


def _credential_of(record: UserScramCredentialRecord) -> ScramCredential:
    return ScramCredential(
        bytes(record.salt),
        bytes(record.stored_key),
        bytes(record.server_key),
        record.iterations,
    )
