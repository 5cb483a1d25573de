"""Every declared setting is read somewhere, or says in the documentation that it is not."""

from __future__ import annotations

import ast
from pathlib import Path

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import Settings, settings_of, without_effect
from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.settings_page import configuration_page

BROKER = Path(__file__).resolve().parents[3] / "broker"


def attributes() -> set[str]:
    """What the product reads of some object, by name."""
    found: set[str] = set()
    for path in sorted(BROKER.rglob("*.py")):
        _note(ast.parse(path.read_text()), found)
    return found


def _note(node: ast.AST, found: set[str]) -> None:
    """A check that two settings go together is no use of them."""
    if isinstance(node, ast.FunctionDef) and node.name == "check_relations":
        return
    if isinstance(node, ast.Attribute):
        found.add(node.attr)
    for child in ast.iter_child_nodes(node):
        _note(child, found)


def unread(config: type[Settings], known: set[str]) -> set[str]:
    return {one.name for one in settings_of(config).values() if one.field_name not in known}


def test_what_nothing_reads_is_marked() -> None:
    """A setting without effect is worse than none; a broker's may be a topic's default."""
    known = attributes()
    topics = unread(TopicConfig, known)
    defaults = {
        name
        for one in settings_of(TopicConfig).values()
        if one.name not in topics
        for name, _ in one.synonyms
    }
    declared = (*settings_of(BrokerConfig).values(), *settings_of(TopicConfig).values())
    marked = {one.name for one in declared if not one.has_effect}
    before = {"config.providers"}  # what the sources of settings are read by
    assert (unread(BrokerConfig, known) - defaults - before) | topics == marked


def test_the_page_says_so() -> None:
    row = next(line for line in configuration_page().splitlines() if "append.linger" in line)
    assert row.endswith("*no effect* |")


def test_a_node_says_so() -> None:
    """Only of what was changed: nobody asked for a default."""
    assert without_effect(BrokerConfig()) == []
    given = BrokerConfig(controller_quorum_append_linger_ms=5, num_partitions=3)
    assert without_effect(given) == ["controller.quorum.append.linger.ms"]
