-- Keys tell who stands beside whom (store/turns.py), and come from a counter of their own: `places` counts them, and a key
-- is twice its place, or one more. The keys given before came from `version` and tell nothing; every later one is larger.
--
-- Beside its words and its points a memory stands under what it begins with (terms.py), as one more of the rows in
-- `words`; what was remembered before does so once `ebbing doctor --repair` has made them anew.

ALTER TABLE owners ADD COLUMN turns jsonb NOT NULL DEFAULT '[]';        -- how far sessions under way have come
ALTER TABLE owners ADD COLUMN turns_from bigint NOT NULL DEFAULT 0;     -- the first key that tells
ALTER TABLE owners ADD COLUMN places bigint NOT NULL DEFAULT 1;         -- the next one
UPDATE owners SET places = version + 1, turns_from = 2 * (version + 1);
