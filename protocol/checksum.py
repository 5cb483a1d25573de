"""CRC-32C of record batches, by the C extension of the `crc32c` package."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

__all__ = ["crc32c"]

Crc32c = Callable[..., int]


def _load() -> Crc32c:
    """The C function, without the package around it.

    `import crc32c` reads the metadata of the installed distribution and costs several times what
    the rest of our start does; the extension inside needs none of it.
    """
    try:
        found = _extension()
        if found is not None and found(b"123456789") == 0xE3069283:
            return found
    except Exception:  # another layout of the package: any failure means the long way round
        pass
    from crc32c import crc32c as whole_package

    return cast(Crc32c, whole_package)


def _extension() -> Crc32c | None:
    from importlib.machinery import ExtensionFileLoader, PathFinder

    package = PathFinder.find_spec("crc32c")
    if package is None or package.submodule_search_locations is None:
        return None
    spec = PathFinder.find_spec("crc32c._crc32c", list(package.submodule_search_locations))
    if spec is None or not isinstance(spec.loader, ExtensionFileLoader):
        return None
    module = spec.loader.create_module(spec)
    spec.loader.exec_module(module)
    return cast("Crc32c | None", getattr(module, "crc32c", None))


crc32c: Crc32c = _load()
"""`crc32c(buffer, value=0)`: the checksum of any buffer, going on from `value`."""
