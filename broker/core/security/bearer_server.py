"""The server's side of OAUTHBEARER: whose token it is, and how somebody is told that it is bad.

A bad token takes two steps (SASL-41): the server answers with a JSON text, the client confirms with
a single byte, and only then the login fails. Another token in the place of the byte is looked at
anew, a few times.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from barnabas.protocol.sasl import oauthbearer
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.oauthbearer import ClientInitial
from barnabas.protocol.sasl.slow import Slow

from .bearer_tokens import Bearer, TokenRejectedError
from .mechanisms import LoginError

TOKENS_MAX: Final = 3
"""Tokens that are looked at in one login."""

CheckToken = Callable[[str], Bearer]
"""Whose token it is; raises TokenRejectedError. It is called in a thread."""


class OauthBearerServer:
    """One login."""

    def __init__(self, check: CheckToken) -> None:
        self._check = check
        self._seen = 0
        self.user: str | None = None
        self.claimed: str | None = None
        self.doubt: str | None = None
        self.lifetime_ms = 0

    def step(self, token: bytes) -> bytes | Slow:
        """Nothing to say, if the token is good. Raises LoginError."""
        if self.doubt is not None and token == oauthbearer.CONFIRMATION:
            raise LoginError(self.doubt, oauthbearer.INVALID_TOKEN)
        try:
            message = oauthbearer.parse_client_initial(token)
        except SaslError as error:
            raise LoginError(str(error)) from None
        self._seen += 1
        if self._seen > TOKENS_MAX:
            raise LoginError(f"{TOKENS_MAX} tokens, and none was good: {self.doubt}")
        return Slow(partial(self._judge, message))

    def _judge(self, message: ClientInitial) -> bytes:
        try:
            bearer = self._check(message.token)
        except TokenRejectedError as error:
            self.doubt = f"the token is not taken: {error}"
            return oauthbearer.INVALID_TOKEN.encode()
        self.claimed = bearer.name
        if message.authzid not in ("", bearer.name):
            text = (
                f"Authentication failed: the authorization id {message.authzid!r} is not the "
                f"principal of the token, {bearer.name!r}"
            )
            raise LoginError("another authorization id", text)
        self.doubt = None
        self.lifetime_ms = bearer.lifetime_ms
        self.user = bearer.name
        return b""
