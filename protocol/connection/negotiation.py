"""Which versions of each API a broker serves: asked first, in an older version if refused.

KIP-35, KIP-511. A broker that does not know our version of ApiVersions answers in version 0 with
UNSUPPORTED_VERSION and the versions that it knows (ENV-03); one from before Kafka 2.4 names none.
"""

from __future__ import annotations

from typing import ClassVar, Final

import barnabas

from ..errors import DecodeError, ErrorCode, ProtocolError
from ..messages.api_versions_request import ApiVersionsRequest
from ..messages.api_versions_response import ApiVersionsResponse

FIRST_VERSION: Final = 3
"""The version to ask with first; brokers since 2.4 know it."""

SOFTWARE_SINCE: Final = 3
"""From this version on a client says its name."""


class NegotiationError(ProtocolError):
    """The broker does not say which versions it serves; `code` is its error code.

    UNSUPPORTED_VERSION (35): it refuses every version of ApiVersions.
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"it answered ApiVersions with the error code {code}")
        self.code = code


class VersionsAnswer:
    """Decodes an answer to ApiVersions, which is of version 0 where the broker refused ours."""

    NAME: ClassVar[str] = ApiVersionsResponse.NAME

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ApiVersionsResponse, int]:
        code = int.from_bytes(data[offset : offset + 2], "big", signed=True)
        if code == ErrorCode.UNSUPPORTED_VERSION:
            version = 0
        response, end = ApiVersionsResponse.decode_at(data, offset, version)
        if code == 0 and not response.api_keys:
            raise DecodeError("a list of API versions without an entry")
        return response, end


class Negotiation:
    """Ask with `request` in `version`, hand the answer to `take`, until it has the versions."""

    __slots__ = ("features", "version")

    def __init__(self) -> None:
        self.version = FIRST_VERSION
        self.features: dict[str, int] = {}
        """Features that the cluster has finalised, by name; empty before there was an answer."""

    def request(self) -> ApiVersionsRequest:
        """What to ask."""
        if self.version < SOFTWARE_SINCE:
            return ApiVersionsRequest()
        return ApiVersionsRequest(
            client_software_name="barnabas", client_software_version=barnabas.__version__
        )

    def take(self, response: ApiVersionsResponse) -> dict[int, tuple[int, int]] | None:
        """Lowest and highest version by API key; None: ask again, `version` is lower now.

        Raises NegotiationError.
        """
        if response.error_code == ErrorCode.UNSUPPORTED_VERSION:
            served = [
                each.max_version
                for each in response.api_keys
                if each.api_key == ApiVersionsRequest.API_KEY
            ]
            # Lower each time, whatever it says, so that this ends.
            self.version = min(self.version - 1, max(served, default=0))
            if self.version >= 0:
                return None
        if response.error_code:
            raise NegotiationError(response.error_code)
        self.features = {each.name: each.max_version_level for each in response.finalized_features}
        return {each.api_key: (each.min_version, each.max_version) for each in response.api_keys}
