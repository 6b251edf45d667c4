-- What doctor, purge and maintenance ask of PostgreSQL. {Braces} are names that the code puts in.

-- name: health
-- What does not agree within one owner: live rows without counters, without words, without the vector they name; words and
-- vectors of no row; the same of the other side; and whether the counts kept are true.
SELECT
    (SELECT count(*) FROM memories m WHERE m.owner = :owner
        AND NOT EXISTS (SELECT FROM vitals v WHERE v.owner = :owner AND v.id = m.id)),
    (SELECT count(*) FROM memories m WHERE m.owner = :owner AND EXISTS (SELECT FROM unnest(m.terms) AS t (term)
        WHERE NOT EXISTS (SELECT FROM words w WHERE w.owner = :owner AND w.term = t.term AND w.key = m.key
            AND w.length = m.length AND w.status = left(m.status, 1)::"char"))),
    (SELECT count(*) FROM memories m WHERE m.owner = :owner AND m.fingerprint IS NOT NULL AND NOT EXISTS (
        SELECT FROM vectors v WHERE v.owner = :owner AND v.key = m.key AND v.fingerprint = m.fingerprint)),
    (SELECT count(DISTINCT w.key) FROM words w WHERE w.owner = :owner
        AND NOT EXISTS (SELECT FROM memories m WHERE m.owner = :owner AND m.key = w.key)),
    (SELECT count(*) FROM vectors v WHERE v.owner = :owner
        AND NOT EXISTS (SELECT FROM memories m WHERE m.owner = :owner AND m.key = v.key)),
    (SELECT count(*) FROM archive a WHERE a.owner = :owner AND EXISTS (SELECT FROM unnest(a.terms) AS t (term)
        WHERE NOT EXISTS (SELECT FROM archive_words w WHERE w.owner = :owner AND w.term = t.term AND w.key = a.key
            AND w.length = a.length AND w.status = left(a.status, 1)::"char"))),
    (SELECT count(DISTINCT w.key) FROM archive_words w WHERE w.owner = :owner
        AND NOT EXISTS (SELECT FROM archive a WHERE a.owner = :owner AND a.key = w.key)),
    (SELECT count(*) FROM (
        SELECT status, count(*) AS rows, sum(length) AS words FROM (
            SELECT status, length FROM memories WHERE owner = :owner
            UNION ALL SELECT status, length FROM archive WHERE owner = :owner) AS sides GROUP BY status) AS counted
     FULL JOIN (
        SELECT key AS status, (value ->> 0)::bigint AS rows, (value ->> 1)::bigint AS words
        FROM owners, jsonb_each(sizes) WHERE owner = :owner) AS kept USING (status)
     WHERE coalesce(counted.rows, 0) <> coalesce(kept.rows, 0) OR coalesce(counted.words, 0) <> coalesce(kept.words, 0)),
    (SELECT count(DISTINCT scope) FROM (
        (SELECT * FROM counted WHERE owner = :owner EXCEPT SELECT * FROM holdings WHERE owner = :owner)
        UNION ALL
        (SELECT * FROM holdings WHERE owner = :owner EXCEPT SELECT * FROM counted WHERE owner = :owner)) AS untrue);

-- name: standing_tables
-- The tables and views of the schema.
SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v');

-- name: walls
-- Tables of an owner's rows that row-level security does not hold, and whether it holds this role at all.
SELECT (SELECT string_agg(c.relname, ', ') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner'
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'tokens'
          AND NOT (c.relrowsecurity AND c.relforcerowsecurity)),
       (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user);

-- name: texts_live
-- What the words of live memories are built from, a page at a time.
SELECT id, status, text FROM memories WHERE owner = :owner AND id > :after ORDER BY id LIMIT :limit;

-- name: texts_stored
-- The same on the other side.
SELECT id, status, text FROM archive WHERE owner = :owner AND id > :after ORDER BY id LIMIT :limit;

-- name: clear_words
-- Begin an owner's words anew.
DELETE FROM words WHERE owner = :owner;

-- name: clear_stored_words
-- The same on the other side.
DELETE FROM archive_words WHERE owner = :owner;

-- name: update_terms
-- The words a live memory stands under.
UPDATE memories SET length = :length, terms = :terms, digest = :digest WHERE owner = :owner AND id = :id;

-- name: update_stored_terms
-- The same on the other side.
UPDATE archive SET length = :length, terms = :terms, digest = :digest WHERE owner = :owner AND id = :id;

-- name: clear_holdings
-- Begin the counters of an owner's scopes anew.
DELETE FROM holdings WHERE owner = :owner;

-- name: recount_holdings
-- Count what an owner's scopes hold.
INSERT INTO holdings SELECT * FROM counted WHERE owner = :owner;

-- name: add_missing_vitals
-- Counters that are lost begin at the memory's creation, and the next sweep looks at it.
INSERT INTO vitals (owner, id, last_accessed_at, used_day, recall_count, level, due_at, due_day)
SELECT owner, id, created_at, created_day, 0, 1.0, created_at, NULL FROM memories m
WHERE owner = :owner AND NOT EXISTS (SELECT FROM vitals v WHERE v.owner = :owner AND v.id = m.id);

