"""What single clauses assert, read by rules of English: subject, relation, value, and how it is meant. Pure."""
