"""Which value of a setting applies: that of the topic, the broker, all brokers, or the node's file.

Source and synonyms in DescribeConfigs follow Kafka: for each name the broker's own value, that of
all brokers, the node's file, and the default; before all of them a topic's own value.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ..config.broker import BrokerConfig, topic_config
from ..config.field import ConfigError, Setting, settings_of
from ..config.foreign import ForeignGroupConfig, ForeignTopicConfig
from ..config.group import GroupConfig
from ..config.live_overrides import CONNECTIONS, override_of, overrides_of
from ..config.topic import TopicConfig
from .image import RESOURCE_BROKER, RESOURCE_GROUP, RESOURCE_TOPIC, ClusterImage

# Sources, as DescribeConfigs numbers them.
UNKNOWN: Final = 0
DYNAMIC_TOPIC: Final = 1
DYNAMIC_BROKER: Final = 2
DYNAMIC_DEFAULT_BROKER: Final = 3
STATIC_BROKER: Final = 4
DEFAULT: Final = 5
CLIENT_METRICS: Final = 7
GROUP: Final = 8


class Synonym(NamedTuple):
    """One place that gives a setting a value."""

    name: str
    value: str | None
    source: int


def broker_config(static: BrokerConfig, image: ClusterImage, broker_id: int) -> BrokerConfig:
    """The node's configuration with the settings made on brokers since its start; the newest
    applies.

    Settings that are unknown, or have become invalid because of another one, are ignored: a
    directory that Kafka wrote may hold any, and a node that cannot start is worse.
    """
    known = settings_of(BrokerConfig)
    changes: dict[str, Any] = {}
    for resource in ("", str(broker_id)):
        for name, text in image.config_of(RESOURCE_BROKER, resource).items():
            if name in known and known[name].dynamic:
                with suppress(ConfigError):
                    changes[known[name].field_name] = known[name].parse(text)
    try:
        return replace(static, **changes)
    except ConfigError:
        config = static
        for field_name, value in changes.items():
            with suppress(ConfigError):
                config = replace(config, **{field_name: value})
        return config


def connection_limits(static: BrokerConfig, image: ClusterImage, broker_id: int) -> BrokerConfig:
    """`broker_config`, with the limits of connections that were set for single listeners."""
    config = broker_config(static, image, broker_id)
    found = [
        one
        for resource in ("", str(broker_id))
        for one in overrides_of(image.config_of(RESOURCE_BROKER, resource))
        if one.field_name in CONNECTIONS
    ]
    return replace(config, listener_overrides=(*config.listener_overrides, *found))


def config_of_topic(
    static: BrokerConfig, image: ClusterImage, broker_id: int, topic: str
) -> TopicConfig:
    """The configuration of a topic's logs on this broker."""
    defaults = topic_defaults(static, image, broker_id)
    if not image.config_of(RESOURCE_TOPIC, topic):
        return defaults
    return with_overrides(defaults, image, topic)


def topic_defaults(static: BrokerConfig, image: ClusterImage, broker_id: int) -> TopicConfig:
    """The configuration of a topic on this broker that has no settings of its own."""
    known = image.derived.get(("topic defaults", broker_id))
    if known is not None and known[0] is static:
        found: TopicConfig = known[1]
        return found
    made = broker_config(static, image, broker_id).default_topic_config()
    image.derived["topic defaults", broker_id] = (static, made)
    return made


def with_overrides(defaults: TopicConfig, image: ClusterImage, topic: str) -> TopicConfig:
    """`defaults` with the settings of the topic."""
    return lenient_topic_config(defaults, image.config_of(RESOURCE_TOPIC, topic))


def lenient_topic_config(defaults: TopicConfig, overrides: Mapping[str, str]) -> TopicConfig:
    """`defaults` with `overrides`; values that are not allowed are ignored."""
    try:
        return topic_config(defaults, overrides)
    except ConfigError:
        config = defaults
        for name, text in overrides.items():
            try:
                config = topic_config(config, {name: text})
            except ConfigError:
                continue
        return config


def broker_synonyms(
    static: BrokerConfig, image: ClusterImage, broker_id: int, name: str, names: tuple[str, ...]
) -> list[Synonym]:
    """Where a broker's setting `name` has values; `names` are its synonyms."""
    found: list[Synonym] = []
    own = image.config_of(RESOURCE_BROKER, str(broker_id))
    all_brokers = image.config_of(RESOURCE_BROKER, "")
    found += [Synonym(one, own[one], DYNAMIC_BROKER) for one in names if one in own]
    found += [
        Synonym(one, all_brokers[one], DYNAMIC_DEFAULT_BROKER)
        for one in names
        if one in all_brokers
    ]
    known = settings_of(BrokerConfig)
    for one in names:
        if one in known and static.value(one) != known[one].default:
            found.append(Synonym(one, static.text(one), STATIC_BROKER))
    for one in names:
        if one in known and known[one].default is not None:
            found.append(Synonym(one, known[one].text(known[one].default), DEFAULT))
    # As in Kafka, what precedes the first value under the setting's own name is left out.
    first = next((at for at, one in enumerate(found) if one.name == name), len(found))
    return found[first:]


