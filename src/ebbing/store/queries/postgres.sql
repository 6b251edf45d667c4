-- What only PostgreSQL says this way. `begin_*` are sent as several statements at once, their values written into them;
-- SET LOCAL, and not set_config(), because that is what Citus hands on to its workers (citus.propagate_set_commands).
--
-- The planner's idea of how many rows one owner has is an average, or a default while nothing has been analyzed, and with
-- it a list of ids was answered by reading all of a big owner's rows. So ids are looked up one by one (LATERAL … LIMIT 1
-- is not taken apart), and only index scans are left on: they go to what is asked for, and keep its order. What is prepared
-- hides how long a list is in (SELECT …): knowing that it is short, the planner made a plan of its own each time.

-- name: begin_reading
-- One consistent look at one owner: its rows are the only ones this transaction can see.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL search_path = :schema, :extension_schema, 'pg_temp';
SET LOCAL ebbing.owner = :owner;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SELECT /*= owner_columns */, places, indexed_fingerprint, indexed_width
FROM owners WHERE owner = :owner;

-- name: begin_writing
-- The same, with the owner's row in hand: its writers come one after the other, and none can wait for another in a circle.
BEGIN;
SET LOCAL search_path = :schema, :extension_schema, 'pg_temp';
SET LOCAL ebbing.owner = :owner;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL lock_timeout = :lock_ms;
SELECT /*= owner_columns */, places, indexed_fingerprint, indexed_width
FROM owners WHERE owner = :owner FOR UPDATE;

-- name: begin_maintenance
-- Across owners: who there is and their counters can be read, nothing can be changed.
BEGIN READ ONLY;
SET LOCAL search_path = :schema, :extension_schema, 'pg_temp';
SET LOCAL ebbing.maintenance = 'on';
SELECT 1;

-- name: begin_changing
-- The same, for what belongs to no owner and is changed all the same.
BEGIN;
SET LOCAL search_path = :schema, :extension_schema, 'pg_temp';
SET LOCAL lock_timeout = :lock_ms;
SELECT 1;

-- name: owner
-- How far a tenant's counters have come, in hand.
SELECT /*= owner_columns */, places, indexed_fingerprint, indexed_width
FROM owners WHERE owner = :owner FOR UPDATE;

-- name: save_owner
-- The counters as a transaction leaves them.
UPDATE owners SET /*= saved_columns */, places = :places WHERE owner = :owner;

-- name: save_owner_and_hold
-- The counters, and what was put into one scope; how many active memories it holds then.
WITH saved AS (/*= save_owner */)
/*= hold */ RETURNING active;

-- name: buffer
-- The working memories of one agent's session that are in use, oldest first.
SELECT * FROM live WHERE owner = :owner AND tier = 'working' AND status = 'active'
  AND source ->> 'session' IS NOT DISTINCT FROM :session AND agent IS NOT DISTINCT FROM :agent ORDER BY id;

-- name: get_live
-- Live memories by id.
SELECT live.* FROM unnest((SELECT :ids::text[])) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM live l WHERE l.owner = :owner AND l.id = wanted.id LIMIT 1) AS live;

-- name: same_digest
-- Live memories whose normalised text is the same: exact duplicates.
SELECT live.* FROM unnest((SELECT :digests::text[])) AS wanted (digest)
CROSS JOIN LATERAL (SELECT * FROM live l WHERE l.owner = :owner AND l.digest = wanted.digest OFFSET 0) AS live;

-- name: get_stored
-- Memories out of the live tables, by id.
SELECT stored.* FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM stored s WHERE s.owner = :owner AND s.id = wanted.id LIMIT 1) AS stored;

-- name: list_live
-- Live memories that match, newest first, after a cursor.
SELECT live.* FROM (
    SELECT id AS wanted FROM memories WHERE owner = :owner AND id < :before /*filter*/
    ORDER BY id DESC LIMIT :limit) AS page
CROSS JOIN LATERAL (SELECT * FROM live l WHERE l.owner = :owner AND l.id = wanted LIMIT 1) AS live;

-- name: standing
-- Where these memories stand now, and what they count as in their scope.
SELECT sides.* FROM unnest((SELECT :ids::text[])) AS wanted (id) CROSS JOIN LATERAL (
    (SELECT id, status, scope, tier, tokens FROM memories m WHERE m.owner = :owner AND m.id = wanted.id LIMIT 1)
    UNION ALL
    (SELECT id, status, scope, tier, tokens FROM archive a WHERE a.owner = :owner AND a.id = wanted.id LIMIT 1)) AS sides;

