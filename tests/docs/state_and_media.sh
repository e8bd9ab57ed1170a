#!/usr/bin/env bash
# Runs the plugins shapes and class_counts: their media reach a logger, and a resumed run restores the state of the callback.
# state_and_media.sh HOST PLUGINS
set -euo pipefail
host=$1 plugins=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive "$host" "$@" >"$work/log.txt" 2>&1 || { cat "$work/log.txt"; exit 1; }; }
run fit --plugins "$plugins" --model levin.mlp:mlp --data org.example.shapes:shapes --callback org.example.class_counts:class_counts \
  --data.rows 100 --max_epochs 2 --logger csv --logger tensorboard --default_root_dir "$work"
folder=$(dirname "$(find "$work" -name metrics.csv)")
for tag in shape_table first_picture; do
  grep -aq "$tag" "$folder"/events.out.tfevents.* || { echo "tensorboard has nothing of '$tag'"; exit 1; }
done
run resume "$folder" --plugins "$plugins" --max_epochs 3
seen=$("$(dirname "$0")/column.sh" rows_seen "$folder/metrics.csv")
[ "$seen" = "100 200 300" ] || { echo "rows_seen is $seen"; exit 1; }
