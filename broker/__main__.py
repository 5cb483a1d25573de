"""`python -m barnabas.broker`: a node as a process. The one place that chooses uvloop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TextIO

from barnabas import __version__
from barnabas.dialling import address_text
from barnabas.protocol.errors import KafkaError
from barnabas.stop_orders import stop_orders

from .core.config.broker import BrokerConfig
from .core.config.field import ConfigError
from .core.config.listeners import check_listeners, parse_address
from .core.log.failures import DamagedLogError
from .node import Node
from .observe.logging import Logger
from .server.formatting import MetadataError
from .settings import load_config, variables_of_services
from .storage.descriptors import raise_limit
from .storage.lock import DirectoryLockedError

run_loop: Callable[[Coroutine[Any, Any, int]], int] = asyncio.run
try:
    import uvloop

    run_loop = uvloop.run
except ImportError:  # not on this platform
    pass

EXIT_FAILED = 1
EXIT_USAGE = 2


def serve(
    *,
    config_file: str | None = None,
    settings: Sequence[str] = (),
    directory: str | None = None,
    port: int | None = None,
    host: str | None = None,
) -> None:
    """Run a node with these settings until it is told to stop; raises SystemExit on failure."""
    gc.disable()  # what a start makes stays; `_run` goes on with collecting
    try:
        config = load_config(
            file=config_file, environment=os.environ, assignments=settings, values={}
        )
        config = _with_options(config, directory, host, port)
    except (ConfigError, ValueError, OSError) as error:
        print(f"barnabas: {error}", file=sys.stderr)
        raise SystemExit(EXIT_USAGE) from None
    ignored = variables_of_services(os.environ)
    if ignored:
        log = Logger(config.logging_format, config.logging_level)
        log.info("variables that tell of a Service set nothing", variables=", ".join(ignored))
    code = run(config)
    if code:
        raise SystemExit(code)


def _with_options(
    config: BrokerConfig, directory: str | None, host: str | None, port: int | None
) -> BrokerConfig:
    """--dir, --host and --port, which win over every other source. Raises ConfigError."""
    if directory is not None:
        config = replace(config, log_dirs=(directory,))
    if host is not None or port is not None:
        first = parse_address(config.listeners[0])
        host = first.host if host is None else host
        port = first.port if port is None else port
        listeners = f"{first.name}://{host}:{port}", *config.listeners[1:]
        config = replace(config, listeners=listeners)
        check_listeners(config)
    return config


def run(config: BrokerConfig) -> int:
    """Run a node until SIGTERM, SIGINT or SIGHUP; the exit status."""
    raise_limit()
    try:
        return run_loop(_run(config))
    finally:
        _flush(sys.stderr)


async def _run(config: BrokerConfig) -> int:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in stop_orders():
        loop.add_signal_handler(number, stop.set)
    starting = loop.create_task(Node.start(config))
    stopped = loop.create_task(stop.wait())
    # A node of a cluster waits for a controller: it must be possible to stop it meanwhile.
    await asyncio.wait((starting, stopped), return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return 0
    try:
        node = await starting
    except ConfigError as error:
        print(f"barnabas: {error}", file=sys.stderr)
        return EXIT_USAGE
    except (DamagedLogError, MetadataError, DirectoryLockedError, OSError, KafkaError) as error:
        print(f"barnabas: {error}", file=sys.stderr)
        return EXIT_FAILED
    # Modules and settings are there for good: no collection need walk over them again.
    gc.freeze()
    gc.enable()
    _say_ready(node)
    failed = loop.create_task(node.failed.wait())
    await asyncio.wait((failed, stopped), return_when=asyncio.FIRST_COMPLETED)
    has_failed = failed.done()
    failed.cancel()
    stopped.cancel()
    await node.stop()
    return EXIT_FAILED if has_failed else 0


def _say_ready(node: Node) -> None:
    roles = "+".join(node.config.process_roles)
    line = (
        f"barnabas {__version__} ready: node {node.node_id} ({roles}), "
        f"cluster {node.cluster_id}, {address_text(node.host, node.port)}{_openness(node)}, "
        f"dir {','.join(node.config.log_dirs)}, start {process_age_s():.2f} s"
    )
    with contextlib.suppress(OSError):
        print(line)
    _flush(sys.stdout)


def _flush(stream: TextIO) -> None:
    """Have what was written leave. Where nobody reads it, which is no reason to end, or to end with
    another status, it goes nowhere: Python would try again at its end, and fail there."""
    try:
        stream.flush()
    except OSError:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def _openness(node: Node) -> str:
    """Whoever opens a listener to others, who need not say who they are, should read that."""
    names = [
        listener.name
        for listener in node.listeners
        if listener.is_open and not listener.security.is_authenticating
    ]
    if not names:
        return ""
    return f" ({' and '.join(names)} open to the network, without authentication)"


def process_age_s() -> float:
    """Seconds since the kernel started this process; interpreter and imports included."""
    try:
        with open("/proc/self/stat", "rb") as file:
            started = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, ValueError, AttributeError):
        return time.process_time()


def main(arguments: Sequence[str] | None = None) -> None:
    """The options of `barnabas serve` without click: `python -m barnabas.broker --dir DIR`."""
    parser = argparse.ArgumentParser(prog="python -m barnabas.broker", description=__doc__)
    parser.add_argument("--config", metavar="FILE", help="a TOML file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings")
    parser.add_argument("--dir", help="the log directory")
    parser.add_argument("--port", type=int, help="port to listen on; 0 picks a free one")
    parser.add_argument("--host", help="address to listen on; 127.0.0.1 unless set")
    found = parser.parse_args(arguments)
    serve(
        config_file=found.config,
        settings=found.settings,
        directory=found.dir,
        port=found.port,
        host=found.host,
    )


if __name__ == "__main__":
    main()
