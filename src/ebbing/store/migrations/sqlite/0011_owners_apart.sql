-- Row-level security for owners is PostgreSQL's (0008 there): a file has one user, and nothing changes here.
SELECT 1;
