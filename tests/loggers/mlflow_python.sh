#!/bin/sh
# Prints the python of .cache/venv-mlflow, which has MLflow. Installs it there first (850 MB, two minutes) if LEVIN_WITH_MLFLOW is
# set, as in continuous integration.
cache=$(cd "$(dirname "$0")/../.." && pwd)/.cache
python=$cache/venv-mlflow/bin/python
has_mlflow() { "$python" -c "import mlflow" 2>/dev/null; }
install() { python3 -m venv "$cache/venv-mlflow" && timeout 400 "$python" -m pip install --quiet mlflow; }

if ! has_mlflow && [ -n "${LEVIN_WITH_MLFLOW:-}" ]; then
  mkdir -p "$cache"
  install >"$cache/mlflow.log" 2>&1 || echo "pip cannot install mlflow: see $cache/mlflow.log" >&2
fi
if has_mlflow; then
  echo "$python"
else
  echo "MLflow is not installed: LEVIN_WITH_MLFLOW=1 installs it in .cache/venv-mlflow (850 MB)" >&2
  exit 1
fi
