-- How many rows an owner has under each status, and how many words those have: {"active": [rows, words], …}. A word tells
-- more in a short memory than in a long one, and what is short is told by the owner's own memories, never by others'.
-- Filled from the index of words by whoever moves the file to this schema (sqlite_care.py).

ALTER TABLE owners ADD COLUMN sizes TEXT NOT NULL DEFAULT '{}';
