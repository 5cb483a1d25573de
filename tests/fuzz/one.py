"""Runs one target under atheris: `python -m fuzz.one TARGET [options of libFuzzer] DIRECTORY`.

`run.py` starts this. What is imported here is instrumented, so that libFuzzer sees which branches
of ours an input reached.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

atheris: Any = import_module("atheris")  # not a dependency, and its types miss what it has


def main() -> None:
    """Fuzz until libFuzzer's options say stop; the first argument names the target."""
    with atheris.instrument_imports(include=["barnabas"]):
        from fuzz.targets import TARGETS
    name = sys.argv.pop(1)
    target = TARGETS[name]
    # libFuzzer starts itself again by this, in a shell, when it merges corpora.
    sys.argv[0] = f"{sys.executable} -m fuzz.one {name}"
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
