-- The first schema. Instants are microseconds since 1970 in UTC; the views at the end show them as text.

-- One row per tenant. Every write transaction reads it first and counts `version` on.
CREATE TABLE owners (
    owner       TEXT PRIMARY KEY,
    salt        BLOB NOT NULL,               -- of this owner's tombstones
    version     INTEGER NOT NULL DEFAULT 0,  -- the newest event's seq or vector's stamp
    epoch       INTEGER NOT NULL DEFAULT 0,  -- counts erasures and repairs: what was read into memory before is void
    active_day  INTEGER NOT NULL DEFAULT 0,  -- the counter of days of use (clock.py)
    active_date TEXT,                        -- the last day of use
    swept_day   INTEGER NOT NULL DEFAULT 0,  -- the counter when the last sweep ended
    next_due_at INTEGER,                     -- no later than the earliest due_at
    armed_by    TEXT,                        -- the policy whose alarms the memories bear …
    armed_to    TEXT                         -- … up to this id; null: all of them
) WITHOUT ROWID, STRICT;

CREATE TABLE activity (
    owner TEXT NOT NULL,
    date  TEXT NOT NULL,
    day   INTEGER NOT NULL,
    PRIMARY KEY (owner, date)
) WITHOUT ROWID, STRICT;

-- The next `key`. A key is never given twice, so a stale copy of one can find nothing wrong.
CREATE TABLE keys (next INTEGER NOT NULL) STRICT;
INSERT INTO keys VALUES (1);

-- What is live: active and detached.
CREATE TABLE memories (
    key              INTEGER PRIMARY KEY,
    owner            TEXT NOT NULL,
    id               TEXT NOT NULL,
    agent            TEXT,
    visibility       TEXT NOT NULL,
    scope            TEXT NOT NULL,
    text             TEXT NOT NULL,
    category         TEXT NOT NULL,
    tier             TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('active', 'detached')),
    importance       REAL NOT NULL,
    created_at       INTEGER NOT NULL,
    created_day      INTEGER NOT NULL,
    pinned           INTEGER NOT NULL,
    contested        INTEGER NOT NULL,
    expires_at       INTEGER,
    valid_from       INTEGER,
    valid_until      INTEGER,
    restored_at      INTEGER,
    source           TEXT NOT NULL,
    trust            REAL NOT NULL,
    subject          TEXT,
    attribute        TEXT,
    supersedes       TEXT NOT NULL,
    superseded_by    TEXT,
    derived_from     TEXT NOT NULL,
    compaction_depth INTEGER NOT NULL,
    tags             TEXT NOT NULL,
    metadata         TEXT NOT NULL,
    tokens           INTEGER NOT NULL,
    digest           TEXT NOT NULL,
    fingerprint      TEXT
) STRICT;
CREATE UNIQUE INDEX memories_id ON memories (owner, id);
CREATE INDEX memories_scope ON memories (owner, scope);
CREATE INDEX memories_digest ON memories (owner, digest);
CREATE INDEX memories_derived ON memories (owner) WHERE compaction_depth > 0;
CREATE INDEX memories_address ON memories (owner, subject, attribute) WHERE subject IS NOT NULL;

