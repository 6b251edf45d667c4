-- Where statements meet: beside its words a memory stands under its points (reading/points.py), and two that may say the
-- same or contradict each other share one. A column of their own, so that they make no memory longer than its words do.
-- Points, like words, are nothing a script can tell: whoever runs this fills both tables anew.

DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5 (
    body, points, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);

DROP TABLE archive_words;
CREATE VIRTUAL TABLE archive_words USING fts5 (
    body, points, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);

-- What waits for a person to look at it: few, and found without looking at the rest.
CREATE INDEX memories_unsettled ON memories (owner, id) WHERE contested;
CREATE INDEX archive_unsettled ON archive (owner, id) WHERE contested AND status = 'superseded' OR status = 'quarantined';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_unsettled', '1000 100 1'),
    ('archive', 'archive_unsettled', '1000 100 1');
ANALYZE sqlite_schema;
