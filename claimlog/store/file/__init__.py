"""An archive in a DuckDB file."""
