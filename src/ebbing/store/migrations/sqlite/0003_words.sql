-- Words are kept apart by owner in the index itself: a term is the token of an owner and status, `_`, and the word, so
-- that finding an owner's rows with a word is reading one list. With owner and word as two terms every word looked up
-- walked all of the owner's rows. A row also bears the bare token, by which an owner's rows are counted. Which words a
-- row has is all that is asked, so the index keeps neither how often nor where (`detail`).
--
-- The words are those of terms.py, which no script can call: whoever runs this fills both tables anew.

DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5 (
    body, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);

DROP TABLE archive_words;
CREATE VIRTUAL TABLE archive_words USING fts5 (
    body, content = '', contentless_delete = 1, detail = 'none', tokenize = "ascii tokenchars '_'"
);
