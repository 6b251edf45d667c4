-- The budgets under which the last sweep ended: an owner who was swept under others may hold too much, though no alarm says.

ALTER TABLE owners ADD COLUMN swept_under text COLLATE "C";
