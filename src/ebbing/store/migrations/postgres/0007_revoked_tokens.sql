-- Which tokens were revoked. Once a store has had a token, its server needs one for good: revoking the last of them must
-- not open it. Like `tokens`, it belongs to no owner.
CREATE TABLE tokens_revoked (
    id text COLLATE "C" PRIMARY KEY  -- the public part; nothing else of a revoked token is kept
);
