"""An archive in PostgreSQL with a lake (docs/postgresql.md)."""
