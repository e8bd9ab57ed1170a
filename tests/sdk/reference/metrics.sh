#!/bin/sh
# usage: metrics.sh METRIC_VALUES [ARGUMENT...]. Runs metrics.py. Exits with 77, which ctest shows as skipped, without
# scikit-learn.
for python in "${LEVIN_PYTHON_SKLEARN:-}" python3 /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import scipy, sklearn' 2>/dev/null && exec "$python" "$(dirname "$0")/metrics.py" "$@"
done
echo "SKIPPED: metrics were NOT compared with scikit-learn's: install python3-sklearn" >&2
exit 77
