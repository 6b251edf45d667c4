-- The rules by which what is derived from the texts of an owner (words, match keys, digests) was derived: the fingerprint
-- of analysis.py, an empty text where several rules did, NULL where nobody knows. `ebbing doctor` compares, and `--repair`
-- derives it all again.

ALTER TABLE owners ADD COLUMN analysed_by text COLLATE "C";
