#!/bin/sh
# usage: interop_torchvision.sh SCRIPT HOST PLUGINS TORCH_VERSION. Exits with 77, which ctest shows as skipped, if there is no
# torchvision on the same LibTorch as the host's: Debian's python3-torchvision.
python=/usr/bin/python3
export OPENBLAS_CORETYPE=Prescott  # the same kernels in both programs, on any processor
version=$("$python" -c 'import torch, torchvision; print(torch.__version__)' 2>/dev/null)
case $version in
"$4"*) exec "$python" "$(dirname "$0")/$1" "$2" "$3" ;;
"") echo "SKIPPED: networks were NOT compared with torchvision: install python3-torchvision" >&2 ;;
*) echo "SKIPPED: networks were NOT compared with torchvision: its PyTorch is $version, and the host's $4" >&2 ;;
esac
exit 77
