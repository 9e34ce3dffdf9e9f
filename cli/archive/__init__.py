"""The commands that ask the archive."""
