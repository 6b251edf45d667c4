-- Who may come in through the network. Looked up before it is known whose memories are meant, so row-level security does
-- not hold it, and it is never partitioned: it has a few rows. Of the secret there is only a digest; it is 256 random
-- bits, and nobody guesses those.
CREATE TABLE tokens (
    id         text COLLATE "C" PRIMARY KEY,      -- the part of a token that may be seen
    name       text COLLATE "C" NOT NULL UNIQUE,  -- what people call it
    owner      text COLLATE "C" NOT NULL,         -- whose memories
    agent      text COLLATE "C",                  -- seen by whom; null: by no agent
    rights     text COLLATE "C" NOT NULL,         -- names with spaces between them
    digest     text COLLATE "C" NOT NULL,         -- SHA-256 of the secret
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    used_on    date                               -- the last day on which it was shown
);