-- name: scope
-- A scope and everything below it, as one range of an index; '/a-b' lies in it too and is taken out again.
(scope >= :scope AND scope < :scope_high AND (scope = :scope OR scope >= :scope_low))

-- name: tags
-- Bears every one of these tags.
tags @> to_jsonb(:tags::text[])

-- name: scopes
-- In any of these scopes or below it, by whole segments: '0' is the character after '/'.
EXISTS (SELECT FROM unnest(:scopes::text[]) AS wanted (path)
        WHERE scope = wanted.path OR (scope >= wanted.path || '/' AND scope < wanted.path || '0'))

-- name: metadata
-- Has each of these values under the same name; 1 and 1.0 are the same number.
metadata::jsonb @> :wanted_metadata::jsonb

-- name: insert_memory
-- A live row.
INSERT INTO memories (key, /*= memory_columns */, length, terms) VALUES (:key, /*= memory_values */, :length, :terms);

-- name: insert_live
-- A live memory whole: its row, its counters, its embedding if it has one, and the words it is found by. In one statement,
-- because each takes the client as long as carrying it out takes the server.
WITH kept AS (/*= insert_memory */), counted AS (/*= insert_vitals */), embedded AS (
    INSERT INTO vectors (owner, key, fingerprint, vector)
    SELECT :owner, :key, :fingerprint, given.vector FROM (SELECT :vector::halfvec) AS given (vector)
    WHERE given.vector IS NOT NULL
    ON CONFLICT (owner, key) DO UPDATE SET fingerprint = excluded.fingerprint, vector = excluded.vector)
INSERT INTO words (owner, term, key, length, status)
SELECT :owner, t.term, :key, :length, left(:status, 1)::"char" FROM unnest(:terms::text[]) AS t (term);

-- name: insert_stored
-- A row on the other side: everything about a memory, its vector included.
INSERT INTO archive (key, /*= memory_columns */, last_accessed_at, used_day, recall_count, level, due_at, due_day, length, terms, vector)
VALUES (:key, /*= memory_values */, :last_accessed_at, :used_day, :recall_count, :level, :due_at, :due_day, :length, :terms, :vector);

-- name: store_live
-- Live rows to the other side as they are, but for their status and their alarms; their words follow, and what they leave
-- is deleted.
INSERT INTO archive (key, /*= memory_columns */, last_accessed_at, used_day, recall_count, level, due_at, due_day, length, terms, vector)
SELECT m.key, /*= copied_columns */, v.last_accessed_at, v.used_day, v.recall_count, v.level,
    moved.due_at, moved.due_day, m.length, m.terms, e.vector
FROM unnest(:ids::text[], :statuses::text[], :due_at::timestamptz[], :due_day::bigint[]) AS moved (id, status, due_at, due_day)
CROSS JOIN LATERAL (SELECT * FROM memories m WHERE m.owner = :owner AND m.id = moved.id LIMIT 1) AS m
CROSS JOIN LATERAL (SELECT * FROM vitals v WHERE v.owner = :owner AND v.id = moved.id LIMIT 1) AS v
LEFT JOIN LATERAL (SELECT e.vector FROM vectors e WHERE e.owner = :owner AND e.key = m.key LIMIT 1) AS e ON true;

-- name: insert_words
-- The words live memories are found by, as their rows name them.
INSERT INTO words (owner, term, key, length, status)
SELECT :owner, t.term, m.key, m.length, left(m.status, 1)::"char" FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM memories m WHERE m.owner = :owner AND m.id = wanted.id LIMIT 1) AS m
CROSS JOIN LATERAL unnest(m.terms) AS t (term);

-- name: insert_stored_words
-- The same on the other side.
INSERT INTO archive_words (owner, term, key, length, status)
SELECT :owner, t.term, a.key, a.length, left(a.status, 1)::"char" FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM archive a WHERE a.owner = :owner AND a.id = wanted.id LIMIT 1) AS a
CROSS JOIN LATERAL unnest(a.terms) AS t (term);

-- name: mark_words
-- The words of a live memory say where it stands.
UPDATE words w SET status = left(m.status, 1)::"char" FROM memories m, unnest(m.terms) AS t (term)
WHERE m.owner = :owner AND m.id = :id AND w.owner = :owner AND w.term = t.term AND w.key = m.key;

-- name: delete_words
-- No longer found. Each word is looked up by itself and deleted where it was found: a join might read all of the owner's.
DELETE FROM words WHERE owner = :owner AND ctid = ANY(ARRAY(
    SELECT w.place FROM unnest(:ids::text[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT key, terms FROM memories m WHERE m.owner = :owner AND m.id = wanted.id LIMIT 1) AS m
    CROSS JOIN LATERAL unnest(m.terms) AS t (term)
    CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM words w WHERE w.owner = :owner AND w.term = t.term AND w.key = m.key LIMIT 1) AS w));

