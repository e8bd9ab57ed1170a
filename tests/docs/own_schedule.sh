#!/usr/bin/env bash
# The learning rate of the model "halving" in docs/optimizers.md is halved after every second epoch, also in a resumed run.
# own_schedule.sh HOST PLUGINS
set -euo pipefail
host=$1 plugins=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive "$host" "$@" >"$work/log.txt" 2>&1 || { cat "$work/log.txt"; exit 1; }; }
run fit --plugins "$plugins" --model org.example.halving:halving --data levin.synthetic:synthetic --limit_train_batches 2 --limit_val_batches 0 \
  --callback learning_rate_monitor --max_epochs 3 --logger csv --default_root_dir "$work"
folder=$(dirname "$(find "$work" -name metrics.csv)")
run resume "$folder" --plugins "$plugins" --max_epochs 5
rates=$("$(dirname "$0")/column.sh" lr "$folder/metrics.csv")
[ "$rates" = "0.1 0.1 0.05 0.05 0.025" ] || { echo "the learning rates are $rates"; exit 1; }
