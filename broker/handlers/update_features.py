"""UpdateFeatures: finalise other levels of features, all or none (KIP-584, KIP-778).

Versions: 1 says which kind of change is meant and can only check, 2 answers all features at once.
Before, each feature has a result too, but only if all went well: an error stands in one place, and
names the feature.
"""

from __future__ import annotations

from barnabas.protocol.messages.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from barnabas.protocol.messages.update_features_response import (
    UpdatableFeatureResult,
    UpdateFeaturesResponse,
)

from ..core.cluster.commands import SAFE_DOWNGRADE, UPGRADE, FeatureUpdate, UpdateFeatures
from ..core.cluster.image import KRAFT_VERSION
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(request: UpdateFeaturesRequest, context: NodeContext) -> UpdateFeaturesResponse:
    """Answer once the levels are finalised. Raises KafkaError."""
    context.rights.require(Operation.ALTER, CLUSTER)
    updates = tuple(_update(update, context) for update in request.feature_updates)
    await context.node.metadata.submit(UpdateFeatures(updates, request.validate_only))
    results = [
        UpdatableFeatureResult(feature=update.feature, error_code=0, error_message=None)
        for update in request.feature_updates
    ]
    return UpdateFeaturesResponse(error_code=0, error_message=None, results=results)


def refuse(
    request: UpdateFeaturesRequest, code: int, message: str | None
) -> UpdateFeaturesResponse:
    """An error is one for all features."""
    del request
    return UpdateFeaturesResponse(error_code=code, error_message=message, results=[])


def _update(update: FeatureUpdateKey, context: NodeContext) -> FeatureUpdate:
    kind = update.upgrade_type
    if context.api_version == 0:
        present = context.node.image.features.get(update.feature, 0)
        if update.feature == KRAFT_VERSION:
            present = context.node.quorum.kraft_version
        is_downgrade = update.allow_downgrade and update.max_version_level < present
        kind = SAFE_DOWNGRADE if is_downgrade else UPGRADE
    return FeatureUpdate(update.feature, update.max_version_level, kind)


HANDLER = Handler(UpdateFeaturesRequest, (0, 2), handle, refuse=refuse, forwarded=Forwarded())
