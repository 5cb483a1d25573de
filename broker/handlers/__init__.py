"""One file an API: what it means. The table of handlers is derived from the files in this folder.

A handler file has the name of its API in snake case, and holds

- `VERSIONS = (first, last)`: the versions that it serves;
- optionally `ADVERTISED = (first, last)`: what ApiVersions tells instead (ENV-10);
- optionally `FORWARDED = True`: the active controller decides, so that a broker which is not it
  sends the request on to the controller's listener, and its answer back;
- `handle(request, context)`, plain or `async`: the answer, or a `Waiting` for it;
- optionally `refuse(request, code, message)`: the answer that carries an error which concerns the
  whole request; without it the error goes to the answer's own `error_code`.

A handler is imported with its first request: the version ranges, which every client asks for
first, are read from the source text, so that start-up imports none of them.

There are two tables. That of brokers is this folder. That of controllers is the folder
`controller/` and, of this one, the APIs whose schema names the listener of controllers.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.machinery import FileFinder
from typing import Any  # Any: one table for the messages of all APIs

from barnabas.protocol.apis import APIS, Api
from barnabas.protocol.errors import ErrorCode, ProtocolError

_RANGE = re.compile(
    r"^(VERSIONS|ADVERTISED)(?:\s*:[^=]+)?\s*=\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)", re.MULTILINE
)
_FORWARDED = re.compile(r"^FORWARDED(?:\s*:[^=]+)?\s*=\s*True\b", re.MULTILINE)
_BEFORE_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")

CONTROLLER_LISTENER = "controller"
"""What a schema calls the listeners of controllers."""

Versions = tuple[int, int]
Handle = Callable[[Any, Any], Any]
Refuse = Callable[[Any, int, str | None], Any]


class Handler:
    """One API that this node serves."""

    __slots__ = (
        "_handle",
        "_refuse",
        "advertised",
        "api",
        "first",
        "is_forwarded",
        "last",
        "module_name",
    )

    def __init__(
        self,
        api: Api,
        module_name: str,
        versions: Versions,
        advertised: Versions,
        *,
        is_forwarded: bool = False,
    ) -> None:
        self.api = api
        self.module_name = module_name
        self.first, self.last = versions
        self.advertised = advertised
        self.is_forwarded = is_forwarded
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

    def refusal(self, request: Any, code: ErrorCode, message: str | None) -> Any:
        """The answer that carries an error which concerns the whole request.

        Raises ProtocolError if this API's answer has no room for one: then only closing is left.
        """
        if self.refuse is not None:
            return self.refuse(request, code, message)
        response = self.api.response
        if "error_code" not in response.FIELDS:
            raise ProtocolError(f"{self.api.name} failed: {code.name}")
        answer: Any = response()
        answer.error_code = int(code)
        if "error_message" in response.FIELDS:
            answer.error_message = message
        return answer

    def _load(self) -> None:
        module = import_module(self.module_name)
        self._handle = module.handle
        self._refuse = getattr(module, "refuse", None)


def snake_case(name: str) -> str:
    """`InitProducerId` -> `init_producer_id`."""
    return _BEFORE_CAPITAL.sub("_", name).lower()


@cache
def load_table() -> Mapping[int, Handler]:
    """API key -> handler of what brokers serve: the files in this folder."""
    return _table_of(__path__, __name__)


@cache
def load_controller_table() -> Mapping[int, Handler]:
    """API key -> handler of what controllers serve to brokers, to each other and to tools."""
    shared = {
        key: handler
        for key, handler in load_table().items()
        if CONTROLLER_LISTENER in handler.api.listeners
    }
    folders = [f"{folder}/controller" for folder in __path__]
    return {**shared, **_table_of(folders, f"{__name__}.controller")}


def _table_of(folders: Iterable[str], package: str) -> dict[int, Handler]:
    keys = {snake_case(api.name): api for api in APIS.values()}
    table: dict[int, Handler] = {}
    for found in pkgutil.iter_modules(folders):
        api = keys.get(found.name)
        if api is None:
            continue
        module_name = f"{package}.{found.name}"
        declared = _declared(found.module_finder, found.name, module_name)
        versions = declared.get("VERSIONS")
        if versions is not None:
            table[api.key] = Handler(
                api,
                module_name,
                versions,
                declared.get("ADVERTISED", versions),
                is_forwarded=declared.get("FORWARDED", False),
            )
    return table


def _declared(finder: Any, name: str, module_name: str) -> dict[str, Any]:
    """What a handler file declares of itself; from its source, else by importing it."""
    source = None
    if isinstance(finder, FileFinder):
        spec = finder.find_spec(module_name)
        loader: Any = spec.loader if spec else None
        source = loader.get_source(module_name) if hasattr(loader, "get_source") else None
    if source is not None:
        declared: dict[str, Any] = {
            key: (int(first), int(last)) for key, first, last in _RANGE.findall(source)
        }
        return {**declared, "FORWARDED": _FORWARDED.search(source) is not None}
    module = import_module(module_name)
    names = ("VERSIONS", "ADVERTISED", "FORWARDED")
    return {key: getattr(module, key) for key in names if hasattr(module, key)}
