"""One file an API: what it means. The table of handlers is derived from the files in this folder.

A handler file has the name of its API in snake case, and holds

- `VERSIONS = (first, last)`: the versions that it serves;
- optionally `ADVERTISED = (first, last)`: what ApiVersions tells instead (ENV-10);
- `handle(request, context)`, plain or `async`: the answer, or a `Waiting` for it;
- optionally `refuse(request, code, message)`: the answer that carries an error which concerns the
  whole request; without it the error goes to the answer's own `error_code`.

A handler is imported with its first request: the version ranges, which every client asks for
first, are read from the source text, so that start-up imports none of them.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import FileFinder
from typing import Any

from barnabas.protocol.apis import APIS, Api

_RANGE = re.compile(
    r"^(VERSIONS|ADVERTISED)(?:\s*:[^=]+)?\s*=\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)", re.MULTILINE
)
_BEFORE_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")

Versions = tuple[int, int]
Handle = Callable[[Any, Any], Any]
Refuse = Callable[[Any, int, str | None], Any]


class Handler:
    """One API that this broker serves."""

    __slots__ = ("_handle", "_refuse", "advertised", "api", "first", "last", "module_name")

    def __init__(
        self, api: Api, module_name: str, versions: Versions, advertised: Versions
    ) -> None:
        self.api = api
        self.module_name = module_name
        self.first, self.last = versions
        self.advertised = advertised
        self._handle: Handle | None = None
        self._refuse: Refuse | None = None

    @property
    def handle(self) -> Handle:
        """The function that answers; its module is imported now if it was not before."""
        if self._handle is None:
            self._load()
        assert self._handle is not None
        return self._handle

    @property
    def refuse(self) -> Refuse | None:
        """The function that answers with one error for the whole request, if there is one."""
        if self._handle is None:
            self._load()
        return self._refuse

    def _load(self) -> None:
        module = import_module(self.module_name)
        self._handle = module.handle
        self._refuse = getattr(module, "refuse", None)


def snake_case(name: str) -> str:
    """`InitProducerId` -> `init_producer_id`."""
    return _BEFORE_CAPITAL.sub("_", name).lower()


@cache
def load_table() -> dict[int, Handler]:
    """API key -> handler, of all files in this folder that serve an API; not to be changed."""
    keys = {snake_case(api.name): api for api in APIS.values()}
    table: dict[int, Handler] = {}
    for found in pkgutil.iter_modules(__path__):
        api = keys.get(found.name)
        if api is None:
            continue
        module_name = f"{__name__}.{found.name}"
        ranges = _ranges(found.module_finder, found.name, module_name)
        versions = ranges.get("VERSIONS")
        if versions is not None:
            advertised = ranges.get("ADVERTISED", versions)
            table[api.key] = Handler(api, module_name, versions, advertised)
    return table


def _ranges(finder: Any, name: str, module_name: str) -> dict[str, Versions]:
    """The version ranges that a handler file declares; from its source, else by importing it."""
    source = None
    if isinstance(finder, FileFinder):
        spec = finder.find_spec(module_name)
        loader: Any = spec.loader if spec else None
        source = loader.get_source(module_name) if hasattr(loader, "get_source") else None
    if source is not None:
        return {key: (int(first), int(last)) for key, first, last in _RANGE.findall(source)}
    module = import_module(module_name)
    return {key: getattr(module, key) for key in ("VERSIONS", "ADVERTISED") if hasattr(module, key)}
