"""`spark.read.format("barnabas")`: the entry that Spark knows; each way in is a file of its own."""

# Names in camel case are those of Spark's interface.
# ruff: noqa: N802

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource

from .columns import spark_schema
from .errors import OptionError
from .options import includes_headers, parse_read_options, parse_write_options

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from .reader import BatchReader
    from .stream import StreamReader
    from .writer import BatchWriter, StreamWriter


class BarnabasDataSource(DataSource):
    """A source and sink for barnabas and for anything else that speaks Kafka's protocol.

    Register it once a session, then use it by name:

        spark.dataSource.register(BarnabasDataSource)
        spark.read.format("barnabas")
            .option("barnabas.bootstrap.servers", "localhost:9092")
            .option("subscribe", "flights")
            .load()

    Options and columns are those of Spark's own Kafka source; `options.py` has the list.
    """

    options: MutableMapping[str, str]

    @classmethod
    def name(cls) -> str:
        return "barnabas"

    def schema(self) -> StructType:
        return spark_schema(include_headers=includes_headers(self.options))

    def reader(self, schema: StructType) -> BatchReader:
        from .reader import BatchReader

        self._check_schema(schema)
        return BatchReader(parse_read_options(self.options, streaming=False))

    def streamReader(self, schema: StructType) -> StreamReader:
        from .stream import StreamReader

        self._check_schema(schema)
        return StreamReader(parse_read_options(self.options, streaming=True))

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:
        from .writer import BatchWriter

        _refuse_overwrite(overwrite)
        return BatchWriter(parse_write_options(self.options), schema)

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:
        from .writer import StreamWriter

        _refuse_overwrite(overwrite)
        return StreamWriter(parse_write_options(self.options), schema)

    def _check_schema(self, schema: StructType) -> None:
        """The columns are fixed: a schema that a user gives has to be the same."""
        if schema != self.schema():
            raise OptionError(
                f"the columns of this source are fixed: {self.schema().simpleString()}"
            )


def _refuse_overwrite(overwrite: bool) -> None:
    if overwrite:
        raise OptionError("a topic can only be appended to: use mode('append')")
