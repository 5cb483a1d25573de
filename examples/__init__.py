"""Programs that show what barnabas is for; they are run from a checkout."""
