"""Settings of quotas: over how long what is counted (KIP-13, KIP-599)."""

from __future__ import annotations

from dataclasses import dataclass

from .field import Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class QuotaSettings(Settings):
    """The windows of rates; who is limited to what is set by `barnabas quota`."""

    quota_window_num: int = setting(
        11, minimum=1, doc="Samples over which a client's rates are taken."
    )
    quota_window_size_seconds: int = setting(
        1, unit="s", minimum=1, doc="Length of one sample of a client's rates."
    )
    controller_quota_window_num: int = setting(
        11, minimum=1, doc="Samples for which changes of topics may come all at once."
    )
    controller_quota_window_size_seconds: int = setting(
        1, unit="s", minimum=1, doc="Length of one of those samples."
    )
    replication_quota_window_num: int = setting(
        11, minimum=1, doc="Samples over which throttled replication is counted."
    )
    replication_quota_window_size_seconds: int = setting(
        1, unit="s", minimum=1, doc="Length of one of those samples."
    )
    quota_counters_max_per_user: int = setting(
        2000,
        minimum=1,
        doc="Most client ids of one user that are counted one by one, for each kind of quota; "
        "further ones are counted together. Also the most addresses whose connections are counted.",
    )