-- name: delete_stored_words
-- No longer found there.
DELETE FROM archive_words WHERE owner = :owner AND ctid = ANY(ARRAY(
    SELECT w.place FROM unnest(:ids::text[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT key, terms FROM archive a WHERE a.owner = :owner AND a.id = wanted.id LIMIT 1) AS a
    CROSS JOIN LATERAL unnest(a.terms) AS t (term)
    CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM archive_words w WHERE w.owner = :owner AND w.term = t.term AND w.key = a.key
        LIMIT 1) AS w));

-- name: wait_no_more
-- They were summarized, have gone down, or are strong again; each is looked up by itself (OFFSET 0 is not taken apart).
DELETE FROM waiting WHERE owner = :owner AND ctid = ANY(ARRAY(
    SELECT w.place FROM unnest(:ids::text[]) AS wanted (id) CROSS JOIN LATERAL (
        SELECT w.ctid AS place FROM waiting w WHERE w.id = wanted.id AND w.owner = :owner OFFSET 0) AS w));

-- name: insert_vector
-- The embedding of a live memory, in place of an older one.
INSERT INTO vectors (owner, key, fingerprint, vector) VALUES (:owner, :key, :fingerprint, :vector)
ON CONFLICT (owner, key) DO UPDATE SET fingerprint = excluded.fingerprint, vector = excluded.vector;

-- name: standing_live
-- The keys of live memories, where they stand, and how many words they have.
SELECT m.id, m.key, m.status, m.length FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM memories m WHERE m.owner = :owner AND m.id = wanted.id LIMIT 1) AS m;

-- name: standing_stored
-- The same on the other side.
SELECT a.id, a.key, a.status, a.length FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM archive a WHERE a.owner = :owner AND a.id = wanted.id LIMIT 1) AS a;

-- name: delete_vectors
-- The embeddings off again.
DELETE FROM vectors WHERE owner = :owner AND key = ANY(:keys);

-- name: vectors_live
-- Embeddings of live memories by id.
SELECT wanted.id, v.vector FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT m.key FROM memories m WHERE m.owner = :owner AND m.id = wanted.id LIMIT 1) AS m
CROSS JOIN LATERAL (SELECT v.vector FROM vectors v WHERE v.owner = :owner AND v.key = m.key LIMIT 1) AS v;

-- name: vectors_stored
-- Embeddings on the other side by id.
SELECT wanted.id, a.vector FROM unnest(:ids::text[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM archive a WHERE a.owner = :owner AND a.id = wanted.id LIMIT 1) AS a
WHERE a.vector IS NOT NULL;

-- name: derived_live
-- Live summaries that rest on any of these.
SELECT * FROM live WHERE owner = :owner AND compaction_depth > 0 AND derived_from ?| :ids;

-- name: derived_stored
-- The same on the other side.
SELECT * FROM stored WHERE owner = :owner AND compaction_depth > 0 AND derived_from ?| :ids;

-- name: width
-- How many dimensions a model's vectors have, on whichever side there are any.
SELECT vector_dims(vector) FROM vectors WHERE owner = :owner AND fingerprint = :fingerprint
UNION ALL
SELECT vector_dims(vector) FROM archive WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL
LIMIT 1;

-- name: extension
-- Where pgvector stands in this database, and its version.
SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';

-- name: create_extension
-- What an administrator has usually done before.
CREATE EXTENSION IF NOT EXISTS vector;

-- name: has_migrations
-- Whether our tables stand in this schema.
SELECT to_regclass(format('%I.migrations', :schema)) IS NOT NULL;

-- name: newest_migration
-- How far the schema has come.
SET search_path = :schema, :extension_schema, 'pg_temp';
SELECT max(number) FROM migrations;

-- name: begin_migration
-- One process at a time, and those that waited find the work done.
SELECT pg_advisory_xact_lock(hashtextextended('ebbing.' || :schema, 0));
DO $$ BEGIN
    IF to_regnamespace(quote_ident(:schema)) IS NULL THEN EXECUTE format('CREATE SCHEMA %I', :schema); END IF;
END $$;
SET LOCAL search_path = :schema, :extension_schema, 'pg_temp';
SET LOCAL ebbing.partitions = :partitions;
SELECT 1;

-- name: add_migration
-- This one is done.
INSERT INTO migrations (number) VALUES (:number);
