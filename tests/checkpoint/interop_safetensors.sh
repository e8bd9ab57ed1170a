#!/bin/sh
# usage: interop_safetensors.sh PROBE PYTHON_ENV. Exits with 77, which ctest shows as skipped, if the Python packages are missing.
if ! python=$("$2"); then
  echo "SKIPPED: files were NOT compared with Python's safetensors, see above" >&2
  exit 77
fi
exec "$python" "$(dirname "$0")/interop_safetensors.py" "$1"
