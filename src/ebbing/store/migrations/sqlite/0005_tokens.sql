-- Who may come in through the network. Looked up before it is known whose memories are meant, so it stands outside the
-- rows of any owner. Of the secret there is only a digest; it is 256 random bits, and nobody guesses those.
CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,      -- the part of a token that may be seen
    name       TEXT NOT NULL UNIQUE,  -- what people call it
    owner      TEXT NOT NULL,         -- whose memories
    agent      TEXT,                  -- seen by whom; null: by no agent
    rights     TEXT NOT NULL,         -- names with spaces between them
    digest     TEXT NOT NULL,         -- SHA-256 of the secret
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    used_on    TEXT                   -- the last day on which it was shown
) STRICT, WITHOUT ROWID;
