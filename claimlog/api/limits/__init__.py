"""What a client may have of the server."""
