"""Levels of a node's loggers over the wire (KIP-412): told, and changed at once on that node."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.list_logger import ListLogger
from kit.raw_client import RawClient

from barnabas.broker.handlers import incremental_alter_configs
from barnabas.broker.observe.log_levels import LogLevels
from barnabas.broker.observe.logging import Logger
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.incremental_alter_configs_request import (
    IncrementalAlterConfigsRequest,
)
from barnabas.protocol.messages.incremental_alter_configs_response import (
    IncrementalAlterConfigsResponse,
)
from barnabas.protocol.messages.list_config_resources_request import ListConfigResourcesRequest

from .configs import APPEND, BROKER, DELETE, LOGGER, SET, SUBTRACT, TOPIC, alter, describe, resource
from .controller.asking import Asking
from .nodes import create, serving

NETWORK = "barnabas.network"
DYNAMIC_BROKER_LOGGER = 6


async def levels(client: RawClient) -> dict[str, str]:
    result = await describe(client, LOGGER, "1")
    assert (result.error_code, result.error_message) == (0, "")
    return {one.name: one.value for one in result.configs}


async def test_loggers_are_told(tmp_path: Path) -> None:
    """KIP-412: all with their levels, as Kafka's rows are; by name if some are named."""
    async with serving(tmp_path, logging_level="warning") as (_, client):
        told = await levels(client)
        assert set(told.values()) == {"WARN"}
        assert {"root", "barnabas.broker", "barnabas.quorum", NETWORK} <= set(told)
        result = await describe(
            client, LOGGER, "1", "root", "nope", include_synonyms=True, include_documentation=True
        )
        (row,) = result.configs
        assert (row.name, row.value, row.read_only, row.is_sensitive) == (
            "root",
            "WARN",
            False,
            False,
        )
        assert (row.config_source, row.config_type) == (DYNAMIC_BROKER_LOGGER, 0)
        assert (row.synonyms, row.documentation) == ([], "")
        for name, text in (
            ("", "Broker id must not be empty"),
            ("x", "Broker id must be an integer, but it is: x"),
            ("7", "Unexpected broker id, expected 1 but received 7"),
        ):
            result = await describe(client, LOGGER, name)
            assert (result.error_code, result.error_message) == (42, text)
        listed = await client.ask(ListConfigResourcesRequest(resource_types=[LOGGER]), 1)
        assert [one.resource_name for one in listed.config_resources] == ["1"]


async def test_a_level_counts_at_once(tmp_path: Path) -> None:
    """KIP-412: a logger inherits from the one above it, and does so again when it is reset."""
    async with serving(tmp_path, logging_level="error") as (node, client):
        set_root = resource(LOGGER, "1", ("root", SET, "DEBUG"))
        assert await alter(client, set_root, validate_only=True) == [(0, None)]
        assert set((await levels(client)).values()) == {"ERROR"}
        quiet = resource(LOGGER, "1", ("barnabas.broker", SET, "FATAL"))
        for change in (set_root, quiet):
            assert await alter(client, change) == [(0, None)]
        told = await levels(client)
        assert (told["root"], told[NETWORK]) == ("DEBUG", "DEBUG")
        assert told["barnabas.broker"] == told["barnabas.broker.compaction"] == "FATAL"
        debug, error = 10, 40
        assert node.log.levels.writes(NETWORK, debug)
        assert not node.log.levels.writes("barnabas.broker.compaction", error)
        reset = resource(LOGGER, "1", ("barnabas.broker", DELETE, None))
        assert await alter(client, reset) == [(0, None)]
        assert (await levels(client))["barnabas.broker"] == "DEBUG"


async def test_refusals_in_kafkas_words(tmp_path: Path) -> None:
    """KIP-412: a resource is changed whole or not at all."""
    async with serving(tmp_path, logging_level="error") as (_, client):
        valid = "Valid log levels are DEBUG, ERROR, FATAL, INFO, TRACE, WARN"
        for row, code, text in (
            (("ROOT", SET, "INFO"), 40, "Logger ROOT does not exist!"),
            (("nope", DELETE, ""), 40, "Logger nope does not exist!"),
            (
                ("root", SET, "debug"),
                40,
                "Cannot set the log level of root to debug as it is not a supported log level. "
                + valid,
            ),
            (("root", SET, None), 42, "Null value not supported for : root"),
            (
                ("root", DELETE, None),
                42,
                "Removing the log level of the root logger is not allowed",
            ),
            (
                ("root", APPEND, "INFO"),
                42,
                "APPEND operation is not allowed for the BROKER_LOGGER resource",
            ),
            (
                ("root", SUBTRACT, "INFO"),
                42,
                "SUBTRACT operation is not allowed for the BROKER_LOGGER resource",
            ),
            (("root", 9, "INFO"), 42, "Unknown operations type 9"),
        ):
            change = resource(LOGGER, "1", (NETWORK, SET, "INFO"), row)
            assert await alter(client, change) == [(code, text)]
        for name, text in (
            ("7", "Unexpected node id. Expected 1, but received 7"),
            ("", "Node id must be an integer, but it is: "),
            ("9" * 900, f"Unexpected node id. Expected 1, but received {'9' * 900}"),
        ):
            change = resource(LOGGER, name, ("root", SET, "INFO"))
            assert await alter(client, change) == [(42, text)]
        assert set((await levels(client)).values()) == {"ERROR"}


