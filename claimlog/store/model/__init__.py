"""What everything in the archive is told in: types, tables, filters, errors."""
