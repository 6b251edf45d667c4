-- What only SQLite says this way.

-- name: tags
-- Bears every one of these tags.
NOT EXISTS (SELECT 1 FROM json_each(:tags) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(tags)))

-- name: scopes
-- In any of these scopes or below it, by whole segments: '0' is the character after '/'.
EXISTS (SELECT 1 FROM json_each(:scopes) AS wanted
        WHERE scope = wanted.value OR (scope >= wanted.value || '/' AND scope < wanted.value || '0'))

-- name: metadata
-- Has each of these values under the same name; 1 and 1.0 are the same number, and neither is true.
NOT EXISTS (SELECT 1 FROM json_each(:wanted_metadata) AS wanted WHERE NOT EXISTS (
    SELECT 1 FROM json_each(metadata) AS held
    WHERE held.key = wanted.key AND held.value IS wanted.value
      AND replace(held.type, 'real', 'integer') = replace(wanted.type, 'real', 'integer')))

-- name: buffer
-- The working memories of one agent's session that are in use, oldest first.
SELECT * FROM live WHERE owner = :owner AND tier = 'working' AND status = 'active'
  AND json_extract(source, '$.session') IS :session AND agent IS :agent ORDER BY id;

-- name: next_place
-- The first place for a key that nobody has taken.
SELECT next FROM keys;

-- name: take_places
-- Reserve places for the keys of new rows.
UPDATE keys SET next = next + :count;

-- name: standing_live
-- The key of live memories, their status, and FTS5's record of their length.
SELECT id, key, status, (SELECT sz FROM words_docsize WHERE words_docsize.id = key) FROM memories
WHERE owner = :owner AND id = ANY(:ids);

-- name: standing_stored
-- The same on the other side.
SELECT id, key, status, (SELECT sz FROM archive_words_docsize WHERE archive_words_docsize.id = key) FROM archive
WHERE owner = :owner AND id = ANY(:ids);

-- name: insert_memory
-- A live row.
INSERT INTO memories (key, /*= memory_columns */) VALUES (:key, /*= memory_values */);

-- name: insert_stored
-- A row on the other side: everything about a memory, its vector included.
INSERT INTO archive (key, /*= memory_columns */, last_accessed_at, used_day, recall_count, level, due_at, due_day, vector)
VALUES (:key, /*= memory_values */, :last_accessed_at, :used_day, :recall_count, :level, :due_at, :due_day, :vector);

-- name: store_live
-- Live rows to the other side as they are, but for their status and their alarms, given in rows of (id, status, due_at,
-- due_day); their words follow, and what they leave is deleted.
INSERT INTO archive (key, /*= memory_columns */, last_accessed_at, used_day, recall_count, level, due_at, due_day, vector)
SELECT m.key, /*= copied_columns */, v.last_accessed_at, v.used_day, v.recall_count, v.level,
    moved.due_at, moved.due_day, (SELECT e.vector FROM vectors e WHERE e.key = m.key AND e.owner = m.owner)
FROM (SELECT value ->> 0 AS id, value ->> 1 AS status, value ->> 2 AS due_at, value ->> 3 AS due_day
      FROM json_each(:moved)) AS moved
CROSS JOIN memories m ON m.owner = :owner AND m.id = moved.id CROSS JOIN vitals v ON v.owner = m.owner AND v.id = m.id;

-- name: insert_words
-- The words a live memory is found by.
INSERT INTO words (rowid, body, heads) VALUES (:key, :body, :heads);

-- name: delete_words
-- No longer found.
DELETE FROM words WHERE rowid = ANY(:keys);

-- name: insert_stored_words
-- The words a memory on the other side is found by.
INSERT INTO archive_words (rowid, body, heads) VALUES (:key, :body, :heads);

-- name: delete_stored_words
-- No longer found there.
DELETE FROM archive_words WHERE rowid = ANY(:keys);

-- name: insert_vector
-- The embedding of a live memory.
INSERT INTO vectors (owner, stamp, key, fingerprint, vector) VALUES (:owner, :stamp, :key, :fingerprint, :vector);

-- name: delete_vectors
-- And off again; found by key, held to the owner.
DELETE FROM vectors WHERE key = ANY(:keys) AND owner = :owner;

-- name: vectors_live
-- Embeddings of live memories by id.
SELECT m.id, v.vector FROM memories m JOIN vectors v ON v.key = m.key AND v.owner = m.owner
WHERE m.owner = :owner AND m.id = ANY(:ids);