-- name: drop_stray_vectors
-- Vectors of rows that are gone.
DELETE FROM vectors v WHERE v.owner = :owner
  AND NOT EXISTS (SELECT FROM memories m WHERE m.owner = :owner AND m.key = v.key);

-- name: forget_missing_vectors
-- A row whose vector is lost says so, and `reembed` finds it.
UPDATE memories m SET fingerprint = NULL WHERE m.owner = :owner AND m.fingerprint IS NOT NULL AND NOT EXISTS (
    SELECT FROM vectors v WHERE v.owner = :owner AND v.key = m.key AND v.fingerprint = m.fingerprint);

-- name: tables
-- Our tables, partitions in place of what they are parts of; how big each is, and whether a partition is in use.
SELECT relname, pg_total_relation_size(oid), NOT relispartition OR pg_relation_size(oid) > 0 FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r';

-- name: make_a_dead_row
-- A row version younger than anything erased before: when it can be removed, so can they.
UPDATE migrations SET number = number;

-- name: wait
-- A moment's patience.
SELECT pg_sleep(:seconds);

-- name: switch_log
-- Begin a new WAL segment: the one that holds what was erased is complete.
SELECT pg_switch_wal();

-- name: checkpoint
-- Write everything back: complete WAL segments are no longer needed and may be reused.
CHECKPOINT;

-- name: remembered_texts
-- Which of these texts something else than a memory that stands still says.
SELECT said.text FROM unnest(:texts::text[]) AS said (text)
WHERE EXISTS (
    SELECT FROM events e WHERE e.owner = :owner AND (strpos(e.reason, said.text) > 0
        OR strpos(e.detail::text, btrim(to_jsonb(said.text)::text, '"')) > 0))
  AND NOT EXISTS (SELECT FROM memories m WHERE m.owner = :owner AND strpos(m.text, said.text) > 0)
  AND NOT EXISTS (SELECT FROM archive a WHERE a.owner = :owner AND strpos(a.text, said.text) > 0);

-- name: quoting_live
-- Live memories that hold one of these texts in any field. Asked by a purge, which reads everything anyway.
SELECT * FROM live AS m WHERE owner = :owner AND EXISTS (
    SELECT FROM unnest(:texts::text[]) AS said (words)
    WHERE strpos(lower(concat_ws(E'\n', m.text, m.scope, m.subject, m.attribute)), lower(said.words)) > 0
       OR strpos(lower(concat_ws(E'\n', m.metadata, to_jsonb(m.tags), m.source)),
                 lower(substr(to_jsonb(said.words)::text, 2, length(to_jsonb(said.words)::text) - 2))) > 0)
ORDER BY id LIMIT :limit;

-- name: quoting_stored
-- The same on the other side.
SELECT * FROM stored AS m WHERE owner = :owner AND EXISTS (
    SELECT FROM unnest(:texts::text[]) AS said (words)
    WHERE strpos(lower(concat_ws(E'\n', m.text, m.scope, m.subject, m.attribute)), lower(said.words)) > 0
       OR strpos(lower(concat_ws(E'\n', m.metadata, to_jsonb(m.tags), m.source)),
                 lower(substr(to_jsonb(said.words)::text, 2, length(to_jsonb(said.words)::text) - 2))) > 0)
ORDER BY id LIMIT :limit;

-- name: big_owners
-- Who has so many live rows that comparing them all takes long, and who has an index.
SELECT owner, indexed_fingerprint FROM owners
WHERE indexed_fingerprint IS NOT NULL
   OR coalesce((sizes -> 'active' ->> 0)::bigint, 0) + coalesce((sizes -> 'detached' ->> 0)::bigint, 0) >= :threshold
ORDER BY owner;

-- name: main_vectors
-- The model that made most of an owner's vectors, how many, how wide, and the table or partition they stand in.
SELECT fingerprint, count(*), min(vector_dims(vector)), min(tableoid)::regclass::text FROM vectors
WHERE owner = :owner GROUP BY fingerprint ORDER BY count(*) DESC LIMIT 1;

-- name: mark_indexed
-- From now on, or no longer, this owner is searched through its index.
UPDATE owners SET indexed_fingerprint = :fingerprint, indexed_width = :width WHERE owner = :owner;

-- name: near_index_state
-- Whether an index of this name stands, and whether it was built to the end.
SELECT i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = :name;

-- name: create_near_index
-- One owner's vectors of one model, to be followed instead of compared one by one.
CREATE INDEX CONCURRENTLY {name} ON {table} USING hnsw ((vector::halfvec({width})) halfvec_ip_ops)
WHERE owner = {owner} AND fingerprint = {fingerprint};

-- name: drop_near_index
-- Nobody is searched through it any more, or it was never finished.
DROP INDEX CONCURRENTLY IF EXISTS {name};
