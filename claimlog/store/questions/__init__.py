"""What can be asked of an archive, and how it is counted."""
