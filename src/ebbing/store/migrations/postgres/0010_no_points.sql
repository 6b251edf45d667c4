-- The points of texts (0003_meeting.sql) are gone: a new text is compared with the memories that search finds near it.
-- A point is a term with one stroke before it; two strokes stand before what a text begins with, and those stay. Owner by
-- owner, because row-level security shows the rows of one owner at a time.

DO $$
DECLARE
    one record;
BEGIN
    PERFORM set_config('ebbing.maintenance', 'on', true);
    FOR one IN SELECT owner FROM owners ORDER BY owner LOOP
        PERFORM set_config('ebbing.owner', one.owner, true);
        DELETE FROM words WHERE owner = one.owner AND term ~ '^_[^_]';
        DELETE FROM archive_words WHERE owner = one.owner AND term ~ '^_[^_]';
        UPDATE memories SET terms = ARRAY(SELECT t FROM unnest(terms) AS t WHERE t !~ '^_[^_]') WHERE owner = one.owner;
        UPDATE archive SET terms = ARRAY(SELECT t FROM unnest(terms) AS t WHERE t !~ '^_[^_]') WHERE owner = one.owner;
    END LOOP;
    PERFORM set_config('ebbing.owner', '', true);
    PERFORM set_config('ebbing.maintenance', 'off', true);
END $$;
