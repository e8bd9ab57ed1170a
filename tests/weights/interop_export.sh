#!/bin/sh
# usage: interop_export.sh HOST PYTHON_ENV GOLDEN. Exits with 77, which ctest shows as skipped, if the Python packages are missing.
if ! python=$("$2"); then
  echo "SKIPPED: exported weights were NOT read by Python, see above" >&2
  exit 77
fi
exec "$python" "$(dirname "$0")/interop_export.py" "$1" "$3"
