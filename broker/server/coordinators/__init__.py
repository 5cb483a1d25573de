"""Coordinators on this broker: the logs of internal topics, and the state machines over them."""
