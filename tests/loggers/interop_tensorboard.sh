#!/bin/sh
# usage: interop_tensorboard.sh PROBE PYTHON_ENV. Exits with 77, which ctest shows as skipped, if the Python packages are missing.
if ! python=$("$2"); then
  echo "SKIPPED: files were NOT read with Python's tensorboard, see above" >&2
  exit 77
fi
exec "$python" "$(dirname "$0")/interop_tensorboard.py" "$1"
