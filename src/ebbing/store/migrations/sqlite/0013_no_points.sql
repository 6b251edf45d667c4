-- The points of texts (0004_meeting.sql, 0007_points.sql) are gone: a new text is compared with the memories that search
-- finds near it. What a text begins with (0006_turns.sql) keeps a column of its own, so that it makes no memory longer.
-- The words are those of terms.py, which no script can call: whoever runs this fills both tables anew.

DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5 (
    body, heads, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);

DROP TABLE archive_words;
CREATE VIRTUAL TABLE archive_words USING fts5 (
    body, heads, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);

ALTER TABLE memories DROP COLUMN points;
ALTER TABLE archive DROP COLUMN points;
