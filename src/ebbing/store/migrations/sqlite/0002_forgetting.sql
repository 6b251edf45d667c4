-- What forgetting needs besides the memories: who sweeps, what each scope holds, and who waits to be summarized.

ALTER TABLE owners ADD COLUMN swept_at INTEGER;      -- when the last sweep ended
ALTER TABLE owners ADD COLUMN leased_to TEXT;        -- who sweeps now …
ALTER TABLE owners ADD COLUMN leased_until INTEGER;  -- … and until when nobody else may

-- What is live in each scope, in memories and tokens: a budget is looked at without counting. An owner has few scopes
-- beside its memories, so they have no index but the key: each would be a page more to write with every memory.
CREATE TABLE holdings (
    owner             TEXT NOT NULL,
    scope             TEXT NOT NULL,
    active            INTEGER NOT NULL,
    active_tokens     INTEGER NOT NULL,
    detached          INTEGER NOT NULL,
    detached_tokens   INTEGER NOT NULL,
    working           INTEGER NOT NULL,  -- of what is active, by tier
    working_tokens    INTEGER NOT NULL,
    episodic          INTEGER NOT NULL,
    episodic_tokens   INTEGER NOT NULL,
    semantic          INTEGER NOT NULL,
    semantic_tokens   INTEGER NOT NULL,
    procedural        INTEGER NOT NULL,
    procedural_tokens INTEGER NOT NULL,
    PRIMARY KEY (owner, scope)
) WITHOUT ROWID, STRICT;
-- What they should hold: counted from the memories.
CREATE VIEW counted (owner, scope, active, active_tokens, detached, detached_tokens, working, working_tokens,
    episodic, episodic_tokens, semantic, semantic_tokens, procedural, procedural_tokens) AS
SELECT owner, scope,
       count(*) FILTER (WHERE status = 'active'), coalesce(sum(tokens) FILTER (WHERE status = 'active'), 0),
       count(*) FILTER (WHERE status = 'detached'), coalesce(sum(tokens) FILTER (WHERE status = 'detached'), 0),
       count(*) FILTER (WHERE status = 'active' AND tier = 'working'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'working'), 0),
       count(*) FILTER (WHERE status = 'active' AND tier = 'episodic'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'episodic'), 0),
       count(*) FILTER (WHERE status = 'active' AND tier = 'semantic'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'semantic'), 0),
       count(*) FILTER (WHERE status = 'active' AND tier = 'procedural'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'procedural'), 0)
FROM memories GROUP BY owner, scope;
INSERT INTO holdings SELECT * FROM counted;

-- Who has fallen below the first rung and waits to be summarized with its topic.
CREATE TABLE waiting (
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    id    TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (owner, scope, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX waiting_id ON waiting (owner, id);

-- A session's buffer of working memories.
CREATE INDEX memories_working ON memories (owner, json_extract(source, '$.session')) WHERE tier = 'working';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('holdings', 'holdings', '100000 10000 1'),
    ('waiting', 'waiting', '100000 10000 100 1'),
    ('waiting', 'waiting_id', '100000 10000 1 1'),
    ('memories', 'memories_working', '10000 1000 50');
ANALYZE sqlite_schema;
