"""Three replicas and a controller, in any order of events: what was committed stays.

Every step is drawn from a seed: appends, fetches, elections, metadata that comes late to some,
answers of the controller before or after their metadata. A replica is cut and filled by the same
rules as in a broker; only the connections between them are left out.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .random_cluster import IDS, STEPS, Cluster


@pytest.mark.parametrize("seed", range(12))
def test_what_was_committed_stays(tmp_path: Path, seed: int) -> None:
    """I-2, I-3, I-4, I-6: through elections, late metadata and truncation; then all are equal."""
    cluster = Cluster(tmp_path, Random(seed))
    for _ in range(STEPS):
        cluster.step()
    cluster.heal()
    leader = cluster.replicas[cluster.image.leader].partition
    assert sorted(leader.as_leader().in_sync.committed) == list(IDS)
    assert leader.high_watermark == leader.log.log_end_offset > 0
    logs = {
        cluster.readable(replica.partition, replica.partition.log.log_end_offset)
        for replica in cluster.replicas.values()
    }
    assert len(logs) == 1
