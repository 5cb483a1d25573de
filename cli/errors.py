"""How the command line shows errors: one line that says what was wrong, exit status 1."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import NoReturn


def fail(message: str, status: int = 1) -> NoReturn:
    """Print `barnabas: message` on standard error and exit with `status`."""
    print(f"barnabas: {message}", file=sys.stderr)
    raise SystemExit(status)


@contextlib.contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn errors that the user can mend into one line; bugs keep their traceback."""
    try:
        yield
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        # The reader of our output went away (`barnabas consume | head`): not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:
        if not _is_for_the_user(error):
            raise
        fail(str(error) or type(error).__name__)


def _is_for_the_user(error: Exception) -> bool:
    if isinstance(error, OSError):
        return True
    # By name, so that no subcommand has to import the client or the broker to fail politely.
    names = {f"{cls.__module__}.{cls.__name__}" for cls in type(error).__mro__}
    return bool(names & USER_ERRORS)


USER_ERRORS = frozenset(
    {
        "barnabas.protocol.errors.ProtocolError",
        "barnabas.protocol.errors.KafkaError",
        "barnabas.client.errors.ClientError",
        "barnabas.protocol.compiler.source_json.SchemaError",
        "barnabas.protocol.vectors.VectorError",
        "barnabas.broker.core.config.field.ConfigError",
        "barnabas.testing.cluster_layout.LayoutError",
        "barnabas.testing.process_cluster.ClusterError",
    }
)
"""Classes whose text is meant for a user; everything else is our bug."""