async def test_other_settings_in_the_same_request(tmp_path: Path) -> None:
    """KIP-412: each resource has its own outcome."""
    async with serving(tmp_path, logging_level="error") as (_, client):
        await create(client, "t")
        topic = resource(TOPIC, "t", ("retention.ms", SET, "x"))
        logger = resource(LOGGER, "1", ("root", SET, "WARN"))
        (refused, done) = await alter(client, topic, logger)
        assert (refused[0], done) == (40, (0, None))
        assert (await levels(client))["root"] == "WARN"


async def test_a_broker_that_is_not_the_controller_changes_its_own() -> None:
    """KIP-412: loggers are answered before the rest is forwarded, and nothing of them goes on."""
    asking = Asking(1)
    own, other = resource(LOGGER, "1", ("root", SET, "WARN")), resource(TOPIC, "t")
    context = asking.context(IncrementalAlterConfigsRequest, 1)
    both = IncrementalAlterConfigsRequest(resources=[own, other], validate_only=True)
    apart = await incremental_alter_configs.answer_own(both, context)
    assert apart is not None
    assert isinstance(apart.rest, IncrementalAlterConfigsRequest)
    assert (apart.rest.resources, apart.rest.validate_only) == ([other], True)
    joined = apart.join(IncrementalAlterConfigsResponse())
    assert isinstance(joined, IncrementalAlterConfigsResponse)
    assert [(one.resource_type, one.error_code) for one in joined.responses] == [(LOGGER, 0)]
    twice = IncrementalAlterConfigsRequest(resources=[own, own])
    apart = await incremental_alter_configs.answer_own(twice, context)
    assert apart is not None
    assert apart.rest is None
    joined = apart.join(None)
    assert isinstance(joined, IncrementalAlterConfigsResponse)
    assert [one.error_code for one in joined.responses] == [ErrorCode.INVALID_REQUEST] * 2
    others = IncrementalAlterConfigsRequest(resources=[other])
    assert await incremental_alter_configs.answer_own(others, context) is None


async def test_an_unknown_kind_of_resource_refuses_the_whole_request(tmp_path: Path) -> None:
    """As Kafka: 42 for each resource that is described with it."""
    async with serving(tmp_path) as (_, client):
        kinds = [(BROKER, "1"), (3, "x")]
        rows = [
            DescribeConfigsResource(resource_type=one, resource_name=name) for one, name in kinds
        ]
        answer = await client.ask(DescribeConfigsRequest(resources=rows), 4)
        assert [(one.error_code, one.configs) for one in answer.results] == [(42, []), (42, [])]


async def test_a_brokers_name_of_any_length_is_answered(tmp_path: Path) -> None:
    """A number of 5,000 digits is no broker, and no fault of ours."""
    async with serving(tmp_path) as (_, client):
        name = "9" * 5000
        assert (await describe(client, BROKER, name)).error_code == 42
        ((code, _),) = await alter(client, resource(BROKER, name, ("log.retention.ms", SET, "1")))
        assert code == 42


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    """A named logger writes by its own level, its root by another."""
    root = Logger("json", "error")
    part = root.named("a.b")
    root.levels.set("a.b", "DEBUG")
    part.debug("of the part")
    root.warning("of the root")
    root.levels.reset("a.b")
    part.warning("of the part, later")
    written = capsys.readouterr().err
    assert "of the part" in written
    assert "of the root" not in written
    assert "later" not in written


def test_names_inherit_by_their_dots() -> None:
    """The nearest name above counts; one that is only similar does not."""
    found = LogLevels("INFO")
    for name in ("a", "a.b", "a.b.c", "a.bc"):
        found.add(name)
    found.set("a.b", "WARN")
    assert [found.level(name) for name in found.names()] == ["INFO", "WARN", "WARN", "INFO", "INFO"]


def test_a_tests_log_has_named_parts() -> None:
    """Lines of parts come to the log that they are parts of."""
    log = ListLogger()
    log.named("part").info("told")
    assert log.events("told") == [{}]
