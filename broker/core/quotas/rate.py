"""How much was used lately: a rate over a few samples of time (QTA-07), as Kafka's `Rate`.

Times are milliseconds of the monotonic clock.
"""

from __future__ import annotations

from typing import NamedTuple


class Window(NamedTuple):
    """Over how many samples a rate is taken, and how long one sample is."""

    samples: int
    sample_ms: float

    @property
    def whole_ms(self) -> float:
        """The length of all samples together."""
        return self.samples * self.sample_ms

    @property
    def least_s(self) -> float:
        """The shortest time that a rate is taken over, in seconds: all samples but one.

        What comes all at once may be a limit times this before it is too much (QTA-10).
        """
        return (self.samples - 1) * self.sample_ms / 1000.0


class _Sample:
    __slots__ = ("last_ms", "start_ms", "value")

    def __init__(self, now_ms: float) -> None:
        self.start_ms = self.last_ms = now_ms
        self.value = 0.0


class Rate:
    """A sum of what was recorded, by samples; at most one more of them than the window has."""

    __slots__ = ("_samples",)

    def __init__(self) -> None:
        self._samples: list[_Sample] = []  # a few: a list is the smallest

    def record(self, value: float, now_ms: float, window: Window) -> None:
        """So much was used now; a negative value takes back what was recorded a moment ago."""
        samples = self._samples
        if not samples or now_ms - samples[-1].start_ms >= window.sample_ms:
            samples.append(_Sample(now_ms))
            while len(samples) > window.samples + 1:
                del samples[0]
        samples[-1].value += value
        samples[-1].last_ms = now_ms

    def per_second(self, now_ms: float, window: Window) -> float:
        """The sum of the live samples over the elapsed time."""
        elapsed_ms = self.elapsed_ms(now_ms, window)
        return sum(one.value for one in self._samples) * 1000.0 / elapsed_ms

    def plain_per_second(self, now_ms: float, window: Window) -> float:
        """The same over the time since the oldest live sample began, one sample at least: without
        what a fresh counter may use at once (QTA-20)."""
        self._expire(now_ms, window)
        samples = self._samples
        since_ms = now_ms - samples[0].start_ms if samples else 0.0
        total = sum(one.value for one in samples)
        return total * 1000.0 / max(since_ms, window.sample_ms)

    def _expire(self, now_ms: float, window: Window) -> None:
        samples = self._samples
        while samples and now_ms - samples[0].last_ms >= window.whole_ms:
            del samples[0]

    def elapsed_ms(self, now_ms: float, window: Window) -> float:
        """The time that the rate is taken over: since the oldest live sample began.

        Samples that are missing to all but one of the window are added, so that a fresh client may
        use at once what its limit gives it for that time.
        """
        self._expire(now_ms, window)
        samples = self._samples
        elapsed_ms = now_ms - samples[0].start_ms if samples else 0.0
        missing = window.samples - 1 - int(elapsed_ms // window.sample_ms)
        return max(elapsed_ms + max(missing, 0) * window.sample_ms, 1.0)

    def throttle_ms(self, limit: float, now_ms: float, window: Window) -> int:
        """For how long nothing more may be used, in ms; 0 while the limit is kept (QTA-08)."""
        over = self.per_second(now_ms, window) - limit
        if over <= 0:
            return 0
        return round(min(over / limit * self.elapsed_ms(now_ms, window), THROTTLE_MS_MAX))


THROTTLE_MS_MAX = 2**31 - 1
"""What the field of an answer can say, 24 days."""
