-- The same lines as `contents.awk` prints, of a database: for psql --tuples-only --no-align.
SELECT format('SELECT %L || count(*) FROM %I.%I', format('rows %I.%I ', schemaname, tablename), schemaname, tablename)
FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') \gexec
SELECT 'constraint ' || quote_ident(conname) FROM pg_constraint;
SELECT 'index ' || quote_ident(indexname) FROM pg_indexes;
SELECT 'trigger ' || quote_ident(tgname) FROM pg_trigger WHERE NOT tgisinternal;
