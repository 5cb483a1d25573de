"""Settings that say where secrets are that other settings only refer to (KIP-297, SEC-03)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .field import Names, Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ProviderSettings(Settings):
    """Looked up where a node's settings are read: what it holds has no references any more.

    What is set while it runs may have some: the metadata log has the reference, not the secret.
    """

    provider_settings: tuple[tuple[str, str], ...] = field(default=())
    """All that was set of providers, by name; no setting itself."""

    config_providers: Names = setting(
        (),
        doc="Providers of values that other settings refer to, as in ${file:/path:key}, "
        "${dir:/path:file} or ${env:NAME}: names that stand before the first colon. Each has its "
        "`config.providers.<name>.class`: org.apache.kafka.common.config.provider. and "
        "FileConfigProvider, DirectoryConfigProvider or EnvVarConfigProvider; and may have "
        "`config.providers.<name>.param.allowed.paths` or, for variables, "
        "`.param.allowlist.pattern`.",
    )
