"""How games get into the archive, on either backend."""
