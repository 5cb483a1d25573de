"""Tests of `barnabas.protocol`."""
