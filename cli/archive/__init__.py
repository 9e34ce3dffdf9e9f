"""The commands that ask the archive; they need the extra `server`."""
