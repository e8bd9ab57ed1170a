#!/bin/sh
# usage: with_python.sh PYTHON_ENV SKIPPED SCRIPT [ARGUMENT...]. Runs the script with the Python packages of PYTHON_ENV. Exits with
# 77, which ctest shows as skipped, and prints what was SKIPPED, if they are missing.
python_env=$1 skipped=$2
shift 2
if ! python=$("$python_env"); then
  echo "SKIPPED: $skipped, see above" >&2
  exit 77
fi
exec "$python" "$@"
