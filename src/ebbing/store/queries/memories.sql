-- Rows in and out of the two sides. Common to both engines; `= ANY(:list)` is rewritten where an engine lacks it.

-- name: memory_columns
-- What both sides have of a memory, as part of other queries; `memory_values` are their values, in the same order.
owner, id, agent, visibility, scope, text, category, tier, status, importance, created_at, created_day, pinned,
contested, expires_at, valid_from, valid_until, restored_at, source, trust, subject, attribute, supersedes,
superseded_by, derived_from, compaction_depth, tags, metadata, tokens, digest, fingerprint, lifetime, harm, held_at

-- name: memory_values
-- Those values.
:owner, :id, :agent, :visibility, :scope, :text, :category, :tier, :status, :importance, :created_at, :created_day,
:pinned, :contested, :expires_at, :valid_from, :valid_until, :restored_at, :source, :trust, :subject, :attribute,
:supersedes, :superseded_by, :derived_from, :compaction_depth, :tags, :metadata, :tokens, :digest, :fingerprint,
:lifetime, :harm, :held_at

-- name: copied_columns
-- The same columns of a live row `m`, with the status that it is given by `moved`.
m.owner, m.id, m.agent, m.visibility, m.scope, m.text, m.category, m.tier, moved.status, m.importance, m.created_at,
m.created_day, m.pinned, m.contested, m.expires_at, m.valid_from, m.valid_until, m.restored_at, m.source, m.trust,
m.subject, m.attribute, m.supersedes, m.superseded_by, m.derived_from, m.compaction_depth, m.tags, m.metadata,
m.tokens, m.digest, m.fingerprint, m.lifetime, m.harm, m.held_at

-- name: changed_columns
-- What may change on a memory that stays the same memory.
agent = :agent, visibility = :visibility, scope = :scope, category = :category, tier = :tier, status = :status,
importance = :importance, pinned = :pinned, contested = :contested, expires_at = :expires_at,
valid_from = :valid_from, valid_until = :valid_until, restored_at = :restored_at, source = :source, trust = :trust,
subject = :subject, attribute = :attribute, supersedes = :supersedes, superseded_by = :superseded_by,
derived_from = :derived_from, compaction_depth = :compaction_depth, tags = :tags, metadata = :metadata,
fingerprint = :fingerprint, lifetime = :lifetime, harm = :harm, held_at = :held_at

-- name: get_live
-- Live memories by id.
SELECT * FROM live WHERE owner = :owner AND id = ANY(:ids);

-- name: get_stored
-- Memories out of the live tables, by id.
SELECT * FROM stored WHERE owner = :owner AND id = ANY(:ids);

-- name: list_live
-- Live memories that match, newest first, after a cursor. The filter is put together from filters.sql.
SELECT * FROM live WHERE owner = :owner AND id < :before /*filter*/ ORDER BY id DESC LIMIT :limit;

-- name: list_detached
-- Live memories that are detached: few, with an index of their own.
SELECT * FROM live WHERE owner = :owner AND status = 'detached' AND id < :before /*filter*/ ORDER BY id DESC LIMIT :limit;

-- name: list_stored
-- The same on the other side.
SELECT * FROM stored WHERE owner = :owner AND id < :before /*filter*/ ORDER BY id DESC LIMIT :limit;

-- name: same_digest
-- Live memories whose normalised text is the same: exact duplicates.
SELECT * FROM live WHERE owner = :owner AND digest = ANY(:digests);

-- name: aliases
-- What is in use under an attribute of one of these subjects, or is one of these texts: two looks into indexes.
SELECT * FROM live WHERE owner = :owner AND subject = ANY(:names) AND attribute = :attribute AND status = 'active'
UNION ALL
SELECT * FROM live WHERE owner = :owner AND digest = ANY(:digests) AND attribute = :attribute AND status = 'active';

-- name: same_address
-- Live memories at an address; writing there again replaces them.
SELECT * FROM live WHERE owner = :owner AND subject = :subject AND attribute = :attribute;

-- name: same_stored_address
-- Archived memories at an address: out of the way, but never to come back beside what replaced them.
SELECT * FROM stored WHERE owner = :owner AND subject = :subject AND attribute = :attribute AND status = 'archived';

-- name: unsettled_live
-- Live memories that wait for a person to decide about them, newest first, after a cursor.
SELECT * FROM live WHERE owner = :owner AND (contested OR held_at IS NOT NULL) AND id < :before /*filter*/
ORDER BY id DESC LIMIT :limit;

-- name: unsettled_stored
-- The same on the other side: merged, or looking like an injected instruction.
SELECT * FROM stored WHERE owner = :owner AND (contested AND status = 'superseded' OR status = 'quarantined') AND id < :before
/*filter*/ ORDER BY id DESC LIMIT :limit;

-- name: count_unsettled
-- How many wait for a person to decide about them, on either side.
SELECT count(*) FROM memories WHERE owner = :owner AND (contested OR held_at IS NOT NULL)
UNION ALL
SELECT count(*) FROM archive WHERE owner = :owner AND (contested AND status = 'superseded' OR status = 'quarantined');

