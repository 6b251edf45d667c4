"""The SQLite store: one file, full-text index and vectors beside the rows."""