-- What changes often stands apart and narrow.
CREATE TABLE vitals (
    owner            TEXT NOT NULL,
    id               TEXT NOT NULL,
    last_accessed_at INTEGER NOT NULL,
    used_day         INTEGER NOT NULL,
    recall_count     INTEGER NOT NULL,
    level            REAL NOT NULL,
    due_at           INTEGER,
    due_day          INTEGER,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX vitals_due_at ON vitals (owner, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX vitals_due_day ON vitals (owner, due_day) WHERE due_day IS NOT NULL;

-- Embeddings of what is live, half precision, clustered by owner in the order they were written:
-- a process reads on from the last stamp it has seen.
CREATE TABLE vectors (
    owner       TEXT NOT NULL,
    stamp       INTEGER NOT NULL,
    key         INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    vector      BLOB NOT NULL,
    PRIMARY KEY (owner, stamp)
) WITHOUT ROWID, STRICT;
CREATE INDEX vectors_key ON vectors (key);

-- Words of what is live, as terms.py gives them: parted by spaces, and nothing else parts them. `own` holds the owner's token, so that one tenant's words are found without the others'.
CREATE VIRTUAL TABLE words USING fts5 (
    own, body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE words_vocab USING fts5vocab (words, row);

-- What is out of the live tables: archived, superseded, forgotten, quarantined. Whole rows, so that
-- bringing one back is copying it back.
CREATE TABLE archive (
    key              INTEGER PRIMARY KEY,
    owner            TEXT NOT NULL,
    id               TEXT NOT NULL,
    agent            TEXT,
    visibility       TEXT NOT NULL,
    scope            TEXT NOT NULL,
    text             TEXT NOT NULL,
    category         TEXT NOT NULL,
    tier             TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status NOT IN ('active', 'detached')),
    importance       REAL NOT NULL,
    created_at       INTEGER NOT NULL,
    created_day      INTEGER NOT NULL,
    pinned           INTEGER NOT NULL,
    contested        INTEGER NOT NULL,
    expires_at       INTEGER,
    valid_from       INTEGER,
    valid_until      INTEGER,
    restored_at      INTEGER,
    source           TEXT NOT NULL,
    trust            REAL NOT NULL,
    subject          TEXT,
    attribute        TEXT,
    supersedes       TEXT NOT NULL,
    superseded_by    TEXT,
    derived_from     TEXT NOT NULL,
    compaction_depth INTEGER NOT NULL,
    tags             TEXT NOT NULL,
    metadata         TEXT NOT NULL,
    tokens           INTEGER NOT NULL,
    digest           TEXT NOT NULL,
    fingerprint      TEXT,
    last_accessed_at INTEGER NOT NULL,
    used_day         INTEGER NOT NULL,
    recall_count     INTEGER NOT NULL,
    level            REAL NOT NULL,
    due_at           INTEGER,
    due_day          INTEGER,
    vector           BLOB
) STRICT;
CREATE UNIQUE INDEX archive_id ON archive (owner, id);
CREATE INDEX archive_scope ON archive (owner, scope);
CREATE INDEX archive_address ON archive (owner, subject, attribute) WHERE subject IS NOT NULL;
CREATE INDEX archive_derived ON archive (owner) WHERE compaction_depth > 0;

CREATE VIRTUAL TABLE archive_words USING fts5 (
    own, body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);

CREATE VIRTUAL TABLE archive_vocab USING fts5vocab (archive_words, row);

-- Every change, in the transaction that made it. No text of any memory stands here.
CREATE TABLE events (
    owner   TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    memory  TEXT,
    batch   TEXT NOT NULL,
    actor   TEXT,
    session TEXT,
    reason  TEXT,
    detail  TEXT NOT NULL,
    PRIMARY KEY (owner, seq)
) WITHOUT ROWID, STRICT;
CREATE INDEX events_memory ON events (owner, memory, at);
CREATE INDEX events_batch ON events (owner, batch, seq);

-- What was purged and must not be learned again: a salted hash, never the text.
CREATE TABLE tombstones (
    owner   TEXT NOT NULL,
    id      TEXT NOT NULL,
    hash    TEXT NOT NULL,
    receipt TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX tombstones_hash ON tombstones (owner, hash);

-- What the planner is to believe, in rows and in rows for each longer part of an index: an owner may have very many. Left
-- to guess, SQLite takes `owner = ?` for nearly a key, and walked all of a big owner's rows to find ten by their keys,
-- and all of its events to tell one memory's history. Planted once, so that plans are the same for everyone and for good.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_id', '1000000 100000 1'),
    ('memories', 'memories_scope', '1000000 100000 1000'),
    ('memories', 'memories_digest', '1000000 100000 1'),
    ('memories', 'memories_derived', '10000 1000'),
    ('memories', 'memories_address', '100000 10000 10 1'),
    ('vitals', 'vitals', '1000000 100000 1'),
    ('vitals', 'vitals_due_at', '1000000 100000 10'),
    ('vitals', 'vitals_due_day', '1000000 100000 1000'),
    ('vectors', 'vectors', '1000000 100000 1'),
    ('vectors', 'vectors_key', '1000000 1'),
    ('archive', 'archive_id', '1000000 100000 1'),
    ('archive', 'archive_scope', '1000000 100000 1000'),
    ('archive', 'archive_derived', '10000 1000'),
    ('events', 'events', '10000000 1000000 1'),
    ('events', 'events_memory', '10000000 1000000 10 1'),
    ('events', 'events_batch', '10000000 1000000 10 1');
ANALYZE sqlite_schema;

-- The two sides, with the same columns in the same order; the code reads memories through these.
CREATE VIEW live AS
SELECT m.key, m.owner, m.id, m.agent, m.visibility, m.scope, m.text, m.category, m.tier, m.status, m.importance,
       m.created_at, m.created_day, m.pinned, m.contested, m.expires_at, m.valid_from, m.valid_until, m.restored_at,
       m.source, m.trust, m.subject, m.attribute, m.supersedes, m.superseded_by, m.derived_from, m.compaction_depth,
       m.tags, m.metadata, m.tokens, m.digest, m.fingerprint,
       v.last_accessed_at, v.used_day, v.recall_count, v.level, v.due_at, v.due_day
FROM memories m JOIN vitals v ON v.owner = m.owner AND v.id = m.id;

CREATE VIEW stored AS
SELECT key, owner, id, agent, visibility, scope, text, category, tier, status, importance,
       created_at, created_day, pinned, contested, expires_at, valid_from, valid_until, restored_at,
       source, trust, subject, attribute, supersedes, superseded_by, derived_from, compaction_depth,
       tags, metadata, tokens, digest, fingerprint,
       last_accessed_at, used_day, recall_count, level, due_at, due_day
FROM archive;

-- For people with a SQL prompt: everything there is, with readable times.
CREATE VIEW everything AS
SELECT owner, id, status, scope, category, tier, text, importance, pinned, recall_count,
       strftime('%Y-%m-%d %H:%M:%S', created_at / 1e6, 'unixepoch') AS created,
       strftime('%Y-%m-%d %H:%M:%S', last_accessed_at / 1e6, 'unixepoch') AS last_accessed,
       strftime('%Y-%m-%d %H:%M:%S', expires_at / 1e6, 'unixepoch') AS expires,
       subject, attribute, superseded_by, tags, tokens
FROM (SELECT * FROM live UNION ALL SELECT * FROM stored);
