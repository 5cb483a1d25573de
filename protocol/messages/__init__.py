"""Generated codecs, one module a message: do not edit, run `make generate`."""
