"""Consumer groups: coordinator, membership of both protocols, assignors, committed offsets."""
