-- Searching, as only PostgreSQL says it: words in a table, vectors compared where they stand.

-- name: traces
-- What strength and rank need to know of live candidates.
SELECT key, id, category, tier, scope, pinned, importance, (extract(epoch FROM created_at) * 1000000)::bigint, created_day,
       (extract(epoch FROM last_accessed_at) * 1000000)::bigint, used_day, recall_count, level, strpos(text, '?') > 0, lifetime, harm
FROM unnest((SELECT :handles::bigint[])) AS wanted (handle)
CROSS JOIN LATERAL (SELECT * FROM live l WHERE l.owner = :owner AND l.key = wanted.handle LIMIT 1) AS live
WHERE true /*filter*/;

-- name: stored_traces
-- The same on the other side.
SELECT key, id, category, tier, scope, pinned, importance, (extract(epoch FROM created_at) * 1000000)::bigint, created_day,
       (extract(epoch FROM last_accessed_at) * 1000000)::bigint, used_day, recall_count, level, strpos(text, '?') > 0, lifetime, harm
FROM unnest(:handles::bigint[]) AS wanted (handle)
CROSS JOIN LATERAL (SELECT * FROM stored s WHERE s.owner = :owner AND s.key = wanted.handle LIMIT 1) AS stored
WHERE true /*filter*/;

-- name: word_frequencies
-- In how many of an owner's rows each word stands; beyond what a search can afford it no longer matters.
SELECT asked.term, (SELECT count(*) FROM (
    SELECT FROM words w WHERE w.owner = :owner AND w.term = asked.term LIMIT :most) AS counted)
FROM unnest((SELECT :terms::text[])) AS asked (term);

-- name: words_from
-- The terms in a range, in their order: each is looked up behind the one before it, however many rows hold it.
WITH RECURSIVE found (term) AS (
    (SELECT term FROM words WHERE owner = :owner AND term >= :low AND term < :high AND status = 'a'
     ORDER BY term LIMIT 1)
    UNION ALL
    SELECT (SELECT w.term FROM words w WHERE w.owner = :owner AND w.term > found.term AND w.term < :high
            AND w.status = 'a' ORDER BY w.term LIMIT 1)
    FROM found WHERE found.term IS NOT NULL)
SELECT term FROM found WHERE term IS NOT NULL LIMIT :limit;

-- name: stored_word_frequencies
-- The same on the other side.
SELECT asked.term, (SELECT count(*) FROM (
    SELECT FROM archive_words w WHERE w.owner = :owner AND w.term = asked.term LIMIT :most) AS counted)
FROM unnest(:terms::text[]) AS asked (term);

-- name: rows_with_words
-- The live rows that hold each of these words with their lengths; then, once each and without a word, how near they are.
-- Two lists rather than a join: of words the planner has no samples, and its guesses cost twenty times as much. Each column
-- is packed into one value: rows by themselves took the client longer to read than the server to find.
WITH hit AS MATERIALIZED (
    SELECT term, key, length FROM words WHERE owner = :owner AND term = ANY(:terms) AND status = ANY(:letters))
SELECT term, string_agg(int8send(key), ''), string_agg(int4send(length), ''), NULL::bytea FROM hit GROUP BY term
UNION ALL
SELECT NULL, string_agg(int8send(key), ''), NULL,
       string_agg(float8send((vector <#> :vector) + (vector <#> :rest)), '') FROM vectors
WHERE owner = :owner AND fingerprint = :fingerprint AND key = ANY(ARRAY(SELECT key FROM hit)) /*eligible*/;

-- name: rows_with_stored_words
-- The same on the other side.
WITH hit AS MATERIALIZED (
    SELECT term, key, length FROM archive_words WHERE owner = :owner AND term = ANY(:terms) AND status = ANY(:letters))
SELECT term, string_agg(int8send(key), ''), string_agg(int4send(length), ''), NULL::bytea FROM hit GROUP BY term
UNION ALL
SELECT NULL, string_agg(int8send(key), ''), NULL,
       string_agg(float8send((vector <#> :vector) + (vector <#> :rest)), '') FROM archive
WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL
  AND key = ANY(ARRAY(SELECT key FROM hit)) /*eligible*/;

-- name: familiar
-- Who has the same words, and which of these hashes are buried, in one look: each row is a tombstone and its hash, or a
-- memory.
SELECT NULL, NULL, same.* FROM (/*= same_digest */) AS same
UNION ALL
SELECT stone.id, stone.hash, live.* FROM (/*= tombstones */) AS stone LEFT JOIN live ON false;

-- name: eligible_live
-- Which of those rows a filter leaves, told without word or distance; a third list where a filter is given.
UNION ALL
SELECT NULL, string_agg(int8send(key), ''), NULL, NULL FROM memories
WHERE owner = :owner AND key = ANY(ARRAY(SELECT key FROM hit)) /*filter*/

-- name: eligible_stored
-- The same on the other side.
UNION ALL
SELECT NULL, string_agg(int8send(key), ''), NULL, NULL FROM archive
WHERE owner = :owner AND key = ANY(ARRAY(SELECT key FROM hit)) /*filter*/

-- name: nearest
-- The nearest live rows, each one compared; keys and distances each packed into one value.
SELECT string_agg(int8send(key), ''), string_agg(float8send(distance), '') FROM (
    SELECT key, (vector <#> :vector) + (vector <#> :rest) AS distance FROM vectors
    WHERE owner = :owner AND fingerprint = :fingerprint ORDER BY distance LIMIT :limit) AS near;

-- name: nearest_filtered
-- The same among what a filter leaves.
SELECT string_agg(int8send(key), ''), string_agg(float8send(distance), '') FROM (
    SELECT v.key, (v.vector <#> :vector) + (v.vector <#> :rest) AS distance
    FROM memories m JOIN vectors v ON v.owner = m.owner AND v.key = m.key
    WHERE m.owner = :owner AND v.owner = :owner AND v.fingerprint = :fingerprint /*filter*/
    ORDER BY distance LIMIT :limit) AS near;

-- name: nearest_stored
-- The same on the other side.
SELECT string_agg(int8send(key), ''), string_agg(float8send(distance), '') FROM (
    SELECT key, (vector <#> :vector) + (vector <#> :rest) AS distance FROM archive
    WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL /*filter*/
    ORDER BY distance LIMIT :limit) AS near;

-- name: nearness
-- How near certain live rows are.
SELECT key, (vector <#> :vector) + (vector <#> :rest) FROM vectors
WHERE owner = :owner AND fingerprint = :fingerprint AND key = ANY(:handles);

-- name: stored_nearness
-- The same on the other side.
SELECT key, (vector <#> :vector) + (vector <#> :rest) FROM archive
WHERE owner = :owner AND fingerprint = :fingerprint AND vector IS NOT NULL AND key = ANY(:handles);

-- name: nearest_indexed
-- The nearest live rows of a big owner, through the index made for it; sent with its values written in, because a partial
-- index serves only who names the owner literally.
SELECT string_agg(int8send(key), ''), string_agg(float8send(distance), '') FROM (
    SELECT key, (vector <#> :vector) + (vector <#> :rest) AS distance FROM vectors
    WHERE owner = :owner AND fingerprint = :fingerprint ORDER BY vector::halfvec(:width) <#> :vector LIMIT :limit) AS near;
