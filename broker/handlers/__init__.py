"""One file an API: what it means."""
