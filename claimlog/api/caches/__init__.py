"""Caches: of answers as they were sent, and of what pages show."""
