"""Who gets which partitions: pure functions of members and partitions."""
