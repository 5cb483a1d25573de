"""The admin client, one file a kind of thing that it asks for."""
