"""The simulator itself: its loop, disk and network."""
