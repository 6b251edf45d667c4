-- The parts a filter is put together from: each one predicate, joined by AND. Every filter given must hold.

-- name: visible
-- What an agent may see: what is shared, and its own.
(visibility = 'shared' OR agent = :agent)

-- name: visible_without_agent
-- With no agent named, only what is shared.
visibility = 'shared'

-- name: scope
-- A scope and everything below it, by whole segments: '0' is the character after '/'.
(scope = :scope OR (scope >= :scope_low AND scope < :scope_high))

-- name: statuses
-- Where on the ladder.
status = ANY(:statuses)

-- name: categories
-- Of any of these categories.
category = ANY(:categories)

-- name: ids
-- One of these.
id = ANY(:only_ids)

-- name: exclude
-- None of these.
NOT (id = ANY(:excluded_ids))

-- name: created_after
-- Not older than an instant.
created_at >= :created_after

-- name: created_before
-- Older than an instant.
created_at < :created_before

-- name: tier
-- Of this lifespan.
tier = :tier

-- name: pinned
-- Pinned: few, with an index of their own.
pinned

-- name: unpinned
-- Not pinned.
NOT pinned

-- name: subject
-- About this.
subject = :subject

-- name: harmful
-- What it would be dangerous to lose: of the highest harm.
harm >= 3

-- name: written_by
-- Of this agent.
agent = :written_by

-- name: unexpired
-- Not past its time to live, or held in spite of it: pinned, or brought back not long ago.
(expires_at IS NULL OR expires_at > :unexpired OR pinned OR restored_at > :restored_since)
