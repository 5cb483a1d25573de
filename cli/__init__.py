"""The barnabas command, one file a subcommand."""
