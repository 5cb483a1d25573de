"""Quotas: whom they are for, what they count, and for how long who has used too much waits."""
