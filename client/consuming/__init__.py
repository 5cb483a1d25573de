"""The consumer: positions, fetches, and what they bring."""
