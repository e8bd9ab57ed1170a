#!/bin/sh
# usage: interop_torchscript.sh HOST TORCH_VERSION. Exits with 77, which ctest shows as skipped, if there is no Python
# with the host's version of PyTorch: Debian's python3-torch.
python=/usr/bin/python3
version=$("$python" -c 'import torch; print(torch.__version__)' 2>/dev/null)
case $version in
"$2"*) exec "$python" "$(dirname "$0")/interop_torchscript.py" "$1" ;;
"") echo "SKIPPED: TorchScript networks of Python were NOT trained: install python3-torch" >&2 ;;
*) echo "SKIPPED: TorchScript networks of Python were NOT trained: its PyTorch is $version, and the host's $2" >&2 ;;
esac
exit 77
