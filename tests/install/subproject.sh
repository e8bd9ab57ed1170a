#!/usr/bin/env bash
# Levin as a part of another project: what is built there, and what is installed. The host is compiled only with --whole.
# subproject.sh SOURCE WORK [--whole] [CMAKE_ARGS...]
set -euo pipefail
source=$1 work=$2 whole=''
shift 2
[ "${1-}" != --whole ] || { whole=1; shift; }
rm -rf "$work"
mkdir -p "$work"

cmake -S "$source/tests/install/subproject" -B "$work/build" -DLEVIN_SOURCE="$source" "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" --target compiled
if [ -n "$whole" ]; then
  cmake --build "$work/build" -j
  for plugin in c_mlp two_layers; do "$work/build/bin/host" inspect "$work/build/lib$plugin.so"; done
fi

if [ -f "$work/build/build.ninja" ]; then
  steps=$(ninja -C "$work/build" -t commands all)
  for wanted in libc_mlp.so libtwo_layers.so; do
    grep -q -- "-o $wanted" <<<"$steps" || { echo "all does not build $wanted"; exit 1; }
  done
  for unwanted in host-engine libresnet.so libmnist.so; do
    ! grep -q -- "-o [^ ]*$unwanted" <<<"$steps" || { echo "all builds $unwanted, which no plugin of the project needs"; exit 1; }
  done
fi
# The rules of installation in the project's own folder are those of its plugins.
if grep -q 'levin-build/' "$work/build/cmake_install.cmake"; then echo "the project would install Levin"; exit 1; fi
