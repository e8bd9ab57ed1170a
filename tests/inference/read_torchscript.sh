#!/usr/bin/env bash
# usage: read_torchscript.sh HOST. Exits with 77, which ctest shows as skipped, if no Python has PyTorch.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
host=$(realpath "$1")
python=$(for p in "${LEVIN_PYTHON_TORCH:-}" /usr/bin/python3 python3; do
  if [ -n "$p" ] && "$p" -c 'import torch' 2>/dev/null; then echo "$p" && break; fi
done)
if [ -z "$python" ]; then
  echo "SKIPPED: TorchScript was NOT read by Python: no python3 has torch (Debian's python3-torch, or LEVIN_PYTHON_TORCH)" >&2
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
off=(--callback early_stopping=false --callback model_summary=false --callback progress_bar=false --callback results_table=false)
"$host" fit --model resnet --data synthetic --data.size 12 --data.batch_size 4 --max_epochs 1 --limit_train_batches 2 --limit_val_batches 1 \
  --logger false "${off[@]}" 2>log || { cat log; exit 1; }
"$host" export levin_logs/version_0 --format torchscript -o net.ts
"$host" export levin_logs/version_0 -o net.pt
"$python" "$here/read_torchscript.py" net.ts net.pt
