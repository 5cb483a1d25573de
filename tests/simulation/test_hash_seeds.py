"""A seed is the same run whatever order sets of texts have."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

RUN = """
import sys
from barnabas.testing.simulation.run import plan_for, run
print(run(plan_for(int(sys.argv[1]), transactions=True, duration_s=5.0)).digest)
"""


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", [3, 8, 11])
def test_a_seed_is_the_same_run_under_any_hash_seed(seed: int) -> None:
    hashes = set()
    for hash_seed in ("1", "2"):
        command = [sys.executable, "-c", RUN, str(seed)]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        hashes.add(done.stdout)
    assert len(hashes) == 1, hashes
    assert hashes.pop().strip()
