-- The rules by which what is derived from the texts of an owner (words, match keys, digests) was derived: the fingerprint
-- of analysis.py, an empty text where several rules did, NULL where nobody knows. `ebbing doctor` compares, and `--repair`
-- derives it all again.
-- Whoever moves a file to this schema does so as well, and fills this in (sqlite.py).

ALTER TABLE owners ADD COLUMN analysed_by TEXT;
