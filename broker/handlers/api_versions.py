"""ApiVersions: what this broker serves, and at which levels the cluster's features stand.

A version that is not served at all is answered in `server/dispatch.py` (ENV-03), since no request
of that version can be decoded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

from ..core.cluster.image import KRAFT_VERSION, ClusterImage
from ..serving.context import NodeContext
from ..serving.handler import Handler

_SOFTWARE_SINCE = 3
_FEATURES_FROM_0_SINCE = 4
_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")


def handle(request: ApiVersionsRequest, context: NodeContext) -> ApiVersionsResponse:
    """The same for everybody; who sends an ill-formed software name is told so (ENV-04)."""
    version = context.api_version
    if version >= _SOFTWARE_SINCE and not (
        _SOFTWARE.fullmatch(request.client_software_name)
        and _SOFTWARE.fullmatch(request.client_software_version)
    ):
        return ApiVersionsResponse(error_code=int(ErrorCode.INVALID_REQUEST))
    context.peer.client_software = request.client_software_name
    response = ApiVersionsResponse(api_keys=_api_keys(context.node.handlers))
    if version >= _SOFTWARE_SINCE:
        node = context.node
        _add_features(response, node.image, node.node_id, version)
        _add_kraft_version(response, node.quorum.kraft_version)
    return response


def _api_keys(handlers: Mapping[int, Handler[NodeContext]]) -> list[ApiVersion]:
    return [
        ApiVersion(
            api_key=key, min_version=handler.advertised[0], max_version=handler.advertised[1]
        )
        for key, handler in sorted(handlers.items())
    ]


def _add_features(
    response: ApiVersionsResponse, image: ClusterImage, node_id: int, version: int
) -> None:
    own = image.brokers.get(node_id) or image.controllers.get(node_id)
    for feature in own.features if own is not None else ():
        # Clients before version 4 take a feature that begins at 0 for a broken answer.
        if feature.minimum > 0 or version >= _FEATURES_FROM_0_SINCE:
            response.supported_features.append(
                SupportedFeatureKey(
                    name=feature.name, min_version=feature.minimum, max_version=feature.maximum
                )
            )
    response.finalized_features_epoch = image.last_offset
    for name, level in sorted(image.features.items()):
        response.finalized_features.append(
            FinalizedFeatureKey(name=name, max_version_level=level, min_version_level=level)
        )


def _add_kraft_version(response: ApiVersionsResponse, level: int) -> None:
    """The quorum's own feature, which the image does not have; level 0 is not told, as in Kafka."""
    if level > 0:
        response.finalized_features.append(
            FinalizedFeatureKey(
                name=KRAFT_VERSION, max_version_level=level, min_version_level=level
            )
        )


HANDLER = Handler(ApiVersionsRequest, (0, 4), handle)
