"""Directing an event: who takes part, who plays whom, how it stands.  No archive is known here."""