class Entry(NamedTuple):
    """The value of one setting of a resource, and where it comes from."""

    name: str
    value: str | None
    source: int
    setting: Setting | None  # None for a name that barnabas does not know
    synonyms: tuple[Synonym, ...]


def topic_entries(
    static: BrokerConfig, image: ClusterImage, broker_id: int, overrides: Mapping[str, str]
) -> list[Entry]:
    """All settings of a topic with these `overrides`, by name.

    Internal settings, and names that barnabas does not know, are included only if they were set.
    """
    values = lenient_topic_config(topic_defaults(static, image, broker_id), overrides)
    known = settings_of(TopicConfig)
    entries = [
        _topic_entry(known[name], values, static, image, broker_id, overrides)
        for name in known
        if name in overrides or not known[name].internal
    ]
    for name, text in overrides.items():
        if name not in known:
            own = (Synonym(name, text, DYNAMIC_TOPIC),)
            foreign = settings_of(ForeignTopicConfig).get(name)
            entries.append(Entry(name, text, DYNAMIC_TOPIC, foreign, own))
    return sorted(entries, key=lambda one: one.name)


def _topic_entry(
    setting: Setting,
    values: TopicConfig,
    static: BrokerConfig,
    image: ClusterImage,
    broker_id: int,
    overrides: Mapping[str, str],
) -> Entry:
    value = values.text(setting.name)
    synonyms: list[Synonym] = []
    if setting.name in overrides:
        synonyms.append(Synonym(setting.name, value, DYNAMIC_TOPIC))
    names = tuple(name for name, _ in setting.synonyms)
    if names:
        synonyms += broker_synonyms(static, image, broker_id, names[0], names)
    source = synonyms[0].source if synonyms else DEFAULT
    return Entry(setting.name, value, source, setting, tuple(synonyms))


def broker_entries(static: BrokerConfig, image: ClusterImage, broker_id: int) -> list[Entry]:
    """All settings of this broker, by name."""
    config = broker_config(static, image, broker_id)
    # A setting in ms takes precedence over those in minutes and hours that mean the same.
    families = {
        one.synonyms[0][0]: tuple(name for name, _ in one.synonyms)
        for one in settings_of(TopicConfig).values()
        if one.synonyms
    }
    entries = []
    for name, setting in settings_of(BrokerConfig).items():
        if not setting.internal:
            names = families.get(name, (name,))
            synonyms = tuple(broker_synonyms(static, image, broker_id, name, names))
            source = synonyms[0].source if synonyms else DEFAULT
            entries.append(Entry(name, config.text(name), source, setting, synonyms))
    return sorted(entries + _strange_entries(image, broker_id), key=lambda one: one.name)


def _strange_entries(image: ClusterImage, broker_id: int) -> list[Entry]:
    """Settings of this broker, or of all, whose names barnabas does not know."""
    known = settings_of(BrokerConfig)
    found: dict[str, list[Synonym]] = {}
    for resource, source in ((str(broker_id), DYNAMIC_BROKER), ("", DYNAMIC_DEFAULT_BROKER)):
        for name, text in image.config_of(RESOURCE_BROKER, resource).items():
            if name not in known:
                found.setdefault(name, []).append(Synonym(name, text, source))
    return [
        Entry(
            name,
            places[0].value,
            places[0].source,
            _connection_setting(name, places[0].value or ""),
            tuple(places),
        )
        for name, places in found.items()
    ]


def _connection_setting(name: str, text: str) -> Setting | None:
    """The setting behind a limit of connections that carries a listener's prefix; None for other
    names."""
    try:
        found = override_of(name, text)
    except ConfigError:
        return None
    if found is None or found.field_name not in CONNECTIONS:
        return None
    return settings_of(BrokerConfig)[found.field_name.replace("_", ".")]


def group_entries(
    static: BrokerConfig, image: ClusterImage, broker_id: int, group_id: str
) -> list[Entry]:
    """All settings of a group, by name; unknown ones were set for coordinators that know them."""
    own = image.config_of(RESOURCE_GROUP, group_id)
    known = settings_of(GroupConfig)
    entries = []
    for name, setting in known.items():
        broker_name = setting.synonyms[0][0]
        synonyms = broker_synonyms(static, image, broker_id, broker_name, (broker_name,))
        if name in own:
            synonyms.insert(0, Synonym(name, own[name], GROUP))
        first = synonyms[0]
        entries.append(Entry(name, first.value, first.source, setting, tuple(synonyms)))
    for name, text in own.items():
        if name not in known:
            foreign = settings_of(ForeignGroupConfig).get(name)
            entries.append(Entry(name, text, GROUP, foreign, (Synonym(name, text, GROUP),)))
    return sorted(entries, key=lambda one: one.name)


def default_broker_entries(image: ClusterImage) -> list[Entry]:
    """The settings of all brokers together."""
    known = settings_of(BrokerConfig)
    source = DYNAMIC_DEFAULT_BROKER
    return [
        Entry(
            key,
            text,
            source,
            known.get(key) or _connection_setting(key, text),
            (Synonym(key, text, source),),
        )
        for key, text in sorted(image.config_of(RESOURCE_BROKER, "").items())
    ]
