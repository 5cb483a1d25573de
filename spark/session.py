"""A local Spark session that finds Java and this Python, keeps quiet, and knows `barnabas`."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA_PACKAGE = "default-jre-headless"
"""Debian's package of the Java runtime that Spark 4 runs on."""

SHORT_JOB_JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For jobs of seconds: the optimising compiler and parallel collection cost more than they bring.
The flights pipeline takes 15 s of CPU with these, 25 s without (two cores, Java 17)."""


class JavaMissingError(RuntimeError):
    """There is no Java runtime on this machine; the text says what to install."""

    def __init__(self) -> None:
        super().__init__(
            f"Spark needs a Java runtime (17 or newer); on Debian: apt-get install {JAVA_PACKAGE}"
        )


def require_java() -> str:
    """Path of the `java` that Spark will start: that of JAVA_HOME, else the first on PATH.

    Raises:
        JavaMissingError: there is none.
    """
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if found is None:
        raise JavaMissingError
    return found


def start_session(
    app_name: str, *, cores: int = 2, log_file: Path | None = None, memory: str = "1g"
) -> SparkSession:
    """A session for a short job, on `cores` threads of this machine, that knows `barnabas`.

    The web console is off and everything listens on the loopback address only. What the Java
    process prints goes to `log_file` where one is given.

    Raises:
        JavaMissingError: there is no Java runtime.
    """
    require_java()
    # Workers must be this very Python: the same version, and the one that has barnabas.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with warnings.catch_warnings():
        # PySpark 4.3 says when it is loaded that it does not know all of pandas 3; none is used.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        return _start(app_name, _settings(cores, memory), cores, log_file)


def _start(
    app_name: str, settings: dict[str, str], cores: int, log_file: Path | None
) -> SparkSession:
    from pyspark.sql import SparkSession

    from .data_source import BarnabasDataSource

    builder = SparkSession.builder.appName(app_name).master(f"local[{cores}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with _standard_error_to(log_file), _no_java_left_behind():
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.dataSource.register(BarnabasDataSource)
    return session


def _settings(cores: int, memory: str) -> dict[str, str]:
    return {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": SHORT_JOB_JAVA_OPTIONS,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": str(cores),
        # Never beside the user's files.
        "spark.sql.warehouse.dir": str(Path(tempfile.gettempdir()) / "barnabas-spark-warehouse"),
    }


@contextlib.contextmanager
def _no_java_left_behind() -> Iterator[None]:
    """End the Java process if starting it is interrupted; PySpark 4.3 would leave it running."""
    before = _children()
    try:
        yield
    except BaseException:
        for process in _children() - before:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        raise


def _children() -> set[int]:
    """Processes that this one has started and that run still; nothing where there is no /proc."""
    found: set[int] = set()
    for file in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found.update(map(int, file.read_text().split()))
    return found


@contextlib.contextmanager
def _standard_error_to(log_file: Path | None) -> Iterator[None]:
    """Let the Java process inherit a file as its standard error; it keeps it for its life."""
    if log_file is None:
        yield
        return
    log_file.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    saved = os.dup(2)
    try:
        with log_file.open("wb") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(saved, 2)
        os.close(saved)
