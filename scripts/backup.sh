#!/bin/sh
# Writes a backup of the running server's embedded database: sh scripts/backup.sh leads.tar
# It needs only tar and psql 15 or later: Debian 12's pg_dump refuses a server of version 18.
# To restore the backup: docs/operations.md#backup.
set -eu

target=${1:?"usage: sh scripts/backup.sh <file.tar>"}
data_dir=${DATA_DIR:-./data}
[ ! -e "$target" ] || { echo "$target already exists: choose another file" >&2; exit 1; }
[ -d "$(dirname "$target")" ] || { echo "$(dirname "$target") is not a directory: create it first" >&2; exit 1; }
[ -e "$data_dir/postgres/postmaster.pid" ] || { echo "no server runs on $data_dir: start it, or set DATA_DIR" >&2; exit 1; }
port=$(sed -n 4p "$data_dir/postgres/postmaster.pid")
# The directory is on the target's file system, so that the large file is renamed instead of copied.
work=$(mktemp -d "$(dirname "$target")/.backup-XXXXXX")
trap 'rm -rf "$work"' EXIT
umask 077

export PGPASSWORD; PGPASSWORD=$(cat "$data_dir/postgres-password")
export BACKUP_FILE="$work/backup.tar" BACKUP_FROM="$data_dir" BACKUP_WORK="$work"
# The session's slot retains the write-ahead log, which repairs files that changed while tar read them.
psql -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres postgres >/dev/null <<'END'
select pg_create_physical_replication_slot('backup', true, true);
select pg_backup_start('backup', true);
\! tar -C "$BACKUP_FROM" --warning=no-file-changed --exclude='postgres/pg_wal/*' --exclude='postgres/postmaster.*' --exclude='postgres/pg_replslot/*' -cf "$BACKUP_FILE" postgres postgres-password; echo $? > "$BACKUP_WORK/status"
\o `printf %s "$BACKUP_WORK/backup_label"`
select labelfile from pg_backup_stop(false);
\o
\! if [ "$(id -u)" = 0 ]; then chown --reference="$BACKUP_FROM/postgres" "$BACKUP_WORK/backup_label"; fi
\! tar -C "$BACKUP_FROM" --warning=no-file-changed -rf "$BACKUP_FILE" postgres/pg_wal; [ $? -le 1 ] && tar -C "$BACKUP_WORK" --transform='s,^,postgres/,' -rf "$BACKUP_FILE" backup_label && echo done > "$BACKUP_WORK/done"
END
[ "$(cat "$work/status")" -le 1 ] && [ -e "$work/done" ] || { echo "tar failed: no backup" >&2; exit 1; }
mv "$work/backup.tar" "$target"
echo "The backup is in $target"
