"""Compiles the leaves to C when a wheel is built with BARNABAS_COMPILE=1; else does nothing.

The rest of the packaging is in pyproject.toml. An editable install is never compiled: the shared
objects would lie beside the source and win over every later edit of it.
"""

from __future__ import annotations

import os
import shutil
import sys

from setuptools import Extension, setup

SOURCE = "src/barnabas"

LEAVES = {
    "protocol/varints.py": "reading one 5.9 x; where it is Python, the next two gain a half only",
    "protocol/record_walk.py": "checking the framing of records 68.9 x, with headers 53.7 x",
    "protocol/record_spans.py": "keys of records for compaction 8.1 x, with headers 7.4 x",
    "protocol/record_builder.py": "building batches 4.7 x, with headers 5.6 x",
    "protocol/record_columns.py": "turning records into columns 8.6 x, with headers 5.8 x",
    "protocol/record.py": "one record; the next makes them at C speed, 5.5 x both together",
    "protocol/records.py": "making records of them 5.5 x, with headers 5.1 x",
}
"""Modules under src/barnabas that a compiled wheel compiles: all of them, and why.

The broker and its core ship as they were tested, as Python; compiling them bought nothing. A leaf
sees bytes and numbers only, is called for a whole batch or record at a time, and is at least three
times as fast compiled: `python -m bench.micro` measures (interpreted over compiled, CPU time of one
call, 500 records of 100 bytes). Weighed and left out: headers of batches (1.1 x), the generated
messages (1.0 to 1.7 x), walking over batches (1.0 x), rows from columns (1.0 x).

Compiled code checks the types of arguments, which interpreted code does not, so what a leaf says
must be true: `tests/artifact` runs their tests, a cluster and real clients on the built wheel.
mypyc evaluates a call inside a slice of a memoryview twice, so leaves have none there, and it
cannot have interpreted children of compiled exceptions; `tests/test_build_info.py` looks.
"""

BUILD_BASE = "build/wheel"
COMPILER = ["mypy==2.4.1", "librt==0.16.0"]
"""As in constraints.txt. Compiled code runs with the librt it was compiled for, and newer ones."""

OPTIMISATION = "2"


def wants_compiling() -> bool:
    """Whether this run builds the files of a wheel that is to be compiled."""
    commands = set(sys.argv[1:])
    return (
        os.environ.get("BARNABAS_COMPILE") == "1"
        and not commands & {"editable_wheel", "develop"}
        and bool(commands & {"bdist_wheel", "build", "build_ext"})
    )


def has_c_compiler() -> bool:
    """Whether the compiler that setuptools would call is on the path."""
    names = [os.environ.get("CC", "").split(" ")[0], "cc", "gcc", "clang"]
    return any(name and shutil.which(name) for name in names)


def extensions() -> list[Extension]:
    """What to compile: nothing, or the leaves as C, together in one library."""
    if not wants_compiling():
        return []
    if not has_c_compiler():
        sys.stderr.write("barnabas: no C compiler, so this wheel is pure Python\n")
        return []
    from mypyc.build import mypycify

    return mypycify(
        [f"{SOURCE}/{path}" for path in sorted(LEAVES)],
        opt_level=OPTIMISATION,
        debug_level="0",
        target_dir=BUILD_BASE,
        group_name="barnabas.leaves",
    )


shutil.rmtree(BUILD_BASE, ignore_errors=True)  # a module since removed must not reach the wheel
setup(
    ext_modules=extensions(),
    options={"build": {"build_base": BUILD_BASE}},
    setup_requires=COMPILER if os.environ.get("BARNABAS_COMPILE") == "1" else [],
)
