"""What leader and follower know of each other; fetch sessions."""
