"""Fetches, hints and sessions: sections 2 and 3 of the rules, 74 and 227."""

from __future__ import annotations

from ..planting import FineMutant

RULES_OF_FETCH = "broker/handlers/fetch/rules.py"
READING = "broker/handlers/fetch/reading.py"
SELECTOR = "broker/core/replication/replica_selector.py"
HINTS = "broker/serving/leader_hints.py"
SESSIONS = "broker/core/replication/fetch_session.py"
RESTING = "broker/core/replication/resting_session.py"

MUTANTS = (
    FineMutant(
        "old-consumers-read-followers",
        "392-01",
        "consumers before version 11 are served by followers",
        RULES_OF_FETCH,
        "replica_id == CONSUMER and version < FOLLOWER_READS_SINCE",
        "replica_id == CONSUMER and version < 0",
    ),
    FineMutant(
        "followers-read-followers",
        "392-01",
        "a follower is served by one that does not lead",
        RULES_OF_FETCH,
        "    if not is_leader and reader.needs_leader:",
        "    if not is_leader and reader.needs_leader and not reader.is_follower:",
    ),
    FineMutant(
        "unknown-partition-is-refused",
        "392-02",
        "a partition that is hosted elsewhere is answered as one that does not exist",
        "broker/serving/hosting.py",
        "    return KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)",
        "    return KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)",
    ),
    FineMutant(
        "old-epoch-not-fenced",
        "392-03",
        "who believes in an earlier leader epoch is served",
        "broker/core/replication/partition.py",
        "        if 0 <= current_leader_epoch < leader_epoch:\n            raise KafkaError",
        "        if 0 <= current_leader_epoch < leader_epoch:\n            return\n"
        "            raise KafkaError",
    ),
    FineMutant(
        "preferred-out-of-sync",
        "392-04",
        "consumers are sent to replicas that are not in sync",
        SELECTOR,
        "            broker_id in role.in_sync.committed\n            and 0",
        "            broker_id in role.followers\n            and 0",
    ),
    FineMutant(
        "preferred-lacks-offset",
        "392-04",
        "consumers are sent to replicas that do not have what they ask for yet",
        SELECTOR,
        "<= fetch_offset <= progress.log_end_offset",
        "<= fetch_offset <= partition.log.log_end_offset",
    ),
    FineMutant(
        "preferred-in-own-rack",
        "392-04b",
        "a consumer is sent away though the leader is in its rack",
        SELECTOR,
        "if not client.rack or leader.rack == client.rack:",
        "if not client.rack:",
    ),
    FineMutant(
        "preferred-with-least",
        "392-04b",
        "of several replicas in a rack the one that has least is named",
        SELECTOR,
        "return max(near, key=lambda one: (one.log_end_offset,",
        "return max(near, key=lambda one: (-one.log_end_offset,",
    ),
    FineMutant(
        "not-yet-committed-is-empty",
        "392-05",
        "what is not committed yet is answered as the end of the log",
        RULES_OF_FETCH,
        "        log.high_watermark < offset <= end\n",
        "        log.high_watermark < offset < end\n",
    ),
    FineMutant(
        "late-follower-is-out-of-range",
        "392-06",
        "a follower takes what it does not have yet for what does not exist",
        RULES_OF_FETCH,
        "    if not is_leader and partition.leader_high_watermark > end:",
        "    if is_leader and partition.leader_high_watermark > end:",
    ),
    FineMutant(
        "below-start-is-served",
        "392-07",
        "an offset before the log's start is not out of range",
        RULES_OF_FETCH,
        "    if offset < log.log_start_offset or (",
        "    if offset < log.log_start_offset - 1 or (",
    ),
    FineMutant(
        "range-is-not-told",
        "392-08",
        "who is out of range is not told the range",
        "broker/handlers/fetch/rows.py",
        "    if partition is not None and code in _WITH_OFFSETS:",
        "    if partition is None and code in _WITH_OFFSETS:",
    ),
    FineMutant(
        "watermark-not-propagated",
        "392-12",
        "followers are not told of a watermark unless there are records",
        "broker/handlers/fetch/follower.py",
        "target.known_high_watermark != partition.high_watermark",
        "target.known_high_watermark > partition.high_watermark",
    ),
    FineMutant(
        "consumers-on-followers-not-woken",
        "392-13",
        "consumers that wait at a follower do not hear of its watermark",
        "broker/core/replication/partition.py",
        "        self.waiters.on_high_watermark(high_watermark)\n",
        "        sleepers = self.waiters._sleepers\n"
        "        if self.leader is None:\n"
        "            self.waiters._sleepers = {}\n"
        "        self.waiters.on_high_watermark(high_watermark)\n"
        "        self.waiters._sleepers = sleepers\n",
    ),
    FineMutant(
        "epoch-answer-unclamped",
        "392-15",
        "consumers are told ends of epochs above the watermark",
        "broker/handlers/offset_for_leader_epoch.py",
        "    return epoch, min(end_offset, high_watermark)",
        "    return epoch, end_offset",
    ),
    FineMutant(
        "epoch-answer-in-window",
        "392-15",
        "a new leader tells ends of epochs that may still move",
        "broker/handlers/offset_for_leader_epoch.py",
        "    if high_watermark < leader.epoch_start_offset and end_offset",
        "    if high_watermark > leader.epoch_start_offset and end_offset",
    ),
    FineMutant(
        "no-hint-for-fetch",
        "951-01",
        "who fetches from the wrong broker is not told who leads",
        HINTS,
        "        if version >= FETCH_ENDPOINTS_SINCE:\n            return True",
        "        if version < FETCH_ENDPOINTS_SINCE:\n            return True",
    ),
    FineMutant(
        "hint-without-address",
        "951-01",
        "a hint names the leader without its address",
        HINTS,
        "        return [address for address in self._leaders.values() if address is not None]",
        "        return [address for address in self._leaders.values() if address is None]",
    ),
    FineMutant(
        "hint-of-the-fenced",
        "951-03",
        "a hint has the address of a broker that is fenced",
        HINTS,
        "        if broker is None or broker.fenced:",
        "        if broker is None:",
    ),
    FineMutant(
        "client-follows-same-epoch",
        "951-06",
        "the client follows a hint of the epoch that it knows",
        "client/wire/metadata.py",
        "leader < 0 or leader_epoch <= known.leader_epoch:",
        "leader < 0 or leader_epoch < known.leader_epoch - 1:",
    ),
    FineMutant(
        "session-epoch-unchecked",
        "227-01",
        "a request of a session counts in any epoch",
        SESSIONS,
        "        if session.epoch != request.session_epoch:",
        "        if session.epoch < request.session_epoch:",
    ),
    FineMutant(
        "session-forgets-watermark",
        "227-02",
        "an answer of a session does not tell a watermark that moved",
        RESTING,
        "            data.high_watermark != self.known_high_watermark\n            or",
        "            data.high_watermark < self.known_high_watermark\n            or",
    ),
    FineMutant(
        "session-keeps-watermark-after-error",
        "227-02",
        "after an error a session believes that its watermark is known",
        RESTING,
        "            self.known_high_watermark = -1\n            return True",
        "            self.known_high_watermark = 0\n            return False",
    ),
    FineMutant(
        "session-slot-taken",
        "227-03",
        "a small consumer takes the slot of a follower",
        SESSIONS,
        "        is_privileged = is_follower and not weakest.is_follower\n",
        "        is_privileged = weakest.is_follower\n",
    ),
    FineMutant(
        "no-first-batch",
        "74-01",
        "a first batch that is too large never comes",
        READING,
        "            at_least_one_batch=is_first,",
        "            at_least_one_batch=is_first and self.asked.reader.is_follower,",
    ),
    FineMutant(
        "limit-of-the-answer-ignored",
        "74-01",
        "an answer is as large as the limits of its partitions together",
        READING,
        "max(min(target.max_bytes, left), 0)",
        "max(target.max_bytes, 0)",
    ),
    FineMutant(
        "parked-for-ever",
        "74-02",
        "a fetch that waits is not woken when a partition changes its leader",
        "broker/handlers/fetch/wait.py",
        "        self._reading.found.news[place] = None\n        self._is_due = True",
        "        self._reading.found.news[place] = None\n        self._is_due = False",
    ),
    FineMutant(
        "unknown-id-is-a-name",
        "516-01",
        "an unknown topic id is answered as an unknown name",
        "broker/serving/hosting.py",
        "        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)",
        "        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)",
    ),
    FineMutant(
        "older-leader-believed",
        "320-01",
        "a leader before the position's epoch decides that the position is lost",
        "client/consuming/comparison.py",
        "        if not UNKNOWN < end.asked_under < refusal.epoch or _has(end, refusal):",
        "        if True:",
    ),
    FineMutant(
        "answer-for-an-earlier-assignment",
        "I-32",
        "a partition that was given up and came back takes the answer to a fetch of before",
        "client/consuming/fetcher.py",
        "generations.get(state) == state.generation:",
        "state.generation in [\n"
        "                    known for one, known in generations.items()"
        " if one.topic_partition == key\n"
        "                ]:",
    ),
)
