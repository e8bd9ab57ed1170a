#!/usr/bin/env bash
# Runs plugins that the documents show. shown_plugins.sh schedule|media HOST PLUGINS
#   schedule  the learning rate of the model "halving" of docs/optimizers.md halves after every second epoch, also in a resumed run
#   media     the media of the data module "shapes" reach a logger, and the state of the callback "class_counts" a resumed run
set -euo pipefail
host=$2 plugins=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive "$host" "$@" >"$work/log.txt" 2>&1 || { cat "$work/log.txt"; exit 1; }; }

fit_and_resume() {  # EPOCHS OPTION...: EPOCHS in all, with the last one or two in a resumed run
  local epochs=$1
  shift
  run fit --plugins "$plugins" --logger csv --default_root_dir "$work" "$@"
  folder=$(dirname "$(find "$work" -name metrics.csv)")
  run resume "$folder" --plugins "$plugins" --max_epochs "$epochs"
}
column_is() {  # NAME VALUES: the values of the first column whose name starts with NAME, with spaces between
  local values
  values=$(awk -F, -v name="$1" '
    NR == 1 { for (i = NF; i > 0; --i) if (index($i, name) == 1) column = i; next }
    column && $column != "" { printf "%s%s", between, $column + 0; between = " " }' "$folder/metrics.csv")
  [ "$values" = "$2" ] || { echo "$1 is $values, not $2"; exit 1; }
}

case $1 in
schedule)
  fit_and_resume 5 --model org.example.halving:halving --data levin.synthetic:synthetic --limit_train_batches 2 --limit_val_batches 0 \
    --callback learning_rate_monitor --max_epochs 3
  column_is lr "0.1 0.1 0.05 0.05 0.025"
  ;;
media)
  fit_and_resume 3 --model levin.mlp:mlp --data org.example.shapes:shapes --callback org.example.class_counts:class_counts \
    --data.rows 100 --max_epochs 2 --logger tensorboard
  for tag in shape_table first_picture; do
    grep -aq "$tag" "$folder"/events.out.tfevents.* || { echo "tensorboard has nothing of '$tag'"; exit 1; }
  done
  column_is rows_seen "100 200 300"
  ;;
esac
