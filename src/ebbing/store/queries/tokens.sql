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

-- name: add_token
-- A new credential; none comes back when its name is taken.
INSERT INTO tokens (id, name, owner, agent, rights, digest, created_at, expires_at, used_on)
VALUES (:id, :name, :owner, :agent, :rights, :digest, :created_at, :expires_at, :used_on)
ON CONFLICT (name) DO NOTHING RETURNING id;

-- name: delete_token
-- Revoked: nothing of it is left.
DELETE FROM tokens WHERE name = :name RETURNING id;

-- name: mark_token
-- It was shown on that day.
UPDATE tokens SET used_on = :used_on WHERE id = :id RETURNING id;
