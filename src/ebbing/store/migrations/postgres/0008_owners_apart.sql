-- Row-level security for the owners themselves: their rows hold the salts of their tombstones. A transaction of one owner
-- sees and changes its own row only; maintenance, which has to know who there is, may read all of them and change none.

DO $$
DECLARE
    made record;
BEGIN
    FOR made IN
        SELECT relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname ~ '^owners(_[0-9]+)?$'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', made.relname);
        EXECUTE format('CREATE POLICY one_owner ON %I USING (owner = current_setting(%L, true))',
                       made.relname, 'ebbing.owner');
        EXECUTE format('CREATE POLICY maintenance ON %I FOR SELECT USING (current_setting(%L, true) = %L)',
                       made.relname, 'ebbing.maintenance', 'on');
    END LOOP;
END $$;
