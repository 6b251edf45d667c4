-- Which messages of conversations were observed, so that the same one, handed over again, changes nothing: a salted hash
-- of a message, never its words, and the ids of the memories that were made of it. Partitioned as the other tables are.

DO $$
DECLARE
    parts integer := (
        SELECT count(*) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent
        WHERE relname = 'memories' AND relnamespace = current_schema()::regnamespace
    );
    made  record;
BEGIN
    EXECUTE 'CREATE TABLE observed (
        owner    text COLLATE "C" NOT NULL,
        mark     text COLLATE "C" NOT NULL,
        memories jsonb NOT NULL,
        PRIMARY KEY (owner, mark)
    )' || CASE WHEN parts > 0 THEN ' PARTITION BY HASH (owner)' ELSE '' END;
    FOR part IN 0 .. parts - 1 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF observed FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                       'observed_' || part, parts, part);
    END LOOP;
    FOR made IN
        SELECT relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname ~ '^observed(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('CREATE POLICY one_owner ON %I USING (owner = current_setting(%L, true))',
                       made.relname, 'ebbing.owner');
    END LOOP;
END $$;