-- name: vectors_stored
-- Embeddings on the other side by id.
SELECT id, vector FROM archive WHERE owner = :owner AND id = ANY(:ids) AND vector IS NOT NULL;

-- name: vectors_after
-- What an owner's matrix has not seen yet, in the order it was written, a piece at a time; with FTS5's records of how
-- long the rows are, or that of a row without words where one is missing.
SELECT stamp, key, vector, coalesce(sz, x'0100') FROM vectors LEFT JOIN words_docsize ON words_docsize.id = vectors.key
WHERE owner = :owner AND stamp > :stamp AND fingerprint = :fingerprint ORDER BY stamp LIMIT :limit;

-- name: vectors_of_archive
-- Every embedding on the other side; a scan, which is why the archive is slower.
SELECT key, vector, coalesce((SELECT d.sz FROM archive_words_docsize d WHERE d.id = key), x'0100') FROM archive
WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL /*filter*/;

-- name: eligible_live
-- The keys a filter leaves, when it leaves few.
SELECT key FROM live WHERE owner = :owner /*filter*/;

-- name: eligible_stored
-- The same on the other side.
SELECT key FROM stored WHERE owner = :owner /*filter*/;

-- name: traces
-- What strength and rank need to know of live candidates, and nothing else. A join, because a list behind IN is first
-- made into a table of its own, which took as long as reading the rows.
SELECT key, id, category, tier, scope, pinned, importance, created_at, created_day,
       last_accessed_at, used_day, recall_count, level, instr(text, '?') > 0, lifetime, harm
FROM (SELECT value AS handle FROM json_each(:handles)) AS wanted CROSS JOIN live ON live.key = wanted.handle
WHERE owner = :owner /*filter*/;

-- name: stored_traces
-- The same on the other side.
SELECT key, id, category, tier, scope, pinned, importance, created_at, created_day,
       last_accessed_at, used_day, recall_count, level, instr(text, '?') > 0, lifetime, harm
FROM (SELECT value AS handle FROM json_each(:handles)) AS wanted CROSS JOIN stored ON stored.key = wanted.handle
WHERE owner = :owner /*filter*/;

-- name: rows_with_words
-- The live rows that match each of several expressions, one list for each in their order.
SELECT (SELECT json_group_array(words.rowid) FROM words WHERE words MATCH wanted.value) FROM json_each(:matches) AS wanted
ORDER BY wanted.key;

-- name: rows_with_stored_words
-- The same on the other side.
SELECT (SELECT json_group_array(archive_words.rowid) FROM archive_words WHERE archive_words MATCH wanted.value)
FROM json_each(:matches) AS wanted ORDER BY wanted.key;

-- name: records
-- FTS5's records of how long live rows are.
SELECT d.id, d.sz FROM json_each(:keys) AS wanted CROSS JOIN words_docsize d ON d.id = wanted.value;

-- name: stored_records
-- The same on the other side.
SELECT d.id, d.sz FROM json_each(:keys) AS wanted CROSS JOIN archive_words_docsize d ON d.id = wanted.value;

-- name: term_counts
-- How many live rows bear each term.
SELECT term, doc FROM words_vocab WHERE term = ANY(:terms);

-- name: words_from
-- The terms in a range, in their order.
SELECT term FROM words_vocab WHERE term >= :low AND term < :high ORDER BY term LIMIT :limit;

-- name: stored_term_counts
-- The same on the other side.
SELECT term, doc FROM archive_vocab WHERE term = ANY(:terms);

-- name: key_gone
-- Which of these keys no longer stand on the live side.
SELECT value FROM json_each(:keys) WHERE value NOT IN (SELECT key FROM memories WHERE key = ANY(:keys));

-- name: memories_without_vitals
-- Live rows whose counters are missing.
SELECT count(*) FROM memories m WHERE NOT EXISTS (SELECT 1 FROM vitals v WHERE v.owner = m.owner AND v.id = m.id);

-- name: memories_without_words
-- Live rows the word index does not know.
SELECT count(*) FROM memories m WHERE NOT EXISTS (SELECT 1 FROM words_docsize d WHERE d.id = m.key);

-- name: memories_without_vector
-- Live rows that name a model and have no vector of it.
SELECT count(*) FROM memories m WHERE m.fingerprint IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.key = m.key AND v.owner = m.owner AND v.fingerprint = m.fingerprint);

-- name: words_without_memory
-- Words of rows that are gone.
SELECT count(*) FROM words_docsize d WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.key = d.id);

