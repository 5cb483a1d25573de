"""Steps of a client's login as tests take them: at once, whatever they cost."""

from __future__ import annotations

from barnabas.protocol.sasl.slow import Slow


def token_of(step: bytes | Slow | None) -> bytes:
    """The token to send, worked out here if it is slow; there must be one."""
    assert step is not None
    return step.run() if isinstance(step, Slow) else step
