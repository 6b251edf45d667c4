-- Credentials. They are looked up before anybody knows whose memories are meant: no owner stands in these predicates.

-- name: list_tokens
-- Every credential, in the order of their names.
SELECT id, name, owner, agent, rights, digest, created_at, expires_at, used_on FROM tokens ORDER BY name;

-- name: token
-- The credential of that public part.
SELECT id, name, owner, agent, rights, digest, created_at, expires_at, used_on FROM tokens WHERE id = :id;

-- name: any_token
-- Whether there is a credential at all.
SELECT 1 FROM tokens LIMIT 1;

-- name: ever_token
-- Whether there is or ever was a credential.
SELECT 1 WHERE EXISTS (SELECT 1 FROM tokens) OR EXISTS (SELECT 1 FROM tokens_revoked);

-- name: add_token
-- A new credential; none comes back when its name is taken.
INSERT INTO tokens (id, name, owner, agent, rights, digest, created_at, expires_at, used_on)
VALUES (:id, :name, :owner, :agent, :rights, :digest, :created_at, :expires_at, :used_on)
ON CONFLICT (name) DO NOTHING RETURNING id;

-- name: note_revoked_token
-- Before a credential is deleted: there was one. Written first, so that a crash in between leaves the server closed.
INSERT INTO tokens_revoked (id) SELECT id FROM tokens WHERE name = :name ON CONFLICT (id) DO NOTHING RETURNING id;

-- name: delete_token
-- Revoked: nothing of it is left but its id.
DELETE FROM tokens WHERE name = :name RETURNING id;

-- name: mark_token
-- It was shown on that day.
UPDATE tokens SET used_on = :used_on WHERE id = :id RETURNING id;