-- name: stored_words_without_memory
-- The same on the other side.
SELECT count(*) FROM archive_words_docsize d WHERE NOT EXISTS (SELECT 1 FROM archive a WHERE a.key = d.id);

-- name: stored_without_words
-- Rows on the other side that its word index does not know.
SELECT count(*) FROM archive a WHERE NOT EXISTS (SELECT 1 FROM archive_words_docsize d WHERE d.id = a.key);

-- name: vectors_without_memory
-- Vectors of rows that are gone.
SELECT count(*) FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.key = v.key);

-- name: clear_words
-- Begin the word index anew.
INSERT INTO words (words) VALUES ('delete-all');

-- name: clear_archive_words
-- Begin the archive's anew.
INSERT INTO archive_words (archive_words) VALUES ('delete-all');

-- name: update_digest_for_words
-- The digest of a live row's text.
UPDATE memories SET digest = :digest WHERE key = :key;

-- name: update_digest_for_archive_words
-- The same on the other side.
UPDATE archive SET digest = :digest WHERE key = :key;

-- name: texts_for_words
-- What the word index is built from, a page at a time.
SELECT key, owner, status, text FROM memories WHERE key > :after ORDER BY key LIMIT :limit;

-- name: texts_for_archive_words
-- What the archive's is built from.
SELECT key, owner, status, text FROM archive WHERE key > :after ORDER BY key LIMIT :limit;

-- name: count_of_texts
-- How many rows both are built from.
SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM archive);

-- name: drop_stray_words
-- Words of rows that are gone.
DELETE FROM words WHERE rowid IN (
    SELECT d.id FROM words_docsize d WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.key = d.id));

-- name: drop_stray_archive_words
-- The same on the other side.
DELETE FROM archive_words WHERE rowid IN (
    SELECT d.id FROM archive_words_docsize d WHERE NOT EXISTS (SELECT 1 FROM archive a WHERE a.key = d.id));

-- name: mark_analysed
-- By which rules everything was derived that is derived from texts.
UPDATE owners SET analysed_by = :fingerprint;

-- name: owners_analysed_otherwise
-- Owners of whom something was derived by other rules.
SELECT count(*) FROM owners o WHERE analysed_by IS NOT :fingerprint AND (
    EXISTS (SELECT 1 FROM memories m WHERE m.owner = o.owner) OR EXISTS (SELECT 1 FROM archive a WHERE a.owner = o.owner));

-- name: optimize_words
-- Merge the index into one piece, which drops what deleted rows left in it.
INSERT INTO words (words) VALUES ('optimize');

-- name: optimize_archive_words
-- The same on the other side.
INSERT INTO archive_words (archive_words) VALUES ('optimize');

-- name: add_missing_vitals
-- Counters that are lost begin at the memory's creation, and the next sweep looks at it.
INSERT INTO vitals (owner, id, last_accessed_at, used_day, recall_count, level, due_at, due_day)
SELECT owner, id, created_at, created_day, 0, 1.0, created_at, NULL FROM memories m
WHERE NOT EXISTS (SELECT 1 FROM vitals v WHERE v.owner = m.owner AND v.id = m.id);

-- name: drop_stray_vectors
-- Vectors of rows that are gone.
DELETE FROM vectors WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.key = vectors.key);

-- name: forget_missing_vectors
-- A row whose vector is lost says so, and `reembed` finds it.
UPDATE memories SET fingerprint = NULL WHERE fingerprint IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.key = memories.key AND v.owner = memories.owner AND v.fingerprint = memories.fingerprint);

-- name: void_matrices
-- What processes hold in memory was read before the repair, and the next sweep looks at new counters.
UPDATE owners SET epoch = epoch + 1, swept_day = 0;

-- name: untrue_holdings
-- Scopes whose counters are not what their memories come to.
SELECT count(DISTINCT owner || ' ' || scope) FROM (
    SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM holdings)
    UNION ALL
    SELECT * FROM (SELECT * FROM holdings EXCEPT SELECT * FROM counted));

-- name: clear_holdings
-- Begin the counters anew.
DELETE FROM holdings;

-- name: recount_holdings
-- Count what scopes hold.
INSERT INTO holdings SELECT * FROM counted;

-- name: derived_live
-- Live summaries that rest on any of these.
SELECT * FROM live WHERE owner = :owner AND compaction_depth > 0
  AND EXISTS (SELECT 1 FROM json_each(derived_from) AS source WHERE source.value = ANY(:ids));

