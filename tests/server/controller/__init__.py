"""Tests of the active controller, the way to it, and a broker's life in its cluster."""
