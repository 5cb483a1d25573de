"""What transactions promise, as logs, readers and producers see it."""
