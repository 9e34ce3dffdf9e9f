"""An archive in a file of DuckDB."""
