# Functions for the scripts that do on a fresh machine what users do; they source this file.
set -euo pipefail
cd /release
say() { printf '%4s s  %s\n' "$SECONDS" "$*"; }
quietly() { "$@" >/tmp/log 2>&1 || { tail -n 40 /tmp/log; echo "failed: $*"; exit 1; }; }
install() { quietly apt-get install -y -q "$@"; }
quietly apt-get update
SECONDS=0
