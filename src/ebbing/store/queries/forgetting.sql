-- What a scope holds, and who waits to be summarized.

-- name: hold
-- What a transaction has put into a scope, or taken from it.
INSERT INTO holdings (owner, scope, active, active_tokens, detached, detached_tokens, working, working_tokens, episodic,
    episodic_tokens, semantic, semantic_tokens, procedural, procedural_tokens)
VALUES (:owner, :scope, :active, :active_tokens, :detached, :detached_tokens, :working, :working_tokens, :episodic,
    :episodic_tokens, :semantic, :semantic_tokens, :procedural, :procedural_tokens)
ON CONFLICT (owner, scope) DO UPDATE SET
    active = holdings.active + excluded.active, active_tokens = holdings.active_tokens + excluded.active_tokens,
    detached = holdings.detached + excluded.detached,
    detached_tokens = holdings.detached_tokens + excluded.detached_tokens,
    working = holdings.working + excluded.working, working_tokens = holdings.working_tokens + excluded.working_tokens,
    episodic = holdings.episodic + excluded.episodic,
    episodic_tokens = holdings.episodic_tokens + excluded.episodic_tokens,
    semantic = holdings.semantic + excluded.semantic,
    semantic_tokens = holdings.semantic_tokens + excluded.semantic_tokens,
    procedural = holdings.procedural + excluded.procedural,
    procedural_tokens = holdings.procedural_tokens + excluded.procedural_tokens;

-- name: held
-- How many active memories a scope holds. Asked by itself: what a change tells, SQLite first makes a table of.
SELECT active FROM holdings WHERE owner = :owner AND scope = :scope;

-- name: release_holding
-- A scope that holds nothing any more.
DELETE FROM holdings WHERE owner = :owner AND scope = :scope AND active <= 0 AND detached <= 0;

-- name: full
-- The scopes that hold more than the least that any budget allows; few, whatever the owner has.
SELECT scope, active, active_tokens, detached, detached_tokens, working, working_tokens, episodic, episodic_tokens,
       semantic, semantic_tokens, procedural, procedural_tokens
FROM holdings WHERE owner = :owner
  AND (active > :active OR active_tokens > :active_tokens OR detached_tokens > :detached_tokens) ORDER BY scope;

-- name: holdings
-- The scopes that hold something, a page at a time.
SELECT scope, active, active_tokens, detached, detached_tokens, working, working_tokens, episodic, episodic_tokens,
       semantic, semantic_tokens, procedural, procedural_tokens
FROM holdings WHERE owner = :owner AND scope > :after ORDER BY scope LIMIT :limit;

-- name: crowded
-- Whether any scope holds so many active memories.
SELECT scope FROM holdings WHERE owner = :owner AND active >= :active LIMIT 1;

-- name: begin_waiting
-- It waits to be summarized with its topic.
INSERT INTO waiting (owner, scope, id, since) VALUES (:owner, :scope, :id, :since) ON CONFLICT DO NOTHING;

-- name: wait_no_more
-- They were summarized, have gone down, or are strong again.
DELETE FROM waiting WHERE owner = :owner AND id = ANY(:ids);

-- name: waiting
-- Who waits in a scope, the latest first; bounded, so that looking for a topic costs the same in a scope of any size.
SELECT id, since FROM waiting WHERE owner = :owner AND scope = :scope AND id < :before ORDER BY id DESC LIMIT :limit;

-- name: waiting_since
-- Since when each of these waits.
SELECT id, since FROM waiting WHERE owner = :owner AND id = ANY(:ids);

-- name: members
-- The memories of a scope itself that stand under a status, oldest first.
SELECT * FROM live WHERE owner = :owner AND scope = :scope AND status = :status ORDER BY id;
