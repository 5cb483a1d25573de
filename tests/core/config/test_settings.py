"""Settings: declarations, bounds, relations, and every source they are filled from."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from barnabas.broker.core.config.broker import BrokerConfig, scaled, topic_config
from barnabas.broker.core.config.field import ConfigError, settings_of
from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.settings import (
    UnknownSettingError,
    load_config,
    main,
    variables_of_services,
)

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def test_a_config_is_frozen_and_compares_by_value() -> None:
    config = BrokerConfig(num_partitions=3)
    with pytest.raises(FrozenInstanceError):
        config.num_partitions = 4  # type: ignore[misc]
    assert config == BrokerConfig(num_partitions=3)
    assert config != BrokerConfig()
    assert config != TopicConfig()
    assert len({config, BrokerConfig(num_partitions=3), BrokerConfig()}) == 2
    assert repr(config) == "BrokerConfig(num_partitions=3)"


def test_names_are_kafkas() -> None:
    assert "replica.lag.time.max.ms" in settings_of(BrokerConfig)
    assert settings_of(TopicConfig)["retention.ms"].kind == "LONG"
    assert settings_of(TopicConfig)["cleanup.policy"].kind == "LIST"


# What Apache Kafka 4.3.1's LogConfig says of the same values.
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "retention.ms",
            "-2",
            ("Invalid value -2 for configuration retention.ms: Value must be at least -1"),
        ),
        (
            "retention.ms",
            "x",
            ("Invalid value x for configuration retention.ms: Not a number of type LONG"),
        ),
        (
            "retention.ms",
            "",
            ("Invalid value  for configuration retention.ms: Not a number of type LONG"),
        ),
        (
            "segment.bytes",
            "99999999999",
            ("Invalid value 99999999999 for configuration segment.bytes: Not a number of type INT"),
        ),
        (
            "cleanup.policy",
            "foo",
            (
                "Invalid value foo for configuration cleanup.policy: String "
                "must be one of: compact, delete"
            ),
        ),
        ("cleanup.policy", "delete,", "Configuration 'cleanup.policy' values must not be empty."),
        (
            "preallocate",
            "yes",
            (
                "Invalid value yes for configuration preallocate: Expected "
                "value to be either true or false"
            ),
        ),
        (
            "min.cleanable.dirty.ratio",
            "1.5",
            (
                "Invalid value 1.5 for configuration "
                "min.cleanable.dirty.ratio: Value must be no more than 1"
            ),
        ),
        (
            "min.cleanable.dirty.ratio",
            "nan",
            (
                "Invalid value nan for configuration "
                "min.cleanable.dirty.ratio: Not a number of type DOUBLE"
            ),
        ),
    ],
)
def test_a_bad_value_is_named_in_kafkas_words(name: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_of(TopicConfig)[name].parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("retention.ms", " 5 ", 5),
        ("retention.ms", "+5", 5),
        ("cleanup.policy", "", ()),
        ("cleanup.policy", "delete,delete", ("delete",)),
        ("cleanup.policy", "compact, delete", ("compact", "delete")),
        ("compression.gzip.level", "-1", -1),
        ("preallocate", "TRUE", True),
        ("internal.segment.bytes", "16384", 16384),
    ],
)
def test_values_are_read_as_kafka_reads_them(name: str, text: str, value: object) -> None:
    assert settings_of(TopicConfig)[name].parse(text) == value


def test_every_default_is_allowed_and_can_be_read_back() -> None:
    for config in (BrokerConfig(), TopicConfig()):
        for declared in settings_of(type(config)).values():
            text = declared.text(declared.default)
            if text is not None:
                assert declared.parse(text) == declared.default
            assert declared.doc.endswith((".", "…"))


@pytest.mark.parametrize("text", ["", "-999999999999999999999", "1e400", "☃", "a,b,,", "None"])
def test_no_value_does_worse_than_an_error(text: str) -> None:
    """F-17: empty, negative, huge, unicode, wrong type: a value or a ConfigError with the name."""
    for name, declared in {**settings_of(TopicConfig), **settings_of(BrokerConfig)}.items():
        try:
            declared.parse(text)
        except ConfigError as error:
            assert error.name == name


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"broker_heartbeat_interval_ms": 9000}, "broker.heartbeat.interval.ms"),
        ({"replica_fetch_wait_max_ms": 30_000}, "replica.fetch.wait.max.ms"),
        ({"log_retention_ms": 0}, "log.retention.ms"),
        ({"log_dirs": ()}, "log.dirs"),
        ({"process_roles": ()}, "process.roles"),
        ({"follower_fetch_process_time_max_ms": 40_000}, "follower.fetch.process.time.max.ms"),
        (
            {"log_cleaner_min_compaction_lag_ms": 9, "log_cleaner_max_compaction_lag_ms": 8},
            "log.cleaner.min.compaction.lag.ms",
        ),
    ],
)
def test_settings_that_do_not_go_together(settings: dict[str, object], name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        BrokerConfig(**settings)  # type: ignore[arg-type]
    assert caught.value.name == name


def test_relations_of_a_topic() -> None:
    with pytest.raises(ConfigError, match=r"min\.compaction\.lag\.ms \(10\) > max"):
        TopicConfig(min_compaction_lag_ms=10, max_compaction_lag_ms=5)
    with pytest.raises(ConfigError, match="literal"):
        TopicConfig(leader_replication_throttled_replicas=("1:2", "*"))
    TopicConfig(leader_replication_throttled_replicas=("*",))
    TopicConfig(follower_replication_throttled_replicas=("0:1", "1:2"))


def test_topic_defaults_come_from_the_broker() -> None:
    """`log.retention.ms` before minutes before hours, as Kafka has it."""
    assert BrokerConfig().default_topic_config() == TopicConfig()
    config = BrokerConfig(log_retention_hours=1)
    assert config.default_topic_config().retention_ms == 3_600_000
    config = BrokerConfig(log_retention_hours=1, log_retention_minutes=2)
    assert config.default_topic_config().retention_ms == 120_000
    config = BrokerConfig(log_retention_minutes=2, log_retention_ms=3)
    assert config.default_topic_config().retention_ms == 3
    config = BrokerConfig(log_retention_hours=-1, log_roll_hours=2, message_max_bytes=5)
    topic = config.default_topic_config()
    assert (topic.retention_ms, topic.segment_ms, topic.max_message_bytes) == (-1, 7_200_000, 5)
    assert scaled(-1, 3_600_000) == -1


def test_overrides_of_a_topic() -> None:
    config = topic_config(TopicConfig(), {"retention.ms": "7", "remote.storage.enable": "true"})
    assert config == TopicConfig(retention_ms=7)
    with pytest.raises(ConfigError):
        topic_config(TopicConfig(), {"retention.ms": "seven"})


def test_the_later_source_wins(tmp_path: Path) -> None:
    file = tmp_path / "node.toml"
    file.write_text(
        'num.partitions = 2\nauto_create_topics_enable = false\n"max.connections" = 5\n'
        'max_connections_per_ip = 4\n[log]\ndirs = ["/a", "/b"]\nretention.ms = 9\n'
    )
    environment = {"BARNABAS_NUM_PARTITIONS": "3", "BARNABAS_KAFKA_LIB": "/x", "PATH": "/bin"}
    config = load_config(file=str(file), environment=environment)
    assert (config.num_partitions, config.auto_create_topics_enable) == (3, False)
    assert config.log_dirs == ("/a", "/b")
    assert (config.log_retention_ms, config.max_connections, config.max_connections_per_ip) == (
        9,
        5,
        4,
    )
    config = load_config(
        file=str(file), environment=environment, assignments=["num.partitions=4", "log.dir=/c"]
    )
    assert (config.num_partitions, config.log_dirs) == (4, ("/c",))
    config = load_config(assignments=["num.partitions=4"], values={"num.partitions": 5})
    assert config.num_partitions == 5


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("num.partition=3", "Unknown configuration num.partition: did you mean num.partitions?"),
        ("zzz=3", "Unknown configuration zzz: docs/configuration.md lists them all"),
        ("num.partitions", "must be name=value"),
        ("=3", "must be name=value"),
        ("num.partitions=0", "num.partitions: Value must be at least 1"),
        ("process.roles=brocker", "one of: broker, controller"),
    ],
)
def test_the_start_stops_with_name_value_and_what_is_allowed(assignment: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(assignments=[assignment])
    assert message in str(caught.value)
    assert "(command line)" in str(caught.value)


def test_a_file_that_begins_with_a_mark(tmp_path: Path) -> None:
    """Goal: what Windows' editors write, with CRLF, too, is TOML."""
    file = tmp_path / "node.toml"
    file.write_bytes("num.partitions = 2\r\nbroker.rack = 'a'\r\n".encode("utf-8-sig"))
    config = load_config(file=str(file))
    assert (config.num_partitions, config.broker_rack) == (2, "a")


