"""The vocabulary of the archive: types, tables, filters, errors."""
