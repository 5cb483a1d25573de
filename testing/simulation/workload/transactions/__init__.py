"""Programs that write in transactions, and those that read what was committed."""
