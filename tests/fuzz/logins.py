"""Fuzzes what comes before a login, without other tools:

    python -m tests.fuzz.logins --seconds 3600 [--seed 1]

It starts from whole conversations, and changes bytes, lengths, texts and frames. A finding is
written to build/fuzz/logins/findings and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from fuzz.corpus import read_corpus  # noqa: E402 -- the path comes first
from fuzz.login_target import close_door  # noqa: E402
from fuzz.seeds import seeds  # noqa: E402
from fuzz.targets import TARGETS  # noqa: E402

TARGET: Final = "logins"
FINDINGS: Final = ROOT / "build" / "fuzz" / TARGET / "findings"
CHANGES_MAX: Final = 6
BYTES_MAX: Final = 20_000
NUMBERS: Final = (0, 1, 127, 128, 255, 2**15 - 1, 2**15, 2**16 - 1, 524_288, 524_289, 2**31 - 1)
TEXTS: Final = (
    *(b"\x01", b"\0", b"n,,", b"y,,", b"a=admin", b"auth=Bearer ", b"r=", b",i=1", b"p=AAAA"),
    *(b"tokenauth=true", b"=2C", b"=3D", b"\xff\xfe", b".", b"e30", b"A" * 4096, b"," * 512),
    *(b"[" * 2048, b'{"alg":"none"}', b"PLAIN", b"OAUTHBEARER", b"SCRAM-SHA-256"),
)


def changed(data: bytearray, others: list[bytes], chance: random.Random) -> None:
    """Change it once, in place."""
    at = chance.randrange(len(data) + 1)
    size = chance.choice((1, 2, 4, chance.randrange(1, 64)))
    match chance.randrange(8):
        case 0 if at < len(data):
            data[at] = chance.randrange(256)
        case 1:
            data[at:at] = chance.randbytes(size)
        case 2:
            del data[at : at + size]
        case 3:
            width = chance.choice((1, 2, 4))
            number = chance.choice(NUMBERS) * chance.choice((1, 1, -1))
            data[at : at + width] = (number % 256**width).to_bytes(width, "big")
        case 4:
            data[at : at + chance.choice((0, size))] = chance.choice(TEXTS)
        case 5:
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            data[at:] = other[start:]
        case 6:
            data[at:at] = data[at : at + size * 8]
        case _:
            data[:1] = bytes([chance.choice((0, 1, 2, 3, 7, 64, 255))])


def main() -> int:
    """Parse the command line, fuzz, print the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=None, help="the same inputs for the same one")
    options = parser.parse_args()
    seed = random.randrange(2**32) if options.seed is None else options.seed
    inputs = [*seeds(TARGET), *read_corpus(TARGET)]
    try:
        return fuzz(inputs, seed, options.seconds)
    finally:
        close_door()


def fuzz(inputs: list[bytes], seed: int, seconds: float) -> int:
    """Run changed inputs for so long; the exit status."""
    chance = random.Random(seed)
    run, count, slowest_s = TARGETS[TARGET], 0, 0.0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        worked = time.process_time()
        data = bytearray(chance.choice(inputs))
        for _ in range(chance.randrange(1, CHANGES_MAX)):
            changed(data, inputs, chance)
        del data[BYTES_MAX:]
        try:
            run(bytes(data))
        except Exception:
            traceback.print_exc()
            FINDINGS.mkdir(parents=True, exist_ok=True)
            path = FINDINGS / hashlib.sha256(data).hexdigest()[:16]
            path.write_bytes(data)
            print(f"a finding after {count} inputs of seed {seed}: {path}")
            return 1
        count += 1
        slowest_s = max(slowest_s, time.process_time() - worked)
    slowest_ms = round(slowest_s * 1000)
    print(f"{count} inputs of seed {seed}, the slowest {slowest_ms} ms of CPU; nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
