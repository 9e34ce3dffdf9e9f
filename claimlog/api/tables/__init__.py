"""Tables at which a game is being recorded."""
