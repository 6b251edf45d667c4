-- The first schema. Everything has `owner` in it: every key, every index, every predicate, so that the tables can be
-- hash-partitioned or distributed (Citus) by it and no statement ever needs two shards. There are no foreign keys.
-- Beside its primary key a table has no whole index that begins with `owner`: while the planner knows nothing about an
-- owner it would walk through any of them to find a single row. Those that find single rows have `owner` behind.
-- /*partitioned*/ becomes PARTITION BY HASH (owner) when the address asks for partitions, and nothing otherwise.

-- What has been applied of these files.
CREATE TABLE migrations (number integer PRIMARY KEY);

-- One row per tenant. Every write transaction locks it first, which puts the writers of one owner in a row. No row-level
-- security: it holds names, counters and a salt, and maintenance must be able to list it.
CREATE TABLE owners (
    owner               text COLLATE "C" PRIMARY KEY,
    salt                bytea NOT NULL,               -- of this owner's tombstones
    version             bigint NOT NULL DEFAULT 0,    -- the newest event's seq or row's key
    epoch               bigint NOT NULL DEFAULT 0,    -- counts erasures and repairs
    active_day          bigint NOT NULL DEFAULT 0,    -- the counter of days of use (clock.py)
    active_date         date,                         -- the last day of use
    swept_day           bigint NOT NULL DEFAULT 0,    -- the counter when the last sweep ended
    next_due_at         timestamptz,                  -- no later than the earliest due_at
    armed_by            text COLLATE "C",             -- the policy whose alarms the memories bear …
    armed_to            text COLLATE "C",             -- … up to this id; null: all of them
    sizes               jsonb NOT NULL DEFAULT '{}',  -- status → [rows, words in them]: counting them would read them all
    indexed_fingerprint text COLLATE "C",             -- the model whose vectors have an HNSW index of their own …
    indexed_width       integer                       -- … and how many dimensions they have
) /*partitioned*/;

CREATE TABLE activity (
    owner text COLLATE "C" NOT NULL,
    date  date NOT NULL,
    day   bigint NOT NULL,
    PRIMARY KEY (owner, date)
) /*partitioned*/;

-- What is live: active and detached. `key` comes from the owner's own counter and is never given twice.
CREATE TABLE memories (
    owner            text COLLATE "C" NOT NULL,
    key              bigint NOT NULL,
    id               text COLLATE "C" NOT NULL,
    agent            text COLLATE "C",
    visibility       text COLLATE "C" NOT NULL,
    scope            text COLLATE "C" NOT NULL,
    text             text NOT NULL,
    category         text COLLATE "C" NOT NULL,
    tier             text COLLATE "C" NOT NULL,
    status           text COLLATE "C" NOT NULL CHECK (status IN ('active', 'detached')),
    importance       double precision NOT NULL,
    created_at       timestamptz NOT NULL,
    created_day      bigint NOT NULL,
    pinned           boolean NOT NULL,
    contested        boolean NOT NULL,
    expires_at       timestamptz,
    valid_from       timestamptz,
    valid_until      timestamptz,
    restored_at      timestamptz,
    source           jsonb NOT NULL,
    trust            double precision NOT NULL,
    subject          text COLLATE "C",
    attribute        text COLLATE "C",
    supersedes       jsonb NOT NULL,
    superseded_by    text COLLATE "C",
    derived_from     jsonb NOT NULL,
    compaction_depth bigint NOT NULL,
    tags             jsonb NOT NULL,
    metadata         json NOT NULL,              -- as it was given: jsonb would round numbers and refuse \u0000
    tokens           bigint NOT NULL,
    digest           text COLLATE "C" NOT NULL,
    fingerprint      text COLLATE "C",
    length           integer NOT NULL,           -- how many words the text has
    terms            text[] COLLATE "C" NOT NULL, -- the words it stands under in `words`: where to take it off again
    PRIMARY KEY (owner, id)
) /*partitioned*/;
CREATE UNIQUE INDEX memories_key ON memories (key, owner);
CREATE INDEX memories_digest ON memories (digest, owner);
CREATE INDEX memories_scope ON memories (owner, scope) WHERE scope > '/';
CREATE INDEX memories_derived ON memories (owner) WHERE compaction_depth > 0;
CREATE INDEX memories_address ON memories (owner, subject, attribute) WHERE subject IS NOT NULL;

-- What changes often stands apart and narrow: a use touches no column that an index has.
CREATE TABLE vitals (
    owner            text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    last_accessed_at timestamptz NOT NULL,
    used_day         bigint NOT NULL,
    recall_count     bigint NOT NULL,
    level            double precision NOT NULL,
    due_at           timestamptz,
    due_day          bigint,
    PRIMARY KEY (owner, id)
) /*partitioned*/;
CREATE INDEX vitals_due_at ON vitals (owner, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX vitals_due_day ON vitals (owner, due_day) WHERE due_day IS NOT NULL;

-- Embeddings of what is live, half precision. No dimension in the type: each model has its own, and a big owner's index
-- (postgres_care.py) states it.
CREATE TABLE vectors (
    owner       text COLLATE "C" NOT NULL,
    key         bigint NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    vector      halfvec NOT NULL,
    PRIMARY KEY (owner, key)
) /*partitioned*/;

-- Words of what is live: one row for each word of a memory, all that a search reads in the index itself.
-- Not tsvector and GIN: under row-level security PostgreSQL may use an index only for operators that cannot leak, and
-- `@@` is not one of them, so that each search read every row of the owner; nor can such an index begin with `owner`.
CREATE TABLE words (
    key    bigint NOT NULL,
    length integer NOT NULL,
    status "char" NOT NULL,  -- its first letter
    owner  text COLLATE "C" NOT NULL,
    term   text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, term, key) INCLUDE (length, status)
) /*partitioned*/;

