"""Consumer groups whose partitions the coordinator assigns itself (KIP-848)."""
