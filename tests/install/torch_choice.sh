#!/usr/bin/env bash
# The LibTorch that a build folder uses when it is configured again with other search folders.
# torch_choice.sh SOURCE WORK [CMAKE_ARGS...]
set -euo pipefail
source=$1 work=$2
shift 2
rm -rf "$work"
mkdir -p "$work/project"

for minor in 1 2; do  # files that look like LibTorch 7.1 and 7.2
  fake=$work/torch-7.$minor
  mkdir -p "$fake/lib" "$fake/include/ATen" "$fake/include/torch/csrc/api/include/torch"
  echo "// ATen" >"$fake/include/ATen/ATen.h"
  printf '#define TORCH_VERSION_MAJOR 7\n#define TORCH_VERSION_MINOR %s\n' $minor >"$fake/include/torch/csrc/api/include/torch/version.h"
  touch "$fake/lib/libtorch_cpu.so" "$fake/lib/libc10.so"
done
printf 'cmake_minimum_required(VERSION 3.20)\nproject(choice CXX)\ninclude(%s/cmake/LevinTorch.cmake)\n' "$source" >"$work/project/CMakeLists.txt"

unset CMAKE_PREFIX_PATH
# takes VERSION CMAKE_ARGS...: the same build folder, configured once more
takes() {
  local wanted=$1 found
  shift
  cmake -S "$work/project" -B "$work/build" "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  found=$(sed -nE 's/^-- LibTorch ([0-9.]+) in .*/\1/p' "$work/log")
  [ "$found" = "$wanted" ] || { echo "LibTorch $found, not $wanted, with: ${*:-nothing new} and CMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH-}"; exit 1; }
}
takes 7.1 -DCMAKE_PREFIX_PATH="$work/torch-7.1" "$@"
takes 7.1
takes 7.2 -DCMAKE_PREFIX_PATH="$work/torch-7.2"
CMAKE_PREFIX_PATH=$work/torch-7.1 takes 7.1 -DCMAKE_PREFIX_PATH=
takes 7.1
CMAKE_PREFIX_PATH=$work/torch-7.2 takes 7.2
takes 7.1 -DLEVIN_TORCH="$work/torch-7.1"
CMAKE_PREFIX_PATH=$work/torch-7.2 takes 7.1
