"""Processes killed for real."""
