-- What is harmful to lose does not leave recall unasked: since when it waits in review. The views are made again because
-- they name their columns.

ALTER TABLE memories ADD COLUMN held_at timestamptz;
ALTER TABLE archive ADD COLUMN held_at timestamptz;

DROP INDEX memories_unsettled;
CREATE INDEX memories_unsettled ON memories (owner, id) WHERE contested OR held_at IS NOT NULL;

DROP VIEW IF EXISTS everything;
DROP VIEW IF EXISTS live;
DROP VIEW IF EXISTS stored;
CREATE VIEW live AS
SELECT m.key, m.owner, m.id, m.agent, m.visibility, m.scope, m.text, m.category, m.tier, m.status, m.importance,
       m.created_at, m.created_day, m.pinned, m.contested, m.expires_at, m.valid_from, m.valid_until, m.restored_at,
       m.source, m.trust, m.subject, m.attribute, m.supersedes, m.superseded_by, m.derived_from, m.compaction_depth,
       m.tags, m.metadata, m.tokens, m.digest, m.fingerprint, m.lifetime, m.harm, m.held_at,
       v.last_accessed_at, v.used_day, v.recall_count, v.level, v.due_at, v.due_day
FROM memories m JOIN vitals v ON v.owner = m.owner AND v.id = m.id;

CREATE VIEW stored AS
SELECT key, owner, id, agent, visibility, scope, text, category, tier, status, importance,
       created_at, created_day, pinned, contested, expires_at, valid_from, valid_until, restored_at,
       source, trust, subject, attribute, supersedes, superseded_by, derived_from, compaction_depth,
       tags, metadata, tokens, digest, fingerprint, lifetime, harm, held_at,
       last_accessed_at, used_day, recall_count, level, due_at, due_day
FROM archive;

-- For people with a SQL prompt: everything one owner has. It is empty until they say whose:
-- SET ebbing.owner = 'default';
CREATE VIEW everything AS
SELECT owner, id, status, scope, category, tier, text, importance, lifetime, harm, pinned, recall_count, created_at,
       last_accessed_at, expires_at, valid_until, subject, attribute, superseded_by, tags, tokens
FROM (SELECT * FROM live UNION ALL SELECT * FROM stored) AS sides;
