"""The commands that query the archive."""
