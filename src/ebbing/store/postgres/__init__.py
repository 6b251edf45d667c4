"""The PostgreSQL store: the same tables on a server, with pgvector."""
