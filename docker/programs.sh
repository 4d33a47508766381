# Read by backup and restore: how they reach the programs of PostgreSQL and of the portal. With docker compose; or, where
# MANAGE says how manage.py is run, with the programs of this machine, DATABASE_URL and PORTAL_DATA_DIR.
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 077
JOURNAL='"$PORTAL_DATA_DIR/erasures.jsonl"' # in the words of the shell that has the folder of data

fail() {
    echo "$*" >&2
    exit 1
}

if [ -n "${MANAGE:-}" ]; then
    : "${DATABASE_URL:?Name the database: postgresql://user:password@host:5432/database}"
    : "${PORTAL_DATA_DIR:?Name the folder of data, where the journal of erasures lies}"
    export DATABASE_URL PORTAL_DATA_DIR
    url=${DATABASE_URL%%\?*}
    name=${url##*/}
    postgresql() { "$@"; }
    address() { echo "${url%/*}/$1${DATABASE_URL#"$url"}"; }
    in_portal() { sh -c "$1"; }
    manage() { # the name of the database, then the arguments
        fresh_url=$(address "$1")
        shift
        DATABASE_URL=$fresh_url $MANAGE "$@"
    }
    open_psql="psql, connected to the database postgres of the same server"
else
    name=portal
    postgresql() { docker compose exec -T database "$@"; }
    address() { echo "user=portal dbname=$1"; }
    in_portal() { docker compose run --rm --no-deps -T web sh -c "$@"; }
    manage() {
        in_portal 'url=${DATABASE_URL%%\?*}; DATABASE_URL=${url%/*}/$0${DATABASE_URL#"$url"} exec python manage.py "$@"' "$@"
    }
    open_psql="docker compose exec database psql --username portal --dbname postgres"
fi

# What an archive holds. No pipe in sh tells that its first command failed.
list_archive() {
    rm -f "$work/broken"
    { postgresql pg_restore --file - <"$1" || touch "$work/broken"; } | awk -f "$here/contents.awk" | LC_ALL=C sort
    test ! -e "$work/broken"
}

# The journal in the folder of data, or nothing before the first erasure.
read_journal() { in_portal "test ! -e $JOURNAL || cat $JOURNAL" </dev/null; }

# Whether the first file begins with the second: erasures are only ever appended, so of two copies the longer one does.
begins_with() { head -c "$(wc -c <"$2")" "$1" | cmp -s - "$2"; }

# What the second file has beyond the first.
rest_of() { tail -c "+$(($(wc -c <"$1") + 1))" "$2"; }
