"""The bundled client."""