-- What is out of the live tables: archived, superseded, forgotten, quarantined. Whole rows, so that
-- bringing one back is copying it back.
CREATE TABLE archive (
    owner            text COLLATE "C" NOT NULL,
    key              bigint NOT NULL,
    id               text COLLATE "C" NOT NULL,
    agent            text COLLATE "C",
    visibility       text COLLATE "C" NOT NULL,
    scope            text COLLATE "C" NOT NULL,
    text             text NOT NULL,
    category         text COLLATE "C" NOT NULL,
    tier             text COLLATE "C" NOT NULL,
    status           text COLLATE "C" NOT NULL CHECK (status NOT IN ('active', 'detached')),
    importance       double precision NOT NULL,
    created_at       timestamptz NOT NULL,
    created_day      bigint NOT NULL,
    pinned           boolean NOT NULL,
    contested        boolean NOT NULL,
    expires_at       timestamptz,
    valid_from       timestamptz,
    valid_until      timestamptz,
    restored_at      timestamptz,
    source           jsonb NOT NULL,
    trust            double precision NOT NULL,
    subject          text COLLATE "C",
    attribute        text COLLATE "C",
    supersedes       jsonb NOT NULL,
    superseded_by    text COLLATE "C",
    derived_from     jsonb NOT NULL,
    compaction_depth bigint NOT NULL,
    tags             jsonb NOT NULL,
    metadata         json NOT NULL,
    tokens           bigint NOT NULL,
    digest           text COLLATE "C" NOT NULL,
    fingerprint      text COLLATE "C",
    last_accessed_at timestamptz NOT NULL,
    used_day         bigint NOT NULL,
    recall_count     bigint NOT NULL,
    level            double precision NOT NULL,
    due_at           timestamptz,
    due_day          bigint,
    length           integer NOT NULL,
    terms            text[] COLLATE "C" NOT NULL,
    vector           halfvec,
    PRIMARY KEY (owner, id)
) /*partitioned*/;
CREATE UNIQUE INDEX archive_key ON archive (key, owner);
CREATE INDEX archive_scope ON archive (owner, scope) WHERE scope > '/';
CREATE INDEX archive_address ON archive (owner, subject, attribute) WHERE subject IS NOT NULL;
CREATE INDEX archive_derived ON archive (owner) WHERE compaction_depth > 0;

CREATE TABLE archive_words (
    key    bigint NOT NULL,
    length integer NOT NULL,
    status "char" NOT NULL,
    owner  text COLLATE "C" NOT NULL,
    term   text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, term, key) INCLUDE (length, status)
) /*partitioned*/;

-- Every change, in the transaction that made it. No text of any memory stands here.
CREATE TABLE events (
    owner   text COLLATE "C" NOT NULL,
    seq     bigint NOT NULL,
    at      timestamptz NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    memory  text COLLATE "C",
    batch   text COLLATE "C" NOT NULL,
    actor   text COLLATE "C",
    session text COLLATE "C",
    reason  text,
    detail  jsonb NOT NULL,
    PRIMARY KEY (owner, seq)
) /*partitioned*/;
CREATE INDEX events_memory ON events (memory, owner, at);
CREATE INDEX events_batch ON events (batch, owner, seq);

-- What was purged and must not be learned again: a salted hash, never the text.
CREATE TABLE tombstones (
    owner   text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    hash    text COLLATE "C" NOT NULL,
    receipt text COLLATE "C" NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (owner, id)
) /*partitioned*/;
CREATE INDEX tombstones_hash ON tombstones (hash, owner);

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

-- For people with a SQL prompt: everything one owner has. It is empty until they say whose:
-- SET ebbing.owner = 'default';
CREATE VIEW everything AS
SELECT owner, id, status, scope, category, tier, text, importance, pinned, recall_count, created_at, last_accessed_at,
       expires_at, subject, attribute, superseded_by, tags, tokens
FROM (SELECT * FROM live UNION ALL SELECT * FROM stored) AS sides;

DO $$
DECLARE
    parts integer := current_setting('ebbing.partitions')::integer;
    made  record;
BEGIN
    -- The partitions, where they are asked for.
    FOR made IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p' LOOP
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                           made.relname || '_' || part, made.relname, parts, part);
        END LOOP;
    END LOOP;

    FOR made IN
        SELECT c.relname, c.relkind FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner'
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    LOOP
        -- The second wall: whatever a statement says, it sees the rows of one owner, and of none when none is named.
        -- Partitions are closed too: they can be asked directly.
        IF made.relname !~ '^owners' THEN
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made.relname);
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', made.relname);
            EXECUTE format('CREATE POLICY one_owner ON %I USING (owner = current_setting(%L, true))',
                           made.relname, 'ebbing.owner');
        END IF;
        -- Room on the page, so that what counts on in place stays on it.
        IF made.relname ~ '^(owners|vitals)' AND made.relkind = 'r' THEN
            EXECUTE format('ALTER TABLE %I SET (fillfactor = 70)', made.relname);
        END IF;
    END LOOP;

    FOR made IN
        SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = ANY (ARRAY[
            'text', 'source', 'subject', 'attribute', 'tags', 'metadata', 'terms', 'term', 'vector', 'reason', 'detail'])
    LOOP
        -- The planner's samples are copies, out of reach of a purge: none are taken of what memories say.
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', made.relname, made.attname);
        -- A vector stays in its row while it fits: fetching it from elsewhere costs more than comparing it.
        IF made.attname = 'vector' THEN
            EXECUTE format('ALTER TABLE %I ALTER COLUMN vector SET STORAGE MAIN', made.relname);
        END IF;
    END LOOP;
END $$;
