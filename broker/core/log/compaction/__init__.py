"""Log compaction: the last record of each key survives, offsets never change."""
