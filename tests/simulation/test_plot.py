"""Goal: the page of a run can be read: a legend, a scale that no spike spoils, any width."""

from __future__ import annotations

from random import Random

from barnabas.testing.simulation import plot
from barnabas.testing.simulation.plot import STATES, _Canvas, _legend, _rates, scale_of
from barnabas.testing.simulation.watch import Sample


def samples_of(rates: list[int]) -> list[Sample]:
    found, read = [], 0
    for at_s, rate in enumerate([0, *rates]):
        read += rate
        found.append(Sample(float(at_s), {"node-1": "up"}, {}, {}, 0, 0, read))
    return found


def test_one_spike_does_not_flatten_the_chart() -> None:
    """Goal: the top is near what is usual; what lies above is cut off, marked, and told."""
    canvas = _Canvas(100.0)
    _rates(canvas, samples_of([90] * 50 + [4_000] + [100] * 49))
    text = "".join(canvas.parts)
    assert "cut off at 200" in text
    assert "highest 4000" in text
    assert text.count("<path") == 1, "the spike has a mark"
    assert "4000/s at 51.0 s" in text


def test_a_scale_is_round_and_no_higher_than_needed() -> None:
    """Goal: 1, 2 or 5 times a power of ten, at least 1, never above what the highest needs."""
    assert scale_of([0.0] * 10) == 1.0
    assert scale_of([3.0] * 10) == 5.0
    assert scale_of([100.0] * 10) == 100.0
    random = Random(1)
    for _ in range(200):
        rates = [random.expovariate(1 / 300) for _ in range(random.randint(1, 80))]
        top = scale_of(rates)
        assert f"{top:.0e}"[0] in "125"
        assert top <= max(10.0, 10 * max(rates))


def test_without_a_spike_nothing_is_cut_off() -> None:
    """Goal: the note about the scale is there only where it is true."""
    canvas = _Canvas(10.0)
    _rates(canvas, samples_of([80, 90, 100, 95]))
    assert "cut off" not in "".join(canvas.parts)


def test_every_colour_is_in_the_legend() -> None:
    """Goal: nobody guesses what green is; and the page is made for narrow screens too."""
    legend = _legend()
    for name, colour in [*STATES.items(), *plot.RATES.items(), ("none", plot.NO_LEADER_COLOUR)]:
        assert f'style="background:{colour}"></i>{name}</span>' in legend
    assert "@media" in plot.STYLE
    assert "min-width:760px" in plot.STYLE