-- name: derived_stored
-- The same on the other side.
SELECT * FROM stored WHERE owner = :owner AND compaction_depth > 0
  AND EXISTS (SELECT 1 FROM json_each(derived_from) AS source WHERE source.value = ANY(:ids));

-- name: width
-- How many dimensions a model's vectors have, on whichever side they stand: two bytes each.
SELECT length(vector) / 2 FROM (
    SELECT vector FROM vectors WHERE owner = :owner AND fingerprint = :fingerprint
    UNION ALL
    SELECT vector FROM archive WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL) LIMIT 1;

-- name: quoting_live
-- Live memories that hold one of these texts in any field. Asked by a purge, which reads everything anyway.
SELECT * FROM live AS m WHERE owner = :owner AND EXISTS (
    SELECT 1 FROM json_each(:texts) AS said
    WHERE instr(lower(concat_ws(char(10), m.text, m.scope, m.subject, m.attribute)), lower(said.value))
       OR instr(lower(concat_ws(char(10), m.metadata, m.tags, m.source)),
                lower(substr(json_quote(said.value), 2, length(json_quote(said.value)) - 2))))
ORDER BY id LIMIT :limit;

-- name: quoting_stored
-- The same on the other side.
SELECT * FROM stored AS m WHERE owner = :owner AND EXISTS (
    SELECT 1 FROM json_each(:texts) AS said
    WHERE instr(lower(concat_ws(char(10), m.text, m.scope, m.subject, m.attribute)), lower(said.value))
       OR instr(lower(concat_ws(char(10), m.metadata, m.tags, m.source)),
                lower(substr(json_quote(said.value), 2, length(json_quote(said.value)) - 2))))
ORDER BY id LIMIT :limit;

-- name: holds_text
-- Whether a row of any owner holds a text for reasons of its own; asked only when a purge has found it in the file. What
-- the log says of a memory is no such reason. Words are kept in small letters.
WITH held (said) AS (
    SELECT concat_ws(char(10), text, metadata, tags, scope, subject, attribute, source, category, owner, agent)
    FROM memories
    UNION ALL SELECT concat_ws(char(10), text, metadata, tags, scope, subject, attribute, source, category, owner, agent)
    FROM archive
    UNION ALL SELECT concat_ws(char(10), owner, kind, actor, session) FROM events
    UNION ALL SELECT concat_ws(char(10), owner, scope) FROM holdings
    UNION ALL SELECT concat_ws(char(10), name, owner, agent) FROM tokens
    UNION ALL SELECT owner FROM owners
    UNION ALL SELECT sql FROM sqlite_schema
)
SELECT 1 FROM held WHERE instr(lower(said), lower(:text)) LIMIT 1;

-- name: standing_tables
-- The tables and views of a file.
SELECT name FROM sqlite_schema WHERE type IN ('table', 'view');

-- name: schema
-- Which schema a file has, whose it is, and whether anything was ever made in it.
SELECT user_version, application_id, schema_version
FROM pragma_user_version, pragma_application_id, pragma_schema_version;

-- name: untrue_sizes
-- Owners' statuses of which the rows or their words are more or fewer than their counters say.
SELECT count(*) FROM (
    SELECT owner, status FROM (
        SELECT m.owner, m.status, 1 AS rows, words_in(d.sz) AS words FROM memories m JOIN words_docsize d ON d.id = m.key
        UNION ALL
        SELECT a.owner, a.status, 1, words_in(d.sz) FROM archive a JOIN archive_words_docsize d ON d.id = a.key
        UNION ALL
        SELECT o.owner, kept.key, -json_extract(kept.value, '$[0]'), -json_extract(kept.value, '$[1]')
        FROM owners o, json_each(o.sizes) AS kept)
    GROUP BY owner, status HAVING sum(rows) <> 0 OR sum(words) <> 0);

-- name: recount_sizes
-- Those counters anew.
UPDATE owners SET sizes = (
    SELECT json_group_object(status, json_array(rows, words)) FROM (
        SELECT m.status, count(*) AS rows, sum(words_in(d.sz)) AS words
        FROM memories m JOIN words_docsize d ON d.id = m.key WHERE m.owner = owners.owner GROUP BY m.status
        UNION ALL
        SELECT a.status, count(*), sum(words_in(d.sz))
        FROM archive a JOIN archive_words_docsize d ON d.id = a.key WHERE a.owner = owners.owner GROUP BY a.status));
