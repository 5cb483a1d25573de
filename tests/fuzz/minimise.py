"""Packs what a run found into the repository: `python tests/fuzz/minimise.py [--target NAME …]`.

libFuzzer keeps of build/fuzz/TARGET/corpus what is needed for the same coverage; the smallest of
those inputs that fit into the limit go to tests/fuzz/corpus/TARGET.jsonl.gz.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from fuzz.corpus import corpus_file, read_corpus, unpack, write_corpus  # noqa: E402 -- see above
from fuzz.run import INPUT_BYTES_MAX, WORK  # noqa: E402
from fuzz.seeds import seeds  # noqa: E402
from fuzz.targets import TARGETS  # noqa: E402

PACKED_BYTES_MAX: Final = 75_000
"""Of each target's file; all of them together stay below 400 kB."""


def minimise(target: str) -> None:
    """Merge the kept and the found inputs of a target, and keep the smallest."""
    with tempfile.TemporaryDirectory() as directory:
        merged, kept = Path(directory) / "merged", Path(directory) / "kept"
        merged.mkdir()
        unpack(read_corpus(target), kept)
        unpack(seeds(target), WORK / target / "corpus")
        command = [sys.executable, "-m", "fuzz.one", target, "-merge=1"]
        command += [f"-max_len={INPUT_BYTES_MAX}", str(merged), str(kept)]
        command.append(str(WORK / target / "corpus"))
        subprocess.run(command, cwd=ROOT / "tests", check=True, capture_output=True, timeout=300)
        found = sorted((path.read_bytes() for path in merged.iterdir()), key=len)
    count, too_many = 0, len(found) + 1
    while too_many - count > 1:
        middle = (count + too_many) // 2
        write_corpus(target, found[:middle])
        if corpus_file(target).stat().st_size <= PACKED_BYTES_MAX:
            count = middle
        else:
            too_many = middle
    write_corpus(target, found[:count])
    size = corpus_file(target).stat().st_size
    print(f"{target}: {count} of {len(found)} inputs, {size} bytes")


def main() -> None:
    """Minimise the targets that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="all by default")
    for target in parser.parse_args().target or list(TARGETS):
        minimise(target)


if __name__ == "__main__":
    main()
