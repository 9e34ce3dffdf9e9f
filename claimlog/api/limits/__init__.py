"""Limits on what a client may use of the server."""
