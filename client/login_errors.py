"""How TLS and logins fail: which of certificate, password and mechanism a broker, or this client,
did not take. None of them is retriable: the same again would fail the same way."""

from __future__ import annotations

from .errors import ConnectionFailedError


class AuthenticationError(ConnectionFailedError):
    """Broker and client are not sure of each other; base of the following."""

    retriable = False


class CertificateError(AuthenticationError):
    """The broker's certificate does not verify, is for another host, or the broker refuses this
    client's; the text says which."""


class TlsFailedError(AuthenticationError):
    """No TLS handshake came about: the port has no TLS, or no version or cipher is shared."""


class LoginFailedError(AuthenticationError):
    """The broker refuses name and password, or the token."""


class MechanismNotOfferedError(AuthenticationError):
    """The broker has no logins, or not by this `sasl_mechanism`; the text says which it has."""


class TokenRefusedError(AuthenticationError):
    """There is no token for this client: the token endpoint refuses it, or what came is none."""


class TokenUnavailableError(AuthenticationError):
    """No token can be had now: the endpoint does not answer, or the program's function failed."""

    retriable = True
