"""How games get into the archive, whichever backend it has."""
