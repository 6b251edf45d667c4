-- The tenant's own row, its days of use, its events, its tombstones and the marks of observed messages.

-- name: add_owner
-- A tenant begins with its first write.
INSERT INTO owners (owner, salt) VALUES (:owner, :salt) ON CONFLICT (owner) DO NOTHING;

-- name: owner_columns
-- A tenant's counters, in the order of `OwnerRow`, as part of other queries.
salt, version, epoch, active_day, active_date, swept_day, next_due_at, armed_by, armed_to, swept_at, leased_to,
leased_until, turns, turns_from, sizes, swept_under, analysed_by

-- name: saved_columns
-- Those that a transaction may change.
salt = :salt, version = :version, epoch = :epoch, active_day = :active_day, active_date = :active_date,
swept_day = :swept_day, next_due_at = :next_due_at, armed_by = :armed_by, armed_to = :armed_to, swept_at = :swept_at,
leased_to = :leased_to, leased_until = :leased_until, turns = :turns, sizes = :sizes, swept_under = :swept_under,
analysed_by = :analysed_by

-- name: owner
-- How far a tenant's counters have come.
SELECT /*= owner_columns */ FROM owners WHERE owner = :owner;

-- name: save_owner
-- The counters as a transaction leaves them.
UPDATE owners SET /*= saved_columns */ WHERE owner = :owner;

-- name: list_owners
-- Every tenant. For maintenance only: no face shows it.
SELECT owner FROM owners ORDER BY owner;

-- name: owners_due
-- Tenants a sweep could change: their days of use moved since the last one, an alarm has come, or their alarms were set
-- by another policy than the one that sweeps now, or the last sweep knew other budgets. Where no day of use is on record,
-- the days of the calendar count.
SELECT owner FROM owners
WHERE CASE WHEN active_date IS NULL THEN :today ELSE active_day END <> swept_day OR next_due_at <= :now
   OR (CAST(:policy AS text) IS NOT NULL AND (armed_by IS DISTINCT FROM CAST(:policy AS text) OR armed_to IS NOT NULL))
   OR (CAST(:budgets AS text) IS NOT NULL AND swept_under IS DISTINCT FROM CAST(:budgets AS text))
ORDER BY owner;

-- name: add_activity
-- One row for each day of use.
INSERT INTO activity (owner, date, day) VALUES (:owner, :date, :day) ON CONFLICT (owner, date) DO NOTHING;

-- name: day_at
-- The counter as it stood at the end of a date.
SELECT day FROM activity WHERE owner = :owner AND date <= :date ORDER BY date DESC LIMIT 1;

-- name: list_activity
-- Every day of use, in order.
SELECT date, day FROM activity WHERE owner = :owner ORDER BY date;

-- name: add_event
-- One change.
INSERT INTO events (owner, seq, at, kind, memory, batch, actor, session, reason, detail)
VALUES (:owner, :seq, :at, :kind, :memory, :batch, :actor, :session, :reason, :detail);

-- name: events_of_memory
-- What happened to a memory, oldest first.
SELECT seq, at, kind, memory, batch, actor, session, reason, detail FROM events
WHERE owner = :owner AND memory = :memory ORDER BY seq;

-- name: events_of_batch
-- What was done together, oldest first.
SELECT seq, at, kind, memory, batch, actor, session, reason, detail FROM events
WHERE owner = :owner AND batch = :batch ORDER BY seq;

-- name: away_batch_before
-- The latest batch before a cursor that put memories away; one look into an index of these alone.
SELECT batch FROM events WHERE owner = :owner AND batch < :before
  AND kind IN ('forgotten', 'detached', 'archived', 'superseded', 'merged') ORDER BY batch DESC LIMIT 1;

-- name: purged_batch_before
-- The latest batch before a cursor that erased memories; likewise.
SELECT batch FROM events WHERE owner = :owner AND batch < :before AND kind = 'purged' ORDER BY batch DESC LIMIT 1;

-- name: put_away_by
-- What a batch put away or erased, a page at a time.
SELECT seq, at, kind, memory, batch, actor, session, reason, detail FROM events
WHERE owner = :owner AND batch = :batch AND seq > :after
  AND kind IN ('forgotten', 'detached', 'archived', 'superseded', 'merged', 'purged') ORDER BY seq LIMIT :limit;

-- name: count_put_away_by
-- How many of those there are, counted up to a limit.
SELECT count(*) FROM (SELECT 1 FROM events WHERE owner = :owner AND batch = :batch
  AND kind IN ('forgotten', 'detached', 'archived', 'superseded', 'merged', 'purged') LIMIT :most) AS counted;

-- name: events_after
-- The log, a page at a time.
SELECT seq, at, kind, memory, batch, actor, session, reason, detail FROM events
WHERE owner = :owner AND seq > :after ORDER BY seq LIMIT :limit;

-- name: last_reinforced
-- Which of these memories this session reinforced since then; only what was used since then is looked up in the log.
SELECT DISTINCT e.memory FROM vitals v JOIN events e ON e.owner = v.owner AND e.memory = v.id
WHERE v.owner = :owner AND v.id = ANY(:ids) AND v.last_accessed_at > :since
  AND e.at > :since AND e.kind = 'reinforced' AND e.session IS NOT DISTINCT FROM :session;

-- name: uses_since
-- When these memories were used since then: where crowded uses teach less, the next one asks.
SELECT memory, at FROM events
WHERE owner = :owner AND memory = ANY(:ids) AND at >= :since AND kind = 'reinforced';

-- name: redact_events
-- Of a purged memory the log keeps that something happened, and nothing it was said with.
UPDATE events SET session = NULL, reason = NULL, detail = '{}' WHERE owner = :owner AND memory = :memory;

-- name: add_tombstone
-- A text that must not be learned again.
INSERT INTO tombstones (owner, id, hash, receipt, at) VALUES (:owner, :id, :hash, :receipt, :at);

-- name: tombstones
-- Which of these hashes are buried.
SELECT id, hash FROM tombstones WHERE owner = :owner AND hash = ANY(:hashes);

-- name: list_tombstones
-- Every tombstone, for export.
SELECT id, hash, receipt, at FROM tombstones WHERE owner = :owner ORDER BY id;

-- name: delete_tombstone
-- Lifted: the text may be learned again.
DELETE FROM tombstones WHERE owner = :owner AND id = :id RETURNING id;

-- name: observed
-- Which of these messages were observed, and what was made of each.
SELECT mark, memories FROM observed WHERE owner = :owner AND mark = ANY(:marks);

-- name: add_observed
-- A message was observed; where it was before, and counts anew, what was made of it this time.
INSERT INTO observed (owner, mark, memories) VALUES (:owner, :mark, :memories)
ON CONFLICT (owner, mark) DO UPDATE SET memories = excluded.memories;
