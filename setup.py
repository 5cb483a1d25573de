"""Compiles the hot modules to C when a wheel is built with BARNABAS_COMPILE=1; else does nothing.

The rest of the packaging is in pyproject.toml. An editable install is never compiled: the shared
objects would lie beside the source and win over every later edit of it.
"""

from __future__ import annotations

import glob
import os
import shutil
import sys

from setuptools import Extension, setup

SOURCE = "src/barnabas"

HOT = (
    "protocol/primitives.py",
    "protocol/message.py",
    "protocol/record_batch.py",
    "protocol/records.py",
    "protocol/record_builder.py",
    "protocol/messages/produce_*.py",
    "protocol/messages/fetch_request.py",
    "protocol/messages/list_offsets_*.py",
    "protocol/messages/metadata_*.py",
    "protocol/messages/offset_for_leader_epoch_*.py",
    "protocol/messages/*_header.py",
    "broker/core/log/batch_fields.py",
    "broker/core/log/walking.py",
    "broker/core/log/offset_index.py",
    "broker/core/log/time_index.py",
    "broker/core/log/leader_epochs.py",
    "broker/core/log/producers.py",
    "broker/core/log/producer_entry.py",
    "broker/core/replication/fetch_session.py",
)
"""Glob patterns under src/barnabas, in one place: what a compiled wheel compiles.

Not among them: the Fetch answer (it may hold any buffer, a compiled field takes only `bytes`),
exceptions that others inherit from (a compiled parent refuses interpreted children), codecs with
unsigned 16-bit numbers (mypyc refuses 65535 beside an i16), and what only makes system calls. mypyc
evaluates a call inside a slice of a memoryview twice, so these modules have none;
`tests/test_build_info.py` looks.
"""

BUILD_BASE = "build/wheel"
COMPILER = ["mypy>=2.4,<3"]
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


def hot_files() -> list[str]:
    """The files of HOT, sorted."""
    found = {path for pattern in HOT for path in glob.glob(f"{SOURCE}/{pattern}")}
    return sorted(path for path in found if not path.endswith("__init__.py"))


def extensions() -> list[Extension]:
    """What to compile: nothing, or the hot modules as C."""
    if not wants_compiling():
        return []
    if not has_c_compiler():
        sys.stderr.write("barnabas: no C compiler, so this wheel is pure Python\n")
        return []
    from mypyc.build import mypycify

    return mypycify(
        hot_files(), opt_level=OPTIMISATION, debug_level="0", target_dir=BUILD_BASE, multi_file=True
    )


shutil.rmtree(BUILD_BASE, ignore_errors=True)  # a module since removed must not reach the wheel
setup(
    ext_modules=extensions(),
    options={"build": {"build_base": BUILD_BASE}},
    setup_requires=COMPILER if os.environ.get("BARNABAS_COMPILE") == "1" else [],
)
