"""Every setting with its default, unit and meaning."""
