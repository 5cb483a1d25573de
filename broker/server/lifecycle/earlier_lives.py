"""What a broker's own log says of a directory that is older than the broker's last life.

The metadata that comes in before the new registration names the last one before it. A directory
whose marker of a clean stop is of an earlier epoch (966-03), or whose metadata log ended before
that registration, has not seen it: somebody put an older copy back, or the disk lost writes.
"""

from __future__ import annotations

from ...observe.logging import Logger
from ..quorum.publisher import ImagePublisher


class EarlierLives:
    """Watches from before this process registers until it has applied its registration."""

    def __init__(
        self, publisher: ImagePublisher, broker_id: int, incarnation_id: bytes, log_end: int
    ) -> None:
        """`log_end` is where the metadata log ended when it was opened."""
        self._publisher = publisher
        self._broker_id = broker_id
        self._incarnation_id = incarnation_id
        self._log_end = log_end
        self._last_epoch = -1
        self._let_in_epoch = -1
        self._look(-1)
        publisher.applied_listeners.append(self._look)

    def _look(self, offset: int) -> None:
        del offset
        found = self._publisher.image.brokers.get(self._broker_id)
        if found is None or found.incarnation_id == self._incarnation_id:
            return
        self._last_epoch = found.epoch
        if not found.fenced:
            self._let_in_epoch = found.epoch

    def end(self) -> None:
        """Stop watching."""
        self._publisher.applied_listeners.remove(self._look)

    def tell(self, log: Logger, previous_epoch: int) -> None:
        """Log one line if the directory is older. `previous_epoch` is that of its clean stop, or
        -1."""
        what = "this directory is an older copy: what it lacks is copied anew from the leaders"
        if 0 <= previous_epoch < self._last_epoch:
            log.warning(what, last_epoch=self._last_epoch, epoch_of_the_copy=previous_epoch)
        elif previous_epoch < 0 < self._log_end <= self._let_in_epoch:
            # Who was let in had applied its registration, so it stood in this log (631-02).
            log.warning(
                f"{what} (or its disk lost writes)",
                last_epoch=self._let_in_epoch,
                metadata_log_ended_at=self._log_end,
            )
