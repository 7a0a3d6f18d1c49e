#!/bin/sh
# Writes the secrets of compose.scale.yaml, once: into deploy/secrets, which only its owner may enter, and the keys of
# the S3 store into deploy/.env too. Back them up apart from the data.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ] || grep -q '^S3_' .env 2>/dev/null; then
  echo 'There are secrets in deploy/secrets or deploy/.env already; nothing was changed.' >&2
  exit 1
fi
random() { openssl rand -hex "$1"; }

mkdir -m 700 secrets
# Containers read the files as other users, so the files are readable and the folder is not.
umask 022
password=$(random 24)
printf '%s' "$password" > secrets/postgres_password
printf 'postgres://earshot:%s@postgres:5432/earshot' "$password" > secrets/database_url
random 32 > secrets/secret_key
umask 077
printf 'S3_ACCESS_KEY_ID=%s\nS3_SECRET_ACCESS_KEY=%s\n' "$(random 10)" "$(random 20)" >> .env
