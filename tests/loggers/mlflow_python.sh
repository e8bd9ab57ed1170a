#!/bin/sh
# Prints the python of scripts/python_env if MLflow is installed there. No test installs it, since it is 850 MB.
python=$("$(dirname "$0")/../../scripts/python_env") || exit 1
"$python" -c "import mlflow" 2>/dev/null && echo "$python" && exit
echo "MLflow is not installed: LEVIN_PYTHON_PACKAGES=mlflow scripts/python_env" >&2
exit 1
