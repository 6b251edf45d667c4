-- Which messages of conversations were observed, so that the same one, handed over again, changes nothing: a salted hash
-- of a message, never its words, and the ids of the memories that were made of it.

CREATE TABLE observed (
    owner    TEXT NOT NULL,
    mark     TEXT NOT NULL,
    memories TEXT NOT NULL,
    PRIMARY KEY (owner, mark)
) WITHOUT ROWID, STRICT;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('observed', 'observed', '1000000 1000 1');
ANALYZE sqlite_schema;
