"""The second codec backend: the same layouts as `construct` declarations, slow and independent.

It shares the schema tree with the generated codecs and nothing else: the property tests hold one
against the other, and `barnabas dissect` explains bytes with it. Never on a hot path.
"""

from __future__ import annotations

from .codec import ConstructCodec, construct_codec

__all__ = ["ConstructCodec", "construct_codec"]
