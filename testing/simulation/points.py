"""Where product code lets the simulator make trouble: `env.maybe("name")`.

A run with `buggify` arms a quarter of these points, drawn from its seed; an armed one makes trouble
at each twentieth call, from the start of the workload until everything is healed.
"""

from __future__ import annotations

POINTS = {
    "alter-partition-answer-lost": "an AlterPartition was carried out, and nobody hears of it",
    "alter-partition-late": "an AlterPartition goes out 50 ms later",
    "alter-partition-one-by-one": "one partition in a request",
    "answer-before-everywhere": "an admin's answer does not wait for all brokers",
    "assign-answer-lost": "an AssignReplicasToDirs was carried out, and nobody hears of it",
    "checkpoint-fails": "recovery points and watermarks are not written this time",
    "clean-shutdown-lost": "after a clean stop a log is recovered as after a crash",
    "clean-stop-unnoted": "a clean stop leaves no mark behind: it counts as unclean (966-03)",
    "connection-closed": "a request is carried out, and its connection closed instead of an answer",
    "controller-answer-lost": "a request to the controller is carried out and sent once more",
    "controller-queue-full": "a command is refused for too many that wait",
    "controller-resigns": "the controller resigns after a commit",
    "delivery-waits": "committed metadata is handed over with a break between two batches",
    "flush-now": "a partition is flushed although it is not due",
    "follower-fetch-slow": "a follower's fetch counts as one that took too long (501-10)",
    "heartbeat-answer-lost": "a heartbeat arrives, its answer does not",
    "heartbeat-late": "the next heartbeat comes after the session",
    "high-watermarks-lost": "the file of high watermarks is missing when a directory is opened",
    "hint-left-out": "an answer does not say who leads (951-01)",
    "index-lost": "an offset index is missing when a log is opened",
    "isr-hasty": "followers are looked at with a clock that is ahead",
    "isr-search-early": "they are looked at ten times as often",
    "leader-epochs-lost": "the file of leader epochs is missing when a log is opened",
    "metadata-late": "a node hesitates before it acts on metadata",
    "metadata-leaderless": "a client is told that a partition has no leader",
    "metadata-one-by-one": "it acts on one partition after the other, with breaks",
    "producer-id-block-of-one": "of a block of producer ids one is used",
    "producer-snapshot-lost": "a snapshot of producers is missing when a log is opened",
    "raft-answer-lost": "an answer of the quorum is not heard",
    "raft-request-lost": "a request to the quorum is not sent",
    "records-stay-in-file": "records are read from their file as they are sent, however few",
    "registration-answer-lost": "a broker is registered and does not know it",
    "replica-answer-lost": "a follower does not hear its leader's answer",
    "replica-append-refused": "a follower leaves what it got of one partition, and pauses",
    "replica-session-forgotten": "a follower begins a new fetch session",
    "segment-tiny": "a segment is rolled at the next append",
    "sessions-late": "sessions that are over are noticed a little later",
    "snapshot-batches-tiny": "a snapshot is written record by record",
    "snapshot-chunk-tiny": "a piece of a snapshot has one byte",
    "snapshot-download-lost": "what was downloaded of a snapshot is gone, the download begins anew",
    "snapshot-gone": "who asks for a snapshot is told that it was deleted (630-19)",
    "snapshot-now": "a snapshot is made although none is due",
    "time-index-lost": "a time index is missing when a log is opened",
}
"""Names, and what happens there."""
