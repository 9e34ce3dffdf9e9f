"""The questions that an archive answers, and how their answers are counted."""
