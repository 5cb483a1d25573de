"""Fetch: batches from the requested offset, when there are enough of them or the time is up.

In the order of a request's way:

- `handler.py` takes the request; `asked.py` is what it asks for, with the session's partitions;
- `reading.py` reads partition by partition, and `found.py` keeps what it found; `rules.py` says
  who may read what, `follower.py` what a follower's fetch does besides, `session.py` which
  partitions of a session are looked at, `rows.py` has the rows;
- `wait.py`: a fetch that found too little waits at its partitions, and reads again (74-02);
- `answer.py` makes the response when its turn to leave has come. `server/fast_fetch.py` writes it.
"""

from .handler import HANDLER

__all__ = ["HANDLER"]
