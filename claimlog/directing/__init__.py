"""Directing an event: who takes part, who plays whom, and the standings, without any archive."""
