"""Produce: batches are checked, appended, and acknowledged when enough replicas have them.

`handler.py` takes the request partition by partition; `answer.py` holds the rows of the answer, and
waits for what is still missing; `checking.py` walks what a batch holds before it is appended;
`verifying.py` asks the coordinator of a transaction first, where the batch begins one here
(KIP-890). `server/fast_produce.py` is the short way of the commonest request.
"""

from .handler import HANDLER

__all__ = ["HANDLER"]
