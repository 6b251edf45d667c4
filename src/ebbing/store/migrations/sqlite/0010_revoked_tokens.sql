-- Which tokens were revoked. Once a store has had a token, its server needs one for good: revoking the last of them must
-- not open it.
CREATE TABLE tokens_revoked (
    id TEXT PRIMARY KEY  -- the public part; nothing else of a revoked token is kept
) STRICT, WITHOUT ROWID;
