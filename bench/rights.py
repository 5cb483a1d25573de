"""What a decision about a right costs, with a thousand access control entries.

`python -m bench.rights` prints microseconds of CPU; they are in `python -m bench.micro`, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any  # Any: what a check looks at of a connection and a plan

from .windows import microseconds

ENTRIES = 1000
HOST = "10.0.0.1"

Piece = tuple[str, Callable[[], object]]


def rights_pieces() -> Iterator[Piece]:
    """Half of the entries are literal names, half are prefixes, of a hundred principals."""
    from barnabas.broker.core.security.acl import Acl
    from barnabas.broker.core.security.acl_index import AclIndex
    from barnabas.broker.core.security.authorizer import Authorizer
    from barnabas.broker.core.security.principal import Principal
    from barnabas.broker.core.security.resources import Operation, ResourceType, topic_resource
    from barnabas.broker.server.fast_produce import may_use
    from barnabas.broker.serving.rights import AccessControl

    index = AclIndex()
    for number in range(ENTRIES):
        pattern = 3 + number % 2
        name = f"team-{number % 50}-{number}"
        acl = Acl(2, name, pattern, f"User:{number % 100}", "*", Operation.WRITE, 3)
        index.add(number.to_bytes(16, "big"), acl)
    authorizer = Authorizer(lambda: index)
    alice = Principal("User", "1")
    known = topic_resource("team-1-1")
    names = (topic_resource(f"team-1-{number}") for number in itertools.count())
    write = Operation.WRITE
    yield "a right, remembered", lambda: authorizer.may(alice, HOST, write, known)
    yield "a right, first asked", lambda: authorizer.may(alice, HOST, write, next(names))
    kind = ResourceType.TOPIC
    yield "a right on any topic", lambda: authorizer.may_on_any(alice, HOST, write, kind)
    yield "the state of the entries", lambda: authorizer.rules
    connection: Any = SimpleNamespace(principal=alice, client_host=HOST)
    plan: Any = SimpleNamespace(allowed_by=None, allowed_to=None)
    here: Any = {0: SimpleNamespace(topic=known.name)}
    access = AccessControl(authorizer)
    yield "a right, on the way of a Produce", lambda: may_use(plan, access, connection, here)


def main() -> None:
    """Measure and print; the last piece is what a Produce on its fast road pays."""
    for name, function in rights_pieces():
        print(f"{name:<40} {microseconds(function):8.3f} us")
    print("wanted on the way of a Produce: 1 us at most")


if __name__ == "__main__":
    main()