def test_bad_files_and_variables(tmp_path: Path) -> None:
    file = tmp_path / "node.toml"
    file.write_text("max.connections = 1\nmax.connections.per.ip = 2\n")
    with pytest.raises(ConfigError, match="must be TOML"):
        load_config(file=str(file))
    file.write_text("num.partitions = 1979-05-27\n")
    with pytest.raises(ConfigError, match=r"num\.partitions"):
        load_config(file=str(file))
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="must be TOML"):
        load_config(file=str(file))
    with pytest.raises(FileNotFoundError):
        load_config(file=str(tmp_path / "none.toml"))
    with pytest.raises(UnknownSettingError, match=r"environment"):
        load_config(environment={"BARNABAS_NUM_PARTITION": "1"})


def test_the_page_is_generated_from_the_declarations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "configuration.md"
    assert main(["--markdown", str(page)]) == 0
    assert main(["--check", str(page)]) == 0
    assert main(["--check", str(ROOT / "docs" / "configuration.md")]) == 0
    text = page.read_text()
    for name, declared in {**settings_of(BrokerConfig), **settings_of(TopicConfig)}.items():
        assert declared.internal or f"| `{name}` |" in text
    page.write_text("old")
    assert main(["--check", str(page)]) == 1
    assert "make generate" in capsys.readouterr().err
    assert main(["--check", str(tmp_path / "none.md")]) == 1
    assert main([]) == 2


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BARNABAS_SERVICE_HOST", "10.96.0.7"),
        ("BARNABAS_SERVICE_PORT", "9092"),
        ("BARNABAS_SERVICE_PORT_KAFKA", "9092"),
        ("BARNABAS_PORT", "tcp://10.96.0.7:9092"),
        ("BARNABAS_PORT_9092_TCP", "tcp://10.96.0.7:9092"),
        ("BARNABAS_PORT_9092_TCP_PROTO", "tcp"),
        ("BARNABAS_PORT_9092_TCP_PORT", "9092"),
        ("BARNABAS_PORT_9092_TCP_ADDR", "fd00::7"),
        ("BARNABAS_EXTERNAL_2_SERVICE_HOST", "10.96.0.8"),
        ("BARNABAS_EXTERNAL_2_PORT_9092_TCP", "tcp://10.96.0.8:9092"),
    ],
)
def test_what_kubernetes_tells_of_services_is_no_setting(variable: str, value: str) -> None:
    """Goal: a Service called barnabas, or barnabas-external-2, does not stop the start."""
    assert variables_of_services({variable: value, "BARNABAS_NUM_PARTITIONS": "3"}) == [variable]
    assert load_config(environment={variable: value, "BARNABAS_NUM_PARTITIONS": "3"})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BARNABAS_PORT", "9092"),
        ("BARNABAS_PORTS", "tcp://10.96.0.7:9092"),
        ("BARNABAS_PORT_9092", "tcp://10.96.0.7:9092"),
        ("BARNABAS_PORT_9092_TCP_PORT", "tcp"),
        ("BARNABAS_SERVICE_HOSTS", "10.96.0.7"),
        ("BARNABAS_LISTENER", "PLAINTEXT://:9092"),
    ],
)
def test_what_somebody_misspelt_is_still_refused(variable: str, value: str) -> None:
    """Goal: only what nobody would write by hand is passed over."""
    assert variables_of_services({variable: value}) == []
    with pytest.raises(UnknownSettingError, match=r"environment"):
        load_config(environment={variable: value})


@pytest.mark.parametrize(
    "name", ["offsets.topic.segment.bytes", "transaction.state.log.segment.bytes"]
)
def test_segments_of_internal_topics_are_as_large_as_any_topic_s(name: str) -> None:
    """Goal: a size that no topic may have is refused at the start, not when the topic is needed."""
    with pytest.raises(ConfigError, match=name):
        load_config(assignments=[f"{name}=1048575"])
    load_config(assignments=[f"{name}=1048576"])
