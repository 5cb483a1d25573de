"""The laboratory, from a checkout only: faults on real processes, planted bugs, containers."""
