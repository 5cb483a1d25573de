"""The disk, for real."""