-- name: echoes
-- What is not live and has these words, or gave way to these memories. Asked by a purge, which reads everything anyway.
SELECT * FROM stored WHERE owner = :owner AND (digest = ANY(:digests) OR superseded_by = ANY(:ids));

-- name: insert_vitals
-- The counters of a live memory.
INSERT INTO vitals (owner, id, last_accessed_at, used_day, recall_count, level, due_at, due_day)
VALUES (:owner, :id, :last_accessed_at, :used_day, :recall_count, :level, :due_at, :due_day);

-- name: update_memory
-- What may change on a live memory without leaving its side.
UPDATE memories SET /*= changed_columns */ WHERE owner = :owner AND id = :id;

-- name: update_vitals
-- The counters and alarms of a live memory, as given.
UPDATE vitals SET last_accessed_at = :last_accessed_at, used_day = :used_day, recall_count = :recall_count,
       level = :level, due_at = :due_at, due_day = :due_day
WHERE owner = :owner AND id = :id;

-- name: touch
-- A use: counted in place, so that two at once both count; never back in time. The alarm stays where a use only moves
-- the true one later; elsewhere the memory is changed as a whole.
UPDATE vitals SET recall_count = recall_count + 1,
       last_accessed_at = CASE WHEN last_accessed_at < :at THEN :at ELSE last_accessed_at END,
       used_day = CASE WHEN used_day < :day THEN :day ELSE used_day END
WHERE owner = :owner AND id = :id;

-- name: arm
-- When to look at a memory again.
UPDATE vitals SET due_at = :due_at, due_day = :due_day WHERE owner = :owner AND id = :id;

-- name: delete_memories
-- Off the live side.
DELETE FROM memories WHERE owner = :owner AND id = ANY(:ids);

-- name: delete_vitals
-- And their counters.
DELETE FROM vitals WHERE owner = :owner AND id = ANY(:ids);

-- name: delete_stored
-- Off the other side.
DELETE FROM archive WHERE owner = :owner AND id = ANY(:ids);

-- name: update_stored
-- What else may change on a memory that leaves the live side.
UPDATE archive SET /*= changed_columns */, last_accessed_at = :last_accessed_at, used_day = :used_day,
       recall_count = :recall_count, level = :level
WHERE owner = :owner AND id = :id;

-- name: due_at
-- What an instant has made due, longest overdue first; bounded, so a sweep never holds the writer long.
SELECT id, due_at FROM vitals WHERE owner = :owner AND due_at <= :now ORDER BY due_at, id LIMIT :limit;

-- name: due_day
-- What the owner's days of use have made due, longest overdue first; bounded likewise.
SELECT id, due_day FROM vitals WHERE owner = :owner AND due_day <= :day ORDER BY due_day, id LIMIT :limit;

-- name: upcoming_at
-- What an instant will have made due, soonest first, after a cursor.
SELECT id, due_at FROM vitals WHERE owner = :owner AND due_at <= :until
  AND (due_at, id) > (:after, :after_id) ORDER BY due_at, id LIMIT :limit;

-- name: upcoming_day
-- What the owner's days of use will have made due, soonest first, after a cursor.
SELECT id, due_day FROM vitals WHERE owner = :owner AND due_day <= :until
  AND (due_day, id) > (:after, :after_id) ORDER BY due_day, id LIMIT :limit;

-- name: overdue
-- How many have been made due, by either; asked for a progress bar.
SELECT count(*) FROM vitals WHERE owner = :owner AND (due_at <= :now OR due_day <= :day);

-- name: counts_live
-- How many live memories of each kind there are, and their tokens.
SELECT status, category, tier, count(*), sum(tokens), count(*) FILTER (WHERE pinned) FROM memories
WHERE owner = :owner GROUP BY status, category, tier;

-- name: counts_stored
-- The same on the other side.
SELECT status, category, tier, count(*), sum(tokens), count(*) FILTER (WHERE pinned) FROM archive
WHERE owner = :owner GROUP BY status, category, tier;

-- name: fingerprints
-- How many live memories each embedding model covers; none at all is a null.
SELECT fingerprint, count(*) FROM memories WHERE owner = :owner GROUP BY fingerprint;

-- name: without_fingerprint
-- Live memories that another model embedded, or none, in order, after a cursor.
SELECT * FROM live WHERE owner = :owner AND id > :after AND (fingerprint IS NULL OR fingerprint <> :fingerprint)
ORDER BY id LIMIT :limit;

-- name: standing
-- Where these memories stand now, and what they count as in their scope.
SELECT id, status, scope, tier, tokens FROM memories WHERE owner = :owner AND id = ANY(:ids)
UNION ALL
SELECT id, status, scope, tier, tokens FROM archive WHERE owner = :owner AND id = ANY(:ids);

-- name: earliest_due_at
-- The next alarm on the wall.
SELECT min(due_at) FROM vitals WHERE owner = :owner AND due_at IS NOT NULL;

-- name: walk_live
-- Live memories in the order of their ids, after a cursor.
SELECT * FROM live WHERE owner = :owner AND id > :after ORDER BY id LIMIT :limit;
