"""Processes that run simulations side by side, and end with the one that started them."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from threading import Thread

_LEFT_ALONE = 1


def workers(jobs: int, *, tasks_max: int | None = None) -> ProcessPoolExecutor:
    """A pool of `jobs` fresh processes, each replaced after `tasks_max` tasks.

    Left to itself a worker would wait for ever for more to do when its parent is killed.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        jobs, context, initializer=_end_with_parent, max_tasks_per_child=tasks_max
    )


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(_LEFT_ALONE)
