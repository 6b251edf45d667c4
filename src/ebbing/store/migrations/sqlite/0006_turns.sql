-- Keys tell who stands beside whom (store/turns.py): `next` now counts places, and a key is twice its place, or one more.
-- The keys given before tell nothing; every later one is larger than any of them.

ALTER TABLE owners ADD COLUMN turns TEXT NOT NULL DEFAULT '[]';         -- how far sessions under way have come
ALTER TABLE owners ADD COLUMN turns_from INTEGER NOT NULL DEFAULT 0;    -- the first key that tells
UPDATE owners SET turns_from = (SELECT 2 * next FROM keys);

-- Beside its words and its points a memory stands under what it begins with (terms.py). Whoever runs this fills both
-- tables anew.
