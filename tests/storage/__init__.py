"""Tests of the real disk."""
