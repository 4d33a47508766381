# What an archive of the database holds, read from the SQL that pg_restore makes of it: each table with the number of its
# rows, each constraint, index and trigger. `docker/restore` looks for these lines in the restored database.
in_rows && $0 == "\\." { print "rows", table, rows; in_rows = 0; next }
in_rows { rows++; next }
/^COPY .* FROM stdin;$/ { table = $2; rows = 0; in_rows = 1 }
/^    ADD CONSTRAINT / { print "constraint", $3 }
/^    CONSTRAINT / { print "constraint", $2 }
/^CREATE INDEX / { print "index", $3 }
/^CREATE UNIQUE INDEX / { print "index", $4 }
/^CREATE TRIGGER / { print "trigger", $3 }
