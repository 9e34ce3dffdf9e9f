"""Answers that are kept: as they were sent, and of pages as they were found."""
