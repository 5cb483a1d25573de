"""Schemas in, generated codecs out."""
