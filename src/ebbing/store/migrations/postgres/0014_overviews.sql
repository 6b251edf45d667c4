-- What a person looks at without anything being counted: batches that put memories away or erased them, memories by
-- their status out of the live tables, those that are detached or pinned, and those that it would be dangerous to lose.

CREATE INDEX events_away ON events (owner, batch) WHERE kind IN ('forgotten', 'detached', 'archived', 'superseded', 'merged');
CREATE INDEX events_purged ON events (owner, batch) WHERE kind = 'purged';
CREATE INDEX archive_status ON archive (owner, status, id);
CREATE INDEX memories_detached ON memories (owner, id) WHERE status = 'detached';
CREATE INDEX memories_harmful ON memories (owner, id) WHERE harm >= 3;
CREATE INDEX memories_pinned ON memories (owner, id) WHERE pinned;
CREATE INDEX archive_pinned ON archive (owner, id) WHERE pinned;
