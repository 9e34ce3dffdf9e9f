"""An archive in PostgreSQL with a lake (docs/cluster.md)."""
