-- What forgetting needs besides the memories: who sweeps, what each scope holds, and who waits to be summarized.

ALTER TABLE owners ADD COLUMN swept_at timestamptz;              -- when the last sweep ended
ALTER TABLE owners ADD COLUMN leased_to text COLLATE "C";        -- who sweeps now …
ALTER TABLE owners ADD COLUMN leased_until timestamptz;          -- … and until when nobody else may

-- What is live in each scope, in memories and tokens: a budget is looked at without counting. An owner has few
-- scopes beside its memories, so they have no index but the key (0001 says why there are so few).
CREATE TABLE holdings (
    owner             text COLLATE "C" NOT NULL,
    scope             text COLLATE "C" NOT NULL,
    active            bigint NOT NULL,
    active_tokens     bigint NOT NULL,
    detached          bigint NOT NULL,
    detached_tokens   bigint NOT NULL,
    working           bigint NOT NULL,  -- of what is active, by tier
    working_tokens    bigint NOT NULL,
    episodic          bigint NOT NULL,
    episodic_tokens   bigint NOT NULL,
    semantic          bigint NOT NULL,
    semantic_tokens   bigint NOT NULL,
    procedural        bigint NOT NULL,
    procedural_tokens bigint NOT NULL,
    PRIMARY KEY (owner, scope)
) /*partitioned*/;

-- What they should hold: counted from the memories.
CREATE VIEW counted (owner, scope, active, active_tokens, detached, detached_tokens, working, working_tokens,
    episodic, episodic_tokens, semantic, semantic_tokens, procedural, procedural_tokens) AS
SELECT owner, scope,
       count(*) FILTER (WHERE status = 'active'), coalesce(sum(tokens) FILTER (WHERE status = 'active'), 0)::bigint,
       count(*) FILTER (WHERE status = 'detached'), coalesce(sum(tokens) FILTER (WHERE status = 'detached'), 0)::bigint,
       count(*) FILTER (WHERE status = 'active' AND tier = 'working'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'working'), 0)::bigint,
       count(*) FILTER (WHERE status = 'active' AND tier = 'episodic'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'episodic'), 0)::bigint,
       count(*) FILTER (WHERE status = 'active' AND tier = 'semantic'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'semantic'), 0)::bigint,
       count(*) FILTER (WHERE status = 'active' AND tier = 'procedural'),
       coalesce(sum(tokens) FILTER (WHERE status = 'active' AND tier = 'procedural'), 0)::bigint
FROM memories GROUP BY owner, scope;

-- Who has fallen below the first rung and waits to be summarized with its topic.
CREATE TABLE waiting (
    owner text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    id    text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (owner, scope, id)
) /*partitioned*/;
CREATE INDEX waiting_id ON waiting (id, owner);

DO $$
DECLARE
    parts integer := current_setting('ebbing.partitions')::integer;
    made  text;
BEGIN
    FOREACH made IN ARRAY ARRAY['holdings', 'waiting'] LOOP
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                           made || '_' || part, made, parts, part);
        END LOOP;
    END LOOP;
END $$;

-- Row-level security shows rows of one owner at a time, and this is about all of them: it is lifted for the table's own
-- role until the end of this transaction, in which nobody else can look.
ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
INSERT INTO holdings SELECT * FROM counted;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;

DO $$
DECLARE
    made record;
BEGIN
    FOR made IN
        SELECT relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname ~ '^(holdings|waiting)'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('CREATE POLICY one_owner ON %I USING (owner = current_setting(%L, true))',
                       made.relname, 'ebbing.owner');
    END LOOP;
END $$;

-- A session's buffer of working memories.
CREATE INDEX memories_working ON memories (owner, (source ->> 'session')) WHERE tier = 'working';
