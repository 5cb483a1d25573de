"""Producer, consumer and admin for asyncio programs."""
